//! Compares the touches of two updates.

use super::growth::make_room;
use super::narrow_phase::{FoundBoxes, FoundParts};
use super::pair_order::OrderedPair;
use super::{BodyId, Touch, TouchEvent, TouchPhase};
use crate::{BoxIndex, BoxPair, kernels};
use skeleton::JointIndex;

/// The overlapping boxes of some pairs of bodies, one pair of bodies after another in the order of the bodies' ids.
#[derive(Clone, Copy)]
pub(super) struct Present<'p> {
    pub(super) pairs: &'p [OrderedPair],
    pub(super) found: FoundParts<'p>,
    /// The ids of all bodies, by place.
    pub(super) ids: &'p [BodyId],
    /// `true` if no other pairs come before `pairs`.
    is_first: bool,
    /// The ids of the first pair that comes after `pairs`.
    after: Option<(BodyId, BodyId)>,
}

impl<'p> Present<'p> {
    pub(super) fn new(pairs: &'p [OrderedPair], found: FoundParts<'p>, ids: &'p [BodyId]) -> Self {
        Self { pairs, found, ids, is_first: true, after: None }
    }

    fn ids_of(&self, [first, second, _]: OrderedPair) -> (BodyId, BodyId) {
        (self.ids[first as usize], self.ids[second as usize])
    }

    /// The part with `count` of all pairs from the pair with index `start`.
    #[cfg(feature = "rayon")]
    pub(super) fn part(&self, start: usize, count: usize) -> Self {
        let end = (start + count).min(self.pairs.len());
        let after = self.pairs.get(end).map(|&pair| self.ids_of(pair));
        Self { pairs: &self.pairs[start..end], is_first: start == 0, after, ..*self }
    }

    /// The touches of the update before, from the first touch that this part compares.
    pub(super) fn touches_from<'t>(&self, before: &'t [Touch]) -> &'t [Touch] {
        // The first part begins with the first touch, also if its bodies touch nothing now.
        let first = self.pairs.first().filter(|_| !self.is_first).map(|&pair| self.ids_of(pair));
        &before[first.map_or(0, |first| before.partition_point(|touch| (touch.body_a, touch.body_b) < first))..]
    }
}

/// Lists the changes from the touches of the update before to the present ones, and replaces the touches by the present
/// ones.
pub(super) fn update(touches: &mut Vec<Touch>, present: Present<'_>, events: &mut Vec<TouchEvent>) {
    events.clear();
    compare(present.touches_from(touches), present, events);
    resize(touches, present.found.len());
    keep_present(events, touches);
}

/// Compares the touches of the update before, which are sorted, with the present ones. Adds an event for each touch
/// that is in either list and comes before [`Present::after`], sorted as the touches.
pub(super) fn compare(before: &[Touch], present: Present<'_>, events: &mut Vec<TouchEvent>) {
    /// The number of pairs between the prefetch of boxes and their use.
    const SOON: usize = 6;
    let mut before = before;
    for (index, &pair) in present.pairs.iter().enumerate() {
        // The boxes are in the order of the broad phase.
        if let Some(soon) = present.pairs.get(index + SOON) {
            kernels::prefetch(present.found.boxes_of(soon[2] as usize));
        }
        let (a, b) = present.ids_of(pair);
        let boxes = present.found.boxes_of(pair[2] as usize);
        let (of_others, rest) = split(before, |touch| (touch.body_a, touch.body_b) < (a, b));
        let (old, rest) = split(rest, |touch| (touch.body_a, touch.body_b) == (a, b));
        before = rest;
        make_room(events, of_others.len() + old.len() + boxes.len());
        add_ended(of_others, events);
        merge([a, b], old, boxes, events);
    }
    let (of_others, _) = split(before, |touch| present.after.is_none_or(|after| (touch.body_a, touch.body_b) < after));
    make_room(events, of_others.len());
    add_ended(of_others, events);
}

/// Divides touches after the first ones for which `is_first` returns `true`.
#[inline]
fn split(touches: &[Touch], is_first: impl Fn(&Touch) -> bool) -> (&[Touch], &[Touch]) {
    touches.split_at(touches.iter().take_while(|touch| is_first(touch)).count())
}

#[inline]
fn add_ended(touches: &[Touch], events: &mut Vec<TouchEvent>) {
    events.extend(touches.iter().map(|&touch| TouchEvent { touch, phase: TouchPhase::Ended }));
}

/// Merges the touches of two bodies at the update before with the boxes that overlap now.
#[inline]
fn merge(bodies: [BodyId; 2], old: &[Touch], new: &[FoundBoxes], events: &mut Vec<TouchEvent>) {
    /// The phase of a touch that is only among the old ones (0) or the new ones (1).
    const PHASES: [TouchPhase; 2] = [TouchPhase::Ended, TouchPhase::Started];
    let touch = |found: FoundBoxes| found.touch(bodies);
    let (mut of_old, mut of_new) = (0, 0);
    while let (Some(one), Some(&there)) = (old.get(of_old), new.get(of_new)) {
        let gone = FoundBoxes::new([one.box_a.0, one.box_b.0], [one.joint_a, one.joint_b]);
        if gone.order() == there.order() {
            events.push(TouchEvent { touch: touch(there), phase: TouchPhase::Persisted });
            (of_old, of_new) = (of_old + 1, of_new + 1);
            continue;
        }
        // Most touches persist, which a processor predicts. For the other touches, nothing here branches on which comes
        // first, because that order has no pattern.
        let is_new = there.order() < gone.order();
        let phase = PHASES[usize::from(is_new)];
        events.push(TouchEvent { touch: touch(if is_new { there } else { gone }), phase });
        of_old += usize::from(!is_new);
        of_new += usize::from(is_new);
    }
    add_ended(&old[of_old..], events);
    for &found in &new[of_new..] {
        events.push(TouchEvent { touch: touch(found), phase: TouchPhase::Started });
    }
}

/// The entry of lists before they are filled.
pub(super) const NO_TOUCH: Touch = Touch {
    body_a: BodyId(0),
    body_b: BodyId(0),
    answer: BoxPair { box_a: BoxIndex(0), box_b: BoxIndex(0), joint_a: JointIndex(0), joint_b: JointIndex(0) },
};

/// Gives a list of touches `count` entries, which [`keep_present`] then overwrites.
pub(super) fn resize(touches: &mut Vec<Touch>, count: usize) {
    make_room(touches, count.saturating_sub(touches.len()));
    touches.resize(count, NO_TOUCH);
}

/// Writes the touches of all events that did not end, as many as `touches` has entries.
pub(super) fn keep_present(events: &[TouchEvent], touches: &mut [Touch]) {
    let mut count = 0;
    for event in events {
        // The next touch overwrites a touch that ended, which costs less than a branch that is hard to predict.
        if let Some(place) = touches.get_mut(count) {
            *place = event.touch;
        }
        count += usize::from(event.phase != TouchPhase::Ended);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::narrow_phase::Found;
    #[cfg(feature = "rayon")]
    use crate::world::parallel_changes::{Buffers, update_in_tasks};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const IDS: [BodyId; 6] = [BodyId(2), BodyId(3), BodyId(5), BodyId(7), BodyId(11), BodyId(u64::MAX)];

    /// The first body, the second body (places), the first box and the second box of a touch.
    type Numbers = (u32, u32, u16, u16);

    fn numbers() -> impl Strategy<Value = BTreeSet<Numbers>> {
        prop::collection::btree_set((0u32..5, 0u32..6, 0u16..3, 0u16..4), 0..60)
    }

    fn boxes(&(_, _, box_a, box_b): &Numbers) -> FoundBoxes {
        FoundBoxes::new([box_a, box_b], [JointIndex(box_a / 2), JointIndex(box_b / 2)])
    }

    fn touch(numbers: &Numbers) -> Touch {
        boxes(numbers).touch([numbers.0, numbers.1].map(|body| IDS[body as usize]))
    }

    proptest! {
        #[test]
        fn every_touch_of_either_tick_is_an_event(before in numbers(), now in numbers(), pairs_log2 in 0u32..4) {
            let mut pairs: Vec<OrderedPair> = Vec::new();
            let mut parts: Vec<Found> = Vec::new();
            // Some pairs have no boxes that overlap.
            for (index, (first, second)) in (0u32..5).flat_map(|a| (0u32..6).map(move |b| (a, b))).enumerate() {
                pairs.push([first, second, index as u32]);
                let of_pair = now.iter().filter(|one| (one.0, one.1) == (first, second)).map(boxes);
                if index.is_multiple_of(1 << pairs_log2) {
                    parts.push(Found::default());
                }
                parts.last_mut().unwrap().push_pair(of_pair);
            }
            let found = FoundParts { parts: &parts, pairs_log2 };
            let present = Present::new(&pairs, found, &IDS);
            let phase = |one| match (before.contains(one), now.contains(one)) {
                (true, true) => TouchPhase::Persisted,
                (true, false) => TouchPhase::Ended,
                _ => TouchPhase::Started,
            };
            let all = before.union(&now);
            let expected: Vec<_> = all.map(|one| TouchEvent { touch: touch(one), phase: phase(one) }).collect();
            let of_now: Vec<Touch> = now.iter().map(touch).collect();
            let (mut events, mut touches): (Vec<_>, Vec<_>) = (Vec::new(), before.iter().map(touch).collect());

            #[cfg(feature = "rayon")]
            for tasks in [[1, 1], [1, 5], [4, 3], [100, 2]] {
                let mut touches = touches.clone();
                let mut events = vec![expected.first().copied(); 3].into_iter().flatten().collect();
                update_in_tasks(tasks, &mut touches, present, &mut events, &mut Buffers::default());
                prop_assert_eq!((&events, &touches), (&expected, &of_now));
            }
            update(&mut touches, present, &mut events);
            prop_assert_eq!((events, touches), (expected, of_now));
        }
    }
}
