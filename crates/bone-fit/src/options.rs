//! How to bake: typed fields, and the same as words for files and command lines.

use crate::words::{nearest, words};

words! {
    /// A named setting of all options at once.
    Preset {
        /// What the classic articles describe: dominant weight, hull, PCA, bind pose.
        Recipe = "recipe",
        /// About the volume of the recipe's smallest boxes, most of what the clips do: every piece of the surface, two
        /// boxes a bone, nine tenths of the clips.
        Tight = "tight",
        /// Nothing outside in any clip: every piece of the surface, smallest boxes, all of the clips.
        Cover = "cover",
    }
}

words! {
    /// Which joints a vertex belongs to.
    Group {
        /// The one of its largest single weight; a tie goes to the earliest slot.
        Dominant = "dominant",
        /// Those that hold at least [`BakeOptions::min_weight`] of it (`auto`: one half).
        Threshold = "threshold",
        /// Every one that holds at least [`BakeOptions::min_weight`] of it (`auto`: anything above nothing).
        Any = "any",
    }
}

words! {
    /// How triangles between vertices of different joints are covered.
    Bridge {
        /// Not at all: a box holds vertices only.
        None = "none",
        /// Every point of the surface by the joint that weighs most there.
        Surface = "surface",
        /// Whole triangles by every joint of a corner.
        Ring = "ring",
    }
}

words! {
    /// How a box is turned.
    Fit {
        /// Principal axes of the hull's surface, weighted by area (Gottschalk 1996): tessellation does not matter.
        Pca = "pca",
        /// Principal axes of the group's points, each vertex counted.
        VertexPca = "vertex-pca",
        /// The smallest box (see [`Objective`]).
        MinVolume = "min-volume",
        /// The joint's own axes.
        JointAxes = "joint-axes",
    }
}

words! {
    /// What the smallest box is smallest in.
    Objective {
        /// Few points of space that are not the character's.
        Volume = "volume",
        /// Few chance hits: how often a random line meets a box goes with its surface.
        SurfaceArea = "surface-area",
    }
}

words! {
    /// Which poses a box is fitted to.
    Poses {
        /// The one the mesh was bound in.
        Bind = "bind",
        /// That, the rest pose, and every clip, sampled [`BakeOptions::rate`] times a second, at every key, and more often
        /// where joints turn fast.
        Clips = "clips",
    }
}

words! {
    /// What is measured about the boxes.
    Measure {
        /// Nothing.
        None = "none",
        /// Coverage in the rest pose.
        Rest = "rest",
        /// Coverage in the rest pose and all clips.
        Clips = "clips",
    }
}

words! {
    /// What becomes of groups that are too small.
    Small {
        /// They get a box like all others.
        Keep = "keep",
        /// They go to the nearest joint above that has a group.
        Merge = "merge",
        /// They get no box, which is reported.
        Skip = "skip",
    }
}

words! {
    /// Whether boxes of mirrored names (`hand.l`, `hand.r`) share a size.
    Symmetry {
        /// Each its own.
        Off = "off",
        /// Both the larger, axis by axis, where each joint has one box.
        On = "on",
    }
}

words! {
    /// Whether rigid meshes below joints (swords, helmets) count.
    Attachments {
        /// They belong to the nearest joint above.
        Include = "include",
        /// They are left out.
        Skip = "skip",
    }
}

/// How to bake. Two with equal fields bake the same bytes from the same model.
#[derive(Clone, Debug, PartialEq)]
pub struct BakeOptions {
    /// What the rest was set from.
    pub preset: Preset,
    /// Which joints a vertex belongs to.
    pub group: Group,
    /// The least share of a vertex's weights for `threshold` and `any`; `None` is `auto`. In 0 to 1.
    pub min_weight: Option<f64>,
    /// How triangles between vertices of different joints are covered.
    pub bridge: Bridge,
    /// What becomes of groups that are too small.
    pub small: Small,
    /// A group is too small below this length of its bounds in joint space, as a share of the character's height.
    pub min_size: f64,
    /// A group is too small with fewer vertices.
    pub min_vertices: usize,
    /// Patterns ([`crate::matches_any`]) of the joints that get boxes; empty is all.
    pub include: String,
    /// Patterns of joints that get none.
    pub exclude: String,
    /// Patterns of joints whose groups go to the nearest joint above that has one.
    pub merge: String,
    /// Whether mirrored joints' boxes share a size.
    pub symmetry: Symmetry,
    /// How boxes are turned.
    pub fit: Fit,
    /// What [`Fit::MinVolume`] makes small.
    pub objective: Objective,
    /// Which poses boxes are fitted to.
    pub poses: Poses,
    /// The central share of where a joint's surface is over the clips that a box holds, along each of its axes, by
    /// area and time; above 0 to 1. The rest pose and the pose of binding are held whole.
    pub keep: f64,
    /// How often clips are sampled, per second. Keys are taken as well; and boxes are fitted to as many more moments as it
    /// takes for no corner of the surface to leave the straight line between two by more than [`crate::STRAY`].
    pub rate: f64,
    /// Joints whose weight is this little below the largest count as equal to it, and the earliest of them in the skeleton
    /// has the vertex or the piece of surface; a share of the vertex's weights, 0 to 1. At 0 only equal weights are
    /// equal, and the first slot has it, as the classic recipe does: then a tool that rewrites weights in 8 bits, and
    /// sorts them, moves whole bones. A step of 8 bits is 0.0039.
    pub tie_tolerance: f64,
    /// How many boxes the character may have, as a multiple of the joints that have any; 1 or more.
    pub budget: f64,
    /// How many boxes one joint may have; `None` is `auto`: as many as the budget gives it.
    pub max_boxes: Option<usize>,
    /// What is measured.
    pub measure: Measure,
    /// At how many moments it is measured at most, spread evenly over those at the rate and at keys; 0 is all of these.
    pub measure_moments: usize,
    /// Whether rigid meshes below joints count.
    pub attachments: Attachments,
    /// The least full thickness of a box, as a share of the character's height.
    pub min_thickness: f64,
    /// By how much every face is moved outward, as a share of the character's height.
    pub margin: f64,
}

impl Default for BakeOptions {
    fn default() -> Self {
        Self::preset(Preset::Recipe)
    }
}

/// Why an option could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// Use one of [`BakeOptions::KEYS`].
    #[error("there is no option {key:?}{}", hint(nearest))]
    UnknownKey {
        /// As given.
        key: String,
        /// The key that was probably meant.
        nearest: Option<&'static str>,
    },
    /// Use one of the words.
    #[error("{key} = {value:?} is none of {}{}", words.join(", "), hint(nearest))]
    UnknownWord {
        /// The option.
        key: &'static str,
        /// As given.
        value: String,
        /// What it can be.
        words: &'static [&'static str],
        /// The word that was probably meant.
        nearest: Option<&'static str>,
    },
    /// Give a number in the range.
    #[error("{key} = {value:?} is not {expected}")]
    NotInRange {
        /// The option.
        key: &'static str,
        /// As given.
        value: String,
        /// What it can be, in words.
        expected: &'static str,
    },
}

fn hint(nearest: &Option<&'static str>) -> String {
    nearest.map(|word| format!("; did you mean {word:?}?")).unwrap_or_default()
}

impl BakeOptions {
    /// What [`BakeOptions::set`] knows, sorted.
    pub const KEYS: &'static [&'static str] = &[
        "attachments",
        "bridge",
        "budget",
        "exclude",
        "fit",
        "group",
        "include",
        "keep",
        "margin",
        "max_boxes",
        "measure",
        "measure_moments",
        "merge",
        "min_size",
        "min_thickness",
        "min_vertices",
        "min_weight",
        "objective",
        "poses",
        "preset",
        "rate",
        "small",
        "symmetry",
        "tie_tolerance",
    ];

    /// All options as a preset has them.
    #[must_use]
    pub fn preset(preset: Preset) -> Self {
        let recipe = Self {
            preset,
            group: Group::Dominant,
            min_weight: None,
            bridge: Bridge::None,
            small: Small::Keep,
            min_size: 0.0,
            min_vertices: 0,
            include: String::new(),
            exclude: String::new(),
            merge: String::new(),
            symmetry: Symmetry::Off,
            fit: Fit::Pca,
            objective: Objective::Volume,
            poses: Poses::Bind,
            keep: 1.0,
            rate: 30.0,
            tie_tolerance: 0.0,
            budget: 1.0,
            max_boxes: None,
            measure: Measure::Clips,
            measure_moments: 240,
            attachments: Attachments::Include,
            min_thickness: 0.001,
            margin: 0.0,
        };
        match preset {
            Preset::Recipe => recipe,
            Preset::Tight => Self {
                bridge: Bridge::Surface,
                fit: Fit::MinVolume,
                poses: Poses::Clips,
                keep: 0.9,
                tie_tolerance: 0.004,
                budget: 2.0,
                ..recipe
            },
            Preset::Cover => Self {
                bridge: Bridge::Surface,
                fit: Fit::MinVolume,
                poses: Poses::Clips,
                keep: 1.0,
                tie_tolerance: 0.004,
                ..recipe
            },
        }
    }

    /// The least share of a vertex's weights that [`Group::Threshold`] and [`Group::Any`] ask for.
    #[must_use]
    pub fn least_weight(&self) -> f64 {
        let auto = if self.group == Group::Threshold { 0.5 } else { 0.0 };
        self.min_weight.unwrap_or(auto)
    }

    /// [`BakeOptions::max_boxes`] as a number.
    #[must_use]
    pub fn most_boxes(&self) -> usize {
        self.max_boxes.unwrap_or(usize::MAX)
    }

    /// Sets one option by its words. `preset` sets all others too: give it first.
    ///
    /// # Errors
    /// An unknown key or word, with the nearest right one, or a number out of range; nothing is changed then.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        match key {
            "preset" => *self = Self::preset(word("preset", value, Preset::from_word, Preset::WORDS)?),
            "group" => self.group = word("group", value, Group::from_word, Group::WORDS)?,
            "min_weight" if value == "auto" => self.min_weight = None,
            "min_weight" => self.min_weight = Some(number("min_weight", value, 0.0, 1.0, "auto or 0 to 1")?),
            "bridge" => self.bridge = word("bridge", value, Bridge::from_word, Bridge::WORDS)?,
            "small" => self.small = word("small", value, Small::from_word, Small::WORDS)?,
            "min_size" => self.min_size = number("min_size", value, 0.0, 1.0, SHARE)?,
            "min_vertices" => self.min_vertices = whole("min_vertices", value, 0, "a whole number")?,
            "include" => value.clone_into(&mut self.include),
            "exclude" => value.clone_into(&mut self.exclude),
            "merge" => value.clone_into(&mut self.merge),
            "symmetry" => self.symmetry = word("symmetry", value, Symmetry::from_word, Symmetry::WORDS)?,
            "fit" => self.fit = word("fit", value, Fit::from_word, Fit::WORDS)?,
            "objective" => self.objective = word("objective", value, Objective::from_word, Objective::WORDS)?,
            "poses" => self.poses = word("poses", value, Poses::from_word, Poses::WORDS)?,
            "keep" => self.keep = number("keep", value, f64::MIN_POSITIVE, 1.0, "a share above 0 and up to 1")?,
            "rate" => self.rate = number("rate", value, 0.1, 10_000.0, "a number of samples a second, 0.1 to 10000")?,
            "budget" => self.budget = number("budget", value, 1.0, 1000.0, "boxes per joint that has any, 1 to 1000")?,
            "max_boxes" if value == "auto" => self.max_boxes = None,
            "max_boxes" => self.max_boxes = Some(whole("max_boxes", value, 1, "auto or a whole number from 1")?),
            "measure" => self.measure = word("measure", value, Measure::from_word, Measure::WORDS)?,
            "measure_moments" => {
                self.measure_moments = whole("measure_moments", value, 0, "a whole number, 0 for all")?
            }
            "attachments" => {
                self.attachments = word("attachments", value, Attachments::from_word, Attachments::WORDS)?;
            }
            "min_thickness" => self.min_thickness = number("min_thickness", value, 0.0, 1.0, SHARE)?,
            "margin" => self.margin = number("margin", value, 0.0, 1.0, SHARE)?,
            "tie_tolerance" => {
                self.tie_tolerance = number("tie_tolerance", value, 0.0, 1.0, "a share of a vertex's weights, 0 to 1")?;
            }
            _ => {
                let nearest = nearest(key, Self::KEYS.iter().copied());
                return Err(OptionError::UnknownKey { key: key.into(), nearest });
            }
        }
        Ok(())
    }

    /// Options from words in any order: a `preset` among them is taken first.
    ///
    /// # Errors
    /// As [`BakeOptions::set`].
    pub fn from_entries<'a>(
        entries: impl IntoIterator<Item = (&'a str, &'a str)> + Clone,
    ) -> Result<Self, OptionError> {
        let mut options = Self::default();
        for (key, value) in entries.clone().into_iter().filter(|(key, _)| *key == "preset") {
            options.set(key, value)?;
        }
        for (key, value) in entries.into_iter().filter(|(key, _)| *key != "preset") {
            options.set(key, value)?;
        }
        Ok(options)
    }

    /// The options as words, sorted by key: the main ones always, the others where they differ from the default.
    ///
    /// [`BakeOptions::from_entries`] gives the same options back.
    #[must_use]
    pub fn entries(&self) -> Vec<(String, String)> {
        const ALWAYS: [&str; 5] = ["bridge", "fit", "group", "poses", "preset"];
        let (preset, default) = (Self::preset(self.preset), Self::default());
        let shown = |key: &&&str| {
            let value = self.value(key);
            ALWAYS.contains(*key) || value != preset.value(key) || value != default.value(key)
        };
        Self::KEYS.iter().filter(shown).map(|key| ((*key).to_owned(), self.value(key))).collect()
    }

    /// One option as the word that [`BakeOptions::set`] takes; `None` for a key that there is not.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<String> {
        Self::KEYS.contains(&key).then(|| self.value(key))
    }

    /// One option as a word.
    fn value(&self, key: &str) -> String {
        match key {
            "preset" => self.preset.word().into(),
            "group" => self.group.word().into(),
            "min_weight" => self.min_weight.map_or_else(|| "auto".into(), |weight| weight.to_string()),
            "bridge" => self.bridge.word().into(),
            "small" => self.small.word().into(),
            "min_size" => self.min_size.to_string(),
            "min_vertices" => self.min_vertices.to_string(),
            "include" => self.include.clone(),
            "exclude" => self.exclude.clone(),
            "merge" => self.merge.clone(),
            "symmetry" => self.symmetry.word().into(),
            "fit" => self.fit.word().into(),
            "objective" => self.objective.word().into(),
            "poses" => self.poses.word().into(),
            "keep" => self.keep.to_string(),
            "rate" => self.rate.to_string(),
            "budget" => self.budget.to_string(),
            "max_boxes" => self.max_boxes.map_or_else(|| "auto".into(), |most| most.to_string()),
            "measure" => self.measure.word().into(),
            "measure_moments" => self.measure_moments.to_string(),
            "attachments" => self.attachments.word().into(),
            "min_thickness" => self.min_thickness.to_string(),
            "margin" => self.margin.to_string(),
            "tie_tolerance" => self.tie_tolerance.to_string(),
            _ => String::new(),
        }
    }
}

/// The most that options which count can be.
pub(crate) const MOST_WHOLE: u32 = 1 << 30;

const SHARE: &str = "a share of the character's height, 0 to 1";

fn word<T>(
    key: &'static str,
    value: &str,
    from_word: impl Fn(&str) -> Option<T>,
    words: &'static [&'static str],
) -> Result<T, OptionError> {
    from_word(value).ok_or_else(|| OptionError::UnknownWord {
        key,
        value: value.into(),
        words,
        nearest: nearest(value, words.iter().copied()),
    })
}

fn number(key: &'static str, value: &str, least: f64, most: f64, expected: &'static str) -> Result<f64, OptionError> {
    let parsed = value.trim().parse::<f64>().ok().filter(|number| *number >= least && *number <= most);
    parsed.ok_or_else(|| OptionError::NotInRange { key, value: value.into(), expected })
}

fn whole(key: &'static str, value: &str, least: usize, expected: &'static str) -> Result<usize, OptionError> {
    let parsed = value.trim().parse::<usize>().ok().filter(|number| *number >= least && *number <= MOST_WHOLE as usize);
    parsed.ok_or_else(|| OptionError::NotInRange { key, value: value.into(), expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_can_be_read_back() {
        let mut options = BakeOptions::default();
        for key in BakeOptions::KEYS {
            let value = options.value(key);
            options.set(key, &value).unwrap_or_else(|error| panic!("{key} = {value}: {error}"));
        }
        assert_eq!(options, BakeOptions::default());
        assert!(BakeOptions::KEYS.is_sorted());
    }

    #[test]
    fn entries_give_the_same_options_back() {
        let mut options = BakeOptions::default();
        options.set("fit", "vertex-pca").unwrap();
        options.set("min_weight", "0.25").unwrap();
        options.set("group", "any").unwrap();
        let entries = options.entries();
        let again = BakeOptions::from_entries(entries.iter().map(|(key, value)| (key.as_str(), value.as_str())));
        assert_eq!(again, Ok(options));
    }

    #[test]
    fn mistakes_name_the_nearest_word() {
        let mut options = BakeOptions::default();
        let error = |result: Result<(), OptionError>| result.unwrap_err().to_string();
        insta::assert_snapshot!(error(options.set("atachments", "skip")), @r#"there is no option "atachments"; did you mean "attachments"?"#);
        insta::assert_snapshot!(error(options.set("fit", "pac")), @r#"fit = "pac" is none of pca, vertex-pca, min-volume, joint-axes; did you mean "pca"?"#);
        insta::assert_snapshot!(error(options.set("margin", "-1")), @r#"margin = "-1" is not a share of the character's height, 0 to 1"#);
        insta::assert_snapshot!(error(options.set("margin", "NaN")), @r#"margin = "NaN" is not a share of the character's height, 0 to 1"#);
        assert_eq!(options, BakeOptions::default());
    }
}
