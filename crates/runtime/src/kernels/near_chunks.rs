//! The pairs of chunks of two skin pieces whose bounds overlap.

use super::bounds::Bounds;
use super::layout::{BoundsBlock, LANES};
use super::near_bounds::near_lanes;
use super::three::{load3, splat3};
use super::vectors::Vectors;

/// A search that has this many pairs stops as soon as it has all pairs of its present chunk of the first piece. Two
/// pieces that touch often touch in one of the first pairs, and then no other pair is needed.
pub(super) const ENOUGH: usize = 32;

/// The bounds of the chunks of a piece.
#[derive(Clone, Copy)]
pub(crate) struct ChunkBounds<'a> {
    /// The bounds of all triangles.
    pub(crate) around: &'a Bounds,
    /// The bounds of each chunk. Lanes without a chunk are [`Bounds::EMPTY`].
    pub(crate) blocks: &'a [BoundsBlock],
}

/// A chunk of each of two pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NearChunks {
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// The product, over the three axes, of the length that both bounds share, as a share of the sum of their lengths.
    /// Without unit, 0 to 1/8; larger for bounds that are deeper in each other.
    pub(crate) depth: f32,
}

/// [`super::near_chunks()`].
#[inline(always)]
pub(super) fn find<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: ChunkBounds<'_>,
    b: ChunkBounds<'_>,
    from: usize,
    near: &mut Vec<NearChunks>,
) -> usize {
    /// The most blocks of `b` that are compared with the bounds of `a` in advance; blocks after these count as near.
    const FIRST: usize = u64::BITS as usize;
    let mut near_b = 0u64;
    for (block, lanes) in b.blocks.iter().take(FIRST).enumerate() {
        near_b |= u64::from(near_lanes(s, a.around, lanes) != 0) << block;
    }
    let count = a.blocks.len() * LANES;
    let mut first = from % LANES;
    for block_a in from / LANES..a.blocks.len() {
        let mut near_a = near_lanes(s, b.around, &a.blocks[block_a]) >> first << first;
        first = 0;
        while near_a != 0 {
            let chunk_a = block_a * LANES + near_a.trailing_zeros() as usize;
            if near.len() >= ENOUGH {
                return chunk_a;
            }
            near_a &= near_a - 1;
            let bounds = a.blocks[block_a].get(chunk_a % LANES);
            for (block, lanes) in b.blocks.iter().enumerate() {
                if block >= FIRST || near_b >> block & 1 == 1 {
                    push_near(s, &bounds, chunk_a, lanes, block, near);
                }
            }
        }
    }
    count
}

/// Adds the lanes whose bounds overlap those of chunk `chunk_a`.
#[inline(always)]
fn push_near<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    bounds: &Bounds,
    chunk_a: usize,
    lanes: &BoundsBlock,
    block: usize,
    near: &mut Vec<NearChunks>,
) {
    let (low, high) = (splat3(s, bounds.min.to_array()), splat3(s, bounds.max.to_array()));
    let length = splat3(s, (bounds.max - bounds.min).to_array());
    for at in (0..LANES).step_by(WIDTH) {
        let (min, max) = (load3(s, &lanes.min, 0, at), load3(s, &lanes.max, 0, at));
        let mut overlap = s.all();
        for c in 0..3 {
            overlap = s.le(s.le(overlap, low[c], max[c]), min[c], high[c]);
        }
        let mut mask = s.bits(overlap);
        if mask == 0 {
            continue;
        }
        let (mut shared, mut lengths) = ([s.splat(0.0); 3], [s.splat(0.0); 3]);
        for c in 0..3 {
            shared[c] = s.sub(s.min(high[c], max[c]), s.max(low[c], min[c]));
            lengths[c] = s.add(length[c], s.sub(max[c], min[c]));
        }
        let all = s.mul(s.mul(lengths[0], lengths[1]), lengths[2]);
        let part = s.mul(s.mul(shared[0], shared[1]), shared[2]);
        // Adding zero makes a negative zero positive.
        let depth = s.add(s.div(part, s.add(all, s.splat(f32::MIN_POSITIVE))), s.splat(0.0));
        let mut depths = [0.0; LANES];
        s.store(depth, &mut depths, 0);
        while mask != 0 {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            let chunk_b = block * LANES + at + lane;
            near.push(NearChunks { a: chunk_a as u32, b: chunk_b as u32, depth: depths[lane] });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kernel, near_chunks};
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    fn chunks() -> impl Strategy<Value = Vec<Bounds>> {
        let number = || prop_oneof![4 => -3f32..3.0, 2 => (-3i8..4).prop_map(f32::from), 1 => Just(-0.0f32)];
        let bounds = (prop::array::uniform3(number()), prop::array::uniform3(prop_oneof![Just(0.0f32), 0f32..3.0]));
        let bounds = bounds.prop_map(|(min, size)| Bounds { min: min.into(), max: Vec3::from(min) + Vec3::from(size) });
        prop::collection::vec(bounds, 1..60)
    }

    /// [`NearChunks::depth`] of two bounds that overlap.
    fn depth(a: &Bounds, b: &Bounds) -> f32 {
        let shared = a.max.min(b.max) - a.min.max(b.min);
        let lengths = (a.max - a.min) + (b.max - b.min);
        shared.x * shared.y * shared.z / (lengths.x * lengths.y * lengths.z + f32::MIN_POSITIVE) + 0.0
    }

    fn blocks(chunks: &[Bounds]) -> (Bounds, Vec<BoundsBlock>) {
        let mut blocks = vec![BoundsBlock::EMPTY; chunks.len().div_ceil(LANES)];
        chunks.iter().enumerate().for_each(|(index, bounds)| blocks[index / LANES].set(index % LANES, bounds));
        (Bounds::around(&blocks), blocks)
    }

    proptest! {
        #[test]
        fn every_kernel_finds_all_pairs_and_the_same_depths(a in chunks(), b in chunks()) {
            let pairs = (0..a.len() as u32).flat_map(|one| (0..b.len() as u32).map(move |other| (one, other)));
            let overlap = |&(one, other): &(u32, u32)| a[one as usize].overlaps(&b[other as usize]);
            let with_depth = |(one, other): (u32, u32)| (one, other, depth(&a[one as usize], &b[other as usize]).to_bits());
            let expected: Vec<(u32, u32, u32)> = pairs.filter(overlap).map(with_depth).collect();
            let ((around_a, a), (around_b, b)) = (blocks(&a), blocks(&b));
            let a = ChunkBounds { around: &around_a, blocks: &a };
            let b = ChunkBounds { around: &around_b, blocks: &b };
            for kernel in Kernel::available() {
                let (mut all, mut near, mut from) = (Vec::new(), Vec::new(), 0);
                while from < a.blocks.len() * LANES {
                    near.clear();
                    from = near_chunks(kernel, a, b, from, &mut near);
                    prop_assert!(near.len() < ENOUGH + 64, "{kernel:?}: {}", near.len());
                    all.extend(near.iter().map(|pair| (pair.a, pair.b, pair.depth.to_bits())));
                }
                prop_assert!(all.iter().all(|pair| (0.0..=0.2).contains(&f32::from_bits(pair.2))));
                prop_assert_eq!(&all, &expected, "{:?}", kernel);
            }
        }
    }
}
