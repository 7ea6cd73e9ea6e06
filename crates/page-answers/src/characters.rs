//! What the answers need to know of the characters.

use asset_bake::{AssetSettings, CharacterFile, RequestedSettings};
use bone_fit::BakeOption;
use serde::Serialize;

/// The characters on the page, by number. A number always means the same character; later characters get later numbers.
///
/// Functions with a number `id` may panic if it is not below [`Characters::count`].
pub trait Characters {
    /// The number of characters.
    fn count(&self) -> usize;

    /// The name of the character's file, without folders.
    fn file(&self, id: usize) -> String;

    /// The character's name.
    fn name(&self, id: usize) -> String;

    /// The options with which the characters are baked unless a question has other options, and which settings file applies.
    fn requested(&self) -> &RequestedSettings;

    /// A text that changes when the character's own files change.
    fn state(&self, id: usize) -> String;

    /// Imports the character's file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or imported.
    fn open(&self, id: usize) -> anyhow::Result<CharacterFile>;

    /// The settings of an asset.
    ///
    /// # Errors
    /// Returns an error if the settings have a mistake.
    fn settings(&self, id: usize, requested: &RequestedSettings) -> anyhow::Result<AssetSettings>;

    /// The path of the settings file that applies to an asset, for people; `None` if there is none.
    fn settings_file(&self, id: usize) -> Option<String>;

    /// The numbers of the characters that share their hitboxes with a character with these settings, and with it, and the
    /// names of those that have no number.
    fn members(&self, settings: &AssetSettings) -> (Vec<usize>, Vec<String>);
}

/// The characters and options that a user can choose from.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Listing {
    /// The program and its version.
    tool: &'static str,
    characters: Vec<ListedCharacter>,
    options: Vec<ListedOption>,
    /// The address for a body tracker's packets; `None` if nothing listens.
    pub tracker: Option<String>,
    /// `true` if there are explained shots.
    pub has_shots: bool,
}

/// A character that a user can choose.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListedCharacter {
    /// The name of the file, without folders.
    file: String,
    name: String,
}

/// A bake option that a user can choose.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListedOption {
    key: &'static str,
    /// The values that the option takes, for people.
    values: String,
    /// What the option does, for people.
    text: String,
}

impl Listing {
    /// Lists the characters and all bake options, without a tracker and shots.
    #[must_use]
    pub fn new(characters: &impl Characters) -> Self {
        let character = |id| ListedCharacter { file: characters.file(id), name: characters.name(id) };
        let option = |row: &BakeOption| ListedOption { key: row.key, values: row.kind.values(), text: row.help() };
        Self {
            tool: asset_bake::GENERATOR,
            characters: (0..characters.count()).map(character).collect(),
            options: BakeOption::ALL.iter().map(option).collect(),
            tracker: None,
            has_shots: false,
        }
    }
}
