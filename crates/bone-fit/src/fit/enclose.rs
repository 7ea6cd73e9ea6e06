//! From axes and points to a box in f32 that holds them, to the last bit.

use crate::bounds::Bounds;
use geometry_core::portable;
use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

/// A box as it is stored: f32, its axes those of [`portable::mat3_from_quaternion`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TightBox {
    /// In the space of the points.
    pub center: Vec3,
    /// Along the decoded axes.
    pub half_extents: Vec3,
    /// Space from box; `w` not negative (the first other component, where `w` is 0).
    pub orientation: Quat,
}

impl TightBox {
    /// In the points' unit cubed.
    #[must_use]
    pub fn volume(&self) -> f64 {
        let half = self.half_extents.as_dvec3();
        8.0 * half.x * half.y * half.z
    }

    /// The box with every face `by` farther out, rounded outward.
    #[must_use]
    pub fn grown(&self, by: f64) -> Self {
        let grow = |half: f32| round_up(f64::from(half) + by);
        let [x, y, z] = self.half_extents.to_array();
        Self { half_extents: Vec3::new(grow(x), grow(y), grow(z)), ..*self }
    }

    /// The box with every half extent at least `least`.
    #[must_use]
    pub fn thickened(&self, least: f64) -> Self {
        Self { half_extents: self.half_extents.max(Vec3::splat(round_up(least))), ..*self }
    }
}

/// The smallest f32 that is not below.
///
/// Above `f32::MAX` that is infinity; NaN stays NaN.
#[must_use]
pub fn round_up(value: f64) -> f32 {
    let nearest = value as f32;
    if f64::from(nearest) < value { nearest.next_up() } else { nearest }
}

/// The axes a box with these axes will have once its orientation is stored in f32.
///
/// `axes` is a rotation: unit columns, right-handed. Only the decoded axes count from here on, and extents must be
/// measured along them.
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

/// The smallest stored box with these axes around the points.
///
/// The orientation is rounded to f32 first, extents are measured in f64 along the axes it decodes to, the center is
/// rounded, and the half extents are then rounded outward twice over: no point is farther from the stored center along
/// any decoded axis in exact arithmetic, nor is any point, rounded to f32, in the f32 arithmetic of
/// `geometry_core::Obb::contains`. Of no points: a point at the origin.
///
/// Coordinates must be finite and below [`crate::COORDINATE_LIMIT`].
#[must_use]
pub fn enclose(axes: &DMat3, points: &[DVec3]) -> TightBox {
    enclose_moved(axes, points, |_| Bounds::EMPTY)
}

/// As [`enclose`], and around what `moved` finds along the decoded axes.
///
/// Positions that were measured only as an extent are held in exact arithmetic, and in f32 by a margin for rounding.
pub(crate) fn enclose_moved(axes: &DMat3, points: &[DVec3], moved: impl FnOnce(&DMat3) -> Bounds) -> TightBox {
    let (orientation, decoded) = stored_orientation(axes);
    let rows = decoded.transpose();
    let moved = moved(&decoded);
    let mut all = moved;
    points.iter().for_each(|&point| all.add(rows * point));
    if all.is_empty() {
        return TightBox { center: Vec3::ZERO, half_extents: Vec3::ZERO, orientation };
    }
    // The decoded axes are orthogonal to rounding only: the inverse of `rows`, not its transpose, keeps the box central.
    let center = (rows.inverse() * (0.5 * (all.low + all.high))).as_vec3() + Vec3::ZERO;
    let reach = points.iter().fold(Reach::default(), |reach, &point| reach.extended(&decoded, center, point));
    let half_extents = reach.half_extents().max(half_extents_of(&moved, rows * center.as_dvec3()));
    TightBox { center, half_extents, orientation }
}

/// Half extents about a center, all three given along the axes.
fn half_extents_of(extent: &Bounds, center: DVec3) -> Vec3 {
    // Six roundings of f32 coordinates, each half a unit in the last place of 24 bits.
    const ROUNDING: f64 = 1.0 / (1u64 << 21) as f64;
    if extent.is_empty() {
        return Vec3::ZERO;
    }
    let size = extent.low.abs().max(extent.high.abs()).max_element();
    let half = (extent.high - center).max(center - extent.low).max(DVec3::ZERO);
    let [x, y, z] = (half + ROUNDING * size).to_array().map(round_up);
    Vec3::new(x, y, z)
}

/// How far points get from a stored center along stored axes, in both arithmetics.
#[derive(Clone, Copy, Debug, Default)]
struct Reach {
    /// Upper bounds of the exact distances.
    exact: DVec3,
    /// What f32 code computes.
    single: Vec3,
}

impl Reach {
    fn extended(self, axes: &DMat3, center: Vec3, point: DVec3) -> Self {
        // A product and two sums after a difference, each off by 2^-53 of its size: 2^-50 of the sum of sizes is ample.
        const ROUNDING: f64 = 1.0 / (1u64 << 50) as f64;
        let from_center = point - center.as_dvec3();
        // Along a coordinate axis nothing is rounded: boxes of artists' cubes come out exact.
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
