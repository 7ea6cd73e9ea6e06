//! The overlap of two solids, and their distance or depth.

use super::depth::{Depth, depth};
use super::expanding_polytope::proven_depth;
use super::nearest::{CROSSING, Enough, Simplex, nearest, nearest_and_simplex};
use super::solid::{Core, Solid};
use crate::dcapsule::{ShapeSeparation, nearest_on_segment};
use glam::DVec3;

/// The tolerance by which tests of hulls lean to contact, as a share of the sum of both shapes' sizes. The size of a
/// shape is at least the distance from its center to its farthest point, and is of the same order. No unit.
///
/// The search for a direction between two shapes at the distance `d` rounds it by `2⁻⁵² · size / d`, and so loses up to
/// `2⁻⁵² · size² / d` of the distance. With `d` at 2⁻²⁴ of the size this is 2⁻²⁸ of the size, a sixteenth of the tolerance.
pub const HULL_TOLERANCE: f64 = 1.0 / 16_777_216.0;

/// The distance from the planes of a hull by which a point of the hull may lie outside, as a share of the sizes. A larger
/// share would let points far from a sharp tip count as points of the hull.
const ROUNDING: f64 = 1.0 / (1u64 << 44) as f64;

impl Solid<'_> {
    /// Returns `true` if the solids share a point; leans to `true` by [`HULL_TOLERANCE`].
    pub(super) fn overlaps(&self, other: &Solid<'_>) -> bool {
        let reach = self.radius + other.radius + HULL_TOLERANCE * (self.size() + other.size());
        let enough = Enough { beyond: reach, within: reach };
        nearest(&self.core, &other.core, other.center - self.center, enough).lower <= reach
    }

    /// Returns the distance of the solids or the depth of their overlap. One of the two solids has no radius.
    pub(super) fn separation(&self, other: &Solid<'_>) -> ShapeSeparation {
        let offset = other.center - self.center;
        let enough = Enough { beyond: f64::INFINITY, within: 0.0 };
        let (found, simplex) = nearest_and_simplex(&self.core, &other.core, offset, enough);
        let crossing = CROSSING * (self.core.size() + other.core.size());
        if found.distance <= crossing {
            return self.deepest(other, offset, found.point_a, &simplex);
        }
        let direction = found.apart / found.distance;
        let distance = found.distance - (self.radius + other.radius);
        let point_a = found.point_a + direction * self.radius;
        let point_b = found.point_a + found.apart - direction * other.radius;
        let half_way = (point_a + point_b) * 0.5;
        // The point of the solid without a radius is in the other solid too if the two overlap.
        let shared = if self.radius == 0.0 { point_a } else { point_b };
        let is_free = distance > 0.0 || self.both_hold(other, offset, half_way);
        ShapeSeparation {
            distance,
            direction,
            point_a: self.center + point_a,
            point_b: self.center + point_b,
            middle: self.center + if is_free { half_way } else { shared },
        }
    }

    /// The least depth of two cores that share a point. `simplex` is the last of the search for the nearest points.
    pub(super) fn core_depth(&self, other: &Solid<'_>, shared: DVec3, simplex: &Simplex) -> Depth {
        let offset = other.center - self.center;
        proven_depth(&self.core, &other.core, offset, simplex)
            .unwrap_or_else(|| depth(&self.core, &other.core, offset, shared))
    }

    /// The separation of solids whose cores share the point `shared`, which is relative to the center of the first
    /// core.
    fn deepest(&self, other: &Solid<'_>, offset: DVec3, shared: DVec3, simplex: &Simplex) -> ShapeSeparation {
        let Depth { depth, direction, point_a, point_b } = self.core_depth(other, shared, simplex);
        let distance = -depth.max(0.0) - (self.radius + other.radius);
        let point_a = point_a + direction * self.radius;
        let point_b = point_b - direction * other.radius;
        let half_way = (point_a + point_b) * 0.5;
        let middle = if self.both_hold(other, offset, half_way) { half_way } else { shared };
        let [point_a, point_b, middle] = [point_a, point_b, middle].map(|point| self.center + point);
        ShapeSeparation { distance, direction, point_a, point_b, middle }
    }

    fn both_hold(&self, other: &Solid<'_>, offset: DVec3, point: DVec3) -> bool {
        let slack = ROUNDING * (self.size() + other.size());
        self.holds(point, slack) && other.holds(point - offset, slack)
    }

    /// Returns `true` if the solid holds a point, which is relative to the center.
    fn holds(&self, point: DVec3, slack: f64) -> bool {
        match &self.core {
            Core::Hull(hull) | Core::Hulls([hull, _], _) => hull.holds(point, slack),
            Core::Box { axes, half } => (0..3).all(|i| axes[i].dot(point).abs() <= half[i] + slack),
            Core::Segment(half) => (point - nearest_on_segment(*half, point)).length() <= self.radius + slack,
        }
    }
}
