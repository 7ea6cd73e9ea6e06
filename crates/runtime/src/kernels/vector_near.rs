//! Finds the pairs of boxes of two characters whose bounds overlap, once for all instruction sets.
//!
//! Few of the second character's boxes reach into the first character's bounds, and these are spread over the second
//! character's blocks: about 17 of 52 boxes, in three of four blocks. If it pays, the bounds of these boxes are therefore
//! packed first, and each box of the first character is tested against full vectors.

use super::batch::{BIT_PLACES, key};
use super::bounds::Bounds;
use super::layout::{LANES, Row};
use super::vector_kernel::near;
use super::vectors::Vectors;
use super::{Batch, Side};

/// The number of boxes whose indices are written at a time.
const EIGHT: usize = 8;

/// The most blocks of a character whose boxes are packed.
const MOST_BLOCKS: usize = 4;

/// The room for packed boxes: the last vector is stored as a whole.
const ROOM: usize = (MOST_BLOCKS + 1) * LANES;

/// The bounds of a character's boxes to test, one after another.
struct Packed {
    /// The least x, y and z of each box, and the greatest.
    rows: [[f32; ROOM]; 6],
    /// The index of each box.
    indices: [u16; ROOM],
    count: usize,
}

impl Packed {
    /// Returns `true` if packing the boxes of `b` takes less time than the tests that it saves.
    #[inline(always)]
    fn pays(a: &Side<'_, '_>, b: &Side<'_, '_>) -> bool {
        /// The number of tests of sixteen boxes that take the time of packing.
        const TESTS: u32 = 6;
        if b.blocks.len() > MOST_BLOCKS {
            return false;
        }
        let (mut boxes, mut blocks, mut of_a) = (0, 0, 0);
        for &near in b.near {
            boxes += near.count_ones();
            blocks += u32::from(near != 0);
        }
        a.near.iter().for_each(|near| of_a += near.count_ones());
        of_a * (blocks - boxes.div_ceil(LANES as u32)) > TESTS
    }

    #[inline(always)]
    fn new<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, side: &Side<'_, '_>) -> Self {
        let mut packed = Self { rows: [[0.0; ROOM]; 6], indices: [0; ROOM], count: 0 };
        let mut count = 0;
        for (j, (block, &near)) in side.blocks.iter().zip(side.near).enumerate() {
            for (half, byte) in near.to_le_bytes().into_iter().enumerate() {
                let first = (side.start + j * LANES + half * EIGHT) as u16;
                let near = &BIT_PLACES[usize::from(byte)];
                if let Some(indices) = packed.indices[count..].first_chunk_mut() {
                    *indices = near.places.map(|place| first + place as u16);
                }
                count += near.count as usize;
            }
            for at in (0..LANES).step_by(WIDTH) {
                let lanes = near >> at & (u16::MAX >> (LANES - WIDTH));
                if lanes == 0 {
                    continue;
                }
                for c in 0..6 {
                    let row = if c < 3 { &block.min[c] } else { &block.max[c - 3] };
                    if let Some(place) = packed.rows[c][packed.count.min(ROOM - LANES)..].first_chunk_mut() {
                        s.store(s.compress(s.load(row, at), lanes), place, 0);
                    }
                }
                packed.count += lanes.count_ones() as usize;
            }
        }
        packed
    }

    /// Sixteen numbers of row `c`, from box `16 * block` on.
    #[inline(always)]
    fn row(&self, c: usize, block: usize) -> &Row {
        // The compiler sees that the row is there.
        match self.rows[c][block.min(MOST_BLOCKS) * LANES..].first_chunk() {
            Some(row) => row,
            None => &[0.0; LANES],
        }
    }

    /// Returns the lanes of a vector of packed boxes whose bounds reach into `bounds`.
    #[inline(always)]
    fn near<const WIDTH: usize, S: Vectors<WIDTH>>(&self, s: S, bounds: &Bounds, block: usize, at: usize) -> S::M {
        let mut near = s.all();
        for c in 0..3 {
            near = s.le(near, s.load(self.row(c, block), at), s.splat(bounds.max[c]));
            near = s.le(near, s.splat(bounds.min[c]), s.load(self.row(3 + c, block), at));
        }
        near
    }
}

/// `flush` empties the batch and returns `true` if more pairs are wanted.
#[inline(always)]
pub(super) fn near_pairs<'r, const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &Side<'r, '_>,
    b: &Side<'r, '_>,
    pair: u32,
    batch: &mut Batch<'r>,
    mut flush: impl FnMut(&mut Batch<'r>) -> bool,
) -> bool {
    if batch.has_no_source_left() && !flush(batch) {
        return false;
    }
    if Packed::pays(a, b) {
        return packed_pairs(s, a, &Packed::new(s, b), b, pair, batch, flush);
    }
    batch.open(a, b, pair);
    let mut len = batch.len();
    for (i, (block, &near_a)) in a.blocks.iter().zip(a.near).enumerate() {
        let mut near_a = near_a;
        while near_a != 0 {
            let lane = near_a.trailing_zeros() as usize;
            near_a &= near_a - 1;
            let bounds = block.get(lane);
            let first = a.start + i * LANES + lane;
            for (j, (block, &near_b)) in b.blocks.iter().zip(b.near).enumerate() {
                if near_b == 0 {
                    continue;
                }
                if Batch::is_nearly_full(len) {
                    batch.set_len(len);
                    batch.close();
                    if !flush(batch) {
                        return false;
                    }
                    batch.open(a, b, pair);
                    len = batch.len();
                }
                // At least eight lanes at a time. Eight lanes without a box to test are skipped: most characters leave lanes of
                // their last block empty.
                for at in (0..LANES).step_by(if WIDTH > EIGHT { WIDTH } else { EIGHT }) {
                    let near_b = near_b >> at;
                    if WIDTH > EIGHT || near_b & 0xFF != 0 {
                        let mut mask = 0;
                        for part in (0..EIGHT).step_by(WIDTH) {
                            mask |= s.bits(near(s, &bounds, block, at + part)) << part;
                        }
                        let second = b.start + j * LANES + at;
                        len = put(s, batch, len, [first, second], near_b & mask);
                    }
                }
            }
        }
    }
    batch.set_len(len);
    batch.close();
    true
}

/// [`Batch::put`] of as many boxes as fill a vector, and at least eight.
#[inline(always)]
fn put<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    batch: &mut Batch<'_>,
    len: usize,
    [first, second]: [usize; 2],
    near: u16,
) -> usize {
    if WIDTH > EIGHT {
        if let Some(keys) = batch.room(len) {
            s.put_keys(keys, key(first, second), near);
        }
        return len + near.count_ones() as usize;
    }
    batch.put(len, first, second, near as u8)
}

/// [`near_pairs`] with the packed boxes of `b`.
#[inline(always)]
fn packed_pairs<'r, const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &Side<'r, '_>,
    packed: &Packed,
    b: &Side<'r, '_>,
    pair: u32,
    batch: &mut Batch<'r>,
    mut flush: impl FnMut(&mut Batch<'r>) -> bool,
) -> bool {
    batch.open(a, b, pair);
    let mut len = batch.len();
    for (i, (block, &near_a)) in a.blocks.iter().zip(a.near).enumerate() {
        let mut near_a = near_a;
        while near_a != 0 {
            let lane = near_a.trailing_zeros() as usize;
            near_a &= near_a - 1;
            let bounds = block.get(lane);
            let first = a.start + i * LANES + lane;
            for j in 0..packed.count.div_ceil(LANES) {
                if Batch::is_nearly_full(len) {
                    batch.set_len(len);
                    batch.close_packed(&packed.indices);
                    if !flush(batch) {
                        return false;
                    }
                    batch.open(a, b, pair);
                    len = batch.len();
                }
                let there = packed.count - j * LANES;
                let there = u16::MAX >> LANES.saturating_sub(there);
                for at in (0..LANES).step_by(if WIDTH > EIGHT { WIDTH } else { EIGHT }) {
                    if at > 0 && there >> at == 0 {
                        break;
                    }
                    let mut mask = 0;
                    for part in (0..EIGHT).step_by(WIDTH) {
                        mask |= s.bits(packed.near(s, &bounds, j, at + part)) << part;
                    }
                    len = put(s, batch, len, [first, j * LANES + at], there >> at & mask);
                }
            }
        }
    }
    batch.set_len(len);
    batch.close_packed(&packed.indices);
    true
}
