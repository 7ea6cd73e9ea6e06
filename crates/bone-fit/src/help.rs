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
        help("fit", "pca | vertex-pca | min-volume | joint-axes", "How a box is turned"),
        help("group", "dominant | threshold | any", "Which joints a vertex belongs to"),
        help("margin", SHARE, "Moves every face outward"),
        help("min_thickness", SHARE, "The least full thickness of a box"),
        help("min_weight", "auto | 0 to 1", "The least share of a vertex's weights for threshold and any"),
        help("objective", "volume | surface-area", "What min-volume makes small"),
        help("preset", "recipe", "Sets all other options; words beside it override"),
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
