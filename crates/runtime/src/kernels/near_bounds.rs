//! Bounds in lanes: which are near, which are within a distance, and the bounds around all.

use super::bounds::Bounds;
use super::layout::{BoundsBlock, LANES};
use super::vectors::Vectors;
use glam::Vec3;

#[inline(always)]
pub(super) fn bounds_masks<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    bounds: &Bounds,
    blocks: &[BoundsBlock],
    masks: &mut [u16],
) {
    for (block, mask) in blocks.iter().zip(masks) {
        *mask = near_lanes(s, bounds, block);
    }
}

/// A mask of the lanes of a block whose bounds are near `bounds`.
#[inline(always)]
pub(super) fn near_lanes<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, bounds: &Bounds, block: &BoundsBlock) -> u16 {
    let mut mask = 0;
    for at in (0..LANES).step_by(WIDTH) {
        mask |= s.bits(near(s, bounds, block, at)) << at;
    }
    mask
}

/// Returns the lanes whose bounds are near `bounds`.
#[inline(always)]
pub(super) fn near<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    bounds: &Bounds,
    block: &BoundsBlock,
    at: usize,
) -> S::M {
    let mut near = s.all();
    for c in 0..3 {
        near = s.ge(near, s.splat(bounds.max[c]), s.load(&block.min[c], at));
        near = s.le(near, s.splat(bounds.min[c]), s.load(&block.max[c], at));
    }
    near
}

/// The sums are those of [`BoundsBlock::squared_gaps`].
#[inline(always)]
pub(super) fn lanes_within<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    bounds: &Bounds,
    blocks: &[BoundsBlock],
    limit: f32,
    masks: &mut [u16],
) {
    for (block, mask) in blocks.iter().zip(masks) {
        *mask = 0;
        for at in (0..LANES).step_by(WIDTH) {
            let mut square = s.splat(0.0);
            for c in 0..3 {
                let below = s.sub(s.splat(bounds.min[c]), s.load(&block.max[c], at));
                let above = s.sub(s.load(&block.min[c], at), s.splat(bounds.max[c]));
                let apart = s.max(s.max(below, above), s.splat(0.0));
                square = s.add(square, s.mul(apart, apart));
            }
            *mask |= s.bits(s.le(s.all(), square, s.splat(limit))) << at;
        }
    }
}

/// The union of the bounds of all lanes.
#[inline(always)]
pub(super) fn around<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, blocks: &[BoundsBlock]) -> Bounds {
    let (mut least, mut most) = ([s.splat(f32::INFINITY); 3], [s.splat(f32::NEG_INFINITY); 3]);
    for block in blocks {
        for at in (0..LANES).step_by(WIDTH) {
            for c in 0..3 {
                least[c] = s.min(least[c], s.load(&block.min[c], at));
                most[c] = s.max(most[c], s.load(&block.max[c], at));
            }
        }
    }
    // Transposed, one vector holds all three components, so one minimum reduces them together.
    let (mut low, mut high) = ([0.0; LANES], [0.0; LANES]);
    let [a, b, c, d] = s.transpose4([least[0], least[1], least[2], least[2]]);
    s.store(s.min(s.min(a, b), s.min(c, d)), &mut low, 0);
    let [a, b, c, d] = s.transpose4([most[0], most[1], most[2], most[2]]);
    s.store(s.max(s.max(a, b), s.max(c, d)), &mut high, 0);
    let mut bounds = Bounds::EMPTY;
    for (low, high) in low[..WIDTH].chunks_exact(4).zip(high.chunks_exact(4)) {
        let (min, max) = (Vec3::new(low[0], low[1], low[2]), Vec3::new(high[0], high[1], high[2]));
        bounds = bounds.union(&Bounds { min, max });
    }
    bounds
}
