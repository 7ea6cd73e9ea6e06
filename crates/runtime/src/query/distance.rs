//! The distance and the nearest points of two characters.

use crate::Bounds;
use crate::kernels::layout::LANES;
use crate::kernels::set_bits::set_bits;
use crate::kernels::{self, Kernel};
use crate::solid::Solid;
use crate::{BoxIndex, PosedCharacter};
use geometry_core::{Obb, ShapeDistance, closest_on_segments};
use glam::{DVec3, Vec3};
use skeleton::JointIndex;

/// The two hitboxes of two characters that are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestHitboxes {
    /// The first character's hitbox.
    pub box_a: BoxIndex,
    /// The second character's hitbox.
    pub box_b: BoxIndex,
    /// The joint of `box_a`.
    pub joint_a: JointIndex,
    /// The joint of `box_b`.
    pub joint_b: JointIndex,
    /// The distance between the two hitboxes, in world units; 0 if they touch.
    pub distance: f32,
    /// The nearest point on the first character's hitbox, in world space. If the hitboxes touch, a point in their
    /// overlap or near it.
    pub point_a: Vec3,
    /// The nearest point on the second character's hitbox, in world space.
    pub point_b: Vec3,
}

/// Finds the nearest hitboxes of two characters and their distance, up to `max_distance` in world units (`None`: any
/// distance). Returns `None` if the distance is larger, or if one of the characters has no boxes.
///
/// The answer is exact up to rounding. If several pairs have the same distance, the answer is the pair with the least
/// box indices.
///
/// The nearest points of two boxes that are apart are either a corner and a point of the other box, or points of two
/// edges. The function computes these in `f64`. It skips pairs of boxes whose bounds, or whose widest gap along one of
/// their 15 axes, are farther apart than the nearest pair found so far. [`geometry_core::DCapsule::separation`] defines
/// the distance from a capsule or a sphere, and [`geometry_core::PosedHull::distance`] the distance from a hull.
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use runtime::{Character, PosedCharacter, distance};
///
/// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
/// let (mut a, mut b) = (PosedCharacter::new(), PosedCharacter::new());
/// a.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
/// b.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::new(0.0, 4.0, 0.0)))?; // from 5 to 7, a from 1 to 3
/// let nearest = distance(&a, &b, None).unwrap();
/// assert_eq!((arm.joint_name(nearest.joint_a), arm.joint_name(nearest.joint_b)), ("fore", "upper"));
/// assert_eq!((nearest.distance, nearest.point_a.y, nearest.point_b.y), (2.0, 3.0, 5.0));
/// assert!(distance(&a, &b, 1.5).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn distance(
    a: &PosedCharacter,
    b: &PosedCharacter,
    max_distance: impl Into<Option<f32>>,
) -> Option<ClosestHitboxes> {
    let max_distance = max_distance.into().unwrap_or(f32::INFINITY);
    let kernel = a.kernel;
    // The pair with the nearest bounds is nearly always among the nearest pairs, so its distance limits the search.
    let first_guess = nearest_bounds(kernel, a, b, max_distance)?;
    let mut best: Option<(Found, [usize; 2])> = None;
    let mut along = None;
    let mut reach = max_distance;
    let mut consider = |pair: [usize; 2], reach: &mut f32| {
        let (one, other) = (a.solid(pair[0]), b.solid(pair[1]));
        // Boxes beside the nearest boxes are nearly always farther apart than the reach, measured along the direction
        // between the nearest points.
        if let (Some(along), Solid::Box(a), Solid::Box(b)) = (along, &one, &other)
            && is_beyond_along(along, a, b, *reach)
        {
            return;
        }
        if let Some(found) = solid_distance(kernel, &one, &other, *reach)
            && best.is_none_or(|(best, of)| (found.0, pair) < (best.0, of))
        {
            let (distance, point_a, point_b) = found;
            *reach = distance;
            along = (point_b.as_dvec3() - point_a.as_dvec3()).try_normalize();
            best = Some((found, pair));
        }
    };
    consider(first_guess, &mut reach);
    each_pair_within(kernel, a, b, &mut reach, |pair, reach| {
        if pair != first_guess {
            consider(pair, reach);
        }
    });
    let (found, pair) = best?;
    let found = if found.0 == 0.0 { touching(&a.solid(pair[0]), &b.solid(pair[1])).unwrap_or(found) } else { found };
    Some(ClosestHitboxes::new(a, b, pair, found))
}

impl ClosestHitboxes {
    fn new(a: &PosedCharacter, b: &PosedCharacter, boxes: [usize; 2], (distance, point_a, point_b): Found) -> Self {
        let [box_a, box_b] = boxes.map(|index| BoxIndex(index as u16));
        Self { box_a, box_b, joint_a: a.joint_of(box_a), joint_b: b.joint_of(box_b), distance, point_a, point_b }
    }
}

/// The distance and the two nearest points.
type Found = (f32, Vec3, Vec3);

/// The two boxes whose bounds are nearest; if several pairs are equally near, the first. `None` if all are farther apart
/// than `max_distance`.
fn nearest_bounds(kernel: Kernel, a: &PosedCharacter, b: &PosedCharacter, max_distance: f32) -> Option<[usize; 2]> {
    let mut nearest = None;
    let mut reach = max_distance;
    let mut least = f32::INFINITY;
    each_pair_within(kernel, a, b, &mut reach, |pair, reach| {
        let gap = gap(&a.box_bounds(pair[0]), &b.box_bounds(pair[1]));
        if nearest.is_none() || gap < least {
            (nearest, least) = (Some(pair), gap);
            *reach = reach.min(gap);
        }
    });
    nearest
}

/// Calls `then` with all pairs of boxes whose bounds are at most `reach` apart; `then` may reduce `reach`.
fn each_pair_within(
    kernel: Kernel,
    a: &PosedCharacter,
    b: &PosedCharacter,
    reach: &mut f32,
    mut then: impl FnMut([usize; 2], &mut f32),
) {
    /// The number of blocks that are tested together.
    const CHUNK: usize = 4;
    for first in 0..a.records.len() {
        let bounds = a.box_bounds(first);
        if is_beyond(squared_gap(&bounds, &b.bounds), *reach) {
            continue;
        }
        for (chunk, blocks) in b.blocks.chunks(CHUNK).enumerate() {
            let mut masks = [0; CHUNK];
            // The limit is a little above that of `is_beyond`, so that rounding loses no box; `is_beyond` decides below.
            let limit = (*reach * *reach + f32::MIN_POSITIVE) * (1.0 + 64.0 * f32::EPSILON);
            kernels::lanes_within(kernel, &bounds, blocks, limit, &mut masks[..blocks.len()]);
            for (block, mask) in masks.into_iter().enumerate() {
                for lane in set_bits(mask) {
                    let second = (chunk * CHUNK + block) * LANES + lane;
                    // `then` may have reduced the reach.
                    if second < b.records.len() && !is_beyond(squared_gap(&bounds, &b.box_bounds(second)), *reach) {
                        then([first, second], reach);
                    }
                }
            }
        }
    }
}

pub(crate) fn squared_gap(a: &Bounds, b: &Bounds) -> f32 {
    let apart = (a.min - b.max).max(b.min - a.max).max(Vec3::ZERO);
    apart.length_squared()
}

/// Returns `true` if the contents of two bounds with this squared gap are farther apart than `reach`, allowing for
/// rounding.
pub(crate) fn is_beyond(squared_gap: f32, reach: f32) -> bool {
    // The relative rounding error of squares that underflow is larger; then the smallest normal number decides.
    squared_gap * (1.0 - 32.0 * f32::EPSILON) > reach * reach + f32::MIN_POSITIVE || reach < 0.0
}

/// A lower limit of the distance between the contents of two bounds.
pub(crate) fn gap(a: &Bounds, b: &Bounds) -> f32 {
    // The square may underflow, which only makes the gap smaller, and its rounding error is less than this.
    squared_gap(a, b).sqrt() * (1.0 - 8.0 * f32::EPSILON)
}

/// The distance of two shapes; `None` if it is more than `reach`.
fn solid_distance(kernel: Kernel, a: &Solid<'_>, b: &Solid<'_>, reach: f32) -> Option<Found> {
    let found = match a.distance(b, beyond(reach)) {
        Ok(found) => found?,
        Err([a, b]) => return box_distance(kernel, a, b, reach),
    };
    let distance = found.distance as f32;
    (distance <= reach).then_some((distance, found.point_a.as_vec3(), found.point_b.as_vec3()))
}

/// The distance of two shapes, with a point in the middle of their overlap if they touch. The function is called for
/// one pair only, because the point needs the depth of the overlap, which takes many times the work of a distance.
/// `None` for two boxes: [`box_distance`] returns this point too.
fn touching(a: &Solid<'_>, b: &Solid<'_>) -> Option<Found> {
    let ShapeDistance { distance, point_a, point_b } = a.separation(b).ok()?.into();
    Some((distance as f32, point_a.as_vec3(), point_b.as_vec3()))
}

/// Returns `true` if two boxes are farther apart along a direction, a unit vector, than `reach`, allowing for rounding.
fn is_beyond_along(direction: DVec3, a: &Obb, b: &Obb, reach: f32) -> bool {
    let radius = |one: &Obb| half_axes(one).into_iter().fold(0.0, |sum, half| sum + direction.dot(half).abs());
    let gap = direction.dot(b.center().as_dvec3() - a.center().as_dvec3()) - (radius(a) + radius(b));
    gap * UNIT_SLACK - f64::from(largest_coordinate(a, b)) * ROUNDING > beyond(reach)
}

/// A distance that is rounded to more than `reach` in `f32`.
fn beyond(reach: f32) -> f64 {
    f64::from(reach) * (1.0 + 2.0 * f64::from(f32::EPSILON)) + f64::from(f32::MIN_POSITIVE)
}

/// A number that no coordinate of the boxes exceeds.
fn largest_coordinate(a: &Obb, b: &Obb) -> f32 {
    (a.center().abs() + b.center().abs() + a.half_extents() + b.half_extents()).max_element()
}

/// The distance of two boxes; `None` if the distance is more than `reach`.
fn box_distance(kernel: Kernel, a: &Obb, b: &Obb, reach: f32) -> Option<Found> {
    let separation = kernels::separation(kernel, a, b);
    if separation.overlapping {
        let (on_a, on_b) = (a.support_point(separation.direction), b.support_point(-separation.direction));
        let point = a.closest_point(b.closest_point((on_a + on_b) * 0.5));
        return (reach >= 0.0).then(|| (0.0, point, b.closest_point(point)));
    }
    // The widest gap is a lower limit of the distance, except for its rounding, which grows with the boxes' sizes and
    // places.
    let size = separation.gap + largest_coordinate(a, b);
    if separation.gap - 16.0 * f32::EPSILON * size > reach {
        return None;
    }
    let mut best = (f64::INFINITY, DVec3::ZERO, DVec3::ZERO);
    let consider = |best: &mut (f64, DVec3, DVec3), (p, q): (DVec3, DVec3)| {
        let squared = (p - q).length_squared();
        if squared < best.0 {
            *best = (squared, p, q);
        }
    };
    let (corners_a, corners_b) = (corners(a), corners(b));
    // Two points are at least as far apart as they are along any direction. Corners and edges that are farther apart
    // along the direction of the widest gap than the best distance so far are therefore skipped.
    let along = separation.direction.as_dvec3();
    let heights = |along: DVec3, corners: &[DVec3; 8]| corners.map(|corner| along.dot(corner));
    let (heights_a, heights_b) = (heights(along, &corners_a), heights(along, &corners_b));
    let highest_a = heights_a.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let lowest_b = heights_b.iter().copied().fold(f64::INFINITY, f64::min);
    let rounding = f64::from(size) * ROUNDING;
    let reach_squared = beyond(reach) * beyond(reach);
    let is_beyond = |gap: f64, best: f64| {
        let gap = gap - rounding;
        gap > 0.0 && gap * gap * UNIT_SLACK > best.min(reach_squared)
    };
    for (&corner, &height) in corners_a.iter().zip(&heights_a) {
        if !is_beyond(lowest_b - height, best.0) {
            consider(&mut best, (corner, closest(b, corner)));
        }
    }
    for (&corner, &height) in corners_b.iter().zip(&heights_b) {
        if !is_beyond(height - highest_a, best.0) {
            consider(&mut best, (closest(a, corner), corner));
        }
    }
    // The nearest points are nearly known now, and the direction between them rules out more than the direction of the
    // widest gap.
    let between = best.2 - best.1;
    let length = between.length();
    // All corners may be beyond the reach.
    let along = if length > 0.0 { between / length } else { along };
    let (heights_a, heights_b) = (heights(along, &corners_a), heights(along, &corners_b));
    let lowest_b = heights_b.iter().copied().fold(f64::INFINITY, f64::min);
    for [from_a, to_a] in EDGES {
        let highest = heights_a[from_a].max(heights_a[to_a]);
        if is_beyond(lowest_b - highest, best.0) {
            continue;
        }
        for [from_b, to_b] in EDGES {
            if !is_beyond(heights_b[from_b].min(heights_b[to_b]) - highest, best.0) {
                let edges = ([corners_a[from_a], corners_a[to_a]], [corners_b[from_b], corners_b[to_b]]);
                consider(&mut best, closest_on_segments(edges.0, edges.1));
            }
        }
    }
    let distance = best.0.sqrt() as f32;
    (distance <= reach).then(|| (distance, best.1.as_vec3(), best.2.as_vec3()))
}

fn half_axes(one: &Obb) -> [DVec3; 3] {
    let (axes, half) = (one.axes().as_dmat3(), one.half_extents().as_dvec3());
    [axes.x_axis * half.x, axes.y_axis * half.y, axes.z_axis * half.z]
}

/// The corners of a box: corner `k` is on the positive side of axis `i` if bit `i` of `k` is set.
fn corners(one: &Obb) -> [DVec3; 8] {
    let half_axes = half_axes(one);
    let sign = |k: usize, i: usize| if k >> i & 1 == 1 { 1.0 } else { -1.0 };
    std::array::from_fn(|k| (0..3).fold(one.center().as_dvec3(), |sum, i| sum + half_axes[i] * sign(k, i)))
}

/// The two corners of each edge of a box.
const EDGES: [[usize; 2]; 12] =
    [[0, 1], [0, 2], [0, 4], [1, 3], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 6], [5, 7], [6, 7]];

/// A unit vector is rounded to `f32`. A squared gap along the true unit vector is at least this share of the squared
/// gap along the rounded vector; the sums in `f64` round by far less.
const UNIT_SLACK: f64 = 1.0 - 1.0e-6;

/// The rounding error of corners, as a share of their coordinates, for boxes at any place.
const ROUNDING: f64 = 1.0e-14;

fn closest(one: &Obb, point: DVec3) -> DVec3 {
    let (axes, half) = (one.axes().as_dmat3(), one.half_extents().as_dvec3());
    let offset = point - one.center().as_dvec3();
    let along = |axis: DVec3, half: f64| axis * axis.dot(offset).clamp(-half, half);
    one.center().as_dvec3() + along(axes.x_axis, half.x) + along(axes.y_axis, half.y) + along(axes.z_axis, half.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use baked_characters::{baked_figure, with_hulls};
    use glam::{Affine3A, Quat};
    use proptest::prelude::*;

    /// The distance by testing all pairs of hitboxes, with the depths of those that overlap; the first of the nearest pairs.
    fn by_looking_at_all(a: &PosedCharacter, b: &PosedCharacter, max_distance: f32) -> Option<ClosestHitboxes> {
        let mut best: Option<ClosestHitboxes> = None;
        for first in 0..a.boxes().len() {
            for second in 0..b.boxes().len() {
                let (one, other) = (a.solid(first), b.solid(second));
                let found = touching(&one, &other)
                    .unwrap_or_else(|| solid_distance(Kernel::Scalar, &one, &other, f32::INFINITY).unwrap());
                if found.0 <= max_distance && best.is_none_or(|best| found.0 < best.distance) {
                    best = Some(ClosestHitboxes::new(a, b, [first, second], found));
                }
            }
        }
        best
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn is_the_first_of_the_least_of_all(
            at in prop::array::uniform3(prop_oneof![-3f32..3.0, Just(0.0), -0.3f32..0.3]),
            turn in prop::array::uniform4(-1f32..1.0),
            scale in prop_oneof![4 => Just(1.0f32), 1 => Just(1e-6), 1 => Just(1e5)],
            offset in prop_oneof![3 => Just(0.0f32), 1 => Just(1000.0)],
            share in 0f32..2.0,
            has_hulls in any::<bool>(),
        ) {
            let baked = baked_figure("figure");
            let figure = crate::Character::from_baked(if has_hulls { with_hulls(baked) } else { baked });
            let (mut a, mut b) = (PosedCharacter::new(), PosedCharacter::new());
            let turn = Quat::from_array(turn).normalize();
            prop_assume!(turn.is_finite());
            let place = |turn, at: Vec3| Affine3A::from_scale_rotation_translation(Vec3::splat(scale), turn, (at + offset) * scale);
            a.pose_from_rest(&figure, &place(Quat::IDENTITY, Vec3::ZERO)).unwrap();
            b.pose_from_rest(&figure, &place(turn, at.into())).unwrap();
            let all = by_looking_at_all(&a, &b, f32::INFINITY);
            prop_assert_eq!(distance(&a, &b, f32::INFINITY), all);
            let max_distance = all.unwrap().distance * share;
            prop_assert_eq!(distance(&a, &b, max_distance), by_looking_at_all(&a, &b, max_distance));
        }
    }
}
