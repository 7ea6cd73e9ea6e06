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
    events.reserve(before.len().max(now.len()));
    let (mut before, mut now) = (before, now);
    while let ([old, later @ ..], [new, rest @ ..]) = (before, now) {
        let (touch, phase) = match old.cmp(new) {
            Ordering::Equal => (new, Phase::Stays),
            Ordering::Less => (old, Phase::Ended),
            Ordering::Greater => (new, Phase::Began),
        };
        before = if phase == Phase::Began { before } else { later };
        now = if phase == Phase::Ended { now } else { rest };
        events.push(Event { touch: *touch, phase });
    }
    events.extend(before.iter().map(|&touch| Event { touch, phase: Phase::Ended }));
    events.extend(now.iter().map(|&touch| Event { touch, phase: Phase::Began }));
}
