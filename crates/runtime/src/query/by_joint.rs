//! Reduces answers about hitboxes to answers about joints, for joints with several hitboxes.

use crate::{BoxPair, Contact, SweepHit};
use skeleton::JointIndex;

/// An answer about two hitboxes, such as a contact. [`keep_one_per_joint_pair`] keeps one answer for each pair of joints.
pub trait BoxPairAnswer {
    /// The key of a pair of joints: the joints, and the bodies if the answer names bodies.
    type JointPair: Ord;

    /// The joints that the two hitboxes are attached to.
    fn joint_pair(&self) -> Self::JointPair;

    /// The rank of this answer. Of all answers about the same joints, the answer with the least rank is kept.
    fn order_key(&self) -> (u32, u32);
}

/// Keeps one answer for each pair of joints, and sorts the answers by joints. Of several contacts, the function keeps
/// the deepest. Of several hits of a sweep, it keeps the earliest. Of other answers, it keeps the one with the least
/// box indices. Allocates nothing.
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use runtime::{Character, PosedCharacter, contacts, keep_one_per_joint_pair};
///
/// let mut baked = baked_format::read(&std::fs::read("tests/data/arm.bonebox")?)?;
/// baked.boxes.extend(baked.boxes.clone()); // two hitboxes for each joint
/// let arm = Character::from_baked(baked);
/// let (mut a, mut b, mut found) = (PosedCharacter::new(), PosedCharacter::new(), Vec::new());
/// a.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
/// b.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::X * 0.5))?;
/// contacts(&a, &b, &mut found);
/// assert_eq!(found.len(), 16);
/// keep_one_per_joint_pair(&mut found);
/// assert_eq!(found.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn keep_one_per_joint_pair<A: BoxPairAnswer>(answers: &mut Vec<A>) {
    answers.sort_unstable_by_key(|answer| (answer.joint_pair(), answer.order_key()));
    answers.dedup_by_key(|answer| answer.joint_pair());
}

/// The rank of a pair of hitboxes: ordered by the index in `a`, then by the index in `b`.
pub(crate) fn box_pair_order(box_a: crate::BoxIndex, box_b: crate::BoxIndex) -> u32 {
    u32::from(box_a.0) << 16 | u32::from(box_b.0)
}

impl BoxPairAnswer for BoxPair {
    type JointPair = [JointIndex; 2];

    fn joint_pair(&self) -> Self::JointPair {
        [self.joint_a, self.joint_b]
    }

    fn order_key(&self) -> (u32, u32) {
        (0, box_pair_order(self.box_a, self.box_b))
    }
}

impl BoxPairAnswer for Contact {
    type JointPair = [JointIndex; 2];

    fn joint_pair(&self) -> Self::JointPair {
        [self.joint_a, self.joint_b]
    }

    fn order_key(&self) -> (u32, u32) {
        // The bits of nonnegative depths sort like the depths; adding zero drops the sign of a zero.
        (!(self.depth + 0.0).to_bits(), box_pair_order(self.box_a, self.box_b))
    }
}

impl BoxPairAnswer for SweepHit {
    type JointPair = [JointIndex; 2];

    fn joint_pair(&self) -> Self::JointPair {
        [self.joint_a, self.joint_b]
    }

    fn order_key(&self) -> (u32, u32) {
        // The bits of nonnegative times sort like the times.
        (self.time.to_bits(), box_pair_order(self.box_a, self.box_b))
    }
}
