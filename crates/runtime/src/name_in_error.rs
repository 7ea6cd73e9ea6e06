//! The names of characters in errors about a character that is not the expected one.

/// The name of the character that was found. Says that it is another bake if it has the name of the expected character.
#[cold]
pub(crate) fn other_name(expected: &str, found: &str) -> String {
    if expected == found { format!("another bake of {found:?}") } else { format!("{found:?}") }
}

/// [`other_name`], followed by the name of the expected character if it differs.
#[cold]
pub(crate) fn other_not_of(expected: &str, found: &str) -> String {
    let other = other_name(expected, found);
    if expected == found { other } else { format!("{other}, not of {expected:?}") }
}
