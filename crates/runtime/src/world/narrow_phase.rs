//! Tests the boxes of pairs of bodies whose bounds overlap.

use super::growth::make_room;
use super::interaction::{all_boxes_interact, boxes_interact, each_meeting};
use super::{Body, BodyId, Touch};
use crate::kernels::{self, Batch, Kernel, PackedBounds};
use crate::query::box_pairs::{BOXES_IN_ORDER, shapes_overlap, some_boxes};
use crate::{BoxIndex, BoxPair};
use skeleton::JointIndex;

/// Two boxes that overlap and the joints that they are attached to: four numbers of 16 bits, the first box in the lowest.
///
/// In this order, a processor reads and writes the four numbers of a [`super::Touch`] at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundBoxes(u64);

impl FoundBoxes {
    #[inline]
    pub(super) fn new([box_a, box_b]: [u16; 2], [joint_a, joint_b]: [JointIndex; 2]) -> Self {
        let boxes = u64::from(box_a) | u64::from(box_b) << 16;
        Self(boxes | u64::from(joint_a.0) << 32 | u64::from(joint_b.0) << 48)
    }

    /// A number that sorts by box of the first body, then of the second.
    #[inline]
    pub(super) fn order(self) -> u32 {
        (self.0 as u32).rotate_left(16)
    }

    #[inline]
    pub(super) fn touch(self, [body_a, body_b]: [BodyId; 2]) -> Touch {
        let [box_a, box_b] = [self.0, self.0 >> 16].map(|index| BoxIndex(index as u16));
        let [joint_a, joint_b] = [self.0 >> 32, self.0 >> 48].map(|index| JointIndex(index as u16));
        Touch { body_a, body_b, answer: BoxPair { box_a, box_b, joint_a, joint_b } }
    }
}

/// The overlapping boxes of some pairs of bodies.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The boxes of one pair of bodies after another.
    boxes: Vec<FoundBoxes>,
    /// The end of each pair's range in `boxes`.
    ends: Vec<u32>,
    /// The indices of the pairs that have boxes, among the pairs of this part.
    touching: Vec<u32>,
    /// Masks of the boxes of two bodies that may meet.
    wanted: [Vec<u16>; 2],
}

impl Found {
    /// Tests the boxes of pairs of bodies (places in `bodies`), and replaces the earlier content. If `prefetch` is
    /// `true`, the boxes of upcoming pairs are prefetched.
    pub(super) fn find(&mut self, kernel: Kernel, bodies: &[Body], pairs: &[[u32; 2]], prefetch: bool) {
        self.boxes.clear();
        self.ends.clear();
        let bodies_of = |pair: u32| pairs[pair as usize].map(|place| &bodies[place as usize]);
        let Self { boxes, ends, wanted, .. } = self;
        make_room(ends, pairs.len());
        let (mut are_in_order, mut has_several_groups) = (true, false);
        let (mut batch, mut packed) = (Batch::new(), PackedBounds::new());
        let mut sink = |pair: u32, some: &[u32]| {
            // The hits arrive in the order of their pairs.
            ends.resize(pair as usize, boxes.len() as u32);
            make_room(boxes, some.len());
            let [a, b] = bodies_of(pair);
            let (table_a, table_b) = (&*a.character.hitboxes, &*b.character.hitboxes);
            let (joints_a, joints_b) = (&table_a.joints, &table_b.joints);
            let with_joints = |&key: &u32| {
                let [first, second] = kernels::boxes_of(key);
                FoundBoxes::new([first, second], [joints_a[usize::from(first)], joints_b[usize::from(second)]])
            };
            let only_boxes = table_a.forms.is_empty() && table_b.forms.is_empty();
            are_in_order &= joints_a.len().max(joints_b.len()) <= BOXES_IN_ORDER;
            if only_boxes && all_boxes_interact(a, b) {
                boxes.extend(some.iter().map(with_joints));
            } else {
                let touch = |&&key: &&u32| {
                    let [first, second] = kernels::boxes_of(key);
                    boxes_interact((a, first.into()), (b, second.into()))
                        && (only_boxes || shapes_overlap(a.posed(), b.posed(), [first, second]))
                };
                boxes.extend(some.iter().filter(touch).map(with_joints));
            }
            true
        };
        for pair in 0..pairs.len() as u32 {
            if prefetch {
                prefetch_pairs(bodies, &pairs[pair as usize..]);
            }
            let [a, b] = bodies_of(pair);
            // Boxes that no rule lets meet are left out before their bounds are compared.
            let mut groups = 0;
            each_meeting([a, b], wanted, |[of_a, of_b]| {
                let boxes = [&some_boxes(a.posed(), of_a), &some_boxes(b.posed(), of_b)];
                kernels::add_near_pairs(kernel, boxes, pair, prefetch, &mut packed, &mut batch, &mut sink);
                groups += 1;
            });
            has_several_groups |= groups > 1;
        }
        kernels::flush(kernel, &mut batch, &mut sink);
        self.ends.resize(pairs.len(), self.boxes.len() as u32);
        self.find_touching();
        if has_several_groups || !are_in_order {
            let mut start = 0;
            for &end in &self.ends {
                self.boxes[start..end as usize].sort_unstable_by_key(|found| found.order());
                start = end as usize;
            }
        }
    }

    /// Lists the pairs that have boxes.
    fn find_touching(&mut self) {
        let Self { ends, touching, .. } = self;
        touching.clear();
        make_room(touching, ends.len());
        touching.resize(ends.len(), 0);
        let (mut count, mut start) = (0, 0);
        for (pair, &end) in (0..).zip(&*ends) {
            // The next pair overwrites a pair without boxes, which costs less than a branch that is hard to predict.
            touching[count] = pair;
            count += usize::from(end > start);
            start = end;
        }
        touching.truncate(count);
    }

    /// Adds a pair of bodies and its boxes that overlap.
    #[cfg(test)]
    pub(super) fn push_pair(&mut self, boxes: impl Iterator<Item = FoundBoxes>) {
        self.boxes.extend(boxes);
        self.ends.push(self.boxes.len() as u32);
    }

    /// The overlapping boxes of one of the pairs of bodies, sorted.
    #[inline]
    fn boxes_of(&self, pair: usize) -> &[FoundBoxes] {
        let start = if pair == 0 { 0 } else { self.ends[pair - 1] };
        &self.boxes[start as usize..self.ends[pair] as usize]
    }
}

/// The overlapping boxes of all pairs of bodies, in parts that were found separately.
#[derive(Clone, Copy)]
pub(super) struct FoundParts<'f> {
    /// The first part has the first 2^`pairs_log2` pairs of bodies, and so on.
    pub(super) parts: &'f [Found],
    pub(super) pairs_log2: u32,
}

impl<'f> FoundParts<'f> {
    /// The number of pairs of boxes that overlap.
    pub(super) fn len(self) -> usize {
        self.parts.iter().map(|part| part.boxes.len()).sum()
    }

    /// The indices of the pairs of bodies that have boxes.
    pub(super) fn touching(self) -> impl Iterator<Item = u32> + Clone + use<'f> {
        let parts = self.parts.iter().enumerate();
        parts.flat_map(move |(part, found)| {
            found.touching.iter().map(move |pair| ((part << self.pairs_log2) as u32) + pair)
        })
    }

    /// [`Found::boxes_of`] for a pair of bodies, by its index among the pairs of all parts.
    #[inline]
    pub(super) fn boxes_of(self, pair: usize) -> &'f [FoundBoxes] {
        let part = pair >> self.pairs_log2;
        self.parts[part].boxes_of(pair - (part << self.pairs_log2))
    }
}

/// Prefetches upcoming pairs: first the bodies, then the pointers to their boxes, then the bounds that they lead to. The
/// bounds decide which boxes are needed ([`kernels::Side`]).
#[inline]
fn prefetch_pairs(bodies: &[Body], pairs: &[[u32; 2]]) {
    const LATER: usize = 12;
    const SOON: usize = 8;
    const SOONER: usize = 4;
    for &place in pairs.get(LATER).into_iter().flatten() {
        kernels::prefetch(std::slice::from_ref(&bodies[place as usize]));
    }
    for &place in pairs.get(SOON).into_iter().flatten() {
        bodies[place as usize].boxes.prefetch();
    }
    for &place in pairs.get(SOONER).into_iter().flatten() {
        bodies[place as usize].boxes.known().inspect(|posed| posed.prefetch_bounds());
    }
}
