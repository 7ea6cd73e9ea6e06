//! Finds words that may not appear, and names their replacements.

/// A word, its replacement, and why.
struct Word {
    found: &'static str,
    instead: &'static str,
    why: &'static str,
}

const BRITISH: &str = "code and prose use American spelling";
const UNCLEAR: &str = "a reader has to guess who does what";
const GLOSSARY: &str = "the glossary in ARCHITECTURE.md has one word for each idea";

const WORDS: [Word; 22] = [
    Word { found: "behaviour", instead: "behavior", why: BRITISH },
    Word { found: "centre", instead: "center", why: BRITISH },
    Word { found: "colour", instead: "color", why: BRITISH },
    Word { found: "grey", instead: "gray", why: BRITISH },
    Word { found: "initialis", instead: "initializ", why: BRITISH },
    Word { found: "licence", instead: "license", why: BRITISH },
    Word { found: "metres", instead: "meters", why: BRITISH },
    Word { found: "modelling", instead: "modeling", why: BRITISH },
    Word { found: "neighbour", instead: "neighbor", why: BRITISH },
    Word { found: "normalis", instead: "normaliz", why: BRITISH },
    Word { found: "optimis", instead: "optimiz", why: BRITISH },
    Word { found: "per cent", instead: "percent", why: BRITISH },
    Word { found: "quantis", instead: "quantiz", why: BRITISH },
    Word { found: "recognis", instead: "recogniz", why: BRITISH },
    Word { found: "anyone's guess", instead: "unpredictable", why: UNCLEAR },
    Word { found: "bears on", instead: "applies to", why: UNCLEAR },
    Word { found: "comes over it", instead: "overrides it", why: UNCLEAR },
    Word { found: "is asked for", instead: "the limit or the option by name", why: UNCLEAR },
    Word { found: "is told of", instead: "the one who says it, as the subject", why: UNCLEAR },
    Word { found: "guessed wrong", instead: "mispredicted", why: "compilers and processors have this word" },
    Word { found: "hand-made", instead: "manual", why: GLOSSARY },
    Word { found: "honestly", instead: "nothing", why: "the sentence says the same without it" },
];

/// Files that quote such words, contain file names with such words, or are written by a program.
const QUOTING: [&str; 4] = [
    "xtask/src/tidy/words.rs",
    "checks/corpus-agreement/tests/all/corpus/bakes.rs",
    "crates/baked-format/src/generated.rs",
    "crates/skinned-model/tests/all/corpus/variants.rs",
];

/// A comment that opens with one of these words seldom has a subject and a verb.
const FRAGMENTS: [&str; 8] = ["Of", "Whose", "Behind", "Between", "There", "Such", "Who", "Whom"];

/// Words that may not open a doc comment. Such a comment is a question in place of a statement: write "True if …",
/// "Returns true if …", "The number of …" or "The distance …".
const OPENINGS: [&str; 3] = ["Whether", "Which", "How"];

/// Adds a breach for each line of a Rust or Markdown file with such a word.
pub(super) fn check(file: &str, text: &str, breaches: &mut Vec<String>) {
    if QUOTING.contains(&file) {
        return;
    }
    let mut after_doc = false;
    for (number, line) in (1..).zip(text.lines()) {
        let comment = line.trim_start().strip_prefix("//").map(|comment| comment.trim_start_matches(['/', '!']));
        let first = comment.and_then(|comment| comment.split_whitespace().next());
        if let Some(word) = FRAGMENTS.iter().find(|word| first == Some(**word)) {
            breaches.push(format!("{file}:{number}: write a sentence with a subject in place of {word:?}: {UNCLEAR}"));
        }
        let is_doc = ["///", "//!"].iter().any(|mark| line.trim_start().starts_with(mark));
        if let Some(word) = OPENINGS.iter().find(|word| is_doc && !after_doc && first == Some(**word)) {
            breaches.push(format!(
                "{file}:{number}: open the comment with a noun or a verb in place of {word:?}: {UNCLEAR}"
            ));
        }
        after_doc = is_doc;
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
        super::check("a.rs", "    // Whom it hits.\n", &mut breaches);
        assert_eq!(breaches.len(), 3, "{breaches:?}");
        super::check("a.rs", "    /// Whether it hits.\n    /// How far.\n    // How far.\n", &mut breaches);
        assert_eq!(breaches.len(), 4, "{breaches:?}");
    }
}
