//! From TOML with its places to [`Settings`].

use crate::error::SettingsError;
use crate::settings::{CharacterSection, JointSection, Section, Settings, hint};
use bone_fit::{BakeOptions, COORDINATE_LIMIT, HandBox, JointOverride, Limits, OptionError, OptionKind};
use glam::{Quat, Vec3};
use std::collections::BTreeSet;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

/// Longer files are refused: a thousand joints with everything said about each are a tenth of it.
pub const MOST_BYTES: usize = 1 << 20;

/// The keys of `[limits]`.
pub(crate) const LIMITS: [&str; 4] = ["least_surface_clips", "least_surface_rest", "most_escape", "most_volume_ratio"];

/// Beside options, at the top of a file.
pub(crate) const EVERYONE: [&str; 5] = ["characters", "joints", "limits", "sets", "tags"];

/// Beside options, in a character's section.
pub(crate) const CHARACTER: [&str; 4] = ["joints", "limits", "sets", "tags"];

/// Beside options, in a joint's section.
pub(crate) const JOINT: [&str; 3] = ["boxes", "skip", "tags"];

/// Of a box made by hand.
pub(crate) const BOX: [&str; 4] = ["center", "half_extents", "orientation", "tags"];

type Key<'t, 'i> = &'t Spanned<DeString<'i>>;
type Value<'t, 'i> = &'t Spanned<DeValue<'i>>;
type Result<T, E = SettingsError> = std::result::Result<T, E>;

pub(crate) fn parse(text: &str) -> Result<Settings> {
    if text.len() > MOST_BYTES {
        let problem = format!("the file has {} bytes; at most {MOST_BYTES} are read", text.len());
        return Err(SettingsError::at(text, 0..0, problem));
    }
    let table = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        let word = text.get(span.clone()).unwrap_or_default();
        let unquoted = error.message().starts_with("invalid boolean") && word.len() < 64;
        let hint = if unquoted { format!("; words stand in quotes: {word:?}") } else { String::new() };
        SettingsError::at(text, span, format!("this is no TOML: {}{hint}", error.message()))
    })?;
    let reader = Reader { text };
    let (everyone, characters) = reader.everyone(table.get_ref())?;
    let settings = Settings { text: text.to_owned(), everyone, characters };
    reader.check_sets(table.get_ref(), &settings)?;
    Ok(settings)
}

/// Turns values into data; the text is for errors.
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn error<T>(&self, span: Range<usize>, problem: impl Into<String>) -> Result<T> {
        Err(SettingsError::at(self.text, span, problem))
    }

    fn everyone(&self, table: &DeTable<'_>) -> Result<(Section, Vec<CharacterSection>)> {
        let (mut section, mut characters) = (Section::default(), Vec::new());
        for (key, value) in in_order(table) {
            if key.get_ref() == "characters" {
                for (name, value) in in_order(self.table(key, value)?) {
                    characters.push(self.character(name, value)?);
                }
            } else if !self.add(&mut section, key, value)? {
                return self.unknown(key, "there is no option or section", BakeOptions::KEYS, &EVERYONE);
            }
        }
        Ok((section, characters))
    }

    fn character(&self, name: Key<'_, '_>, value: Value<'_, '_>) -> Result<CharacterSection> {
        let mut section = Section::default();
        for (key, value) in in_order(self.table(name, value)?) {
            if !self.add(&mut section, key, value)? {
                return self.unknown(key, "a character has no option or section", BakeOptions::KEYS, &CHARACTER);
            }
        }
        Ok(CharacterSection { pattern: name.get_ref().to_string(), span: name.span(), section })
    }

    /// Adds what a key says; `false` where the key is none of a section's.
    fn add(&self, section: &mut Section, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<bool> {
        match key.get_ref().as_ref() {
            "limits" => section.limits = self.limits(self.table(key, value)?)?,
            "tags" => {
                for (pattern, tags) in in_order(self.table(key, value)?) {
                    section.tags.push((pattern.get_ref().to_string(), self.texts(pattern, tags)?));
                }
            }
            "sets" => {
                for (name, tags) in in_order(self.table(key, value)?) {
                    self.named(name, name.get_ref(), name.span())?;
                    section.sets.insert(name.get_ref().to_string(), self.texts(name, tags)?);
                }
            }
            "joints" => {
                for (name, value) in in_order(self.table(key, value)?) {
                    section.joints.push(self.joint(name, value)?);
                }
            }
            option => {
                let Some(help) = BakeOptions::HELP.iter().find(|help| help.key == option) else { return Ok(false) };
                section.options.push((option.to_owned(), self.option(help.kind, key, value)?));
            }
        }
        Ok(true)
    }

    fn joint(&self, name: Key<'_, '_>, value: Value<'_, '_>) -> Result<JointSection> {
        let (mut own, mut skip) = (JointOverride::default(), None);
        for (key, value) in in_order(self.table(name, value)?) {
            let word = key.get_ref().as_ref();
            match word {
                "tags" => own.tags = self.texts(key, value)?,
                "skip" => match value.get_ref() {
                    DeValue::Boolean(said) => skip = Some(*said),
                    other => return self.error(value.span(), expected(key, other, "true or false")),
                },
                "boxes" => own.boxes = self.boxes(key, value)?,
                _ => {
                    let help = BakeOptions::HELP.iter().find(|help| help.key == word);
                    let Some(help) = help.filter(|_| JointOverride::KEYS.contains(&word)) else {
                        return self.unknown_of_joint(key, help.is_some());
                    };
                    own.options.insert(word.to_owned(), self.option(help.kind, key, value)?);
                }
            }
        }
        Ok(JointSection { name: name.get_ref().to_string(), span: name.span(), own, skip })
    }

    fn unknown_of_joint<T>(&self, key: Key<'_, '_>, of_characters: bool) -> Result<T> {
        if of_characters {
            let keys = JointOverride::KEYS.join(", ");
            let problem = format!("{:?} cannot be set for a single joint; these can: {keys}", key.get_ref());
            return self.error(key.span(), problem);
        }
        self.unknown(key, "a joint has no option", JointOverride::KEYS, &JOINT)
    }

    fn boxes(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<Vec<HandBox>> {
        let DeValue::Array(boxes) = value.get_ref() else {
            let problem = expected(key, value.get_ref(), "a list of boxes: [[…boxes]] or [{ center = …, … }]");
            return self.error(value.span(), problem);
        };
        boxes.iter().map(|one| self.hand_box(key, one)).collect()
    }

    fn hand_box(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<HandBox> {
        let DeValue::Table(table) = value.get_ref() else {
            let problem = expected(key, value.get_ref(), "boxes, each { center = …, half_extents = … }");
            return self.error(value.span(), problem);
        };
        let (mut center, mut half_extents, mut orientation) = (None, None, Quat::IDENTITY);
        let mut tags = Vec::new();
        for (key, value) in in_order(table) {
            match key.get_ref().as_ref() {
                "center" => center = Some(Vec3::from(self.numbers(key, value)?)),
                "half_extents" => {
                    let half = Vec3::from(self.numbers(key, value)?);
                    if half.min_element() < 0.0 {
                        return self.error(value.span(), "half extents must not be negative");
                    }
                    half_extents = Some(half);
                }
                "orientation" => {
                    orientation = Quat::from_array(self.numbers(key, value)?);
                    // As the bake has it: shorter ones have no direction left.
                    if orientation.as_dquat().length() <= 1e-6 {
                        return self
                            .error(value.span(), "an orientation must not be zero; none at all is [0, 0, 0, 1]");
                    }
                }
                "tags" => tags = self.texts(key, value)?,
                _ => return self.unknown(key, "a box has no", &[], &BOX),
            }
        }
        match (center, half_extents) {
            (Some(center), Some(half_extents)) => Ok(HandBox { center, half_extents, orientation, tags }),
            (None, _) => self.error(value.span(), "this box lacks its center = [x, y, z]"),
            (_, None) => self.error(value.span(), "this box lacks its half_extents = [x, y, z]"),
        }
    }

    /// `N` numbers that a coordinate can be.
    fn numbers<const N: usize>(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<[f32; N]> {
        let what = format!("a list of {N} numbers");
        let DeValue::Array(array) = value.get_ref() else {
            return self.error(value.span(), expected(key, value.get_ref(), &what));
        };
        if array.len() != N {
            let problem = format!("{} has {} numbers, expected {what}", key.get_ref(), array.len());
            return self.error(value.span(), problem);
        }
        let mut numbers = [0.0; N];
        for (number, value) in numbers.iter_mut().zip(array.iter()) {
            let found = match value.get_ref() {
                // Straight to f32: by way of f64 a number would be rounded twice.
                DeValue::Float(float) => float.as_str().parse::<f32>().ok(),
                DeValue::Integer(_) => integer(value.get_ref()).map(|whole| whole as f32),
                other => return self.error(value.span(), expected(key, other, &what)),
            };
            *number = match found.filter(|found| f64::from(found.abs()) <= COORDINATE_LIMIT) {
                Some(found) => found,
                None => return self.error(value.span(), format!("a number here is at most {COORDINATE_LIMIT:e}")),
            };
        }
        Ok(numbers)
    }

    fn limits(&self, table: &DeTable<'_>) -> Result<Limits> {
        let mut limits = Limits::default();
        for (key, value) in in_order(table) {
            let share = |limit: &mut Option<f64>| {
                *limit = Some(self.limit(key, value, 1.0, "a share, 0 to 1")?);
                Ok(())
            };
            match key.get_ref().as_ref() {
                "least_surface_rest" => share(&mut limits.least_surface_rest)?,
                "least_surface_clips" => share(&mut limits.least_surface_clips)?,
                "most_escape" => {
                    limits.most_escape = Some(self.limit(key, value, 1e6, "a share of the height, 0 and more")?);
                }
                "most_volume_ratio" => {
                    limits.most_volume_ratio = Some(self.limit(key, value, 1e6, "a ratio, 0 and more")?);
                }
                _ => return self.unknown(key, "there is no limit", &[], &LIMITS),
            }
        }
        Ok(limits)
    }

    fn limit(&self, key: Key<'_, '_>, value: Value<'_, '_>, most: f64, what: &str) -> Result<f64> {
        let Some(number) = number(value.get_ref()) else {
            return self.error(value.span(), expected(key, value.get_ref(), what));
        };
        if (0.0..=most).contains(&number) {
            return Ok(number);
        }
        self.error(value.span(), format!("{} = {number} is not {what}", key.get_ref()))
    }

    /// An option as the word that [`BakeOptions::set`] takes.
    fn option(&self, kind: OptionKind, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<String> {
        let name = key.get_ref().as_ref();
        let found = value.get_ref();
        let word = match (kind, found) {
            (OptionKind::Word(_) | OptionKind::Patterns, DeValue::String(word)) => word.to_string(),
            (OptionKind::Patterns, DeValue::Array(patterns)) => self.patterns(key, patterns)?,
            (OptionKind::Whole { auto, .. } | OptionKind::Number { auto, .. }, DeValue::String(word))
                if auto && word == "auto" =>
            {
                word.to_string()
            }
            (OptionKind::Whole { .. }, DeValue::Integer(_)) => {
                integer(found).map_or_else(String::new, |n| n.to_string())
            }
            (OptionKind::Number { .. }, DeValue::Integer(_) | DeValue::Float(_)) => {
                number(found).map_or_else(String::new, |number| number.to_string())
            }
            _ => return self.error(value.span(), expected(key, found, &what(kind))),
        };
        match BakeOptions::default().set(name, &word) {
            Ok(()) => Ok(word),
            Err(OptionError::NotInRange { expected, .. }) => {
                let given = self.text.get(value.span()).unwrap_or_default().to_owned();
                self.error(value.span(), format!("{name} = {given} is not {expected}"))
            }
            Err(error) => self.error(value.span(), error.to_string()),
        }
    }

    /// A list of patterns as one text.
    fn patterns(&self, key: Key<'_, '_>, patterns: &DeArray<'_>) -> Result<String> {
        let mut all = Vec::new();
        for value in patterns {
            match value.get_ref() {
                DeValue::String(pattern) if pattern.contains(',') => {
                    return self.error(value.span(), "a comma separates patterns: make them two elements of the list");
                }
                DeValue::String(pattern) => all.push(pattern.as_ref()),
                other => return self.error(value.span(), expected(key, other, "patterns for joint names")),
            }
        }
        Ok(all.join(","))
    }

    /// A text or a list of them, none empty.
    fn texts(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<Vec<String>> {
        let one = |value: Value<'_, '_>| match value.get_ref() {
            DeValue::String(text) => {
                self.named(key, text, value.span())?;
                Ok(text.to_string())
            }
            other => self.error(value.span(), expected(key, other, "a tag or a list of tags")),
        };
        match value.get_ref() {
            DeValue::Array(values) => values.iter().map(one).collect(),
            _ => Ok(vec![one(value)?]),
        }
    }

    fn named(&self, key: Key<'_, '_>, tag: &str, span: Range<usize>) -> Result<()> {
        if tag.is_empty() {
            return self.error(span, format!("{:?}: a tag has a name", key.get_ref()));
        }
        Ok(())
    }

    fn table<'t, 'i>(&self, key: Key<'_, '_>, value: Value<'t, 'i>) -> Result<&'t DeTable<'i>> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(table),
            other => self.error(value.span(), expected(key, other, "a section")),
        }
    }

    fn unknown<T>(&self, key: Key<'_, '_>, what: &str, options: &[&str], others: &[&str]) -> Result<T> {
        let known: Vec<&str> = options.iter().chain(others).copied().collect();
        let hint = match hint(key.get_ref(), known.iter().copied()) {
            hint if hint.is_empty() && options.is_empty() => format!("; there are {}", known.join(", ")),
            hint => hint,
        };
        self.error(key.span(), format!("{what} {:?}{hint}", key.get_ref()))
    }

    /// A set of a tag that nothing in the file gives is a slip.
    fn check_sets(&self, table: &DeTable<'_>, settings: &Settings) -> Result<()> {
        let given = settings.given_tags();
        let own = table.iter().filter(|(key, _)| key.get_ref() == "sets");
        let characters = table.iter().filter(|(key, _)| key.get_ref() == "characters");
        let characters = characters.filter_map(|(_, value)| value.get_ref().as_table()).flat_map(DeTable::values);
        let sections = characters.filter_map(|section| section.get_ref().as_table()).flatten();
        let theirs = sections.filter(|(key, _)| key.get_ref() == "sets");
        let sets = own.chain(theirs).filter_map(|(_, value)| value.get_ref().as_table()).flatten();
        let members = sets.flat_map(|(_, value)| match value.get_ref() {
            DeValue::Array(members) => members.iter().collect(),
            _ => vec![value],
        });
        let unknown = |value: Value<'_, '_>| match value.get_ref() {
            DeValue::String(tag) if !given.contains(tag.as_ref()) => Some((value.span(), tag.to_string())),
            _ => None,
        };
        let Some((span, tag)) = members.filter_map(unknown).min_by_key(|(span, _)| span.start) else { return Ok(()) };
        let hint = hint(&tag, given);
        self.error(span, format!("no joint or box is tagged {tag:?} in this file{hint}"))
    }
}

impl Settings {
    fn given_tags(&self) -> BTreeSet<&str> {
        let sections = std::iter::once(&self.everyone).chain(self.characters.iter().map(|one| &one.section));
        let mut given = BTreeSet::new();
        for section in sections {
            given.extend(section.tags.iter().flat_map(|(_, tags)| tags).map(String::as_str));
            for joint in &section.joints {
                let boxes = joint.own.boxes.iter().flat_map(|one| &one.tags);
                given.extend(joint.own.tags.iter().chain(boxes).map(String::as_str));
            }
        }
        given
    }
}

/// As they stand in the file, so that its first mistake is told first.
fn in_order<'t, 'i>(table: &'t DeTable<'i>) -> Vec<(Key<'t, 'i>, Value<'t, 'i>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn integer(value: &DeValue<'_>) -> Option<i64> {
    let whole = value.as_integer()?;
    i64::from_str_radix(whole.as_str(), whole.radix()).ok()
}

/// A float or a whole number.
fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(float) => float.as_str().parse().ok(),
        other => integer(other).map(|whole| whole as f64),
    }
}

fn expected(key: Key<'_, '_>, found: &DeValue<'_>, expected: &str) -> String {
    let kind = match found {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a section",
    };
    format!("{} is {kind}, expected {expected}", key.get_ref())
}

/// An option's values in words.
fn what(kind: OptionKind) -> String {
    let auto = |auto: bool| if auto { " or \"auto\"" } else { "" };
    match kind {
        OptionKind::Word(words) => words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" or "),
        OptionKind::Number { auto: also, .. } => format!("a number{}, without quotes", auto(also)),
        OptionKind::Whole { auto: also, .. } => format!("a whole number{}, without quotes", auto(also)),
        OptionKind::Patterns => "patterns for joint names, \"*hand*\" or a list of such".into(),
    }
}
