//! Bodies on both sides of the plane of symmetry: what a clip does with the one side, the other can do too.

use super::bodies::{Body, Place};
use super::body_poses::BodyPoses;
use super::character::Character;
use super::range::Range;
use crate::parts::mirror::{Mirror, find_mirror};
use crate::skin::bound_mesh::affine_to_f64;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use skeleton::JointIndex;

/// The bodies that have an image on the other side. Both turn in the spaces of bodies that are images of each other too, or of
/// the same body.
pub(super) struct Sides {
    /// `None` if the rest pose has no plane of symmetry.
    mirror: Option<Mirror>,
    /// For each body, the body on the other side.
    others: Vec<Option<usize>>,
}

impl Sides {
    pub(super) fn find(character: &Character<'_>, bodies: &[Body], parents: &[Option<usize>]) -> Self {
        let rest = character.skeleton.rest_matrices();
        let rest: Vec<DAffine3> = rest.iter().map(affine_to_f64).collect();
        let joints: Vec<JointIndex> = bodies.iter().map(|body| body.joint).collect();
        let mirror = find_mirror(character.skeleton, &rest, character.height, &joints);
        let image = |body: usize| {
            let joint = mirror.as_ref()?.joints[joints[body].index()]?;
            joints.iter().position(|one| *one == joint)
        };
        let is_alike = |&(body, other): &(usize, usize)| match (parents[body], parents[other]) {
            (Some(parent), Some(of_other)) => parent == of_other || image(parent) == Some(of_other),
            _ => false,
        };
        let other = |body: usize| Some((body, image(body)?)).filter(is_alike).map(|(_, other)| other);
        let others = (0..bodies.len()).map(other).collect();
        Self { mirror, others }
    }

    /// The body on the other side.
    pub(super) fn other(&self, body: usize) -> Option<usize> {
        self.others[body]
    }

    /// `parent_from_body` of a body in every pose, and of the image of the body on the other side.
    pub(super) fn turns(
        &self,
        poses: &BodyPoses,
        bodies: &[Body],
        parents: &[Option<usize>],
        body: usize,
    ) -> Vec<DQuat> {
        let Some(parent) = parents[body] else { return Vec::new() };
        let mut turns = poses.turns(parent, body);
        let other = self.other(body).and_then(|other| Some((self.mirror.as_ref()?, other, parents[other]?)));
        if let Some((mirror, other, its_parent)) = other {
            let [own, held_by] = [body, parent].map(|index| bodies[index].rest.rotation);
            let [its_own, its_holder] = [other, its_parent].map(|index| bodies[index].rest.rotation);
            // The turn from the rest pose along the axes of model space is what a mirror can show.
            let image = |turn: DQuat| {
                let from_rest = its_holder * turn * its_own.conjugate();
                held_by.conjugate() * mirrored(from_rest, mirror.normal()) * own
            };
            turns.extend(poses.turns(its_parent, other).into_iter().map(image));
        }
        turns
    }

    /// The image of a range of one body as the range of the body on the other side. `places` are those of the body and of its
    /// parent in the rest pose, and `others` those on the other side.
    pub(super) fn image(&self, range: &Range, places: [&Place; 2], others: [&Place; 2]) -> Range {
        let normal = self.mirror.as_ref().map_or(DVec3::X, Mirror::normal);
        let frame = |frame: DQuat, from: &Place, to: &Place| {
            (to.rotation.conjugate() * mirrored_frame(from.rotation * frame, normal)).normalize()
        };
        Range {
            body_from_frame: frame(range.body_from_frame, places[0], others[0]),
            parent_from_frame: frame(range.parent_from_frame, places[1], others[1]),
            ..*range
        }
    }
}

/// The image of a turn: of its axis, with the opposite angle.
fn mirrored(turn: DQuat, normal: DVec3) -> DQuat {
    let axis = DVec3::new(turn.x, turn.y, turn.z);
    let DVec3 { x, y, z } = 2.0 * normal * normal.dot(axis) - axis;
    DQuat::from_xyzw(x, y, z, turn.w)
}

/// The image of the axes x and y of a frame, and the z that makes it right-handed. In such frames a twist and the y of a swing
/// change their sign and nothing else.
fn mirrored_frame(frame: DQuat, normal: DVec3) -> DQuat {
    let [x, y] = [DVec3::X, DVec3::Y].map(|axis| {
        let axis = frame * axis;
        axis - 2.0 * normal * normal.dot(axis)
    });
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)))
}

#[cfg(test)]
mod tests {
    use super::super::swing_twist::{SwingTwist, rotation_about};
    use super::*;
    use test_models::Random;

    /// By matrices: the image of a turn is the mirror, the turn, and the mirror again. Seen from the image of the frame, swing and
    /// twist are the same but for signs.
    #[test]
    fn an_image_turns_as_far() {
        let mut random = Random::new(3);
        for case in 0..1_000 {
            let [turn, parent, child] = [(); 3].map(|()| rotation_about(random.in_ball() * 3.0));
            let normal = DVec3::AXES[case % 3];
            let mirror = DMat3::from_diagonal(DVec3::ONE - 2.0 * normal);
            let expected = mirror * DMat3::from_quat(turn) * mirror;
            let image = mirrored(turn, normal);
            let apart = DMat3::from_quat(image) - expected;
            assert!(apart.to_cols_array().iter().all(|entry| entry.abs() < 1e-12), "{case}");
            let [own, other] = [
                SwingTwist::of(parent.conjugate() * turn * child),
                SwingTwist::of(mirrored_frame(parent, normal).conjugate() * image * mirrored_frame(child, normal)),
            ];
            let parts = |one: &SwingTwist| [one.twist, one.swing.x, one.swing.y].map(f64::abs);
            let apart = parts(&own).into_iter().zip(parts(&other)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-9, "{case}: {own:?} and {other:?}");
        }
    }
}
