//! Finds the bodies whose bounds overlap: sorts bodies into strips, then tests sixteen bodies at a time.
//!
//! Strips divide the axis on which the centers spread second most. A body belongs to the strip in which the lower end
//! of its bounds lies, and the bodies of a strip are sorted by the lower end of their bounds along the axis on which
//! the centers spread most. Each body is then compared with the later bodies of its strip and with the bodies of the
//! strips that its bounds reach into, sixteen at a time on all three axes, up to the first body that begins after its
//! own bounds end. Without strips, each body of a wide scene would be compared with all bodies in a line across the
//! scene, and the number of comparisons would grow faster than the number of bodies.
//!
//! The order changes little from tick to tick, so sorting costs about one comparison per body. If all bodies are in one
//! place, all pairs are compared, but every pair is part of the answer, and sixteen pairs take one comparison.

use super::body_tiles::{BodyTiles, find_around};
use super::strips::{SortedBody, Strips, has_boxes, sort_bodies};
use super::threads::Threads;
use crate::Bounds;
use crate::kernels::layout::{BoundsBlock, LANES};
use crate::kernels::set_bits::set_bits;
use crate::kernels::{self, Kernel};
use crate::pose::clone_in_place::clone_in_place;

/// The value that stands for no body, or for no lane.
const NONE: u32 = u32::MAX;

/// The bounds of all bodies in lanes, and the pairs of bodies whose bounds overlap.
///
/// The pairs are those of the last [`BroadPhase::update`]. The lanes change with every pose, so that queries between
/// updates find bodies at their present place.
#[derive(Debug, Default)]
pub(super) struct BroadPhase {
    /// The body place in each lane. The last update put the bodies that have boxes first, strip by strip; each strip
    /// begins a block, and the lanes left over before that are [`NONE`]. Bodies that were posed for the first time
    /// after the last update follow. In place of a removed body there is [`NONE`].
    order: Vec<u32>,
    /// The present bounds of each lane: lane `i % 16` of block `i / 16`.
    blocks: Vec<BoundsBlock>,
    /// Bounds that contain the bounds of all lanes of a block: lane `i % 16` of block `i / 16`. They may be larger than
    /// needed if bodies were posed one by one since the last update.
    around: Vec<BoundsBlock>,
    /// The lane of each body, or [`NONE`], by body place.
    lanes: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    /// The bodies that have boxes, in their order.
    keys: Vec<SortedBody>,
    /// The blocks before the sort.
    old_blocks: Vec<BoundsBlock>,
    /// The first block of each strip, and the end of the last strip.
    first_blocks: Vec<u32>,
    /// The largest upper end of the bounds along the sorted axis, from the first body of the strip up to each block.
    reach: Vec<f32>,
    /// The pairs found strip by strip.
    parts: Vec<Part>,
}

clone_in_place!(BroadPhase { order, blocks, around, lanes, pairs; keys, old_blocks, first_blocks, reach, parts });

impl BroadPhase {
    /// The pairs of bodies whose bounds overlap, the smaller place first. Pairs that are near each other in space are
    /// near each other in the list. If requested, pairs of a body with itself follow.
    pub(super) fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// The bodies at their present places.
    pub(super) fn tiles(&self) -> BodyTiles<'_> {
        BodyTiles { bodies: &self.order, blocks: &self.blocks, around: &self.around }
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
            Some(block) if lane != NONE as usize => {
                block.set(lane % LANES, bounds);
                let tile = lane / LANES;
                self.around[tile / LANES].grow(tile % LANES, bounds);
            }
            _ if *bounds == Bounds::EMPTY => {}
            _ => self.append(place, bounds),
        }
    }

    /// Sets the present bounds of all bodies.
    pub(super) fn set_all(&mut self, kernel: Kernel, bounds: impl Iterator<Item = Bounds>) {
        for (place, bounds) in bounds.enumerate() {
            let lane = self.lanes[place] as usize;
            match self.blocks.get_mut(lane / LANES) {
                Some(block) if lane != NONE as usize => block.set(lane % LANES, &bounds),
                _ => self.set(place, &bounds),
            }
        }
        find_around(kernel, &self.blocks, &mut self.around);
    }

    /// Sets the present bounds of all bodies on all threads of rayon's pool.
    #[cfg(feature = "rayon")]
    pub(super) fn set_all_parallel(&mut self, kernel: Kernel, bounds_of: impl Fn(usize) -> Bounds + Sync) {
        use rayon::prelude::*;
        /// The number of blocks in one task, which takes some microseconds.
        const BLOCKS: usize = 32;
        for place in 0..self.lanes.len() {
            if self.lanes[place] == NONE {
                self.set(place, &bounds_of(place));
            }
        }
        // Each task writes blocks of its own.
        let blocks = self.blocks.par_iter_mut().zip(self.order.par_chunks(LANES));
        blocks.with_min_len(BLOCKS).for_each(|(block, bodies)| {
            for (lane, &body) in bodies.iter().enumerate().filter(|(_, body)| **body != NONE) {
                block.set(lane, &bounds_of(body as usize));
            }
        });
        find_around(kernel, &self.blocks, &mut self.around);
    }

    #[cold]
    fn append(&mut self, place: usize, bounds: &Bounds) {
        let lane = self.order.len();
        let tile = lane / LANES;
        if lane.is_multiple_of(LANES) {
            if tile.is_multiple_of(LANES) {
                self.around.push(BoundsBlock::EMPTY);
            }
            self.blocks.push(BoundsBlock::EMPTY);
        }
        self.blocks[tile].set(lane % LANES, bounds);
        self.around[tile / LANES].grow(tile % LANES, bounds);
        self.order.push(place as u32);
        self.lanes[place] = lane as u32;
    }

    /// Fills the lanes with bodies that already exist; leaves the pairs empty.
    pub(super) fn fill(&mut self, bounds: impl Iterator<Item = Bounds>) {
        self.order.clear();
        self.blocks.clear();
        self.around.clear();
        self.lanes.clear();
        self.pairs.clear();
        for (place, bounds) in bounds.enumerate() {
            self.lanes.push(NONE);
            self.set(place, &bounds);
        }
    }

    /// Finds the pairs of bodies whose present bounds overlap and that interact. The list is the same for any number of
    /// threads.
    pub(super) fn update(&mut self, kernel: Kernel, threads: Threads, interact: impl Fn(usize, usize) -> bool + Sync) {
        let strips = self.sort();
        find_around(kernel, &self.blocks, &mut self.around);
        let strips_in_task = threads.items_in_task(strips.count, 1);
        let tasks = strips.count.div_ceil(strips_in_task);
        let Self { order, blocks, first_blocks, reach, parts, pairs, .. } = self;
        if parts.len() < tasks {
            parts.resize_with(tasks, Part::default);
        }
        // The list of all pairs begins with the list of the first part.
        std::mem::swap(&mut parts[0].pairs, pairs);
        let lanes = SortedLanes { order, blocks, first_blocks, reach, strips: &strips, kernel };
        threads.for_each_chunk(&mut parts[..tasks], 1, |task, parts| {
            for part in parts {
                part.pairs.clear();
                let of_task = (task * strips_in_task..strips.count).take(strips_in_task);
                of_task.for_each(|strip| lanes.add_pairs_of_strip(strip, part, &interact));
            }
        });
        std::mem::swap(&mut parts[0].pairs, pairs);
        for part in &parts[1..tasks] {
            pairs.extend_from_slice(&part.pairs);
        }
    }

    /// Adds pairs of a body with itself.
    pub(super) fn add_own_pairs(&mut self, bodies: impl Iterator<Item = u32>) {
        self.pairs.extend(bodies.map(|body| [body, body]));
    }

    /// Puts all bodies that have boxes into lanes, strip by strip.
    ///
    /// One thread does all of the sorting, because waking the other threads takes as long as sorting ten thousand
    /// bodies.
    fn sort(&mut self) -> Strips {
        let strips = Strips::new(&self.blocks);
        std::mem::swap(&mut self.blocks, &mut self.old_blocks);
        // The order of the last tick is nearly sorted, which makes insertion sort fast. Ties are sorted by place, so
        // that the order does not depend on the order of the last tick.
        self.keys.clear();
        for (lane, &body) in self.order.iter().enumerate() {
            let bounds = self.old_blocks[lane / LANES].get(lane % LANES);
            if has_boxes(&bounds) {
                self.keys.push((strips.key(&bounds), body, lane as u32));
            }
        }
        sort_bodies(&mut self.keys);

        self.order.clear();
        self.blocks.clear();
        self.first_blocks.clear();
        self.reach.clear();
        self.lanes.fill(NONE);
        let mut reach = f32::NEG_INFINITY;
        for &(key, body, old_lane) in &self.keys {
            let strip = Strips::strip_of(key);
            if strip >= self.first_blocks.len() {
                self.order.resize(self.blocks.len() * LANES, NONE);
                self.first_blocks.resize(strip + 1, self.blocks.len() as u32);
                reach = f32::NEG_INFINITY;
            }
            let lane = self.order.len();
            if lane.is_multiple_of(LANES) {
                self.blocks.push(BoundsBlock::EMPTY);
                self.reach.push(reach);
            }
            let bounds = self.old_blocks[old_lane as usize / LANES].get(old_lane as usize % LANES);
            reach = reach.max(bounds.max[strips.along]);
            self.reach[lane / LANES] = reach;
            self.blocks[lane / LANES].set(lane % LANES, &bounds);
            self.order.push(body);
            self.lanes[body as usize] = lane as u32;
        }
        self.first_blocks.resize(strips.count + 1, self.blocks.len() as u32);
        strips
    }
}

/// Pairs of bodies that were found in some strips, and memory for finding them.
#[derive(Debug, Default)]
struct Part {
    pairs: Vec<[u32; 2]>,
    masks: Vec<u16>,
}

/// The bodies in lanes after a sort, see [`BroadPhase`].
struct SortedLanes<'b> {
    order: &'b [u32],
    blocks: &'b [BoundsBlock],
    first_blocks: &'b [u32],
    reach: &'b [f32],
    strips: &'b Strips,
    kernel: Kernel,
}

impl SortedLanes<'_> {
    /// Adds the pairs of the bodies of a strip with the later bodies of this strip, and with the bodies of the strips after
    /// it that their bounds reach into.
    fn add_pairs_of_strip(&self, strip: usize, part: &mut Part, interact: &impl Fn(usize, usize) -> bool) {
        let (first_block, end_block) = (self.first_blocks[strip] as usize, self.first_blocks[strip + 1] as usize);
        for lane in first_block * LANES..(end_block * LANES).min(self.order.len()) {
            let body = self.order[lane];
            if body == NONE {
                break;
            }
            let bounds = self.blocks[lane / LANES].get(lane % LANES);
            // The earlier lanes of the same block have found this body already.
            let later = !(u16::MAX >> (LANES - 1 - lane % LANES));
            self.add_pairs((body, &bounds), [lane / LANES, end_block], later, part, interact);
            for other in strip + 1..=self.strips.strip(bounds.max[self.strips.across]) {
                let [start, end] = [self.first_blocks[other] as usize, self.first_blocks[other + 1] as usize];
                let from = start + self.reach[start..end].partition_point(|&end| end < bounds.min[self.strips.along]);
                self.add_pairs((body, &bounds), [from, end], u16::MAX, part, interact);
            }
        }
    }

    /// Adds the pairs of a body with the bodies of some blocks of one strip. `lanes` is a mask of the lanes to test in
    /// the first block.
    #[inline]
    fn add_pairs(
        &self,
        (body, bounds): (u32, &Bounds),
        [from, end]: [usize; 2],
        lanes: u16,
        Part { pairs, masks }: &mut Part,
        interact: &impl Fn(usize, usize) -> bool,
    ) {
        let along = self.strips.along;
        let until = bounds.max[along];
        let count = self.blocks[from..end].iter().take_while(|block| block.min[along][0] <= until).count();
        if masks.len() < count {
            masks.resize(count, 0);
        }
        kernels::bounds_masks(self.kernel, bounds, &self.blocks[from..from + count], &mut masks[..count]);
        for block in 0..count {
            let mask = if block == 0 { masks[0] & lanes } else { masks[block] };
            for lane in set_bits(mask) {
                let other = self.order[(from + block) * LANES + lane];
                let pair = [body.min(other), body.max(other)];
                if interact(pair[0] as usize, pair[1] as usize) {
                    pairs.push(pair);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    /// The pairs that looking at all pairs of bodies finds.
    fn expected(bounds: &[Bounds]) -> Vec<[u32; 2]> {
        let mut expected = Vec::new();
        for a in 0..bounds.len() {
            for b in a + 1..bounds.len() {
                if bounds[a].overlaps(&bounds[b]) && (a + b) % 3 > 0 {
                    expected.push([a as u32, b as u32]);
                }
            }
        }
        expected
    }

    /// Sets the bounds of all bodies, and adds and removes bodies so that there are as many.
    fn set_all(broad: &mut BroadPhase, bounds: &[Bounds]) {
        while broad.lanes.len() < bounds.len() {
            broad.insert(broad.lanes.len());
        }
        while broad.lanes.len() > bounds.len() {
            broad.remove(bounds.len());
        }
        #[cfg(feature = "rayon")]
        let by_all_threads = {
            let mut other = broad.clone();
            other.set_all_parallel(Kernel::best(), |place| bounds[place]);
            other
        };
        bounds.iter().enumerate().for_each(|(place, bounds)| broad.set(place, bounds));
        #[cfg(feature = "rayon")]
        assert_eq!((&broad.order, &broad.blocks), (&by_all_threads.order, &by_all_threads.blocks));
    }

    /// Asserts that queries find the bodies that looking at all bodies finds.
    fn check_tiles(broad: &BroadPhase, bounds: &[Bounds], kernel: Kernel) -> Result<(), TestCaseError> {
        for query in bounds.iter().filter(|bounds| has_boxes(bounds)) {
            let query = Bounds { min: query.min - 0.5, max: query.max + 0.5 };
            let mut found = Vec::new();
            broad.tiles().each_body(
                |blocks, masks| kernels::bounds_masks(kernel, &query, blocks, masks),
                |place| {
                    found.push(place);
                    true
                },
            );
            found.sort_unstable();
            let expected = (0..bounds.len()).filter(|&place| bounds[place].overlaps(&query));
            prop_assert!(expected.eq(found));
        }
        Ok(())
    }

    fn found(broad: &mut BroadPhase, kernel: Kernel) -> Vec<[u32; 2]> {
        let interact = |a: usize, b: usize| !(a + b).is_multiple_of(3);
        broad.update(kernel, Threads::One, interact);
        let mut found = broad.pairs().to_vec();
        #[cfg(feature = "rayon")]
        {
            broad.update(kernel, Threads::All, interact);
            assert_eq!(broad.pairs(), found);
        }
        found.sort_unstable();
        found
    }

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
                let expected = expected(&bounds);
                set_all(&mut broad, &bounds);
                check_tiles(&broad, &bounds, Kernel::best())?;
                for kernel in Kernel::available() {
                    prop_assert_eq!(&found(&mut broad, kernel), &expected);
                    check_tiles(&broad, &bounds, kernel)?;
                }
                // The same bounds once more, by the function that replaces the bounds of the tiles.
                broad.set_all(Kernel::best(), bounds.iter().copied());
                check_tiles(&broad, &bounds, Kernel::best())?;
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

        /// Crowds of several strips, with bodies that are as large as the scene, along any two axes.
        #[test]
        fn finds_the_same_pairs_where_there_are_many_strips(
            crowd in prop::collection::vec((prop::array::uniform3(-30i8..30), 3i8..8), 650..800),
            ways in prop::collection::vec(prop::array::uniform3(-2i8..3), 20),
            axes in prop::sample::select(vec![[0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]]),
        ) {
            let mut broad = BroadPhase::default();
            for tick in 0..3i8 {
                let bounds = |(index, &(at, size)): (usize, &([i8; 3], i8))| {
                    // All bodies stand on the ground.
                    let at = [at[0], at[1], at[2] / 10];
                    let way = ways[index % ways.len()];
                    let at: [i8; 3] = std::array::from_fn(|c| at[axes[c]] + tick * way[axes[c]]);
                    let size = if index % 50 == 7 { 40 } else { size };
                    let min = Vec3::from(at.map(f32::from));
                    Bounds { min, max: min + f32::from(size) }
                };
                let bounds: Vec<Bounds> = crowd.iter().enumerate().map(bounds).collect();
                set_all(&mut broad, &bounds);
                check_tiles(&broad, &bounds, Kernel::best())?;
                for kernel in Kernel::available().take(2) {
                    prop_assert_eq!(found(&mut broad, kernel), expected(&bounds));
                }
                prop_assert!(broad.first_blocks.len() > 2, "one strip");
            }
        }
    }
}
