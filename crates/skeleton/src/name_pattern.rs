//! Patterns for the names of joints and characters.
//!
//! The matcher is our own because glob libraries give a meaning to `[`, `{` and `\`, and joint names contain these.

use std::fmt;

/// A pattern for names: `*` stands for any run of characters, `?` for any one character, and case is ignored.
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
    /// The pattern with this text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The patterns of a list that is separated by commas. Spaces around a pattern and empty patterns are dropped.
    #[must_use]
    pub fn list(text: &str) -> Vec<Self> {
        text.split(',').map(str::trim).filter(|pattern| !pattern.is_empty()).map(Self::new).collect()
    }

    /// The pattern as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the whole name matches. Takes at most the product of both lengths in time.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        let pattern: Vec<char> = self.0.to_lowercase().chars().collect();
        let name: Vec<char> = name.to_lowercase().chars().collect();
        let (mut in_name, mut in_pattern) = (0, 0);
        // The last `*` and the end of what it stands for. After a mismatch only this star has to take one more
        // character: an earlier star could not reach further.
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
    fn a_long_name_does_not_take_long() {
        assert!(!NamePattern::new("*a".repeat(50)).matches(&"a".repeat(40)));
    }
}
