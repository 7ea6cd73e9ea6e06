//! Converts TOML to sections. It checks keys, kinds and ranges, and each error has its place.

use crate::error::{SettingsError, floor};
use crate::sections::{
    BOX_KEYS, BOX_SHAPES, BoneEntry, CHARACTER_KEYS, CharacterSection, FILE_KEYS, HumanoidSection, JOINT_KEYS,
    JointSection, OptionEntry, PART_SET, PartSection, PatternOf, PatternPlace, ROOT, Section, Sections, SetTag, Span,
};
use crate::toml_slips;
use bone_fit::{
    BakeOption, BakeOptions, COORDINATE_LIMIT, HitboxRole, HitboxShape, JointOverride, LengthUnit, Limit,
    MAY_BE_MISSING, ManualBox, OptionError, OptionKind, did_you_mean, nearest_name,
};
use glam::{DQuat, DVec3, Quat, Vec3};
use skeleton::NamePattern;
use skeleton::humanoid::HumanBone;
use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

/// The largest size of a settings file in bytes. A thousand joints with all settings for each need a tenth of it.
pub const MOST_BYTES: usize = 1 << 20;

pub(crate) type Key<'t, 'i> = &'t Spanned<DeString<'i>>;
pub(crate) type Value<'t, 'i> = &'t Spanned<DeValue<'i>>;
pub(crate) type Result<T, E = SettingsError> = std::result::Result<T, E>;

/// Reads the sections of a file.
pub(crate) fn read(text: &str) -> Result<Sections> {
    if text.len() > MOST_BYTES {
        let problem = format!(
            "the file has {} bytes, but may have at most {MOST_BYTES}; write one file for each folder",
            text.len()
        );
        return Err(SettingsError::at(text, 0..0, problem));
    }
    let table = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        let line_start = text[..floor(text, span.start)].rfind('\n').map_or(0, |end| end + 1);
        let line = text[line_start..].lines().next().unwrap_or_default();
        let is_parts = |line: &str| line.trim_start().strip_prefix("parts").is_some_and(|rest| rest.trim_start().starts_with('='));
        let problem = match toml_slips::explain(line) {
            _ if line.contains("parts.") && text[..line_start].lines().any(is_parts) => {
                "`parts` has a value above, so it cannot be a section; write the value in the section, as `set` below [parts]".to_owned()
            }
            _ if error.message() == "duplicate key" => "this name is set twice; remove one of the two".to_owned(),
            Some(problem) => problem,
            None => format!("this line is not valid TOML: {}", error.message()),
        };
        SettingsError::at(text, span, problem)
    })?;
    let reader = Reader { text };
    let mut sections = reader.file(table.get_ref())?;
    sections.set_tags = set_tags(table.get_ref());
    Ok(sections)
}

/// Converts values to data. The text is needed for errors.
pub(crate) struct Reader<'a> {
    pub(crate) text: &'a str,
}

impl Reader<'_> {
    pub(crate) fn error<T>(&self, span: Span, problem: impl Into<String>) -> Result<T> {
        Err(SettingsError::at(self.text, span, problem))
    }

    fn file(&self, table: &DeTable<'_>) -> Result<Sections> {
        let mut file = Sections::default();
        for (key, value) in in_order(table) {
            match key.get_ref().as_ref() {
                "characters" => {
                    for (name, value) in in_order(self.table(key, value)?) {
                        file.characters.push(self.character(name, value)?);
                    }
                }
                "shared" => file.shared = self.shared(key, value)?,
                ROOT => file.is_root = self.boolean(key, value)?,
                _ if self.add(&mut file.everyone, key, value)? => {}
                _ => return self.unknown_setting(key, "there is no option or section", &FILE_KEYS),
            }
        }
        Ok(file)
    }

    fn character(&self, name: Key<'_, '_>, value: Value<'_, '_>) -> Result<CharacterSection> {
        let mut section = Section::default();
        for (key, value) in in_order(self.table(name, value)?) {
            if !self.add(&mut section, key, value)? {
                return self.unknown_setting(key, "a character has no option or section", &CHARACTER_KEYS);
            }
        }
        Ok(CharacterSection { pattern: NamePattern::new(name.get_ref().as_ref()), span: name.span(), section })
    }

    /// Adds the value of a key. Returns `false` if a section has no such key.
    fn add(&self, section: &mut Section, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<bool> {
        match key.get_ref().as_ref() {
            "limits" => self.limits(section, self.table(key, value)?)?,
            "tags" => {
                for (name, tags) in in_order(self.table(key, value)?) {
                    let pattern = NamePattern::new(name.get_ref().as_ref());
                    section.tags.push((pattern.clone(), self.texts(name, tags)?));
                    section.patterns.push(PatternPlace { pattern, of: PatternOf::Joints, span: name.span() });
                }
            }
            "sets" => {
                for (name, tags) in in_order(self.table(key, value)?) {
                    self.not_empty(name, name.get_ref(), name.span())?;
                    section.sets.insert(name.get_ref().to_string(), self.texts(name, tags)?);
                }
            }
            "clips" => {
                for (name, value) in in_order(self.table(key, value)?) {
                    self.clip(section, name.get_ref(), self.table(name, value)?)?;
                }
            }
            "humanoid" => section.humanoid = Some(self.humanoid(key, value)?),
            "motions" => section.motions = Some(self.motions(key, value)?),
            "ragdoll" => section.ragdoll = Some(self.ragdoll(section, key, value)?),
            "split" => section.split = Some(self.boolean(key, value)?),
            "joints" => {
                for (name, value) in in_order(self.table(key, value)?) {
                    section.joints.push(self.joint(name, value)?);
                }
            }
            "parts" if matches!(value.get_ref(), DeValue::Table(_)) => {
                for (name, value) in in_order(self.table(key, value)?) {
                    match BakeOption::find("parts").filter(|_| name.get_ref() == PART_SET) {
                        Some(row) => section.options.push(self.option(row, name, value)?),
                        None => section.parts.push(self.part(name, value)?),
                    }
                }
            }
            option => {
                let Some(row) = BakeOption::find(option) else { return Ok(false) };
                if row.kind == OptionKind::Patterns {
                    section.patterns.extend(self.pattern_places(key, value)?);
                }
                section.options.push(self.option(row, key, value)?);
            }
        }
        Ok(true)
    }

    fn humanoid(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<HumanoidSection> {
        let mut humanoid = HumanoidSection { span: key.span(), is_wanted: true, bones: Vec::new() };
        let table = match value.get_ref() {
            DeValue::Boolean(is_wanted) => return Ok(HumanoidSection { is_wanted: *is_wanted, ..humanoid }),
            DeValue::Table(table) => table,
            other => {
                let expected = "true, false, or a section of bones such as leftHand = \"wrist.l\"";
                return self.error(value.span(), wrong_kind(key, other, expected));
            }
        };
        for (key, value) in in_order(table) {
            let Some(bone) = HumanBone::from_name(key.get_ref()) else {
                let known = HumanBone::ALL.map(HumanBone::name);
                return self.unknown(key, "VRM 1.0's humanoid has no bone", known, None);
            };
            let DeValue::String(joint) = value.get_ref() else {
                return self.error(value.span(), wrong_kind(key, value.get_ref(), "the name of a joint"));
            };
            humanoid.bones.push(BoneEntry { bone, joint: joint.to_string(), span: value.span() });
        }
        Ok(humanoid)
    }

    fn joint(&self, name: Key<'_, '_>, value: Value<'_, '_>) -> Result<JointSection> {
        let (mut own, mut skip) = (JointOverride::default(), None);
        let (mut options, mut box_spans) = (Vec::new(), Vec::new());
        for (key, value) in in_order(self.table(name, value)?) {
            let word = key.get_ref().as_ref();
            match word {
                "tags" => own.tags = self.texts(key, value)?,
                "skip" => skip = Some(self.boolean(key, value)?),
                "boxes" => (own.boxes, box_spans) = self.boxes(key, value)?.into_iter().unzip(),
                _ => {
                    let Some(row) = BakeOption::find(word) else {
                        if let DeValue::Table(_) = value.get_ref() {
                            let joint = format!("{}.{word}", name.get_ref());
                            let problem = format!(
                                "a joint has no section {word:?}; if the joint's name is {joint:?}, quote all of it: […joints.{joint:?}]"
                            );
                            return self.error(key.span(), problem);
                        }
                        let known = BakeOption::joint_keys().chain(JOINT_KEYS);
                        return self.unknown(key, "a joint has no option", known, None);
                    };
                    if !row.for_joints {
                        let keys = BakeOption::joint_keys().collect::<Vec<_>>().join(", ");
                        let problem = format!("{word:?} cannot be set for a single joint; these options can: {keys}");
                        return self.error(key.span(), problem);
                    }
                    let option = self.option(row, key, value)?;
                    own.options.insert(option.key.clone(), option.value.clone());
                    options.push(option);
                }
            }
        }
        Ok(JointSection { name: name.get_ref().to_string(), span: name.span(), own, options, box_spans, skip })
    }

    fn part(&self, name: Key<'_, '_>, value: Value<'_, '_>) -> Result<PartSection> {
        let part = name.get_ref().as_ref();
        let names = bone_fit::part_tags();
        if !names.contains(&part) {
            let known = names.iter().copied().chain([PART_SET]);
            return self.unknown(name, "there is no part", known, Some(&names));
        }
        let mut options = Vec::new();
        for (key, value) in in_order(self.table(name, value)?) {
            let word = key.get_ref().as_ref();
            match BakeOption::find(word) {
                Some(row) if row.for_parts => options.push(self.option(row, key, value)?),
                Some(_) => {
                    let keys = BakeOption::part_keys().collect::<Vec<_>>().join(", ");
                    let problem = format!("{word:?} cannot be set for a single part; these options can: {keys}");
                    return self.error(key.span(), problem);
                }
                None if names.contains(&format!("{part}.{word}").as_str()) => {
                    let name = format!("{part}.{word}");
                    return self.error(
                        key.span(),
                        format!("a part has no section {word:?}; quote the whole name: [parts.{name:?}]"),
                    );
                }
                None => return self.unknown(key, "a part has no option", BakeOption::part_keys(), None),
            }
        }
        Ok(PartSection { name: part.to_owned(), options })
    }

    pub(crate) fn boolean(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<bool> {
        match value.get_ref() {
            DeValue::Boolean(said) => Ok(*said),
            other => self.error(value.span(), wrong_kind(key, other, "true or false, without quotes")),
        }
    }

    fn boxes(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<Vec<(ManualBox, Span)>> {
        let DeValue::Array(boxes) = value.get_ref() else {
            let expected = "a list of boxes, [[…boxes]] or [{ center = …, half_extents = … }]";
            return self.error(value.span(), wrong_kind(key, value.get_ref(), expected));
        };
        boxes.iter().map(|one| Ok((self.manual_box(key, one)?, one.span()))).collect()
    }

    fn manual_box(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<ManualBox> {
        let DeValue::Table(table) = value.get_ref() else {
            let expected = "a list of boxes, each { center = …, half_extents = … }";
            return self.error(value.span(), wrong_kind(key, value.get_ref(), expected));
        };
        let (mut center, mut half_extents, mut orientation) = (None, None, None);
        let (mut shape, mut role, mut unit) = (HitboxShape::Box, HitboxRole::Hurt, LengthUnit::Meters);
        let mut tags = Vec::new();
        for (key, value) in in_order(table) {
            match key.get_ref().as_ref() {
                "center" => center = Some(Vec3::from(self.numbers(key, value)?)),
                "half_extents" => {
                    let half = Vec3::from(self.numbers(key, value)?);
                    if half.min_element() < 0.0 {
                        return self.error(
                            value.span(),
                            "half_extents contains a negative number, but all must be at least 0",
                        );
                    }
                    half_extents = Some((half, value.span()));
                }
                "orientation" => {
                    let turn = Quat::from_array(self.numbers(key, value)?);
                    // bone-fit has the same limit: a shorter quaternion has no direction.
                    if turn.as_dquat().length() <= 1e-6 {
                        let problem =
                            "the orientation is zero, but must be a rotation; use [0, 0, 0, 1] for no rotation";
                        return self.error(value.span(), problem);
                    }
                    self.only_one_turn(orientation.replace(turn).is_some(), key)?;
                }
                "rotation" => {
                    let turn = from_degrees(self.numbers(key, value)?);
                    self.only_one_turn(orientation.replace(turn).is_some(), key)?;
                }
                "role" => role = self.word(key, value, &HitboxRole::ALL.map(|role| (role.keyword(), role)))?,
                "shape" => shape = self.box_shape(key, value)?,
                "tags" => tags = self.texts(key, value)?,
                "unit" => unit = self.word(key, value, &LengthUnit::ALL.map(|unit| (unit.keyword(), unit)))?,
                _ => return self.unknown(key, "a box has no key", BOX_KEYS, Some(&BOX_KEYS)),
            }
        }
        match (center, half_extents) {
            (Some(center), Some((half_extents, span))) => {
                let orientation = orientation.unwrap_or(Quat::IDENTITY);
                let one = ManualBox { shape, center, half_extents, orientation, tags, role, unit };
                match one.shape_problem() {
                    Some(problem) => self.error(span, format!("this box is no {}: {problem}", shape.keyword())),
                    None => Ok(one),
                }
            }
            (None, _) => self.error(value.span(), "this box has no center; add center = [x, y, z]"),
            (_, None) => self.error(value.span(), "this box has no half_extents; add half_extents = [x, y, z]"),
        }
    }

    /// Reads one of some words, each with its value.
    fn word<T: Copy>(&self, key: Key<'_, '_>, value: Value<'_, '_>, words: &[(&'static str, T)]) -> Result<T> {
        let known = words.iter().map(|(word, _)| *word);
        let expected = format!("one of {}", known.clone().collect::<Vec<_>>().join(", "));
        let DeValue::String(word) = value.get_ref() else {
            return self.error(value.span(), wrong_kind(key, value.get_ref(), &expected));
        };
        if let Some((_, found)) = words.iter().find(|(known, _)| *known == word.as_ref()) {
            return Ok(*found);
        }
        let nearest = did_you_mean(nearest_name(word, known));
        self.error(value.span(), format!("{} is {word:?}, but must be {expected}{nearest}", key.get_ref()))
    }

    /// Reads the shape of a manual box.
    fn box_shape(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<HitboxShape> {
        let expected = "box, capsule or sphere";
        let DeValue::String(word) = value.get_ref() else {
            return self.error(value.span(), wrong_kind(key, value.get_ref(), expected));
        };
        if let Some(shape) = BOX_SHAPES.into_iter().find(|shape| shape.keyword() == word.as_ref()) {
            return Ok(shape);
        }
        let cure = match nearest_name(word, BOX_SHAPES.map(HitboxShape::keyword)) {
            _ if word == HitboxShape::Hull.keyword() => {
                "; a hull has no manual form, but `shape = \"hull\"` in the joint's section fits one".to_owned()
            }
            nearest => did_you_mean(nearest),
        };
        self.error(value.span(), format!("shape is {word:?}, but must be {expected}{cure}"))
    }

    fn only_one_turn(&self, is_second: bool, key: Key<'_, '_>) -> Result<()> {
        if is_second {
            return self.error(key.span(), "a box has either orientation or rotation, not both; remove one of the two");
        }
        Ok(())
    }

    /// Reads `N` numbers, each within the range of a coordinate.
    fn numbers<const N: usize>(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<[f32; N]> {
        let expected = format!("a list of {N} numbers");
        let DeValue::Array(array) = value.get_ref() else {
            return self.error(value.span(), wrong_kind(key, value.get_ref(), &expected));
        };
        if array.len() != N {
            let commas = array.len() == 2 * N;
            let cure = if commas { "; decimal numbers are written with a point, not a comma" } else { "" };
            let problem = format!("{} has {} numbers, but must have {N}{cure}", key.get_ref(), array.len());
            return self.error(value.span(), problem);
        }
        let mut numbers = [0.0; N];
        for (number, value) in numbers.iter_mut().zip(array.iter()) {
            let found = match value.get_ref() {
                // The text is parsed as f32 directly, because parsing it as f64 first would round twice.
                DeValue::Float(float) => float.as_str().parse::<f32>().ok(),
                DeValue::Integer(_) => integer(value.get_ref()).map(|whole| whole as f32),
                other => return self.error(value.span(), wrong_kind(key, other, &expected)),
            };
            *number = match found.filter(|found| f64::from(found.abs()) <= COORDINATE_LIMIT) {
                Some(found) => found,
                None => {
                    let given = self.text.get(value.span()).unwrap_or_default();
                    let problem = format!(
                        "{given} is not a coordinate; it must be a number from -{COORDINATE_LIMIT:e} to {COORDINATE_LIMIT:e}"
                    );
                    return self.error(value.span(), problem);
                }
            };
        }
        Ok(numbers)
    }

    fn limits(&self, section: &mut Section, table: &DeTable<'_>) -> Result<()> {
        for (key, value) in in_order(table) {
            let Some(row) = Limit::find(key.get_ref()) else {
                let known: Vec<&str> = Limit::ALL.iter().map(|row| row.key).collect();
                return self.unknown(key, "there is no limit", known.iter().copied(), Some(&known));
            };
            let Some(number) = number(value.get_ref()) else {
                return self.error(value.span(), wrong_kind(key, value.get_ref(), &row.kind.expected()));
            };
            if !row.kind.allows(number) {
                let problem = format!("{} is {number}, but must be {}", row.key, row.kind.expected());
                return self.error(value.span(), problem);
            }
            section.limits.set(row.key, number);
            section.limit_spans.insert(row.key, key.span());
        }
        Ok(())
    }

    /// Reads an option as the text that [`BakeOptions::set`] takes.
    fn option(&self, row: &BakeOption, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<OptionEntry> {
        let found = value.get_ref();
        let text = match (row.kind, found) {
            (OptionKind::Patterns, DeValue::String(text)) => without_mark(text).to_owned(),
            (OptionKind::Keywords(_) | OptionKind::KeywordsOrWhole(..), DeValue::String(text)) => text.to_string(),
            (OptionKind::Patterns, DeValue::Array(patterns)) => self.patterns(key, patterns)?,
            (OptionKind::Whole(range), DeValue::String(text)) if range.auto && text == "auto" => text.to_string(),
            (OptionKind::Number(range), DeValue::String(text)) if range.auto && text == "auto" => text.to_string(),
            (OptionKind::Whole(_) | OptionKind::KeywordsOrWhole(..), DeValue::Integer(_)) => {
                integer(found).map_or_else(String::new, |n| n.to_string())
            }
            (OptionKind::Number(_), DeValue::Integer(_) | DeValue::Float(_)) => {
                number(found).map_or_else(String::new, |number| number.to_string())
            }
            _ => return self.error(value.span(), wrong_kind(key, found, &row.kind.expected())),
        };
        match BakeOptions::default().set(row.key, &text) {
            Ok(()) => Ok(OptionEntry { key: row.key.to_owned(), value: text, span: key.span() }),
            Err(OptionError::InvalidValue { expected, nearest, .. }) => {
                let given = self.text.get(value.span()).unwrap_or_default();
                let hint = did_you_mean(nearest);
                self.error(value.span(), format!("{} is {given}, but must be {expected}{hint}", row.key))
            }
            Err(error) => self.error(value.span(), error.to_string()),
        }
    }

    /// Joins a list of patterns to one text.
    fn patterns(&self, key: Key<'_, '_>, patterns: &DeArray<'_>) -> Result<String> {
        let mut all = Vec::new();
        for value in patterns {
            match value.get_ref() {
                DeValue::String(pattern) if pattern.contains(',') => {
                    let problem = "a pattern cannot contain a comma; write two patterns as two elements of the list, or `?` for a comma in a joint's name";
                    return self.error(value.span(), problem);
                }
                DeValue::String(pattern) => all.push(without_mark(pattern)),
                other => return self.error(value.span(), wrong_kind(key, other, &OptionKind::Patterns.expected())),
            }
        }
        Ok(all.join(","))
    }

    /// The patterns of an option, each with its place.
    fn pattern_places(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<Vec<PatternPlace>> {
        let values: Vec<Value<'_, '_>> = match value.get_ref() {
            DeValue::Array(values) => values.iter().collect(),
            _ => vec![value],
        };
        let mut places = Vec::new();
        for value in values {
            let DeValue::String(text) = value.get_ref() else {
                return self.error(value.span(), wrong_kind(key, value.get_ref(), &OptionKind::Patterns.expected()));
            };
            if text.trim_start().starts_with(MAY_BE_MISSING) {
                continue;
            }
            let patterns = NamePattern::list(text);
            let of = PatternOf::option(key.get_ref());
            places.extend(patterns.into_iter().map(|pattern| PatternPlace { pattern, of, span: value.span() }));
        }
        Ok(places)
    }

    /// Reads a tag or a list of tags. No tag may be empty.
    pub(crate) fn texts(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<Vec<String>> {
        let one = |value: Value<'_, '_>| match value.get_ref() {
            DeValue::String(text) => {
                self.not_empty(key, text, value.span())?;
                Ok(text.to_string())
            }
            other => self.error(value.span(), wrong_kind(key, other, "a tag or a list of tags")),
        };
        match value.get_ref() {
            DeValue::Array(values) => values.iter().map(one).collect(),
            _ => Ok(vec![one(value)?]),
        }
    }

    fn not_empty(&self, key: Key<'_, '_>, tag: &str, span: Span) -> Result<()> {
        if tag.is_empty() {
            return self.error(span, format!("{:?} has an empty tag; give the tag a name", key.get_ref()));
        }
        Ok(())
    }

    pub(crate) fn table<'t, 'i>(&self, key: Key<'_, '_>, value: Value<'t, 'i>) -> Result<&'t DeTable<'i>> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(table),
            other => self.error(value.span(), wrong_kind(key, other, "a section")),
        }
    }

    fn unknown_setting<T>(&self, key: Key<'_, '_>, what: &str, others: &[&'static str]) -> Result<T> {
        let known = BakeOption::ALL.iter().map(|row| row.key).chain(others.iter().copied());
        self.unknown(key, what, known, None)
    }

    /// Makes the error for an unknown key. If no known key is similar, the message lists `all`.
    pub(crate) fn unknown<'k, T>(
        &self,
        key: Key<'_, '_>,
        what: &str,
        known: impl IntoIterator<Item = &'k str>,
        all: Option<&[&str]>,
    ) -> Result<T> {
        let hint = match (nearest_name(key.get_ref(), known), all) {
            (None, Some(all)) => format!("; the keys are {}", all.join(", ")),
            (nearest, _) => did_you_mean(nearest),
        };
        self.error(key.span(), format!("{what} {:?}{hint}", key.get_ref()))
    }
}

/// The tags in all sets, in the order of the text.
fn set_tags(table: &DeTable<'_>) -> Vec<SetTag> {
    let own = table.iter().filter(|(key, _)| key.get_ref() == "sets");
    let characters = table.iter().filter(|(key, _)| key.get_ref() == "characters");
    let characters = characters.filter_map(|(_, value)| value.get_ref().as_table()).flat_map(DeTable::values);
    let sections = characters.filter_map(|section| section.get_ref().as_table()).flatten();
    let theirs = sections.filter(|(key, _)| key.get_ref() == "sets");
    let sets = own.chain(theirs).filter_map(|(_, value)| value.get_ref().as_table()).flatten();
    let members = sets.flat_map(|(key, value)| match value.get_ref() {
        DeValue::Array(members) => members.iter().map(|member| (key, member)).collect(),
        _ => vec![(key, value)],
    });
    let tag = |(key, value): (Key<'_, '_>, Value<'_, '_>)| {
        let tag = value.get_ref().as_str()?.to_owned();
        Some(SetTag { set: key.get_ref().to_string(), tag, span: value.span() })
    };
    let mut tags: Vec<SetTag> = members.filter_map(tag).collect();
    tags.sort_by_key(|one| one.span.start);
    tags
}

fn without_mark(pattern: &str) -> &str {
    pattern.trim_start().strip_prefix(MAY_BE_MISSING).unwrap_or(pattern)
}

/// The rotation about the fixed x axis, then y, then z, as Blender's "XYZ Euler". It uses `libm`, so that every machine
/// computes the same bits.
fn from_degrees([x, y, z]: [f32; 3]) -> Quat {
    let about = |degrees: f32, axis: DVec3| {
        let (sin, cos) = libm::sincos(0.5 * f64::from(degrees).to_radians());
        DQuat::from_vec4((axis * sin).extend(cos))
    };
    (about(z, DVec3::Z) * about(y, DVec3::Y) * about(x, DVec3::X)).as_quat()
}

/// The entries in the order of the text, so that the first mistake of a file is reported first.
pub(crate) fn in_order<'t, 'i>(table: &'t DeTable<'i>) -> Vec<(Key<'t, 'i>, Value<'t, 'i>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

pub(crate) fn integer(value: &DeValue<'_>) -> Option<i64> {
    let whole = value.as_integer()?;
    i64::from_str_radix(whole.as_str(), whole.radix()).ok()
}

/// Reads a number with or without a decimal point.
pub(crate) fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(float) => float.as_str().parse().ok(),
        other => integer(other).map(|whole| whole as f64),
    }
}

pub(crate) fn wrong_kind(key: Key<'_, '_>, found: &DeValue<'_>, expected: &str) -> String {
    let kind = match found {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a section",
    };
    let quotes = matches!(found, DeValue::String(text) if text.parse::<f64>().is_ok());
    let cure = if quotes && expected.contains("number") { "; remove the quotes" } else { "" };
    format!("{} is {kind}, but must be {expected}{cure}", key.get_ref())
}
