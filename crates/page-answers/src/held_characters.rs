//! Characters whose files are in memory.

use crate::characters::Characters;
use asset_bake::{AssetSettings, CharacterFile, RequestedSettings, SettingsFileChoice, character_name};
use skinned_model::{ResolveError, ResolveUri};
use std::collections::BTreeMap;
use std::path::Path;

/// Characters whose files and settings the caller gives as bytes and text.
#[derive(Debug, Default)]
pub struct HeldCharacters {
    held: Vec<HeldCharacter>,
    requested: RequestedSettings,
}

/// A character's file, with everything that its bake needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldCharacter {
    /// The name of the file, such as `runa.glb`; the ending `.bonebox` means a baked file.
    pub file: String,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// The other files that a .gltf names, by the URI in this file.
    pub buffers: BTreeMap<String, Vec<u8>>,
    /// The text of the `bonebox.toml` that applies to the asset, or the texts of several ([`bake_settings::joined_texts`]); may be
    /// empty. Its `motions` and `[[shared]]` sets are errors,
    /// because they need other files.
    pub settings: String,
}

impl HeldCharacters {
    /// No characters yet. The options are pairs of a key and a text, and override those of each character's settings.
    #[must_use]
    pub fn new(options: Vec<(String, String)>) -> Self {
        Self { held: Vec::new(), requested: RequestedSettings { options, file: SettingsFileChoice::None } }
    }

    /// Adds a character and returns its number.
    pub fn add(&mut self, character: HeldCharacter) -> usize {
        self.held.push(character);
        self.held.len() - 1
    }
}

impl Characters for HeldCharacters {
    fn count(&self) -> usize {
        self.held.len()
    }

    fn file(&self, id: usize) -> String {
        self.held[id].file.clone()
    }

    fn name(&self, id: usize) -> String {
        character_name(Path::new(&self.held[id].file))
    }

    fn requested(&self) -> &RequestedSettings {
        &self.requested
    }

    fn state(&self, _: usize) -> String {
        String::new()
    }

    fn open(&self, id: usize) -> anyhow::Result<CharacterFile> {
        let HeldCharacter { file, bytes, buffers, .. } = &self.held[id];
        Ok(CharacterFile::of_bytes(bytes, file, &HeldBuffers(buffers))?)
    }

    fn settings(&self, id: usize, requested: &RequestedSettings) -> anyhow::Result<AssetSettings> {
        Ok(AssetSettings::of_text(&self.name(id), "settings", &self.held[id].settings, &requested.options)?)
    }

    fn settings_file(&self, _: usize) -> Option<String> {
        None
    }

    fn members(&self, _: &AssetSettings) -> (Vec<usize>, Vec<String>) {
        (Vec::new(), Vec::new())
    }
}

/// Resolves the URIs of buffers that are in memory.
#[derive(Clone, Copy, Debug)]
pub struct HeldBuffers<'a>(pub &'a BTreeMap<String, Vec<u8>>);

impl ResolveUri for HeldBuffers<'_> {
    fn resolve(&self, uri: &str, max_bytes: u64) -> Result<Vec<u8>, ResolveError> {
        let bytes = self.0.get(uri).ok_or_else(|| ResolveError::NotFound { uri: uri.to_owned() })?;
        let found = bytes.len() as u64;
        if found > max_bytes {
            return Err(ResolveError::TooLarge { uri: uri.to_owned(), found, limit: max_bytes });
        }
        Ok(bytes.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Answers;
    use crate::query::Query;
    use serde_json::Value;

    fn man(file: &str, settings: &str) -> Answers<HeldCharacters> {
        let man = test_models::box_man().to_gltf();
        let mut held = HeldCharacters::new(Vec::new());
        let buffers = BTreeMap::from([("man.bin".to_owned(), man.bin.clone())]);
        let bytes = if file.ends_with(".gltf") { man.to_separate("man.bin").into() } else { man.to_glb() };
        held.add(HeldCharacter { file: file.into(), bytes, buffers, settings: settings.into() });
        Answers::new(held)
    }

    fn ask(answers: &Answers<HeldCharacters>, question: &str, query: &str) -> Value {
        serde_json::from_str(&answers.answer(question, &Query::parse(query)).unwrap().unwrap()).unwrap()
    }

    #[test]
    fn characters_in_memory_are_baked_with_their_settings_and_other_options() {
        let answers = man("man.glb", "preset = 'tight'");
        let preset = |query: &str| ask(&answers, "bake", query)["bake"]["options"]["poses"].clone();
        let of_file = man("man.glb", "");
        assert_eq!(preset("id=0"), ask(&of_file, "bake", "id=0&option.preset=tight")["bake"]["options"]["poses"]);
        assert_eq!(preset("id=0&option.preset=always"), "any");
        assert_eq!(ask(&answers, "listing", "")["characters"][0]["name"], "man");
    }

    #[test]
    fn an_asset_with_buffers_is_the_same_character() {
        let boxes = |file: &str| ask(&man(file, ""), "bake", "id=0")["bake"]["boxes"].clone();
        assert_eq!(boxes("man.gltf"), boxes("man.glb"));
    }

    #[test]
    fn mistakes_are_messages() {
        let refusal = |answers: &Answers<HeldCharacters>, query: &str| {
            format!("{:#}", answers.answer("bake", &Query::parse(query)).unwrap().unwrap_err())
        };
        assert!(refusal(&man("man.glb", "fit = 'pac'"), "id=0").contains("settings:1:"));
        assert!(refusal(&man("man.glb", ""), "id=1").contains("id must be the number of a character, below 1"));
        assert!(man("man.glb", "").answer("secrets", &Query::default()).is_none());
        let broken = HeldCharacter { file: "broken.glb".into(), bytes: vec![1, 2], ..HeldCharacter::default() };
        let mut held = HeldCharacters::new(Vec::new());
        held.add(broken);
        assert!(refusal(&Answers::new(held), "id=0").starts_with("broken.glb: "));
    }
}
