//! Formats names and texts from a file for messages: quoted, escaped, and shortened if they are long.

/// The longest name in a message, in characters.
const QUOTED_CHARACTERS: usize = 60;

/// `mesh 3 "Body"`, or `mesh 3` if it has no name.
pub(crate) fn object(kind: &str, index: usize, name: Option<&str>) -> String {
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{kind} {index} {}", quoted(name)),
        None => format!("{kind} {index}"),
    }
}

/// The text in quotes, escaped, and shortened if it is long.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_CHARACTERS) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// The text, shortened if it is long.
pub(crate) fn short(text: &str) -> String {
    match text.char_indices().nth(QUOTED_CHARACTERS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
