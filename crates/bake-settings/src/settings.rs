//! A settings file, checked, and what it says about a character.

use crate::error::SettingsError;
use crate::parse;
use bone_fit::{BakeOptions, JointOverride, Limits, OptionError, Overrides, matches, nearest};
use skeleton::Skeleton;
use std::collections::BTreeMap;
use std::ops::Range;

/// A settings file whose keys and values are all known ones. Whether its characters and joints are there is for
/// [`Settings::check_characters`] and [`Settings::check_joints`] to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub(crate) text: String,
    pub(crate) everyone: Section,
    /// In the order of the file.
    pub(crate) characters: Vec<CharacterSection>,
}

/// What is said about a character or about all.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Section {
    /// As words, in the order of the file.
    pub(crate) options: Vec<(String, String)>,
    pub(crate) limits: Limits,
    pub(crate) tags: Vec<(String, Vec<String>)>,
    pub(crate) sets: BTreeMap<String, Vec<String>>,
    /// In the order of the file.
    pub(crate) joints: Vec<JointSection>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CharacterSection {
    pub(crate) pattern: String,
    /// The bytes of the name.
    pub(crate) span: Range<usize>,
    pub(crate) section: Section,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointSection {
    pub(crate) name: String,
    /// The bytes of the name.
    pub(crate) span: Range<usize>,
    pub(crate) own: JointOverride,
    /// Where it is said.
    pub(crate) skip: Option<bool>,
}

/// What bears on one character.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ForCharacter {
    /// Of all its joints.
    pub options: BakeOptions,
    /// Of single joints.
    pub overrides: Overrides,
    /// What its bake must keep to.
    pub limits: Limits,
}

impl Settings {
    /// Reads and checks the text of a file.
    ///
    /// # Errors
    /// The first thing that is wrong, in the order of the file: no TOML, an unknown key or word with the nearest right
    /// one, a number out of range, a value of another kind, a set of tags that nobody has.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        parse::parse(text)
    }

    /// What bears on the character of that name, `words` over it.
    ///
    /// # Errors
    /// Where `words` are no options; those of the file are.
    pub fn of(&self, name: &str, words: &[(String, String)]) -> Result<ForCharacter, OptionError> {
        let mut layers: Vec<&[(String, String)]> = Vec::new();
        let (mut overrides, mut limits) = (Overrides::default(), Limits::default());
        for section in self.sections(name) {
            layers.push(&section.options);
            section.add_to(&mut overrides);
            limits = over(section.limits, limits);
        }
        layers.push(words);
        Ok(ForCharacter { options: layered(&layers)?, overrides, limits })
    }

    /// Everyone's section and those that match the name, in order.
    fn sections(&self, name: &str) -> impl Iterator<Item = &Section> {
        let own = self.characters.iter().filter(move |one| matches(&one.pattern, name));
        std::iter::once(&self.everyone).chain(own.map(|one| &one.section))
    }

    /// Whether there are sections of characters at all.
    #[must_use]
    pub fn names_characters(&self) -> bool {
        !self.characters.is_empty()
    }

    /// Whether each section of a character has one among `names`.
    ///
    /// # Errors
    /// The first that has none, with the nearest name.
    pub fn check_characters<'a>(&self, names: impl IntoIterator<Item = &'a str> + Clone) -> Result<(), SettingsError> {
        let missing = |one: &&CharacterSection| !names.clone().into_iter().any(|name| matches(&one.pattern, name));
        let Some(one) = self.characters.iter().find(missing) else { return Ok(()) };
        let hint = hint(&one.pattern, names);
        let problem = format!("there is no character {:?} in this folder or below{hint}", one.pattern);
        Err(SettingsError::at(&self.text, one.span.clone(), problem))
    }

    /// Whether the character of that name has all joints that its sections name.
    ///
    /// # Errors
    /// The first that is not there, with the nearest that is.
    pub fn check_joints(&self, name: &str, skeleton: &Skeleton) -> Result<(), SettingsError> {
        let mut joints = self.sections(name).flat_map(|section| &section.joints);
        let Some(one) = joints.find(|joint| skeleton.find(&joint.name).is_none()) else { return Ok(()) };
        let hint = hint(&one.name, skeleton.joints().iter().map(|joint| joint.name.as_str()));
        let everyone = self.everyone.joints.iter().any(|joint| joint.span == one.span);
        let cure = if everyone && hint.is_empty() {
            "; what holds for some characters only belongs under [characters.NAME]"
        } else {
            ""
        };
        let problem = format!("the character {name:?} has no joint {:?}{hint}{cure}", one.name);
        Err(SettingsError::at(&self.text, one.span.clone(), problem))
    }
}

impl Section {
    fn add_to(&self, overrides: &mut Overrides) {
        overrides.tags.extend_from_slice(&self.tags);
        overrides.sets.extend(self.sets.clone());
        for joint in &self.joints {
            let there = overrides.joints.entry(joint.name.clone()).or_default();
            there.options.extend(joint.own.options.clone());
            there.tags.extend_from_slice(&joint.own.tags);
            there.boxes.extend_from_slice(&joint.own.boxes);
            there.skip = joint.skip.unwrap_or(there.skip);
        }
    }
}

/// Options from words, later ones over earlier ones; a preset sets all anew.
fn layered(layers: &[&[(String, String)]]) -> Result<BakeOptions, OptionError> {
    let mut words: Vec<(&str, &str)> = Vec::new();
    for layer in layers {
        if layer.iter().any(|(key, _)| key == "preset") {
            words.clear();
        }
        words.extend(layer.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    }
    BakeOptions::from_entries(words)
}

fn over(inner: Limits, outer: Limits) -> Limits {
    Limits {
        least_surface_rest: inner.least_surface_rest.or(outer.least_surface_rest),
        least_surface_clips: inner.least_surface_clips.or(outer.least_surface_clips),
        most_escape: inner.most_escape.or(outer.most_escape),
        most_volume_ratio: inner.most_volume_ratio.or(outer.most_volume_ratio),
    }
}

/// `; did you mean ...?`, or nothing.
pub(crate) fn hint<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(typed, known).map(|name| format!("; did you mean {name:?}?")).unwrap_or_default()
}
