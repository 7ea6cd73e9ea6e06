//! Collects the warnings of an import, in limited number.

use crate::ImportWarning;

/// Collects warnings. The limit ensures that a broken file does not give more text than it has bytes.
#[derive(Default)]
pub(crate) struct Warnings {
    kept: Vec<ImportWarning>,
    bytes: usize,
    dropped: usize,
}

/// The largest number of warnings and the largest number of their bytes; further warnings are only counted. A joint's
/// name may be as long as the file.
const MOST: usize = 500;
const MOST_BYTES: usize = 1 << 20;

impl Warnings {
    pub(crate) fn add(&mut self, code: &'static str, joint: Option<&str>, text: String) {
        self.bytes += text.len() + joint.map_or(0, str::len);
        if self.kept.len() < MOST && self.bytes <= MOST_BYTES {
            self.kept.push(ImportWarning { code, joint: joint.map(str::to_owned), text });
        } else {
            self.dropped += 1;
        }
    }

    pub(crate) fn finish(mut self) -> Vec<ImportWarning> {
        if self.dropped > 0 {
            let text = format!("{} more warnings are not listed", self.dropped);
            self.kept.push(ImportWarning { code: "more-warnings", joint: None, text });
        }
        self.kept
    }
}
