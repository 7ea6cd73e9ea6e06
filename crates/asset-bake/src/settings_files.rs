//! Finds the settings of each asset of a run.

use crate::AssetError;
use crate::asset_settings::AssetSettings;
use crate::known_joints::KnownJoints;
use crate::requested::RequestedSettings;
use crate::settings_file::SettingsFile;
use crate::shared::SharedSet;
use crate::target::BakeTarget;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// All settings files that apply to the assets of a run.
#[derive(Debug)]
pub struct SettingsFiles<'a> {
    requested: &'a RequestedSettings,
    files: BTreeMap<PathBuf, Arc<SettingsFile>>,
    /// All assets of the run, if the patterns of the request must match a joint of at least one asset.
    run: Option<Arc<KnownJoints>>,
    /// The sets of shared hitboxes of each file.
    shared: BTreeMap<PathBuf, Vec<Arc<SharedSet>>>,
}

impl<'a> SettingsFiles<'a> {
    /// Reads every settings file that applies to one of these assets.
    ///
    /// # Errors
    /// Returns [`AssetError`] with file and line for the first file that cannot be read, has a mistake, or names a
    /// character that does not exist.
    pub fn open(
        requested: &'a RequestedSettings,
        assets: impl IntoIterator<Item = impl AsRef<Path>>,
    ) -> Result<Self, AssetError> {
        let mut of_file: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        for asset in assets {
            if let Some(file) = requested.settings_path(asset.as_ref()) {
                of_file.entry(file).or_default().push(asset.as_ref().to_owned());
            }
        }
        let (mut files, mut shared) = (BTreeMap::new(), BTreeMap::new());
        for (file, assets) in of_file {
            let opened = Arc::new(SettingsFile::open(&file, assets)?);
            shared.insert(file.clone(), SharedSet::of_file(requested, &opened)?);
            files.insert(file, opened);
        }
        Ok(Self { requested, files, run: None, shared })
    }

    /// Requires that each pattern of the request matches a joint of one of these assets. The check runs when an asset
    /// is baked and a pattern matches none of its joints.
    #[must_use]
    pub(crate) fn requiring_patterns_to_match(self, assets: &[PathBuf]) -> Self {
        Self { run: Some(Arc::new(KnownJoints::of_assets(assets.to_vec()))), ..self }
    }

    /// The files that `motions` of these settings files name.
    pub(crate) fn motion_files(&self) -> Vec<PathBuf> {
        self.files.values().flat_map(|file| file.motion_files()).collect()
    }

    /// Returns the settings of one of these assets.
    ///
    /// # Errors
    /// Returns [`AssetError`] if a requested option does not exist or does not have such a value.
    pub fn for_asset(&self, asset: &Path) -> Result<AssetSettings, AssetError> {
        self.for_target(&BakeTarget::whole(asset))
    }

    /// Returns the settings of a character of one of these assets.
    ///
    /// # Errors
    /// Returns the errors of [`SettingsFiles::for_asset`].
    pub fn for_target(&self, target: &BakeTarget) -> Result<AssetSettings, AssetError> {
        let path = self.requested.settings_path(&target.path);
        let file = path.as_ref().and_then(|file| self.files.get(file)).cloned();
        let sets = path.iter().filter_map(|file| self.shared.get(file)).flatten();
        let shared = match sets.into_iter().find(|set| set.has(&target.name)) {
            Some(set) => Some(Arc::new(set.membership(target)?) as _),
            None => None,
        };
        Ok(AssetSettings::of_target(self.requested, file, target)?.in_run(self.run.clone(), shared))
    }
}

impl RequestedSettings {
    /// Reads the settings of one asset. For many assets, [`SettingsFiles`] reads each file only once.
    ///
    /// # Errors
    /// Returns the errors of [`SettingsFiles::open`] and [`SettingsFiles::for_asset`].
    pub fn for_asset(&self, asset: &Path) -> Result<AssetSettings, AssetError> {
        SettingsFiles::open(self, [asset])?.for_asset(asset)
    }
}
