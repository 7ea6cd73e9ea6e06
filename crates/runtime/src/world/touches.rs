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
    pub a: BodyId,
    /// The id of the other body.
    pub b: BodyId,
    /// A hitbox of `a`: [`crate::Character::hitbox`] has its name and tags.
    pub box_a: BoxIndex,
    /// A hitbox of `b`.
    pub box_b: BoxIndex,
    /// The joint of `box_a`.
    pub joint_a: JointIndex,
    /// The joint of `box_b`.
    pub joint_b: JointIndex,
}

impl BoxPairAnswer for Touch {
    type JointPair = ([BodyId; 2], [JointIndex; 2]);

    fn joint_pair(&self) -> Self::JointPair {
        ([self.a, self.b], [self.joint_a, self.joint_b])
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
    events.extend(ended.drain(..).map(|touch| TouchEvent { touch, phase: TouchPhase::Ended }));
    events.sort_unstable_by_key(|event| (event.touch, event.phase != TouchPhase::Ended));
}

impl Touch {
    /// The bodies and boxes, which determine the joints too.
    #[inline]
    fn boxes(&self) -> (u64, u64, u32) {
        (self.a.0, self.b.0, u32::from(self.box_a.0) << 16 | u32::from(self.box_b.0))
    }
}

/// Merges two sorted lists of touches into events.
pub(super) fn compare(before: &[Touch], now: &[Touch], events: &mut Vec<TouchEvent>) {
    events.clear();
    events.reserve(before.len().max(now.len()));
    let (mut before, mut now) = (before, now);
    loop {
        // Most touches persist from one tick to the next, so long ranges of both lists are equal.
        let same = before.iter().zip(now).take_while(|(old, new)| old.boxes() == new.boxes()).count();
        events.extend(all(&now[..same], TouchPhase::Persisted));
        (before, now) = (&before[same..], &now[same..]);
        let ([old, ..], [new, ..]) = (before, now) else { break };
        let ended = before.iter().take_while(|touch| touch.boxes() < new.boxes()).count();
        events.extend(all(&before[..ended], TouchPhase::Ended));
        let began = now.iter().take_while(|touch| touch.boxes() < old.boxes()).count();
        events.extend(all(&now[..began], TouchPhase::Started));
        (before, now) = (&before[ended..], &now[began..]);
    }
    events.extend(all(before, TouchPhase::Ended));
    events.extend(all(now, TouchPhase::Started));
}

fn all(touches: &[Touch], phase: TouchPhase) -> impl Iterator<Item = TouchEvent> + '_ {
    touches.iter().map(move |&touch| TouchEvent { touch, phase })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn touches(numbers: &BTreeSet<u16>) -> Vec<Touch> {
        let touch = |&number: &u16| {
            let (a, b) = (BodyId(u64::from(number / 16)), BodyId(100));
            Touch {
                a,
                b,
                box_a: BoxIndex(number % 16),
                box_b: BoxIndex(0),
                joint_a: JointIndex(number % 16),
                joint_b: JointIndex(0),
            }
        };
        numbers.iter().map(touch).collect()
    }

    proptest! {
        #[test]
        fn every_touch_of_either_tick_is_an_event(
            before in prop::collection::btree_set(0u16..64, 0..40),
            now in prop::collection::btree_set(0u16..64, 0..40),
        ) {
            let mut events = Vec::new();
            compare(&touches(&before), &touches(&now), &mut events);
            let phase = |number| match (before.contains(number), now.contains(number)) {
                (true, true) => TouchPhase::Persisted,
                (true, false) => TouchPhase::Ended,
                _ => TouchPhase::Started,
            };
            let numbers: BTreeSet<u16> = before.union(&now).copied().collect();
            let expected: Vec<TouchEvent> =
                touches(&numbers).into_iter().zip(numbers.iter().map(phase)).map(|(touch, phase)| TouchEvent { touch, phase }).collect();
            prop_assert_eq!(events, expected);
        }
    }
}
