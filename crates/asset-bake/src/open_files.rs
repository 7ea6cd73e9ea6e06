//! Opens settings files and those above them, each once.

use crate::AssetError;
use crate::atomic_file::folder_of;
use crate::requested::RequestedSettings;
use crate::settings_file::SettingsFile;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The settings files that were opened so far. Each is read once, and each folder is searched once.
pub(crate) struct OpenFiles<'a> {
    requested: &'a RequestedSettings,
    /// The assets of the run that each file applies to.
    assets: BTreeMap<PathBuf, Vec<PathBuf>>,
    opened: BTreeMap<PathBuf, Arc<SettingsFile>>,
    /// The settings files of the assets of each folder, nearest first.
    of_folders: BTreeMap<PathBuf, Vec<PathBuf>>,
}

impl<'a> OpenFiles<'a> {
    pub(crate) fn for_assets(requested: &'a RequestedSettings, assets: &[PathBuf]) -> Self {
        let (assets_of_files, opened, of_folders) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut files = Self { requested, assets: assets_of_files, opened, of_folders };
        for asset in assets {
            for file in files.paths(asset) {
                files.assets.entry(file).or_default().push(asset.clone());
            }
        }
        files
    }

    /// The settings files of an asset, nearest first.
    fn paths(&mut self, asset: &Path) -> Vec<PathBuf> {
        let folder = folder_of(asset);
        if let Some(paths) = self.of_folders.get(folder) {
            return paths.clone();
        }
        let paths = self.requested.existing_paths(asset);
        self.of_folders.insert(folder.to_owned(), paths.clone());
        paths
    }

    /// The nearest settings file of the assets of each folder that was searched.
    pub(crate) fn nearest_of_folders(self) -> BTreeMap<PathBuf, Option<PathBuf>> {
        self.of_folders.into_iter().map(|(folder, paths)| (folder, paths.into_iter().next())).collect()
    }

    /// All files that were opened so far, sorted by path.
    pub(crate) fn opened(&self) -> Vec<Arc<SettingsFile>> {
        self.opened.values().cloned().collect()
    }

    /// The nearest settings file of an asset, with the files above it; `None` if there is no file.
    pub(crate) fn nearest(&mut self, asset: &Path) -> Result<Option<Arc<SettingsFile>>, AssetError> {
        let paths = self.paths(asset);
        self.open(&paths)
    }

    /// Opens the first of these files. The others are those of parent folders.
    fn open(&mut self, paths: &[PathBuf]) -> Result<Option<Arc<SettingsFile>>, AssetError> {
        let [nearest, above @ ..] = paths else { return Ok(None) };
        if let Some(file) = self.opened.get(nearest) {
            return Ok(Some(file.clone()));
        }
        let assets = self.assets.get(nearest).cloned().unwrap_or_default();
        let file = Arc::new(SettingsFile::open(nearest, assets, || self.open(above))?);
        self.opened.insert(nearest.clone(), file.clone());
        Ok(Some(file))
    }
}
