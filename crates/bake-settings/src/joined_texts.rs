//! The texts of several settings files in one text, for places that keep the settings of a character in memory.

use crate::error::SettingsError;
use crate::settings::Settings;

/// The character between two texts, U+001E. TOML does not allow it, so no text contains it.
const BETWEEN: char = '\u{1e}';

/// Returns one text from the texts of several files, the outermost first. [`Settings::parse_texts`] reads it. A single text is
/// unchanged.
#[must_use]
pub fn joined_texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    texts.into_iter().collect::<Vec<_>>().join(&BETWEEN.to_string())
}

/// The text of the nearest file in a text of [`joined_texts`], which is the file that edits change.
#[must_use]
pub fn nearest_text(joined: &str) -> &str {
    joined.rsplit(BETWEEN).next().unwrap_or_default()
}

impl Settings {
    /// Reads and checks the text of one file, or the texts of several files ([`joined_texts`]). Files above one with `root = true`
    /// are left out. The outermost comes first, and there is at least one.
    ///
    /// # Errors
    /// Returns the first mistake, as [`Settings::parse`].
    pub fn parse_texts(joined: &str) -> Result<Vec<Self>, SettingsError> {
        let mut files: Vec<Self> = Vec::new();
        for text in joined.split(BETWEEN) {
            let file = Self::parse_layer(text)?;
            if file.is_root() {
                files.clear();
            }
            file.check_sets(&files.iter().collect::<Vec<_>>())?;
            files.push(file);
        }
        Ok(files)
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}
