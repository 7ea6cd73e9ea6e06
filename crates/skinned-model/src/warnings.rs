//! What was odd, in bounded number.

use crate::ImportWarning;

/// Collects warnings; a broken file must not make more text than it has bytes.
#[derive(Default)]
pub(crate) struct Warnings {
    kept: Vec<ImportWarning>,
    dropped: usize,
}

/// So many are kept, the rest counted.
const MOST: usize = 500;

impl Warnings {
    pub(crate) fn add(&mut self, code: &'static str, joint: Option<&str>, text: String) {
        if self.kept.len() < MOST {
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
