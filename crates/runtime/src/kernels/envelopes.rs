//! The boxes of envelopes, by the arithmetic of [`super::envelope_boxes`].

use super::envelope_boxes::{AXES_SLACK, LARGEST_SUM, ROUNDING, WorldRounding};
use super::envelope_table::{EnvelopeBlock, EnvelopeTable, MoverRow, Slot, Step, mover_row};
use super::gather::{Boxes, gather, gather_quarter, joint_columns, scatter};
use super::joint_matrices::JointMatrices;
use super::layout::{BoundsBlock, Fours, LANES, Quarters, Record, Row};
use super::posing::store_bounds;
use super::three::{Three, add3, dot, load3, sub3, sum3, transform};
use super::vectors::Vectors;
use geometry_core::MAX_COORDINATE;
use glam::{Affine3A, Vec4};
use skeleton::JointIndex;

/// The posed boxes of a block, by lane. The effects of the block's movers are measured relative to these boxes.
struct Frames {
    /// What an axis of the posed box measures of a vector in the space of the matrices, three rows for each axis.
    along: [Row; 9],
    /// The center of the baked box in the space of the matrices.
    center: [Row; 3],
    /// The images of the baked box's axes along the posed box's axes, three rows for each axis.
    straight: [Row; 9],
    slack: Row,
}

/// What the clusters of one box need, in neighboring cache lines.
#[derive(Clone, Copy)]
#[repr(C, align(128))]
struct BoxLane {
    /// The images of the baked box's axes along the posed box's axes: a quarter for each axis.
    straight: Fours,
    /// The least places of the box's clusters along its axes; the fourth component has no meaning.
    low: Vec4,
    /// The greatest places.
    high: Vec4,
}

impl Quarters for BoxLane {
    #[inline(always)]
    fn quarter(&self, index: usize) -> Vec4 {
        self.straight.quarter(index)
    }

    #[inline(always)]
    fn set_quarter(&mut self, index: usize, numbers: Vec4) {
        self.straight.set_quarter(index, numbers);
    }
}

/// Replaces the boxes that have envelopes by boxes that contain the surface in this pose, and replaces their bounds.
/// `motions` has room for all movers of any block, and for the whole vector after the last of them. Returns the least index of
/// a box that is not finite or out of range.
#[inline(always)]
pub(super) fn envelopes<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    table: &EnvelopeTable,
    matrices: &JointMatrices<'_>,
    motions: &mut [Fours],
    records: &mut [Record],
    bounds: &mut [BoundsBlock],
) -> Option<usize> {
    assert!(motions.len() > table.most_movers + LANES, "room for all motions");
    let world = WorldRounding::new(matrices);
    let mut refused: Option<usize> = None;
    let mut frames = Frames {
        along: [[0.0; LANES]; 9],
        center: [[0.0; LANES]; 3],
        straight: [[0.0; LANES]; 9],
        slack: [0.0; LANES],
    };
    let mut lanes = [BoxLane { straight: Fours::ZERO, low: Vec4::ZERO, high: Vec4::ZERO }; LANES];
    let (mut placed, mut of_placed) = ([Record::NONE; LANES], BoundsBlock::EMPTY);
    motions[0] = Fours::ZERO;
    for block in &table.blocks {
        let used = |at: &usize| *at < block.count;
        for at in (0..LANES).step_by(WIDTH).take_while(used) {
            place_frames(s, block, at, matrices, world, records, &mut frames, &mut lanes);
        }
        for row in &table.movers[block.movers.clone()] {
            for at in (0..LANES).step_by(WIDTH).take_while(|&at| at < row.count) {
                place_movers(s, row, at, matrices, world, &mut frames, motions);
            }
        }
        for slot in &table.slots[block.slots.clone()] {
            for at in (0..LANES).step_by(WIDTH).take_while(|&at| at < 2 * slot.pairs) {
                bound(s, table, slot, at, motions, &mut lanes);
            }
        }
        for at in (0..LANES).step_by(WIDTH).take_while(used) {
            let boxes = finish(s, block, at, records, &frames, &lanes);
            let mut ok = s.all();
            for c in 0..3 {
                ok = s.le(ok, s.abs(boxes.center[c]), s.splat(MAX_COORDINATE));
                ok = s.le(ok, boxes.half[c], s.splat(MAX_COORDINATE));
            }
            scatter(s, &boxes, &mut placed[at..]);
            store_bounds(s, &boxes, s.splat(0.0), &mut of_placed, at);
            let mut bad = (s.bits(ok) ^ (u16::MAX >> (LANES - WIDTH))) << at;
            bad &= u16::MAX >> (LANES - block.count);
            while bad != 0 {
                let index = usize::from(block.boxes[bad.trailing_zeros() as usize]);
                refused = Some(refused.map_or(index, |first| first.min(index)));
                bad &= bad - 1;
            }
        }
        for (lane, &index) in block.boxes[..block.count].iter().enumerate() {
            let index = usize::from(index);
            records[index] = placed[lane];
            bounds[index / LANES].copy_lane(index % LANES, &of_placed, lane);
        }
    }
    refused
}

/// The matrices of as many joints as fill a vector.
#[inline(always)]
fn matrices_of<'a, const WIDTH: usize>(
    matrices: &JointMatrices<'a>,
    joints: &[JointIndex; LANES],
    at: usize,
) -> [&'a Affine3A; WIDTH] {
    let mut of_joints = [&matrices.joints[joints[at].index()]; WIDTH];
    for (k, matrix) in of_joints.iter_mut().enumerate() {
        *matrix = &matrices.joints[joints[at + k].index()];
    }
    of_joints
}

/// An upper bound of the lengths of matrices' numbers, as in `envelope_boxes::norm`, and the sum of the sizes of the
/// numbers of their translations.
#[inline(always)]
fn norm_and_shift<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, columns: &[Three<S::V>; 4]) -> [S::V; 2] {
    let mut most = s.splat(0.0);
    for column in &columns[..3] {
        for number in column {
            most = s.max(s.abs(*number), most);
        }
    }
    let [x, y, z] = sizes(s, &columns[3]);
    [s.mul(s.splat(3.0), most), sum3(s, x, y, z)]
}

/// The rounding error of joints' matrices, as in `WorldRounding::of_joint`.
#[inline(always)]
fn joint_rounding<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    [norm, shift]: [S::V; 2],
    slack: S::V,
    weight: S::V,
    world: WorldRounding,
) -> S::V {
    let rounding = s.add(s.mul(norm, slack), s.mul(shift, s.mul(weight, s.splat(ROUNDING))));
    s.mul(rounding, s.splat(world.norm))
}

#[inline(always)]
fn place_frames<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    block: &EnvelopeBlock,
    at: usize,
    matrices: &JointMatrices<'_>,
    world: WorldRounding,
    records: &[Record],
    frames: &mut Frames,
    lanes: &mut [BoxLane; LANES],
) {
    for lane in &mut lanes[at..at + WIDTH] {
        (lane.low, lane.high) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
    }
    let joints = joint_columns(s, &matrices_of(matrices, &block.joints, at));
    let base = gather(s, &records_of(block, at, records));
    let mut along = base.axes;
    if let Some(world_from_model) = matrices.world_from_model {
        let mut world = base.axes;
        for (index, column) in world.iter_mut().enumerate() {
            let numbers = super::column(world_from_model, index).to_array();
            *column = [s.splat(numbers[0]), s.splat(numbers[1]), s.splat(numbers[2])];
        }
        for (row, axis) in along.iter_mut().zip(&base.axes) {
            for (number, column) in row.iter_mut().zip(&world) {
                *number = dot(s, axis, column);
            }
        }
    }
    let center = add3(s, &transform(s, &joints, &load3(s, &block.center, 0, at)), &joints[3]);
    let edges = [
        transform(s, &joints, &load3(s, &block.axes, 0, at)),
        transform(s, &joints, &load3(s, &block.axes, 3, at)),
        transform(s, &joints, &load3(s, &block.axes, 6, at)),
    ];
    let zero = s.splat(0.0);
    let mut size = zero;
    for axis in 0..3 {
        s.store(center[axis], &mut frames.center[axis], at);
        let mut row = edges[0];
        for edge in 0..3 {
            row[edge] = dot(s, &along[axis], &edges[edge]);
            s.store(row[edge], &mut frames.straight[3 * axis + edge], at);
            s.store(along[axis][edge], &mut frames.along[3 * axis + edge], at);
        }
        let [x, y, z] = sizes(s, &row);
        size = s.add(size, sum3(s, x, y, z));
        let [x, y, z] = row;
        for (k, row) in s.transpose4([x, y, z, zero]).into_iter().enumerate() {
            s.store_quarters(row, &mut lanes[at..], k, axis);
        }
    }
    let (own, weight) = (s.load(&block.slack, at), s.load(&block.weight, at));
    let slack = joint_rounding(s, norm_and_shift(s, &joints), own, weight, world);
    let slack = s.add(s.add(slack, s.splat(world.shift)), s.splat(f32::MIN_POSITIVE));
    let fits = s.le(s.all(), size, s.splat(LARGEST_SUM));
    s.store(s.select(fits, slack, s.splat(f32::INFINITY)), &mut frames.slack, at);
}

/// The records of as many boxes of a block as fill a vector.
#[inline(always)]
fn records_of<'a, const WIDTH: usize>(block: &EnvelopeBlock, at: usize, records: &'a [Record]) -> [&'a Record; WIDTH] {
    let mut of_lanes = [&records[usize::from(block.boxes[at])]; WIDTH];
    for (k, record) in of_lanes.iter_mut().enumerate() {
        *record = &records[usize::from(block.boxes[at + k])];
    }
    of_lanes
}

/// Computes the effect of one mover of each box: three quarters of a record with the rows of `turned` and the shift along
/// each axis. Adds the movers' part of the rounding error to the slack of the frames.
///
/// The lanes after the row's last mover write records that the next row overwrites, or that nothing reads.
#[inline(always)]
fn place_movers<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    row: &MoverRow,
    at: usize,
    matrices: &JointMatrices<'_>,
    world: WorldRounding,
    frames: &mut Frames,
    motions: &mut [Fours],
) {
    let joints = joint_columns(s, &matrices_of(matrices, &row.joints, at));
    let edges = [
        transform(s, &joints, &load3(s, &row.rows, mover_row::AXES, at)),
        transform(s, &joints, &load3(s, &row.rows, mover_row::AXES + 3, at)),
        transform(s, &joints, &load3(s, &row.rows, mover_row::AXES + 6, at)),
    ];
    let center = add3(s, &transform(s, &joints, &load3(s, &row.rows, mover_row::CENTER, at)), &joints[3]);
    let apart = sub3(s, &center, &load3(s, &frames.center, 0, at));
    let Some(motions) = motions[row.first + at..].first_chunk_mut::<WIDTH>() else { return };
    let mut shifts = apart;
    for (axis, size) in shifts.iter_mut().enumerate() {
        let along = load3(s, &frames.along, 3 * axis, at);
        let mut turned = edges[0];
        for edge in 0..3 {
            turned[edge] = s.sub(dot(s, &along, &edges[edge]), s.load(&frames.straight[3 * axis + edge], at));
        }
        let shifted = dot(s, &along, &apart);
        *size = s.abs(shifted);
        let [x, y, z] = turned;
        for (k, row) in s.transpose4([x, y, z, shifted]).into_iter().enumerate() {
            s.store_quarters(row, motions, k, axis);
        }
    }
    let load = |number: usize| s.load(&row.rows[number], at);
    let [norm, shift] = norm_and_shift(s, &joints);
    let slack = joint_rounding(s, [norm, shift], load(mover_row::SLACK), load(mover_row::WEIGHT), world);
    let size = s.mul(s.mul(norm, load(mover_row::SCALE)), s.splat(world.norm));
    let fits = s.le(s.all(), size, s.splat(LARGEST_SUM));
    // A number of the matrix that is not finite makes all three shifts not finite.
    let fits = s.le(fits, sum3(s, shifts[0], shifts[1], shifts[2]), s.splat(LARGEST_SUM));
    let slack = s.select(fits, slack, s.splat(f32::INFINITY));
    s.store(s.add(s.load(&frames.slack, at), slack), &mut frames.slack, at);
}

/// Four numbers of the record of each pair: the first in both lanes of the pair, the second, and so on. `records[4 * k]` and
/// `records[4 * k + 1]` belong to pairs `2 * k` and `2 * k + 1`.
#[inline(always)]
fn quarter_of_pairs<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    records: &[&impl Quarters; WIDTH],
    quarter: usize,
) -> [S::V; 4] {
    s.spread_pairs(s.load_quarters(records, 0, quarter), s.load_quarters(records, 1, quarter))
}

/// Adds the clusters of some pairs of a slot to the ends of their boxes.
///
/// Each step computes all three axes. One axis after the other would need fewer registers, but three times as many loops, each of
/// few steps, and takes more time with AVX2 and AVX-512.
#[inline(always)]
fn bound<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    table: &EnvelopeTable,
    slot: &Slot,
    at: usize,
    motions: &[Fours],
    lanes: &mut [BoxLane; LANES],
) {
    let mut of_boxes = [&lanes[0]; WIDTH];
    for pair in 0..WIDTH / 2 {
        of_boxes[place_of_pair(pair)] = &lanes[usize::from(slot.boxes[at / 2 + pair]) % LANES];
    }
    let (middle, half) = (load3(s, &slot.rows, 0, at), load3(s, &slot.rows, 3, at));
    let (mut linear, mut place, mut reach) = ([middle; 3], middle, [s.splat(0.0); 3]);
    for axis in 0..3 {
        let [x, y, z, _] = quarter_of_pairs(s, &of_boxes, axis);
        linear[axis] = [x, y, z];
        place[axis] = dot(s, &linear[axis], &middle);
    }
    for (Step(rows), movers) in table.steps_from(slot, at / 2) {
        let mut of_movers = [&motions[0]; WIDTH];
        for pair in 0..WIDTH / 2 {
            of_movers[place_of_pair(pair)] = motion_of(motions, movers[at / 2 + pair]);
        }
        let (point, spread) = (load3(s, rows, 0, at), load3(s, rows, 3, at));
        let (weight, off) = (s.load(&rows[6], at), s.load(&rows[7], at));
        for axis in 0..3 {
            let [x, y, z, shifted] = quarter_of_pairs(s, &of_movers, axis);
            let turned = [x, y, z];
            let moved = s.add(dot(s, &turned, &point), shifted);
            place[axis] = s.add(place[axis], s.mul(weight, moved));
            let spread = dot(s, &sizes(s, &turned), &spread);
            reach[axis] = s.add(reach[axis], s.add(s.mul(off, s.abs(moved)), spread));
            for (sum, number) in linear[axis].iter_mut().zip(turned) {
                *sum = s.add(*sum, s.mul(weight, number));
            }
        }
    }
    let (mut low, mut high) = (middle, middle);
    for axis in 0..3 {
        let reach = s.add(dot(s, &sizes(s, &linear[axis]), &half), reach[axis]);
        low[axis] = s.sub(place[axis], reach);
        high[axis] = s.add(place[axis], reach);
    }
    let (mut lows, mut highs) = ([Vec4::ZERO; WIDTH], [Vec4::ZERO; WIDTH]);
    let [a, b, c, d] = s.transpose4([low[0], low[1], low[2], low[2]]);
    s.store_quarters(s.min(a, b), &mut lows, 0, 0);
    s.store_quarters(s.min(c, d), &mut lows, 1, 0);
    let [a, b, c, d] = s.transpose4([high[0], high[1], high[2], high[2]]);
    s.store_quarters(s.max(a, b), &mut highs, 0, 0);
    s.store_quarters(s.max(c, d), &mut highs, 1, 0);
    for pair in 0..WIDTH / 2 {
        let lane = &mut lanes[usize::from(slot.boxes[at / 2 + pair]) % LANES];
        lane.low = lows[place_of_pair(pair)].min(lane.low);
        lane.high = highs[place_of_pair(pair)].max(lane.high);
    }
}

/// The motion with this number in a block. [`envelopes`] asserts that there is room for all numbers of the table.
#[inline(always)]
fn motion_of(motions: &[Fours], number: u16) -> &Fours {
    let number = usize::from(number);
    debug_assert!(number < motions.len(), "motion {number} of {}", motions.len());
    // SAFETY: the numbers of a table's steps are at most its `most_movers`, and `envelopes` asserts that there are more motions.
    // With a check of each index, the AVX-512 kernel takes 6 % more time.
    unsafe { motions.get_unchecked(number) }
}

/// The index of a pair among the records that [`quarter_of_pairs`] reads: each four lanes have two pairs.
const fn place_of_pair(pair: usize) -> usize {
    pair / 2 * 4 + pair % 2
}

/// The boxes of some lanes of a block.
#[inline(always)]
fn finish<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    block: &EnvelopeBlock,
    at: usize,
    records: &[Record],
    frames: &Frames,
    lanes: &[BoxLane; LANES],
) -> Boxes<S::V> {
    let (low, high) = (points(s, lanes, at, |lane| &lane.low), points(s, lanes, at, |lane| &lane.high));
    let (zero, one_half) = (s.splat(0.0), s.splat(0.5));
    let (mut middle, mut half) = (low, high);
    for axis in 0..3 {
        let (from, to) = (s.add(low[axis], zero), s.add(high[axis], zero));
        middle[axis] = s.mul(one_half, s.add(from, to));
        half[axis] = s.mul(one_half, s.sub(to, from));
    }
    let [x, y, z] = sizes(s, &middle);
    let size = s.add(sum3(s, x, y, z), sum3(s, half[0], half[1], half[2]));
    let slack = s.add(s.load(&frames.slack, at), s.mul(size, s.splat(AXES_SLACK)));
    let base = gather(s, &records_of(block, at, records));
    let mut center = base.center;
    for c in 0..3 {
        half[c] = s.add(half[c], slack);
        let moved = sum3(
            s,
            s.mul(base.axes[0][c], middle[0]),
            s.mul(base.axes[1][c], middle[1]),
            s.mul(base.axes[2][c], middle[2]),
        );
        center[c] = s.add(center[c], moved);
    }
    Boxes { center, half, axes: base.axes, size: sum3(s, half[0], half[1], half[2]) }
}

/// One point of each of the lanes `at` to `at + WIDTH`, in vectors.
#[inline(always)]
fn points<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    lanes: &[BoxLane; LANES],
    at: usize,
    point: impl Fn(&BoxLane) -> &Vec4,
) -> Three<S::V> {
    let mut of_lanes = [point(&lanes[at]); WIDTH];
    for (k, of_lane) in of_lanes.iter_mut().enumerate() {
        *of_lane = point(&lanes[at + k]);
    }
    let [x, y, z, _] = gather_quarter(s, &of_lanes, 0);
    [x, y, z]
}

#[inline(always)]
fn sizes<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, row: &Three<S::V>) -> Three<S::V> {
    [s.abs(row[0]), s.abs(row[1]), s.abs(row[2])]
}
