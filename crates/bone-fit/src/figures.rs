//! The figures of a bake. Tables, JSON lines, pages and limits all take their figures from [`Figures`].

use crate::options::{Measure, Poses};
use baked_format::{BakedCharacter, HitboxRole};

/// The figures of one bake, computed from its baked character.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The poses that the hitboxes are fitted to, except the hitboxes of `joints_with_other_poses`. `None` if the baked
    /// file does not record the option.
    pub poses: Option<Poses>,
    /// The names of the joints whose own `bridge`, `poses` or `keep` differs from the character's option.
    pub joints_with_other_poses: Vec<String>,
    /// The central share of a joint's moving surface that its hitbox holds, above 0 to 1, with `poses = "clips"`.
    /// Overrides of single joints may set another share.
    pub keep: f64,
    /// The number of joints, including joints without a hitbox.
    pub joints: usize,
    /// The number of hitboxes.
    pub boxes: usize,
    /// The sum of the hitboxes' vertices. A vertex of several groups counts in each group.
    pub vertices: u64,
    /// The number of clips.
    pub clips: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The volume of all hitboxes that can be hit, at rest, in cubic meters.
    pub volume: f64,
    /// Fill: the volume of the convex hulls of the hitboxes' points at rest, divided by `volume`; `None` without
    /// volume. The hulls are those of the body at rest for every preset, also if boxes are fitted to clips.
    pub fill: Option<f64>,
    /// `volume` divided by the volume of the boxes that `fit = "min-volume"` gives the same points, clips, least
    /// thickness and margin; `None` if these boxes have no volume. A manual box beside fitted boxes adds to `volume`
    /// alone. Manual boxes in place of fitted boxes are compared with the points of their joint.
    pub volume_ratio: Option<f64>,
    /// Coverage in the rest pose, from 0 to 1; `None` if it was not measured.
    pub coverage_rest: Option<f64>,
    /// The average coverage over poses of all clips, from 0 to 1; `None` if clips were not measured, or if there are none.
    pub coverage_clips: Option<f64>,
    /// The share of the surface inside hitboxes of its own joint in the rest pose, from 0 to 1; `None` if it was not
    /// measured.
    pub own_coverage_rest: Option<f64>,
    /// The average of the share in `own_coverage_rest` over the poses of `coverage_clips`, from 0 to 1; `None` if clips
    /// were not measured, or if there are none.
    pub own_coverage_clips: Option<f64>,
    /// The largest escape over the rest pose and every sample time of all clips, as a share of the character's height; `None`
    /// if clips were not measured.
    pub largest_escape: Option<f64>,
    /// `true` if the largest escape was looked for at some sample times only: the clips have too many of them, or skin
    /// escapes with `poses = "any"`. The largest escape is then *at least* `largest_escape`.
    pub escape_is_at_least: bool,
}

impl Figures {
    /// Computes the figures of a bake.
    #[must_use]
    pub fn of_bake(character: &BakedCharacter) -> Self {
        let skeleton = &character.skeleton;
        let model_from_joint = skeleton.rest_matrices();
        let (mut volume, mut hull_volume, mut least_volume) = (0.0, 0.0, 0.0);
        for one in character.boxes.iter().filter(|one| one.role == HitboxRole::Hurt) {
            let [x, y, z] = [0, 1, 2].map(|axis| model_from_joint[one.joint.index()].matrix3.col(axis).as_dvec3());
            let cubed = x.cross(y).dot(z).abs();
            let own = f64::from(one.volume());
            volume += cubed * own;
            hull_volume += cubed * f64::from(one.hull_volume);
            least_volume += cubed * one.min_volume.map_or(0.0, f64::from);
        }
        let coverage = character.coverage.as_ref();
        let over_clips = coverage.filter(|_| clips_were_measured(character));
        // Without clips, the file has the figures of the rest pose in place of those over clips.
        let moving = over_clips.filter(|_| !character.clips.is_empty());
        let option =
            |key: &str| character.options.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
        Self {
            poses: option("poses").and_then(Poses::from_keyword),
            joints_with_other_poses: option("joint_poses").map_or_else(Vec::new, separate_names),
            keep: option("keep").and_then(|value| value.parse().ok()).unwrap_or(1.0),
            joints: skeleton.len(),
            boxes: character.boxes.len(),
            vertices: character.boxes.iter().map(|one| u64::from(one.vertices)).sum(),
            clips: character.clips.len(),
            warnings: character.warnings.len(),
            volume,
            fill: (volume > 0.0).then(|| hull_volume / volume),
            volume_ratio: (least_volume > 0.0).then(|| volume / least_volume),
            coverage_rest: coverage.map(|coverage| coverage.surface_rest.into()),
            coverage_clips: moving.map(|coverage| coverage.surface_clips.into()),
            own_coverage_rest: coverage.map(|coverage| coverage.own_rest.into()),
            own_coverage_clips: moving.map(|coverage| coverage.own_clips.into()),
            largest_escape: over_clips.map(|coverage| coverage.max_escape.into()),
            escape_is_at_least: over_clips.is_some_and(|coverage| !coverage.every_sample_time),
        }
    }
}

/// Writes names as one text, for [`BakedCharacter::options`]: `a, b`. In a name, `\` is written as `\\` and a comma as
/// `\,`.
#[must_use]
pub fn joined_names(names: &[&str]) -> String {
    let escaped = names.iter().map(|name| name.replace('\\', "\\\\").replace(',', "\\,"));
    escaped.collect::<Vec<_>>().join(", ")
}

/// Reads the names that [`joined_names`] has written.
fn separate_names(text: &str) -> Vec<String> {
    let (mut names, mut name, mut letters) = (Vec::new(), String::new(), text.chars().peekable());
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(&next @ ('\\' | ','))) => name.push(next),
            (',', Some(' ')) => names.push(std::mem::take(&mut name)),
            _ => {
                name.push(letter);
                continue;
            }
        }
        letters.next();
    }
    names.push(name);
    names
}

/// Returns `false` if only the rest pose was measured: with `measure = "rest"` a file holds the figures of the rest
/// pose in place of the figures over clips.
fn clips_were_measured(character: &BakedCharacter) -> bool {
    let rest_only = |(key, value): &(String, String)| key == "measure" && value != Measure::Clips.keyword();
    character.clips.is_empty() || !character.options.iter().any(rest_only)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_names_can_be_separated() {
        for names in [&["hand"][..], &["a, b", "c,d", ",", "e"], &["rig\\hand", "\\", "a\\,", "\\, b"], &["", " "]] {
            let text = joined_names(names);
            assert_eq!(separate_names(&text), names, "{text}");
        }
        assert_eq!(joined_names(&["hand.l", "hand.r"]), "hand.l, hand.r");
        assert_eq!(separate_names("rig\\hand, a,b"), ["rig\\hand", "a,b"], "as earlier versions wrote them");
    }
}
