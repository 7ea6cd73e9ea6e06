//! Words that may not appear, with what to write instead.

/// A word, its replacement, and why.
struct Word {
    found: &'static str,
    instead: &'static str,
    why: &'static str,
}

const BRITISH: &str = "code and prose use American spelling";
const UNCLEAR: &str = "a reader has to guess who does what";

const WORDS: [Word; 14] = [
    Word { found: "behaviour", instead: "behavior", why: BRITISH },
    Word { found: "centre", instead: "center", why: BRITISH },
    Word { found: "colour", instead: "color", why: BRITISH },
    Word { found: "initialis", instead: "initializ", why: BRITISH },
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

/// Folders whose Rust and Markdown files are held to the list. A folder is added when its texts are rewritten.
const FOLDERS: [&str; 10] = [
    "crates/asset-bake/",
    "crates/bake-settings/",
    "crates/geometry-core/",
    "crates/gltf-export/",
    "crates/hull/",
    "crates/mocap/",
    "crates/skeleton/",
    "testing/",
    "xtask/",
    "CONTRIBUTING.md",
];

/// This file quotes the words.
const THIS: &str = "xtask/src/tidy/words.rs";

/// Adds a breach for each line of a file that has such a word.
pub(super) fn check(file: &str, text: &str, breaches: &mut Vec<String>) {
    let held = FOLDERS.iter().any(|folder| file.starts_with(folder)) && file != THIS;
    if !held || ![".rs", ".md"].iter().any(|ending| file.ends_with(ending)) {
        return;
    }
    for (number, line) in (1..).zip(text.lines()) {
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
        super::check("assets/other.md", "colour", &mut breaches);
        assert_eq!(breaches.len(), 1);
    }
}
