//! What touches, and what has changed.

use super::BodyId;
use skeleton::JointIndex;
use std::cmp::Ordering;

/// A joint of one body and a joint of another that touch. Of one body with itself, `joint_a` comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Touch {
    /// Not above `b`.
    pub a: BodyId,
    /// The other body.
    pub b: BodyId,
    /// Of `a`.
    pub joint_a: JointIndex,
    /// Of `b`.
    pub joint_b: JointIndex,
}

/// What became of a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// It was not there at the update before.
    Began,
    /// It was there already.
    Stays,
    /// It is no longer there.
    Ended,
}

/// A touch and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// Who touches whom.
    pub touch: Touch,
    /// What became of it.
    pub phase: Phase,
}

/// Merges two sorted lists.
pub(super) fn compare(before: &[Touch], now: &[Touch], events: &mut Vec<Event>) {
    events.clear();
    let (mut before, mut now) = (before.iter().peekable(), now.iter().peekable());
    loop {
        let order = match (before.peek(), now.peek()) {
            (None, None) => return,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(before), Some(now)) => before.cmp(now),
        };
        let ended = if order.is_le() { before.next() } else { None };
        let there = if order.is_ge() { now.next() } else { None };
        let (touch, phase) = match (ended, there) {
            (Some(_), Some(touch)) => (touch, Phase::Stays),
            (Some(touch), None) => (touch, Phase::Ended),
            (_, Some(touch)) => (touch, Phase::Began),
            (None, None) => return,
        };
        events.push(Event { touch: *touch, phase });
    }
}
