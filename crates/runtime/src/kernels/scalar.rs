//! The kernel that defines the answer: one pair at a time, by `geometry-core`'s test.

use super::{Batch, OverlapSink, Side};
use crate::box_lanes::{Block, Bounds, BoundsBlock, LANES, Record, Row, ShapeBlock};
use crate::joint_matrices::JointMatrices;
use crate::query::ray::Slabs;
use skeleton::JointIndex;

pub(super) fn masks(query: &Record, bounds: &Bounds, blocks: &[Block], masks: &mut [u16]) {
    for (block, mask) in blocks.iter().zip(masks) {
        let overlaps = |&lane: &usize| {
            bounds.overlaps(&block.bounds.get(lane)) && overlaps(query, &Record(block.rows.map(|row| row[lane])))
        };
        *mask = (0..LANES).filter(overlaps).fold(0, |mask, lane| mask | 1 << lane);
    }
}

pub(super) fn bounds_masks(bounds: &Bounds, blocks: &[BoundsBlock], masks: &mut [u16]) {
    for (block, mask) in blocks.iter().zip(masks) {
        let near = |&lane: &usize| bounds.overlaps(&block.get(lane));
        *mask = (0..LANES).filter(near).fold(0, |mask, lane| mask | 1 << lane);
    }
}

pub(super) fn around(blocks: &[BoundsBlock]) -> Bounds {
    Bounds::around(blocks)
}

pub(super) fn squared_gaps(bounds: &Bounds, block: &BoundsBlock, squares: &mut Row) {
    block.squared_gaps(bounds, squares);
}

pub(super) fn ray_mask(slabs: &Slabs, block: &BoundsBlock, entries: &mut Row) -> u16 {
    slabs.mask(block, entries)
}

pub(super) fn near_pairs<'r>(
    a: &Side<'r, '_>,
    b: &Side<'r, '_>,
    tag: u32,
    batch: &mut Batch<'r>,
    touch: &mut OverlapSink<'_>,
) -> bool {
    if batch.has_no_source_left() && !flush(batch, touch) {
        return false;
    }
    batch.open(a, b, tag);
    for first in a.near_boxes() {
        let bounds = a.bounds(first);
        for second in b.near_boxes() {
            if bounds.overlaps(&b.bounds(second)) {
                if Batch::is_nearly_full(batch.len()) {
                    batch.close();
                    if !flush(batch, touch) {
                        return false;
                    }
                    batch.open(a, b, tag);
                }
                let len = batch.put(batch.len(), a.start + first, b.start + second, 1);
                batch.set_len(len);
            }
        }
    }
    batch.close();
    true
}

pub(super) fn flush(batch: &mut Batch<'_>, touch: &mut OverlapSink<'_>) -> bool {
    batch.take(0, |[a], [b], _| u16::from(overlaps(a, b)), touch)
}

/// Leaves every box to the caller, who poses one at a time.
pub(super) fn pose(
    shapes: &[ShapeBlock],
    _: &[JointIndex],
    _: &JointMatrices<'_>,
    _: &mut [Record],
    _: &mut [BoundsBlock],
    mut done: impl FnMut(usize, u16),
) {
    (0..shapes.len()).for_each(|block| done(block, 0));
}

fn overlaps(a: &Record, b: &Record) -> bool {
    a.obb().zip(b.obb()).is_some_and(|(a, b)| a.overlaps(&b))
}
