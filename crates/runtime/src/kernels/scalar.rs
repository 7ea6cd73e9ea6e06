//! The kernel that defines the answers, for one box and one pair at a time. Answers have the same bits with every
//! kernel. Two functions do not decide anything: `ray_lanes` and `meeting_pairs` rule out rays and moving pairs before a
//! test that decides. There a kernel may rule out fewer than another, but never a hit, and the time that it reports is
//! never later than the hit.
//! The reject by bounds before the box test is not one of them: it only compares stored bounds, so it is the same in all
//! kernels.
//!
//! The overlap test of two boxes is `geometry-core`'s, and [`place_box`] poses a box. The candidates of characters are tested
//! by [`overlaps`]; [`masks`] runs the same two stages on boxes that lie in lanes, which it transposes four at a time. The
//! rest of the module is bookkeeping in the plainest form.

use super::batch::Side;
use super::batch::{AllBoxes, BLOCKS_AT_ONCE, key};
use super::bounds::Bounds;
use super::clip_lanes::{LocalBlock, Moment, Track, matrix_from_fours, matrix_of_lane, sample_lane};
use super::enclosing_box::enclosing_box;
use super::envelope_lanes::envelope_box;
use super::envelope_table::EnvelopeTable;
use super::joint_matrices::JointMatrices;
use super::layer_lanes::{add_blocks, blend_blocks};
use super::layout::{Block, BoundsBlock, BoxNumbers, Fours, LANES, Record, Row, Shape, ShapeBlock, row};
use super::near_chunks::{ChunkBounds, NearChunks};
use super::point_bounds::{self, ChunkPoints};
use super::ray_slabs::Slabs;
use super::skin_lanes::{self, Columns, SkinLanes};
use super::sweep_lanes::{self, MovingPairs};
use super::triangle_lanes::{self, TriangleBlock};
use super::{Batch, OverlapSink, PackedBounds};
use baked_format::SkinCut;
use geometry_core::portable::{affine_mul, affine_parts, mat3_mul, mat3_mul_vec3};
use geometry_core::{FirstContact, FirstStage, LanesOfObb, Obb, ObbMotion, Separation, first_stage_in_lanes};
use glam::{Affine3A, Mat3A, Mat4, Vec3A, Vec4};
use skeleton::JointIndex;
use std::ops::Range;

/// Returns `true` if the boxes of a candidate overlap.
fn overlaps(a: &Record, b: &Record) -> bool {
    a.posed_obb().overlaps_near(&b.posed_obb())
}

/// A box placed by its joint's matrix. `None` if the box is not finite or out of range.
pub(crate) fn place_box(shape: &Shape, matrices: &JointMatrices<'_>) -> Option<Record> {
    let (linear, translation) = affine_parts(&matrices.world_from_joint(shape.joint));
    let center = mat3_mul_vec3(&linear, shape.center) + translation;
    let (axes, half) = enclosing_box(&mat3_mul(&linear, &shape.axes), shape.half)?;
    Some(Record::new(center, half, [axes.x_axis, axes.y_axis])).filter(Record::is_in_range)
}

pub(super) fn masks(query: &BoxNumbers, bounds: &Bounds, blocks: &[Block], masks: &mut [u16]) {
    let query = query.valid_obb();
    for (block, mask) in blocks.iter().zip(masks) {
        *mask = block.bounds.lanes_near(bounds);
        if *mask == 0 {
            continue;
        }
        for at in (0..LANES).step_by(4) {
            let mut left = *mask >> at & 0xF;
            if left == 0 {
                continue;
            }
            // The bounds are near, so it seldom pays to ask first if the boxes are clearly apart.
            let boxes = lanes_of_four(&block.rows, at);
            while left != 0 {
                let k = left.trailing_zeros() as usize % 4;
                left &= left - 1;
                let overlap = match first_stage_in_lanes(&query, &boxes[k]) {
                    FirstStage::Apart(_) => false,
                    FirstStage::NotApart { undecided: 0 } => true,
                    FirstStage::NotApart { .. } => overlaps_lane(&query, block, at + k),
                };
                *mask &= !(u16::from(!overlap) << (at + k));
            }
        }
    }
}

/// Returns `true` if `query` overlaps the box in a lane.
#[cold]
#[inline(never)]
fn overlaps_lane(query: &Obb, block: &Block, lane: usize) -> bool {
    query.overlaps(&BoxNumbers(block.rows.map(|row| row[lane])).valid_obb())
}

/// The boxes in lanes `at` to `at + 4` of a block, whose numbers are transposed four by four.
#[inline(always)]
fn lanes_of_four(rows: &[Row; row::COUNT], at: usize) -> [LanesOfObb; 4] {
    let transposed = |numbers: [usize; 4]| {
        let [a, b, c, d] = numbers.map(|number| Vec4::from_slice(&rows[number][at..]));
        Mat4::from_cols(a, b, c, d).transpose()
    };
    let centers = transposed([row::CENTER, row::CENTER + 1, row::CENTER + 2, row::SIZE]);
    let [x, y, z] = [0, 1, 2].map(|c| transposed([row::AXIS_X + c, row::AXIS_Y + c, row::AXIS_Z + c, row::HALF + c]));
    [0, 1, 2, 3].map(|k| {
        let (center, [x, y, z]) = (centers.col(k), [x.col(k), y.col(k), z.col(k)]);
        LanesOfObb {
            center: Vec3A::from_vec4(center),
            half: Vec3A::new(x.w, y.w, z.w),
            axes: Mat3A::from_cols(Vec3A::from_vec4(x), Vec3A::from_vec4(y), Vec3A::from_vec4(z)),
            extent_sum: center.w,
        }
    })
}

pub(super) fn bounds_masks(bounds: &Bounds, blocks: &[BoundsBlock], masks: &mut [u16]) {
    for (block, mask) in blocks.iter().zip(masks) {
        *mask = block.lanes_near(bounds);
    }
}

pub(super) fn skin_vertices(lanes: &SkinLanes, matrices: &[Columns], points: &mut [Vec4]) {
    lanes.skin(matrices, points);
}

pub(super) fn skin_cuts(cuts: &[SkinCut], vertices: &[Vec4], points: &mut [Vec4]) {
    skin_lanes::skin_cuts(cuts, vertices, points);
}

pub(super) fn bounds_of_ranges(ranges: &[Range<usize>], points: &[Vec4]) -> Bounds {
    point_bounds::of_ranges(ranges, points)
}

pub(super) fn bounds_of_chunks(chunks: ChunkPoints<'_>, points: &[Vec4], block: &mut BoundsBlock) {
    point_bounds::of_chunks(chunks, points, block);
}

pub(super) fn fill_triangles(block: &mut TriangleBlock, triangles: &[[u32; 3]], points: &[Vec4]) {
    block.fill(triangles, points);
}

pub(super) fn first_touch(a: &TriangleBlock, b: &TriangleBlock) -> Option<[usize; 2]> {
    triangle_lanes::first_touch(a, b)
}

pub(super) fn near_chunks(a: ChunkBounds<'_>, b: ChunkBounds<'_>, from: usize, near: &mut Vec<NearChunks>) -> usize {
    NearChunks::find(a, b, from, near)
}

pub(super) fn around(blocks: &[BoundsBlock]) -> Bounds {
    Bounds::around(blocks)
}

pub(super) fn squared_gaps(bounds: &Bounds, block: &BoundsBlock, squares: &mut Row) {
    block.squared_gaps(bounds, squares);
}

pub(super) fn lanes_within(bounds: &Bounds, blocks: &[BoundsBlock], limit: f32, masks: &mut [u16]) {
    for (block, mask) in blocks.iter().zip(masks) {
        *mask = block.lanes_within(bounds, limit);
    }
}

#[inline(always)]
pub(super) fn ray_lanes(slabs: &Slabs, blocks: &[BoundsBlock], earliest: &mut [Row]) -> u64 {
    let masks = blocks.iter().zip(earliest).map(|(block, earliest)| u64::from(slabs.mask(block, earliest)));
    masks.rev().fold(0, |lanes, mask| lanes << LANES | mask)
}

/// Reports that all pairs may meet, at time 0.
pub(super) fn meeting_pairs(pairs: &MovingPairs<'_>, _: f32, earliest: &mut Row) -> u16 {
    *earliest = [0.0; LANES];
    pairs.lanes()
}

pub(super) fn swept_bounds(from: &[Record], to: &[Record], blocks: &mut [BoundsBlock]) {
    for (index, (from, to)) in from.iter().zip(to).enumerate() {
        blocks[index / LANES].set(index % LANES, &sweep_lanes::swept_bounds(from, to));
    }
}

pub(super) fn first_contacts(
    pairs: &[[&ObbMotion; 2]],
    relative_tolerance: f32,
    limit: f32,
    contacts: &mut [Option<FirstContact>],
) {
    for ([a, b], contact) in pairs.iter().zip(contacts) {
        *contact = Obb::first_contact_until(a, b, relative_tolerance, limit);
    }
}

pub(super) fn first_contact(a: &ObbMotion, b: &ObbMotion, relative_tolerance: f32, limit: f32) -> Option<FirstContact> {
    Obb::first_contact_until(a, b, relative_tolerance, limit)
}

pub(super) fn motions(from: &[Obb], to: &[Obb], motions: &mut [ObbMotion]) {
    for ((from, to), motion) in from.iter().zip(to).zip(motions) {
        *motion = ObbMotion::between(from, to);
    }
}

pub(super) fn separation(a: &Obb, b: &Obb) -> Separation {
    a.separation(b)
}

pub(super) fn add_near_pairs<'r>(
    [a, b]: [&AllBoxes<'r>; 2],
    tag: u32,
    _prefetch: bool,
    _packed: &mut PackedBounds,
    batch: &mut Batch<'r>,
    sink: &mut OverlapSink<'_>,
) -> bool {
    let (mut near_a, mut near_b) = ([0; BLOCKS_AT_ONCE], [0; BLOCKS_AT_ONCE]);
    for (start, blocks) in b.parts() {
        let near = &mut near_b[..blocks.len()];
        bounds_masks(&a.bounds, blocks, near);
        let b_side = Side { blocks, records: b.records, near, start };
        let reach = b_side.reach(&b.bounds);
        for (start, blocks) in a.parts() {
            let near = &mut near_a[..blocks.len()];
            bounds_masks(&reach, blocks, near);
            let a_side = Side { blocks, records: a.records, near, start };
            if !add_candidates(&a_side, &b_side, tag, batch, sink) {
                return false;
            }
        }
    }
    true
}

pub(super) fn add_candidates<'r>(
    a: &Side<'r, '_>,
    b: &Side<'r, '_>,
    tag: u32,
    batch: &mut Batch<'r>,
    sink: &mut OverlapSink<'_>,
) -> bool {
    if batch.has_no_source_left() && !flush(batch, sink) {
        return false;
    }
    batch.open(a, b, tag);
    for first in a.near_boxes() {
        let bounds = a.bounds(first);
        for second in b.near_boxes() {
            if bounds.overlaps(&b.bounds(second)) {
                if Batch::is_nearly_full(batch.len(), 1) {
                    batch.close();
                    if !flush(batch, sink) {
                        return false;
                    }
                    batch.open(a, b, tag);
                }
                let len = batch.len();
                if let Some([next, ..]) = batch.room(len) {
                    *next = key(a.start + first, b.start + second);
                }
                batch.set_len(len + 1);
            }
        }
    }
    batch.close();
    true
}

pub(super) fn flush(batch: &mut Batch<'_>, sink: &mut OverlapSink<'_>) -> bool {
    loop {
        take(batch);
        if let Some(go_on) = batch.tell(sink) {
            return go_on;
        }
    }
}

/// Tests all candidates of a batch; a batch of [`Batch::for_first`] stops after the first pair that it finds.
pub(super) fn take(batch: &mut Batch<'_>) {
    while let Some(([a], [b], count)) = batch.next_candidates(0)
        && let Some(&keys) = batch.next_keys()
    {
        batch.take::<1>(count, u16::from(overlaps(a, b)), &keys);
        if batch.is_to_tell() {
            return;
        }
    }
}

/// Leaves all boxes to the caller, who places each box with [`place_box`].
pub(super) fn pose_blocks(
    _: &[ShapeBlock],
    _: &[JointIndex],
    _: &JointMatrices<'_>,
    _: &mut [Record],
    _: &mut [BoundsBlock],
    done: &mut [u16],
) {
    done.fill(0);
}

/// [`envelope_box`] of each box that has an envelope.
pub(super) fn envelopes_in(
    table: &EnvelopeTable,
    matrices: &JointMatrices<'_>,
    _: &mut [Fours],
    records: &mut [Record],
    bounds: &mut [BoundsBlock],
) -> Option<usize> {
    for (index, place) in table.places.iter().enumerate() {
        if let Some(place) = *place {
            let Some(record) = envelope_box(table, place, matrices, &records[index]) else { return Some(index) };
            records[index] = record;
            bounds[index / LANES].set(index % LANES, &record.bounds());
        }
    }
    None
}

pub(super) fn sample_tracks(tracks: &[Track], moments: &[Moment], blocks: &mut [LocalBlock]) {
    for track in tracks {
        for lane in (0..LANES).filter(|lane| track.lanes >> lane & 1 == 1) {
            sample_lane(track, &moments[track.timeline], lane, &mut blocks[track.block]);
        }
    }
}

pub(super) fn sample_matrices(base: &[LocalBlock], tracks: &[Track], moments: &[Moment], matrices: &mut [Fours]) {
    for (index, (base, matrices)) in base.iter().zip(matrices.chunks_mut(LANES)).enumerate() {
        let mut block = *base;
        for track in tracks.iter().filter(|track| track.block == index) {
            for lane in (0..LANES).filter(|lane| track.lanes >> lane & 1 == 1) {
                sample_lane(track, &moments[track.timeline], lane, &mut block);
            }
        }
        local_matrices(&[block], matrices);
    }
}

pub(super) fn local_matrices(blocks: &[LocalBlock], matrices: &mut [Fours]) {
    for (place, matrix) in matrices.iter_mut().enumerate() {
        *matrix = matrix_of_lane(&blocks[place / LANES], place % LANES);
    }
}

pub(super) fn model_matrices(
    joints: &[JointIndex],
    parents: &[Option<JointIndex>],
    local: &[Fours],
    model_from_joint: &mut [Affine3A],
) {
    for ((joint, parent), local) in joints.iter().zip(parents).zip(local) {
        let parent_from_joint = matrix_from_fours(local);
        model_from_joint[joint.index()] = match parent {
            Some(parent) => affine_mul(&model_from_joint[parent.index()], &parent_from_joint),
            None => parent_from_joint,
        };
    }
}

pub(super) fn blend(a: &mut [LocalBlock], b: &[LocalBlock], weights: &[Row]) {
    blend_blocks(a, b, weights);
}

pub(super) fn add_change(a: &mut [LocalBlock], b: &[LocalBlock], from: &[LocalBlock], weights: &[Row]) {
    add_blocks(a, b, from, weights);
}
