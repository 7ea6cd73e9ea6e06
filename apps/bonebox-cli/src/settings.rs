//! Which `bonebox.toml` bears on an asset, and what it says about its bake.
//!
//! One file bears on an asset: the `bonebox.toml` in its folder, else the one in the nearest folder above, up to the
//! first folder that holds `.git`. It does not depend on how the asset's path was typed or where the program runs.

use crate::source;
use anyhow::Context as _;
use bake_settings::{ForCharacter, Settings};
use baked_format::{BakedCharacter, Source};
use bone_fit::{Bake, BakeError, BakeOptions, Limits, OptionError, PresetFigures};
use skeleton::Skeleton;
use skinned_model::SkinnedModel;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of a settings file.
pub const FILE: &str = "bonebox.toml";

/// The key in [`BakedCharacter::options`] of the hash of what was said about single joints and tags.
const OVERRIDES: &str = "overrides";

/// How assets are to be baked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// Options, as words; they beat those of the file, and a preset among them sets all anew.
    pub words: Vec<(String, String)>,
    /// Where settings are.
    pub settings: Place,
}

/// Where settings are.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Place {
    /// In the [`FILE`] that bears on the asset, if there is one.
    #[default]
    Nearest,
    /// In this file.
    In(PathBuf),
    /// Nowhere.
    Nowhere,
}

impl From<&BakeOptions> for Asked {
    /// Exactly these options, with the overrides and limits of the file that bears on the asset.
    fn from(options: &BakeOptions) -> Self {
        Self { words: options.entries(), settings: Place::Nearest }
    }
}

impl Asked {
    /// The paths at which a file that bears on the asset is or may appear, nearest first. Whoever watches the asset
    /// watches these too: the first that exists bears on it.
    #[must_use]
    pub fn settings_files(&self, asset: &Path) -> Vec<PathBuf> {
        match &self.settings {
            Place::Nearest => nearest_files(asset),
            Place::In(file) => vec![file.clone()],
            Place::Nowhere => Vec::new(),
        }
    }

    /// The same with other words over these; a preset among those sets all anew.
    ///
    /// # Errors
    /// Where those are no options.
    pub fn with(&self, words: &[(&str, &str)]) -> Result<Self, OptionError> {
        BakeOptions::from_entries(words.iter().copied())?;
        let anew = words.iter().any(|(key, _)| *key == "preset");
        let mut all = if anew { Vec::new() } else { self.words.clone() };
        all.extend(words.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
        Ok(Self { words: all, settings: self.settings.clone() })
    }

    /// How one asset is to be baked. For many, [`Plans`] reads each file once.
    ///
    /// # Errors
    /// As [`Plans::new`].
    pub fn plan(&self, asset: &Path) -> anyhow::Result<Plan> {
        Plans::new(self, [asset])?.of(asset)
    }

    fn settings_file(&self, asset: &Path) -> Option<PathBuf> {
        let exists = |file: &PathBuf| matches!(self.settings, Place::In(_)) || file.is_file();
        self.settings_files(asset).into_iter().find(exists)
    }
}

fn nearest_files(asset: &Path) -> Vec<PathBuf> {
    let folder = crate::output::folder_of(asset);
    // Through links and "..": the folders above are those on the disk.
    let folder = fs::canonicalize(folder).or_else(|_| std::path::absolute(folder)).unwrap_or_else(|_| folder.into());
    let last = folder.ancestors().position(|folder| folder.join(".git").exists()).map_or(usize::MAX, |at| at + 1);
    folder.ancestors().take(last).map(|folder| folder.join(FILE)).collect()
}

/// Settings files, read and checked.
#[derive(Debug)]
pub struct Plans<'a> {
    asked: &'a Asked,
    files: BTreeMap<PathBuf, Arc<SettingsFile>>,
}

#[derive(Debug)]
struct SettingsFile {
    path: PathBuf,
    settings: Settings,
}

impl<'a> Plans<'a> {
    /// Reads all files that bear on these assets.
    ///
    /// # Errors
    /// The first file that cannot be read, is wrong, or names a character that is not there, with file and line.
    pub fn new(asked: &'a Asked, assets: impl IntoIterator<Item = impl AsRef<Path>>) -> anyhow::Result<Self> {
        let mut files = BTreeMap::new();
        for file in assets.into_iter().filter_map(|asset| asked.settings_file(asset.as_ref())) {
            if !files.contains_key(&file) {
                files.insert(file.clone(), Arc::new(SettingsFile::open(&file)?));
            }
        }
        Ok(Self { asked, files })
    }

    /// How one of these assets is to be baked.
    ///
    /// # Errors
    /// Where the words that were asked for are no options.
    pub fn of(&self, asset: &Path) -> anyhow::Result<Plan> {
        let name = source::name_of(asset);
        let file = self.asked.settings_file(asset).and_then(|file| self.files.get(&file)).cloned();
        let of_character = match &file {
            Some(file) => file.settings.of(&name, &self.asked.words)?,
            None => {
                let words = self.asked.words.iter().map(|(key, value)| (key.as_str(), value.as_str()));
                ForCharacter { options: BakeOptions::from_entries(words)?, ..ForCharacter::default() }
            }
        };
        Ok(Plan { name, of_character, file })
    }
}

impl SettingsFile {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let shown = shown(path);
        let text = read(path).with_context(|| format!("cannot read {shown}"))?;
        let about = |error| anyhow::anyhow!("{shown}:{error}");
        let settings = Settings::parse(&text).map_err(about)?;
        if settings.names_characters() {
            let assets = source::find(&[crate::output::folder_of(path).to_owned()])?;
            let names: Vec<String> = assets.iter().map(|asset| source::name_of(asset)).collect();
            settings.check_characters(names.iter().map(String::as_str)).map_err(about)?;
        }
        Ok(Self { path: path.to_owned(), settings })
    }
}

/// No more than is parsed, and a byte: too long a file is an error of the parser's.
fn read(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(bake_settings::MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        anyhow::anyhow!("line {} is not UTF-8; save the file in that encoding", line + 1)
    })
}

/// Without the folder that the program runs in.
pub(crate) fn shown(path: &Path) -> String {
    let here = std::env::current_dir().and_then(fs::canonicalize).ok();
    let inside = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    inside.unwrap_or_else(|| path.to_owned()).display().to_string()
}

/// How one asset is to be baked.
#[derive(Clone, Debug)]
pub struct Plan {
    name: String,
    of_character: ForCharacter,
    file: Option<Arc<SettingsFile>>,
}

impl Plan {
    /// Bakes the asset's model.
    ///
    /// # Errors
    /// A joint of the settings that the character does not have, with file and line; [`BakeError`].
    pub fn bake(&self, model: &SkinnedModel, source: Source) -> anyhow::Result<Bake> {
        self.check_joints(model)?;
        let ForCharacter { options, overrides, .. } = &self.of_character;
        let mut bake = bone_fit::bake_with(model, &self.name, source, options, overrides)?;
        bake.character.options = self.record(&bake.character.skeleton)?;
        Ok(bake)
    }

    /// What each preset would give, with the overrides as they are.
    ///
    /// # Errors
    /// As [`Plan::bake`].
    pub fn compare(&self, model: &SkinnedModel) -> anyhow::Result<Vec<PresetFigures>> {
        self.check_joints(model)?;
        let ForCharacter { options, overrides, .. } = &self.of_character;
        Ok(bone_fit::compare_presets(model, options, overrides)?)
    }

    fn check_joints(&self, model: &SkinnedModel) -> anyhow::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let checked = file.settings.check_joints(&self.name, &model.skeleton);
        checked.map_err(|error| anyhow::anyhow!("{}:{error}", shown(&file.path)))
    }

    /// Whether a bake was made with these settings, as far as they bear on it.
    #[must_use]
    pub fn made(&self, character: &BakedCharacter) -> bool {
        self.record(&character.skeleton).is_ok_and(|record| record == character.options)
    }

    /// Of the whole character.
    #[must_use]
    pub fn options(&self) -> &BakeOptions {
        &self.of_character.options
    }

    /// What the bake must keep to.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.of_character.limits
    }

    /// What a file says about its making: options, and a hash of what else bore on it.
    fn record(&self, skeleton: &Skeleton) -> Result<Vec<(String, String)>, BakeError> {
        let ForCharacter { options, overrides, .. } = &self.of_character;
        let (mut record, said) = (options.entries(), overrides.record(skeleton, options)?);
        if !said.is_empty() {
            record.push((OVERRIDES.into(), blake3::hash(said.as_bytes()).to_hex()[..32].to_owned()));
            record.sort();
        }
        Ok(record)
    }
}
