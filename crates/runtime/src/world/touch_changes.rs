//! Compares the touches of two updates.

use super::growth::make_room;
use super::narrow_phase::{FoundBoxes, FoundParts};
use super::pair_order::OrderedPair;
use super::{BodyId, Touch, TouchEvent, TouchPhase};
use crate::{BoxIndex, kernels};
use skeleton::JointIndex;

/// The overlapping boxes of some pairs of bodies, one pair of bodies after another in the order of the bodies' ids.
#[derive(Clone, Copy)]
pub(super) struct Present<'p> {
    pub(super) pairs: &'p [OrderedPair],
    pub(super) found: FoundParts<'p>,
    /// The ids of all bodies, by place.
    pub(super) ids: &'p [BodyId],
}

impl Present<'_> {
    pub(super) fn ids_of(&self, [first, second, _]: OrderedPair) -> (BodyId, BodyId) {
        (self.ids[first as usize], self.ids[second as usize])
    }
}

/// Takes events in their order.
pub(super) trait EventSink {
    /// Called before at most this number of events is added.
    fn expect(&mut self, most: usize);

    fn add(&mut self, event: TouchEvent);
}

impl EventSink for Vec<TouchEvent> {
    #[inline]
    fn expect(&mut self, most: usize) {
        make_room(self, most);
    }

    #[inline]
    fn add(&mut self, event: TouchEvent) {
        self.push(event);
    }
}

/// Compares the touches of the update before, which are sorted, with the present ones. Adds an event for each touch
/// that is in either list, sorted as the touches.
pub(super) fn compare(before: &[Touch], present: Present<'_>, events: &mut impl EventSink) {
    /// The number of pairs after which boxes that are prefetched are needed.
    const SOON: usize = 6;
    let mut before = before;
    for (index, &pair) in present.pairs.iter().enumerate() {
        // The boxes are in the order of the broad phase.
        if let Some(soon) = present.pairs.get(index + SOON) {
            kernels::prefetch(present.found.boxes_of(soon[2] as usize));
        }
        let (a, b) = present.ids_of(pair);
        let boxes = present.found.boxes_of(pair[2] as usize);
        let (of_others, rest) = split(before, |touch| (touch.a, touch.b) < (a, b));
        let (old, rest) = split(rest, |touch| (touch.a, touch.b) == (a, b));
        before = rest;
        events.expect(of_others.len() + old.len() + boxes.len());
        add_ended(of_others, events);
        merge([a, b], old, boxes, events);
    }
    events.expect(before.len());
    add_ended(before, events);
}

/// Divides touches after the first ones for which `is_first` returns `true`.
#[inline]
fn split(touches: &[Touch], is_first: impl Fn(&Touch) -> bool) -> (&[Touch], &[Touch]) {
    touches.split_at(touches.iter().take_while(|touch| is_first(touch)).count())
}

#[inline]
fn add_ended(touches: &[Touch], events: &mut impl EventSink) {
    touches.iter().for_each(|&touch| events.add(TouchEvent { touch, phase: TouchPhase::Ended }));
}

/// Merges the touches of two bodies at the update before with the boxes that overlap now.
#[inline]
fn merge([a, b]: [BodyId; 2], old: &[Touch], new: &[FoundBoxes], events: &mut impl EventSink) {
    /// The phase of a touch that is among the old ones (1), the new ones (2), or both (3).
    const PHASES: [TouchPhase; 4] = [TouchPhase::Ended, TouchPhase::Ended, TouchPhase::Started, TouchPhase::Persisted];
    let touch = |found: FoundBoxes| {
        let ([box_a, box_b], [joint_a, joint_b]) = (found.boxes(), found.joints());
        Touch { a, b, box_a, box_b, joint_a, joint_b }
    };
    let (mut of_old, mut of_new) = (0, 0);
    while let (Some(one), Some(&there)) = (old.get(of_old), new.get(of_new)) {
        // A quarter of all touches start or end, in no pattern that a processor could predict. So nothing here branches on
        // which of the two comes first.
        let gone = FoundBoxes::new([one.box_a.0, one.box_b.0], [one.joint_a, one.joint_b]);
        let (is_old, is_new) = (gone.order() <= there.order(), there.order() <= gone.order());
        let phase = PHASES[usize::from(is_old) | usize::from(is_new) << 1];
        events.add(TouchEvent { touch: touch(if is_new { there } else { gone }), phase });
        of_old += usize::from(is_old);
        of_new += usize::from(is_new);
    }
    add_ended(&old[of_old..], events);
    for &found in &new[of_new..] {
        events.add(TouchEvent { touch: touch(found), phase: TouchPhase::Started });
    }
}

/// The entry of lists before they are filled.
pub(super) const NO_TOUCH: Touch = Touch {
    a: BodyId(0),
    b: BodyId(0),
    box_a: BoxIndex(0),
    box_b: BoxIndex(0),
    joint_a: JointIndex(0),
    joint_b: JointIndex(0),
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
    use crate::world::parallel_changes::compare_in_tasks;
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
        let ([box_a, box_b], [joint_a, joint_b]) = (boxes(numbers).boxes(), boxes(numbers).joints());
        let (a, b) = (IDS[numbers.0 as usize], IDS[numbers.1 as usize]);
        Touch { a, b, box_a, box_b, joint_a, joint_b }
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
            let present = Present { pairs: &pairs, found, ids: &IDS };
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
            for pairs_a_task in [1, 4, 100] {
                let mut touches = touches.clone();
                let (mut events, mut tasks) = (vec![expected.first().copied(); 3].into_iter().flatten().collect(), Vec::new());
                compare_in_tasks(pairs_a_task, &mut touches, present, &mut events, &mut tasks);
                prop_assert_eq!((&events, &touches), (&expected, &of_now));
            }
            compare(&touches, present, &mut events);
            prop_assert_eq!(&events, &expected);
            resize(&mut touches, now.len());
            keep_present(&events, &mut touches);
            prop_assert_eq!(touches, of_now);
        }
    }
}
