//! Two oriented rectangles, by the separating axis test on 4 axes with projection radii.
//!
//! Two rectangles are disjoint if one of the four directions of their sides separates them. On a direction, each
//! rectangle projects to an interval around its center. The radius of the interval is the sum of the half extents times
//! the dot products of the axes with the direction, so no corner is computed. Everything is computed in `f64` on the
//! stored numbers, whose products are exact. The remaining error is less than [`EXACT_TOLERANCE`] of the sizes and
//! distances, and answers lean to contact by that much.
//!
//! Source: Ericson, *Real-Time Collision Detection*, section 4.4.1, which treats boxes in space; for projection radii
//! Gottschalk, Lin and Manocha, *OBBTree* (1996), section 5.

use crate::plane::aabb2::Aabb2;
use crate::plane::obb2::Obb2;
use crate::sat_obb_obb::EXACT_TOLERANCE;
use glam::{DVec2, Vec2};

/// A rectangle as its center and half edges, in `f64` without rounding.
pub(crate) struct ExactRectangle {
    pub(crate) center: DVec2,
    pub(crate) axes: [DVec2; 2],
    pub(crate) half: DVec2,
}

impl ExactRectangle {
    pub(crate) fn from_obb(obb: &Obb2) -> Self {
        Self { center: obb.center().as_dvec2(), axes: obb.exact_axes(), half: obb.half_extents().as_dvec2() }
    }

    pub(crate) fn from_aabb(aabb: &Aabb2) -> Self {
        let (min, max) = (aabb.min.as_dvec2(), aabb.max.as_dvec2());
        Self { center: (min + max) * 0.5, axes: DVec2::AXES, half: (max - min) * 0.5 }
    }

    #[inline]
    fn radius(&self, direction: DVec2) -> f64 {
        self.half.x * direction.dot(self.axes[0]).abs() + self.half.y * direction.dot(self.axes[1]).abs()
    }
}

/// The gap between two rectangles along a direction from the first to the second. The direction is not exactly of unit
/// length.
#[derive(Clone, Copy)]
pub(crate) struct Gap {
    pub(crate) direction: DVec2,
    /// Positive: the size of the gap. Negative: the depth of the overlap.
    pub(crate) gap: f64,
    /// The largest rounding error of `gap`.
    pub(crate) slack: f64,
}

/// The gaps along all four directions, the two of the first rectangle first.
pub(crate) fn gaps(a: &ExactRectangle, b: &ExactRectangle) -> impl Iterator<Item = Gap> {
    let difference = b.center - a.center;
    let sum = |v: DVec2| v.x.abs() + v.y.abs();
    let slack = EXACT_TOLERANCE * (sum(a.center) + sum(b.center) + sum(a.half) + sum(b.half));
    [a.axes[0], a.axes[1], b.axes[0], b.axes[1]].into_iter().map(move |axis| {
        let along = axis.dot(difference);
        let gap = along.abs() - (a.radius(axis) + b.radius(axis));
        Gap { direction: if along < 0.0 { -axis } else { axis }, gap, slack }
    })
}

impl Obb2 {
    /// Returns true if the rectangles share a point. Touching counts.
    ///
    /// ```
    /// use geometry_core::plane::Obb2;
    /// use glam::Vec2;
    ///
    /// let car = Obb2::new(Vec2::ZERO, Vec2::new(2.2, 0.9), 0.3);
    /// let truck = Obb2::new(Vec2::new(4.0, 1.5), Vec2::new(3.0, 1.2), -0.5);
    /// assert_eq!(car.overlaps(&truck), truck.overlaps(&car));
    /// assert!(car.overlaps(&truck));
    /// ```
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (ExactRectangle::from_obb(self), ExactRectangle::from_obb(other));
        !gaps(&a, &b).any(|gap| gap.gap > gap.slack)
    }

    /// Returns true if this rectangle and an axis-aligned rectangle share a point. Touching counts; the empty rectangle
    /// overlaps nothing.
    #[must_use]
    pub fn overlaps_aabb(&self, aabb: &Aabb2) -> bool {
        if !(aabb.min.x <= aabb.max.x && aabb.min.y <= aabb.max.y) {
            return false;
        }
        !gaps(&ExactRectangle::from_obb(self), &ExactRectangle::from_aabb(aabb)).any(|gap| gap.gap > gap.slack)
    }

    /// Returns the shortest vector by which `other` must move so that the rectangles only touch, or `None` if they do
    /// not overlap.
    ///
    /// The vector is zero if they already only touch. If several vectors have the same length, an axis of this
    /// rectangle is preferred.
    ///
    /// ```
    /// use geometry_core::plane::Obb2;
    /// use glam::Vec2;
    ///
    /// let wall = Obb2::new(Vec2::ZERO, Vec2::new(1.0, 10.0), 0.0);
    /// let player = Obb2::new(Vec2::new(1.25, 3.0), Vec2::splat(0.5), 0.0);
    /// assert_eq!(wall.minimum_translation(&player), Some(Vec2::new(0.25, 0.0)));
    /// ```
    #[must_use]
    pub fn minimum_translation(&self, other: &Self) -> Option<Vec2> {
        let (a, b) = (ExactRectangle::from_obb(self), ExactRectangle::from_obb(other));
        let mut least: Option<Gap> = None;
        for gap in gaps(&a, &b) {
            if gap.gap > gap.slack {
                return None;
            }
            if least.is_none_or(|least| gap.gap > least.gap + gap.slack) {
                least = Some(gap);
            }
        }
        // A move by d along the stored axis, whose length is |d|, changes the gap by |d|².
        least.map(|gap| (gap.direction * (-gap.gap.min(0.0) / gap.direction.length_squared())).as_vec2())
    }
}
