//! The body of the fuzz target `settings`.

use crate::settings::Settings;

/// Reads any bytes as a settings file. What is read can be asked about any character, and an error points into the
/// text.
///
/// # Panics
/// Where that does not hold: a defect.
pub fn file(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    match Settings::parse(&text) {
        Ok(settings) => {
            for name in ["runa", ""] {
                settings.for_character(name, &[]).expect("the reader has checked all options");
            }
            true
        }
        Err(error) => {
            assert!(error.line >= 1 && error.line <= text.matches('\n').count() + 1, "{error}");
            assert!(error.excerpt.len() < 1024, "{}", error.excerpt.len());
            false
        }
    }
}
