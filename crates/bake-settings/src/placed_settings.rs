//! The settings that apply to one character, each with its place in the files.

use crate::sections::{PART_SET, ROOT};
use crate::settings::Settings;
use skeleton::NamePattern;
use std::collections::{BTreeMap, BTreeSet};
use toml_edit::{Array, Document, InlineTable, Item, Table, TableLike, Value};

/// One setting that applies to a character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedSetting {
    /// The names of the sections that contain it, such as `["joints", "head"]`; empty at the top of a file. The section
    /// `[characters.NAME]` is left out.
    pub section: Vec<String>,
    /// The key.
    pub key: String,
    /// The value in TOML, on one line.
    pub value: String,
    /// The places that set it; several if the sections of several places add to a list.
    pub places: Vec<SettingPlace>,
}

/// The place of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SettingPlace {
    /// The index of the file.
    pub file: usize,
    /// The line in the file, counted from 1.
    pub line: usize,
}

impl Settings {
    /// Returns the settings that several files give the character with this name, and their places. The files are in the order
    /// of [`Settings::for_character_in`]. Settings that others override are left out, and so are sets of shared hitboxes, which
    /// are settings of several characters. Written into one file, the settings give the character the same bake.
    #[must_use]
    pub fn placed_settings(files: &[&Self], character: &str) -> Vec<PlacedSetting> {
        let mut found = Found::default();
        for (file, settings) in files.iter().enumerate() {
            // A file that was accepted is valid TOML.
            let Ok(document) = Document::parse(settings.text.as_str()) else { continue };
            let reader = Reader { file, line_ends: settings.text.match_indices('\n').map(|(at, _)| at).collect() };
            reader.section(document.as_table(), &mut found);
            let Some(characters) = document.get("characters").and_then(Item::as_table_like) else { continue };
            let mut own: Vec<(usize, &dyn TableLike)> = Vec::new();
            for (name, item) in characters.iter().filter(|(name, _)| NamePattern::new(*name).matches(character)) {
                own.extend(item.as_table_like().map(|section| (start_of_key(characters, name), section)));
            }
            own.sort_by_key(|(start, _)| *start);
            own.into_iter().for_each(|(_, section)| reader.section(section, &mut found));
        }
        let mut all: Vec<_> = found.0.into_iter().collect();
        all.sort_by_key(|(_, one)| one.order);
        all.into_iter().map(|((section, key), one)| one.into_setting(section, key)).collect()
    }
}

/// A text as a value of TOML, with quotes.
#[must_use]
pub fn toml_text(text: &str) -> String {
    Value::from(text).to_string()
}

/// The settings that were found so far.
#[derive(Default)]
struct Found(BTreeMap<(Vec<String>, String), OneFound>, usize);

struct OneFound {
    /// The number of settings that were found before this one.
    order: usize,
    /// The elements of a list, or one value.
    parts: Vec<(Value, SettingPlace)>,
    is_list: bool,
}

/// The way in which a section changes a setting of the sections before it.
#[derive(Clone, Copy)]
enum Change {
    Replace,
    /// The elements are added to the list.
    Append,
    /// The elements are added to the list, in place of those with the same name.
    AppendNamed,
    /// The fields of the table are added to it, in place of those with the same key.
    Merge,
}

impl Found {
    fn set(&mut self, section: &[&str], key: &str, value: Value, place: SettingPlace, change: Change) {
        let Self(all, found) = self;
        let name = (section.iter().map(|name| (*name).to_owned()).collect(), key.to_owned());
        let one = all.entry(name).or_insert_with(|| {
            *found += 1;
            OneFound { order: *found, parts: Vec::new(), is_list: false }
        });
        match change {
            Change::Replace => one.parts = vec![(value, place)],
            Change::Append | Change::AppendNamed => {
                one.is_list = true;
                let added = elements(value);
                if matches!(change, Change::AppendNamed) {
                    // Names are unique within a section.
                    let names: BTreeSet<String> = added.iter().filter_map(name_of).collect();
                    one.parts.retain(|(earlier, _)| name_of(earlier).is_none_or(|name| !names.contains(&name)));
                }
                one.parts.extend(added.into_iter().map(|element| (element, place)));
            }
            Change::Merge => {
                let mut parts: Vec<(Value, SettingPlace)> = std::mem::take(&mut one.parts);
                let merged = parts.first_mut().and_then(|(value, _)| value.as_inline_table_mut());
                match (merged, value.as_inline_table()) {
                    (Some(merged), Some(added)) => {
                        for (key, value) in added {
                            merged.insert(key, value.clone());
                        }
                        let same = parts[0].0.clone();
                        parts.push((same, place));
                    }
                    _ => parts.push((value, place)),
                }
                one.parts = parts;
            }
        }
    }

    /// Removes what a preset, or `false`, resets.
    fn remove(&mut self, is_reset: impl Fn(&[String], &str) -> bool) {
        self.0.retain(|(section, key), _| !is_reset(section, key));
    }
}

impl OneFound {
    fn into_setting(self, section: Vec<String>, key: String) -> PlacedSetting {
        let mut places: Vec<SettingPlace> = self.parts.iter().map(|(_, place)| *place).collect();
        places.sort_unstable();
        places.dedup();
        let value = match self.is_list {
            true => Value::Array(self.parts.into_iter().map(|(value, _)| value).collect::<Array>()).to_string(),
            false => self.parts.into_iter().next().map(|(value, _)| value.to_string()).unwrap_or_default(),
        };
        PlacedSetting { section, key, value: value.trim().to_owned(), places }
    }
}

struct Reader {
    file: usize,
    /// Where the lines of the text end, in bytes.
    line_ends: Vec<usize>,
}

impl Reader {
    /// Adds the settings at the top of a file, or of a character's section.
    fn section(&self, table: &dyn TableLike, found: &mut Found) {
        if table.contains_key("preset") {
            let is_option = |section: &[String], key: &str| {
                let is_set = section == ["parts"] && key == PART_SET;
                is_set || (section.is_empty() && bone_fit::BakeOption::find(key).is_some()) || is_preset(section, key)
            };
            found.remove(is_option);
        }
        for (key, item) in table.iter() {
            let place = self.place(table, key);
            match (key, item.as_table_like()) {
                ("characters" | "shared" | ROOT, _) => {}
                ("parts", None) => found.set(&["parts"], PART_SET, plain(item), place, Change::Replace),
                ("parts", Some(parts)) => {
                    for (part, item) in parts.iter() {
                        match item.as_table_like() {
                            Some(options) => self.each(options, &["parts", part], |_| Change::Replace, found),
                            None => {
                                found.set(&["parts"], part, plain(item), self.place(parts, part), Change::Replace);
                            }
                        }
                    }
                }
                ("joints", Some(joints)) => {
                    for (joint, item) in joints.iter() {
                        let Some(options) = item.as_table_like() else { continue };
                        if options.contains_key("preset") {
                            let is_kept = |key: &str| matches!(key, "tags" | "boxes" | "skip");
                            found.remove(|section, key| section == ["joints", joint] && !is_kept(key));
                        }
                        let change = |key: &str| match key {
                            "tags" | "boxes" => Change::Append,
                            _ => Change::Replace,
                        };
                        self.each(options, &["joints", joint], change, found);
                    }
                }
                ("clips", Some(clips)) => {
                    for (clip, item) in clips.iter() {
                        let Some(entries) = item.as_table_like() else { continue };
                        let change = |key: &str| match key {
                            "attacks" => Change::AppendNamed,
                            _ => Change::Append,
                        };
                        self.each(entries, &["clips", clip], change, found);
                    }
                }
                ("tags", Some(tags)) => self.each(tags, &["tags"], |_| Change::Append, found),
                ("humanoid" | "ragdoll", None) => {
                    if item.as_bool() == Some(false) {
                        found.remove(|section, _| section.first().is_some_and(|name| name == key));
                    } else if found.0.keys().any(|(section, _)| section.first().is_some_and(|name| name == key)) {
                        // The section says so already.
                        continue;
                    }
                    found.set(&[], key, plain(item), place, Change::Replace);
                }
                ("humanoid" | "ragdoll", Some(own)) => {
                    if own.is_empty() {
                        found.set(&[], key, Value::from(true), place, Change::Replace);
                        continue;
                    }
                    found.remove(|section, other| section.is_empty() && other == key);
                    for (name, item) in own.iter() {
                        match item.as_table_like() {
                            Some(joints) => self.each(joints, &[key, name], |_| Change::Merge, found),
                            None => found.set(&[key], name, plain(item), self.place(own, name), Change::Replace),
                        }
                    }
                }
                (_, Some(entries)) if matches!(key, "limits" | "sets") => {
                    self.each(entries, &[key], |_| Change::Replace, found);
                }
                _ => found.set(&[], key, plain(item), place, Change::Replace),
            }
        }
    }

    fn each(&self, table: &dyn TableLike, section: &[&str], change: impl Fn(&str) -> Change, found: &mut Found) {
        for (key, item) in table.iter() {
            found.set(section, key, plain(item), self.place(table, key), change(key));
        }
    }

    fn place(&self, table: &dyn TableLike, key: &str) -> SettingPlace {
        let start = start_of_key(table, key);
        SettingPlace { file: self.file, line: self.line_ends.partition_point(|end| *end < start) + 1 }
    }
}

fn is_preset(section: &[String], key: &str) -> bool {
    section.is_empty() && key == "preset"
}

/// Where a key stands in the text, in bytes.
fn start_of_key(table: &dyn TableLike, key: &str) -> usize {
    let item = || table.get(key).and_then(Item::span);
    table.key(key).and_then(|key| key.span()).or_else(item).map_or(0, |span| span.start)
}

fn elements(value: Value) -> Vec<Value> {
    match value {
        Value::Array(array) => array.into_iter().collect(),
        other => vec![other],
    }
}

/// The name of an attack.
fn name_of(value: &Value) -> Option<String> {
    Some(value.as_inline_table()?.get("name")?.as_str()?.to_owned())
}

/// The item as a value without comments and line ends.
fn plain(item: &Item) -> Value {
    match item {
        Item::None => Value::from(true),
        Item::Value(value) => plain_value(value),
        Item::Table(table) => Value::InlineTable(plain_table(table)),
        Item::ArrayOfTables(tables) => {
            Value::Array(tables.iter().map(|one| Value::InlineTable(plain_table(one))).collect())
        }
    }
}

fn plain_table(table: &Table) -> InlineTable {
    table.iter().map(|(key, item)| (key.to_owned(), plain(item))).collect()
}

fn plain_value(value: &Value) -> Value {
    match value {
        Value::Array(array) => Value::Array(array.iter().map(plain_value).collect()),
        Value::InlineTable(table) => {
            Value::InlineTable(table.iter().map(|(key, value)| (key.to_owned(), plain_value(value))).collect())
        }
        // A text of several lines becomes a text of one line.
        Value::String(text) => Value::from(text.value().as_str()),
        other => {
            let mut other = other.clone();
            other.decor_mut().clear();
            other
        }
    }
}
