//! Edited hitboxes in the text of a `bonebox.toml`.

use crate::character::Bake;
use crate::errors;
use crate::hitbox::Hitbox;
use bake_settings::{JointEdit, with_hitboxes};
use pyo3::prelude::*;
use std::collections::BTreeMap;

/// Return the text of a bonebox.toml with edited hitboxes, and notes for people.
///
/// - `text`: the text of the file; empty for a new file. Comments and everything else stay unchanged.
/// - `bake`: the bake that was edited. Hitboxes that equal one of it keep their numbers to the last bit.
/// - `edits`: for each joint by name, all hitboxes that it has from now on, or None for its fitted ones again.
/// - `character`: the name of the character's section; by default the name of the bake.
///
/// The page and Blender edit with the same function, so the same edit gives the same text. Raises `SettingsError`.
#[pyfunction]
#[pyo3(signature = (text, bake, edits, *, character=None))]
pub(crate) fn edit_settings(
    py: Python<'_>,
    text: &str,
    bake: &Bound<'_, Bake>,
    edits: &Bound<'_, PyAny>,
    character: Option<&str>,
) -> PyResult<(String, Vec<String>)> {
    let edits = py.import("builtins")?.call_method1("dict", (edits,))?;
    let edits: BTreeMap<String, Option<Vec<Hitbox>>> = edits.extract()?;
    let edit = |hitboxes: Option<Vec<Hitbox>>| match hitboxes {
        None => JointEdit::Fitted,
        Some(hitboxes) => JointEdit::Hitboxes(hitboxes.into_iter().map(|one| one.edited).collect()),
    };
    let edits = edits.into_iter().map(|(joint, hitboxes)| (joint, edit(hitboxes))).collect();
    let baked = bake.get().baked();
    let edited = with_hitboxes(&[], text, character.unwrap_or(&baked.name), baked, &edits);
    let edited = edited.map_err(|error| errors::of_edit(py, "bonebox.toml", &error))?;
    Ok((edited.text, edited.notes))
}
