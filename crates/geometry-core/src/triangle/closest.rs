//! The nearest points of a triangle and a point, and of two triangles, in `f64`.
//!
//! Source: Ericson, *Real-Time Collision Detection*, section 5.1.10.

use super::borders::{closest_of_borders, closest_to};
#[cfg(doc)]
use super::overlap;
use super::overlap::{is_separating, quick_answer, touch};
use super::{in_f64, touching_point};
use crate::math::sqrt;
use glam::{DVec3, Vec3};

/// The nearest points of two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoints {
    /// The distance of the two points; 0 if the shapes touch.
    pub distance: f32,
    /// A point of the first shape.
    pub point_a: Vec3,
    /// A point of the second shape.
    pub point_b: Vec3,
}

/// Returns the point of a triangle nearest to `point`. The triangle may have no area.
///
/// The error is less than 2^-25 of the triangle's size and of the distance.
#[must_use]
pub fn closest_point(corners: &[Vec3; 3], point: DVec3) -> DVec3 {
    closest_to(&in_f64(corners), point)
}

/// Returns the nearest points of two triangles, which may have no area. The triangles touch if and only if [`overlap`]
/// returns `true`; both points are then [`touching_point`].
///
/// The error of the distance is less than 2^-24 of the distance plus 2^-25 of the longest edges of both triangles
/// together.
#[must_use]
pub fn closest_points(a: &[Vec3; 3], b: &[Vec3; 3]) -> ClosestPoints {
    let corners = (in_f64(a), in_f64(b));
    let quick = quick_answer(&corners.0, &corners.1);
    if quick != Some(true) {
        let (squared, on_a, on_b) = closest_of_borders(&corners.0, &corners.1);
        // The stages of `overlap`, with the nearest points that the second stage needs too.
        let is_apart =
            quick.is_some() || is_separating(on_b - on_a, &corners.0, &corners.1) || !touch(&corners.0, &corners.1);
        if is_apart {
            return ClosestPoints { distance: sqrt(squared) as f32, point_a: on_a.as_vec3(), point_b: on_b.as_vec3() };
        }
    }
    let point = touching_point(a, b);
    ClosestPoints { distance: 0.0, point_a: point, point_b: point }
}
