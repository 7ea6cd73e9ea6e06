//! Editing `bonebox.toml`.

use anyhow::Context as _;
use asset_bake::{replace_file, shown_path};
use std::fmt::Display;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Edits the text of a settings file and replaces the file. A file that does not exist is edited as an empty text.
pub(crate) fn edit_settings<E: Display>(
    file: &Path,
    edit: impl FnOnce(&str) -> Result<String, E>,
) -> anyhow::Result<()> {
    let shown = shown_path(file);
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {shown}")),
    };
    let edited = edit(&text).map_err(|error| anyhow::anyhow!("{shown}:{error}"))?;
    Ok(replace_file(file, edited.as_bytes())?)
}
