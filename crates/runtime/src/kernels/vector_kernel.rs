//! Tests boxes and poses boxes with vectors. The code is written once for all instruction sets: a change here changes SSE2, AVX2,
//! AVX-512 and NEON. Each instruction set implements the operations of [`super::vectors`], and the constants of `Vectors`, such as
//! `FEW`, hold the differences between instruction sets.
//!
//! # What the box test must answer
//!
//! The box test answers yes or no for each pair, as `geometry_core::Obb::overlaps` does. Nothing else uses the numbers of the
//! test, so a kernel may compute the 15 gaps in any order. The order of the sums and products within a gap is not free: the
//! error bounds below depend on it.
//!
//! In the following rules, the tolerance is `SEPARATION_TOLERANCE` times the sum of all half extents, plus `f32::MIN_POSITIVE`
//! for boxes so small that products underflow. A kernel puts each pair into one of three groups:
//!
//! - *Apart*: only if some gap is above the tolerance.
//! - *Overlap*: only if all 15 gaps are below minus two tolerances. For this answer, a kernel must compute all 15 gaps.
//! - *Unsure*: always allowed. `settle` then asks `Obb::overlaps`.
//!
//! The function `overlap` below returns two masks. The first mask has the lanes that are not apart, and the second mask has those
//! of these lanes that are unsure. If `Obb::overlaps` says that an unsure pair is apart, `settle` clears the pair's bit in the
//! first mask.
//!
//! The answers are the same with and without fused multiply-add, because `settle` decides all unsure pairs in the same way.
//!
//! The tolerance is the same for all axes, so the largest gap decides. One maximum is cheaper than fifteen comparisons. An early
//! stop, after only some of the axes, was tried. With eight pairs at a time, the early stop gained nothing, because in nearly
//! every vector at least one pair needs all axes.
//!
//! # Error bounds
//!
//! If you change how a gap is computed, derive the following bounds anew. Tests on random boxes do not prove the bounds.
//!
//! The words are those of `geometry-core/src/sat_obb_obb.rs`, which derives the bounds for `geometry_core::first_stage`:
//!
//! - The *radius* of a box along an axis is the half length of the box along this axis.
//! - The *gap* of two boxes A and B along an axis is the distance of their centers along the axis minus their two radii.
//! - `S` is the sum of all six half extents, `u` is 2⁻²⁴, and `T` is the vector between the centers.
//! - `δ` (1e-6) is the largest deviation of the dot products of stored axes from those of orthonormal axes.
//! - `R = AᵀB` has the columns `Rⱼ`.
//!
//! The kernels differ from `first_stage` in four ways:
//!
//! - A record stores no axis z. The kernel computes axis z of A as a cross product, with fused
//!   multiply-add if the instruction set has it. `Record::posed_obb`, which makes the box for `Obb::overlaps`, computes this
//!   axis without fused multiply-add. The two results differ by at most `7u`.
//! - The kernel uses `R₀ × R₁` as `R₂`. `first_stage` uses `Aᵀ` times axis z of B.
//! - The kernel uses `Rⱼ·AᵀT` as the distance of the centers along axis j of B. `first_stage` uses `Bⱼ·T`.
//! - The kernel adds or subtracts products one after another, with fused multiply-add, which does not round the product. A gap
//!   has at most four radii, so this order adds a rounding error of at most `8u S`, as long as `|T|` is at most `2S`. If `|T|`
//!   is greater, a face of A shows a gap, and the boxes are apart anyway.
//!
//! **Exact arithmetic.** Even without rounding, the stored axes give these differences:
//!
//! - `AᵀA` differs from the identity by at most `3δ` in the spectral norm. So A and B differ from orthonormal matrices by `1.5δ`,
//!   `R` by `3.1δ`, `det A` from 1 by `1.5δ`, and a cross product of two of A's axes from the third one by `4.5δ`.
//! - `R₀ × R₁` differs from `Aᵀ` times axis z of B by at most `3 · 3.1δ < 10δ`. This difference adds `10δ S` to the error `δ S`
//!   of A's faces.
//! - `R₀ × R₁` is the exact radius of B's axis z along the edges' axes of `R₀` and `R₁`, where `first_stage` is off by up to
//!   `15δ`. `R₂ × R₀` and `R₁ × R₂` are within `9δ` of `R₁` and `R₀`. So the error of the radii along edges is still at most
//!   `15δ S`.
//! - `Rⱼ·AᵀT` is `Bⱼ·(AAᵀ)T`, which is off by `3δ|T|`.
//! - `(R₀ × R₁)·AᵀT` is `det A` times `T` along `B₀ × B₁`, the exact normal of B's face, and is off by `1.5δ|T|`. A's radius
//!   along this normal is off by `4.5δ S`.
//!
//! **Rounding.** These errors are at most:
//!
//! - `AᵀT`: `4u|T|`, `4u|T|` and `11u|T|` (`12.4u|T|` together).
//! - A column `R₀` or `R₁`: `3u`, `3u` and `10u` (`10.9u` together). So `R₂` is off by `2 · 10.9u + 3.5u < 26u`.
//! - A distance `Rⱼ·AᵀT` or `|tᵢRₖⱼ - tₖRᵢⱼ|`: `26u|T| + 12.4u|T| + 3u|T| < 42u|T|`.
//! - The radii: `26u S + 4u S`.
//!
//! **The limits of the groups.** These errors are smaller than the limits above:
//!
//! - *Apart.* If boxes share a point, then `|T| ≤ S(1 + δ)`, and a computed gap is at most
//!   `42u S + 30u S + 8u S + 15δ S`, which is less than `2.0e-5 S`. The tolerance is `3.05e-5 S`. So a
//!   computed gap above the tolerance proves that the boxes are at least `1.05e-5 S` apart. The direction of this gap need not
//!   be one of the 15 exact axes: boxes that are so far apart have a gap of a comparable size along one of the 15 axes,
//!   so `Obb::overlaps` finds them apart too.
//! - *Overlap.* If boxes are disjoint, one of the 15 exact axes has a gap. A computed edge axis differs from the exact
//!   one by at most `4.5δ + 6δ = 10.5δ`, which acts on `|T| + S ≤ 3S`. So the computed gap is at least
//!   `-(84u + 30u + 8u + 31.5δ + 15δ) S`, which is above `-5.4e-5 S`. For the faces, the errors are smaller: `4.5δ` on
//!   `3S`, and `11δ` or `7δ`. Two tolerances are `6.1e-5 S`.

use super::bounds::Bounds;
use super::enclosing_box::{
    CLEARLY_LESS, LEAST_SINE_SQUARED, LEAST_VOLUME_SQUARED, ORDERS, ORDINARY, REACH_SLACK, SKEW_SQUARED, THICKENING,
    enclosing_box, of_edges,
};
use super::joint_matrices::JointMatrices;
use super::layout::{BoundsBlock, LANES, Record, Row, Shape, ShapeBlock, row};
use super::ray_slabs::{LEAST_TIME, Slabs, WIDEN};
use super::vectors::{Vectors, part_of_matrix};
use super::{Batch, NEAR_TOLERANCE, OverlapSink, settle};
use geometry_core::MAX_COORDINATE;
use geometry_core::portable::{affine_parts, mat3_mul, mat3_mul_vec3};
use geometry_core::tolerances::SEPARATION_TOLERANCE;
use glam::{Affine3A, Vec3, Vec3A};
use skeleton::JointIndex;
use std::hint::black_box;

/// x, y and z of a vector in each lane.
pub(super) type Three<V> = [V; 3];

/// A box in each lane.
#[derive(Clone, Copy)]
pub(super) struct Boxes<V> {
    pub(super) center: Three<V>,
    pub(super) half: Three<V>,
    pub(super) axes: [Three<V>; 3],
    /// The sum of the half extents.
    pub(super) size: V,
}

impl<V: Copy> Boxes<V> {
    /// The numbers of a [`Record`], in their order, four by four.
    #[inline(always)]
    fn quarters(&self) -> [[V; 4]; 3] {
        let (c, h, [x, y, _]) = (&self.center, &self.half, &self.axes);
        [[c[0], c[1], c[2], h[0]], [h[1], h[2], x[0], x[1]], [x[2], y[0], y[1], y[2]]]
    }
}

#[inline(always)]
pub(super) fn bounds_masks<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    bounds: &Bounds,
    blocks: &[BoundsBlock],
    masks: &mut [u16],
) {
    for (block, mask) in blocks.iter().zip(masks) {
        *mask = 0;
        for at in (0..LANES).step_by(WIDTH) {
            *mask |= s.bits(near(s, bounds, block, at)) << at;
        }
    }
}

/// [`Slabs::may_hit`] of all lanes.
#[inline(always)]
pub(super) fn ray_lanes<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    slabs: &Slabs,
    blocks: &[BoundsBlock],
    earliest: &mut [Row],
) -> u64 {
    if slabs.spread == Vec3A::ZERO {
        ray_lanes_of::<WIDTH, false, S>(s, slabs, blocks, earliest)
    } else if slabs.has_inverse() {
        ray_lanes_of::<WIDTH, true, S>(s, slabs, blocks, earliest)
    } else {
        all_lanes(s, slabs, blocks, earliest)
    }
}

/// All lanes with a box, at time 0, for a ray whose direction has no inverse.
#[inline(always)]
fn all_lanes<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    slabs: &Slabs,
    blocks: &[BoundsBlock],
    earliest: &mut [Row],
) -> u64 {
    let mut lanes = 0;
    for (index, (block, earliest)) in blocks.iter().zip(earliest).enumerate() {
        *earliest = [0.0; LANES];
        for at in (0..LANES).step_by(WIDTH) {
            let is_there = s.le(s.all(), s.load(&block.min[0], at), s.load(&block.max[0], at));
            lanes |= u64::from(s.bits(is_there)) << (index * LANES + at);
        }
    }
    if slabs.max_time >= 0.0 { lanes } else { 0 }
}

/// `SPREADS` is `true` if a number of [`Slabs::spread`] is not 0. Most rays move along all axes, and their numbers are 0. The ray
/// [has an inverse](Slabs::has_inverse).
///
/// A lane without a box has a minimum of infinity and a maximum of minus infinity, so the ray enters it after it leaves it.
#[inline(always)]
fn ray_lanes_of<const WIDTH: usize, const SPREADS: bool, S: Vectors<WIDTH>>(
    s: S,
    slabs: &Slabs,
    blocks: &[BoundsBlock],
    earliest: &mut [Row],
) -> u64 {
    let mut lanes = 0;
    let is_backward = slabs.inverse.cmplt(Vec3A::ZERO);
    let is_backward = [is_backward.test(0), is_backward.test(1), is_backward.test(2)];
    let origin = splat3(s, slabs.origin);
    // From the bounds to the origin, the difference needs no instruction for the load.
    let inverse = splat3(s, -slabs.inverse);
    let spread = splat3(s, slabs.spread);
    let (zero, max_time) = (s.splat(0.0), s.splat(slabs.max_time));
    let (earlier, later, least) = (s.splat(1.0 - WIDEN), s.splat(1.0 + WIDEN), s.splat(-LEAST_TIME));
    for (index, (block, earliest)) in blocks.iter().zip(earliest).enumerate() {
        let sides = [&block.min, &block.max];
        let mut mask = 0;
        for at in (0..LANES).step_by(WIDTH) {
            let (mut enter, mut leave) = (least, max_time);
            for c in 0..3 {
                let near = s.load(&sides[usize::from(is_backward[c])][c], at);
                let far = s.load(&sides[usize::from(!is_backward[c])][c], at);
                let (mut near, mut far) =
                    (s.mul(s.sub(origin[c], near), inverse[c]), s.mul(s.sub(origin[c], far), inverse[c]));
                if SPREADS {
                    (near, far) = (s.sub(near, spread[c]), s.add(far, spread[c]));
                }
                enter = s.max(near, enter);
                leave = s.min(far, leave);
            }
            let enter = s.max(s.about_add_mul(least, enter, earlier), zero);
            s.store(enter, earliest, at);
            mask |= u64::from(s.bits(s.le(s.all(), enter, s.mul(leave, later)))) << at;
        }
        lanes |= mask << (index * LANES);
    }
    lanes
}

#[inline(always)]
fn splat3<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, v: Vec3A) -> Three<S::V> {
    [s.splat(v.x), s.splat(v.y), s.splat(v.z)]
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

#[inline(always)]
pub(super) fn flush<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    batch: &mut Batch<'_>,
    sink: &mut OverlapSink<'_>,
) -> bool {
    loop {
        take(s, batch);
        if let Some(go_on) = batch.tell(sink) {
            return go_on;
        }
    }
}

/// Tests all candidates of a batch; a batch of [`Batch::for_first`] stops after the first vector in which a pair was found.
/// In other batches no branch depends on the number of pairs found, so the processor begins the next vector before it has
/// finished the one before.
#[inline(always)]
pub(super) fn take<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, batch: &mut Batch<'_>) {
    // The half extents of a vector of pairs, see `gather_pair`. AVX-512 has registers enough to do without this memory.
    let mut half = [[s.splat(0.0); 3]; 2];
    let half = if WIDTH < LANES { black_box(&mut half) } else { &mut half };
    while let Some((a, b, count)) = batch.next_candidates::<WIDTH>(S::FEW) {
        let (overlapping, unsure) = overlap(s, &gather_pair(s, &a, &b, half));
        let there = u16::MAX >> (LANES - count);
        let overlapping = settle(overlapping & there, unsure & there, |k| batch.candidate(k).map(Record::posed_obb));
        let mut found = [0; LANES];
        if let Some(keys) = batch.next_keys() {
            s.choose(keys, 0, overlapping, 0, &mut found);
        }
        batch.take::<WIDTH>(count, overlapping, &found);
        if batch.is_to_tell() {
            return;
        }
    }
    if !batch.is_empty() {
        s.take_few(batch);
    }
}

/// [`take`], one candidate after the other.
pub(super) fn take_one_by_one(batch: &mut Batch<'_>) {
    while let Some(([a], [b], count)) = batch.next_candidates(0)
        && let Some(&keys) = batch.next_keys()
    {
        batch.take::<1>(count, u16::from(a.posed_obb().overlaps_near(&b.posed_obb())), &keys);
        if batch.is_to_tell() {
            return;
        }
    }
}

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

/// Columns x, y, z and translation.
#[inline(always)]
pub(super) fn joint_columns<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    joints: &[&Affine3A; WIDTH],
) -> [Three<S::V>; 4] {
    let mut fours = [[s.splat(0.0); 4]; 4];
    for (k, fours) in fours.iter_mut().enumerate() {
        let mut parts = *fours;
        for (i, part) in parts.iter_mut().enumerate() {
            let (matrix, at) = part_of_matrix::<WIDTH>(i);
            *part = s.load_matrix(joints[4 * matrix + k], at);
        }
        *fours = s.transpose_fours(parts);
    }
    let mut columns = [[s.splat(0.0); 3]; 4];
    for (index, column) in columns.iter_mut().enumerate() {
        let rows = s.transpose4([fours[0][index], fours[1][index], fours[2][index], fours[3][index]]);
        *column = [rows[0], rows[1], rows[2]];
    }
    columns
}

/// Converts the columns of joints' matrices to the columns of their matrices to world space.
#[inline(always)]
pub(super) fn world_columns<const WIDTH: usize, S: Vectors<WIDTH>>(
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

/// Writes the lanes to one record after another, as many as `records` has room for.
#[inline(always)]
pub(super) fn scatter<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, boxes: &Boxes<S::V>, records: &mut [Record]) {
    match records.first_chunk_mut::<WIDTH>() {
        Some(all) => scatter_into(s, boxes, all),
        None => {
            let mut all = [Record::NONE; WIDTH];
            scatter_into(s, boxes, &mut all);
            records.copy_from_slice(&all[..records.len()]);
        }
    }
}

/// Four records are three times four groups of four numbers, so whole vectors are written.
#[inline(always)]
fn scatter_into<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, boxes: &Boxes<S::V>, records: &mut [Record; WIDTH]) {
    let [a, b, c] = boxes.quarters();
    let fours = [s.transpose4(a), s.transpose4(b), s.transpose4(c)];
    for third in 0..3 {
        let mut groups = fours[0];
        for (i, group) in groups.iter_mut().enumerate() {
            let index = 4 * third + i;
            *group = fours[index % 3][index / 3];
        }
        for (i, part) in s.transpose_fours(groups).into_iter().enumerate() {
            let (of_four, at) = part_of_matrix::<WIDTH>(i);
            s.store_in_records(part, records, 48 * of_four + 16 * third + at);
        }
    }
}

/// Brings the numbers of `WIDTH` records into lanes, and computes axis z and the sum of the half extents of each box.
#[inline(always)]
pub(super) fn gather<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, records: &[&Record; WIDTH]) -> Boxes<S::V> {
    let [cx, cy, cz, hx] = gather_quarter(s, records, 0);
    let [hy, hz, xx, xy] = gather_quarter(s, records, 1);
    let [xz, yx, yy, yz] = gather_quarter(s, records, 2);
    let (x, y) = ([xx, xy, xz], [yx, yy, yz]);
    Boxes { center: [cx, cy, cz], half: [hx, hy, hz], axes: [x, y, cross(s, &x, &y)], size: sum3(s, hx, hy, hz) }
}

/// Brings numbers `4 * quarter` to `4 * quarter + 4` of `WIDTH` records into lanes.
#[inline(always)]
fn gather_quarter<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    records: &[&Record; WIDTH],
    quarter: usize,
) -> [S::V; 4] {
    s.transpose4([
        s.load_quarters(records, 0, quarter),
        s.load_quarters(records, 1, quarter),
        s.load_quarters(records, 2, quarter),
        s.load_quarters(records, 3, quarter),
    ])
}

/// Two boxes A and B in each lane, in A's frame: its origin is A's center, and its axes are A's axes.
struct Pair<V> {
    /// B's center in A's frame.
    center: Three<V>,
    /// B's axes x and y in A's frame. Axis z is their cross product.
    axes: [Three<V>; 2],
    /// The half extents of A and of B.
    half: [Three<V>; 2],
}

/// Brings pairs of records into lanes. The half extents pass through `half`.
///
/// Do not change the order of the statements without measuring. Axis z of A, and what follows from it, takes longest to
/// compute, and a kernel with sixteen registers holds few of these numbers at a time. The caller hides from the compiler
/// where `half` points, so the compiler must write each half extent before it reads further records. Otherwise the
/// compiler reads records early, and stores more numbers on the stack because of that.
#[inline(always)]
fn gather_pair<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &[&Record; WIDTH],
    b: &[&Record; WIDTH],
    half: &mut [Three<S::V>; 2],
) -> Pair<S::V> {
    let [hy, hz, xx, xy] = gather_quarter(s, a, 1);
    (half[0][1], half[0][2]) = (hy, hz);
    let [xz, yx, yy, yz] = gather_quarter(s, a, 2);
    let (x, y) = ([xx, xy, xz], [yx, yy, yz]);
    let frame = [x, y, about_cross(s, &x, &y)];
    let [a_cx, a_cy, a_cz, hx] = gather_quarter(s, a, 0);
    half[0][0] = hx;
    let [b_cx, b_cy, b_cz, hx] = gather_quarter(s, b, 0);
    half[1][0] = hx;
    let center = in_frame(s, &frame, &[s.sub(b_cx, a_cx), s.sub(b_cy, a_cy), s.sub(b_cz, a_cz)]);
    let [hy, hz, xx, xy] = gather_quarter(s, b, 1);
    (half[1][1], half[1][2]) = (hy, hz);
    let [xz, yx, yy, yz] = gather_quarter(s, b, 2);
    let axes = [in_frame(s, &frame, &[xx, xy, xz]), in_frame(s, &frame, &[yx, yy, yz])];
    Pair { center, axes, half: *half }
}

/// The coordinates of `v` along three axes.
#[inline(always)]
fn in_frame<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, axes: &[Three<S::V>; 3], v: &Three<S::V>) -> Three<S::V> {
    [about_dot(s, &axes[0], v), about_dot(s, &axes[1], v), about_dot(s, &axes[2], v)]
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

/// Returns the lanes that are not apart by the first stage, and those of them that are too close to call.
#[inline(always)]
fn overlap<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, pair: &Pair<S::V>) -> (u16, u16) {
    let gap = widest_gap(s, pair);
    let [a, b] = &pair.half;
    let size = s.add(sum3(s, a[0], a[1], a[2]), sum3(s, b[0], b[1], b[2]));
    let tolerance = s.about_add_mul(s.splat(f32::MIN_POSITIVE), size, s.splat(SEPARATION_TOLERANCE));
    let overlapping = s.le(s.all(), gap, tolerance);
    (s.bits(overlapping), s.bits(s.le(overlapping, s.mul(s.splat(-2.0), tolerance), gap)))
}

/// The widest gap along all 15 axes.
#[inline(always)]
fn widest_gap<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, pair: &Pair<S::V>) -> S::V {
    let (t, [x, y], [ha, hb]) = (&pair.center, &pair.axes, &pair.half);
    // B's axes in A's frame, and the absolute values.
    let r = [*x, *y, about_cross(s, x, y)];
    let mut p = r;
    let (mut of_a, mut of_b, mut of_edges) = (*t, *t, r);
    for j in 0..3 {
        p[j] = [s.abs(r[j][0]), s.abs(r[j][1]), s.abs(r[j][2])];
        let along = s.sub(s.abs(about_dot(s, &r[j], t)), hb[j]);
        of_b[j] = s.sub(along, about_dot_in_order(s, ha, &p[j]));
        let across = about_cross(s, t, &r[j]);
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            let along = s.about_sub_mul(s.abs(across[i]), ha[i2], p[j][i1]);
            of_edges[j][i] = s.about_sub_mul(along, ha[i1], p[j][i2]);
        }
    }
    for i in [2, 1, 0] {
        let along = s.sub(s.abs(t[i]), ha[i]);
        of_a[i] = s.sub(along, about_dot_in_order(s, hb, &[p[0][i], p[1][i], p[2][i]]));
        for (j, of_edges) in of_edges.iter_mut().enumerate() {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let along = s.about_sub_mul(of_edges[i], hb[j1], p[j2][i]);
            of_edges[i] = s.about_sub_mul(along, hb[j2], p[j1][i]);
        }
    }
    // A tree of comparisons, because with a chain each gap would wait for the one before.
    let e = &of_edges;
    let faces = s.max(s.max(s.max(of_b[0], of_b[1]), s.max(of_b[2], of_a[2])), s.max(of_a[1], of_a[0]));
    let edges = s.max(s.max(s.max(e[0][2], e[1][2]), s.max(e[2][2], e[0][1])), s.max(e[1][1], e[2][1]));
    s.max(s.max(faces, edges), s.max(s.max(e[0][0], e[1][0]), e[2][0]))
}

#[inline(always)]
pub(super) fn load3<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, rows: &[Row], first: usize, at: usize) -> Three<S::V> {
    [s.load(&rows[first], at), s.load(&rows[first + 1], at), s.load(&rows[first + 2], at)]
}

/// The product of a matrix and the vector `v` in each lane; only the columns x, y and z are used.
#[inline(always)]
pub(super) fn transform<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    columns: &[Three<S::V>; 4],
    v: &Three<S::V>,
) -> Three<S::V> {
    let mut transformed = *v;
    for (c, component) in transformed.iter_mut().enumerate() {
        *component = sum3(s, s.mul(columns[0][c], v[0]), s.mul(columns[1][c], v[1]), s.mul(columns[2][c], v[2]));
    }
    transformed
}

#[inline(always)]
pub(super) fn add3<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Three<S::V>, b: &Three<S::V>) -> Three<S::V> {
    [s.add(a[0], b[0]), s.add(a[1], b[1]), s.add(a[2], b[2])]
}

#[inline(always)]
pub(super) fn sub3<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Three<S::V>, b: &Three<S::V>) -> Three<S::V> {
    [s.sub(a[0], b[0]), s.sub(a[1], b[1]), s.sub(a[2], b[2])]
}

#[inline(always)]
fn select3<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, mask: S::M, a: &Three<S::V>, b: &Three<S::V>) -> Three<S::V> {
    [s.select(mask, a[0], b[0]), s.select(mask, a[1], b[1]), s.select(mask, a[2], b[2])]
}

#[inline(always)]
pub(super) fn scale<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, v: &Three<S::V>, by: S::V) -> Three<S::V> {
    [s.mul(v[0], by), s.mul(v[1], by), s.mul(v[2], by)]
}

#[inline(always)]
pub(super) fn cross<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Three<S::V>, b: &Three<S::V>) -> Three<S::V> {
    [
        s.sub(s.mul(a[1], b[2]), s.mul(a[2], b[1])),
        s.sub(s.mul(a[2], b[0]), s.mul(a[0], b[2])),
        s.sub(s.mul(a[0], b[1]), s.mul(a[1], b[0])),
    ]
}

#[inline(always)]
pub(super) fn dot<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Three<S::V>, b: &Three<S::V>) -> S::V {
    sum3(s, s.mul(a[0], b[0]), s.mul(a[1], b[1]), s.mul(a[2], b[2]))
}

/// [`dot`], with products that are rounded as in [`Vectors::about_add_mul`]: the bits of an answer must not depend on it.
#[inline(always)]
fn about_dot<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Three<S::V>, b: &Three<S::V>) -> S::V {
    s.about_add_mul(s.about_add_mul(s.mul(a[2], b[2]), a[0], b[0]), a[1], b[1])
}

/// [`about_dot`], from the first product to the last.
#[inline(always)]
fn about_dot_in_order<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Three<S::V>, b: &Three<S::V>) -> S::V {
    s.about_add_mul(s.about_add_mul(s.mul(a[0], b[0]), a[1], b[1]), a[2], b[2])
}

/// [`cross`], with products that are rounded as in [`Vectors::about_add_mul`]: the bits of an answer must not depend on it.
#[inline(always)]
fn about_cross<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Three<S::V>, b: &Three<S::V>) -> Three<S::V> {
    [
        s.about_sub_mul(s.mul(a[1], b[2]), a[2], b[1]),
        s.about_sub_mul(s.mul(a[2], b[0]), a[0], b[2]),
        s.about_sub_mul(s.mul(a[0], b[1]), a[1], b[0]),
    ]
}

#[inline(always)]
pub(super) fn sum3<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: S::V, b: S::V, c: S::V) -> S::V {
    s.add(s.add(a, b), c)
}
