//! Reads and checks one settings file.

use crate::AssetError;
use crate::atomic_file::folder_of;
use crate::find::{character_name, find_assets};
use crate::known_joints::KnownJoints;
use crate::motions::matching_files;
use crate::printable_path::shown_path;
use crate::settings_text::{read, read_settings_text};
use crate::target::BakeTarget;
use bake_settings::{CharacterSettings, MotionSettings, Settings, SettingsError};
use bone_fit::OptionError;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A settings file, and the files of parent folders that it adds to.
#[derive(Debug)]
pub(crate) struct SettingsFile {
    pub(crate) path: PathBuf,
    pub(crate) settings: Settings,
    /// The nearest file in a parent folder; `None` if there is none, or the file has `root = true`.
    above: Option<Arc<SettingsFile>>,
    /// The assets in the file's folder and subfolders, and the assets of the run that the file applies to.
    pub(crate) joints: KnownJoints,
}

/// The patterns of all `motions` in a settings file, for programs that watch files.
#[derive(Clone, Debug, Default)]
pub struct MotionPatterns {
    folder: PathBuf,
    motions: Vec<MotionSettings>,
}

impl MotionPatterns {
    /// Reads the patterns of a settings file. A file that does not exist or has a mistake has none.
    #[must_use]
    pub fn of_settings_file(path: &Path) -> Self {
        let settings = read(path).ok().and_then(|text| Settings::parse(&text).ok());
        let motions = settings.map(|settings| settings.all_motions().cloned().collect()).unwrap_or_default();
        Self { folder: folder_of(path).to_owned(), motions }
    }

    /// The files that the patterns find now, sorted and without repeats.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        // Each pattern alone, because one that finds nothing must not hide the others.
        let each = self.motions.iter().flat_map(|motion| &motion.files);
        let alone = each.map(|path| MotionSettings { files: vec![path.clone()], ..MotionSettings::default() });
        let found = alone.filter_map(|one| matching_files(&self.folder, &one, Path::new("")).ok()).flatten();
        let mut paths: Vec<PathBuf> = found.map(|path| self.folder.join(path)).collect();
        paths.sort();
        paths.dedup();
        paths
    }

    /// The folders in which the patterns look for files, and the paths that they name without wildcards, whether they exist
    /// or not.
    #[must_use]
    pub fn places(&self) -> Vec<PathBuf> {
        let names = self.motions.iter().flat_map(|motion| &motion.files);
        let is_pattern = |name: &&str| name.contains(['*', '?']);
        names
            .map(|path| self.folder.join(path.split('/').take_while(|name| !is_pattern(name)).collect::<PathBuf>()))
            .collect()
    }
}

impl SettingsFile {
    /// Reads a file. `above` opens the nearest file in a parent folder; it is not called if the file has `root = true`. `assets` are
    /// assets of the run that the file applies to.
    pub(crate) fn open(
        path: &Path,
        assets: Vec<PathBuf>,
        above: impl FnOnce() -> Result<Option<Arc<Self>>, AssetError>,
    ) -> Result<Self, AssetError> {
        let file = shown_path(path);
        let text = read_settings_text(path)?;
        let mistake = |problem| AssetError::Settings { file: file.clone(), problem };
        let settings = Settings::parse_layer(&text).map_err(mistake)?;
        let above = if settings.is_root() { None } else { above()? };
        let files_above = above.iter().flat_map(|file| file.files()).map(|file| &file.settings);
        settings.check_sets(&files_above.collect::<Vec<_>>()).map_err(mistake)?;
        if settings.has_character_sections() {
            let found = find_assets(&[folder_of(path).to_owned()])?;
            let mut names: Vec<String> = found.iter().map(|asset| character_name(asset)).collect();
            if settings.check_characters(names.iter().map(String::as_str)).is_err() {
                // A section may be for one of several characters in a file. Most files are not opened to find out.
                names.extend(found.iter().flat_map(|asset| BakeTarget::each(asset)).map(|target| target.name));
                settings.check_characters(names.iter().map(String::as_str)).map_err(mistake)?;
            }
        }
        let joints = KnownJoints::of_assets(assets).below(folder_of(path));
        Ok(Self { path: path.to_owned(), settings, above, joints })
    }

    /// The files that apply where this file is the nearest one: the outermost first, and this file last.
    pub(crate) fn files(&self) -> Vec<&Self> {
        let mut files = self.above.as_ref().map(|above| above.files()).unwrap_or_default();
        files.push(self);
        files
    }

    /// The settings that a character with this name has where this file is the nearest one.
    pub(crate) fn for_character(
        &self,
        name: &str,
        options: &[(String, String)],
    ) -> Result<CharacterSettings, OptionError> {
        let files: Vec<&Settings> = self.files().into_iter().map(|file| &file.settings).collect();
        Settings::for_character_in(&files, name, options)
    }

    pub(crate) fn folder(&self) -> &Path {
        folder_of(&self.path)
    }

    /// The files that `motions` name.
    pub(crate) fn motion_files(&self) -> Vec<PathBuf> {
        let motions = self.settings.all_motions().cloned().collect();
        MotionPatterns { folder: self.folder().to_owned(), motions }.files()
    }

    pub(crate) fn mistake(&self, problem: SettingsError) -> AssetError {
        AssetError::Settings { file: shown_path(&self.path), problem }
    }
}
