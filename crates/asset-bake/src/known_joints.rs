//! The joint names of the characters that settings apply to. They are imported only if a pattern needs them.

use crate::asset::Asset;
use crate::find::find_assets;
use crate::target::BakeTarget;
use bake_settings::Character;
use skinned_model::SkinnedModel;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Assets, and their joint names once they are needed.
///
/// A pattern that matches no joint of one character may be meant for another, so the error check needs the joints of
/// the other characters. Most patterns match, so most runs never import a model only for its joint names.
#[derive(Debug, Default)]
pub(crate) struct KnownJoints {
    assets: BTreeSet<PathBuf>,
    /// All assets in this folder and its subfolders count too.
    folder: Option<PathBuf>,
    characters: OnceLock<Option<Vec<Character>>>,
}

impl KnownJoints {
    pub(crate) fn of_assets(assets: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { assets: assets.into_iter().collect(), ..Self::default() }
    }

    pub(crate) fn below(self, folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()), ..self }
    }

    /// All characters with their joints. `None` if a model cannot be imported, because its joints are then unknown.
    pub(crate) fn characters(&self) -> Option<&[Character]> {
        let joints_of = |target: &BakeTarget| {
            let (model, _) =
                Asset::open(&target.path).and_then(|asset| asset.import_part(target.root.as_ref())).ok()?;
            Some((character(&target.name, &model), !model.characters.is_empty()))
        };
        // An asset with several characters may be split, or baked as one.
        let import = |path: &PathBuf| -> Option<Vec<Character>> {
            if Asset::open(path).is_ok_and(|asset| !skinned_model::has_skinned_mesh(asset.bytes())) {
                // A file of motions has no joints that settings could name.
                return Some(Vec::new());
            }
            let (whole, has_several) = joints_of(&BakeTarget::whole(path))?;
            let parts = if has_several { BakeTarget::each(path) } else { Vec::new() };
            let parts = parts.iter().map(|part| Some(joints_of(part)?.0));
            std::iter::once(Some(whole)).chain(parts).collect()
        };
        let import_all = || {
            let below = find_assets(self.folder.as_slice()).ok()?;
            // Several paths may name the same asset.
            let one_name = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
            let assets: BTreeSet<PathBuf> = self.assets.iter().chain(&below).map(one_name).collect();
            let all: Option<Vec<Vec<Character>>> = assets.iter().map(import).collect();
            Some(all?.concat())
        };
        self.characters.get_or_init(import_all).as_deref()
    }
}

/// A character with the names of all its joints and surfaces.
pub(crate) fn character(name: &str, model: &SkinnedModel) -> Character {
    let joints = model.skeleton.joints().iter().map(|joint| joint.name.clone()).collect();
    Character { name: name.to_owned(), joints, surfaces: bone_fit::surface_names(model) }
}
