//! Errors of texts that are not BVH motions.

/// The reason why a text is not a BVH motion: the place, what was expected, what was found, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the BVH text is wrong at line {line}, column {column}: expected {expected}, found {found}; {cure}")]
pub struct BvhError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in bytes, counted from 1.
    pub column: usize,
    /// The text or value that was expected at this place.
    pub expected: String,
    /// The text that was found at this place.
    pub found: String,
    /// An instruction that removes the error.
    pub cure: &'static str,
}

impl BvhError {
    /// Makes an error for the byte at `offset` of the text.
    pub(crate) fn at(
        text: &[u8],
        offset: usize,
        expected: impl Into<String>,
        found: String,
        cure: &'static str,
    ) -> Self {
        let before = &text[..offset.min(text.len())];
        // A line ends with \n, \r\n or \r.
        let ends = |index: usize| match before[index] {
            b'\n' => true,
            b'\r' => text.get(index + 1) != Some(&b'\n'),
            _ => false,
        };
        let line = (0..before.len()).filter(|&index| ends(index)).count() + 1;
        let start = (0..before.len()).rev().find(|&index| ends(index)).map_or(0, |index| index + 1);
        Self { line, column: before.len() - start + 1, expected: expected.into(), found, cure }
    }
}
