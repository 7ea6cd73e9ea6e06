//! The key `shared`: characters that get the same hitboxes.

use crate::error::SettingsError;
use crate::reader::{Key, Reader, Result, Value, in_order, wrong_kind};
use crate::sections::{SHARED_KEYS, SharedEntry, Span};
use crate::settings::Settings;
use crate::shared_settings::{SharedFrom, SharedScale, SharedSettings};
use bone_fit::{did_you_mean, nearest_name};
use skeleton::NamePattern;
use toml::de::DeValue;

impl Reader<'_> {
    /// Reads the list of the key `shared`.
    pub(crate) fn shared(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<Vec<SharedEntry>> {
        let DeValue::Array(list) = value.get_ref() else {
            let problem = wrong_kind(key, value.get_ref(), "a list; write [[shared]], with two brackets");
            return self.error(value.span(), problem);
        };
        let mut entries: Vec<SharedEntry> = Vec::new();
        for value in list {
            let entry = self.shared_entry(key, value)?;
            if entries.iter().any(|other| other.settings.name == entry.settings.name) {
                let problem = format!("two shared sets have the name {:?}; rename one of them", entry.settings.name);
                return self.error(entry.span, problem);
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    fn shared_entry(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<SharedEntry> {
        let DeValue::Table(table) = value.get_ref() else {
            let expected = "a list of sections, each { name = …, characters = … }";
            return self.error(value.span(), wrong_kind(key, value.get_ref(), expected));
        };
        let mut name = String::new();
        let mut patterns: Vec<(NamePattern, Span)> = Vec::new();
        let (mut from, mut from_span, mut scale) = (SharedFrom::Union, value.span(), SharedScale::None);
        for (key, value) in in_order(table) {
            match key.get_ref().as_ref() {
                "name" => name = self.name(key, value)?,
                "characters" => {
                    let each: Vec<Value<'_, '_>> = match value.get_ref() {
                        DeValue::Array(values) => values.iter().collect(),
                        _ => vec![value],
                    };
                    for value in each {
                        let pattern = NamePattern::new(self.name(key, value)?.as_str());
                        patterns.push((pattern, value.span()));
                    }
                }
                "from" => {
                    from_span = value.span();
                    from = match self.name(key, value)?.as_str() {
                        "union" => SharedFrom::Union,
                        "mean" => SharedFrom::Mean,
                        character => SharedFrom::Character(character.to_owned()),
                    };
                }
                "scale" => {
                    scale = SharedScale::ALL[self.keyword(key, value, &SharedScale::ALL.map(SharedScale::keyword))?];
                }
                _ => return self.unknown(key, "a shared set has no key", SHARED_KEYS, Some(&SHARED_KEYS)),
            }
        }
        if name.is_empty() {
            return self.error(value.span(), "this shared set has no name; add name = \"…\"");
        }
        if patterns.is_empty() {
            let problem = "this shared set has no characters; add characters = [\"…\"], the names of their files";
            return self.error(value.span(), problem);
        }
        let (characters, pattern_spans) = patterns.into_iter().unzip();
        let settings = SharedSettings { name, characters, from, scale };
        Ok(SharedEntry { settings, span: value.span(), pattern_spans, from_span })
    }
}

impl Settings {
    /// The sets of shared hitboxes, in the order of the file.
    pub fn shared(&self) -> impl Iterator<Item = &SharedSettings> {
        self.shared.iter().map(|entry| &entry.settings)
    }

    /// Checks the sets of shared hitboxes against the names of all characters that the file applies to. A name may occur
    /// several times.
    ///
    /// # Errors
    /// Returns an error for the first pattern that matches no character, the first character in two sets, and the first
    /// `from` that names no character of its set.
    pub fn check_shared(&self, names: &[&str]) -> Result<(), SettingsError> {
        let error = |span: &Span, problem: String| Err(SettingsError::at(&self.text, span.clone(), problem));
        for (index, entry) in self.shared.iter().enumerate() {
            let SharedSettings { name, characters, from, .. } = &entry.settings;
            for (pattern, span) in characters.iter().zip(&entry.pattern_spans) {
                if !names.iter().any(|name| pattern.matches(name)) {
                    let cure = match nearest_name(pattern.as_str(), names.iter().copied()) {
                        None => "; correct the name, or delete it".to_owned(),
                        nearest => did_you_mean(nearest),
                    };
                    let problem =
                        format!("there is no character {:?} in this folder or its subfolders{cure}", pattern.as_str());
                    return error(span, problem);
                }
            }
            let members = || names.iter().copied().filter(|name| entry.settings.has(name));
            let twice = self.shared[..index].iter().find_map(|other| {
                let both = members().find(|name| other.settings.has(name))?;
                Some((both, &other.settings.name))
            });
            if let Some((both, other)) = twice {
                let problem = format!(
                    "the character {both:?} is in two shared sets, {other:?} and {name:?}; remove it from one of them"
                );
                return error(&entry.span, problem);
            }
            if let SharedFrom::Character(model) = from {
                match members().filter(|name| name == model).count() {
                    1 => {}
                    0 => {
                        let known = ["union", "mean"].into_iter().chain(members());
                        let hint = did_you_mean(nearest_name(model, known));
                        let problem = format!(
                            "from is {model:?}, but must be union, mean, or the name of one character of the set{hint}"
                        );
                        return error(&entry.from_span, problem);
                    }
                    count => {
                        let problem =
                            format!("from is {model:?}, but {count} files have this name; rename one of them");
                        return error(&entry.from_span, problem);
                    }
                }
            }
        }
        Ok(())
    }

    /// The error for a set of shared hitboxes that cannot be made, with its place in the file.
    #[must_use]
    pub fn shared_mistake(&self, name: &str, problem: &str) -> SettingsError {
        let entry = self.shared.iter().find(|entry| entry.settings.name == name);
        let span = entry.map(|entry| entry.span.clone()).unwrap_or_default();
        SettingsError::at(&self.text, span, format!("the shared set {name:?}: {problem}"))
    }
}
