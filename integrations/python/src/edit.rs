//! Edited hitboxes in the text of a `bonebox.toml`.

use crate::character::Bake;
use crate::errors;
use crate::hitbox::Hitbox;
use asset_bake::RequestedSettings;
use bake_settings::{EditError, EditedText, JointEdit, Settings, joined_texts, with_hitboxes};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Return the text of a bonebox.toml with edited hitboxes, and notes for people.
///
/// - `text`: the text of the file; empty for a new file. Comments and everything else stay unchanged.
/// - `bake`: the bake that was edited. Hitboxes that equal one of it keep their numbers to the last bit.
/// - `edits`: for each joint by name, all hitboxes that it has from now on, or None for its fitted ones again.
/// - `character`: the name of the character's section; by default the name of the bake.
/// - `above`: the texts of the files in parent folders that also apply, the outermost first. `settings_files` names them.
///   They are not changed; an edit that one of them undoes or doubles raises `SettingsError`.
///
/// The page and Blender edit with the same function, so the same edit gives the same text. Raises `SettingsError`.
#[pyfunction]
#[pyo3(signature = (text, bake, edits, *, character=None, above=Vec::new()))]
pub(crate) fn edit_settings(
    py: Python<'_>,
    text: &str,
    bake: &Bound<'_, Bake>,
    edits: &Bound<'_, PyAny>,
    character: Option<&str>,
    above: Vec<String>,
) -> PyResult<(String, Vec<String>)> {
    let edits = py.import("builtins")?.call_method1("dict", (edits,))?;
    let edits: BTreeMap<String, Option<Vec<Hitbox>>> = edits.extract()?;
    let edit = |hitboxes: Option<Vec<Hitbox>>| match hitboxes {
        None => JointEdit::Fitted,
        Some(hitboxes) => JointEdit::Hitboxes(hitboxes.into_iter().map(|one| one.edited).collect()),
    };
    let edits = edits.into_iter().map(|(joint, hitboxes)| (joint, edit(hitboxes))).collect();
    let baked = bake.get().baked();
    let edited = || -> Result<EditedText, EditError> {
        let files = match Settings::parse_layer(text)?.is_root() || above.is_empty() {
            true => Vec::new(),
            false => Settings::parse_texts(&joined_texts(above.iter().map(String::as_str)))?,
        };
        let above: Vec<&Settings> = files.iter().collect();
        with_hitboxes(&above, text, character.unwrap_or(&baked.name), baked, &edits)
    };
    let edited = edited().map_err(|error| errors::of_edit(py, "bonebox.toml", &error))?;
    Ok((edited.text, edited.notes))
}

/// The paths of the bonebox.toml files that apply to an asset, the outermost first. The last one is the nearest.
///
/// Empty if there is none. The asset need not exist, but its folder must. Raises `SettingsError` if a file has a mistake.
#[pyfunction]
pub(crate) fn settings_files(py: Python<'_>, asset: PathBuf) -> PyResult<Vec<PathBuf>> {
    let files = py.detach(|| RequestedSettings::default().read_files(&asset));
    let files = files.map_err(|error| errors::of_bake(py, &error))?;
    Ok(files.into_iter().map(|(path, _)| path).collect())
}
