//! The least and most that a bake may have.

use baked_format::BakedCharacter;
use glam::Affine3A;

/// The least and most that a bake may have, so that a bad one fails where it is made.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Limits {
    /// Least share of the surface inside at rest.
    pub least_surface_rest: Option<f64>,
    /// Least share of the surface inside over the clips.
    pub least_surface_clips: Option<f64>,
    /// Farthest escape, as a share of the height.
    pub most_escape: Option<f64>,
    /// Volume of all boxes over that of the smallest around the same points.
    pub most_volume_ratio: Option<f64>,
}

impl Limits {
    /// A sentence for each limit that a bake breaks, by the figures that its file holds. A figure that was not measured
    /// breaks its limit.
    #[must_use]
    pub fn broken(&self, character: &BakedCharacter) -> Vec<String> {
        let measured = character.coverage.as_ref();
        let mut broken = Vec::new();
        let mut check = |what: &str, limit: Option<f64>, found: Option<f64>, least: bool| {
            let Some(limit) = limit else { return };
            let (side, kept) = match (least, found) {
                (true, found) => ("least", found.is_some_and(|found| found >= limit)),
                (false, found) => ("most", found.is_some_and(|found| found <= limit)),
            };
            if !kept {
                let found = found.map_or_else(|| "not measured".into(), |found| format!("{found:.6}"));
                broken.push(format!("{what} is {found}, at {side} {limit} is asked for"));
            }
        };
        let share = |share: f32| f64::from(share);
        let (at_rest, moving) = (measured.map(|m| share(m.surface_rest)), measured.map(|m| share(m.surface_clips)));
        check("surface coverage at rest", self.least_surface_rest, at_rest, true);
        check("surface coverage over the clips", self.least_surface_clips, moving, true);
        check("the largest escape", self.most_escape, measured.map(|m| share(m.max_escape)), false);
        check("the volume ratio", self.most_volume_ratio, volume_ratio(character), false);
        broken
    }
}

/// Volume of all boxes over that of the smallest ones, at rest; boxes made by hand count as they are. `None` where
/// the smallest have no volume.
fn volume_ratio(character: &BakedCharacter) -> Option<f64> {
    let skeleton = &character.skeleton;
    let mut model_from_joint = vec![Affine3A::IDENTITY; skeleton.len()];
    skeleton.model_from_joints(&skeleton.rest_pose(), &mut model_from_joint);
    let (mut volume, mut least) = (0.0, 0.0);
    for one in &character.boxes {
        let [x, y, z] = [0, 1, 2].map(|axis| model_from_joint[one.joint.index()].matrix3.col(axis).as_dvec3());
        let cubed = x.cross(y).dot(z).abs();
        let own = f64::from(one.volume());
        volume += cubed * own;
        least += cubed * one.min_volume.map_or(own, f64::from);
    }
    (least > 0.0).then(|| volume / least)
}
