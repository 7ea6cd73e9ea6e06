//! Convex sets that are known by their farthest point in any direction.

use super::posed_hull::PosedHull;
use crate::dcapsule::DCapsule;
use crate::obb::Obb;
use glam::DVec3;

/// A convex set around its center. All points are relative to the center, so that a test of two sets does not depend on
/// where they are in the world.
#[derive(Clone, Copy, Debug)]
pub(super) enum Core<'a> {
    Hull(PosedHull<'a>),
    /// The smallest convex set around two hulls, of which the first has its center at the set's center and the second at this
    /// vector from it.
    Hulls([PosedHull<'a>; 2], DVec3),
    /// A box with these axes and half extents.
    Box {
        axes: [DVec3; 3],
        half: DVec3,
    },
    /// The segment `± half`; a point if `half` is zero.
    Segment(DVec3),
}

impl Core<'_> {
    /// Returns a point of the set that is farthest in a direction.
    #[inline]
    pub(super) fn support(&self, direction: DVec3) -> DVec3 {
        let towards = |half: DVec3| if direction.dot(half) < 0.0 { -half } else { half };
        match self {
            Self::Hull(hull) => hull.support(direction),
            Self::Hulls([first, last], apart) => {
                let (one, other) = (first.support(direction), *apart + last.support(direction));
                if direction.dot(one) < direction.dot(other) { other } else { one }
            }
            Self::Box { axes: [x, y, z], half } => towards(*x * half.x) + towards(*y * half.y) + towards(*z * half.z),
            Self::Segment(half) => towards(*half),
        }
    }

    /// A length that no point exceeds in its distance from the center, and to which tolerances are relative.
    pub(super) fn size(&self) -> f64 {
        match self {
            Self::Hull(hull) => hull.size,
            Self::Hulls([first, last], apart) => first.size + apart.length() + last.size,
            Self::Box { half, .. } => half.element_sum(),
            Self::Segment(half) => half.abs().element_sum(),
        }
    }
}

/// All points within a radius of a core.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solid<'a> {
    pub(super) core: Core<'a>,
    /// The place of the core's center, a point of the core.
    pub(super) center: DVec3,
    pub(super) radius: f64,
}

impl Solid<'_> {
    pub(super) fn of_box(one: &Obb) -> Self {
        let (axes, half) = (one.axes().as_dmat3(), one.half_extents().as_dvec3());
        let core = Core::Box { axes: [axes.x_axis, axes.y_axis, axes.z_axis], half };
        Self { core, center: one.center().as_dvec3(), radius: 0.0 }
    }

    pub(super) fn of_capsule(capsule: &DCapsule) -> Self {
        Self { core: Core::Segment(capsule.half_segment), center: capsule.center, radius: capsule.radius }
    }

    pub(super) fn size(&self) -> f64 {
        self.core.size() + self.radius
    }
}
