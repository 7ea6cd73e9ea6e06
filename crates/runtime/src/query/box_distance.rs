//! The distance and the nearest points of two boxes.
//!
//! The nearest points of two boxes that are apart are either a corner and a point of the other box, or points of two
//! edges. All are computed in `f64`.

use crate::kernels::{self, Kernel};
use geometry_core::triangle::ClosestPoints;
use geometry_core::{Obb, Separation, closest_on_segments};
use glam::DVec3;

/// Returns `true` if two boxes are farther apart along a direction, a unit vector, than `reach`, allowing for rounding.
pub(super) fn is_beyond_along(direction: DVec3, a: &Obb, b: &Obb, reach: f32) -> bool {
    let radius = |one: &Obb| half_axes(one).into_iter().fold(0.0, |sum, half| sum + direction.dot(half).abs());
    let gap = direction.dot(b.center().as_dvec3() - a.center().as_dvec3()) - (radius(a) + radius(b));
    gap * UNIT_SLACK - f64::from(largest_coordinate(a, b)) * ROUNDING > beyond(reach)
}

/// A distance that is rounded to more than `reach` in `f32`.
pub(super) fn beyond(reach: f32) -> f64 {
    f64::from(reach) * (1.0 + 2.0 * f64::from(f32::EPSILON)) + f64::from(f32::MIN_POSITIVE)
}

/// A number that no coordinate of the boxes exceeds.
fn largest_coordinate(a: &Obb, b: &Obb) -> f32 {
    (a.center().abs() + b.center().abs() + a.half_extents() + b.half_extents()).max_element()
}

/// The distance of two boxes; `None` if the distance is more than `reach`. The points of boxes that overlap are their
/// centers: a point in the overlap takes more work, and only one pair needs it.
pub(super) fn box_distance(kernel: Kernel, a: &Obb, b: &Obb, reach: f32) -> Option<ClosestPoints> {
    let separation = kernels::separation(kernel, a, b);
    if separation.overlapping {
        return (reach >= 0.0).then(|| ClosestPoints { distance: 0.0, point_a: a.center(), point_b: b.center() });
    }
    // The widest gap is a lower limit of the distance, except for its rounding, which grows with the boxes' sizes and
    // places.
    let size = separation.gap + largest_coordinate(a, b);
    if separation.gap - 16.0 * f32::EPSILON * size > reach {
        return None;
    }
    Some(nearest_points(a, b, &separation, reach)).filter(|found| found.distance <= reach)
}

/// The distance and the nearest points of two boxes that are apart. If the distance is more than `reach`, the points need not
/// be the nearest. `separation` is that of `a` and `b`.
pub(super) fn nearest_points(a: &Obb, b: &Obb, separation: &Separation, reach: f32) -> ClosestPoints {
    let size = separation.gap + largest_coordinate(a, b);
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
    ClosestPoints { distance: best.0.sqrt() as f32, point_a: best.1.as_vec3(), point_b: best.2.as_vec3() }
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
