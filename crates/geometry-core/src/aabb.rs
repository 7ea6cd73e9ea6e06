//! The axis-aligned box in space.

use crate::error::{ShapeError, check_coordinates, check_sizes};
use crate::portable::{affine_parts, mat3_mul_vec3};
use glam::{Affine3A, Vec3, Vec3A};

/// An axis-aligned box: all points between `min` and `max`, both included.
///
/// The box may be in any space and unit. It is a closed set: boxes that share a single point overlap. All comparisons
/// are exact, without a tolerance. A box may be flat, a line or a point. [`Aabb::EMPTY`] contains no point, and every
/// operation accepts it.
///
/// The constructors refuse NaN and infinities. A box whose fields are set to NaN directly overlaps nothing and contains
/// nothing.
///
/// ```
/// use geometry_core::Aabb;
/// use glam::Vec3;
///
/// let crate_box = Aabb::new(Vec3::ZERO, Vec3::ONE);
/// let touching = Aabb::new(Vec3::new(1.0, 0.0, 0.0), Vec3::new(2.0, 1.0, 1.0));
/// assert!(crate_box.overlaps(&touching));
/// assert_eq!(crate_box.union(&touching).size(), Vec3::new(2.0, 1.0, 1.0));
/// assert_eq!(crate_box.intersection(&touching).volume(), 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct Aabb {
    /// The smallest coordinate on each axis.
    pub min: Vec3,
    /// The largest coordinate on each axis.
    pub max: Vec3,
}

impl Aabb {
    /// The box that contains no point. It is the identity of [`Aabb::union`], so a fold over points starts with it.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// Makes a box from its lower and upper bounds.
    ///
    /// # Panics
    /// Panics if [`Aabb::try_new`] returns an error.
    pub fn new(min: Vec3, max: Vec3) -> Self {
        Self::try_new(min, max).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Makes a box from its lower and upper bounds.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate is not finite or larger than [`MAX_COORDINATE`](crate::MAX_COORDINATE),
    /// or if a lower bound is above its upper bound.
    pub fn try_new(min: Vec3, max: Vec3) -> Result<Self, ShapeError> {
        check_coordinates("min", &min.to_array())?;
        check_coordinates("max", &max.to_array())?;
        for axis in 0..3 {
            if min[axis] > max[axis] {
                return Err(ShapeError::Inverted { axis, min: min[axis], max: max[axis] });
            }
        }
        Ok(Self { min, max })
    }

    /// Makes a box from its center and half extents.
    ///
    /// The bounds are rounded to `f32`. Far from the origin, a small half extent may be lost by this rounding.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if an argument is not finite or too large, or if a half extent is negative.
    pub fn try_from_center(center: Vec3, half_extents: Vec3) -> Result<Self, ShapeError> {
        check_coordinates("center", &center.to_array())?;
        check_sizes("half extents", &half_extents.to_array())?;
        Self::try_new(center - half_extents, center + half_extents)
    }

    /// Returns the smallest box around the points, or [`Aabb::EMPTY`] if there are none. No coordinate is rounded.
    ///
    /// # Panics
    /// Panics if [`Aabb::try_from_points`] returns an error.
    pub fn from_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        Self::try_from_points(points).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns the smallest box around the points, or [`Aabb::EMPTY`] if there are none. No coordinate is rounded.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate is not finite or larger than [`MAX_COORDINATE`](crate::MAX_COORDINATE).
    pub fn try_from_points(points: impl IntoIterator<Item = Vec3>) -> Result<Self, ShapeError> {
        let mut bounds = Self::EMPTY;
        for point in points {
            check_coordinates("points", &point.to_array())?;
            bounds = bounds.including(point);
        }
        Ok(bounds)
    }

    /// Returns true if the box contains no point. A box of a single point is not empty.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        (self.min.x > self.max.x) | (self.min.y > self.max.y) | (self.min.z > self.max.z)
    }

    /// The center of the box; NaN for the empty box.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// The edge lengths; zero for the empty box.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { self.max - self.min }
    }

    /// Half the edge lengths; zero for the empty box.
    #[must_use]
    pub fn half_extents(&self) -> Vec3 {
        self.size() * 0.5
    }

    /// The volume, in the box's unit cubed; zero for flat boxes and the empty box.
    #[must_use]
    pub fn volume(&self) -> f32 {
        let size = self.size();
        size.x * size.y * size.z
    }

    /// The surface area, in the box's unit squared. A flat box has two sides, and both count.
    #[must_use]
    pub fn surface_area(&self) -> f32 {
        let size = self.size();
        2.0 * (size.x * size.y + size.y * size.z + size.z * size.x)
    }

    /// The eight corners. Corner `k` has the upper bound on axis `i` if bit `i` of `k` is set, and the lower bound
    /// otherwise (0 is x, 1 is y, 2 is z).
    #[must_use]
    pub fn corners(&self) -> [Vec3; 8] {
        core::array::from_fn(|k| {
            Vec3::new(
                if k & 1 == 0 { self.min.x } else { self.max.x },
                if k & 2 == 0 { self.min.y } else { self.max.y },
                if k & 4 == 0 { self.min.z } else { self.max.z },
            )
        })
    }

    /// Returns the smallest box around this box and a point.
    pub fn including(&self, point: Vec3) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    /// Returns the smallest box around both boxes.
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns the common part of both boxes. It is flat if the boxes only touch, and [`Aabb::EMPTY`] if they do not
    /// overlap.
    pub fn intersection(&self, other: &Self) -> Self {
        let common = Self { min: self.min.max(other.min), max: self.max.min(other.max) };
        if common.is_empty() { Self::EMPTY } else { common }
    }

    /// Moves every side outward by `margin`. A negative margin shrinks the box, down to [`Aabb::EMPTY`].
    pub fn grown(&self, margin: f32) -> Self {
        let grown = Self { min: self.min - Vec3::splat(margin), max: self.max + Vec3::splat(margin) };
        if grown.is_empty() { Self::EMPTY } else { grown }
    }

    /// Returns true if the boxes share a point. Touching counts, and the test is exact.
    #[must_use]
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        // The test has no early exits, because six comparisons cost less than one mispredicted branch.
        (self.min.x <= other.max.x)
            & (self.max.x >= other.min.x)
            & (self.min.y <= other.max.y)
            & (self.max.y >= other.min.y)
            & (self.min.z <= other.max.z)
            & (self.max.z >= other.min.z)
    }

    /// Returns true if the point is in the box or on its surface. The test is exact.
    #[must_use]
    #[inline]
    pub fn contains(&self, point: Vec3) -> bool {
        (self.min.x <= point.x)
            & (point.x <= self.max.x)
            & (self.min.y <= point.y)
            & (point.y <= self.max.y)
            & (self.min.z <= point.z)
            & (point.z <= self.max.z)
    }

    /// Returns true if all of `other` is in this box. The test is exact; shared faces count. [`Aabb::EMPTY`] is in
    /// every box.
    #[must_use]
    #[inline]
    pub fn contains_aabb(&self, other: &Self) -> bool {
        let within = (self.min.x <= other.min.x)
            & (other.max.x <= self.max.x)
            & (self.min.y <= other.min.y)
            & (other.max.y <= self.max.y)
            & (self.min.z <= other.min.z)
            & (other.max.z <= self.max.z);
        // The comparisons above are all true if `other` is empty.
        within
    }

    /// Returns the point of the box that is nearest to `point`. If `point` is inside, the result is `point` itself.
    ///
    /// For the empty box the result is NaN.
    #[must_use]
    pub fn closest_point(&self, point: Vec3) -> Vec3 {
        if self.is_empty() { Vec3::NAN } else { point.max(self.min).min(self.max) }
    }

    /// The distance from the box to a point: zero inside the box, and infinite for [`Aabb::EMPTY`]. The relative error
    /// is a few `f32` roundings.
    #[must_use]
    #[inline]
    pub fn distance(&self, point: Vec3) -> f32 {
        let out = (self.min - point).max(point - self.max).max(Vec3::ZERO);
        out.length()
    }

    /// Returns the smallest axis-aligned box around the image of this box under an affine map.
    ///
    /// The function computes no corners: each bound of the image is a sum of three numbers, and each of them is the
    /// smaller or the larger of two products.
    ///
    /// Repeated calls make the box grow. A unit cube turned by 45° about z gets a box with edge 1.414. Turning that box
    /// back by 45° gives a box with edge 2, although the cube itself has edge 1. To avoid this growth, compute the box
    /// from the points again, with [`Aabb::from_transformed_points`].
    ///
    /// Each bound has an error of a few `f32` roundings of the largest coordinate. An empty box stays empty.
    ///
    /// Source: Arvo, *Transforming Axis-Aligned Bounding Boxes*, Graphics Gems (1990), VIII.2.
    ///
    /// ```
    /// use geometry_core::Aabb;
    /// use glam::{Affine3A, Vec3};
    ///
    /// let turn = Affine3A::from_rotation_z(core::f32::consts::FRAC_PI_4);
    /// let cube = Aabb::new(Vec3::splat(-0.5), Vec3::splat(0.5));
    /// let once = cube.transformed(&turn);
    /// assert!((once.size().x - 2.0_f32.sqrt()).abs() < 1e-6);
    /// let back = once.transformed(&turn.inverse());
    /// assert!((back.size().x - 2.0).abs() < 1e-6);
    ///
    /// let turned_back = cube.corners().map(|corner| turn.inverse().transform_point3(corner));
    /// let refitted = Aabb::from_transformed_points(&turn, turned_back);
    /// assert!((refitted.size().x - 1.0).abs() < 1e-6);
    /// ```
    pub fn transformed(&self, map: &Affine3A) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        // The arithmetic runs lane by lane, so that it gives the same bits on every machine.
        let columns = &map.matrix3;
        let bounds = |column: Vec3A, low: f32, high: f32| {
            let (from_low, from_high) = (column * low, column * high);
            (from_low.min(from_high), from_low.max(from_high))
        };
        let (x_min, x_max) = bounds(columns.x_axis, self.min.x, self.max.x);
        let (y_min, y_max) = bounds(columns.y_axis, self.min.y, self.max.y);
        let (z_min, z_max) = bounds(columns.z_axis, self.min.z, self.max.z);
        Self {
            min: Vec3::from(map.translation + x_min + y_min + z_min),
            max: Vec3::from(map.translation + x_max + y_max + z_max),
        }
    }

    /// Returns the smallest box around the images of the points. It is at most as large as [`Aabb::transformed`] of the
    /// points' own box.
    pub fn from_transformed_points(map: &Affine3A, points: impl IntoIterator<Item = Vec3>) -> Self {
        let (linear, translation) = affine_parts(map);
        points
            .into_iter()
            .fold(Self::EMPTY, |bounds, point| bounds.including(mat3_mul_vec3(&linear, point) + translation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_box_is_the_identity() {
        let unit = Aabb::new(Vec3::ZERO, Vec3::ONE);
        assert_eq!(Aabb::EMPTY.union(&unit), unit);
        assert_eq!(Aabb::EMPTY.including(Vec3::ONE), Aabb::new(Vec3::ONE, Vec3::ONE));
        assert!(Aabb::EMPTY.is_empty() && !Aabb::EMPTY.overlaps(&unit) && !Aabb::EMPTY.overlaps(&Aabb::EMPTY));
        assert!(unit.contains_aabb(&Aabb::EMPTY) && !Aabb::EMPTY.contains_aabb(&unit));
        assert_eq!((Aabb::EMPTY.volume(), Aabb::EMPTY.surface_area(), Aabb::EMPTY.size()), (0.0, 0.0, Vec3::ZERO));
        assert!(Aabb::EMPTY.transformed(&Affine3A::from_rotation_x(1.0)).is_empty());
        assert_eq!(Aabb::EMPTY.distance(Vec3::ZERO), f32::INFINITY);
        assert_eq!(Aabb::from_points([]), Aabb::EMPTY);
    }

    #[test]
    fn a_nan_never_overlaps() {
        let unit = Aabb::new(Vec3::ZERO, Vec3::ONE);
        let broken = Aabb { min: Vec3::new(0.0, f32::NAN, 0.0), max: Vec3::ONE };
        assert!(!unit.overlaps(&broken) && !broken.overlaps(&unit) && !broken.contains(Vec3::ZERO));
        assert!(!unit.contains_aabb(&broken) && !broken.contains_aabb(&unit));
        assert!(Aabb::try_new(Vec3::NAN, Vec3::ONE).is_err());
        assert!(Aabb::try_new(Vec3::ZERO, Vec3::INFINITY).is_err());
        assert!(Aabb::try_new(Vec3::ONE, Vec3::ZERO).is_err());
        assert!(Aabb::try_from_points([Vec3::ZERO, Vec3::new(0.0, 0.0, f32::NEG_INFINITY)]).is_err());
    }

    #[test]
    fn intersection_and_growth() {
        let a = Aabb::new(Vec3::ZERO, Vec3::splat(2.0));
        let b = Aabb::new(Vec3::ONE, Vec3::splat(3.0));
        assert_eq!(a.intersection(&b), Aabb::new(Vec3::ONE, Vec3::splat(2.0)));
        assert!(a.intersection(&b.transformed(&Affine3A::from_translation(Vec3::splat(5.0)))).is_empty());
        assert_eq!(a.grown(0.5).size(), Vec3::splat(3.0));
        assert!(a.grown(-1.5).is_empty());
        assert_eq!(a.closest_point(Vec3::new(3.0, 1.0, -1.0)), Vec3::new(2.0, 1.0, 0.0));
    }
}
