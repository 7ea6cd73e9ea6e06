//! The options of a caller, and the choice of the settings file.

use crate::AssetError;
use crate::atomic_file::folder_of;
use crate::settings_files::{AssetSettings, SettingsFiles};
use bone_fit::{BakeOptions, OptionError};
use skeleton::printable;
use std::fs;
use std::path::{Path, PathBuf};

/// The name of a settings file.
pub const SETTINGS_FILE: &str = "bonebox.toml";

/// The settings with which the caller wants to bake assets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestedSettings {
    /// Options as pairs of a key and a text. They override the options of the settings file. If one of them is
    /// `preset`, the preset replaces all options that the settings file sets for the whole character, and the other
    /// pairs override the preset.
    pub options: Vec<(String, String)>,
    /// The settings file that applies.
    pub file: SettingsFileChoice,
}

/// The choice of the settings file that applies to an asset.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SettingsFileChoice {
    /// The nearest [`SETTINGS_FILE`] in the asset's folder or a parent folder, up to the root of the checkout.
    #[default]
    Nearest,
    /// The settings file with this path.
    Path(PathBuf),
    /// No settings file: every option has its default.
    None,
}

impl From<&BakeOptions> for RequestedSettings {
    /// Uses exactly these options, with the overrides and limits of the nearest settings file.
    fn from(options: &BakeOptions) -> Self {
        Self { options: options.entries(), file: SettingsFileChoice::Nearest }
    }
}

impl RequestedSettings {
    /// The paths where a settings file for the asset exists or may appear, nearest first. The first file that exists
    /// applies, so a program that watches the asset must watch all of these paths.
    #[must_use]
    pub fn settings_paths(&self, asset: &Path) -> Vec<PathBuf> {
        match &self.file {
            SettingsFileChoice::Nearest => nearest_paths(asset),
            SettingsFileChoice::Path(file) => vec![file.clone()],
            SettingsFileChoice::None => Vec::new(),
        }
    }

    /// Returns the request with more options, which override the options of `self`. If one of them is `preset`, all
    /// options of `self` are dropped.
    ///
    /// # Errors
    /// Returns [`OptionError`] if an option is unknown or does not have such a value.
    pub fn with_options(&self, options: &[(&str, &str)]) -> Result<Self, OptionError> {
        BakeOptions::from_entries(options.iter().copied())?;
        let resets = options.iter().any(|(key, _)| *key == "preset");
        let mut all = if resets { Vec::new() } else { self.options.clone() };
        all.extend(options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
        Ok(Self { options: all, file: self.file.clone() })
    }

    /// Reads the settings of one asset. For many assets, [`SettingsFiles`] reads each file only once.
    ///
    /// # Errors
    /// Returns the errors of [`SettingsFiles::open`] and [`SettingsFiles::for_asset`].
    pub fn for_asset(&self, asset: &Path) -> Result<AssetSettings, AssetError> {
        SettingsFiles::open(self, [asset])?.for_asset(asset)
    }

    /// The settings file that applies to the asset. A file that the caller named applies even if it does not exist, so
    /// that opening it gives an error.
    pub(crate) fn settings_path(&self, asset: &Path) -> Option<PathBuf> {
        let applies = |file: &PathBuf| matches!(self.file, SettingsFileChoice::Path(_)) || file.is_file();
        self.settings_paths(asset).into_iter().find(applies)
    }
}

fn nearest_paths(asset: &Path) -> Vec<PathBuf> {
    let folder = folder_of(asset);
    // Resolves links and "..", so that the parent folders are those on the disk.
    let folder = fs::canonicalize(folder).or_else(|_| std::path::absolute(folder)).unwrap_or_else(|_| folder.into());
    let last = folder.ancestors().position(|folder| folder.join(".git").exists()).map_or(usize::MAX, |at| at + 1);
    folder.ancestors().take(last).map(|folder| folder.join(SETTINGS_FILE)).collect()
}

/// The path for messages, as the caller wrote it, with control characters escaped.
#[must_use]
pub fn printable_path(path: &Path) -> String {
    printable(&path.display().to_string()).into_owned()
}

/// The path for messages, with control characters escaped: relative to the working folder if it is inside that folder.
#[must_use]
pub fn shown_path(path: &Path) -> String {
    let here = std::env::current_dir().and_then(fs::canonicalize).ok();
    let inside = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    let shown = inside.unwrap_or_else(|| path.to_owned()).display().to_string();
    printable(without_verbatim_prefix(&shown)).into_owned()
}

/// The path without the `\\?\` that Windows puts before resolved paths with a drive letter; few programs take paths
/// with it.
fn without_verbatim_prefix(path: &str) -> &str {
    let rest = path.strip_prefix(r"\\?\").unwrap_or(path);
    if rest.as_bytes().get(1) == Some(&b':') { rest } else { path }
}
