//! What each option means, for command lines and commented files.

use crate::options::BakeOptions;

/// An option, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionHelp {
    /// One of [`BakeOptions::KEYS`].
    pub key: &'static str,
    /// What it can be: `dominant | threshold | any`, or a range in words.
    pub values: &'static str,
    /// What it does, in a line.
    pub text: &'static str,
}

const fn help(key: &'static str, values: &'static str, text: &'static str) -> OptionHelp {
    OptionHelp { key, values, text }
}

const SHARE: &str = "share of the height";

impl BakeOptions {
    /// What each of [`BakeOptions::KEYS`] means, in the same order.
    pub const HELP: &'static [OptionHelp] = &[
        help("attachments", "include | skip", "Rigid meshes below joints (swords, helmets)"),
        help("bridge", "none | surface | ring", "How triangles between two joints' groups are covered"),
        help("budget", "1 to 1000", "Boxes for the character, as a multiple of the joints that have any"),
        help("exclude", "patterns, *hand*", "Joints that get no box"),
        help("fit", "pca | vertex-pca | min-volume | joint-axes", "How a box is turned"),
        help("group", "dominant | threshold | any", "Which joints a vertex belongs to"),
        help("include", "patterns, *hand*", "The only joints that get boxes"),
        help("keep", "above 0 to 1", "The central share of each corner's way over the clips that is held"),
        help("margin", SHARE, "Moves every face outward"),
        help("max_boxes", "auto | 1 and more", "How many boxes one joint may have"),
        help("measure", "none | rest | clips", "What coverage is measured over"),
        help("measure_moments", "0 (all) and more", "At how many moments of the clips it is measured at most"),
        help("merge", "patterns, *hand*", "Joints merged into the nearest above"),
        help("min_size", SHARE, "Below this length a group is small"),
        help("min_thickness", SHARE, "The least full thickness of a box"),
        help("min_vertices", "0 and more", "With fewer vertices a group is small"),
        help("min_weight", "auto | 0 to 1", "The least share of a vertex's weights for threshold and any"),
        help("objective", "volume | surface-area", "What min-volume makes small"),
        help("poses", "bind | clips", "Which poses a box is fitted to"),
        help("preset", "recipe | tight | cover", "Sets all other options; words beside it override"),
        help("rate", "0.1 to 10000", "How often clips are sampled, per second; keys are always taken"),
        help("small", "keep | merge | skip", "What becomes of small groups"),
        help("symmetry", "off | on", "Whether boxes of mirrored joints share a size"),
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
}
