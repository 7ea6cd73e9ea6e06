//! Rays and segments against oriented rectangles, by the slab method in the plane.

use crate::error::{ShapeError, check_coordinates};
use crate::obb::POINT_TOLERANCE;
use crate::plane::obb2::Obb2;
use crate::ray_obb::SlabHit;
use glam::{DVec2, Vec2};

/// A ray in the plane: all points `origin + t · direction` for `t ≥ 0`. The direction may have any length except zero.
/// A time `t` is a multiple of the direction, so it is a distance if the direction has unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Ray2 {
    origin: Vec2,
    direction: Vec2,
}

impl Ray2 {
    /// Makes a ray from its origin and direction.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if an argument is not finite or too large, or if the direction has the length zero.
    pub fn try_new(origin: Vec2, direction: Vec2) -> Result<Self, ShapeError> {
        check_coordinates("origin", &origin.to_array())?;
        check_coordinates("direction", &direction.to_array())?;
        if direction == Vec2::ZERO {
            return Err(ShapeError::ZeroLength { part: "direction" });
        }
        Ok(Self { origin, direction })
    }

    /// The point where the ray starts.
    #[must_use]
    pub fn origin(&self) -> Vec2 {
        self.origin
    }

    /// The direction; its length is not zero.
    #[must_use]
    pub fn direction(&self) -> Vec2 {
        self.direction
    }

    /// The point that the ray reaches at `time`: `origin + time * direction`.
    #[must_use]
    pub fn at(&self, time: f32) -> Vec2 {
        self.origin + self.direction * time
    }
}

/// The part of a ray inside a rectangle; see [`RayHit`](crate::RayHit).
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct RayHit2 {
    /// The time of the first point inside, a multiple of the ray's direction; zero if the ray starts inside.
    pub entry: f32,
    /// The time of the last point inside, a multiple of the ray's direction; at least `entry`.
    pub exit: f32,
    /// The outward unit normal of the side where the ray enters; `None` if the ray starts inside.
    pub normal: Option<Vec2>,
}

impl Obb2 {
    /// Returns the part of a ray inside the rectangle, or `None` if the ray does not reach the rectangle at a time `0 ≤
    /// t ≤ limit`. Times are multiples of the ray's direction; an infinite limit means no limit. A ray also hits if it
    /// passes the rectangle at a distance of at most [`POINT_TOLERANCE`] times the sum of the half extents.
    ///
    /// ```
    /// use geometry_core::plane::{Obb2, Ray2};
    /// use glam::{DVec2, Vec2};
    ///
    /// let mirror = Obb2::new(Vec2::new(5.0, 0.0), Vec2::new(0.5, 2.0), 0.0);
    /// let hit = mirror.cast_ray(&Ray2::try_new(Vec2::ZERO, Vec2::X)?, f32::INFINITY).unwrap();
    /// assert_eq!((hit.entry, hit.exit, hit.normal), (4.5, 5.5, Some(-Vec2::X)));
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray2, limit: f32) -> Option<RayHit2> {
        let ([x, y], direction) = (self.exact_axes(), ray.direction.as_dvec2());
        let slack = f64::from(self.extent_sum() * POINT_TOLERANCE);
        let (origin, direction) =
            (self.exact_local(ray.origin.as_dvec2()), DVec2::new(x.dot(direction), y.dot(direction)));
        let hit = cast_slabs(origin, direction, self.half_extents().as_dvec2(), slack, f64::from(limit))?;
        let normal = hit.face.map(|(axis, sign)| self.axes()[axis] * sign as f32);
        Some(RayHit2 { entry: hit.entry as f32, exit: hit.exit as f32, normal })
    }

    /// Returns true if a rectangle and the segment between two points share a point. Touching counts; the test leans to
    /// `true` by [`POINT_TOLERANCE`] times the sum of the half extents. Points that are not finite give `false`.
    ///
    /// The test uses three separating axes in `f64`, without a division: the rectangle's two axes and the segment's
    /// normal.
    ///
    /// Source: Ericson, *Real-Time Collision Detection*, section 5.3.3, in the plane.
    #[must_use]
    pub fn overlaps_segment(&self, start: Vec2, end: Vec2) -> bool {
        let (start, end) = (self.exact_local(start.as_dvec2()), self.exact_local(end.as_dvec2()));
        let (middle, reach) = ((start + end) * 0.5, (end - start) * 0.5);
        let (half, span) = (self.lenient_half_extents(), reach.abs());
        // The test has no early exits, because about half of the segments in a game are near the rectangle, and one
        // mispredicted branch costs more than all three axes. An end that is not finite makes the span infinite or NaN.
        (span.x < f64::INFINITY)
            & (span.y < f64::INFINITY)
            & (middle.x.abs() <= half.x + span.x)
            & (middle.y.abs() <= half.y + span.y)
            & (middle.perp_dot(reach).abs() <= half.x * span.y + half.y * span.x)
    }
}

/// The slab method around the origin, as in [`Obb::cast_ray`](crate::Obb::cast_ray) with two slabs. Times are compared
/// as fractions, and divided only if the ray hits.
#[inline]
fn cast_slabs(origin: DVec2, direction: DVec2, half: DVec2, slack: f64, limit: f64) -> Option<SlabHit> {
    // The distances to the centers of both slabs, and the speeds in these directions.
    let (way, speed) = (-origin * direction.signum(), direction.abs());
    let (near, far) = (way - half, way + half);
    let (first, last) = (near - slack, far + slack);
    let still = [speed.x == 0.0, speed.y == 0.0];
    if (still[0] && (first.x > 0.0 || last.x < 0.0)) || (still[1] && (first.y > 0.0 || last.y < 0.0)) {
        return None;
    }
    let entered = usize::from(still[0] || first.y * speed.x > first.x * speed.y);
    let left = usize::from(still[0] || last.y * speed.x < last.x * speed.y);
    let (entry, exit) = (first[entered], last[left]);
    if entry * speed[left] > exit * speed[entered] || exit < 0.0 || entry > limit * speed[entered] || limit < 0.0 {
        return None;
    }
    let exit = far[left] / speed[left];
    if entry <= 0.0 {
        return Some(SlabHit { entry: 0.0, exit: exit.max(0.0), face: None });
    }
    let entry = (near[entered] / speed[entered]).max(0.0).min(limit);
    let sign = if direction[entered] > 0.0 { -1.0 } else { 1.0 };
    Some(SlabHit { entry, exit: exit.max(entry), face: Some((entered, sign)) })
}
