//! Makes an f32 box with given axes that holds points to the last bit.

use crate::bounds::Bounds;
use geometry_core::portable;
pub use geometry_core::portable::round_up;
use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

/// A box in f32, as a file stores it. Its axes are those of [`portable::mat3_from_quaternion`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TightBox {
    /// The center, in the space of the points.
    pub center: Vec3,
    /// The half extents along the decoded axes, in the points' unit.
    pub half_extents: Vec3,
    /// The rotation from the box's axes to the space of the points. `w` is not negative; if `w` is 0, the first
    /// component of x, y and z that is not 0 is positive.
    pub orientation: Quat,
}

impl TightBox {
    /// Returns the volume, in the points' unit cubed.
    #[must_use]
    pub fn volume(&self) -> f64 {
        let half = self.half_extents.as_dvec3();
        8.0 * half.x * half.y * half.z
    }

    /// Returns the box with every face moved out by `by`, in the points' unit, rounded outward.
    #[must_use]
    pub fn grown(&self, by: f64) -> Self {
        let grow = |half: f32| round_up(f64::from(half) + by);
        let [x, y, z] = self.half_extents.to_array();
        Self { half_extents: Vec3::new(grow(x), grow(y), grow(z)), ..*self }
    }

    /// Returns the box with every half extent at least `least`, in the points' unit.
    #[must_use]
    pub fn thickened(&self, least: f64) -> Self {
        Self { half_extents: self.half_extents.max(Vec3::splat(round_up(least))), ..*self }
    }
}

/// Returns the orientation in f32 of a box with these axes, and the axes to which this orientation decodes.
///
/// `axes` is a rotation: unit columns, right-handed. Extents must be measured along the decoded axes.
#[must_use]
pub fn stored_orientation(axes: &DMat3) -> (Quat, DMat3) {
    let [x, y, z, w] = DQuat::from_mat3(axes).normalize().to_array();
    let first = [w, x, y, z].into_iter().find(|component| *component != 0.0).unwrap_or(1.0);
    let sign = if first < 0.0 { -1.0 } else { 1.0 };
    // Adding 0 turns -0 into 0, so that equal boxes have equal bytes.
    let [x, y, z, w] = [x, y, z, w].map(|component| (sign * component) as f32 + 0.0);
    let orientation = Quat::from_xyzw(x, y, z, w);
    (orientation, portable::mat3_from_quaternion(orientation).as_dmat3())
}

/// Returns the smallest stored box with these axes around the points.
///
/// The orientation is rounded to f32 first. Extents are measured in f64 along the axes to which the orientation
/// decodes, and the center is rounded. The half extents are then rounded outward, so that two promises hold: in exact
/// arithmetic, no point is farther from the stored center along any decoded axis than the half extent; and in the f32
/// arithmetic of `geometry_core::Obb::contains`, no point that is rounded to f32 is farther. The box around no points
/// is a point at the origin.
///
/// Coordinates must be finite and below [`crate::COORDINATE_LIMIT`].
#[must_use]
pub fn enclose(axes: &DMat3, points: &[DVec3]) -> TightBox {
    enclose_moved(axes, points, |_| Bounds::EMPTY)
}

/// Returns the box of [`enclose`], enlarged to hold also the bounds that `moved` finds along the decoded axes.
///
/// The bounds are held in exact arithmetic, and in f32 by a margin for rounding.
pub(crate) fn enclose_moved(axes: &DMat3, points: &[DVec3], moved: impl FnOnce(&DMat3) -> Bounds) -> TightBox {
    let (orientation, decoded) = stored_orientation(axes);
    let rows = decoded.transpose();
    let moved = moved(&decoded);
    let mut all = moved;
    points.iter().for_each(|&point| all.add(rows * point));
    if all.is_empty() {
        return TightBox { center: Vec3::ZERO, half_extents: Vec3::ZERO, orientation };
    }
    // The decoded axes are orthogonal only up to rounding, so the center needs the inverse of `rows`: the transpose
    // would move the center to one side.
    let center = (rows.inverse() * (0.5 * (all.low + all.high))).as_vec3() + Vec3::ZERO;
    let reach = points.iter().fold(Reach::default(), |reach, &point| reach.extended(&decoded, center, point));
    let half_extents = reach.half_extents().max(half_extents_of(&moved, rows * center.as_dvec3()));
    TightBox { center, half_extents, orientation }
}

/// Returns half extents about a center. The extent, the center and the result are given along the same axes.
fn half_extents_of(extent: &Bounds, center: DVec3) -> Vec3 {
    // The f32 coordinates are rounded six times, each time by at most half a unit in the last place of 24 bits.
    const ROUNDING: f64 = 1.0 / (1u64 << 21) as f64;
    if extent.is_empty() {
        return Vec3::ZERO;
    }
    let size = extent.low.abs().max(extent.high.abs()).max_element();
    let half = (extent.high - center).max(center - extent.low).max(DVec3::ZERO);
    let [x, y, z] = (half + ROUNDING * size).to_array().map(round_up);
    Vec3::new(x, y, z)
}

/// The largest distances of points from a stored center along stored axes, in exact and in f32 arithmetic.
#[derive(Clone, Copy, Debug, Default)]
struct Reach {
    /// Upper bounds of the exact distances.
    exact: DVec3,
    /// The distances that f32 code computes.
    single: Vec3,
}

impl Reach {
    fn extended(self, axes: &DMat3, center: Vec3, point: DVec3) -> Self {
        // The bound has a difference, a product and two sums, each off by 2^-53 of its size, so 2^-50 of the sum of
        // sizes is ample.
        const ROUNDING: f64 = 1.0 / (1u64 << 50) as f64;
        let from_center = point - center.as_dvec3();
        // Along a coordinate axis nothing is rounded, so boxes around cubes come out exact.
        let exact = from_center + center.as_dvec3() == point;
        let bound = |axis: DVec3| {
            let products = axis * from_center;
            let rounding = if exact && [DVec3::X, DVec3::Y, DVec3::Z].contains(&axis.abs()) { 0.0 } else { ROUNDING };
            (products.x + products.y + products.z).abs() + rounding * products.abs().element_sum()
        };
        let single = point.as_vec3() - center;
        let axis = |axis: DVec3| single.dot(axis.as_vec3()).abs();
        Self {
            exact: self.exact.max(DVec3::new(bound(axes.x_axis), bound(axes.y_axis), bound(axes.z_axis))),
            single: self.single.max(Vec3::new(axis(axes.x_axis), axis(axes.y_axis), axis(axes.z_axis))),
        }
    }

    fn half_extents(self) -> Vec3 {
        let [x, y, z] = self.exact.to_array().map(round_up);
        Vec3::new(x, y, z).max(self.single)
    }
}
