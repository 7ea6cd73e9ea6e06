//! Spheres and capsules against triangles.

use super::borders::closest_to;
use super::{Corners, edges, in_f64, overlap};
use crate::segments::closest_on_segments;
use crate::shapes::{Capsule, Sphere};
use glam::{DVec3, Vec3};

/// The tolerance by which the tests of round shapes against triangles lean to contact, as a share of the radius and of
/// the largest distance between the shapes' points. No unit. Distances are computed in `f64` from stored numbers, so
/// the tolerance is far more than their rounding error; near-parallel edges lose half of the digits.
pub const TRIANGLE_TOLERANCE: f32 = 1.0 / 33_554_432.0;

/// Returns `true` if a sphere and a triangle share a point. Touching counts; the test leans to `true` by
/// [`TRIANGLE_TOLERANCE`].
#[must_use]
pub fn overlaps_sphere(corners: &[Vec3; 3], sphere: &Sphere) -> bool {
    let (corners, center) = (in_f64(corners), sphere.center.as_dvec3());
    is_within((closest_to(&corners, center) - center).length_squared(), sphere.radius, &corners, center)
}

/// Returns `true` if a capsule and a triangle share a point. Touching counts; the test leans to `true` by
/// [`TRIANGLE_TOLERANCE`].
#[must_use]
pub fn overlaps_capsule(corners: &[Vec3; 3], capsule: &Capsule) -> bool {
    let [start, end] = [capsule.segment.start, capsule.segment.end];
    // A segment is a triangle without area.
    if overlap(corners, &[start, end, end]) {
        return true;
    }
    let corners = in_f64(corners);
    let segment = [start.as_dvec3(), end.as_dvec3()];
    let mut least = f64::INFINITY;
    for end in segment {
        least = least.min((closest_to(&corners, end) - end).length_squared());
    }
    for edge in edges(&corners) {
        let (p, q) = closest_on_segments(edge, segment);
        least = least.min((p - q).length_squared());
    }
    is_within(least, capsule.radius, &corners, segment[0])
}

fn is_within(squared: f64, radius: f32, corners: &Corners, from: DVec3) -> bool {
    let reach = corners.iter().map(|corner| (*corner - from).abs().max_element()).fold(0.0, f64::max);
    let radius = f64::from(radius);
    let reach = radius + (radius + reach) * f64::from(TRIANGLE_TOLERANCE);
    squared <= reach * reach
}
