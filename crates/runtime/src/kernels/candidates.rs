//! Finds the candidates of two characters.
//!
//! Few of the second character's boxes reach into the first character's bounds, and these are spread over the second
//! character's blocks: about 17 of 52 boxes, in three of four blocks. If it pays, the bounds of these boxes are therefore
//! packed first, and each near box of the first character is tested against full vectors.

use super::batch::{BLOCKS_AT_ONCE, BoxesToTest};
use super::batch::{LANE_KEYS, choose_eight_lane_keys, key};
use super::bounds::Bounds;
use super::layout::LANES;
use super::near_bounds::{bounds_masks, near};
use super::set_bits::set_bits;
use super::vectors::Vectors;
use super::{Batch, Side};

/// The most boxes that are packed.
const MOST_BOXES: usize = 32;

/// The room for packed boxes: vectors are stored as a whole.
const ROOM: usize = MOST_BOXES + LANES;

/// The bounds of a character's boxes to test, one after another. Whoever tests many characters keeps the memory, because
/// clearing it takes as long as packing.
#[repr(C, align(64))]
pub(crate) struct PackedBounds {
    /// The least x, y and z of each box, and the greatest. The lanes after the last box are never near.
    rows: [[f32; ROOM]; 6],
    /// For each box, the [`key`] of (box 0, this box), as in [`LANE_KEYS`].
    keys: [u32; ROOM],
}

/// Sixteen numbers from `at` on; `at` is at most [`MOST_BOXES`].
#[inline(always)]
fn sixteen<T>(numbers: &[T; ROOM], at: usize) -> &[T; LANES] {
    // The compiler sees that they are there.
    match numbers[at.min(MOST_BOXES)..].first_chunk() {
        Some(some) => some,
        None => unreachable!("there is room for a vector after the last box"),
    }
}

/// [`sixteen`] numbers to write.
#[inline(always)]
fn sixteen_mut<T>(numbers: &mut [T; ROOM], at: usize) -> &mut [T; LANES] {
    match numbers[at.min(MOST_BOXES)..].first_chunk_mut() {
        Some(some) => some,
        None => unreachable!("there is room for a vector after the last box"),
    }
}

impl PackedBounds {
    pub(crate) const fn new() -> Self {
        Self { rows: [[0.0; ROOM]; 6], keys: [0; ROOM] }
    }

    /// Packs the boxes to test, of which there are at most [`MOST_BOXES`]. Returns their number.
    #[inline(always)]
    fn fill<const WIDTH: usize, S: Vectors<WIDTH>>(&mut self, s: S, side: &Side<'_, '_>) -> usize {
        let mut count = 0;
        for (j, (block, &near)) in side.blocks.iter().zip(side.near).enumerate() {
            for at in (0..LANES).step_by(S::AT_ONCE) {
                let lanes = lanes_at(near, at, S::AT_ONCE);
                if lanes == 0 {
                    continue;
                }
                let base = key(0, side.start + j * LANES);
                choose_lane_keys(s, at, lanes, base, sixteen_mut(&mut self.keys, count));
                for part in (0..S::AT_ONCE).step_by(WIDTH) {
                    let lanes = lanes_at(near, at + part, WIDTH);
                    for c in 0..6 {
                        let row = if c < 3 { &block.min[c] } else { &block.max[c - 3] };
                        let packed = s.compress(s.load(row, at + part), lanes);
                        s.store(packed, sixteen_mut(&mut self.rows[c], count), 0);
                    }
                    count += lanes.count_ones() as usize;
                }
            }
        }
        *sixteen_mut(&mut self.rows[0], count) = [f32::INFINITY; LANES];
        count
    }

    /// Returns the lanes of a vector of packed boxes whose bounds reach into `bounds`.
    #[inline(always)]
    fn near<const WIDTH: usize, S: Vectors<WIDTH>>(&self, s: S, bounds: &Bounds, at: usize) -> S::M {
        let row = |c: usize| sixteen(&self.rows[c], at);
        let mut near = s.all();
        for c in 0..3 {
            near = s.ge(near, s.splat(bounds.max[c]), s.load(row(c), 0));
            near = s.le(near, s.splat(bounds.min[c]), s.load(row(3 + c), 0));
        }
        near
    }
}

/// The number of near boxes of `b` if packing them takes less time than the tests that it saves.
#[inline(always)]
fn boxes_to_pack<const WIDTH: usize, S: Vectors<WIDTH>>(_: S, a: &Side<'_, '_>, b: &Side<'_, '_>) -> Option<usize> {
    /// Packing takes as long as this many tests of [`Vectors::AT_ONCE`] boxes each.
    const TESTS: u32 = 5;
    let (mut boxes, mut tests, mut of_a) = (0, 0, 0);
    for &near in b.near {
        boxes += near.count_ones();
        for at in (0..LANES).step_by(S::AT_ONCE) {
            tests += u32::from(lanes_at(near, at, S::AT_ONCE) != 0);
        }
    }
    if boxes > MOST_BOXES as u32 {
        return None;
    }
    a.near.iter().for_each(|near| of_a += near.count_ones());
    (of_a * (tests - boxes.div_ceil(S::AT_ONCE as u32)) > TESTS).then_some(boxes as usize)
}

/// `count` bits of a mask, from bit `at` on.
#[inline(always)]
fn lanes_at(mask: u16, at: usize, count: usize) -> u16 {
    mask >> at & (u16::MAX >> (LANES - count))
}

/// [`super::add_near_pairs`]. `flush` empties the batch and returns `true` if more pairs are wanted.
#[inline(always)]
pub(super) fn add_near_pairs<'r, const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    [a, b]: [&BoxesToTest<'r, '_>; 2],
    tag: u32,
    prefetch: bool,
    packed: &mut PackedBounds,
    batch: &mut Batch<'r>,
    mut flush: impl FnMut(&mut Batch<'r>) -> bool,
) -> bool {
    let (mut near_a, mut near_b) = ([0; BLOCKS_AT_ONCE], [0; BLOCKS_AT_ONCE]);
    for (start, blocks) in b.parts() {
        let near = &mut near_b[..blocks.len()];
        bounds_masks(s, &a.bounds, blocks, near);
        b.keep_wanted(start, near);
        if near.iter().all(|&mask| mask == 0) {
            continue;
        }
        let b_side = Side { blocks, records: b.records, near, start };
        let reach = b_side.reach(&b.bounds);
        for (start, blocks) in a.parts() {
            let near = &mut near_a[..blocks.len()];
            bounds_masks(s, &reach, blocks, near);
            a.keep_wanted(start, near);
            let a_side = Side { blocks, records: a.records, near, start };
            let is_near = near.iter().any(|&mask| mask != 0);
            if is_near && !add_candidates(s, [&a_side, &b_side], tag, prefetch, packed, batch, &mut flush) {
                return false;
            }
        }
    }
    true
}

/// Adds the candidates of two sides. `flush` empties the batch and returns `true` if more pairs are wanted.
#[inline(always)]
pub(super) fn add_candidates<'r, const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    [a, b]: [&Side<'r, '_>; 2],
    tag: u32,
    prefetch: bool,
    packed: &mut PackedBounds,
    batch: &mut Batch<'r>,
    mut flush: impl FnMut(&mut Batch<'r>) -> bool,
) -> bool {
    if batch.has_no_source_left() && !flush(batch) {
        return false;
    }
    if S::FEW == usize::MAX {
        return add_candidates_one_by_one([a, b], tag, batch, flush);
    }
    match boxes_to_pack(s, a, b) {
        Some(..=LANES) => {
            return add_packed_candidates::<LANES, WIDTH, S>(s, [a, b], tag, prefetch, packed, batch, flush);
        }
        Some(_) => {
            return add_packed_candidates::<MOST_BOXES, WIDTH, S>(s, [a, b], tag, prefetch, packed, batch, flush);
        }
        None => {}
    }
    batch.open(a, b, tag);
    let mut len = batch.len();
    // For each block of `b`, the boxes that are candidates.
    let mut chosen = [0; BLOCKS_AT_ONCE];
    for (i, (block, &near_a)) in a.blocks.iter().zip(a.near).enumerate() {
        let mut near_a = near_a;
        while near_a != 0 {
            let lane = near_a.trailing_zeros() as usize;
            near_a &= near_a - 1;
            let bounds = block.get(lane);
            let first = a.start + i * LANES + lane;
            if prefetch {
                a.prefetch(first);
            }
            for (j, (block, &near_b)) in b.blocks.iter().zip(b.near).enumerate() {
                if near_b == 0 {
                    continue;
                }
                if Batch::is_nearly_full(len, LANES) {
                    batch.set_len(len);
                    batch.close();
                    if !flush(batch) {
                        return false;
                    }
                    batch.open(a, b, tag);
                    len = batch.len();
                }
                let base = key(first, b.start + j * LANES);
                // Lanes without a box to test are skipped: most characters leave lanes of their last block empty.
                for at in (0..LANES).step_by(S::AT_ONCE) {
                    let near_b = lanes_at(near_b, at, S::AT_ONCE);
                    if near_b != 0 {
                        let mut mask = 0;
                        for part in (0..S::AT_ONCE).step_by(WIDTH) {
                            mask |= s.bits(near(s, &bounds, block, at + part)) << part;
                        }
                        chosen[j] |= (near_b & mask) << at;
                        len = push_lanes(s, batch, len, at, base, near_b & mask);
                    }
                }
            }
        }
    }
    if prefetch {
        for (j, &lanes) in chosen[..b.blocks.len()].iter().enumerate() {
            set_bits(lanes).for_each(|lane| b.prefetch(b.start + j * LANES + lane));
        }
    }
    batch.set_len(len);
    batch.close();
    true
}

/// [`add_candidates`], one pair after the other, for a processor that compares the bounds of a pair faster than it fills
/// vectors.
#[inline(always)]
fn add_candidates_one_by_one<'r>(
    [a, b]: [&Side<'r, '_>; 2],
    tag: u32,
    batch: &mut Batch<'r>,
    mut flush: impl FnMut(&mut Batch<'r>) -> bool,
) -> bool {
    batch.open(a, b, tag);
    for (i, (block, &near_a)) in a.blocks.iter().zip(a.near).enumerate() {
        for lane in set_bits(near_a) {
            let bounds = block.get(lane);
            let first = a.start + i * LANES + lane;
            for (j, (block, &near_b)) in b.blocks.iter().zip(b.near).enumerate() {
                for lane in set_bits(near_b) {
                    if !bounds.overlaps(&block.get(lane)) {
                        continue;
                    }
                    if Batch::is_nearly_full(batch.len(), 1) {
                        batch.close();
                        if !flush(batch) {
                            return false;
                        }
                        batch.open(a, b, tag);
                    }
                    let len = batch.len();
                    if let Some([next, ..]) = batch.room(len) {
                        *next = key(first, b.start + j * LANES + lane);
                    }
                    batch.set_len(len + 1);
                }
            }
        }
    }
    batch.close();
    true
}

/// For each set bit `k` of `lanes`, writes the candidate `base + key(0, at + k)` after the first `len` candidates. Returns
/// the new number of candidates.
#[inline(always)]
fn push_lanes<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    batch: &mut Batch<'_>,
    len: usize,
    at: usize,
    base: u32,
    lanes: u16,
) -> usize {
    if let Some(room) = batch.room(len) {
        choose_lane_keys(s, at, lanes, base, room);
    }
    len + lanes.count_ones() as usize
}

/// [`Vectors::choose`] of [`LANE_KEYS`].
#[inline(always)]
fn choose_lane_keys<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    at: usize,
    lanes: u16,
    base: u32,
    chosen: &mut [u32; LANES],
) {
    if S::LOOKS_UP_AT_ONCE {
        s.choose_few(&LANE_KEYS, at, lanes, base, chosen);
    } else {
        choose_eight_lane_keys(at, lanes, base, chosen);
    }
}

/// [`add_candidates`] with the packed boxes of `b`, which are at most `MOST`.
#[inline(always)]
fn add_packed_candidates<'r, const MOST: usize, const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    [a, b]: [&Side<'r, '_>; 2],
    tag: u32,
    prefetch: bool,
    packed: &mut PackedBounds,
    batch: &mut Batch<'r>,
    mut flush: impl FnMut(&mut Batch<'r>) -> bool,
) -> bool {
    let count = packed.fill(s, b);
    let packed = &*packed;
    batch.open(a, b, tag);
    let mut len = batch.len();
    // The packed boxes that are candidates.
    let mut chosen = 0;
    for (i, (block, &near_a)) in a.blocks.iter().zip(a.near).enumerate() {
        let mut near_a = near_a;
        while near_a != 0 {
            let lane = near_a.trailing_zeros() as usize;
            near_a &= near_a - 1;
            if Batch::is_nearly_full(len, MOST) {
                batch.set_len(len);
                close_packed(s, batch, packed);
                if !flush(batch) {
                    return false;
                }
                batch.open(a, b, tag);
                len = batch.len();
            }
            let bounds = block.get(lane);
            let first = a.start + i * LANES + lane;
            if prefetch {
                a.prefetch(first);
            }
            let base = key(first, 0);
            // The compiler unrolls this loop, because its end does not depend on the number of boxes.
            for at in (0..MOST).step_by(S::AT_ONCE) {
                if at >= count {
                    break;
                }
                let mut mask = 0;
                for part in (0..S::AT_ONCE).step_by(WIDTH) {
                    mask |= s.bits(packed.near(s, &bounds, at + part)) << part;
                }
                chosen |= u32::from(mask) << at;
                len = if S::LOOKS_UP_AT_ONCE {
                    if let Some(room) = batch.room(len) {
                        s.choose_few(sixteen(&packed.keys, at), 0, mask, base, room);
                    }
                    len + mask.count_ones() as usize
                } else {
                    // Until the source is closed, the second box of a candidate is an index into `packed.keys`.
                    push_lanes(s, batch, len, at, base, mask)
                };
            }
        }
    }
    if prefetch {
        set_bits(chosen).for_each(|index| b.prefetch((packed.keys[index % ROOM] >> 16) as usize));
    }
    batch.set_len(len);
    close_packed(s, batch, packed);
    true
}

/// Closes the source whose candidates [`add_packed_candidates`] has written.
#[inline(always)]
fn close_packed<const WIDTH: usize, S: Vectors<WIDTH>>(_: S, batch: &mut Batch<'_>, packed: &PackedBounds) {
    if S::LOOKS_UP_AT_ONCE {
        batch.close();
    } else {
        batch.close_packed(&packed.keys);
    }
}
