//! What to bake, and where the outputs go.

use crate::RequestedSettings;
use crate::outputs::OutputPaths;
use crate::shard::Shard;
use crate::store::Store;
use crate::target::BakeTarget;
use crate::workers::Workers;
use std::path::{Path, PathBuf};

/// The assets to bake, and the settings of the bake.
#[derive(Clone, Debug, Default)]
pub struct BakeRequest {
    /// Files, and folders that are searched for assets.
    pub paths: Vec<PathBuf>,
    /// The folder for all outputs; `None` writes each output beside its asset. It gets the subfolders of the folders in `paths`:
    /// the outputs of `paths/a/b.glb` are in `out_dir/a`.
    pub out_dir: Option<PathBuf>,
    /// If `true`, all outputs are in `out_dir` itself.
    pub flat: bool,
    /// The share of the work that this run does; `None` for all of it.
    pub shard: Option<Shard>,
    /// The results of earlier bakes, of this machine or of others; `None` for no store. A check does not use it.
    pub store: Option<Store>,
    /// If `true`, no character is started after one has failed.
    pub fail_fast: bool,
    /// Processes that bake, with a limit of time or memory for each character; `None` bakes in this process without limits.
    pub workers: Option<Workers>,
    /// If `true`, write nothing, and compare the existing outputs with a fresh bake.
    pub check: bool,
    /// If `true`, write no output: unchanged outputs are read, and all other characters are baked in memory. The results have
    /// the warnings that the files would have.
    pub in_memory: bool,
    /// If `true`, bake assets again even if they have not changed, and replace outputs with added clips.
    pub force: bool,
    /// If `true`, bake each of several characters in an asset to files of its own.
    pub split: bool,
    /// The options, and the settings file that applies.
    pub settings: RequestedSettings,
}

impl BakeRequest {
    /// The paths of a character's outputs.
    #[must_use]
    pub fn outputs(&self, target: &BakeTarget) -> OutputPaths {
        let folder = self.out_dir.as_ref().map(|out_dir| match self.in_tree(&target.path).parent() {
            Some(subfolder) if !self.flat => out_dir.join(subfolder),
            _ => out_dir.clone(),
        });
        OutputPaths::of_target(target, folder.as_deref())
    }

    /// The path of an asset, counted from the folder of the request that contains it. Only the file name of an asset that the
    /// request names itself.
    pub(crate) fn in_tree(&self, asset: &Path) -> PathBuf {
        let below = |root: &PathBuf| asset.strip_prefix(root).ok().filter(|below| !below.as_os_str().is_empty());
        let named = || Path::new(asset.file_name().unwrap_or_default());
        // The outer one of nested folders counts.
        let below = self.paths.iter().filter_map(below).max_by_key(|below| below.components().count());
        below.unwrap_or_else(named).to_owned()
    }
}
