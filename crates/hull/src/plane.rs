//! Planes of faces in plain `f64`, with a proven bound on their error.

use crate::predicates::{exponent_of, times_power_of_two};
use glam::DVec3;

/// Half a unit in the last place of 1: the relative error of one rounding.
const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Covers products that underflow: they are off by less than `2^-1074` each.
const UNDERFLOW: f64 = 1e-290;

/// The plane through three points, which says on which side of it other points lie.
///
/// # Error bound
///
/// Points are read in local coordinates `q = fl(p - origin)`, at most `radius` in size, so each coordinate is off by at
/// most `u * radius` (`u` the unit roundoff). With `s = |b - a|` and `t = |c - a|` in the maximum norm:
///
/// - each component of a computed difference is off by at most `e = 4 u * radius` (two shifted points, one rounding of
///   a value of at most `2 * radius`);
/// - each component of the normal, a difference of two products, by at most `2 e (s + t + e) + 4 u s t`; call it `m`;
/// - the height is the exact form `n · (q - a)` with that normal, off by at most `3 m * 2 radius`; shifting `q` and `a`
///   costs `2 u * radius |n|₁`, and rounding `n · q`, `n · a` and their difference at most `8 u * radius |n|₁`.
///
/// The sum is doubled, which covers the terms of second order in `u` and the rounding of the bound itself.
/// So a computed height beyond that bound ([`Precision::Within`]) has the sign of the exact one. Static filters of this kind: Devillers and Pion,
/// *Efficient Exact Geometric Predicates for Delaunay Triangulations*, 2003.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    normal: DVec3,
    offset: f64,
    precision: Precision,
}

/// How far a height that [`Plane::height`] computes may be from the exact one.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Precision {
    /// The height is exact, and so is its sign: a height of zero means that the point lies in the plane.
    Exact,
    /// The height is off by at most this much, in the unit of the height. Larger heights have the right sign.
    Within(f64),
}

/// The heights from which on a point may lie, and beyond which it does lie, strictly above a plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thresholds {
    /// A point of at least this computed height may lie strictly above the plane; any other point does not.
    pub(crate) may_be_above: f64,
    /// A point of a larger computed height lies strictly above the plane.
    pub(crate) is_above: f64,
}

/// Proof that the coordinates of a set are few whole steps apart, so that plain `f64` loses no bit: voxels, grids,
/// positions quantized to 16 bits. All heights over planes through points of such a set are exact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lattice(());

impl Lattice {
    /// A set spans at most this many steps, `2^16`. Counted in steps from the lowest corner, coordinates and differences
    /// are at most `2^16`, a component of a normal `2^33`, a height before its offset `3 * 2^49`, both `2^52`: all whole
    /// numbers below `2^53`.
    const MOST_STEPS: i32 = 16;

    /// `origin` is the lowest corner and `size` the longest side of the box around the points.
    pub(crate) fn of(points: &[DVec3], origin: DVec3, size: f64) -> Option<Self> {
        let step = exponent_of(size) + 1 - Self::MOST_STEPS;
        // Outside, the third power of a step leaves the numbers that are exact.
        if size == 0.0 || !(-300..300).contains(&step) {
            return None;
        }
        let steps = times_power_of_two(1.0, -step);
        // A size below 2^52 plus 1.5 * 2^52 has no room for a fraction.
        let is_whole =
            |value: f64| value.abs() < 2f64.powi(50) && (value + 1.5 * 2f64.powi(52)) - 1.5 * 2f64.powi(52) == value;
        let on_lattice = |point: &DVec3| {
            // Steps from zero: differences of whole numbers this small are exact.
            let [x, y, z] = (*point * steps).to_array();
            is_whole(x) && is_whole(y) && is_whole(z)
        };
        let all = on_lattice(&origin) && points.iter().all(on_lattice);
        all.then_some(Self(()))
    }
}

impl Plane {
    /// Through three points in local coordinates of at most `radius` in size, counter-clockwise seen from above.
    pub(crate) fn through(a: DVec3, b: DVec3, c: DVec3, radius: f64) -> Self {
        let (ab, ac) = (b - a, c - a);
        let normal = ab.cross(ac);
        let (s, t) = (ab.abs().max_element(), ac.abs().max_element());
        let sum_norm = normal.x.abs() + normal.y.abs() + normal.z.abs();
        let e = 4.0 * UNIT_ROUNDOFF * radius;
        let m = 2.0 * e * (s + t + e) + 4.0 * UNIT_ROUNDOFF * s * t;
        let error = 2.0 * radius * (6.0 * m + 10.0 * UNIT_ROUNDOFF * sum_norm) + UNDERFLOW;
        Self { normal, offset: normal.dot(a), precision: Precision::Within(error) }
    }

    /// Through three points of a [`Lattice`], counter-clockwise seen from above: all its heights are exact.
    pub(crate) fn through_lattice(a: DVec3, b: DVec3, c: DVec3, _: Lattice) -> Self {
        let normal = (b - a).cross(c - a);
        Self { normal, offset: normal.dot(a), precision: Precision::Exact }
    }

    /// About the signed height over the plane times twice the triangle's area.
    #[inline]
    pub(crate) fn height(&self, point: DVec3) -> f64 {
        self.normal.x * point.x + self.normal.y * point.y + self.normal.z * point.z - self.offset
    }

    /// The computed height if it has the sign of the exact one, zero included; `None` where it is too small to tell.
    #[inline]
    pub(crate) fn certain(&self, height: f64) -> Option<f64> {
        let is_certain = match self.precision {
            Precision::Exact => true,
            // Not so for NaN, which differences of the largest numbers give.
            Precision::Within(error) => height.abs() > error,
        };
        is_certain.then_some(height)
    }

    /// Whether a point of this computed height may lie strictly above the plane.
    #[inline]
    pub(crate) fn may_be_above(&self, height: f64) -> bool {
        match self.precision {
            Precision::Exact => height > 0.0,
            Precision::Within(error) => height >= -error,
        }
    }

    /// What computed heights say about points, as two numbers to compare with: for loops over many points.
    #[inline]
    pub(crate) fn thresholds(&self) -> Thresholds {
        match self.precision {
            // Heights on a lattice that are not zero are far above the least normal number.
            Precision::Exact => Thresholds { may_be_above: f64::MIN_POSITIVE, is_above: 0.0 },
            Precision::Within(error) => Thresholds { may_be_above: -error, is_above: error },
        }
    }

    /// The unit normal, and the offset along it below which every point lies strictly below the plane; `None` where the
    /// normal is too short for a division.
    pub(crate) fn unit(&self) -> Option<(DVec3, f64)> {
        let length = self.normal.length();
        let error = match self.precision {
            Precision::Exact => 0.0,
            Precision::Within(error) => error,
        };
        (length > 1e-140).then(|| (self.normal / length, (self.offset - error) / length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicates::side_of_plane_in_integers;
    use proptest::prelude::*;

    /// Mostly few steps, so that four points are often in one plane; sometimes as many as there may be.
    fn coordinate() -> impl Strategy<Value = f64> {
        prop_oneof![3 => 0..4i32, 1 => 65_530..65_536i32, 1 => 0..65_536i32].prop_map(f64::from)
    }

    fn point() -> impl Strategy<Value = DVec3> {
        (coordinate(), coordinate(), coordinate()).prop_map(DVec3::from)
    }

    proptest! {
        #[test]
        fn heights_on_a_lattice_are_exact(
            mut points in prop::collection::vec(point(), 4),
            offset in point(),
            exponent in -100i32..100,
        ) {
            points.iter_mut().for_each(|p| *p = (*p - offset) * 2f64.powi(exponent));
            let (min, max) = points.iter().fold((points[0], points[0]), |(min, max), &p| (min.min(p), max.max(p)));
            let Some(lattice) = Lattice::of(&points, min, (max - min).max_element()) else {
                prop_assert!(points.iter().all(|p| *p == points[0]));
                return Ok(());
            };
            let [a, b, c, p] = [points[0], points[1], points[2], points[3]];
            let plane = Plane::through_lattice(a - min, b - min, c - min, lattice);
            let height = plane.height(p - min);
            let exact = side_of_plane_in_integers(a, b, c, p);
            prop_assert_eq!(plane.certain(height).and_then(|height| height.partial_cmp(&0.0)), Some(exact));
            let Thresholds { may_be_above, is_above } = plane.thresholds();
            let found = [plane.may_be_above(height), height >= may_be_above, height > is_above];
            prop_assert_eq!(found, [exact.is_gt(); 3]);
        }
    }

    #[test]
    fn what_is_no_lattice_of_few_steps_is_refused() {
        let of = |points: &[DVec3]| {
            let (min, max) = points.iter().fold((points[0], points[0]), |(min, max), &p| (min.min(p), max.max(p)));
            Lattice::of(points, min, (max - min).max_element()).is_some()
        };
        let far = DVec3::splat(65_535.0);
        assert!(of(&[DVec3::ZERO, far]));
        assert!(of(&[DVec3::ZERO, DVec3::X, far]), "one step is a whole step");
        assert!(!of(&[DVec3::ZERO, DVec3::X * 0.5, far]), "half a step");
        assert!(!of(&[DVec3::ZERO, DVec3::X, far + 1.0]), "odd numbers of steps of half the length");
        assert!(!of(&[DVec3::ZERO, DVec3::X, DVec3::Y * 0.1]));
        assert!(!of(&[DVec3::splat(1e30), DVec3::splat(1e30)]), "no size");
        let distant = DVec3::splat(2f64.powi(51));
        assert!(!of(&[distant, distant + DVec3::X]), "steps from zero that leave no room");
    }
}
