//! The names of characters in errors about a character that is not the expected one.

/// The name of the character that was found, as an error names it. If both characters have the same name, the text says
/// that the character is another bake.
#[cold]
pub(crate) fn other_name(expected: &str, found: &str) -> String {
    if expected == found { format!("another bake of {found:?}") } else { format!("{found:?}") }
}

/// [`other_name`], followed by "not of" and the name of the expected character if the two names differ.
#[cold]
pub(crate) fn other_not_of(expected: &str, found: &str) -> String {
    let other = other_name(expected, found);
    if expected == found { other } else { format!("{other}, not of {expected:?}") }
}
