//! What each option means, for command lines and commented files.

use crate::options::{
    Attachments, BakeOptions, Bridge, Fit, Group, MOST_WHOLE, Measure, Objective, Poses, Preset, Small, Symmetry,
};
use OptionKind::Word;

/// An option, for people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionHelp {
    /// One of [`BakeOptions::KEYS`].
    pub key: &'static str,
    /// What it can be: `dominant | threshold | any`, or a range in words.
    pub values: &'static str,
    /// What it does, in a line.
    pub text: &'static str,
    /// The same as `values`, for programs.
    pub kind: OptionKind,
}

/// What an option's values are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionKind {
    /// One of these words.
    Word(&'static [&'static str]),
    /// A number in this range.
    Number {
        /// The least it can be.
        least: f64,
        /// The most it can be.
        most: f64,
        /// Whether the word `auto` will do too.
        auto: bool,
    },
    /// A whole number in this range.
    Whole {
        /// The least it can be.
        least: u32,
        /// The most it can be.
        most: u32,
        /// Whether the word `auto` will do too.
        auto: bool,
    },
    /// Patterns for joint names, separated by commas.
    Patterns,
}

const fn help(key: &'static str, kind: OptionKind, values: &'static str, text: &'static str) -> OptionHelp {
    OptionHelp { key, values, text, kind }
}

const fn number(least: f64, most: f64) -> OptionKind {
    OptionKind::Number { least, most, auto: false }
}

const fn whole(least: u32, auto: bool) -> OptionKind {
    OptionKind::Whole { least, most: MOST_WHOLE, auto }
}

const SHARE: &str = "share of the height";
const SHARES: OptionKind = number(0.0, 1.0);
const AUTO_SHARES: OptionKind = OptionKind::Number { least: 0.0, most: 1.0, auto: true };
const PATTERNS: OptionKind = OptionKind::Patterns;

impl BakeOptions {
    /// What each of [`BakeOptions::KEYS`] means, in the same order.
    pub const HELP: &'static [OptionHelp] = &[
        help("attachments", Word(Attachments::WORDS), "include | skip", "Rigid meshes below joints (swords, helmets)"),
        help(
            "bridge",
            Word(Bridge::WORDS),
            "none | surface | ring",
            "How triangles between two joints' groups are covered",
        ),
        help(
            "budget",
            number(1.0, 1000.0),
            "1 to 1000",
            "Boxes for the character, as a multiple of the joints that have any",
        ),
        help("exclude", PATTERNS, "patterns, *hand*", "Joints that get no box"),
        help("fit", Word(Fit::WORDS), "pca | vertex-pca | min-volume | joint-axes", "How a box is turned"),
        help("group", Word(Group::WORDS), "dominant | threshold | any", "Which joints a vertex belongs to"),
        help("include", PATTERNS, "patterns, *hand*", "The only joints that get boxes"),
        help(
            "keep",
            number(f64::MIN_POSITIVE, 1.0),
            "above 0 to 1",
            "The central share of moving surface that is held",
        ),
        help("margin", SHARES, SHARE, "Moves every face outward"),
        help("max_boxes", whole(1, true), "auto | 1 and more", "How many boxes one joint may have"),
        help("measure", Word(Measure::WORDS), "none | rest | clips", "What coverage is measured over"),
        help(
            "measure_moments",
            whole(0, false),
            "0 (all) and more",
            "At how many moments of the clips it is measured at most",
        ),
        help("merge", PATTERNS, "patterns, *hand*", "Joints merged into the nearest above"),
        help("min_size", SHARES, SHARE, "Below this length a group is small"),
        help("min_thickness", SHARES, SHARE, "The least full thickness of a box"),
        help("min_vertices", whole(0, false), "0 and more", "With fewer vertices a group is small"),
        help("min_weight", AUTO_SHARES, "auto | 0 to 1", "The least share of a vertex's weights for threshold and any"),
        help("objective", Word(Objective::WORDS), "volume | surface-area", "What min-volume makes small"),
        help("poses", Word(Poses::WORDS), "bind | clips", "Which poses a box is fitted to"),
        help(
            "preset",
            Word(Preset::WORDS),
            "recipe | tight | cover",
            "Sets all other options; words beside it override",
        ),
        help(
            "rate",
            number(0.1, 10_000.0),
            "0.1 to 10000",
            "How often clips are sampled, per second; keys are always taken, and more where joints turn fast",
        ),
        help("small", Word(Small::WORDS), "keep | merge | skip", "What becomes of small groups"),
        help("symmetry", Word(Symmetry::WORDS), "off | on", "Whether boxes of mirrored joints share a size"),
        help("tie_tolerance", SHARES, "share of the weights", "How much weights that tie may differ"),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_explained() {
        let explained: Vec<&str> = BakeOptions::HELP.iter().map(|help| help.key).collect();
        assert_eq!(explained, BakeOptions::KEYS);
    }

    #[test]
    fn every_word_is_a_value() {
        for help in BakeOptions::HELP.iter().filter(|help| help.values.contains(" | ")) {
            for word in help.values.split(" | ").filter(|word| !word.contains(' ')) {
                BakeOptions::default().set(help.key, word).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }

    #[test]
    fn kinds_are_what_can_be_set() {
        let can_be = |key: &str, value: &str| BakeOptions::default().set(key, value).is_ok();
        for help in BakeOptions::HELP {
            let (key, least, most, auto) = match help.kind {
                OptionKind::Word(words) => {
                    assert!(words.iter().all(|word| can_be(help.key, word)) && !can_be(help.key, "0"), "{}", help.key);
                    continue;
                }
                OptionKind::Patterns => {
                    assert!(can_be(help.key, "") && can_be(help.key, "*a*, b?"), "{}", help.key);
                    continue;
                }
                OptionKind::Number { least, most, auto } => (help.key, least, most, auto),
                OptionKind::Whole { least, most, auto } => {
                    assert!(!can_be(help.key, "1.5"), "{}", help.key);
                    (help.key, f64::from(least), f64::from(most), auto)
                }
            };
            for (value, good) in
                [(least, true), (most, true), (least - 1.0, false), (most + 1.0, false), (f64::NAN, false)]
            {
                assert_eq!(can_be(key, &value.to_string()), good, "{key} = {value}");
            }
            assert_eq!(can_be(key, "auto"), auto, "{key}");
        }
    }
}
