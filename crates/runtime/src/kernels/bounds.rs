//! Axis-aligned bounds of boxes in world space.

use geometry_core::Aabb;
use glam::Vec3;

/// An axis-aligned box around something in world space, or in model space if a function says so.
///
/// Bounds rule out what cannot touch, so [`Bounds::transformed`] rounds outward; [`Aabb::transformed`] rounds to nearest. For
/// other questions, such as distances and rays, make an [`Aabb`] of the bounds.
///
/// ```
/// use geometry_core::Aabb;
/// use glam::Vec3;
/// use runtime::Bounds;
///
/// let bounds = Bounds { min: Vec3::ZERO, max: Vec3::ONE };
/// assert_eq!(Aabb::from(bounds).distance(Vec3::X * 3.0), 2.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least corner; greater than [`Bounds::max`] if the bounds are empty.
    pub min: Vec3,
    /// The greatest corner: the largest coordinate along each axis.
    pub max: Vec3,
}

impl Bounds {
    /// Bounds that contain nothing and overlap nothing.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// Returns `true` if the two bounds share a point. [`Bounds::EMPTY`] shares no point with any bounds.
    #[must_use]
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
            && self.min.z <= other.max.z
            && other.min.z <= self.max.z
    }

    /// Returns `true` if no point is in the bounds.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    #[inline]
    pub(crate) fn contains_point(&self, point: Vec3) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }

    /// The smallest bounds that contain both.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

impl From<Bounds> for Aabb {
    fn from(Bounds { min, max }: Bounds) -> Self {
        Self { min, max }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self::EMPTY
    }
}
