//! What was odd, in bounded number.

use crate::ImportWarning;

/// Collects warnings; a broken file must not make more text than it has bytes.
#[derive(Default)]
pub(crate) struct Warnings {
    kept: Vec<ImportWarning>,
    bytes: usize,
    dropped: usize,
}

/// So many are kept, and so many bytes of them; the rest is counted. A joint's name may be as long as the file.
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
