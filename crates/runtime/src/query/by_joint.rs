//! From answers about hitboxes to answers about joints, for joints that have several.

use crate::{BoxPair, Contact, SweepHit};
use skeleton::JointIndex;

/// An answer about two hitboxes, of which [`keep_one_per_joints`] keeps one for each pair of joints.
pub trait OfTwoBoxes {
    /// What tells pairs of joints apart: the joints, and the bodies where there are bodies.
    type Joints: Ord;

    /// The joints that the two hitboxes are attached to.
    fn joints(&self) -> Self::Joints;

    /// The rank of this answer: the least of all answers about the same joints is kept.
    fn rank(&self) -> (u32, u32);
}

/// Keeps one answer for each pair of joints and sorts by joints: of contacts the deepest, of sweep hits the earliest,
/// of others the first by their boxes. Allocates nothing.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
/// # use runtime::{Character, PosedCharacter, contacts, keep_one_per_joints}; use glam::{Affine3A, Vec3};
/// let mut baked = example::baked_arm("Arm");
/// baked.boxes.extend(baked.boxes.clone()); // two hitboxes for each joint
/// let arm = Character::from_baked(baked);
/// let (mut a, mut b, mut found) = (PosedCharacter::new(), PosedCharacter::new(), Vec::new());
/// a.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
/// b.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::X * 0.5))?;
/// contacts(&a, &b, &mut found);
/// assert_eq!(found.len(), 16);
/// keep_one_per_joints(&mut found);
/// assert_eq!(found.len(), 4);
/// # Ok::<(), runtime::PoseError>(())
/// ```
pub fn keep_one_per_joints<A: OfTwoBoxes>(answers: &mut Vec<A>) {
    answers.sort_unstable_by_key(|answer| (answer.joints(), answer.rank()));
    answers.dedup_by_key(|answer| answer.joints());
}

/// A rank of two hitboxes: first by that of `a`, then by that of `b`.
pub(crate) fn rank_of_boxes(box_a: crate::BoxIndex, box_b: crate::BoxIndex) -> u32 {
    u32::from(box_a.0) << 16 | u32::from(box_b.0)
}

impl OfTwoBoxes for BoxPair {
    type Joints = [JointIndex; 2];

    fn joints(&self) -> Self::Joints {
        [self.joint_a, self.joint_b]
    }

    fn rank(&self) -> (u32, u32) {
        (0, rank_of_boxes(self.box_a, self.box_b))
    }
}

impl OfTwoBoxes for Contact {
    type Joints = [JointIndex; 2];

    fn joints(&self) -> Self::Joints {
        [self.joint_a, self.joint_b]
    }

    fn rank(&self) -> (u32, u32) {
        // Depths are not negative, so that their bits sort as they do; adding zero drops the sign of a zero.
        (!(self.depth + 0.0).to_bits(), rank_of_boxes(self.box_a, self.box_b))
    }
}

impl OfTwoBoxes for SweepHit {
    type Joints = [JointIndex; 2];

    fn joints(&self) -> Self::Joints {
        [self.joint_a, self.joint_b]
    }

    fn rank(&self) -> (u32, u32) {
        // Times are not negative either.
        (self.time.to_bits(), rank_of_boxes(self.box_a, self.box_b))
    }
}
