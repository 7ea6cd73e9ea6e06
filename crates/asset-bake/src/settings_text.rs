//! Reads the text of one settings file.

use crate::AssetError;
use crate::error::SettingsFileError;
use crate::printable_path::shown_path;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// Reads the text of a settings file, for [`AssetSettings::of_text`](crate::AssetSettings::of_text).
///
/// # Errors
/// Returns [`AssetError::SettingsFile`] if the file cannot be read or is not UTF-8.
pub fn read_settings_text(path: &Path) -> Result<String, AssetError> {
    read(path).map_err(|source| AssetError::SettingsFile { file: shown_path(path), source })
}

/// Reads one byte more than the parser accepts, so that the parser reports a file that is too long.
pub(crate) fn read(path: &Path) -> Result<String, SettingsFileError> {
    let mut bytes = Vec::new();
    File::open(path)?.take(bake_settings::MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        SettingsFileError::NotUtf8 { line: before.iter().filter(|byte| **byte == b'\n').count() + 1 }
    })
}
