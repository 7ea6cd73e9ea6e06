//! The first contact of two solids that move without turning.
//!
//! The search of [`nearest`](super::nearest) looks for the nearest points of two cores that do not move. Here the time advances
//! in the middle of that search. As soon as a direction shows a gap, the time advances to the end of that gap, and the
//! differences move accordingly. The search then continues with the same simplex. Conservative advancement searches anew after
//! each advance. In the bench `hull_pairs`, a cast that finds a contact takes ten steps in the mean.
//!
//! A time advances only along a direction that shows a gap, so no contact is missed, whatever rounding does to the search.
//!
//! Source: van den Bergen, *Ray Casting against General Convex Objects with Application to Continuous Collision Detection*, 2004.

use super::nearest::{CONVERGED, CROSSING, Difference, Simplex};
use super::solid::Solid;
use crate::first_contact::is_too_late;
use crate::math::sqrt;
use glam::DVec3;

/// The largest number of steps. A cast that needs more steps continues as conservative advancement.
const MAX_STEPS: usize = 64;

/// The distances that end a cast, in the unit of the solids.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closeness {
    /// Solids that are not farther apart than this may touch.
    pub(super) margin: f64,
    /// Solids that are not farther apart than this and the margin are in contact.
    pub(super) tolerance: f64,
}

/// The result of a cast.
pub(super) enum Cast {
    /// The solids do not touch until the limit.
    Apart,
    /// The solids are in contact at this time, and not before. `direction` is the unit vector from the first solid toward the
    /// second along which the solids are `distance` apart.
    Contact { time: f64, direction: DVec3, distance: f64 },
    /// The cores share points at the time 0: the simplex has four corners around the origin.
    Crossing(Simplex),
    /// The solids do not touch before this time. The cast did not find out more.
    Unknown { time: f64 },
}

/// Casts solid `b` at solid `a`. `relative` is the way that `b` moves relative to `a` between the times 0 and 1. A contact after
/// the time `limit` is not reported.
pub(super) fn cast(a: &Solid<'_>, b: &Solid<'_>, relative: DVec3, closeness: Closeness, limit: f32) -> Cast {
    let size = a.core.size() + b.core.size();
    let radii = a.radius + b.radius;
    let start = b.center - a.center;
    let (mut offset, mut time) = (start, 0.0);
    // The first direction is that between the centers.
    let (mut simplex, mut nearest) = (Simplex::EMPTY, -start);
    // An upper limit of the distance.
    let mut distance = f64::INFINITY;
    for _ in 0..MAX_STEPS {
        let long = sqrt(nearest.length_squared());
        // The search for a direction divides by the length.
        if long <= CROSSING * size {
            break;
        }
        let towards_b = -nearest;
        let of_a = a.core.support(towards_b);
        let mut farther = Difference { at: (of_a - b.core.support(nearest)) - offset, of_a };
        let direction = towards_b / long;
        let lower = -direction.dot(farther.at);
        let gap = lower - radii - closeness.margin;
        let is_near = distance - radii <= closeness.margin + closeness.tolerance;
        if is_near && distance - lower <= CONVERGED * size {
            return Cast::Contact { time, direction, distance: lower - radii };
        }
        let advances = !is_near && gap > 0.0;
        if advances {
            let speed = -direction.dot(relative);
            if speed <= 0.0 {
                return Cast::Apart;
            }
            time += gap / speed;
            if is_too_late(time, limit) {
                return Cast::Apart;
            }
            let next = start + relative * time;
            simplex.shift(offset - next);
            farther.at += offset - next;
            offset = next;
        }
        simplex.push(farther);
        let Some(next) = simplex.reduce() else {
            if time == 0.0 {
                return Cast::Crossing(simplex);
            }
            break;
        };
        let next_distance = sqrt(next.length_squared());
        // Without progress the limits stay as far apart as rounding makes them.
        if !advances && next_distance >= distance {
            if is_near {
                return Cast::Contact { time, direction, distance: lower - radii };
            }
            break;
        }
        (nearest, distance) = (next, next_distance);
    }
    Cast::Unknown { time }
}
