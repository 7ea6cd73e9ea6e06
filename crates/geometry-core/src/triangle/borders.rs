//! The nearest points of the corners, edges and faces of triangles, in `f64`.
//!
//! Source: Ericson, *Real-Time Collision Detection*, sections 5.1.5 (point) and 5.1.9 (segments).

use super::{Corners, edges};
use crate::segments::closest_on_segments;
use glam::DVec3;

/// The sine of the angle at a corner below which a triangle is replaced by its edges. No point of such a triangle is
/// farther from the edges than this share of their lengths. The normals of thinner triangles may be rounding alone.
const SLIVER: f64 = 1.0 / 67_108_864.0;

/// Returns the squared distance of two triangles that do not pierce each other, with the nearest points. It is the
/// least of the distances of corners from the other triangle and of edges from each other.
pub(super) fn closest_of_borders(a: &Corners, b: &Corners) -> (f64, DVec3, DVec3) {
    let mut best = (f64::INFINITY, a[0], b[0]);
    let mut consider = |p: DVec3, q: DVec3| {
        let squared = (p - q).length_squared();
        if squared < best.0 {
            best = (squared, p, q);
        }
    };
    a.iter().for_each(|&corner| consider(corner, closest_to(b, corner)));
    b.iter().for_each(|&corner| consider(closest_to(a, corner), corner));
    for edge_a in edges(a) {
        for edge_b in edges(b) {
            let (p, q) = closest_on_segments(edge_a, edge_b);
            consider(p, q);
        }
    }
    best
}

/// Implements [`closest_point`](super::closest_point).
pub(super) fn closest_to(corners: &Corners, point: DVec3) -> DVec3 {
    let [a, b, c] = *corners;
    closest_with_normal(corners, (b - a).cross(c - a), point)
}

/// [`closest_to`] with the cross product of the edges from the first corner to the second and to the third.
#[inline]
pub(super) fn closest_with_normal(corners: &Corners, normal: DVec3, point: DVec3) -> DVec3 {
    let [a, b, c] = *corners;
    let (u, v) = (b - a, c - a);
    let square = normal.length_squared();
    let is_inward = |[from, to]: [DVec3; 2]| normal.cross(to - from).dot(point - from) >= 0.0;
    if square > SLIVER * SLIVER * u.length_squared() * v.length_squared() && edges(corners).into_iter().all(is_inward) {
        return point - normal * (normal.dot(point - a) / square);
    }
    let [first, second, third] = edges(corners).map(|edge| closest_on_segment(edge, point));
    let nearer = |p: DVec3, q: DVec3| if (q - point).length_squared() < (p - point).length_squared() { q } else { p };
    nearer(nearer(first, second), third)
}

fn closest_on_segment([from, to]: [DVec3; 2], point: DVec3) -> DVec3 {
    let along = to - from;
    let square = along.length_squared();
    if square == 0.0 {
        return from;
    }
    from + along * ((point - from).dot(along) / square).clamp(0.0, 1.0)
}
