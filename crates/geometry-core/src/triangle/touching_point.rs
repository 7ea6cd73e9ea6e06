//! A point that two touching triangles share, for display and for effects.

use super::borders::{closest_of_borders, closest_with_normal};
use super::{edges, in_f64};
use glam::{DVec3, Vec3};

/// The largest distance of the point of [`touching_point`] from either triangle, as a share of the largest coordinate
/// of the two triangles. No unit. The distance comes from two roundings to `f32`.
pub const TOUCHING_POINT_ERROR: f32 = 1.0 / 8_388_608.0;

/// Returns a point that both triangles share. Call this function for triangles that overlap; for other triangles it
/// returns a point between their nearest points.
///
/// The triangles may share many points; this point is one where an edge of one triangle meets the other triangle. The
/// arithmetic is in `f64` in a fixed order, so that the point is the same on every machine. The point lies within
/// [`TOUCHING_POINT_ERROR`] of both triangles.
#[must_use]
pub fn touching_point(a: &[Vec3; 3], b: &[Vec3; 3]) -> Vec3 {
    let (a, b) = (in_f64(a), in_f64(b));
    let largest = a.iter().chain(&b).fold(0.0f64, |largest, corner| largest.max(corner.abs().max_element()));
    // This distance is far less than the rounding error of the result.
    let enough = largest / 1_073_741_824.0;
    let mut best = (f64::INFINITY, a[0]);
    for (one, other) in [(&a, &b), (&b, &a)] {
        let normal = (other[1] - other[0]).cross(other[2] - other[0]);
        let [first, second, third] = one.map(|corner| normal.dot(corner - other[0]));
        for (edge, heights) in edges(one).into_iter().zip([[first, second], [second, third], [third, first]]) {
            let Some(point) = crossing(edge, heights) else { continue };
            let on_other = closest_with_normal(other, normal, point);
            let squared = (on_other - point).length_squared();
            if squared < best.0 {
                best = (squared, point);
            }
            if squared <= enough * enough {
                return point.as_vec3();
            }
        }
    }
    // The planes are nearly parallel, so the borders are as near to each other as the planes.
    let (squared, on_a, on_b) = closest_of_borders(&a, &b);
    if squared < best.0 { ((on_a + on_b) * 0.5).as_vec3() } else { best.1.as_vec3() }
}

/// Returns the point where a segment crosses a plane; `None` if it does not cross the plane or lies in it. The heights are those of
/// the segment's ends over the plane.
#[inline]
fn crossing([p, q]: [DVec3; 2], [at_p, at_q]: [f64; 2]) -> Option<DVec3> {
    let crosses = (at_p <= 0.0 && at_q >= 0.0) || (at_p >= 0.0 && at_q <= 0.0);
    (crosses && at_p != at_q).then(|| p + (q - p) * (at_p / (at_p - at_q)))
}
