//! The boxes of envelopes for vectors: the arithmetic of [`super::envelope_lanes`], once for all instruction sets.

use super::envelope_lanes::{
    AXES_SLACK, EnvelopeBlock, EnvelopeTable, LARGEST_SUM, MoverBlock, ROUNDING, WorldRounding, mover_row,
};
use super::joint_matrices::JointMatrices;
use super::layout::{LANES, Record, Row};
use super::vector_kernel::{
    Boxes, Three, add3, dot, gather, joint_columns, load3, scatter, sub3, sum3, transform, world_columns,
};
use super::vectors::Vectors;
use geometry_core::MAX_COORDINATE;
use glam::Affine3A;
use skeleton::JointIndex;

/// Posed boxes of a block, and what the block's movers are measured against.
struct Frames {
    /// The baked boxes in the pose.
    base: [Record; LANES],
    /// The images of the boxes' axes along the posed boxes' axes: a quarter for each axis.
    straight: [Record; LANES],
    /// The numbers of `straight` by rows.
    rows: [Row; 9],
    slack: Row,
}

/// Replaces the boxes that have envelopes by those that hold their surface in this pose; `motions` has room for all movers
/// of any block, and one more. Answers the least index of a box that is not finite or out of range.
#[inline(always)]
pub(super) fn envelopes<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    table: &EnvelopeTable,
    matrices: &JointMatrices<'_>,
    motions: &mut [Record],
    records: &mut [Record],
) -> Option<usize> {
    let world = WorldRounding::new(matrices);
    let mut refused: Option<usize> = None;
    motions[0] = Record([0.0; 16]);
    for block in &table.blocks {
        let mut frames = Frames {
            base: block.boxes.map(|index| records[usize::from(index)]),
            straight: [Record([0.0; 16]); LANES],
            rows: [[0.0; LANES]; 9],
            slack: [0.0; LANES],
        };
        for at in (0..LANES).step_by(WIDTH).take_while(|&at| at < block.count) {
            place_frames(s, block, at, matrices, world, &mut frames);
        }
        let mut number = 1;
        for movers in &table.movers[block.movers.clone()] {
            for at in (0..LANES).step_by(WIDTH).take_while(|&at| at < movers.count) {
                place_movers(s, movers, at, matrices, world, &frames, &mut motions[number + at..]);
            }
            for (lane, motion) in movers.lanes[..movers.count].iter().zip(&motions[number..]) {
                frames.slack[usize::from(*lane)] += motion.0[12];
            }
            number += LANES;
        }
        let mut placed = frames.base;
        for at in (0..LANES).step_by(WIDTH).take_while(|&at| at < block.count) {
            let boxes = bound(s, table, block, at, &frames, motions);
            let mut ok = s.all();
            for c in 0..3 {
                ok = s.le(ok, s.abs(boxes.center[c]), s.splat(MAX_COORDINATE));
                ok = s.le(ok, boxes.half[c], s.splat(MAX_COORDINATE));
            }
            scatter(s, &boxes, &mut placed[at..]);
            let mut bad = (s.bits(ok) ^ (u16::MAX >> (LANES - WIDTH))) << at;
            bad &= u16::MAX >> (LANES - block.count);
            while bad != 0 {
                let index = usize::from(block.boxes[bad.trailing_zeros() as usize]);
                refused = Some(refused.map_or(index, |first| first.min(index)));
                bad &= bad - 1;
            }
        }
        for (record, &index) in placed.iter().zip(&block.boxes[..block.count]) {
            records[usize::from(index)] = *record;
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

/// The rounding error of joints' matrices, as in `WorldRounding::of_joint`.
#[inline(always)]
fn joint_rounding<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    columns: &[Three<S::V>; 4],
    slack: S::V,
    weight: S::V,
    world: WorldRounding,
) -> S::V {
    let mut most = s.splat(0.0);
    for column in &columns[..3] {
        for number in column {
            most = s.max(s.abs(*number), most);
        }
    }
    let [x, y, z] = columns[3];
    let shift = sum3(s, s.abs(x), s.abs(y), s.abs(z));
    let linear = s.mul(s.mul(s.splat(3.0), most), slack);
    s.mul(s.add(linear, s.mul(shift, s.mul(weight, s.splat(ROUNDING)))), s.splat(world.norm))
}

/// Replaces the slack by infinity if the numbers are too large for the arithmetic.
#[inline(always)]
fn refuse_large<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    slack: S::V,
    rows: &[Three<S::V>; 3],
    shifted: &Three<S::V>,
) -> S::V {
    let mut sums = *shifted;
    for axis in 0..3 {
        let [x, y, z] = rows[axis];
        sums[axis] = s.add(sum3(s, s.abs(x), s.abs(y), s.abs(z)), s.abs(shifted[axis]));
    }
    let fits = s.le(s.all(), sum3(s, sums[0], sums[1], sums[2]), s.splat(LARGEST_SUM));
    s.select(fits, slack, s.splat(f32::INFINITY))
}

#[inline(always)]
fn place_frames<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    block: &EnvelopeBlock,
    at: usize,
    matrices: &JointMatrices<'_>,
    world: WorldRounding,
    frames: &mut Frames,
) {
    let joints = joint_columns(s, &matrices_of(matrices, &block.joints, at));
    let placed = world_columns(s, matrices, &joints);
    let mut of_lanes = [&frames.base[at]; WIDTH];
    for (k, record) in of_lanes.iter_mut().enumerate() {
        *record = &frames.base[at + k];
    }
    let base = gather(s, &of_lanes);
    let zero = s.splat(0.0);
    let edges = [
        transform(s, &placed, &load3(s, &block.axes, 0, at)),
        transform(s, &placed, &load3(s, &block.axes, 3, at)),
        transform(s, &placed, &load3(s, &block.axes, 6, at)),
    ];
    let mut straight = [[zero; 3]; 3];
    for (axis, row) in straight.iter_mut().enumerate() {
        for (edge, number) in row.iter_mut().enumerate() {
            *number = dot(s, &base.axes[axis], &edges[edge]);
            s.store(*number, &mut frames.rows[3 * axis + edge], at);
        }
        let [x, y, z] = *row;
        for (k, row) in s.transpose4([x, y, z, zero]).into_iter().enumerate() {
            s.store_quarters(row, &mut frames.straight[at..], k, axis);
        }
    }
    let slack = joint_rounding(s, &joints, s.load(&block.slack, at), s.load(&block.weight, at), world);
    let slack = s.add(s.add(slack, s.splat(world.shift)), s.splat(f32::MIN_POSITIVE));
    s.store(refuse_large(s, slack, &straight, &[zero; 3]), &mut frames.slack, at);
}

/// Computes the effect of movers on their boxes: three quarters of a record with the rows of `turned` and the shift
/// along each axis, then the slack.
#[inline(always)]
fn place_movers<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    movers: &MoverBlock,
    at: usize,
    matrices: &JointMatrices<'_>,
    world: WorldRounding,
    frames: &Frames,
    motions: &mut [Record],
) {
    let joints = joint_columns(s, &matrices_of(matrices, &movers.joints, at));
    let placed = world_columns(s, matrices, &joints);
    let mut of_boxes = [&frames.base[0]; WIDTH];
    let mut straight = [&frames.straight[0]; WIDTH];
    for k in 0..WIDTH {
        let lane = usize::from(movers.lanes[at + k]);
        (of_boxes[k], straight[k]) = (&frames.base[lane], &frames.straight[lane]);
    }
    let base = gather(s, &of_boxes);
    let zero = s.splat(0.0);
    let edges = [
        transform(s, &placed, &load3(s, &movers.rows, mover_row::AXES, at)),
        transform(s, &placed, &load3(s, &movers.rows, mover_row::AXES + 3, at)),
        transform(s, &placed, &load3(s, &movers.rows, mover_row::AXES + 6, at)),
    ];
    let center = add3(s, &transform(s, &placed, &load3(s, &movers.rows, mover_row::CENTER, at)), &placed[3]);
    let apart = sub3(s, &center, &base.center);
    let (mut turned, mut shifted) = ([[zero; 3]; 3], [zero; 3]);
    for axis in 0..3 {
        let [x, y, z, _] = quarter(s, &straight, axis);
        for (edge, own) in [x, y, z].into_iter().enumerate() {
            turned[axis][edge] = s.sub(dot(s, &base.axes[axis], &edges[edge]), own);
        }
        shifted[axis] = dot(s, &base.axes[axis], &apart);
    }
    let (slack, weight) = (s.load(&movers.rows[mover_row::SLACK], at), s.load(&movers.rows[mover_row::WEIGHT], at));
    let slack = refuse_large(s, joint_rounding(s, &joints, slack, weight, world), &turned, &shifted);
    for axis in 0..3 {
        let [x, y, z] = turned[axis];
        for (k, row) in s.transpose4([x, y, z, shifted[axis]]).into_iter().enumerate() {
            s.store_quarters(row, motions, k, axis);
        }
    }
    for (k, row) in s.transpose4([slack, zero, zero, zero]).into_iter().enumerate() {
        s.store_quarters(row, motions, k, 3);
    }
}

/// Four numbers of each record.
#[inline(always)]
fn quarter<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, records: &[&Record; WIDTH], quarter: usize) -> [S::V; 4] {
    s.transpose4([
        s.load_quarters(records, 0, quarter),
        s.load_quarters(records, 1, quarter),
        s.load_quarters(records, 2, quarter),
        s.load_quarters(records, 3, quarter),
    ])
}

/// The boxes of some lanes of a block.
#[inline(always)]
fn bound<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    table: &EnvelopeTable,
    block: &EnvelopeBlock,
    at: usize,
    frames: &Frames,
    motions: &[Record],
) -> Boxes<S::V> {
    let straight = [load3(s, &frames.rows, 0, at), load3(s, &frames.rows, 3, at), load3(s, &frames.rows, 6, at)];
    let (mut low, mut high) = ([s.splat(f32::INFINITY); 3], [s.splat(f32::NEG_INFINITY); 3]);
    for slot in &table.slots[block.slots.clone()] {
        let (middle, half) = (load3(s, &slot.rows, 0, at), load3(s, &slot.rows, 3, at));
        let (mut linear, mut reach) = (straight, [s.splat(0.0); 3]);
        let mut places = middle;
        for axis in 0..3 {
            places[axis] = dot(s, &straight[axis], &middle);
        }
        for step in &table.steps[slot.steps.clone()] {
            let mut of_lanes = [&motions[0]; WIDTH];
            for (k, record) in of_lanes.iter_mut().enumerate() {
                *record = &motions[usize::from(step.movers[at + k])];
            }
            let (rest, spread) = (load3(s, &step.rows, 0, at), load3(s, &step.rows, 3, at));
            let (weight, off) = (s.load(&step.rows[6], at), s.load(&step.rows[7], at));
            for axis in 0..3 {
                let [x, y, z, shifted] = quarter(s, &of_lanes, axis);
                let turned = [x, y, z];
                let moved = s.add(dot(s, &turned, &middle), shifted);
                places[axis] = s.add(places[axis], s.add(s.mul(weight, moved), dot(s, &turned, &rest)));
                let spread = dot(s, &sizes(s, &turned), &spread);
                reach[axis] = s.add(reach[axis], s.add(s.mul(off, s.abs(moved)), spread));
                for (sum, number) in linear[axis].iter_mut().zip(turned) {
                    *sum = s.add(*sum, s.mul(weight, number));
                }
            }
        }
        for axis in 0..3 {
            let reach = s.add(dot(s, &sizes(s, &linear[axis]), &half), reach[axis]);
            low[axis] = s.min(s.sub(places[axis], reach), low[axis]);
            high[axis] = s.max(s.add(places[axis], reach), high[axis]);
        }
    }

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
    let mut of_lanes = [&frames.base[at]; WIDTH];
    for (k, record) in of_lanes.iter_mut().enumerate() {
        *record = &frames.base[at + k];
    }
    let base = gather(s, &of_lanes);
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

#[inline(always)]
fn sizes<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, row: &Three<S::V>) -> Three<S::V> {
    [s.abs(row[0]), s.abs(row[1]), s.abs(row[2])]
}
