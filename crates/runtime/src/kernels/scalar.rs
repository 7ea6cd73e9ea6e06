//! The kernel that defines the answer: one pair at a time, by `geometry-core`'s test.

use super::near;
use crate::lanes::{Block, LANES, Lane};

pub(super) fn masks(query: &Lane, blocks: &[Block], masks: &mut [u16]) {
    for (block, mask) in blocks.iter().zip(masks) {
        *mask = block_mask(query, block, u16::MAX);
    }
}

pub(super) fn pairs(
    (a, a_near): (&[Block], &[u16]),
    (b, b_near): (&[Block], &[u16]),
    touch: &mut dyn FnMut(usize, usize, u16) -> bool,
) {
    for (i, (a, &near)) in a.iter().zip(a_near).enumerate() {
        for lane in (0..LANES).filter(|lane| near >> lane & 1 == 1) {
            let query = a.get(lane);
            for (j, (b, &near)) in b.iter().zip(b_near).enumerate() {
                let mask = block_mask(&query, b, near);
                if mask != 0 && !touch(i * LANES + lane, j, mask) {
                    return;
                }
            }
        }
    }
}

pub(super) fn near_bounds(blocks: &[Block], min: &[f32; 3], max: &[f32; 3], masks: &mut [u16]) {
    for (block, mask) in blocks.iter().zip(masks) {
        let near = |lane: &usize| {
            (0..3).all(|c| {
                let (center, extent) = (block.center[c][*lane], block.extent[c][*lane]);
                center - extent <= max[c] && min[c] <= center + extent
            })
        };
        *mask = (0..LANES).filter(near).fold(0, |mask, lane| mask | 1 << lane);
    }
}

fn block_mask(query: &Lane, block: &Block, wanted: u16) -> u16 {
    let touching = |&lane: &usize| wanted >> lane & 1 == 1 && overlaps(query, &block.get(lane));
    (0..LANES).filter(touching).fold(0, |mask, lane| mask | 1 << lane)
}

fn overlaps(a: &Lane, b: &Lane) -> bool {
    near(a, b) && a.obb().zip(b.obb()).is_some_and(|(a, b)| a.overlaps(&b))
}
