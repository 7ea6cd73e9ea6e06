//! The distance of two solids, without the depth of their overlap.

use super::nearest::{CROSSING, Enough, nearest};
use super::separation::HULL_TOLERANCE;
use super::solid::Solid;
use crate::dcapsule::ShapeSeparation;
use glam::DVec3;

/// The distance between two shapes and their nearest points, in the unit and the space of the shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct ShapeDistance {
    /// The distance, at least 0; 0 if the shapes overlap.
    pub distance: f64,
    /// The point of the first shape that is nearest to the second shape. If the shapes overlap, a point that both share.
    pub point_a: DVec3,
    /// The point of the second shape that is nearest to the first shape. If the shapes overlap, the same point as `point_a`.
    pub point_b: DVec3,
}

impl ShapeDistance {
    /// Returns the distance with the shapes' roles exchanged.
    pub fn swapped(self) -> Self {
        Self { point_a: self.point_b, point_b: self.point_a, ..self }
    }
}

impl From<ShapeSeparation> for ShapeDistance {
    /// Converts a separation. The distance of shapes that overlap is 0.
    fn from(found: ShapeSeparation) -> Self {
        let ShapeSeparation { distance, point_a, point_b, middle, .. } = found;
        if distance > 0.0 {
            Self { distance, point_a, point_b }
        } else {
            Self { distance: 0.0, point_a: middle, point_b: middle }
        }
    }
}

impl Solid<'_> {
    /// Returns the distance of two solids, which is that of [`Solid::separation`] or 0 for a depth. `None` if the distance is
    /// larger than `limit` by more than [`HULL_TOLERANCE`] of both sizes. One of the two solids has no radius.
    pub(super) fn distance(&self, other: &Solid<'_>, limit: f64) -> Option<ShapeDistance> {
        let offset = other.center - self.center;
        let radii = self.radius + other.radius;
        let beyond = limit + radii + HULL_TOLERANCE * (self.size() + other.size());
        let found = nearest(&self.core, &other.core, offset, Enough { beyond, within: 0.0 });
        if limit.is_nan() || found.lower > beyond {
            return None;
        }
        let crossing = CROSSING * (self.core.size() + other.core.size());
        let at = |distance: f64, point_a: DVec3, point_b: DVec3| {
            Some(ShapeDistance { distance, point_a: self.center + point_a, point_b: self.center + point_b })
        };
        if found.distance <= crossing {
            return at(0.0, found.point_a, found.point_a);
        }
        let distance = found.distance - radii;
        let point_b = found.point_a + found.apart;
        if distance > 0.0 {
            let direction = found.apart / found.distance;
            return at(distance, found.point_a + direction * self.radius, point_b - direction * other.radius);
        }
        // The point of the solid without a radius is in the other solid.
        let shared = if self.radius == 0.0 { found.point_a } else { point_b };
        at(0.0, shared, shared)
    }
}
