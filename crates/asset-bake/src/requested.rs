//! The options of a caller, and the choice of the settings files.

use crate::AssetError;
use crate::atomic_file::folder_of;
use crate::printable_path::shown_path;
use crate::settings_text::read_settings_text;
use bake_settings::Settings;
use bone_fit::{BakeOptions, OptionError};
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
    /// The settings files that apply.
    pub file: SettingsFileChoice,
}

/// The choice of the settings files that apply to an asset.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SettingsFileChoice {
    /// Every [`SETTINGS_FILE`] in the asset's folder and its parent folders, up to a file with `root = true` or the root of the
    /// checkout. Nearer files override farther ones.
    #[default]
    Nearest,
    /// Only the settings file with this path.
    Path(PathBuf),
    /// No settings file: every option has its default.
    None,
}

impl From<&BakeOptions> for RequestedSettings {
    /// Uses exactly these options, with the overrides and limits of the settings files.
    fn from(options: &BakeOptions) -> Self {
        Self { options: options.entries(), file: SettingsFileChoice::Nearest }
    }
}

impl RequestedSettings {
    /// The paths where a settings file for the asset exists or may appear, nearest first. All files that exist apply, up to the
    /// first one with `root = true`, so a program that watches the asset must watch all of these paths.
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

    /// Returns the request with an option, unless it has the option already.
    ///
    /// # Errors
    /// Returns the errors of [`RequestedSettings::with_options`].
    pub fn with_unless_set(&self, key: &str, value: &str) -> Result<Self, OptionError> {
        if self.options.iter().any(|(known, _)| known == key) {
            Ok(self.clone())
        } else {
            self.with_options(&[(key, value)])
        }
    }

    /// The nearest settings file of the asset, to which edits are written. A file that the caller named is the nearest one even
    /// if it does not exist, so that opening it gives an error.
    #[must_use]
    pub fn settings_file(&self, asset: &Path) -> Option<PathBuf> {
        self.existing_paths(asset).into_iter().next()
    }

    /// The settings files of the asset that exist, nearest first. Those above a file with `root = true` do not apply.
    pub(crate) fn existing_paths(&self, asset: &Path) -> Vec<PathBuf> {
        let exists = |file: &PathBuf| matches!(self.file, SettingsFileChoice::Path(_)) || file.is_file();
        self.settings_paths(asset).into_iter().filter(exists).collect()
    }

    /// Reads the settings files that apply to the asset, the outermost first. Edits need them: the last one is the nearest file,
    /// which is edited, and the others are those above. It is not checked that the characters of the files exist.
    ///
    /// # Errors
    /// Returns [`AssetError`] with file and line if a file cannot be read or has a mistake.
    pub fn read_files(&self, asset: &Path) -> Result<Vec<(PathBuf, Settings)>, AssetError> {
        let mut files = Vec::new();
        for path in self.existing_paths(asset) {
            let text = read_settings_text(&path)?;
            let mistake = |problem| AssetError::Settings { file: shown_path(&path), problem };
            let settings = Settings::parse_layer(&text).map_err(mistake)?;
            let is_root = settings.is_root();
            files.insert(0, (path, settings));
            if is_root {
                break;
            }
        }
        Ok(files)
    }
}

fn nearest_paths(asset: &Path) -> Vec<PathBuf> {
    let folder = folder_of(asset);
    // Resolves links and "..", so that the parent folders are those on the disk.
    let folder = fs::canonicalize(folder).or_else(|_| std::path::absolute(folder)).unwrap_or_else(|_| folder.into());
    let last = folder.ancestors().position(|folder| folder.join(".git").exists()).map_or(usize::MAX, |at| at + 1);
    folder.ancestors().take(last).map(|folder| folder.join(SETTINGS_FILE)).collect()
}
