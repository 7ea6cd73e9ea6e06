//! Thresholds that fail a bake. One row of the table is all that a limit needs.

use crate::figures::Figures;
use crate::options::{Bridge, NO_MAXIMUM, OptionKind, Poses, one_line};
use baked_format::BakedCharacter;

/// One limit as a row of the table: its key, possible values, a suggested value and help.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Name of the limit in `bonebox.toml`.
    pub key: &'static str,
    /// The numbers that the limit can be.
    pub kind: OptionKind,
    /// A limit to begin with; the first settings file of a folder suggests it.
    pub suggested: f64,
    is_least: bool,
    subject: &'static str,
    figure: fn(&Figures) -> Option<f64>,
    cure: &'static str,
    doc: &'static str,
    get: fn(&Limits) -> Option<f64>,
    set: fn(&mut Limits, f64),
}

/// A limit that a bake breaks.
#[derive(Clone, Debug)]
pub struct BrokenLimit {
    /// The limit.
    pub limit: &'static Limit,
    /// A sentence with the figure, the limit and what to do, without a period at its end.
    pub text: String,
}

/// Makes [`Limits`] and [`Limit::ALL`] from rows: doc comment, key, suggestion, side, range, subject of its
/// sentences, figure, cure.
macro_rules! limits_table {
    ($($(#[doc = $doc:literal])+ $key:ident = $suggested:literal: $is_least:expr, $kind:expr, $subject:literal, $figure:expr, $cure:literal;)+) => {
        /// Thresholds that fail a bake. `None` is no limit.
        #[derive(Clone, Copy, Debug, PartialEq, Default)]
        pub struct Limits {
            $($(#[doc = $doc])+ pub $key: Option<f64>,)+
        }

        impl Limit {
            /// All limits, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self {
                key: stringify!($key),
                kind: $kind,
                suggested: $suggested,
                is_least: $is_least,
                subject: $subject,
                figure: $figure,
                cure: $cure,
                doc: concat!($($doc, "\n"),+),
                get: |limits| limits.$key,
                set: |limits, limit| limits.$key = Some(limit),
            },)+];
        }
    };
}

const LEAST: bool = true;
const MOST: bool = false;

limits_table! {
    /// The least share of the skinned surface that lies inside hitboxes in the rest pose.
    least_surface_rest = 0.95: LEAST, OptionKind::number(0.0, 1.0, "share of the surface's area"),
        "the surface coverage in the rest pose", |figures| figures.coverage_rest, "use `bridge = \"surface\"`";

    /// The least average share of the skinned surface that lies inside hitboxes over all clips; without clips, in the rest
    /// pose.
    least_surface_clips = 0.9: LEAST, OptionKind::number(0.0, 1.0, "share of the surface's area"),
        "the surface coverage over clips", surface_over_clips, "use `preset = \"cover\"`";

    /// The largest distance from a point of the skinned surface to the nearest hitbox, over every sample time of all clips.
    most_escape = 0.05: MOST, OptionKind::number(0.0, 1.0, "share of the character's height"),
        "the largest escape", |figures| figures.largest_escape, "use `preset = \"cover\"`";

    /// The largest volume of all hitboxes, manual ones too, divided by the volume of the smallest boxes around the same points.
    most_volume_ratio = 1.5: MOST, OptionKind::number(0.0, NO_MAXIMUM, "ratio of volumes"),
        "the volume ratio", |figures| figures.volume_ratio, "use `fit = \"min-volume\"`, lower `margin`, make manual boxes smaller";
}

/// The coverage over clips. A character without clips rests in all of them.
fn surface_over_clips(figures: &Figures) -> Option<f64> {
    if figures.clips == 0 { figures.coverage_rest } else { figures.coverage_clips }
}

impl Limit {
    /// Returns the limit with this key.
    #[must_use]
    pub fn find(key: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|row| row.key == key)
    }

    /// Returns what the limit is, in one line without a period at its end.
    #[must_use]
    pub fn help(&self) -> String {
        one_line(self.doc)
    }

    fn is_escape(&self) -> bool {
        self.key == "most_escape"
    }

    /// Returns the advice for a broken limit, without an "or": an option that holds more of the surface. If the options
    /// hold all surface of joints with fitted hitboxes already, the advice is to check the settings that leave surface
    /// without a hitbox.
    fn cure(&self, holding: Holding) -> &'static str {
        const JOINTS: &str = "joints without fitted hitboxes leave their surface out; check `include`, `exclude`, `small`, \
            `skip` and manual boxes";
        match self.key {
            "most_volume_ratio" => self.cure,
            "least_surface_rest" if holding.between_joints => JOINTS,
            "least_surface_rest" => self.cure,
            _ if holding.between_joints && holding.in_clips => JOINTS,
            // The preset `cover` would hold less in poses that no clip has.
            _ if holding.in_any_pose => "use `bridge = \"surface\"`",
            _ => self.cure,
        }
    }

    /// Returns a sentence if the figures break the limit, and `None` if they keep it.
    fn broken(&self, limit: f64, figures: &Figures, holding: Holding) -> Option<String> {
        let (side, cure) = (if self.is_least { "least" } else { "most" }, self.cure(holding));
        let change = if self.is_least { "lower" } else { "raise" };
        let is_at_least = self.is_escape() && figures.escape_is_at_least;
        let is = match (self.figure)(figures) {
            Some(figure) if self.is_least && figure >= limit => return None,
            Some(figure) if !self.is_least && figure <= limit && !is_at_least => return None,
            Some(figure) if is_at_least && figure <= limit => {
                let (reason, cure) = if holding.in_any_pose {
                    (
                        "with `poses = \"any\"` it is measured at `measure_times` sample times only",
                        "set `measure_times = 0`",
                    )
                } else {
                    ("the clips have too many sample times to look at each", "lower `rate`")
                };
                return Some(format!(
                    "{} is at least {figure:.6}, because {reason}, but the limit `{}` is at most {limit}; {cure}, or remove the \
                     limit",
                    self.subject, self.key
                ));
            }
            Some(figure) => {
                let at_least = if is_at_least { "at least " } else { "" };
                return Some(format!(
                    "{} is {at_least}{figure:.6}, but the limit `{}` is at {side} {limit}; {cure}, or {change} the limit",
                    self.subject, self.key
                ));
            }
            None if self.key == "most_volume_ratio" => {
                let reason = "is not defined, because no fitted box has a volume";
                return Some(format!(
                    "{} {reason}, but the limit `{}` is set; remove the limit",
                    self.subject, self.key
                ));
            }
            None if figures.coverage_rest.is_none() => "was not measured",
            None => "is not known, because clips were not measured",
        };
        Some(format!(
            "{} {is}, but the limit `{}` is at {side} {limit}; use `measure = \"clips\"`, or remove the limit",
            self.subject, self.key
        ))
    }
}

/// The surface of joints with fitted hitboxes that the options of a bake hold. Options of single joints may hold less.
#[derive(Clone, Copy)]
struct Holding {
    /// True if hitboxes hold the triangles between the vertices of two joints.
    between_joints: bool,
    /// True if hitboxes hold their surface in every clip.
    in_clips: bool,
    /// True if hitboxes hold their surface in any pose.
    in_any_pose: bool,
}

impl Holding {
    fn new(character: &BakedCharacter, figures: &Figures) -> Self {
        let bridge = character.options.iter().find(|(key, _)| key == "bridge");
        let in_any_pose = figures.poses == Some(Poses::Any);
        Self {
            between_joints: bridge.is_some_and(|(_, value)| value != Bridge::None.keyword()),
            in_clips: in_any_pose || (figures.poses == Some(Poses::Clips) && figures.keep >= 1.0),
            in_any_pose,
        }
    }
}

impl Limits {
    /// Sets a limit by its key. Returns `false` if no limit has this key. The number is not checked against
    /// [`Limit::kind`].
    pub fn set(&mut self, key: &str, limit: f64) -> bool {
        let row = Limit::find(key);
        if let Some(row) = row {
            (row.set)(self, limit);
        }
        row.is_some()
    }

    /// Returns these limits; a limit that is `None` is taken from `outer`.
    #[must_use]
    pub fn over(mut self, outer: &Self) -> Self {
        for row in Limit::ALL {
            if let (None, Some(limit)) = ((row.get)(&self), (row.get)(outer)) {
                (row.set)(&mut self, limit);
            }
        }
        self
    }

    /// Returns the limits that the figures of a baked character break.
    ///
    /// A figure that was not measured breaks its limit. Limits over clips need `measure = "clips"`. `most_escape` needs the
    /// largest escape over every sample time ([`Coverage::max_escape`](crate::Coverage::max_escape)). If only some sample
    /// times were looked at ([`Figures::escape_is_at_least`]), the largest escape is not known, and the limit breaks.
    #[must_use]
    pub fn broken_limits(&self, character: &BakedCharacter) -> Vec<BrokenLimit> {
        let figures = Figures::of_bake(character);
        let holding = Holding::new(character, &figures);
        let set = Limit::ALL.iter().filter_map(|row| Some((row, (row.get)(self)?)));
        let broken = |(row, limit): (&'static Limit, f64)| {
            row.broken(limit, &figures, holding).map(|text| BrokenLimit { limit: row, text })
        };
        set.filter_map(broken).collect()
    }

    /// Returns the sentences of [`Limits::broken_limits`].
    #[must_use]
    pub fn broken(&self, character: &BakedCharacter) -> Vec<String> {
        self.broken_limits(character).into_iter().map(|one| one.text).collect()
    }
}
