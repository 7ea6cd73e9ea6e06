//! Finds the bodies whose bounds overlap: sorts bodies along one axis, then tests sixteen bodies at a time.
//!
//! Bodies are sorted by the lower end of their bounds along the axis on which their centers spread most. Each body is
//! then compared with the bodies whose bounds begin before its own bounds end, sixteen at a time on all three axes. The
//! order changes little from tick to tick, so sorting costs about one comparison per body. If all bodies are in one
//! place, the test costs a sixteenth of a comparison per pair, and every pair is part of the answer anyway.

use crate::Bounds;
use crate::clone_in_place::clone_in_place;
use crate::kernels::layout::{BoundsBlock, LANES};
use crate::kernels::{self, Kernel};

/// The value that stands for no body, or for no lane.
const NONE: u32 = u32::MAX;

/// The bounds of all bodies in lanes, and the pairs of bodies whose bounds overlap.
///
/// The pairs are those of the last [`BroadPhase::update`]. The lanes change with every pose, so that queries between
/// updates find bodies at their present place.
#[derive(Debug, Default)]
pub(super) struct BroadPhase {
    /// The bounds of each body at the last update, by body place.
    bounds: Vec<Bounds>,
    /// The body place in each lane. The last update put the bodies that have boxes first, sorted by the lower end of
    /// their bounds along `axis`. Bodies posed for the first time since then follow, and a removed body leaves
    /// [`NONE`].
    order: Vec<u32>,
    axis: usize,
    /// The bounds of each lane: lane `i % 16` of block `i / 16`.
    blocks: Vec<BoundsBlock>,
    /// The lane of each body, or [`NONE`], by body place.
    lanes: Vec<u32>,
    masks: Vec<u16>,
    pairs: Vec<[u32; 2]>,
}

clone_in_place!(BroadPhase { bounds, order, axis, blocks, lanes, pairs; masks });

impl BroadPhase {
    /// The pairs of bodies whose bounds overlap, the smaller place first. Pairs that are near each other in space are
    /// near each other in the list. If requested, pairs of a body with itself follow.
    pub(super) fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// The body place and the bounds of each lane; the bounds of a lane without a body are empty.
    pub(super) fn lanes(&self) -> (&[u32], &[BoundsBlock]) {
        (&self.order, &self.blocks)
    }

    /// Makes room for a new body at this place; the places of the later bodies increase by one.
    pub(super) fn insert(&mut self, place: usize) {
        let place_number = place as u32;
        let bodies = self.order.iter_mut().filter(|body| **body != NONE);
        let bodies = bodies.chain(self.pairs.as_flattened_mut());
        bodies.filter(|body| **body >= place_number).for_each(|body| *body += 1);
        self.lanes.insert(place, NONE);
    }

    /// Removes the body at this place; the places of the later bodies decrease by one.
    pub(super) fn remove(&mut self, place: usize) {
        let place_number = place as u32;
        self.set(place, &Bounds::EMPTY);
        let lane = self.lanes.remove(place);
        if lane != NONE {
            self.order[lane as usize] = NONE;
        }
        self.pairs.retain(|pair| !pair.contains(&place_number));
        let bodies = self.order.iter_mut().filter(|body| **body != NONE);
        let bodies = bodies.chain(self.pairs.as_flattened_mut());
        bodies.filter(|body| **body > place_number).for_each(|body| *body -= 1);
    }

    /// Sets the present bounds of a body.
    #[inline]
    pub(super) fn set(&mut self, place: usize, bounds: &Bounds) {
        let lane = self.lanes[place] as usize;
        match self.blocks.get_mut(lane / LANES) {
            Some(block) if lane != NONE as usize => block.set(lane % LANES, bounds),
            _ if *bounds == Bounds::EMPTY => {}
            _ => self.append(place, bounds),
        }
    }

    #[cold]
    fn append(&mut self, place: usize, bounds: &Bounds) {
        let lane = self.order.len();
        if lane.is_multiple_of(LANES) {
            self.blocks.push(BoundsBlock::EMPTY);
        }
        self.blocks[lane / LANES].set(lane % LANES, bounds);
        self.order.push(place as u32);
        self.lanes[place] = lane as u32;
    }

    /// Fills the lanes with bodies that already exist; leaves the pairs empty.
    pub(super) fn fill(&mut self, bounds: impl Iterator<Item = Bounds>) {
        self.order.clear();
        self.blocks.clear();
        self.lanes.clear();
        self.pairs.clear();
        for (place, bounds) in bounds.enumerate() {
            self.lanes.push(NONE);
            self.set(place, &bounds);
        }
    }

    pub(super) fn update(
        &mut self,
        kernel: Kernel,
        bounds: impl Iterator<Item = Bounds>,
        interact: impl Fn(usize, usize) -> bool,
    ) {
        self.bounds.clear();
        self.bounds.extend(bounds);
        self.sort();
        self.pairs.clear();
        for (place, &body) in self.order.iter().enumerate() {
            let bounds = self.bounds[body as usize];
            let end = bounds.max[self.axis];
            let first = place / LANES;
            let blocks = &self.blocks[first..];
            let count = blocks.iter().take_while(|block| block.min[self.axis][0] <= end).count();
            self.masks.clear();
            self.masks.resize(count, 0);
            kernels::bounds_masks(kernel, &bounds, &blocks[..count], &mut self.masks);
            // The lanes before this one in the same block have found this body already.
            if let Some(own) = self.masks.first_mut() {
                *own &= !(u16::MAX >> (LANES - 1 - place % LANES));
            }
            for (block, &mask) in self.masks.iter().enumerate() {
                let mut mask = mask;
                while mask != 0 {
                    let other = self.order[(first + block) * LANES + mask.trailing_zeros() as usize];
                    mask &= mask - 1;
                    let pair = [body.min(other), body.max(other)];
                    if interact(pair[0] as usize, pair[1] as usize) {
                        self.pairs.push(pair);
                    }
                }
            }
        }
    }

    pub(super) fn add_own_pairs(&mut self, wanted: impl Iterator<Item = bool>) {
        let own = wanted.zip(0u32..).filter(|(wanted, _)| *wanted).map(|(_, body)| [body, body]);
        self.pairs.extend(own);
    }

    fn sort(&mut self) {
        let has_boxes = |bounds: &Bounds| bounds.min.x <= bounds.max.x;
        let there = self.bounds.iter().filter(|bounds| has_boxes(bounds)).count();
        let axis = widest_axis(self.bounds.iter().filter(|bounds| has_boxes(bounds)));
        let bounds = &self.bounds;
        let is_current = |&body: &u32| bounds.get(body as usize).is_some_and(has_boxes);
        if axis != self.axis || self.order.len() != there || !self.order.iter().all(is_current) {
            self.axis = axis;
            self.order.clear();
            self.order.extend((0u32..).zip(bounds).filter(|(_, bounds)| has_boxes(bounds)).map(|(body, _)| body));
        }
        // The order of the last tick is nearly sorted, which makes insertion sort fast. Ties are sorted by place, so
        // that the order does not depend on the order of the last tick.
        let key = |body: u32| bounds[body as usize].min[axis];
        let less = |&a: &u32, &b: &u32| key(a).total_cmp(&key(b)).then(a.cmp(&b));
        insertion_sort(&mut self.order, less);
        self.blocks.clear();
        self.lanes.clear();
        self.lanes.resize(bounds.len(), NONE);
        for (lane, &body) in self.order.iter().enumerate() {
            if lane % LANES == 0 {
                self.blocks.push(BoundsBlock::EMPTY);
            }
            if let Some(block) = self.blocks.last_mut() {
                block.set(lane % LANES, &bounds[body as usize]);
            }
            self.lanes[body as usize] = lane as u32;
        }
    }
}

/// Insertion sort if little has moved, otherwise the standard library's unstable sort. Neither sort allocates.
fn insertion_sort(order: &mut [u32], compare: impl Fn(&u32, &u32) -> std::cmp::Ordering) {
    let mut budget = 8 * order.len();
    for end in 1..order.len() {
        let body = order[end];
        let mut place = end;
        while place > 0 && compare(&body, &order[place - 1]).is_lt() {
            order[place] = order[place - 1];
            place -= 1;
        }
        order[place] = body;
        budget = budget.saturating_sub(end - place);
        if budget == 0 {
            order.sort_unstable_by(compare);
            return;
        }
    }
}

/// The axis (0 to 2) along which the centers spread most.
fn widest_axis<'a>(bounds: impl Iterator<Item = &'a Bounds>) -> usize {
    let (mut count, mut sum, mut squares) = (0.0, glam::DVec3::ZERO, glam::DVec3::ZERO);
    for bounds in bounds {
        let center = (bounds.min.as_dvec3() + bounds.max.as_dvec3()) * 0.5;
        (count, sum, squares) = (count + 1.0, sum + center, squares + center * center);
    }
    let spread = (squares - sum * sum / count).to_array();
    (1..3).fold(0, |widest, axis| if spread[axis] > spread[widest] { axis } else { widest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_the_pairs_that_looking_at_all_finds(
            ticks in prop::collection::vec(
                prop::collection::vec((prop::array::uniform3(-8i8..8), 0i8..4), 0..60), 1..4),
        ) {
            let mut broad = BroadPhase::default();
            for tick in ticks {
                let bounds: Vec<Bounds> = tick
                    .iter()
                    .map(|&(at, size)| {
                        let min = Vec3::from(at.map(f32::from));
                        // Size 0 stands for a body without boxes.
                        if size == 0 { Bounds::EMPTY } else { Bounds { min, max: min + f32::from(size - 1) } }
                    })
                    .collect();
                let mut expected = Vec::new();
                for a in 0..bounds.len() {
                    for b in a + 1..bounds.len() {
                        if bounds[a].overlaps(&bounds[b]) && (a + b) % 3 > 0 {
                            expected.push([a as u32, b as u32]);
                        }
                    }
                }
                for kernel in Kernel::available() {
                    broad.update(kernel, bounds.iter().copied(), |a, b| (a + b) % 3 > 0);
                    let mut found = broad.pairs().to_vec();
                    found.sort_unstable();
                    prop_assert_eq!(&found, &expected);
                }
            }
        }
    }
}
