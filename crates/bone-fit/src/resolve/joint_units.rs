//! Manual boxes in meters of the character as it stands, converted to the units of their joints.

use crate::options::ManualBox;
use baked_format::{BakedCharacter, Hitbox, HitboxShape};
use glam::{DMat3, DVec3, Mat3};
use skeleton::{JointIndex, Skeleton};

/// Scales that differ by no more than this share count as equal, and a scale this near to 1 as 1: rest poses are stored
/// in 32-bit numbers, and products of their rotations are off by some millionths.
const SAME: f64 = 1e-4;

/// For each joint, the axes of its space in the rest pose, in meters.
pub(crate) struct JointSpaces(Vec<DMat3>);

impl JointSpaces {
    /// Computes the spaces if they are needed.
    pub(crate) fn new(skeleton: &Skeleton, are_needed: bool) -> Self {
        if !are_needed {
            return Self(Vec::new());
        }
        let model_from_joint = skeleton.rest_matrices();
        Self(model_from_joint.iter().map(|space| Mat3::from(space.matrix3).as_dmat3()).collect())
    }

    pub(crate) fn of(&self, joint: usize) -> DMat3 {
        self.0.get(joint).copied().unwrap_or(DMat3::IDENTITY)
    }
}

/// Returns `true` if one unit of a joint's space is a meter of the character in its rest pose.
#[must_use]
pub fn joint_is_in_meters(skeleton: &Skeleton, joint: JointIndex) -> bool {
    is_in_meters(JointSpaces::new(skeleton, true).of(joint.index()))
}

/// The center and the half extents of each hitbox in meters of the character in its rest pose: the center from the joint along
/// the joint's axes, as in `bonebox.toml`, and the half extents along the box's own axes.
#[must_use]
pub fn hitboxes_in_meters(character: &BakedCharacter) -> Vec<[DVec3; 2]> {
    let spaces = JointSpaces::new(&character.skeleton, true);
    let in_meters = |one: &Hitbox| {
        let space = spaces.of(one.joint.index());
        let along = scales_of(space * DMat3::from_quat(one.orientation.as_dquat()));
        [one.center.as_dvec3() * scales_of(space), one.half_extents.as_dvec3() * along]
    };
    character.boxes.iter().map(in_meters).collect()
}

fn is_in_meters(space: DMat3) -> bool {
    (scales_of(space) - DVec3::ONE).abs().max_element() <= SAME && is_right_angled(space)
}

fn scales_of(axes: DMat3) -> DVec3 {
    DVec3::from_array([axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length))
}

/// Converts a box with a unit orientation from meters to the joint's unit. A box of a joint whose scale is 1 keeps its
/// bits.
///
/// # Errors
/// Returns the problem, and what to do, if the joint has no size, or if its uneven scale makes the shape another one.
pub(crate) fn in_joint_units(one: ManualBox, space: DMat3) -> Result<ManualBox, String> {
    let scales = scales_of(space);
    let [least, most] = [scales.min_element(), scales.max_element()];
    if !(least > 0.0 && most.is_finite()) {
        return Err(
            "the scale of its joint is 0, so no length in meters has a size there; use `unit = \"joint\"`".into()
        );
    }
    if is_in_meters(space) {
        return Ok(one);
    }
    let center = (one.center.as_dvec3() / scales).as_vec3();
    if most <= least * (1.0 + SAME) && is_right_angled(space) {
        let half_extents = (one.half_extents.as_dvec3() / average(scales)).as_vec3();
        return Ok(ManualBox { center, half_extents, ..one });
    }
    let turned = space * DMat3::from_quat(one.orientation.as_dquat());
    let along = scales_of(turned);
    if !is_right_angled(turned) {
        return Err(format!(
            "its joint is scaled unevenly, by {:.4}, {:.4} and {:.4}, which slants a box that is turned; turn the box along \
             the joint's axes, or use `unit = \"joint\"`",
            scales.x, scales.y, scales.z
        ));
    }
    let is_round = matches!(one.shape, HitboxShape::Capsule | HitboxShape::Sphere);
    if is_round && along.max_element() > along.min_element() * (1.0 + SAME) {
        return Err(format!(
            "its joint is scaled unevenly, by {:.4}, {:.4} and {:.4}, which stretches a {}; use `shape = \"box\"`, or \
             `unit = \"joint\"`",
            scales.x,
            scales.y,
            scales.z,
            one.shape.keyword()
        ));
    }
    // The radii of a round shape stay equal.
    let along = if is_round { DVec3::splat(average(along)) } else { along };
    Ok(ManualBox { center, half_extents: (one.half_extents.as_dvec3() / along).as_vec3(), ..one })
}

/// The geometric average of three scales.
fn average(scales: DVec3) -> f64 {
    libm::cbrt(scales.x * scales.y * scales.z)
}

/// Returns `true` if the three axes are at right angles to each other.
fn is_right_angled(axes: DMat3) -> bool {
    let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::normalize_or_zero);
    [x.dot(y), y.dot(z), z.dot(x)].iter().all(|cosine| cosine.abs() <= SAME)
}
