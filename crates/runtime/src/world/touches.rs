//! Touches between bodies, and their changes from update to update.

use super::BodyId;
use crate::BoxIndex;
use crate::query::by_joint::{BoxPairAnswer, box_pair_order};
use skeleton::JointIndex;

/// Two hitboxes of two bodies that overlap. For a touch of a body with itself, `box_a` comes before `box_b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Touch {
    /// The lesser id of the two bodies.
    pub body_a: BodyId,
    /// The id of the other body.
    pub body_b: BodyId,
    /// A hitbox of `body_a`: [`crate::Character::hitbox`] has its tags and the name of its joint.
    pub box_a: BoxIndex,
    /// A hitbox of `body_b`.
    pub box_b: BoxIndex,
    /// The joint of `box_a`.
    pub joint_a: JointIndex,
    /// The joint of `box_b`.
    pub joint_b: JointIndex,
}

impl BoxPairAnswer for Touch {
    type JointPair = ([BodyId; 2], [JointIndex; 2]);

    fn joint_pair(&self) -> Self::JointPair {
        ([self.body_a, self.body_b], [self.joint_a, self.joint_b])
    }

    fn order_key(&self) -> (u32, u32) {
        (0, box_pair_order(self.box_a, self.box_b))
    }
}

/// The change of a touch since the update before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TouchPhase {
    /// The touch did not exist at the update before.
    Started,
    /// The touch existed at the update before.
    Persisted,
    /// The touch no longer exists.
    Ended,
}

/// A touch and its phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TouchEvent {
    /// The hitboxes that touch, or that touched at the update before.
    pub touch: Touch,
    /// The change since the update before.
    pub phase: TouchPhase,
}

/// Adds touches that ended because their bodies were removed, before touches that started under the same ids; empties
/// `ended`.
pub(super) fn add_ended(ended: &mut Vec<Touch>, events: &mut Vec<TouchEvent>) {
    if ended.is_empty() {
        return;
    }
    events.extend(ended.drain(..).map(|touch| TouchEvent { touch, phase: TouchPhase::Ended }));
    events.sort_unstable_by_key(|event| (event.touch, event.phase != TouchPhase::Ended));
}
