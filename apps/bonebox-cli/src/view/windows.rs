//! Edits of the windows of attacks and states from the page's timeline.

use crate::settings_file::{Written, edit_settings};
use crate::view::studio::Studio;
use bake_settings::{ClipEntry, EditError, Settings, file_of_entry, with_windows};
use baked_format::Window;
use serde::{Deserialize, Serialize};

/// New windows of an attack or a state.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WindowChange {
    /// The index of the character.
    id: usize,
    clip: String,
    entry: Entry,
    /// The windows that the edit began with, as seconds of the clip.
    before: Vec<[f32; 2]>,
    after: Vec<[f32; 2]>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Entry {
    /// An attack by its name.
    Attack(String),
    /// A state by its number among those of the clip.
    State(usize),
}

#[derive(Serialize)]
struct Saved {
    #[serde(flatten)]
    written: Written,
    /// The pattern of the section's characters; `None` for the section of all characters.
    section: Option<String>,
}

/// Checks the windows as a bake does, and writes them into the nearest settings file that has the entry. Returns JSON:
/// the file and its section.
///
/// # Errors
/// Returns an error with line and cure if the windows do not fit the clip or the file. Nothing is written then.
pub(crate) fn save(studio: &Studio, change: &WindowChange) -> anyhow::Result<String> {
    let (nearest, name) = studio.settings_file(change.id)?;
    anyhow::ensure!(
        studio.is_asset(change.id)?,
        "{name} is a baked file; show its asset to edit its attacks and states"
    );
    let baked = studio.baked(change.id, studio.requested())?;
    let entry = match &change.entry {
        Entry::Attack(name) => ClipEntry::Attack(name),
        Entry::State(number) => ClipEntry::State(*number),
    };
    let windows = [&change.before, &change.after]
        .map(|windows| windows.iter().map(|&[from, to]| Window { from, to }).collect::<Vec<Window>>());
    let mut written_to = None;
    let files = studio.read_settings(change.id)?;
    let settings: Vec<&Settings> = files.iter().map(|(_, settings)| settings).collect();
    // An entry that no file has is an error of the edit.
    let found = file_of_entry(&settings, &name, &change.clip, entry);
    let (file, entry) = match found {
        Some((index, entry)) => (&files[index].0, entry),
        None => (&nearest, entry),
    };
    let written = edit_settings(file, |text| {
        let (edited, section) = with_windows(text, &name, &change.clip, entry, [&windows[0], &windows[1]])?;
        let edited_file = Settings::parse_layer(&edited)?;
        let mut all = settings.clone();
        if let Some((index, _)) = found {
            all[index] = &edited_file;
        }
        // The options do not matter here, and those of the files are valid.
        if let Ok(own) = Settings::for_character_in(&all, &name, &[]) {
            bone_fit::check_attacks(&own.overrides, &baked).map_err(|error| {
                match edited_file.attack_mistake(&name, &error) {
                    Some(mistake) => EditError::Wrong(mistake),
                    None => EditError::NoEntry { entry: error.entry, clip: error.clip },
                }
            })?;
        }
        written_to = section;
        Ok(edited)
    })?;
    Ok(serde_json::to_string(&Saved { written, section: written_to })?)
}
