//! The table of options. One row is all that an option needs: the command line, the reader of `bonebox.toml`, its JSON
//! schema, the record in a baked file and docs/settings.md are made from it.

use crate::options::choices::{
    Attachments, Bridge, Fit, Group, Helpers, Measure, Morphs, NamedParts, Objective, Parts, Poses, Preset, Shape,
    SkinAttributes, Small, StoredSkin, Symmetry,
};
use crate::options::keyword_enum::one_line;
use crate::options::kind::{MOST_WHOLE, OptionError, OptionKind, OptionValue, Range};
use crate::options::nearest_name::nearest_name;
use baked_format::limits::MAX_HULL_VERTICES;
use skeleton::NamePattern;

/// One option as a row of the table: its key, possible values, default and help.
#[derive(Clone, Copy, Debug)]
pub struct BakeOption {
    /// Name of the option in `bonebox.toml`; on the command line `_` is `-`.
    pub key: &'static str,
    /// The values that the option takes.
    pub kind: OptionKind,
    /// The heading above the option in help and documentation.
    pub section: &'static str,
    /// True if the option can be set for a single joint.
    pub for_joints: bool,
    /// True if the option can be set for a single part.
    pub for_parts: bool,
    /// True if every baked file records the option, false if only files in which it differs from the default do.
    pub(crate) always_recorded: bool,
    doc: &'static str,
    get: fn(&BakeOptions) -> String,
    set: fn(&mut BakeOptions, &str) -> Result<(), OptionError>,
}

/// Makes [`BakeOptions`], its default and [`BakeOption::ALL`] from rows: doc comment, key, type, default, what the
/// option can be set to, flags. The doc comment's first paragraph is the help text, and the rest is for the reference.
macro_rules! options_table {
    ($($section:literal {
        $($(#[doc = $doc:literal])+ $key:ident: $type:ty = $default:expr, $kind:expr, [$($flag:ident)*];)+
    })+) => {
        /// The options of a bake. Equal options make the same bytes from the same model.
        #[derive(Clone, Debug, PartialEq)]
        pub struct BakeOptions {
            $($($(#[doc = $doc])+ pub $key: $type,)+)+
        }

        impl Default for BakeOptions {
            /// The options of [`Preset::Recipe`].
            fn default() -> Self {
                Self { $($($key: $default,)+)+ }
            }
        }

        impl BakeOption {
            /// All options, in the order of help and documentation.
            pub const ALL: &'static [Self] = &[$($({
                const KIND: OptionKind = $kind;
                #[allow(unused_mut, reason = "rows without flags change nothing")]
                let mut row = Self {
                    key: stringify!($key),
                    kind: KIND,
                    section: $section,
                    for_joints: false,
                    for_parts: false,
                    always_recorded: false,
                    doc: concat!($($doc, "\n"),+),
                    get: |options| options.$key.to_text(),
                    set: |options, text| {
                        options.$key = KIND.read::<$type>(stringify!($key), text)?;
                        Ok(())
                    },
                };
                $(row.$flag = true;)*
                row
            },)+)+];
        }
    };
}

/// A box has eight vertices, and a file holds no more than the most.
const HULL_VERTICES: OptionKind =
    OptionKind::Whole(Range { least: 8, above: false, most: MAX_HULL_VERTICES as u32, unit: "vertices", auto: false });

/// The names of parts, or a number of them.
const PARTS: OptionKind = OptionKind::KeywordsOrWhole(
    NamedParts::KEYWORDS,
    Range { least: 1, above: false, most: MOST_WHOLE, unit: "parts", auto: false },
);

/// Shares of a length.
const OF_HEIGHT: &str = "share of the character's height";

options_table! {
    "Preset" {
        /// A named set of values for all other options; options that are set in the same place override it.
        ///
        /// In the section of a joint, a preset sets only `bridge`, `fit`, `poses` and `keep`. `always` is for whole characters
        /// only.
        preset: Preset = Preset::Recipe, OptionKind::Keywords(Preset::KEYWORDS), [always_recorded for_joints];
    }
    "Assignment of the surface to joints" {
        /// The joints that a vertex is assigned to.
        group: Group = Group::Dominant, OptionKind::Keywords(Group::KEYWORDS), [always_recorded];

        /// The least share of a vertex's weights that a joint needs, with `group = "threshold"` or `"any"`.
        ///
        /// `auto` is 0.5 for `threshold` and any weight above 0 for `any`.
        min_weight: Option<f64> = None, OptionKind::number_or_auto(0.0, 1.0, "share of the vertex's weights"), [];

        /// The largest difference between two weights that count as equal; among equal weights, the earliest joint
        /// wins.
        ///
        /// With 0, the first of exactly equal weights wins. If a tool stored the weights in 8 bits (steps of 0.0039) or
        /// sorted them, 0 can give all the skin of one joint to another joint.
        tie_tolerance: f64 = 0.0, OptionKind::number(0.0, 1.0, "share of the vertex's weights"), [];

        /// The part of the triangles between vertices of different joints that hitboxes hold.
        ///
        /// With `none`, the skin at an elbow, between the vertices of two joints, may be in no hitbox. If the elbow bends in
        /// clips, also set `poses = "clips"`.
        bridge: Bridge = Bridge::None, OptionKind::Keywords(Bridge::KEYWORDS), [always_recorded for_joints];

        /// The treatment of rigid meshes below joints, such as swords and helmets.
        attachments: Attachments = Attachments::Include, OptionKind::Keywords(Attachments::KEYWORDS), [];

        /// The skin that no hitbox needs to hold: patterns for the names of joints, meshes, nodes and materials.
        ///
        /// Ignored skin belongs to no hitbox, does not count in the coverage, and is not stored for exact answers. A pattern
        /// for a joint ignores the skin that follows this joint most. The warning `skin-ignored` tells how much it is.
        ignore: Vec<NamePattern> = Vec::new(), OptionKind::Patterns, [];

        /// The treatment of collision helpers (`UCX_`, `UBX_`, `USP_`, `UCP_`, `-colonly`) and of coarser levels of detail
        /// (`_LOD1`, `MSFT_lod`).
        ///
        /// The bake keeps the finest level: `body_LOD1` beside `body_LOD2`. The warning `helpers-ignored` names the rest.
        helpers: Helpers = Helpers::Skip, OptionKind::Keywords(Helpers::KEYWORDS), [];

        /// The joints that get hitboxes; an empty list means all joints.
        ///
        /// `*` stands for any number of characters, and `?` for any one character. Upper and lower case are equal.
        include: Vec<NamePattern> = Vec::new(), OptionKind::Patterns, [];

        /// The joints that get no hitboxes.
        exclude: Vec<NamePattern> = Vec::new(), OptionKind::Patterns, [];

        /// The parts of the character that get one hitbox each, or their largest number.
        ///
        /// A joint gives its skin to the nearest part above. With a number, the bake merges joints into joints above where
        /// this adds the least air over the clips, and mirrored joints alike. If a character has no humanoid, the sets for a
        /// human figure are numbers: 18, 6 and 48. Hitboxes get [tags](#tags-of-parts) of their part. In a section `[parts]`, the
        /// value is `set`, and [each part](shapes.md#options-of-parts) may have options of its own.
        parts: Parts = Parts::JOINTS, PARTS, [];

        /// The joints that give their vertices and surface to the nearest joint above that has vertices of its own.
        merge: Vec<NamePattern> = Vec::new(), OptionKind::Patterns, [];

        /// The treatment of small groups, which are joints with few vertices or a short extent.
        small: Small = Small::Keep, OptionKind::Keywords(Small::KEYWORDS), [];

        /// The length of a group's longest side, in joint space, below which the group is small.
        min_size: f64 = 0.0, OptionKind::number(0.0, 1.0, OF_HEIGHT), [];

        /// The number of vertices below which a group is small.
        min_vertices: usize = 0, OptionKind::whole(0, "vertices"), [];
    }
    "Fitting of hitboxes" {
        /// The orientation of a hitbox.
        ///
        /// `upright` takes the axes from the rest pose ([how](shapes.md#shapes-that-look-right)), and a capsule then lies along
        /// an axis of its box.
        fit: Fit = Fit::Pca, OptionKind::Keywords(Fit::KEYWORDS), [always_recorded for_joints for_parts];

        /// The shape of hitboxes.
        ///
        /// Every shape holds at least the surface of its own joint that the box of `fit` holds. With `poses = "any"`, the
        /// shape must be `box`.
        shape: Shape = Shape::Box, OptionKind::Keywords(Shape::KEYWORDS), [for_joints for_parts];

        /// The largest number of vertices of a hitbox with `shape = "hull"`.
        ///
        /// A hull with fewer vertices is larger, because it holds the same points. If the hull has no less volume than the
        /// box, the joint keeps its box, with a warning.
        max_vertices: usize = 32, HULL_VERTICES, [for_joints for_parts];

        /// The measure of a box that `fit = "min-volume"` makes as small as possible.
        objective: Objective = Objective::Volume, OptionKind::Keywords(Objective::KEYWORDS), [for_joints for_parts];

        /// The largest number of hitboxes of the character, divided by the number of joints with hitboxes.
        ///
        /// With 2, the bake makes one box for each joint, and as many further boxes where they save the most volume.
        budget: f64 = 1.0, OptionKind::number(1.0, 1000.0, "hitboxes per joint"), [];

        /// The largest number of hitboxes of one joint.
        ///
        /// With `auto`, only `budget` limits the number.
        max_boxes: Option<usize> = None, OptionKind::whole_or_auto(1, "hitboxes"), [for_joints for_parts];

        /// The symmetry of the hitboxes of mirrored joints (`hand.l`, `hand.r`).
        ///
        /// With `mirror`, each hitbox holds its own skin and the mirrored skin of the other side
        /// ([more](shapes.md#shapes-that-look-right)).
        symmetry: Symmetry = Symmetry::Off, OptionKind::Keywords(Symmetry::KEYWORDS), [];

        /// The least full thickness of a hitbox along each of its axes.
        min_thickness: f64 = 0.001, OptionKind::number(0.0, 1.0, OF_HEIGHT), [for_joints for_parts];

        /// The distance by which every face of a hitbox is moved outward.
        ///
        /// 0.01 is 1.8 centimeters for a character of 1.8 meters.
        margin: f64 = 0.0, OptionKind::number(0.0, 1.0, OF_HEIGHT), [for_joints for_parts];
    }
    "Motion" {
        /// The poses that a hitbox is fitted to.
        ///
        /// `any` is for whole characters only.
        poses: Poses = Poses::Bind, OptionKind::Keywords(Poses::KEYWORDS), [always_recorded for_joints];

        /// The central share of a joint's moving surface that its hitbox holds, with `poses = "clips"`.
        ///
        /// The share is counted along each axis of the box, by area and by time. The hitbox always holds all of the
        /// joint's surface in the rest pose and in the bind pose.
        keep: f64 = 1.0, OptionKind::number_above(0.0, 1.0, "share of area and time"), [for_joints];

        /// The largest number of bytes of the character's envelopes, with `poses = "any"`.
        ///
        /// Envelopes are the data from which the run time computes each box for a pose. More bytes make the boxes smaller and
        /// posing slower.
        envelope_bytes: usize = 24_000, OptionKind::whole(0, "bytes"), [];

        /// The shapes of morph targets that hitboxes hold, beside the base shape.
        ///
        /// Each shape adds the triangles that it moves to the surface that hitboxes hold and that is measured. The stored
        /// `skin` has all morph targets, so that exact answers follow the weights that the game sets.
        morphs: Morphs = Morphs::Ignore, OptionKind::Keywords(Morphs::KEYWORDS), [];

        /// The number of sample times per second of a clip.
        ///
        /// All keys of the clip are sample times too. A fit to clips adds sample times where joints turn fast.
        rate: f64 = 30.0, OptionKind::number(0.1, 10_000.0, "samples per second"), [];
    }
    "Measurement" {
        /// The poses over which coverage and escapes are measured.
        measure: Measure = Measure::Clips, OptionKind::Keywords(Measure::KEYWORDS), [];

        /// The largest number of sample times at which coverage is measured; 0 means all.
        ///
        /// The sample times are spread evenly over all clips. The largest escape is measured at every sample time, except
        /// with `poses = "any"`.
        measure_times: usize = 240, OptionKind::whole(0, "sample times"), [];
    }
    "Further content of the file" {
        /// Adds the skinned surface to the file, one piece for each joint, for exact answers at run time.
        ///
        /// The surface of joints without hitboxes is left out. With `group = "threshold"` or `"any"`, pieces overlap.
        skin: StoredSkin = StoredSkin::Off, OptionKind::Keywords(StoredSkin::KEYWORDS), [];

        /// Adds normals and texture coordinates to the skin in the file, for the answers of rays.
        ///
        /// The option needs `skin = "lossless"` or `"compact"`. A compact skin turns normals by less than 0.06 degrees, and
        /// moves texture coordinates by at most 1/32,768 of the texture's size.
        skin_attributes: SkinAttributes = SkinAttributes::None, OptionKind::Keywords(SkinAttributes::KEYWORDS), [];
    }
}

impl BakeOption {
    /// Returns the option with this key.
    #[must_use]
    pub fn find(key: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|row| row.key == key)
    }

    /// Returns the keys of all options that can be set for a single joint.
    pub fn joint_keys() -> impl Iterator<Item = &'static str> + Clone {
        Self::ALL.iter().filter(|row| row.for_joints).map(|row| row.key)
    }

    /// Returns the keys of all options that can be set for a single part.
    pub fn part_keys() -> impl Iterator<Item = &'static str> + Clone {
        Self::ALL.iter().filter(|row| row.for_parts).map(|row| row.key)
    }

    /// Returns what the option does, in one line without a period at its end.
    #[must_use]
    pub fn help(&self) -> String {
        one_line(self.paragraphs().next().unwrap_or_default())
    }

    /// Returns the rest of the option's documentation, in full sentences; empty for most options.
    #[must_use]
    pub fn details(&self) -> String {
        let paragraphs: Vec<String> = self.paragraphs().skip(1).map(|text| format!("{}.", one_line(text))).collect();
        paragraphs.join(" ")
    }

    /// Gives `to` the value that the option has in `from`.
    pub(crate) fn copy(&self, from: &BakeOptions, to: &mut BakeOptions) {
        let copied = (self.set)(to, &(self.get)(from));
        debug_assert!(copied.is_ok(), "the text of a value can be read back");
    }

    fn paragraphs(&self) -> impl Iterator<Item = &'static str> {
        self.doc.split("\n\n")
    }

    /// Returns the default, with the presets that have another: `pca; tight and cover: min-volume`. Empty lists are
    /// `none`.
    #[must_use]
    pub fn default_text(&self) -> String {
        let shown = |preset: &str| {
            let value = Preset::from_keyword(preset).map(|preset| (self.get)(&BakeOptions::preset(preset)));
            value.filter(|value| !value.is_empty()).unwrap_or_else(|| "none".to_owned())
        };
        let default = shown(Preset::Recipe.keyword());
        if self.key == "preset" {
            return default;
        }
        let mut others: Vec<(String, Vec<&str>)> = Vec::new();
        for preset in Preset::KEYWORDS.iter().map(|one| one.keyword) {
            let value = shown(preset);
            match others.iter_mut().find(|(other, _)| *other == value) {
                Some((_, presets)) => presets.push(preset),
                None if value == default => {}
                None => others.push((value, vec![preset])),
            }
        }
        let listed = |presets: &[&str]| match presets {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            presets => presets.concat(),
        };
        let others = others.iter().map(|(value, presets)| format!("; {}: {value}", listed(presets)));
        format!("{default}{}", others.collect::<String>())
    }
}

impl BakeOptions {
    /// Sets one option by its text. `preset` replaces all other options too: set it first.
    ///
    /// # Errors
    /// Returns [`OptionError`] if the key or the word is unknown, or if the number is out of range. If there is an
    /// error, no option changes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        let Some(row) = BakeOption::find(key) else {
            let nearest = nearest_name(key, BakeOption::ALL.iter().map(|row| row.key));
            return Err(OptionError::UnknownKey { key: key.to_owned(), nearest });
        };
        (row.set)(self, value)?;
        if row.key == "preset" {
            *self = Self::preset(self.preset);
        }
        Ok(())
    }

    /// Returns the value of one option as the text that [`BakeOptions::set`] takes; `None` if no option has this key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<String> {
        BakeOption::find(key).map(|row| (row.get)(self))
    }

    /// Sets one option of a single joint as [`BakeOptions::set`] does. A preset sets only the options that a single joint can
    /// have and in which presets differ: `bridge`, `fit`, `poses` and `keep`.
    ///
    /// # Errors
    /// Returns the errors of [`BakeOptions::set`].
    pub(crate) fn set_for_joint(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        if key != "preset" {
            return self.set(key, value);
        }
        let mut of_preset = Self::default();
        of_preset.set(key, value)?;
        let default = Self::default();
        let differs = |row: &&BakeOption| {
            Preset::ALL.into_iter().any(|preset| (row.get)(&Self::preset(preset)) != (row.get)(&default))
        };
        for row in BakeOption::ALL.iter().filter(|row| row.for_joints).filter(differs) {
            (row.set)(self, &(row.get)(&of_preset))?;
        }
        Ok(())
    }

    /// Makes options of keys and texts in any order; a `preset` among them is applied first.
    ///
    /// # Errors
    /// Returns the errors of [`BakeOptions::set`].
    pub fn from_entries<'a>(
        entries: impl IntoIterator<Item = (&'a str, &'a str)> + Clone,
    ) -> Result<Self, OptionError> {
        let mut options = Self::default();
        for presets in [true, false] {
            for (key, value) in entries.clone().into_iter().filter(|(key, _)| (*key == "preset") == presets) {
                options.set(key, value)?;
            }
        }
        Ok(options)
    }

    /// Returns the options as keys and texts, sorted by key. The main options are always in the list; other options are
    /// in the list if they differ from the preset or from the default.
    ///
    /// [`BakeOptions::from_entries`] makes equal options of these entries.
    #[must_use]
    pub fn entries(&self) -> Vec<(String, String)> {
        let (preset, default) = (Self::preset(self.preset), Self::default());
        let mut entries = Vec::new();
        for row in BakeOption::ALL {
            let value = (row.get)(self);
            if row.always_recorded || value != (row.get)(&preset) || value != (row.get)(&default) {
                entries.push((row.key.to_owned(), value));
            }
        }
        entries.sort();
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_can_be_read_back() {
        for preset in Preset::ALL {
            let mut options = BakeOptions::preset(preset);
            for row in BakeOption::ALL {
                let value = (row.get)(&options);
                options.set(row.key, &value).unwrap_or_else(|error| panic!("{} = {value}: {error}", row.key));
            }
            assert_eq!(options, BakeOptions::preset(preset));
        }
    }

    #[test]
    fn entries_give_the_same_options_back() {
        let mut options = BakeOptions::default();
        options.set("fit", "vertex-pca").unwrap();
        options.set("min_weight", "0.25").unwrap();
        options.set("group", "any").unwrap();
        options.set("merge", "*finger*, toe?").unwrap();
        let entries = options.entries();
        let again = BakeOptions::from_entries(entries.iter().map(|(key, value)| (key.as_str(), value.as_str())));
        assert_eq!(again, Ok(options));
        assert!(entries.is_sorted());
    }

    #[test]
    fn every_option_takes_the_values_of_its_kind_and_no_others() {
        let can_be = |key: &str, value: &str| BakeOptions::default().set(key, value).is_ok();
        for row in BakeOption::ALL {
            let (least, above, most, auto) = match row.kind {
                OptionKind::Keywords(words) => {
                    assert!(
                        words.iter().all(|one| can_be(row.key, one.keyword)) && !can_be(row.key, "0"),
                        "{}",
                        row.key
                    );
                    continue;
                }
                OptionKind::Patterns => {
                    assert!(can_be(row.key, "") && can_be(row.key, "*a*, b?"), "{}", row.key);
                    continue;
                }
                OptionKind::Number(Range { least, above, most, auto, .. }) => (least, above, most, auto),
                OptionKind::KeywordsOrWhole(words, Range { least, above, most, auto, .. }) => {
                    assert!(words.iter().all(|one| can_be(row.key, one.keyword)), "{}", row.key);
                    assert!(!can_be(row.key, "1.5") && !can_be(row.key, "nothing"), "{}", row.key);
                    (f64::from(least), above, f64::from(most), auto)
                }
                OptionKind::Whole(Range { least, above, most, auto, .. }) => {
                    assert!(!can_be(row.key, "1.5"), "{}", row.key);
                    (f64::from(least), above, f64::from(most), auto)
                }
            };
            for (value, good) in
                [(least, !above), (most, true), (least - 1.0, false), (most + 1.0, false), (f64::NAN, false)]
            {
                assert_eq!(can_be(row.key, &value.to_string()), good, "{} = {value}", row.key);
            }
            assert_eq!(can_be(row.key, "auto"), auto, "{}", row.key);
        }
    }

    #[test]
    fn defaults_name_the_presets_that_differ() {
        let text = |key: &str| BakeOption::find(key).unwrap().default_text();
        assert_eq!(text("fit"), "pca; tight, cover and always: min-volume");
        assert_eq!(text("keep"), "1; tight: 0.9");
        assert_eq!((text("exclude").as_str(), text("preset").as_str()), ("none", "recipe"));
    }

    #[test]
    fn mistakes_name_the_nearest_word() {
        let mut options = BakeOptions::default();
        let error = |result: Result<(), OptionError>| result.unwrap_err().to_string();
        insta::assert_snapshot!(error(options.set("atachments", "skip")), @r#"there is no option "atachments"; did you mean "attachments"?"#);
        insta::assert_snapshot!(error(options.set("fit", "pac")), @r#"fit is "pac", but must be "pca", "vertex-pca", "min-volume", "joint-axes" or "upright"; did you mean "pca"?"#);
        insta::assert_snapshot!(error(options.set("margin", "-1")), @r#"margin is "-1", but must be a number from 0 to 1 (share of the character's height)"#);
        insta::assert_snapshot!(error(options.set("keep", "NaN")), @r#"keep is "NaN", but must be a number above 0 to 1 (share of area and time)"#);
        assert_eq!(options, BakeOptions::default());
    }
}
