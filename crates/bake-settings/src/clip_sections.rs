//! The sections of clips: attacks, and states of hitboxes.

use crate::reader::{Key, Reader, Result, Value, in_order, integer, number, wrong_kind};
use crate::sections::{ATTACK_KEYS, AttackEntry, CLIP_KEYS, STATE_KEYS, Section, Span, StateEntry};
use baked_format::limits::{MAX_SECONDS, MAX_STRING_BYTES};
use baked_format::{AttackKind, StateKind, Window};
use bone_fit::{AttackSettings, StateSettings, did_you_mean, nearest_name};
use toml::de::{DeTable, DeValue};

/// The largest number of frames per second.
const MOST_RATE: f64 = 1e6;

/// The values of an attack or a state that say when it is active.
#[derive(Default)]
struct When {
    /// The windows in seconds or in frames, and their place.
    windows: Option<(Vec<[f64; 2]>, Span)>,
    in_frames: bool,
    rate: Option<(f64, Span)>,
}

impl Reader<'_> {
    /// Adds the attacks and the states of one clip to a section.
    pub(crate) fn clip(&self, section: &mut Section, clip: &str, table: &DeTable<'_>) -> Result<()> {
        for (key, value) in in_order(table) {
            let list = |what| match value.get_ref() {
                DeValue::Array(list) => Ok(list),
                other => self.error(value.span(), wrong_kind(key, other, what)),
            };
            match key.get_ref().as_ref() {
                "attacks" => {
                    for value in list("a list of attacks, [[…attacks]]")? {
                        let attack = self.attack(key, clip, value)?;
                        let other = section
                            .attacks
                            .iter()
                            .find(|other| other.settings.clip == clip && other.settings.name == attack.settings.name);
                        if other.is_some() {
                            let problem = format!(
                                "the clip {clip:?} has two attacks {:?}; give one of them another name",
                                attack.settings.name
                            );
                            return self.error(attack.span, problem);
                        }
                        section.attacks.push(attack);
                    }
                }
                "states" => {
                    for value in list("a list of states, [[…states]]")? {
                        section.states.push(self.state(key, clip, value)?);
                    }
                }
                _ => return self.unknown(key, "a clip has no section", CLIP_KEYS, Some(&CLIP_KEYS)),
            }
        }
        Ok(())
    }

    fn attack(&self, key: Key<'_, '_>, clip: &str, value: Value<'_, '_>) -> Result<AttackEntry> {
        let DeValue::Table(table) = value.get_ref() else {
            return self
                .error(value.span(), wrong_kind(key, value.get_ref(), "a list of attacks, each { name = …, … }"));
        };
        let mut attack = AttackSettings {
            name: String::new(),
            clip: clip.to_owned(),
            kind: AttackKind::Strike,
            boxes: Vec::new(),
            active: Vec::new(),
            group: None,
            rank: 0,
            rehit: None,
            against: Vec::new(),
            strength: 0.0,
            data: None,
        };
        let mut when = When::default();
        for (key, value) in in_order(table) {
            match key.get_ref().as_ref() {
                "name" => attack.name = self.name(key, value)?,
                "kind" => {
                    let keywords = AttackKind::ALL.map(AttackKind::keyword);
                    attack.kind = AttackKind::ALL[self.keyword(key, value, &keywords)?];
                }
                "boxes" => attack.boxes = self.texts(key, value)?,
                "group" => attack.group = Some(self.name(key, value)?),
                "rank" => {
                    let rank = integer(value.get_ref()).and_then(|rank| u16::try_from(rank).ok());
                    attack.rank = match rank {
                        Some(rank) => rank,
                        None => return self.wrong(key, value, "a whole number from 0 to 65535"),
                    };
                }
                "rehit" => {
                    let seconds = self.seconds(key, value)?;
                    if seconds <= 0.0 {
                        return self.wrong(
                            key,
                            value,
                            "a number of seconds above 0; leave it out if the attack strikes once",
                        );
                    }
                    attack.rehit = Some(seconds as f32);
                }
                "against" => attack.against = self.texts(key, value)?,
                "strength" => {
                    let strength = number(value.get_ref()).map(|strength| strength as f32);
                    attack.strength = match strength.filter(|strength| *strength >= 0.0 && strength.is_finite()) {
                        Some(strength) => strength,
                        None => return self.wrong(key, value, "a number of at least 0"),
                    };
                }
                "data" => attack.data = Some(self.data(key, value)?),
                _ if self.when(&mut when, key, value)? => {}
                _ => return self.unknown(key, "an attack has no key", ATTACK_KEYS, Some(&ATTACK_KEYS)),
            }
        }
        if attack.name.is_empty() {
            return self.error(value.span(), "this attack has no name; add name = \"…\"");
        }
        if attack.boxes.is_empty() {
            let problem = "this attack has no hitboxes; add boxes = [\"hand.left\"], with tags or names of joints";
            return self.error(value.span(), problem);
        }
        attack.active = self.windows(when, value)?;
        Ok(AttackEntry { settings: attack, span: value.span() })
    }

    fn state(&self, key: Key<'_, '_>, clip: &str, value: Value<'_, '_>) -> Result<StateEntry> {
        let DeValue::Table(table) = value.get_ref() else {
            return self
                .error(value.span(), wrong_kind(key, value.get_ref(), "a list of states, each { state = …, … }"));
        };
        let (mut kind, mut boxes, mut when) = (None, Vec::new(), When::default());
        for (key, value) in in_order(table) {
            match key.get_ref().as_ref() {
                "state" => {
                    let keywords = StateKind::ALL.map(StateKind::keyword);
                    kind = Some(StateKind::ALL[self.keyword(key, value, &keywords)?]);
                }
                "boxes" => boxes = self.texts(key, value)?,
                _ if self.when(&mut when, key, value)? => {}
                _ => return self.unknown(key, "a state has no key", STATE_KEYS, Some(&STATE_KEYS)),
            }
        }
        let Some(kind) = kind else {
            let known = StateKind::ALL.map(StateKind::keyword).join(", ");
            return self.error(value.span(), format!("this entry has no state; add state = \"…\", one of {known}"));
        };
        let active = self.windows(when, value)?;
        Ok(StateEntry { settings: StateSettings { clip: clip.to_owned(), kind, boxes, active }, span: value.span() })
    }

    /// Reads a key that says when an attack or a state is active. Returns `false` for another key.
    fn when(&self, when: &mut When, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<bool> {
        match key.get_ref().as_ref() {
            word @ ("active" | "frames") => {
                if when.windows.is_some() {
                    return self.error(key.span(), "active and frames say the same; remove one of the two");
                }
                when.windows = Some((self.pairs(key, value)?, value.span()));
                when.in_frames = word == "frames";
            }
            "rate" => {
                when.rate = match number(value.get_ref()).filter(|rate| *rate > 0.0 && *rate <= MOST_RATE) {
                    Some(rate) => Some((rate, key.span())),
                    None => return self.wrong(key, value, "a number of frames per second, above 0"),
                };
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Reads a window `[from, to]`, or a list of windows.
    fn pairs(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<Vec<[f64; 2]>> {
        let expected = "a window [from, to], or a list of windows";
        let DeValue::Array(list) = value.get_ref() else { return self.wrong(key, value, expected) };
        if list.iter().any(|one| matches!(one.get_ref(), DeValue::Array(_))) {
            return list.iter().map(|one| self.pair(key, one, expected)).collect();
        }
        Ok(vec![self.pair(key, value, expected)?])
    }

    fn pair(&self, key: Key<'_, '_>, value: Value<'_, '_>, expected: &str) -> Result<[f64; 2]> {
        let numbers: Option<Vec<f64>> =
            value.get_ref().as_array().and_then(|list| list.iter().map(|one| number(one.get_ref())).collect());
        match numbers.as_deref() {
            Some(&[from, to]) if from >= 0.0 && to <= f64::from(MAX_SECONDS) && from <= to => Ok([from, to]),
            Some(&[from, to]) => {
                let problem =
                    format!("the window from {from} to {to} must begin at 0 or later, and end after it begins");
                self.error(value.span(), problem)
            }
            _ => self.wrong(key, value, expected),
        }
    }

    /// The windows in seconds.
    fn windows(&self, when: When, value: Value<'_, '_>) -> Result<Vec<Window>> {
        let per_second = match (when.in_frames, when.rate) {
            (true, Some((rate, _))) => rate,
            (true, None) => {
                return self.error(value.span(), "frames need a rate; add rate = 60, the frames per second");
            }
            (false, Some((_, span))) => {
                return self.error(span, "rate belongs to frames; write frames = [from, to], or remove rate");
            }
            (false, None) => 1.0,
        };
        let Some((windows, span)) = when.windows.filter(|(windows, _)| !windows.is_empty()) else {
            let problem = "this entry has no window; add active = [from, to] in seconds, or frames and rate";
            return self.error(value.span(), problem);
        };
        let seconds = |[from, to]: [f64; 2]| Window { from: (from / per_second) as f32, to: (to / per_second) as f32 };
        let windows: Vec<Window> = windows.into_iter().map(seconds).collect();
        if !windows.windows(2).all(|pair| pair[0].to < pair[1].from) {
            let problem = "the windows must be in order and apart; join windows that overlap or touch";
            return self.error(span, problem);
        }
        Ok(windows)
    }

    fn seconds(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<f64> {
        match number(value.get_ref()).filter(|seconds| (0.0..=f64::from(MAX_SECONDS)).contains(seconds)) {
            Some(seconds) => Ok(seconds),
            None => self.wrong(key, value, "a number of seconds"),
        }
    }

    /// Reads one name, which must not be empty.
    pub(crate) fn name(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<String> {
        match value.get_ref() {
            DeValue::String(text) if !text.is_empty() => Ok(text.to_string()),
            _ => self.wrong(key, value, "a name in quotes"),
        }
    }

    /// Reads one of some words and returns its number.
    pub(crate) fn keyword(&self, key: Key<'_, '_>, value: Value<'_, '_>, keywords: &[&str]) -> Result<usize> {
        let word = value.get_ref().as_str().unwrap_or_default();
        match keywords.iter().position(|keyword| *keyword == word) {
            Some(index) => Ok(index),
            None => {
                let hint = did_you_mean(nearest_name(word, keywords.iter().copied()));
                self.wrong(key, value, &format!("one of {}{hint}", keywords.join(", ")))
            }
        }
    }

    /// The text of a JSON object.
    fn data(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<String> {
        let DeValue::Table(table) = value.get_ref() else { return self.wrong(key, value, "a section") };
        let text = json_object(table).to_string();
        if text.len() > MAX_STRING_BYTES {
            let problem = format!("data has {} bytes as JSON, but may have at most {MAX_STRING_BYTES}", text.len());
            return self.error(value.span(), problem);
        }
        Ok(text)
    }

    pub(crate) fn wrong<T>(&self, key: Key<'_, '_>, value: Value<'_, '_>, expected: &str) -> Result<T> {
        let given = self.text.get(value.span()).unwrap_or_default();
        let given = if given.len() <= 60 && !given.contains('\n') { given } else { "something else" };
        self.error(value.span(), format!("{} is {given}, but must be {expected}", key.get_ref()))
    }
}

fn json_object(table: &DeTable<'_>) -> serde_json::Value {
    // The keys of serde_json's objects are sorted, so the order of the file does not change the bake.
    let entries = table.iter().map(|(key, value)| (key.get_ref().to_string(), json(value.get_ref())));
    serde_json::Value::Object(entries.collect())
}

/// A value as JSON. Numbers that JSON does not have become text, as dates do.
fn json(value: &DeValue<'_>) -> serde_json::Value {
    match value {
        DeValue::String(text) => text.as_ref().into(),
        DeValue::Integer(digits) => integer(value).map_or_else(|| digits.as_str().into(), Into::into),
        DeValue::Float(digits) => {
            let finite = number(value).and_then(serde_json::Number::from_f64);
            finite.map_or_else(|| digits.as_str().into(), serde_json::Value::Number)
        }
        DeValue::Boolean(is_true) => (*is_true).into(),
        DeValue::Datetime(date) => date.to_string().into(),
        DeValue::Array(list) => list.iter().map(|one| json(one.get_ref())).collect(),
        DeValue::Table(table) => json_object(table),
    }
}
