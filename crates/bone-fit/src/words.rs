//! Enums that are written as words, and the nearest word to a mistyped one.

/// An enum whose variants have a word each: `WORDS`, `word()` and `from_word()`.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        impl $name {
            /// Every word, in the order of the variants.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// As it stands in options and files.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// The variant of that exact word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}
pub(crate) use words;

/// The candidate that `typed` most likely meant, unless all are far off.
///
/// Compared without regard to case, by the number of letters to insert, delete, replace or swap with a neighbour
/// (optimal string alignment distance). At most a third of the letters, and never fewer than two, may be wrong. The
/// first of equally near ones wins.
#[must_use]
pub fn nearest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A name of a page's length is no typing error, and the distance takes the product of the lengths.
    const LONGEST: usize = 256;
    let typed: Vec<char> = typed.to_lowercase().chars().take(LONGEST).collect();
    let limit = (typed.len() / 3).max(2);
    let near = candidates.into_iter().filter_map(|candidate| {
        let letters: Vec<char> = candidate.to_lowercase().chars().take(LONGEST).collect();
        let distance = alignment_distance(&typed, &letters);
        (distance <= limit && distance < letters.len()).then_some((distance, candidate))
    });
    near.min_by_key(|&(distance, _)| distance).map(|(_, candidate)| candidate)
}

fn alignment_distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1; b.len() + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(a[i] != b[j]);
            row[j + 1] = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_word_that_was_meant() {
        let words = ["pca", "vertex-pca", "min-volume", "joint-axes"];
        assert_eq!(nearest("min-volum", words), Some("min-volume"));
        assert_eq!(nearest("minvolume", words), Some("min-volume"));
        assert_eq!(nearest("PAC", words), Some("pca"));
        assert_eq!(nearest("something else", words), None);
        assert_eq!(nearest("", words), None);
    }

    #[test]
    fn a_swap_is_one_mistake() {
        let distance =
            |a: &str, b: &str| alignment_distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(distance("abcd", "abdc"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
