//! How far apart are two characters, and where?

use crate::Posed;
use crate::lanes::Bounds;
use geometry_core::Obb;
use glam::{DVec3, Vec3};
use skeleton::JointIndex;

/// The nearest joints of two characters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointDistance {
    /// Of the first character.
    pub a: JointIndex,
    /// Of the second character.
    pub b: JointIndex,
    /// World space unit; 0 where they touch.
    pub distance: f32,
    /// The nearest point on the first character's box, world space; where they touch, a point of both boxes' overlap or
    /// near it.
    pub point_a: Vec3,
    /// The nearest point on the second character's box.
    pub point_b: Vec3,
}

/// The distance between two characters' boxes, up to `limit` (infinity for none): `None` beyond it, or where either
/// has no boxes.
///
/// Exact up to rounding: the nearest points of two boxes that are apart are a corner and a point of the other box, or
/// points of two edges, and all of them are looked at, in `f64`; boxes whose bounds are farther apart than what was
/// found are passed over. Of pairs equally near the first by boxes is reported.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
/// # use runtime::{Posed, distance}; use glam::{Affine3A, Vec3};
/// # let arm = example::arm("Arm");
/// let (mut a, mut b) = (Posed::new(), Posed::new());
/// a.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
/// b.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::new(0.0, 4.0, 0.0)))?; // from 5 to 7, a from 1 to 3
/// let nearest = distance(&a, &b, f32::INFINITY).unwrap();
/// assert_eq!((arm.joint_name(nearest.a), arm.joint_name(nearest.b)), ("fore", "upper"));
/// assert_eq!((nearest.distance, nearest.point_a.y, nearest.point_b.y), (2.0, 3.0, 5.0));
/// assert!(distance(&a, &b, 1.5).is_none());
/// # Ok::<(), runtime::PoseError>(())
/// ```
#[must_use]
pub fn distance(a: &Posed, b: &Posed, limit: f32) -> Option<JointDistance> {
    let mut best: Option<JointDistance> = None;
    let mut reach = limit;
    for first in 0..a.records.len() {
        let bounds = a.box_bounds(first);
        if gap(&bounds, &b.bounds) > reach {
            continue;
        }
        let Some(one) = a.records[first].obb() else { continue };
        for second in 0..b.records.len() {
            if gap(&bounds, &b.box_bounds(second)) > reach {
                continue;
            }
            let Some(other) = b.records[second].obb() else { continue };
            let (distance, point_a, point_b) = box_distance(&one, &other);
            if distance <= reach && best.is_none_or(|best| distance < best.distance) {
                reach = distance;
                best = Some(JointDistance { a: a.joints[first], b: b.joints[second], distance, point_a, point_b });
                if distance == 0.0 {
                    return best;
                }
            }
        }
    }
    best
}

/// Not more than the distance of what the bounds hold.
fn gap(a: &Bounds, b: &Bounds) -> f32 {
    let apart = (a.min - b.max).max(b.min - a.max).max(Vec3::ZERO);
    // The square may underflow, which only brings the bounds nearer, and rounds by less than this.
    apart.length() * (1.0 - 8.0 * f32::EPSILON)
}

fn box_distance(a: &Obb, b: &Obb) -> (f32, Vec3, Vec3) {
    if a.overlaps(b) {
        let separation = a.separation(b);
        let (on_a, on_b) = (a.support_point(separation.direction), b.support_point(-separation.direction));
        let point = a.closest_point(b.closest_point((on_a + on_b) * 0.5));
        return (0.0, point, b.closest_point(point));
    }
    let mut best = (f64::INFINITY, DVec3::ZERO, DVec3::ZERO);
    let mut consider = |p: DVec3, q: DVec3| {
        let squared = (p - q).length_squared();
        if squared < best.0 {
            best = (squared, p, q);
        }
    };
    let (corners_a, corners_b) = (corners(a), corners(b));
    corners_a.iter().for_each(|&corner| consider(corner, closest(b, corner)));
    corners_b.iter().for_each(|&corner| consider(closest(a, corner), corner));
    for edge_a in edges(&corners_a) {
        for edge_b in edges(&corners_b) {
            let (p, q) = closest_on_segments(edge_a, edge_b);
            consider(p, q);
        }
    }
    (best.0.sqrt() as f32, best.1.as_vec3(), best.2.as_vec3())
}

fn half_axes(one: &Obb) -> [DVec3; 3] {
    let (axes, half) = (one.axes().as_dmat3(), one.half_extents().as_dvec3());
    [axes.x_axis * half.x, axes.y_axis * half.y, axes.z_axis * half.z]
}

/// Corner `k` on the positive side of axis `i` where bit `i` of `k` is set.
fn corners(one: &Obb) -> [DVec3; 8] {
    let half_axes = half_axes(one);
    let sign = |k: usize, i: usize| if k >> i & 1 == 1 { 1.0 } else { -1.0 };
    std::array::from_fn(|k| (0..3).fold(one.center().as_dvec3(), |sum, i| sum + half_axes[i] * sign(k, i)))
}

fn edges(corners: &[DVec3; 8]) -> impl Iterator<Item = [DVec3; 2]> + '_ {
    (0..8usize)
        .flat_map(move |k| (0..3).filter(move |i| k >> i & 1 == 0).map(move |i| [corners[k], corners[k | 1 << i]]))
}

fn closest(one: &Obb, point: DVec3) -> DVec3 {
    let (axes, half) = (one.axes().as_dmat3(), one.half_extents().as_dvec3());
    let offset = point - one.center().as_dvec3();
    let along = |axis: DVec3, half: f64| axis * axis.dot(offset).clamp(-half, half);
    one.center().as_dvec3() + along(axes.x_axis, half.x) + along(axes.y_axis, half.y) + along(axes.z_axis, half.z)
}

/// Ericson, *Real-Time Collision Detection*, section 5.1.9; segments may be points or parallel.
fn closest_on_segments([p1, q1]: [DVec3; 2], [p2, q2]: [DVec3; 2]) -> (DVec3, DVec3) {
    let (d1, d2, r) = (q1 - p1, q2 - p2, p1 - p2);
    let (a, e, f) = (d1.dot(d1), d2.dot(d2), d2.dot(r));
    let (b, c) = (d1.dot(d2), d1.dot(r));
    let determinant = a * e - b * b;
    let mut s = if determinant > 0.0 { ((b * f - c * e) / determinant).clamp(0.0, 1.0) } else { 0.0 };
    let mut t = if e > 0.0 { (b * s + f) / e } else { 0.0 };
    if !(0.0..=1.0).contains(&t) {
        t = t.clamp(0.0, 1.0);
        s = if a > 0.0 { ((b * t - c) / a).clamp(0.0, 1.0) } else { 0.0 };
    }
    (p1 + d1 * s, p2 + d2 * t)
}
