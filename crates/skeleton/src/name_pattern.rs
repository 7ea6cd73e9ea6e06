//! Patterns for the names of joints and characters.
//!
//! The matcher is our own because joint names contain `[`, `{` and `\`, which have a meaning in the patterns of glob
//! libraries.

use std::fmt;

/// A pattern for names. `*` matches any number of characters, `?` matches one character, and case is ignored.
///
/// ```
/// use skeleton::NamePattern;
///
/// assert!(NamePattern::new("*finger*").matches("LeftFinger1"));
/// assert!(NamePattern::new("spine.???").matches("Spine.001"));
/// assert!(!NamePattern::new("spine").matches("spine.001"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamePattern(String);

impl NamePattern {
    /// Makes a pattern.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Makes a list of patterns from a text with commas between the patterns. Spaces around patterns and empty patterns
    /// are ignored.
    #[must_use]
    pub fn list(text: &str) -> Vec<Self> {
        text.split(',').map(str::trim).filter(|pattern| !pattern.is_empty()).map(Self::new).collect()
    }

    /// The text of the pattern.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns `true` if the pattern matches the whole name. The time is at most proportional to the product of both
    /// lengths.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        let pattern: Vec<char> = self.0.to_lowercase().chars().collect();
        let name: Vec<char> = name.to_lowercase().chars().collect();
        let (mut in_name, mut in_pattern) = (0, 0);
        // `star` holds the last `*` and the end of its match. After a mismatch, only the last star has to match one
        // more character: a longer match of an earlier star could not help.
        let mut star = None;
        while in_name < name.len() {
            match pattern.get(in_pattern) {
                Some('*') => {
                    star = Some((in_pattern, in_name));
                    in_pattern += 1;
                }
                Some(&letter) if letter == '?' || letter == name[in_name] => {
                    in_name += 1;
                    in_pattern += 1;
                }
                _ => {
                    let Some((position, end)) = star else { return false };
                    star = Some((position, end + 1));
                    (in_pattern, in_name) = (position + 1, end + 1);
                }
            }
        }
        pattern[in_pattern..].iter().all(|letter| *letter == '*')
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("a*b*c", "AxxbybC", true),
            ("a*b*c", "axxbyb", false),
            ("?", "", false),
            ("*.l", "hand.l.l", true),
            ("hand", "hand", true),
            ("DEF-[x]*", "def-[x].001", true),
        ] {
            assert_eq!(NamePattern::new(pattern).matches(name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn lists_are_separated_by_commas() {
        assert_eq!(NamePattern::list(" *finger*, toe?,, "), [NamePattern::new("*finger*"), NamePattern::new("toe?")]);
        assert_eq!(NamePattern::list(" , "), []);
    }

    #[test]
    fn a_long_name_is_matched_in_bounded_time() {
        assert!(!NamePattern::new("*a".repeat(50)).matches(&"a".repeat(40)));
    }
}
