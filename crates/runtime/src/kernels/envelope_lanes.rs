//! The boxes of envelopes in one pose: the scalar twin of `vector_envelope`, over the lanes of `envelope_table`.
//! `docs/any-pose.md` has the formulas and the proof.

use super::envelope_table::{EnvelopeTable, MoverBlock, QUADS, mover_row};
use super::joint_matrices::JointMatrices;
use super::layout::{LANES, Record, Row};
use geometry_core::portable::{affine_parts, mat3_mul, mat3_mul_vec3};
use glam::{Mat3, Vec3};
use skeleton::JointIndex;

/// The bound of the rounding error, as a share of the numbers that a result was computed from; the bake uses the same
/// bound.
pub(crate) const ROUNDING: f32 = 1.0 / 262_144.0;
/// The amount by which half extents are enlarged, as a share of the box's size and of its distance from the baked box.
/// The axes are unit and perpendicular up to less than this share.
pub(crate) const AXES_SLACK: f32 = 1.0 / 1_048_576.0;
/// The limit of the sum of the absolute values in the image of the box's axes. Matrices with a larger sum give an
/// error; below the limit, sums of products stay finite.
pub(crate) const LARGEST_SUM: f32 = 1e18;

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
        for quad in (0..QUADS).filter(|&quad| usize::from(slot.boxes[quad]) == lane) {
            let three = |rows: &[Row], first: usize, cluster: usize| {
                Vec3::from_array([0, 1, 2].map(|row| rows[first + row][4 * quad + cluster]))
            };
            let (mut linear, mut reach) = ([straight; 4], [[0.0; 3]; 4]);
            let middles: [Vec3; 4] = std::array::from_fn(|cluster| three(&slot.rows, 0, cluster));
            let mut places = middles.map(|middle| straight.map(|row| dot(row, middle)));
            for step in &table.steps[slot.steps.clone()] {
                let Some(number) = usize::from(step.movers[quad]).checked_sub(1) else { continue };
                let (turned, shifted) = motion(&table.movers[block.movers.start + number / LANES], number % LANES)?;
                for cluster in 0..4 {
                    let (rest, spread) = (three(&step.rows, 0, cluster), three(&step.rows, 3, cluster));
                    let (weight, off) = (step.rows[6][4 * quad + cluster], step.rows[7][4 * quad + cluster]);
                    for axis in 0..3 {
                        let moved = dot(turned[axis], middles[cluster]) + shifted[axis];
                        places[cluster][axis] += weight * moved + dot(turned[axis], rest);
                        reach[cluster][axis] += off * moved.abs() + dot(turned[axis].abs(), spread);
                        linear[cluster][axis] += weight * turned[axis];
                    }
                }
            }
            for cluster in 0..4 {
                for axis in 0..3 {
                    let half = three(&slot.rows, 3, cluster);
                    let reach = dot(linear[cluster][axis].abs(), half) + reach[cluster][axis];
                    low[axis] = smaller(places[cluster][axis] - reach, low[axis]);
                    high[axis] = larger(places[cluster][axis] + reach, high[axis]);
                }
            }
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
    Some(Record::new(center + moved, half, base.two_axes())).filter(Record::is_in_range)
}
