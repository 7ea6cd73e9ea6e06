//! Mistakes in a settings file, with their line and column.

use std::ops::Range;

/// A mistake in a settings file. The message is `LINE:COLUMN: problem` followed by the line itself. Write the file's
/// name before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {problem}\n{excerpt}")]
pub struct SettingsError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The problem as a sentence: what is wrong, what was expected and what to do.
    pub problem: String,
    /// The line, with marks below the mistake.
    pub excerpt: String,
}

/// The largest number of characters shown of a line.
const MOST_SHOWN: usize = 100;

impl SettingsError {
    /// Makes an error for a range of bytes of the text. An end inside a character moves to the start of that character.
    pub(crate) fn at(text: &str, span: Range<usize>, problem: impl Into<String>) -> Self {
        let start = floor(text, span.start);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let rest = &text[line_start..];
        let line = rest.split('\n').next().unwrap_or_default().trim_end_matches('\r');
        let number = before.matches('\n').count() + 1;
        let column = text[line_start..start].chars().count();
        let end = floor(text, span.end).clamp(start, start.max(line_start + line.len()));
        let marks = text[start..end].chars().count().max(1);
        Self {
            line: number,
            column: column + 1,
            problem: problem.into(),
            excerpt: excerpt(line, number, column, marks),
        }
    }
}

/// The last start of a character at or before `at`.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn excerpt(line: &str, number: usize, column: usize, marks: usize) -> String {
    let first = column.saturating_sub(MOST_SHOWN / 2);
    let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
    let shown: String = line.chars().skip(first).take(MOST_SHOWN).map(plain).collect();
    let (number, blank) = (number.to_string(), " ".repeat(number.to_string().len()));
    let marks = marks.min(shown.chars().count().saturating_sub(column - first)).max(1);
    format!("  {number} | {}\n  {blank} | {}{}", shown.trim_end(), " ".repeat(column - first), "^".repeat(marks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_and_in_characters() {
        let text = "a = 1\r\n\u{e9} = 2\n";
        let place = |span| {
            let error = SettingsError::at(text, span, "");
            (error.line, error.column)
        };
        assert_eq!((place(0..1), place(4..5), place(7..9), place(10..11)), ((1, 1), (1, 5), (2, 1), (2, 3)));
        assert_eq!(place(8..8), (2, 1), "in the middle of a character");
        assert_eq!(place(99..999), (3, 1), "beyond the end");
    }

    #[test]
    fn only_a_part_of_a_long_line_is_shown() {
        let text = format!("{}x", "\t".repeat(5000));
        let error = SettingsError::at(&text, 5000..5001, "here");
        assert_eq!(error.excerpt.len(), 115);
        assert!(error.to_string().ends_with("x\n    |                                                   ^"), "{error}");
    }
}
