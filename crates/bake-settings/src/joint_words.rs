//! Names of joints, cut into words.

/// The words of a joint's name in lower case, cut at separators, digits and capitals. A prefix up to a colon is dropped.
pub(crate) fn words_of(name: &str) -> Vec<String> {
    let name = name.rsplit(':').next().unwrap_or(name);
    let mut words: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let starts = letter.is_uppercase() && !before.is_uppercase();
        if (starts || !letter.is_alphabetic()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}
