//! The share of all directions that a triangle covers, seen from a point.

use super::in_f64;
use crate::math::sqrt;
use glam::{DVec3, Vec3};

/// Returns the signed solid angle of a triangle seen from a point, in steradians from -2π to 2π. The angle is positive
/// if the point is on the back, the side from which the corners run clockwise. The sum over a closed surface is 4π for
/// points inside and 0 for points outside.
///
/// The computation is in `f64` with the arctangent of `libm`, so that the result is the same on every machine.
/// Source: van Oosterom and Strackee, *The Solid Angle of a Plane Triangle*, IEEE Transactions on Biomedical Engineering
/// 30(2), 1983.
#[must_use]
pub fn solid_angle(corners: &[Vec3; 3], point: DVec3) -> f64 {
    let [a, b, c] = in_f64(corners).map(|corner| corner - point);
    let [x, y, z] = [a, b, c].map(|corner| sqrt(corner.length_squared()));
    let volume = a.dot(b.cross(c));
    let below = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
    2.0 * libm::atan2(volume, below)
}
