//! The axis-aligned rectangle in the plane.

use crate::error::{ShapeError, check_coordinates, check_sizes};
use glam::{Affine2, Vec2};

/// An axis-aligned rectangle: all points between `min` and `max`, both included.
///
/// The rectangle may be in any plane and unit, with y up or down. It is a closed set: rectangles that share a single
/// point overlap. All comparisons are exact. [`Aabb2::EMPTY`] contains no point, and every operation accepts it.
///
/// The constructors refuse NaN and infinities. A rectangle whose fields are set to NaN directly overlaps nothing and
/// contains nothing.
///
/// ```
/// use geometry_core::plane::Aabb2;
/// use glam::Vec2;
///
/// let screen = Aabb2::new(Vec2::ZERO, Vec2::new(1920.0, 1080.0));
/// let window = Aabb2::try_from_center(Vec2::new(1900.0, 500.0), Vec2::splat(100.0))?;
/// assert!(screen.overlaps(&window) && !screen.contains_aabb(&window));
/// assert_eq!(screen.intersection(&window).size(), Vec2::new(120.0, 200.0));
/// # Ok::<(), geometry_core::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct Aabb2 {
    /// The smallest coordinate on each axis.
    pub min: Vec2,
    /// The largest coordinate on each axis.
    pub max: Vec2,
}

impl Aabb2 {
    /// The rectangle that contains no point; the identity of [`Aabb2::union`].
    pub const EMPTY: Self = Self { min: Vec2::INFINITY, max: Vec2::NEG_INFINITY };

    /// Makes a rectangle from its lower and upper bounds.
    ///
    /// # Panics
    /// Panics if [`Aabb2::try_new`] returns an error.
    pub fn new(min: Vec2, max: Vec2) -> Self {
        Self::try_new(min, max).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Makes a rectangle from its lower and upper bounds.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate is not finite or too large, or if a lower bound is above its upper bound.
    pub fn try_new(min: Vec2, max: Vec2) -> Result<Self, ShapeError> {
        check_coordinates("min", &min.to_array())?;
        check_coordinates("max", &max.to_array())?;
        for axis in 0..2 {
            if min[axis] > max[axis] {
                return Err(ShapeError::Inverted { axis, min: min[axis], max: max[axis] });
            }
        }
        Ok(Self { min, max })
    }

    /// Makes a rectangle from its center and half extents. The bounds are rounded to `f32`.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if an argument is not finite or too large, or if a half extent is negative.
    pub fn try_from_center(center: Vec2, half_extents: Vec2) -> Result<Self, ShapeError> {
        check_coordinates("center", &center.to_array())?;
        check_sizes("half extents", &half_extents.to_array())?;
        Self::try_new(center - half_extents, center + half_extents)
    }

    /// Returns the smallest rectangle around the points, or [`Aabb2::EMPTY`] if there are none. No coordinate is
    /// rounded.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate is not finite or too large.
    pub fn try_from_points(points: impl IntoIterator<Item = Vec2>) -> Result<Self, ShapeError> {
        let mut bounds = Self::EMPTY;
        for point in points {
            check_coordinates("points", &point.to_array())?;
            bounds = bounds.including(point);
        }
        Ok(bounds)
    }

    /// Returns true if the rectangle contains no point. A rectangle of a single point is not empty.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        (self.min.x > self.max.x) | (self.min.y > self.max.y)
    }

    /// The center of the rectangle; NaN for the empty rectangle.
    #[must_use]
    pub fn center(&self) -> Vec2 {
        (self.min + self.max) * 0.5
    }

    /// The edge lengths; zero for the empty rectangle.
    #[must_use]
    pub fn size(&self) -> Vec2 {
        if self.is_empty() { Vec2::ZERO } else { self.max - self.min }
    }

    /// The area, in the rectangle's unit squared.
    #[must_use]
    pub fn area(&self) -> f32 {
        let size = self.size();
        size.x * size.y
    }

    /// The four corners. Corner `k` has the upper bound on axis `i` if bit `i` of `k` is set, and the lower bound
    /// otherwise (0 is x, 1 is y).
    #[must_use]
    pub fn corners(&self) -> [Vec2; 4] {
        [self.min, Vec2::new(self.max.x, self.min.y), Vec2::new(self.min.x, self.max.y), self.max]
    }

    /// Returns the smallest rectangle around this rectangle and a point.
    pub fn including(&self, point: Vec2) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    /// Returns the smallest rectangle around both rectangles.
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns the common part of both rectangles. It has no area if they only touch, and is [`Aabb2::EMPTY`] if they
    /// do not overlap.
    pub fn intersection(&self, other: &Self) -> Self {
        let common = Self { min: self.min.max(other.min), max: self.max.min(other.max) };
        if common.is_empty() { Self::EMPTY } else { common }
    }

    /// Returns true if the rectangles share a point. Touching counts, and the test is exact.
    #[must_use]
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        // The test has no early exits, because four comparisons cost less than one mispredicted branch.
        (self.min.x <= other.max.x)
            & (self.max.x >= other.min.x)
            & (self.min.y <= other.max.y)
            & (self.max.y >= other.min.y)
    }

    /// Returns true if the point is inside or on the border. The test is exact.
    #[must_use]
    #[inline]
    pub fn contains(&self, point: Vec2) -> bool {
        (self.min.x <= point.x) & (point.x <= self.max.x) & (self.min.y <= point.y) & (point.y <= self.max.y)
    }

    /// Returns true if all of `other` is inside. The test is exact; shared borders count. [`Aabb2::EMPTY`] is in every
    /// rectangle.
    #[must_use]
    #[inline]
    pub fn contains_aabb(&self, other: &Self) -> bool {
        let within = (self.min.x <= other.min.x)
            & (other.max.x <= self.max.x)
            & (self.min.y <= other.min.y)
            & (other.max.y <= self.max.y);
        // The comparisons above are all true if `other` is empty.
        within
    }

    /// Returns the point of the rectangle that is nearest to `point`; NaN for the empty rectangle.
    #[must_use]
    pub fn closest_point(&self, point: Vec2) -> Vec2 {
        if self.is_empty() { Vec2::NAN } else { point.max(self.min).min(self.max) }
    }

    /// Returns the smallest axis-aligned rectangle around the image of this rectangle under an affine map, by Arvo's
    /// method. Repeated calls make the rectangle grow, as [`Aabb::transformed`](crate::Aabb::transformed) explains.
    ///
    /// ```
    /// use geometry_core::plane::Aabb2;
    /// use glam::{Affine2, Vec2};
    ///
    /// let square = Aabb2::new(Vec2::splat(-1.0), Vec2::ONE);
    /// let turned = square.transformed(&Affine2::from_angle(core::f32::consts::FRAC_PI_4));
    /// assert!((turned.max.x - 2.0_f32.sqrt()).abs() < 1e-6);
    /// ```
    pub fn transformed(&self, map: &Affine2) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let (mut min, mut max) = (map.translation, map.translation);
        // The components are read one by one, so that the arithmetic gives the same bits on every machine.
        let m = map.matrix2.to_cols_array();
        for (column, low, high) in
            [(Vec2::new(m[0], m[1]), self.min.x, self.max.x), (Vec2::new(m[2], m[3]), self.min.y, self.max.y)]
        {
            let (from_low, from_high) = (column * low, column * high);
            min += from_low.min(from_high);
            max += from_low.max(from_high);
        }
        Self { min, max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_nan_and_touching() {
        let unit = Aabb2::new(Vec2::ZERO, Vec2::ONE);
        assert_eq!(Aabb2::EMPTY.union(&unit), unit);
        assert!(!Aabb2::EMPTY.overlaps(&unit) && unit.contains_aabb(&Aabb2::EMPTY));
        assert!(unit.overlaps(&Aabb2::new(Vec2::ONE, Vec2::splat(2.0))));
        let broken = Aabb2 { min: Vec2::NAN, max: Vec2::ONE };
        assert!(!unit.overlaps(&broken) && !broken.contains(Vec2::ZERO) && !unit.contains_aabb(&broken));
        assert!(Aabb2::try_new(Vec2::NAN, Vec2::ONE).is_err() && Aabb2::try_new(Vec2::ONE, Vec2::ZERO).is_err());
        assert!(Aabb2::try_from_points([Vec2::INFINITY]).is_err());
        assert!(Aabb2::EMPTY.transformed(&Affine2::from_angle(1.0)).is_empty());
    }
}
