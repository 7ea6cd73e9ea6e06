//! Names of files, joints and clips in messages.

use std::borrow::Cow;

/// Returns the text with its control characters as escape sequences of Rust (`\n`, `\u{1b}`), for messages. A line break in
/// a name would break a message or a table, and an escape sequence of a terminal would change its colors.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if letter.is_control() { shown.extend(letter.escape_debug()) } else { shown.push(letter) }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_other_letters_stay() {
        assert_eq!(printable("a\nb\r\t\u{1b}[31m\u{7f}\u{9b}"), r"a\nb\r\t\u{1b}[31m\u{7f}\u{9b}");
        assert!(matches!(printable("Mädchen 少女 \"\\ '"), Cow::Borrowed("Mädchen 少女 \"\\ '")));
    }
}
