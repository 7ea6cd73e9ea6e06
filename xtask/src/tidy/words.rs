//! Words that may not appear, with what to write instead.

/// A word, its replacement, and why.
struct Word {
    found: &'static str,
    instead: &'static str,
    why: &'static str,
}

const BRITISH: &str = "code and prose use American spelling";
const UNCLEAR: &str = "a reader has to guess who does what";

const WORDS: [Word; 17] = [
    Word { found: "behaviour", instead: "behavior", why: BRITISH },
    Word { found: "centre", instead: "center", why: BRITISH },
    Word { found: "colour", instead: "color", why: BRITISH },
    Word { found: "grey", instead: "gray", why: BRITISH },
    Word { found: "initialis", instead: "initializ", why: BRITISH },
    Word { found: "licence", instead: "license", why: BRITISH },
    Word { found: "metres", instead: "meters", why: BRITISH },
    Word { found: "neighbour", instead: "neighbor", why: BRITISH },
    Word { found: "normalis", instead: "normaliz", why: BRITISH },
    Word { found: "optimis", instead: "optimiz", why: BRITISH },
    Word { found: "quantis", instead: "quantiz", why: BRITISH },
    Word { found: "recognis", instead: "recogniz", why: BRITISH },
    Word { found: "bears on", instead: "applies to", why: UNCLEAR },
    Word { found: "comes over it", instead: "overrides it", why: UNCLEAR },
    Word { found: "is asked for", instead: "the limit or the option by name", why: UNCLEAR },
    Word { found: "is told of", instead: "the one who says it, as the subject", why: UNCLEAR },
    Word { found: "honestly", instead: "nothing", why: "the sentence says the same without it" },
];

/// Files that quote such words, that have them in names that others gave to files, or that a program writes.
const QUOTING: [&str; 4] = [
    "xtask/src/tidy/words.rs",
    "checks/corpus-agreement/tests/all/corpus/bakes.rs",
    "crates/baked-format/src/generated.rs",
    "crates/skinned-model/tests/all/corpus/variants.rs",
];

/// A comment that opens with one of these words seldom has a subject and a verb.
const FRAGMENTS: [&str; 5] = ["Of", "Whose", "Behind", "Between", "There"];

/// Adds a breach for each line of a Rust or Markdown file that has such a word.
pub(super) fn check(file: &str, text: &str, breaches: &mut Vec<String>) {
    if QUOTING.contains(&file) {
        return;
    }
    for (number, line) in (1..).zip(text.lines()) {
        let comment = line.trim_start().strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let first = comment.and_then(|comment| comment.split_whitespace().next());
        if let Some(word) = FRAGMENTS.iter().find(|word| first == Some(**word)) {
            breaches.push(format!("{file}:{number}: write a sentence with a subject in place of {word:?}: {UNCLEAR}"));
        }
        let line = line.to_lowercase();
        for Word { found, instead, why } in WORDS.iter().filter(|word| line.contains(word.found)) {
            breaches.push(format!("{file}:{number}: write {instead:?} for {found:?}: {why}"));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_word_is_found_with_its_line_and_replacement() {
        let mut breaches = Vec::new();
        super::check("crates/hull/src/lib.rs", "//! A hull.\n//! The Centre of it.\n", &mut breaches);
        assert_eq!(breaches.len(), 1);
        assert!(breaches[0].starts_with("crates/hull/src/lib.rs:2: write \"center\" for \"centre\""), "{breaches:?}");
        super::check("a.rs", "    /// Of the hull.\n    /// A part\n    /// Of-course.\n", &mut breaches);
        assert_eq!(breaches.len(), 2, "{breaches:?}");
    }
}
