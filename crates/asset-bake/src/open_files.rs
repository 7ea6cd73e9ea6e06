//! Opens settings files and those above them, each once.

use crate::AssetError;
use crate::requested::RequestedSettings;
use crate::settings_file::SettingsFile;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The settings files that were opened so far. Each is read once.
pub(crate) struct OpenFiles<'a> {
    requested: &'a RequestedSettings,
    /// The assets of the run that each file applies to.
    assets: BTreeMap<PathBuf, Vec<PathBuf>>,
    opened: BTreeMap<PathBuf, Arc<SettingsFile>>,
}

impl<'a> OpenFiles<'a> {
    pub(crate) fn for_assets(requested: &'a RequestedSettings, assets: &[PathBuf]) -> Self {
        let mut of_file: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        for asset in assets {
            for file in requested.existing_paths(asset) {
                of_file.entry(file).or_default().push(asset.clone());
            }
        }
        Self { requested, assets: of_file, opened: BTreeMap::new() }
    }

    /// All files that were opened so far, sorted by path.
    pub(crate) fn opened(&self) -> Vec<Arc<SettingsFile>> {
        self.opened.values().cloned().collect()
    }

    /// The nearest settings file of an asset, with the files above it; `None` if there is no file.
    pub(crate) fn nearest(&mut self, asset: &Path) -> Result<Option<Arc<SettingsFile>>, AssetError> {
        self.open(&self.requested.existing_paths(asset))
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
