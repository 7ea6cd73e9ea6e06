//! The nearest points of two convex cores, with limits of the distance that hold whatever the search does.
//!
//! The search of Gilbert, Johnson and Keerthi looks at the differences of two points, one of each core. They form a convex
//! set, and the distance of the cores is the distance of that set from the origin. The search keeps a simplex of one to four
//! such differences, finds the simplex' point nearest to the origin, and replaces the simplex by one that reaches farther
//! toward the origin.
//!
//! Every step gives two limits. The nearest point of the simplex is a difference of two points of the cores, so its distance
//! from the origin is an upper limit. The farthest difference toward the origin bounds the set by a plane, so the plane's
//! distance is a lower limit. The search ends when both limits are equal up to [`CONVERGED`], or when rounding lets no
//! simplex come nearer.

use super::solid::Core;
use crate::math::sqrt;
use glam::DVec3;

/// The difference between the two limits at which the search ends, as a share of both cores' sizes. No unit.
pub(super) const CONVERGED: f64 = 1.0 / (1u64 << 36) as f64;

/// Cores whose points are nearer than this share of their sizes count as sharing a point, because the direction between the
/// two points would be rounding. No unit.
pub(super) const CROSSING: f64 = 1e-9;

/// The largest number of steps. Each step comes nearer to the origin, so the search ends anyway. In 300,000 random cases,
/// including hulls as thin as needles, the search took 4 steps in the mean and 14 at most, and always until both limits were
/// equal.
const MAX_STEPS: usize = 256;

/// A triangle whose corner has a smaller sine than this is replaced by its edges, because its normal may be rounding.
const SLIVER: f64 = 1e-10;

/// The nearest points of two cores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// The vector from the first core's point to the second core's point.
    pub(super) apart: DVec3,
    /// The point of the first core, relative to the first core's center.
    pub(super) point_a: DVec3,
    /// The length of `apart`: an upper limit of the distance.
    pub(super) distance: f64,
    /// A lower limit of the distance; 0 or less if the cores may share a point.
    pub(super) lower: f64,
    /// The unit vector from the first core toward the second along which the cores are `lower` apart.
    pub(super) direction: DVec3,
}

/// The distances at which the search may stop: when the cores are farther apart than `beyond`, or not farther apart than
/// `within`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Enough {
    pub(super) beyond: f64,
    pub(super) within: f64,
}

/// A difference of two points, and the first of the two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    pub(super) at: DVec3,
    pub(super) of_a: DVec3,
}

impl Difference {
    pub(super) const ZERO: Self = Self { at: DVec3::ZERO, of_a: DVec3::ZERO };
}

/// A simplex of differences: its nearest point to the origin is the sum of `weights[i] * corners[i].at`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simplex {
    corners: [Difference; 4],
    weights: [f64; 4],
    len: usize,
}

/// Finds the nearest points of two cores. `offset` is the vector from the first core's center to the second core's center.
/// Exchanging the cores and turning the offset around gives the same limits, to the last bit.
pub(super) fn nearest(a: &Core<'_>, b: &Core<'_>, offset: DVec3, enough: Enough) -> Nearest {
    nearest_and_simplex(a, b, offset, enough).0
}

/// Finds what [`nearest`] finds, and the simplex of the last step.
#[inline]
pub(super) fn nearest_and_simplex(a: &Core<'_>, b: &Core<'_>, offset: DVec3, enough: Enough) -> (Nearest, Simplex) {
    let size = a.size() + b.size();
    let mut found =
        Nearest { apart: DVec3::ZERO, point_a: DVec3::ZERO, distance: 0.0, lower: 0.0, direction: DVec3::ZERO };
    if offset == DVec3::ZERO {
        return (found, Simplex::of_one(Difference::ZERO));
    }
    let difference = |towards_b: DVec3| {
        let of_a = a.support(towards_b);
        // Sums of the two cores' points first: in the other order of the cores every number has the other sign.
        Difference { at: (of_a - b.support(-towards_b)) - offset, of_a }
    };
    let first = difference(offset);
    let mut simplex = Simplex::of_one(first);
    let mut nearest = first.at;
    (found.apart, found.point_a) = (-nearest, first.of_a);
    (found.distance, found.lower) = (sqrt(nearest.length_squared()), f64::NEG_INFINITY);
    // Many cores that are apart are so along the vector between their centers.
    let centers = sqrt(offset.length_squared());
    let along_centers = -offset.dot(first.at) / centers;
    if along_centers > enough.beyond {
        (found.lower, found.direction) = (along_centers, offset / centers);
        return (found, simplex);
    }
    for _ in 0..MAX_STEPS {
        if found.distance <= enough.within.max(CROSSING * size) {
            break;
        }
        let farther = difference(-nearest);
        let lower = nearest.dot(farther.at) / found.distance;
        if lower > found.lower {
            (found.lower, found.direction) = (lower, -nearest / found.distance);
        }
        if found.lower > enough.beyond || found.distance - found.lower <= CONVERGED * size {
            break;
        }
        simplex.push(farther);
        let Some(next_nearest) = simplex.reduce() else {
            // The origin is inside.
            (found.apart, found.distance) = (DVec3::ZERO, 0.0);
            found.point_a = simplex.around_origin();
            break;
        };
        let distance = sqrt(next_nearest.length_squared());
        // Without progress the limits stay as far apart as rounding makes them.
        if distance >= found.distance {
            break;
        }
        nearest = next_nearest;
        (found.apart, found.point_a, found.distance) = (-nearest, simplex.point_a(), distance);
    }
    if found.distance <= CROSSING * size {
        found.lower = found.lower.min(0.0);
    }
    (found, simplex)
}

impl Simplex {
    pub(super) const EMPTY: Self = Self { corners: [Difference::ZERO; 4], weights: [0.0; 4], len: 0 };

    pub(super) fn of_one(corner: Difference) -> Self {
        Self { corners: [corner; 4], weights: [1.0, 0.0, 0.0, 0.0], len: 1 }
    }

    /// The four corners; `None` if the simplex has fewer.
    pub(super) fn tetrahedron(&self) -> Option<&[Difference; 4]> {
        (self.len == 4).then_some(&self.corners)
    }

    /// Moves all corners.
    pub(super) fn shift(&mut self, by: DVec3) {
        for corner in &mut self.corners[..self.len] {
            corner.at += by;
        }
    }

    /// Adds a corner. The simplex has at most three corners before: a simplex of four holds the origin, or loses a corner in
    /// [`Simplex::reduce`].
    pub(super) fn push(&mut self, corner: Difference) {
        let place = self.len.min(3);
        self.corners[place] = corner;
        self.len = place + 1;
    }

    fn point_a(&self) -> DVec3 {
        let weighted = self.corners.iter().zip(self.weights).take(self.len);
        weighted.fold(DVec3::ZERO, |sum, (corner, weight)| sum + corner.of_a * weight)
    }

    /// Returns the point of the simplex that is nearest to the origin, and drops the corners that this point does not need.
    /// `None` if the origin is inside; then all corners stay.
    pub(super) fn reduce(&mut self) -> Option<DVec3> {
        let at = |corner: usize| self.corners[corner].at;
        let (point, corners, weights) = match self.len {
            1 => (at(0), [0; 3], [1.0, 0.0, 0.0]),
            2 => on_segment(at, [0, 1]),
            3 => on_triangle(at, [0, 1, 2]),
            _ => on_tetrahedron(at)?,
        };
        self.len = 0;
        // Every part names its corners in ascending order, so no corner is overwritten before it is read.
        for (corner, weight) in corners.into_iter().zip(weights) {
            if weight > 0.0 {
                (self.corners[self.len], self.weights[self.len]) = (self.corners[corner], weight);
                self.len += 1;
            }
        }
        Some(point)
    }

    /// Returns the point of the first core for the origin, which a tetrahedron contains.
    pub(super) fn around_origin(&self) -> DVec3 {
        let [a, b, c, d] = self.corners.map(|corner| corner.at);
        // The volumes between the origin and the side across from each corner.
        let volumes = [b.cross(c).dot(d), -a.cross(c).dot(d), a.cross(b).dot(d), -a.cross(b).dot(c)].map(f64::abs);
        let sum: f64 = volumes.iter().sum();
        let weights = if sum > 0.0 { volumes.map(|volume| volume / sum) } else { [0.25; 4] };
        Self { weights, ..*self }.point_a()
    }
}

/// The point of a part of a simplex that is nearest to the origin: the point, corners and their weights. A corner with the
/// weight zero does not count.
pub(super) type Part = (DVec3, [usize; 3], [f64; 3]);

fn on_segment(at: impl Fn(usize) -> DVec3, [a, b]: [usize; 2]) -> Part {
    let (from, along) = (at(a), at(b) - at(a));
    let long = along.length_squared();
    let time = if long > 0.0 { (-from.dot(along) / long).clamp(0.0, 1.0) } else { 0.0 };
    if time == 1.0 {
        return (at(b), [b; 3], [1.0, 0.0, 0.0]);
    }
    (from + along * time, [a, b, b], [1.0 - time, time, 0.0])
}

pub(super) fn on_triangle(at: impl Fn(usize) -> DVec3, [a, b, c]: [usize; 3]) -> Part {
    let (p, q, r) = (at(a), at(b), at(c));
    let (u, v) = (q - p, r - p);
    let normal = u.cross(v);
    let square = normal.length_squared();
    if square > SLIVER * SLIVER * u.length_squared() * v.length_squared() {
        let parts = [normal.dot(q.cross(r)), normal.dot(r.cross(p)), normal.dot(p.cross(q))];
        if parts.iter().all(|&part| part > 0.0) {
            let sum = parts[0] + parts[1] + parts[2];
            // Along the normal the direction is accurate, even if the triangle is very near to the origin.
            return (normal * (normal.dot(p) / square), [a, b, c], parts.map(|part| part / sum));
        }
    }
    let sides = [on_segment(&at, [a, b]), on_segment(&at, [a, c]), on_segment(&at, [b, c])];
    nearer(nearer(sides[0], sides[1]), sides[2])
}

/// Returns `None` if the origin is inside.
fn on_tetrahedron(at: impl Fn(usize) -> DVec3) -> Option<Part> {
    let mut best: Option<Part> = None;
    for [a, b, c, across] in [[0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0], [0, 1, 2, 3]] {
        let (p, q, r) = (at(a), at(b), at(c));
        let normal = (q - p).cross(r - p);
        let (inside, origin) = (normal.dot(at(across) - p), -normal.dot(p));
        // A tetrahedron without a volume is inside of none of its sides.
        if (inside > 0.0 && origin >= 0.0) || (inside < 0.0 && origin <= 0.0) {
            continue;
        }
        let side = on_triangle(&at, [a, b, c]);
        best = Some(best.map_or(side, |best| nearer(best, side)));
    }
    best
}

fn nearer(one: Part, other: Part) -> Part {
    if other.0.length_squared() < one.0.length_squared() { other } else { one }
}
