//! The oriented rectangle in the plane.

use crate::error::{ShapeError, check_coordinates, check_sizes};
use crate::obb::POINT_TOLERANCE;
use crate::plane::aabb2::Aabb2;
use crate::portable::round_up;
use glam::{DVec2, Vec2};

/// The largest distance of a corner that [`Obb2::try_from_corners`] takes from the nearest corner of a true rectangle,
/// as a share of the rectangle's size. No unit.
pub const CORNER_TOLERANCE: f64 = 1.0e-3;

/// An oriented rectangle: a center, half extents, an angle, and the unit axes of that angle.
///
/// The rectangle may be in any plane and unit. Angles are in radians, from x toward y. It is a closed set: touching
/// counts. Half extents may be zero. The x axis is `(cos, sin)` by `libm`, which is the same on every machine. The y
/// axis is the x axis turned by a right angle without rounding, so the stored axes are exactly at right angles.
///
/// ```
/// use geometry_core::plane::Obb2;
/// use glam::Vec2;
///
/// let mut card = Obb2::new(Vec2::ZERO, Vec2::new(3.0, 2.0), 0.0);
/// assert!(card.contains(Vec2::new(3.0, 2.0)));
/// card.set_angle(core::f32::consts::FRAC_PI_2)?;
/// assert!(!card.contains(Vec2::new(3.0, 2.0)) && card.contains(Vec2::new(2.0, 3.0)));
/// # Ok::<(), geometry_core::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::serde_parts::Obb2Parts", into = "crate::serde_parts::Obb2Parts")
)]
#[must_use]
pub struct Obb2 {
    center: Vec2,
    half_extents: Vec2,
    angle: f32,
    x_axis: Vec2,
}

impl Obb2 {
    /// Makes a rectangle from its center, half extents and angle in radians.
    ///
    /// # Panics
    /// Panics if [`Obb2::try_new`] returns an error.
    pub fn new(center: Vec2, half_extents: Vec2, angle: f32) -> Self {
        Self::try_new(center, half_extents, angle).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Makes a rectangle from its center, half extents and angle. The angle is in radians and may be any number of
    /// turns.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if an argument is not finite or too large, or if a half extent is negative.
    pub fn try_new(center: Vec2, half_extents: Vec2, angle: f32) -> Result<Self, ShapeError> {
        check_coordinates("center", &center.to_array())?;
        check_sizes("half extents", &half_extents.to_array())?;
        Ok(Self { center, half_extents, angle, x_axis: axis_at(angle)? })
    }

    /// Makes an oriented rectangle that contains an axis-aligned rectangle. The half extents are rounded up, so that
    /// the result contains all corners.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if the rectangle is empty, or a field is not finite or too large.
    pub fn try_from_aabb(aabb: &Aabb2) -> Result<Self, ShapeError> {
        if aabb.is_empty() {
            return Err(ShapeError::NoPoints);
        }
        let center = aabb.min * 0.5 + aabb.max * 0.5;
        Self::try_around(aabb.corners().map(Vec2::as_dvec2).into_iter(), center, 0.0)
    }

    /// Makes a rectangle from its four corners, listed in order around it in either direction. The first edge gives the
    /// x axis.
    ///
    /// The corners may be off by [`CORNER_TOLERANCE`] times the rectangle's size; the result contains all four. If
    /// corners coincide, the rectangle has no area.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate is not finite or too large. Corners whose diagonals have different
    /// centers give [`ShapeError::NotRectangle`], and those of a slanted parallelogram [`ShapeError::NotOrthogonal`].
    ///
    /// ```
    /// use geometry_core::plane::Obb2;
    /// use glam::Vec2;
    ///
    /// let diamond = [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y];
    /// let square = Obb2::try_from_corners(diamond)?;
    /// assert!((square.half_extents() - Vec2::splat(0.5_f32.sqrt())).length() < 1e-6);
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    pub fn try_from_corners(corners: [Vec2; 4]) -> Result<Self, ShapeError> {
        for corner in corners {
            check_coordinates("corners", &corner.to_array())?;
        }
        let [a, b, c, d] = corners.map(Vec2::as_dvec2);
        let (along, across) = ((b - a) + (c - d), (d - a) + (c - b));
        let size = along.length() + across.length();
        // The diagonals of a parallelogram have the same center.
        let skew = (a + c - b - d).length();
        if skew > CORNER_TOLERANCE * size {
            return Err(ShapeError::NotRectangle { part: "corners", offset: (skew / size) as f32 });
        }
        let dot = along.dot(across);
        if dot.abs() > CORNER_TOLERANCE * along.length() * across.length() {
            let dot = (dot / (along.length() * across.length())) as f32;
            return Err(ShapeError::NotOrthogonal { part: "corners", first: 0, second: 1, dot });
        }
        // The longer side has the more accurate direction.
        let x = if along.length() >= across.length() { along } else { DVec2::new(across.y, -across.x) };
        let x = if x.dot(along) < 0.0 { -x } else { x };
        let center = ((a + b + c + d) * 0.25).as_vec2();
        Self::try_around([a, b, c, d].into_iter(), center, libm::atan2(x.y, x.x) as f32)
    }

    /// Makes the rectangle with a given angle around points, and computes its center from the point `near`. The half
    /// extents are measured along the stored axes in `f64` and rounded up, so that no point is outside.
    pub(crate) fn try_around(
        points: impl Iterator<Item = DVec2> + Clone,
        near: Vec2,
        angle: f32,
    ) -> Result<Self, ShapeError> {
        let mut rectangle = Self::try_new(near, Vec2::ZERO, angle)?;
        let [x, y] = rectangle.exact_axes();
        let reach = |center: DVec2| {
            let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
            for point in points.clone() {
                let local = DVec2::new(x.dot(point - center), y.dot(point - center));
                (low, high) = (low.min(local), high.max(local));
            }
            (low, high)
        };
        let (low, high) = reach(near.as_dvec2());
        let middle = (low + high) * 0.5;
        // The stored axes are at right angles, but their length has a rounding error, so coordinates along them are
        // divided by it.
        let exact = near.as_dvec2() + (x * middle.x + y * middle.y) / x.length_squared();
        rectangle.center = exact.as_vec2();
        let (low, high) = reach(rectangle.center.as_dvec2());
        let needed = (high.max(-low)) / x.length_squared();
        rectangle.half_extents = Vec2::new(round_up(needed.x), round_up(needed.y));
        check_sizes("half extents", &rectangle.half_extents.to_array())?;
        Ok(rectangle)
    }

    /// Turns the rectangle to an angle in radians, and computes its axes anew.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if the angle is not finite or too large; the rectangle then stays unchanged.
    pub fn set_angle(&mut self, angle: f32) -> Result<(), ShapeError> {
        self.x_axis = axis_at(angle)?;
        self.angle = angle;
        Ok(())
    }

    /// Moves the center of the rectangle.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if the center is not finite or too large; the rectangle then stays unchanged.
    pub fn set_center(&mut self, center: Vec2) -> Result<(), ShapeError> {
        check_coordinates("center", &center.to_array())?;
        self.center = center;
        Ok(())
    }

    /// The center of the rectangle.
    #[must_use]
    #[inline]
    pub fn center(&self) -> Vec2 {
        self.center
    }

    /// Half the edge lengths along the rectangle's axes; each at least 0.
    #[must_use]
    #[inline]
    pub fn half_extents(&self) -> Vec2 {
        self.half_extents
    }

    /// The angle in radians, from x toward y, as it was given.
    #[must_use]
    #[inline]
    pub fn angle(&self) -> f32 {
        self.angle
    }

    /// The unit x axis and the unit y axis.
    #[must_use]
    #[inline]
    pub fn axes(&self) -> [Vec2; 2] {
        [self.x_axis, self.x_axis.perp()]
    }

    #[inline]
    pub(crate) fn exact_axes(&self) -> [DVec2; 2] {
        let x = self.x_axis.as_dvec2();
        [x, DVec2::new(-x.y, x.x)]
    }

    /// The corners as [`Obb2::corners`] orders them, without rounding.
    #[inline]
    pub(crate) fn exact_corners(&self) -> [DVec2; 4] {
        let ([x, y], half, center) = (self.exact_axes(), self.half_extents.as_dvec2(), self.center.as_dvec2());
        let (x, y) = (x * half.x, y * half.y);
        [center - x - y, center + x - y, center - x + y, center + x + y]
    }

    /// The four corners, rounded to `f32`. Corner `k` lies on the positive side of axis `i` if bit `i` of `k` is set,
    /// and on the negative side otherwise (0 is x, 1 is y).
    #[must_use]
    pub fn corners(&self) -> [Vec2; 4] {
        self.exact_corners().map(DVec2::as_vec2)
    }

    /// The area, in the rectangle's unit squared.
    #[must_use]
    pub fn area(&self) -> f32 {
        4.0 * self.half_extents.x * self.half_extents.y
    }

    /// The sum of the half extents. Tolerances are relative to this sum.
    #[must_use]
    pub fn extent_sum(&self) -> f32 {
        self.half_extents.x + self.half_extents.y
    }

    /// The smallest axis-aligned rectangle around this rectangle. Its bounds are rounded to the nearest `f32`.
    pub fn aabb(&self) -> Aabb2 {
        let corners = self.corners();
        Aabb2 {
            min: corners.into_iter().fold(Vec2::INFINITY, Vec2::min),
            max: corners.into_iter().fold(Vec2::NEG_INFINITY, Vec2::max),
        }
    }

    /// Coordinates along the axes, relative to the center. The error is 2⁻²² of the point's distance from the center.
    #[inline]
    fn local(&self, point: Vec2) -> Vec2 {
        let offset = point - self.center;
        Vec2::new(self.x_axis.dot(offset), self.x_axis.perp_dot(offset))
    }

    #[inline]
    pub(crate) fn exact_local(&self, point: DVec2) -> DVec2 {
        let [x, y] = self.exact_axes();
        let offset = point - self.center.as_dvec2();
        DVec2::new(x.dot(offset), y.dot(offset))
    }

    #[inline]
    pub(crate) fn lenient_half_extents(&self) -> DVec2 {
        self.half_extents.as_dvec2() + DVec2::splat(f64::from(self.extent_sum() * POINT_TOLERANCE))
    }

    /// Returns true if the point is inside or on the border. The test leans to `true` by [`POINT_TOLERANCE`] times the
    /// sum of the half extents.
    #[must_use]
    #[inline]
    pub fn contains(&self, point: Vec2) -> bool {
        // Near the border, `f32` rounding errors are an eighth of the tolerance.
        let (local, lean) = (self.local(point), self.extent_sum() * POINT_TOLERANCE);
        local.x.abs() <= self.half_extents.x + lean && local.y.abs() <= self.half_extents.y + lean
    }

    /// Returns true if all of another rectangle is inside or on the border. The test leans to `true` as
    /// [`Obb2::contains`] does.
    ///
    /// ```
    /// use geometry_core::plane::Obb2;
    /// use glam::Vec2;
    ///
    /// let table = Obb2::new(Vec2::ZERO, Vec2::new(2.0, 1.0), 0.4);
    /// assert!(table.contains_obb(&table));
    /// assert!(!table.contains_obb(&Obb2::new(Vec2::ZERO, Vec2::splat(1.0), 0.5)));
    /// ```
    #[must_use]
    pub fn contains_obb(&self, other: &Self) -> bool {
        let half = self.lenient_half_extents();
        other.exact_corners().into_iter().all(|corner| {
            let local = self.exact_local(corner).abs();
            local.x <= half.x && local.y <= half.y
        })
    }

    /// The point of the rectangle that is nearest to `point`, up to rounding.
    #[must_use]
    pub fn closest_point(&self, point: Vec2) -> Vec2 {
        let half = self.half_extents.as_dvec2();
        let local = self.exact_local(point.as_dvec2()).clamp(-half, half);
        let [x, y] = self.exact_axes();
        (self.center.as_dvec2() + x * local.x + y * local.y).as_vec2()
    }

    /// The distance to a point, zero inside the rectangle. The error is 1e-6 of the distance and of the rectangle's
    /// size.
    #[must_use]
    #[inline]
    pub fn distance(&self, point: Vec2) -> f32 {
        (self.local(point).abs() - self.half_extents).max(Vec2::ZERO).length()
    }
}

fn axis_at(angle: f32) -> Result<Vec2, ShapeError> {
    check_coordinates("angle", &[angle])?;
    let (sin, cos) = libm::sincos(f64::from(angle));
    Ok(Vec2::new(cos as f32, sin as f32))
}
