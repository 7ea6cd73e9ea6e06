//! Editing `bonebox.toml`.

use anyhow::Context as _;
use asset_bake::{replace_file, shown_path};
use bake_settings::EditError;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The number of attempts while another program changes the file.
const TRIES: usize = 8;

/// Edits of this process wait for each other.
static EDIT: Mutex<()> = Mutex::new(());

/// Edits the text of a settings file and replaces the file. A file that does not exist is edited as an empty text. If
/// another program saves the file in the meantime, the new text is edited instead.
pub(crate) fn edit_settings(
    file: &Path,
    mut edit: impl FnMut(&str) -> Result<String, EditError>,
) -> anyhow::Result<()> {
    let shown = shown_path(file);
    let read = || match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {shown}")),
    };
    let _edit = EDIT.lock().unwrap_or_else(PoisonError::into_inner);
    for _ in 0..TRIES {
        let text = read()?;
        let edited = edit(text.as_deref().unwrap_or_default()).map_err(|error| match error {
            // The message begins with the line.
            EditError::Wrong(error) => anyhow::anyhow!("{shown}:{error}"),
            error => anyhow::anyhow!("{shown}: {error}"),
        })?;
        if read()? == text {
            return Ok(replace_file(file, edited.as_bytes())?);
        }
    }
    anyhow::bail!(
        "{shown}: another program changed the file {TRIES} times during this edit; nothing was written, try again"
    )
}

#[cfg(test)]
mod tests {
    use super::edit_settings;
    use std::cell::Cell;
    use std::fs;

    #[test]
    fn a_save_of_another_program_during_an_edit_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bonebox.toml");
        fs::write(&file, "first").unwrap();
        let saves = Cell::new(0);
        let edit = |most: usize| {
            edit_settings(&file, |text| {
                if saves.get() < most {
                    saves.set(saves.get() + 1);
                    fs::write(&file, format!("saved {}", saves.get())).unwrap();
                }
                Ok(format!("{text}, edited"))
            })
        };
        edit(2).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "saved 2, edited");
        let refusal = edit(usize::MAX).unwrap_err().to_string();
        assert!(refusal.contains("another program changed the file"), "{refusal}");
        assert!(!fs::read_to_string(&file).unwrap().contains("edited"), "nothing was written");
    }
}
