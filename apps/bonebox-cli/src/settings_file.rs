//! Editing `bonebox.toml`.

use anyhow::Context as _;
use asset_bake::{replace_file, shown_path};
use bake_settings::EditError;
use serde::Serialize;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The number of attempts while another program changes the file.
const TRIES: usize = 8;

/// Edits of this process wait for each other.
static EDIT: Mutex<()> = Mutex::new(());

/// A settings file that was written, with its text before and after; `None` if there was no file.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Written {
    /// The path, for people.
    pub(crate) file: String,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// Edits the text of a settings file and replaces the file. A file that does not exist is edited as an empty text. If
/// another program saves the file in the meantime, the new text is edited instead.
pub(crate) fn edit_settings(
    file: &Path,
    mut edit: impl FnMut(&str) -> Result<String, EditError>,
) -> anyhow::Result<Written> {
    let shown = shown_path(file);
    let _edit = EDIT.lock().unwrap_or_else(PoisonError::into_inner);
    for _ in 0..TRIES {
        let text = read(file)?;
        let edited = edit(text.as_deref().unwrap_or_default()).map_err(|error| match error {
            // The message begins with the line.
            EditError::Wrong(error) => anyhow::anyhow!("{shown}:{error}"),
            error => anyhow::anyhow!("{shown}: {error}"),
        })?;
        if read(file)? == text {
            replace_file(file, edited.as_bytes())?;
            return Ok(Written { file: shown, before: text, after: Some(edited) });
        }
    }
    anyhow::bail!(
        "{shown}: another program changed the file {TRIES} times during this edit; nothing was written, try again"
    )
}

/// Puts an earlier text of a settings file back, or removes the file if the text is `None`.
///
/// # Errors
/// Returns an error if the file does not have the text `expected` (`None`: no file), or cannot be written.
pub(crate) fn restore_settings(file: &Path, expected: Option<&str>, text: Option<&str>) -> anyhow::Result<Written> {
    let _edit = EDIT.lock().unwrap_or_else(PoisonError::into_inner);
    let shown = shown_path(file);
    anyhow::ensure!(
        read(file)?.as_deref() == expected,
        "{shown} has been changed since the page wrote it, so the earlier text would undo that change too; nothing was \
         written. Edit the file by hand"
    );
    match text {
        Some(text) => replace_file(file, text.as_bytes())?,
        None if expected.is_some() => fs::remove_file(file).with_context(|| format!("cannot remove {shown}"))?,
        None => {}
    }
    Ok(Written { file: shown, before: expected.map(str::to_owned), after: text.map(str::to_owned) })
}

/// The text of a settings file; `None` if the file does not exist.
fn read(file: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", shown_path(file))),
    }
}

#[cfg(test)]
mod tests {
    use super::{edit_settings, restore_settings};
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
    #[test]
    fn an_earlier_text_comes_back_unless_the_file_was_changed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bonebox.toml");
        let written = edit_settings(&file, |text| Ok(format!("{text}margin = 0.1\n"))).unwrap();
        let (before, after) = (written.before, written.after);
        assert_eq!((before, after.as_deref()), (None, Some("margin = 0.1\n")));
        restore_settings(&file, Some("margin = 0.1\n"), None).unwrap();
        assert!(!file.exists(), "there was no file before");
        restore_settings(&file, None, Some("margin = 0.1\n")).unwrap();
        fs::write(&file, "margin = 0.2\n").unwrap();
        let refusal = restore_settings(&file, Some("margin = 0.1\n"), None).unwrap_err().to_string();
        assert!(refusal.contains("has been changed since"), "{refusal}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "margin = 0.2\n");
    }
}
