//! Poses boxes by their joints' matrices.

use super::NEAR_TOLERANCE;
use super::enclosing_box::{
    CLEARLY_LESS, LEAST_SINE_SQUARED, LEAST_VOLUME_SQUARED, ORDERS, ORDINARY, REACH_SLACK, SKEW_SQUARED, THICKENING,
    enclosing_box, of_edges,
};
use super::gather::{Boxes, joint_columns, scatter};
use super::joint_matrices::JointMatrices;
use super::layout::{BoundsBlock, LANES, Record, Row, Shape, ShapeBlock, row};
use super::three::{Three, add3, cross, dot, load3, scale, select3, sub3, sum3, transform};
use super::vectors::Vectors;
use geometry_core::MAX_COORDINATE;
use geometry_core::portable::{affine_parts, mat3_mul, mat3_mul_vec3};
use skeleton::JointIndex;

/// A box placed by its joint's matrix. `None` if the box is not finite or out of range.
pub(crate) fn place_box(shape: &Shape, matrices: &JointMatrices<'_>) -> Option<Record> {
    let (linear, translation) = affine_parts(&matrices.world_from_joint(shape.joint));
    let center = mat3_mul_vec3(&linear, shape.center) + translation;
    let (axes, half) = enclosing_box(&mat3_mul(&linear, &shape.axes), shape.half)?;
    Some(Record::new(center, half, [axes.x_axis, axes.y_axis])).filter(Record::is_in_range)
}

/// Places boxes by their joints' matrices. `done[i]` becomes a mask of the lanes of block `i` whose boxes were placed.
#[inline(always)]
pub(super) fn pose<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    shapes: &[ShapeBlock],
    joints: &[JointIndex],
    matrices: &JointMatrices<'_>,
    records: &mut [Record],
    blocks: &mut [BoundsBlock],
    done: &mut [u16],
) {
    for (index, ((shapes, block), done)) in shapes.iter().zip(blocks).zip(done).enumerate() {
        let start = index * LANES;
        let mut left = 0;
        for at in (0..LANES).step_by(WIDTH) {
            let Some(last) = joints.len().checked_sub(start + at + 1) else { break };
            // Lanes after the last box use the joint of the last box.
            let mut of_joints = [&matrices.joints[joints[start + at].index()]; WIDTH];
            for (k, matrix) in of_joints.iter_mut().enumerate() {
                *matrix = &matrices.joints[joints[start + at + k.min(last)].index()];
            }
            let placed = world_columns(s, matrices, &joint_columns(s, &of_joints));
            let (boxes, ok) = pose_boxes(s, &shapes.0, at, &placed);
            store_bounds(s, &boxes, s.load(&shapes.0[row::REACH], at), block, at);
            scatter(s, &boxes, &mut records[start + at..]);
            left |= (s.bits(ok) ^ (u16::MAX >> (LANES - WIDTH))) << at;
        }
        *done = !left;
    }
}

/// Converts the columns of joints' matrices to the columns of their matrices to world space.
#[inline(always)]
fn world_columns<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    matrices: &JointMatrices<'_>,
    joints: &[Three<S::V>; 4],
) -> [Three<S::V>; 4] {
    let mut columns = *joints;
    let Some(world_from_model) = matrices.world_from_model else { return columns };
    let mut world = columns;
    for (index, column) in world.iter_mut().enumerate() {
        let numbers = super::column(world_from_model, index).to_array();
        *column = [s.splat(numbers[0]), s.splat(numbers[1]), s.splat(numbers[2])];
    }
    for column in &mut columns {
        *column = transform(s, &world, column);
    }
    columns[3] = add3(s, &columns[3], &world[3]);
    columns
}

/// The boxes of [`place_box`], by the arithmetic that `enclosing_box` explains, and a mask of the lanes that
/// are right.
#[inline(always)]
fn pose_boxes<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    shapes: &[Row; row::COUNT],
    at: usize,
    placed: &[Three<S::V>; 4],
) -> (Boxes<S::V>, S::M) {
    let center = add3(s, &transform(s, placed, &load3(s, shapes, row::CENTER, at)), &placed[3]);
    let half = load3(s, shapes, row::HALF, at);
    let edges = [
        transform(s, placed, &load3(s, shapes, row::AXIS_X, at)),
        transform(s, placed, &load3(s, shapes, row::AXIS_Y, at)),
        transform(s, placed, &load3(s, shapes, row::AXIS_Z, at)),
    ];
    let [x, y, z] = &edges;

    let squares = [dot(s, x, x), dot(s, y, y), dot(s, z, z)];
    let cosines = [dot(s, x, y), dot(s, x, z), dot(s, y, z)];
    let mut ordinary = s.all();
    for square in squares {
        ordinary = s.le(ordinary, s.splat(*ORDINARY.start()), square);
        ordinary = s.le(ordinary, square, s.splat(*ORDINARY.end()));
    }
    let mut ok = ordinary;
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let cosine = cosines[of_edges(a, b)];
        ok = s.le(ok, s.mul(cosine, cosine), s.mul(s.splat(SKEW_SQUARED), s.mul(squares[a], squares[b])));
    }

    let first = scale(s, x, s.div(s.splat(1.0), s.sqrt(squares[0])));
    let along_y = scale(s, y, s.div(s.splat(1.0), s.sqrt(squares[1])));
    let along = scale(s, &first, dot(s, &first, &along_y));
    let second = sub3(s, &along_y, &along);
    let mut axes = [first, second, cross(s, &first, &second)];
    let mut reach = reaches(s, &axes, &edges, &half);
    if s.bits(ok) != u16::MAX >> (LANES - WIDTH) {
        let sheared = sheared_boxes(s, &edges, &half, &squares, &cosines, ordinary);
        reach = select3(s, ok, &reach, &sheared.reach);
        for (axis, sheared) in axes.iter_mut().zip(&sheared.axes) {
            *axis = select3(s, ok, axis, sheared);
        }
        // `sheared.ok` includes the lanes with perpendicular edges.
        ok = sheared.ok;
    }
    for c in 0..3 {
        ok = s.le(ok, s.abs(center[c]), s.splat(MAX_COORDINATE));
        ok = s.le(ok, reach[c], s.splat(MAX_COORDINATE));
    }
    (Boxes { center, half: reach, axes, size: sum3(s, reach[0], reach[1], reach[2]) }, ok)
}

/// The reach of parallelepipeds along their axes.
#[inline(always)]
fn reaches<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    axes: &[Three<S::V>; 3],
    edges: &[Three<S::V>; 3],
    half: &Three<S::V>,
) -> Three<S::V> {
    let mut reach = *half;
    for (reach, axis) in reach.iter_mut().zip(axes) {
        *reach = sum3(
            s,
            s.mul(s.abs(dot(s, axis, &edges[0])), half[0]),
            s.mul(s.abs(dot(s, axis, &edges[1])), half[1]),
            s.mul(s.abs(dot(s, axis, &edges[2])), half[2]),
        );
    }
    reach
}

/// The result of `enclosing_box::sheared_box` in each lane.
struct Sheared<V, M> {
    axes: [Three<V>; 3],
    reach: Three<V>,
    /// The lanes whose axes and reach are right, including lanes whose edges are perpendicular and ordinary.
    ok: M,
}

/// The boxes of `enclosing_box::sheared_box`, of edges that are `ordinary`.
#[inline(always)]
fn sheared_boxes<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    edges: &[Three<S::V>; 3],
    half: &Three<S::V>,
    squares: &Three<S::V>,
    cosines: &Three<S::V>,
    ordinary: S::M,
) -> Sheared<S::V, S::M> {
    let across = [cross(s, &edges[0], &edges[1]), cross(s, &edges[0], &edges[2]), cross(s, &edges[1], &edges[2])];
    let areas = [dot(s, &across[0], &across[0]), dot(s, &across[1], &across[1]), dot(s, &across[2], &across[2])];
    let mut ok = ordinary;
    for [i, j, _] in [ORDERS[0], ORDERS[1], ORDERS[3]] {
        let least = s.mul(s.splat(LEAST_SINE_SQUARED), s.mul(squares[i], squares[j]));
        ok = s.le(ok, least, areas[of_edges(i, j)]);
    }
    let volume = dot(s, &across[0], &edges[2]);
    let product = s.mul(s.mul(squares[0], squares[1]), squares[2]);
    ok = s.le(ok, s.mul(s.splat(LEAST_VOLUME_SQUARED), product), s.mul(volume, volume));

    let thicker = s.mul(sum3(s, half[0], half[1], half[2]), s.splat(THICKENING));
    let h = [s.add(half[0], thicker), s.add(half[1], thicker), s.add(half[2], thicker)];
    let (mut first, mut second, mut least) = (edges[0], edges[1], s.splat(f32::INFINITY));
    for [i, j, k] in ORDERS {
        let [with_j, with_k] = [cosines[of_edges(i, j)], cosines[of_edges(i, k)]];
        let along = sum3(s, s.mul(squares[i], h[i]), s.mul(s.abs(with_j), h[j]), s.mul(s.abs(with_k), h[k]));
        let skew = s.abs(s.sub(s.mul(cosines[of_edges(j, k)], squares[i]), s.mul(with_k, with_j)));
        let area = areas[of_edges(i, j)];
        let in_plane = s.add(s.mul(area, h[j]), s.mul(skew, h[k]));
        let size = s.mul(s.mul(s.div(along, squares[i]), s.div(h[k], area)), in_plane);
        let keep = s.le(s.all(), least, s.mul(size, s.splat(CLEARLY_LESS)));
        least = s.select(keep, least, size);
        first = select3(s, keep, &first, &edges[i]);
        second = select3(s, keep, &second, &edges[j]);
    }

    let one = s.splat(1.0);
    let axis_x = scale(s, &first, s.div(one, s.sqrt(dot(s, &first, &first))));
    let toward_y = scale(s, &second, s.div(one, s.sqrt(dot(s, &second, &second))));
    let toward_y = sub3(s, &toward_y, &scale(s, &axis_x, dot(s, &axis_x, &toward_y)));
    let toward_y = scale(s, &toward_y, s.div(one, s.sqrt(dot(s, &toward_y, &toward_y))));
    let axis_y = sub3(s, &toward_y, &scale(s, &axis_x, dot(s, &axis_x, &toward_y)));
    let axes = [axis_x, axis_y, cross(s, &axis_x, &axis_y)];
    let lengths = [s.sqrt(squares[0]), s.sqrt(squares[1]), s.sqrt(squares[2])];
    let slack = sum3(s, s.mul(lengths[0], half[0]), s.mul(lengths[1], half[1]), s.mul(lengths[2], half[2]));
    let slack = s.mul(slack, s.splat(REACH_SLACK));
    let reach = reaches(s, &axes, edges, half);
    Sheared { axes, reach: [s.add(reach[0], slack), s.add(reach[1], slack), s.add(reach[2], slack)], ok }
}

/// Stores the bounds of [`Record::bounds`], or empty bounds if `more_slack` is minus infinity instead of 0.
#[inline(always)]
pub(super) fn store_bounds<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    boxes: &Boxes<S::V>,
    more_slack: S::V,
    block: &mut BoundsBlock,
    at: usize,
) {
    let slack = s.add(s.mul(boxes.size, s.splat(NEAR_TOLERANCE)), s.splat(f32::MIN_POSITIVE));
    let slack = s.add(slack, more_slack);
    for c in 0..3 {
        let reach = sum3(
            s,
            s.mul(s.abs(boxes.axes[0][c]), boxes.half[0]),
            s.mul(s.abs(boxes.axes[1][c]), boxes.half[1]),
            s.mul(s.abs(boxes.axes[2][c]), boxes.half[2]),
        );
        let reach = s.add(reach, slack);
        s.store(s.sub(boxes.center[c], reach), &mut block.min[c], at);
        s.store(s.add(boxes.center[c], reach), &mut block.max[c], at);
    }
}
