//! Edits of hitboxes from the page, and earlier texts of a settings file that the page puts back.

use crate::settings_file::{Written, edit_settings, restore_settings};
use crate::view::studio::Studio;
use bake_settings::{Settings, with_hitboxes};
use page_answers::Edits;
use serde::{Deserialize, Serialize};

/// Edited hitboxes of a character.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HitboxChange {
    /// The index of the character.
    id: usize,
    edits: Edits,
}

#[derive(Serialize)]
struct Saved {
    #[serde(flatten)]
    written: Written,
    /// What a person should know about the edit.
    notes: Vec<String>,
}

/// Writes edited hitboxes into the nearest settings file of the character. Returns JSON.
///
/// # Errors
/// Returns an error with line and cure if the edits do not fit the character or the file. Nothing is written then.
pub(crate) fn save(studio: &Studio, change: &HitboxChange) -> anyhow::Result<String> {
    let (file, name) = studio.settings_file(change.id)?;
    anyhow::ensure!(studio.is_asset(change.id)?, "{name} is a baked file; show its asset to edit its hitboxes");
    let baked = studio.baked(change.id, studio.requested())?;
    let edits = change.edits.of_joints()?;
    let mut notes = Vec::new();
    let files = studio.read_settings(change.id)?;
    let above: Vec<&Settings> = files.iter().map(|(_, settings)| settings).rev().skip(1).rev().collect();
    let written = edit_settings(&file, |text| {
        let edited = with_hitboxes(&above, text, &name, &baked, &edits)?;
        notes = edited.notes;
        Ok(edited.text)
    })?;
    Ok(serde_json::to_string(&Saved { written, notes })?)
}

/// An earlier text of a settings file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Restore {
    /// The index of the character that the settings file applies to.
    id: usize,
    /// The text that the file must have now; `None` if it must not exist.
    expected: Option<String>,
    /// The text to write; `None` to remove the file.
    text: Option<String>,
}

/// Puts an earlier text of a settings file back. Returns JSON.
///
/// # Errors
/// Returns an error if the file does not have the expected text. Nothing is written then.
pub(crate) fn restore(studio: &Studio, change: &Restore) -> anyhow::Result<String> {
    let (file, _) = studio.settings_file(change.id)?;
    let written = restore_settings(&file, change.expected.as_deref(), change.text.as_deref())?;
    Ok(serde_json::to_string(&written)?)
}
