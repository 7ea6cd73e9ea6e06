//! A checked settings file, and the settings of one character.

use crate::clip_entry::{ClipEntry, EntryPlace};
use crate::error::SettingsError;
use crate::init::Character;
use crate::motion_settings::MotionSettings;
use crate::patterns;
use crate::reader;
use crate::sections::{
    CharacterSection, JointSection, OptionEntry, PatternOf, Section, Sections, SetTag, SharedEntry, Span,
};
use bone_fit::{
    AttackError, BakeOption, BakeOptions, Limits, MAY_BE_MISSING, OptionError, OptionKind, Overrides, did_you_mean,
    nearest_name,
};
use skeleton::humanoid::{HumanBone, HumanoidError};
use skeleton::{NamePattern, Skeleton};
use std::collections::BTreeSet;

/// A settings file in which all keys and values are valid. [`Settings::check_characters`] and
/// [`Settings::check_joints`] check whether its characters and joints exist.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub(crate) text: String,
    everyone: Section,
    /// The sections of characters, in the order of the file.
    characters: Vec<CharacterSection>,
    /// The sets of shared hitboxes, in the order of the file.
    pub(crate) shared: Vec<SharedEntry>,
    is_root: bool,
    set_tags: Vec<SetTag>,
}

/// The settings of one character.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CharacterSettings {
    /// The options of all its joints.
    pub options: BakeOptions,
    /// The settings of single joints.
    pub overrides: Overrides,
    /// The limits of its bake. A bake that breaks a limit fails.
    pub limits: Limits,
    /// The clips from other files.
    pub motions: Vec<MotionSettings>,
    /// `true` if each of several characters in its asset is baked to a file of its own, `false` if they are baked as one
    /// character; `None` if the file does not say.
    pub split: Option<bool>,
}

impl Settings {
    /// Reads and checks the text of a file.
    ///
    /// # Errors
    /// Returns an error for the first mistake in the order of the file: invalid TOML, an unknown key or word (the
    /// message names the nearest correct one), a number out of range, a value of the wrong kind, or a set with a tag
    /// that no joint has.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let settings = Self::parse_layer(text)?;
        settings.check_sets(&[])?;
        Ok(settings)
    }

    /// Reads and checks the text of a file that may add to files of parent folders. It checks everything but the tags in sets,
    /// which may be tags of other files; call [`Settings::check_sets`] when these are known.
    ///
    /// # Errors
    /// Returns the errors of [`Settings::parse`], without those about sets.
    pub fn parse_layer(text: &str) -> Result<Self, SettingsError> {
        let Sections { everyone, characters, shared, is_root, set_tags } = reader::read(text)?;
        Ok(Self { text: text.to_owned(), everyone, characters, shared, is_root, set_tags })
    }

    /// Returns true if the file has `root = true`: the files of parent folders do not apply.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.is_root
    }

    /// Checks that this file, or one of the files of parent folders that it adds to, gives each tag of a set to a joint or a box.
    ///
    /// # Errors
    /// Returns an error for the first tag that no joint or box has. The message suggests the nearest tag.
    pub fn check_sets(&self, above: &[&Self]) -> Result<(), SettingsError> {
        let sections = || above.iter().copied().chain([self]).flat_map(Self::all_sections);
        let mut given: BTreeSet<&str> = sections().flat_map(Section::given_tags).collect();
        if sections().flat_map(|section| &section.options).any(|option| option.key == "parts") {
            given.extend(bone_fit::part_tags());
            given.extend(bone_fit::animal_tags());
        }
        let Some(SetTag { set, tag, span }) = self.set_tags.iter().find(|one| !given.contains(one.tag.as_str())) else {
            return Ok(());
        };
        let problem = if set == "preset" || BakeOption::find(set).is_some() {
            format!("{set:?} is an option, but it is in [sets]; move its line above the first section")
        } else {
            let hint = did_you_mean(nearest_name(tag, given.iter().copied()));
            let files = if above.is_empty() { "this file" } else { "this file or of one above it" };
            format!("no joint or box of {files} has the tag {tag:?}{hint}")
        };
        Err(SettingsError::at(&self.text, span.clone(), problem))
    }

    /// Returns the settings of the character with this name. `entries` (keys and values of options) override the file.
    ///
    /// # Errors
    /// Returns [`OptionError`] if `entries` contains an unknown option or value. The options of the file are valid.
    pub fn for_character(&self, name: &str, entries: &[(String, String)]) -> Result<CharacterSettings, OptionError> {
        Self::for_character_in(&[self], name, entries)
    }

    /// Returns the settings that several files give the character with this name. The files are in the order in which they apply:
    /// the outermost first, and the nearest last. Every section of a nearer file overrides every section of a farther one.
    ///
    /// # Errors
    /// Returns the errors of [`Settings::for_character`].
    pub fn for_character_in(
        files: &[&Self],
        name: &str,
        entries: &[(String, String)],
    ) -> Result<CharacterSettings, OptionError> {
        let mut layers: Vec<Vec<(&str, &str)>> = Vec::new();
        let (mut overrides, mut limits) = (Overrides::default(), Limits::default());
        let (mut motions, mut split) = (Vec::new(), None);
        for section in files.iter().flat_map(|file| file.sections(name)) {
            layers.push(section.options.iter().map(|option| (option.key.as_str(), option.value.as_str())).collect());
            section.add_to(&mut overrides);
            limits = section.limits.over(&limits);
            if let Some(entries) = &section.motions {
                motions = entries.iter().map(|entry| entry.settings.clone()).collect();
            }
            split = section.split.or(split);
        }
        layers.push(entries.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect());
        Ok(CharacterSettings { options: layered(layers)?, overrides, limits, motions, split })
    }

    /// The section for all characters, and those of characters, in the order of the file.
    fn all_sections(&self) -> impl Iterator<Item = &Section> {
        std::iter::once(&self.everyone).chain(self.characters.iter().map(|one| &one.section))
    }

    /// The section for all characters, and the sections whose name matches, in the order of the file.
    fn sections(&self, name: &str) -> impl Iterator<Item = &Section> {
        let own = self.characters.iter().filter(move |one| one.pattern.matches(name));
        std::iter::once(&self.everyone).chain(own.map(|one| &one.section))
    }

    /// The pattern of the last section that overrides a key of the character's own section: it stands below that
    /// section, matches the character, and sets the same key for the character, or for the joint if there is one.
    pub(crate) fn overriding(&self, character: &str, joint: Option<&str>, key: &str) -> Option<&str> {
        let own = self.characters.iter().position(|one| one.pattern.as_str() == character)?;
        let overrides = |one: &&CharacterSection| one.pattern.matches(character) && one.section.sets(joint, key);
        self.characters[own + 1..].iter().rfind(overrides).map(|one| one.pattern.as_str())
    }

    /// The name of a section with manual boxes of a joint of the character that is not the character's own section.
    pub(crate) fn other_section_with_boxes(&self, character: &str, joint: &str) -> Option<String> {
        let has_boxes =
            |section: &Section| section.joints.iter().any(|one| one.name == joint && !one.own.boxes.is_empty());
        let is_other = |one: &&CharacterSection| {
            one.pattern.as_str() != character && one.pattern.matches(character) && has_boxes(&one.section)
        };
        if has_boxes(&self.everyone) {
            return Some(format!("joints.{joint:?}"));
        }
        let other = self.characters.iter().find(is_other)?;
        Some(format!("characters.{:?}.joints.{joint:?}", other.pattern.as_str()))
    }

    /// The name of a section with manual boxes of a joint of the character.
    pub(crate) fn section_with_boxes(&self, character: &str, joint: &str) -> Option<String> {
        let has_boxes = |one: &&CharacterSection| {
            one.section.joints.iter().any(|one| one.name == joint && !one.own.boxes.is_empty())
        };
        let own = || self.characters.iter().filter(|one| one.pattern.as_str() == character).find(has_boxes);
        self.other_section_with_boxes(character, joint)
            .or_else(|| own().map(|_| format!("characters.{character:?}.joints.{joint:?}")))
    }

    /// The name of the last section that says whether the joint of the character is skipped, and what it says. `None` if no
    /// section does.
    pub(crate) fn section_about_skip(&self, character: &str, joint: &str) -> Option<(String, bool)> {
        let everyone = std::iter::once((String::new(), &self.everyone));
        let matching = self.characters.iter().filter(|one| one.pattern.matches(character));
        let own = matching.map(|one| (format!("characters.{:?}.", one.pattern.as_str()), &one.section));
        let skip = |section: &Section| section.joints.iter().rev().find(|one| one.name == joint)?.skip;
        let (of, skipped) = everyone.chain(own).filter_map(|(of, section)| Some((of, skip(section)?))).next_back()?;
        Some((format!("{of}joints.{joint:?}"), skipped))
    }

    /// Returns true if the file has sections for single characters.
    #[must_use]
    pub fn has_character_sections(&self) -> bool {
        !self.characters.is_empty()
    }

    /// Checks that each section of a character matches one of `names`.
    ///
    /// # Errors
    /// Returns an error for the first section that matches no name. The message suggests the nearest name.
    pub fn check_characters<'a>(&self, names: impl IntoIterator<Item = &'a str> + Clone) -> Result<(), SettingsError> {
        let missing = |one: &&CharacterSection| !names.clone().into_iter().any(|name| one.pattern.matches(name));
        let Some(one) = self.characters.iter().find(missing) else { return Ok(()) };
        let cure = match nearest_name(one.pattern.as_str(), names) {
            None => "; correct the name, or delete the section if its character is in another folder".into(),
            nearest => did_you_mean(nearest),
        };
        let problem =
            format!("there is no character {:?} in this folder or its subfolders{cure}", one.pattern.as_str());
        Err(SettingsError::at(&self.text, one.span.clone(), problem))
    }

    /// Checks that the character with this name has all joints that its sections name.
    ///
    /// # Errors
    /// Returns an error for the first joint that does not exist. The message suggests the nearest joint.
    pub fn check_joints(&self, name: &str, skeleton: &Skeleton) -> Result<(), SettingsError> {
        let missing = |joint: &&JointSection| skeleton.find(&joint.name).is_none();
        let Some(one) = self.sections(name).flat_map(|section| &section.joints).find(missing) else { return Ok(()) };
        let nearest = nearest_name(&one.name, skeleton.joints().iter().map(|joint| joint.name.as_str()));
        let is_everyones = self.everyone.joints.iter().any(|joint| joint.span == one.span);
        let cure = match nearest {
            None if is_everyones => {
                "; `bonebox inspect` lists its joints; if only some characters have this joint, write \
                [characters.NAME.joints.JOINT]"
                    .into()
            }
            None => "; `bonebox inspect` lists its joints".into(),
            nearest => did_you_mean(nearest),
        };
        let problem = format!("the character {name:?} has no joint {:?}{cure}", one.name);
        Err(SettingsError::at(&self.text, one.span.clone(), problem))
    }

    /// Returns true if a pattern that applies to this character matches none of its joints. If so, call
    /// [`Settings::check_patterns`] with all characters of the file.
    #[must_use]
    pub fn has_unmatched_patterns(&self, character: &Character) -> bool {
        self.sections(&character.name).any(|section| patterns::first_unmatched(section, &[character]).is_some())
    }

    /// Checks that each pattern for joint names matches a joint of at least one character that its section applies to.
    /// `characters` are all characters in the file's folder and its subfolders.
    ///
    /// # Errors
    /// Returns an error for the first pattern that matches no joint. The message lists the nearest joint names.
    pub fn check_patterns(&self, characters: &[Character]) -> Result<(), SettingsError> {
        let everyone: Vec<&Character> = characters.iter().collect();
        let own = self.characters.iter().map(|one| {
            let its = characters.iter().filter(|character| one.pattern.matches(&character.name)).collect();
            (&one.section, its)
        });
        for (section, characters) in std::iter::once((&self.everyone, everyone)).chain(own) {
            if characters.is_empty() {
                continue;
            }
            if let Some(place) = patterns::first_unmatched(section, &characters) {
                let problem = patterns::problem_of(&place.pattern, place.of, &characters);
                return Err(SettingsError::at(&self.text, place.span.clone(), problem));
            }
        }
        Ok(())
    }

    /// The error for a character that cannot have the humanoid of the files, with its place, and the index of the file. The files
    /// are in the order of [`Settings::for_character_in`], and there is at least one.
    #[must_use]
    pub fn humanoid_mistake(files: &[&Self], character: &str, error: &HumanoidError) -> (usize, SettingsError) {
        let sections = || {
            let numbered = files.iter().enumerate();
            numbered.flat_map(|(index, file)| {
                file.sections(character).filter_map(move |section| Some((index, section.humanoid.as_ref()?)))
            })
        };
        let entry = |bone: HumanBone| {
            let entries = sections().flat_map(|(index, humanoid)| humanoid.bones.iter().map(move |one| (index, one)));
            entries.filter(|(_, entry)| entry.bone == bone).last().map(|(index, entry)| (index, entry.span.clone()))
        };
        let own = match *error {
            HumanoidError::UnknownJoint { bone, .. } => entry(bone),
            HumanoidError::SharedJoint { first, second, .. } => entry(second).or_else(|| entry(first)),
            _ => None,
        };
        let last = || sections().last().map(|(index, humanoid)| (index, humanoid.span.clone()));
        let (index, span) = own.or_else(last).unwrap_or((files.len() - 1, 0..0));
        let is_everyones = sections().count() == 1 && files[index].everyone.humanoid.is_some();
        let cure = match is_everyones {
            true => format!("; move bones of some characters only to [characters.{character:?}.humanoid]"),
            false => String::new(),
        };
        (index, SettingsError::at(&files[index].text, span, format!("the character {character:?}: {error}{cure}")))
    }

    /// The error for an attack or a state that does not fit a character, with its place in the file. `None` if the file
    /// has no such entry.
    #[must_use]
    pub fn attack_mistake(&self, character: &str, error: &AttackError) -> Option<SettingsError> {
        let is_wrong = |(clip, entry, _): &(&str, String, &Span)| *clip == error.clip && *entry == error.entry;
        let span = self.sections(character).flat_map(Section::clip_entries).filter(is_wrong).last()?.2;
        let cure = match self.everyone.clip_entries().any(|(.., one)| one == span) {
            true => format!("; what only some characters have belongs to [characters.{character:?}.clips]"),
            false => String::new(),
        };
        Some(SettingsError::at(&self.text, span.clone(), format!("the character {character:?}: {error}{cure}")))
    }

    /// The section that has an attack or a state of the character, and its number among those of the same clip and section.
    /// The section is the pattern of its characters, or `None` for the section of all characters. Of several attacks with
    /// the same name, the last one counts, as in a bake.
    pub(crate) fn place_of_entry(&self, character: &str, clip: &str, entry: ClipEntry<'_>) -> Option<EntryPlace<'_>> {
        let everyone = std::iter::once((None, &self.everyone));
        let own = self.characters.iter().filter(|one| one.pattern.matches(character));
        let sections = everyone.chain(own.map(|one| (Some(one.pattern.as_str()), &one.section)));
        match entry {
            ClipEntry::Attack(name) => {
                let mut found = sections.filter_map(|(pattern, section)| {
                    let of_clip = section.attacks.iter().map(|one| &one.settings).filter(|one| one.clip == clip);
                    let (index, one) = of_clip.enumerate().find(|(_, one)| one.name == name)?;
                    Some(EntryPlace { pattern, index, active: &one.active })
                });
                found.next_back()
            }
            ClipEntry::State(number) => {
                let mut all = sections.flat_map(|(pattern, section)| {
                    let of_clip = section.states.iter().map(|one| &one.settings).filter(|one| one.clip == clip);
                    of_clip.enumerate().map(move |(index, one)| EntryPlace { pattern, index, active: &one.active })
                });
                all.nth(number)
            }
        }
    }

    /// The error for an entry of `motions` that a character cannot use, with its place in the file. `entry` is an index into
    /// [`CharacterSettings::motions`].
    #[must_use]
    pub fn motion_mistake(&self, character: &str, entry: usize, problem: &str) -> SettingsError {
        let entries = self.sections(character).filter_map(|section| section.motions.as_ref()).last();
        let span = entries.and_then(|entries| Some(entries.get(entry)?.span.clone())).unwrap_or_default();
        SettingsError::at(&self.text, span, format!("the character {character:?}: {problem}"))
    }

    /// All entries of `motions` in the file, of all characters.
    pub fn all_motions(&self) -> impl Iterator<Item = &MotionSettings> {
        self.all_sections().filter_map(|section| section.motions.as_ref()).flatten().map(|entry| &entry.settings)
    }

    /// Returns true if the file sets the motions of this character.
    #[must_use]
    pub fn sets_motions(&self, character: &str) -> bool {
        self.sections(character).any(|section| section.motions.is_some())
    }

    /// The lines, counted from 1, of the manual boxes of a character's joint.
    #[must_use]
    pub fn lines_of_boxes(&self, character: &str, joint: &str) -> Vec<usize> {
        let joints = self.sections(character).flat_map(|section| &section.joints).filter(|one| one.name == joint);
        joints.flat_map(|one| &one.box_spans).map(|span| self.line_of(span)).collect()
    }

    /// The line, counted from 1, that sets an option for a character, or for one of its joints. `None` if the file does
    /// not set the option.
    #[must_use]
    pub fn line_of_option(&self, character: &str, joint: Option<&str>, key: &str) -> Option<usize> {
        self.place_of_option(character, joint, key).map(|span| self.line_of(span))
    }

    /// The line, counted from 1, that sets a limit for a character. `None` if the file does not set the limit.
    #[must_use]
    pub fn line_of_limit(&self, character: &str, key: &str) -> Option<usize> {
        let spans = self.sections(character).filter_map(|section| section.limit_spans.get(key));
        spans.last().map(|span| self.line_of(span))
    }

    /// The error for an option of a character, or of one of its joints, with the place in the file that sets the
    /// option. `None` if the file does not set the option.
    #[must_use]
    pub fn option_mistake(
        &self,
        character: &str,
        joint: Option<&str>,
        key: &str,
        problem: &str,
    ) -> Option<SettingsError> {
        let span = self.place_of_option(character, joint, key)?;
        Some(SettingsError::at(&self.text, span.clone(), format!("the character {character:?}: {problem}")))
    }

    fn place_of_option(&self, character: &str, joint: Option<&str>, key: &str) -> Option<&Span> {
        let sections: Vec<&Section> = self.sections(character).collect();
        let entries: Vec<&OptionEntry> = match joint {
            None => sections.iter().flat_map(|section| &section.options).collect(),
            Some(joint) => {
                let joints = sections.iter().flat_map(|section| &section.joints).filter(|one| one.name == joint);
                joints.flat_map(|one| &one.options).collect()
            }
        };
        entries.into_iter().rev().find(|entry| entry.key == key).map(|entry| &entry.span)
    }

    fn line_of(&self, span: &Span) -> usize {
        SettingsError::at(&self.text, span.clone(), "").line
    }
}

/// Checks that the patterns of the command line (`include`, `exclude`, `merge`, `ignore` in `entries`) match a name of at least
/// one of the characters to bake.
///
/// # Errors
/// Returns a message about the first pattern that matches no joint, with the nearest joint names.
pub fn check_patterns_of_entries(entries: &[(String, String)], characters: &[Character]) -> Result<(), String> {
    let characters: Vec<&Character> = characters.iter().collect();
    let is_pattern = |key: &str| BakeOption::find(key).is_some_and(|row| row.kind == OptionKind::Patterns);
    for (key, value) in entries.iter().filter(|(key, _)| is_pattern(key)) {
        let of = PatternOf::option(key);
        for pattern in NamePattern::list(value) {
            if pattern.as_str().starts_with(MAY_BE_MISSING) {
                continue;
            }
            if !patterns::matches_any(&pattern, of, &characters) {
                return Err(format!("{key}: {}", patterns::problem_of(&pattern, of, &characters)));
            }
        }
    }
    Ok(())
}

/// Options from layers of keys and values. Later layers override earlier ones. A preset replaces all options of earlier
/// layers.
fn layered(layers: Vec<Vec<(&str, &str)>>) -> Result<BakeOptions, OptionError> {
    let mut entries: Vec<(&str, &str)> = Vec::new();
    for layer in layers {
        if layer.iter().any(|(key, _)| *key == "preset") {
            entries.clear();
        }
        entries.extend(layer);
    }
    BakeOptions::from_entries(entries)
}
