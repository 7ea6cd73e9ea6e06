//! Envelopes in lanes, and the boxes computed from them: the scalar twin of `vector_envelope`.
//!
//! Each lane is one box with an envelope. The box's clusters are in *slots*, one after another. A slot has *steps*: in
//! each step, every lane adds the effect of one mover on its cluster. The effect of a mover on a box is computed once
//! for all of the box's clusters. `docs/exact.md` has the formulas and the proof.

use super::joint_matrices::JointMatrices;
use super::layout::{LANES, Record, Row, Shape};
use baked_format::{Cluster, Envelope, Motion, Mover};
use geometry_core::portable::{affine_parts, mat3_mul, mat3_mul_vec3};
use glam::{Mat3, Vec3};
use skeleton::JointIndex;
use std::ops::Range;

/// The bound of the rounding error, as a share of the numbers that a result was computed from; the bake uses the same
/// bound.
pub(crate) const ROUNDING: f32 = 1.0 / 262_144.0;
/// The amount by which half extents are enlarged, as a share of the box's size and of its distance from the baked box.
/// The axes are unit and perpendicular up to less than this share.
pub(crate) const AXES_SLACK: f32 = 1.0 / 1_048_576.0;
/// The limit of the sum of the absolute values in the image of the box's axes. Matrices with a larger sum give an
/// error; below the limit, sums of products stay finite.
pub(crate) const LARGEST_SUM: f32 = 1e18;

/// The rows of a [`MoverBlock`].
pub(crate) mod mover_row {
    /// The map's columns.
    pub(crate) const AXES: usize = 0;
    /// The box's center.
    pub(crate) const CENTER: usize = 9;
    pub(crate) const SLACK: usize = 12;
    /// The greatest weight that the mover has anywhere in the box, times [`super::roundings`].
    pub(crate) const WEIGHT: usize = 13;
    pub(crate) const COUNT: usize = 14;
}

/// Sixteen boxes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EnvelopeBlock {
    /// The number of lanes that have a box. The other lanes repeat the first box.
    pub(crate) count: usize,
    /// The box index of each lane.
    pub(crate) boxes: [u16; LANES],
    pub(crate) joints: [JointIndex; LANES],
    /// The box's axes in joint space, x, y and z of each.
    pub(crate) axes: [Row; 9],
    pub(crate) slack: Row,
    /// The factor of the own joint's translation in the bound of the rounding error.
    pub(crate) weight: Row,
    /// The block's movers, numbered from 1 in the steps.
    pub(crate) movers: Range<usize>,
    pub(crate) slots: Range<usize>,
}

/// Sixteen movers of the boxes of one block, by box.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MoverBlock {
    /// The number of lanes that have a mover. The other lanes repeat the first mover.
    pub(crate) count: usize,
    /// The lane of each mover's box in the block of boxes.
    pub(crate) lanes: [u8; LANES],
    pub(crate) joints: [JointIndex; LANES],
    pub(crate) rows: [Row; mover_row::COUNT],
}

/// One cluster of each box: rows of the center and half the size of the bounds of places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slot {
    pub(crate) rows: [Row; 6],
    pub(crate) steps: Range<usize>,
}

/// One mover for each box. Rows: the middle of the bounds of `e`, the reach along the image of each axis, the middle
/// weight, and the largest difference of a weight from the middle weight.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) rows: [Row; 8],
    /// The number of the mover in the block, from 1; 0 if there is no mover.
    pub(crate) movers: [u16; LANES],
}

/// The envelopes of one character.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EnvelopeTable {
    pub(crate) blocks: Vec<EnvelopeBlock>,
    pub(crate) movers: Vec<MoverBlock>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) steps: Vec<Step>,
    /// The block and the lane of each box of the character, by box index; `None` for a box that keeps its shape.
    pub(crate) places: Vec<Option<(u16, u8)>>,
    /// The most movers, in whole blocks of sixteen, that the boxes of one block have.
    pub(crate) most_movers: usize,
}

impl EnvelopeTable {
    /// The envelopes of these boxes; `None` if none of the boxes changes its shape.
    pub(crate) fn new(shapes: &[Shape], envelopes: &[Envelope]) -> Option<Self> {
        let mut order: Vec<usize> = (0..shapes.len().min(envelopes.len())).collect();
        order.retain(|&index| !envelopes[index].clusters.is_empty());
        // Boxes are sorted by their number of clusters, so that the boxes of a block have similar numbers and the block
        // that is not full has the fewest.
        order.sort_by_key(|&index| std::cmp::Reverse(envelopes[index].clusters.len()));
        let mut table = Self {
            blocks: Vec::new(),
            movers: Vec::new(),
            slots: Vec::new(),
            steps: Vec::new(),
            places: vec![None; shapes.len()],
            most_movers: 0,
        };
        for of_block in order.chunks(LANES) {
            table.add_block(shapes, envelopes, of_block);
        }
        (!table.blocks.is_empty()).then_some(table)
    }

    fn add_block(&mut self, shapes: &[Shape], envelopes: &[Envelope], of_block: &[usize]) {
        let in_lane = |lane: usize| of_block[if lane < of_block.len() { lane } else { 0 }];
        let boxes: [usize; LANES] = std::array::from_fn(in_lane);
        for (lane, &index) in of_block.iter().enumerate() {
            self.places[index] = Some((self.blocks.len() as u16, lane as u8));
        }
        let first_mover = self.movers.len();
        let first_numbers = self.add_movers(envelopes, of_block);
        let sorted = |index: usize| {
            let mut clusters: Vec<&Cluster> = envelopes[index].clusters.iter().collect();
            clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.motions.len()));
            clusters
        };
        let clusters: [Vec<&Cluster>; LANES] = std::array::from_fn(|lane| sorted(boxes[lane]));
        let most = clusters.iter().map(Vec::len).max().unwrap_or(0);
        let first_slot = self.slots.len();
        for slot in 0..most {
            // A box with fewer clusters repeats its last one.
            let of_lane = |lane: usize| {
                let cluster = clusters[lane][slot.min(clusters[lane].len() - 1)];
                (&envelopes[boxes[lane]], cluster)
            };
            let of_slot: [(&Envelope, &Cluster); LANES] = std::array::from_fn(of_lane);
            let first_numbers = std::array::from_fn(|lane| first_numbers[if lane < of_block.len() { lane } else { 0 }]);
            self.add_slot(of_slot, first_numbers);
        }
        let axes = std::array::from_fn(|row| boxes.map(|index| shapes[index].axes.to_cols_array()[row]));
        self.blocks.push(EnvelopeBlock {
            count: of_block.len(),
            boxes: boxes.map(|index| index as u16),
            joints: boxes.map(|index| shapes[index].joint),
            axes,
            slack: boxes.map(|index| envelopes[index].slack),
            weight: boxes.map(|index| own_weight(&envelopes[index])),
            movers: first_mover..self.movers.len(),
            slots: first_slot..self.slots.len(),
        });
    }

    /// Adds the movers of the boxes of a block. Returns the number of each box's first mover.
    fn add_movers(&mut self, envelopes: &[Envelope], of_block: &[usize]) -> [u16; LANES] {
        let mut first_numbers = [0; LANES];
        let mut all: Vec<(usize, &Mover, f32)> = Vec::new();
        for (lane, &index) in of_block.iter().enumerate() {
            first_numbers[lane] = all.len() as u16 + 1;
            for (number, mover) in envelopes[index].movers.iter().enumerate() {
                let weight = roundings(&envelopes[index]) * greatest_weight(&envelopes[index], number);
                all.push((lane, mover, weight));
            }
        }
        for sixteen in all.chunks(LANES) {
            let of_lane: [&(usize, &Mover, f32); LANES] =
                std::array::from_fn(|lane| &sixteen[if lane < sixteen.len() { lane } else { 0 }]);
            let numbers: [[f32; mover_row::COUNT]; LANES] =
                of_lane.map(|(_, mover, weight)| mover_numbers(mover, *weight));
            self.movers.push(MoverBlock {
                count: sixteen.len(),
                lanes: of_lane.map(|(lane, ..)| *lane as u8),
                joints: of_lane.map(|(_, mover, _)| mover.joint),
                rows: std::array::from_fn(|row| numbers.map(|numbers| numbers[row])),
            });
        }
        self.most_movers = self.most_movers.max(all.len().next_multiple_of(LANES));
        first_numbers
    }

    fn add_slot(&mut self, clusters: [(&Envelope, &Cluster); LANES], first_numbers: [u16; LANES]) {
        let first_step = self.steps.len();
        let most = clusters.iter().map(|(_, cluster)| cluster.motions.len()).max().unwrap_or(0);
        for step in 0..most {
            let motion = |lane: usize| clusters[lane].1.motions.get(step);
            let numbers: [[f32; 8]; LANES] = std::array::from_fn(|lane| {
                let (envelope, cluster) = clusters[lane];
                motion(lane).map_or([0.0; 8], |motion| motion_numbers(envelope, motion, cluster))
            });
            let mover = |lane: usize| motion(lane).map_or(0, |motion| first_numbers[lane] + motion.mover);
            let rows = std::array::from_fn(|row| numbers.map(|numbers| numbers[row]));
            self.steps.push(Step { rows, movers: std::array::from_fn(mover) });
        }
        let numbers = clusters.map(|(envelope, cluster)| center_and_half(envelope.places(cluster)));
        let rows = std::array::from_fn(|row| numbers.map(|numbers| numbers[row]));
        self.slots.push(Slot { rows, steps: first_step..self.steps.len() });
    }

    /// Returns `true` if a joint moves the surface of a box and is not the box's own joint.
    pub(crate) fn is_moved_by(&self, index: usize, joint: JointIndex) -> bool {
        let Some((block, lane)) = self.places.get(index).copied().flatten() else { return false };
        let block = &self.blocks[usize::from(block)];
        self.movers[block.movers.clone()]
            .iter()
            .any(|movers| (0..movers.count).any(|at| movers.lanes[at] == lane && movers.joints[at] == joint))
    }

    /// The joints that move the surface of a box, without the box's own joint.
    pub(crate) fn movers_of(&self, index: usize) -> impl Iterator<Item = JointIndex> + '_ {
        let place = self.places.get(index).copied().flatten();
        let of_block = |(block, lane): (u16, u8)| {
            self.movers[self.blocks[usize::from(block)].movers.clone()].iter().flat_map(move |movers| {
                (0..movers.count).filter(move |&at| movers.lanes[at] == lane).map(|at| movers.joints[at])
            })
        };
        place.into_iter().flat_map(of_block)
    }
}

fn mover_numbers(mover: &Mover, weight: f32) -> [f32; mover_row::COUNT] {
    let mut numbers = [0.0; mover_row::COUNT];
    numbers[mover_row::AXES..][..9].copy_from_slice(&mover.mover_from_box().to_cols_array());
    numbers[mover_row::CENTER..][..3].copy_from_slice(&mover.center.to_array());
    numbers[mover_row::SLACK] = mover.slack;
    numbers[mover_row::WEIGHT] = weight;
    numbers
}

fn motion_numbers(envelope: &Envelope, motion: &Motion, cluster: &Cluster) -> [f32; 8] {
    let [x, y, z, rest @ ..] = center_and_half(envelope.rest(motion));
    let [_, _, _, half @ ..] = center_and_half(envelope.places(cluster));
    let [low, high] = motion.weights();
    let (weight, spread) = middle_and_reach(low, high);
    let reach = |axis: usize| rounded_up(f64::from(rest[axis]) + f64::from(spread) * f64::from(half[axis]));
    [x, y, z, reach(0), reach(1), reach(2), weight, spread]
}

/// The center of bounds and a half size that reaches both ends.
fn center_and_half([low, high]: [Vec3; 2]) -> [f32; 6] {
    let [(x, a), (y, b), (z, c)] = [0, 1, 2].map(|axis| middle_and_reach(low[axis], high[axis]));
    [x, y, z, a, b, c]
}

/// The middle of two numbers, and an upper bound of the distance to the farther one.
fn middle_and_reach(low: f32, high: f32) -> (f32, f32) {
    let middle = 0.5 * low + 0.5 * high;
    let (low, high, exact) = (f64::from(low), f64::from(high), f64::from(middle));
    (middle, rounded_up((high - exact).max(exact - low).max(0.0)))
}

/// The least `f32` that is at least `exact`.
fn rounded_up(exact: f64) -> f32 {
    let near = exact as f32;
    if f64::from(near) < exact { near.next_up() } else { near }
}

/// The greatest weight that a mover has anywhere in the box.
fn greatest_weight(envelope: &Envelope, mover: usize) -> f32 {
    let motions = envelope.clusters.iter().flat_map(|cluster| &cluster.motions);
    motions.filter(|motion| usize::from(motion.mover) == mover).map(|motion| motion.weights()[1]).fold(0.0, f32::max)
}

/// The factor of the own joint's translation in the bound of the rounding error: the translation is used when a corner
/// is skinned, in the box's center, and in the place that each mover is compared with.
fn own_weight(envelope: &Envelope) -> f32 {
    let weights = (0..envelope.movers.len()).fold(2.0, |sum, mover| sum + greatest_weight(envelope, mover));
    roundings(envelope) * weights
}

/// A factor for the rounding error of sums, as a multiple of [`ROUNDING`]. It grows with the number of summands in the
/// cluster with the most movers. The bake uses the same factor.
fn roundings(envelope: &Envelope) -> f32 {
    let most = envelope.clusters.iter().map(|cluster| cluster.motions.len()).max().unwrap_or(0);
    1.0 + most as f32 / 32.0
}

/// An upper bound of the factor by which a matrix lengthens a vector, and therefore a rounding error.
pub(crate) fn norm(linear: &Mat3) -> f32 {
    3.0 * linear.to_cols_array().into_iter().fold(0.0, |most: f32, number| larger(number.abs(), most))
}

/// The larger number, or the second if one is NaN, as in the vector kernels.
#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline]
fn dot(a: Vec3, b: Vec3) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

/// The effect of the matrix that is applied last, `world_from_model`, on rounding errors.
#[derive(Clone, Copy)]
pub(crate) struct WorldRounding {
    pub(crate) norm: f32,
    /// The rounding error of the matrix's translation.
    pub(crate) shift: f32,
}

impl WorldRounding {
    pub(crate) fn new(matrices: &JointMatrices<'_>) -> Self {
        let Some(world_from_model) = matrices.world_from_model else { return Self { norm: 1.0, shift: 0.0 } };
        let (linear, translation) = affine_parts(world_from_model);
        let shift = (translation.x.abs() + translation.y.abs() + translation.z.abs()) * (4.0 * ROUNDING);
        Self { norm: norm(&linear), shift }
    }

    /// The rounding error of a joint's matrix, for points with this slack and this weight.
    fn of_joint(&self, matrices: &JointMatrices<'_>, joint: JointIndex, slack: f32, weight: f32) -> f32 {
        let (linear, translation) = affine_parts(&matrices.joints[joint.index()]);
        let shift = translation.x.abs() + translation.y.abs() + translation.z.abs();
        (norm(&linear) * slack + shift * (weight * ROUNDING)) * self.norm
    }
}

/// The image of the box's axes along the posed box's axes, by rows.
type Rows = [Vec3; 3];

/// The sum of the absolute values of all numbers, to compare with [`LARGEST_SUM`].
fn sum_of_sizes(rows: &Rows, shifted: Vec3) -> f32 {
    let row = |row: Vec3, shift: f32| ((row.x.abs() + row.y.abs()) + row.z.abs()) + shift.abs();
    (row(rows[0], shifted.x) + row(rows[1], shifted.y)) + row(rows[2], shifted.z)
}

/// The box of one envelope in a pose. `base` is the baked box in that pose; the result has its axes. `None` if the box
/// is not finite or out of range.
pub(crate) fn envelope_box(
    table: &EnvelopeTable,
    (block, lane): (u16, u8),
    matrices: &JointMatrices<'_>,
    base: &Record,
) -> Option<Record> {
    let (block, lane) = (&table.blocks[usize::from(block)], usize::from(lane));
    let world = WorldRounding::new(matrices);
    let (center, axes) = (base.center(), base.axes());
    let columns = [axes.x_axis, axes.y_axis, axes.z_axis];
    let (linear, _) = affine_parts(&matrices.world_from_joint(block.joints[lane]));
    let box_axes = Mat3::from_cols_array(&std::array::from_fn(|row| block.axes[row][lane]));
    let edges = mat3_mul(&linear, &box_axes);
    let along =
        |edges: &Mat3, axis: Vec3| Vec3::new(dot(axis, edges.x_axis), dot(axis, edges.y_axis), dot(axis, edges.z_axis));
    let straight: Rows = columns.map(|axis| along(&edges, axis));
    let mut slack = world.of_joint(matrices, block.joints[lane], block.slack[lane], block.weight[lane]);
    slack = (slack + world.shift) + f32::MIN_POSITIVE;
    let fits = sum_of_sizes(&straight, Vec3::ZERO) <= LARGEST_SUM;
    if !fits {
        return None;
    }

    let motion = |movers: &MoverBlock, at: usize| -> Option<(Rows, Vec3)> {
        let three =
            |first: usize| Vec3::new(movers.rows[first][at], movers.rows[first + 1][at], movers.rows[first + 2][at]);
        let (linear, translation) = affine_parts(&matrices.world_from_joint(movers.joints[at]));
        let map = Mat3::from_cols(three(mover_row::AXES), three(mover_row::AXES + 3), three(mover_row::AXES + 6));
        let edges = mat3_mul(&linear, &map);
        let apart = (mat3_mul_vec3(&linear, three(mover_row::CENTER)) + translation) - center;
        let turned: Rows = std::array::from_fn(|axis| along(&edges, columns[axis]) - straight[axis]);
        let shifted = Vec3::new(dot(columns[0], apart), dot(columns[1], apart), dot(columns[2], apart));
        (sum_of_sizes(&turned, shifted) <= LARGEST_SUM).then_some((turned, shifted))
    };
    for movers in &table.movers[block.movers.clone()] {
        for at in (0..movers.count).filter(|&at| usize::from(movers.lanes[at]) == lane) {
            motion(movers, at)?;
            let (own, weight) = (movers.rows[mover_row::SLACK][at], movers.rows[mover_row::WEIGHT][at]);
            slack += world.of_joint(matrices, movers.joints[at], own, weight);
        }
    }

    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for slot in &table.slots[block.slots.clone()] {
        let three =
            |rows: &[Row], first: usize| Vec3::new(rows[first][lane], rows[first + 1][lane], rows[first + 2][lane]);
        let (middle, half) = (three(&slot.rows, 0), three(&slot.rows, 3));
        let (mut linear, mut reach) = (straight, [0.0; 3]);
        let mut at: [f32; 3] = std::array::from_fn(|axis| dot(straight[axis], middle));
        for step in &table.steps[slot.steps.clone()] {
            let number = usize::from(step.movers[lane]);
            let (turned, shifted) = match number.checked_sub(1) {
                Some(number) => motion(&table.movers[block.movers.start + number / LANES], number % LANES)?,
                None => ([Vec3::ZERO; 3], Vec3::ZERO),
            };
            let (rest, spread) = (three(&step.rows, 0), three(&step.rows, 3));
            let (weight, off) = (step.rows[6][lane], step.rows[7][lane]);
            for axis in 0..3 {
                let moved = dot(turned[axis], middle) + shifted[axis];
                at[axis] += weight * moved + dot(turned[axis], rest);
                reach[axis] += off * moved.abs() + dot(turned[axis].abs(), spread);
                linear[axis] += weight * turned[axis];
            }
        }
        for axis in 0..3 {
            let reach = dot(linear[axis].abs(), half) + reach[axis];
            low[axis] = smaller(at[axis] - reach, low[axis]);
            high[axis] = larger(at[axis] + reach, high[axis]);
        }
    }

    // Adding 0 removes the sign of a zero, in which kernels differ.
    let middle: [f32; 3] = std::array::from_fn(|axis| 0.5 * ((low[axis] + 0.0) + (high[axis] + 0.0)));
    let half: [f32; 3] = std::array::from_fn(|axis| 0.5 * ((high[axis] + 0.0) - (low[axis] + 0.0)));
    let sizes = (middle[0].abs() + middle[1].abs()) + middle[2].abs();
    let sizes = sizes + ((half[0] + half[1]) + half[2]);
    let slack = slack + sizes * AXES_SLACK;
    let half = Vec3::new(half[0] + slack, half[1] + slack, half[2] + slack);
    let moved = columns[0] * middle[0] + columns[1] * middle[1] + columns[2] * middle[2];
    Some(Record::new(center + moved, half, &axes)).filter(Record::is_in_range)
}
