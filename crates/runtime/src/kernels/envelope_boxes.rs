//! The boxes of envelopes in one pose: one box after the other, over the lanes of `envelope_table`.
//! `docs/any-pose.md` has the formulas and the proof.

use super::envelope_table::{EnvelopeTable, MoverRow, Step, mover_row};
use super::joint_matrices::JointMatrices;
use super::layout::{BoundsBlock, LANES, Record, Row, dot};
use geometry_core::portable::{affine_parts, mat3_mul, mat3_mul_vec3};
use glam::{Mat3, Vec3};
use skeleton::JointIndex;

/// The bound of the rounding error, as a share of the numbers that a result was computed from; the bake uses the same
/// bound.
pub(crate) const ROUNDING: f32 = 1.0 / 262_144.0;
/// The amount by which half extents are enlarged, as a share of the box's size and of its distance from the baked box.
/// The axes are unit and perpendicular up to less than this share.
pub(crate) const AXES_SLACK: f32 = 1.0 / 1_048_576.0;
/// The limit of the sum of the absolute values in the image of the box's axes, of a bound of the same numbers for each
/// mover, and of the sum of the absolute values of a mover's shift. Matrices with larger numbers give an error; below the
/// limit, sums of products stay finite.
pub(crate) const LARGEST_SUM: f32 = 1e18;

/// An upper bound of the factor by which a matrix lengthens a vector, and therefore a rounding error.
pub(crate) fn norm(linear: &Mat3) -> f32 {
    3.0 * linear.to_cols_array().into_iter().fold(0.0, |most: f32, number| larger(number.abs(), most))
}

/// The larger number, or the second if one is NaN, as in the kernels.
#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
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

/// The number of a box's movers whose motions are kept. The motions of others are computed for each pair of clusters.
const KEPT_MOTIONS: usize = 16;

/// The image of the box's axes along the posed box's axes, by rows.
type Rows = [Vec3; 3];

fn sum_of_sizes(numbers: Vec3) -> f32 {
    (numbers.x.abs() + numbers.y.abs()) + numbers.z.abs()
}

/// [`super::envelopes()`], one box after the other.
pub(super) fn envelope_boxes(
    table: &EnvelopeTable,
    matrices: &JointMatrices<'_>,
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
    let along = match matrices.world_from_model {
        Some(world_from_model) => {
            let (world, _) = affine_parts(world_from_model);
            columns.map(|axis| Vec3::new(dot(axis, world.x_axis), dot(axis, world.y_axis), dot(axis, world.z_axis)))
        }
        None => columns,
    };
    let (linear, translation) = affine_parts(&matrices.joints[block.joints[lane].index()]);
    let box_axes = Mat3::from_cols_array(&std::array::from_fn(|row| block.axes[row][lane]));
    let own_center = Vec3::from_array(std::array::from_fn(|row| block.center[row][lane]));
    let own_center = mat3_mul_vec3(&linear, own_center) + translation;
    let edges = mat3_mul(&linear, &box_axes);
    let rows = |edges: &Mat3| {
        along.map(|axis| Vec3::new(dot(axis, edges.x_axis), dot(axis, edges.y_axis), dot(axis, edges.z_axis)))
    };
    let straight: Rows = rows(&edges);
    let mut slack = world.of_joint(matrices, block.joints[lane], block.slack[lane], block.weight[lane]);
    slack = (slack + world.shift) + f32::MIN_POSITIVE;
    let size = ((0.0 + sum_of_sizes(straight[0])) + sum_of_sizes(straight[1])) + sum_of_sizes(straight[2]);
    let fits = size <= LARGEST_SUM;
    if !fits {
        return None;
    }

    let movers = &table.movers[block.movers.clone()];
    let motion = |row: &MoverRow| -> Option<(Rows, Vec3)> {
        let three = |first: usize| Vec3::from_array([0, 1, 2].map(|c| row.rows[first + c][lane]));
        let (linear, translation) = affine_parts(&matrices.joints[row.joints[lane].index()]);
        let map = Mat3::from_cols(three(mover_row::AXES), three(mover_row::AXES + 3), three(mover_row::AXES + 6));
        let apart = (mat3_mul_vec3(&linear, three(mover_row::CENTER)) + translation) - own_center;
        let [x, y, z] = rows(&mat3_mul(&linear, &map));
        let turned = [x - straight[0], y - straight[1], z - straight[2]];
        let shifted = Vec3::from_array(along.map(|axis| dot(axis, apart)));
        let size = (norm(&linear) * row.rows[mover_row::SCALE][lane]) * world.norm;
        (size <= LARGEST_SUM && sum_of_sizes(shifted) <= LARGEST_SUM).then_some((turned, shifted))
    };
    let mut first_motions = [([Vec3::ZERO; 3], Vec3::ZERO); KEPT_MOTIONS];
    for (number, row) in movers.iter().take_while(|row| lane < row.count).enumerate() {
        let motion = motion(row)?;
        if let Some(kept) = first_motions.get_mut(number) {
            *kept = motion;
        }
        let (own, weight) = (row.rows[mover_row::SLACK][lane], row.rows[mover_row::WEIGHT][lane]);
        slack += world.of_joint(matrices, row.joints[lane], own, weight);
    }

    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for slot in &table.slots[block.slots.clone()] {
        for pair in (0..slot.pairs).filter(|&pair| usize::from(slot.boxes[pair]) == lane) {
            let three = |rows: &[Row], first: usize, cluster: usize| {
                Vec3::from_array([0, 1, 2].map(|row| rows[first + row][2 * pair + cluster]))
            };
            let (mut linear, mut reach) = ([straight; 2], [[0.0; 3]; 2]);
            let middles: [Vec3; 2] = std::array::from_fn(|cluster| three(&slot.rows, 0, cluster));
            let mut places = middles.map(|middle| straight.map(|row| dot(row, middle)));
            for (Step(rows), movers_of) in table.steps_from(slot, pair) {
                let Some(first) = usize::from(movers_of[pair]).checked_sub(lane) else { continue };
                let Some(number) = movers.iter().position(|row| row.first == first) else { continue };
                let (turned, shifted) = match first_motions.get(number) {
                    Some(&kept) => kept,
                    None => motion(&movers[number])?,
                };
                for cluster in 0..2 {
                    let (point, spread) = (three(rows, 0, cluster), three(rows, 3, cluster));
                    let (weight, off) = (rows[6][2 * pair + cluster], rows[7][2 * pair + cluster]);
                    for axis in 0..3 {
                        let moved = dot(turned[axis], point) + shifted[axis];
                        places[cluster][axis] += weight * moved;
                        reach[cluster][axis] += off * moved.abs() + dot(turned[axis].abs(), spread);
                        linear[cluster][axis] += weight * turned[axis];
                    }
                }
            }
            for cluster in 0..2 {
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
