//! A settings file, checked, and what applies to a character.

use crate::error::SettingsError;
use crate::reader;
use crate::sections::{CharacterSection, JointSection, Section};
use bone_fit::{BakeOptions, Limits, OptionError, Overrides, did_you_mean, nearest_name};
use skeleton::Skeleton;

/// A settings file in which all keys and values are valid. Whether its characters and joints exist is checked by
/// [`Settings::check_characters`] and [`Settings::check_joints`].
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    text: String,
    everyone: Section,
    /// In the order of the file.
    characters: Vec<CharacterSection>,
}

/// What applies to one character.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CharacterSettings {
    /// Options of all its joints.
    pub options: BakeOptions,
    /// Settings of single joints.
    pub overrides: Overrides,
    /// Thresholds that fail its bake.
    pub limits: Limits,
}

impl Settings {
    /// Reads and checks the text of a file.
    ///
    /// # Errors
    /// The first mistake in the order of the file: no TOML, an unknown key or word with the nearest right one, a number
    /// out of range, a value of another kind, a set of tags that no joint has.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let (everyone, characters) = reader::read(text)?;
        Ok(Self { text: text.to_owned(), everyone, characters })
    }

    /// What applies to the character with this name. `words` (keys and texts of options) override the file.
    ///
    /// # Errors
    /// Where `words` are no options; those of the file are.
    pub fn for_character(&self, name: &str, words: &[(String, String)]) -> Result<CharacterSettings, OptionError> {
        let mut layers: Vec<Vec<(&str, &str)>> = Vec::new();
        let (mut overrides, mut limits) = (Overrides::default(), Limits::default());
        for section in self.sections(name) {
            layers.push(section.options.iter().map(|option| (option.key.as_str(), option.value.as_str())).collect());
            section.add_to(&mut overrides);
            limits = section.limits.over(&limits);
        }
        layers.push(words.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect());
        Ok(CharacterSettings { options: layered(layers)?, overrides, limits })
    }

    /// Everyone's section and those that match the name, in the order of the file.
    fn sections(&self, name: &str) -> impl Iterator<Item = &Section> {
        let own = self.characters.iter().filter(move |one| one.pattern.matches(name));
        std::iter::once(&self.everyone).chain(own.map(|one| &one.section))
    }

    /// Whether the file has sections of characters.
    #[must_use]
    pub fn has_character_sections(&self) -> bool {
        !self.characters.is_empty()
    }

    /// Checks that each section of a character matches one of `names`.
    ///
    /// # Errors
    /// The first section that matches no name, with the nearest name.
    pub fn check_characters<'a>(&self, names: impl IntoIterator<Item = &'a str> + Clone) -> Result<(), SettingsError> {
        let missing = |one: &&CharacterSection| !names.clone().into_iter().any(|name| one.pattern.matches(name));
        let Some(one) = self.characters.iter().find(missing) else { return Ok(()) };
        let hint = did_you_mean(nearest_name(one.pattern.as_str(), names));
        let problem = format!("there is no character {:?} in this folder or below{hint}", one.pattern.as_str());
        Err(SettingsError::at(&self.text, one.span.clone(), problem))
    }

    /// Checks that the character with this name has all joints that its sections name.
    ///
    /// # Errors
    /// The first joint that does not exist, with the nearest that does.
    pub fn check_joints(&self, name: &str, skeleton: &Skeleton) -> Result<(), SettingsError> {
        let missing = |joint: &&JointSection| skeleton.find(&joint.name).is_none();
        let Some(one) = self.sections(name).flat_map(|section| &section.joints).find(missing) else { return Ok(()) };
        let nearest = nearest_name(&one.name, skeleton.joints().iter().map(|joint| joint.name.as_str()));
        let is_everyones = self.everyone.joints.iter().any(|joint| joint.span == one.span);
        let cure = match nearest {
            None if is_everyones => "; move settings of some characters only to [characters.NAME.joints.JOINT]".into(),
            nearest => did_you_mean(nearest),
        };
        let problem = format!("the character {name:?} has no joint {:?}{cure}", one.name);
        Err(SettingsError::at(&self.text, one.span.clone(), problem))
    }
}

/// Options from layers of keys and texts, later layers over earlier ones. A preset replaces all options of earlier layers.
fn layered(layers: Vec<Vec<(&str, &str)>>) -> Result<BakeOptions, OptionError> {
    let mut words: Vec<(&str, &str)> = Vec::new();
    for layer in layers {
        if layer.iter().any(|(key, _)| *key == "preset") {
            words.clear();
        }
        words.extend(layer);
    }
    BakeOptions::from_entries(words)
}
