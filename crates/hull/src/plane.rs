//! Planes of faces in plain `f64`, with a proven error bound.

use crate::predicates::{exponent_of, times_power_of_two};
use glam::DVec3;

/// Half a unit in the last place of 1: the relative error of one rounding.
const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Covers the error of products that underflow, which is less than `2^-1074` for each product.
const UNDERFLOW: f64 = 1e-290;

/// The plane through three points. It decides on which side of the plane other points lie.
///
/// # Error bound
///
/// Points are given in local coordinates `q = fl(p - origin)`, at most `radius` in size, so each coordinate has an
/// error of at most `u * radius`, where `u` is the unit roundoff. With `s = |b - a|` and `t = |c - a|` in the maximum
/// norm:
///
/// - Each component of a computed difference has an error of at most `e = 4 u * radius`: two shifted points, and one
///   rounding of a value of at most `2 * radius`.
/// - Each component of the normal is a difference of two products, with an error of at most `m = 2 e (s + t + e) + 4 u
///   s t`.
/// - The height is the exact form `n · (q - a)` with the computed normal, which has an error of at most `3 m * 2
///   radius`. Shifting `q` and `a` adds at most `2 u * radius |n|₁`. Rounding `n · q`, `n · a` and their difference
///   adds at most `8 u * radius |n|₁`.
///
/// The sum is doubled, which covers the terms of second order in `u` and the rounding of the bound itself. So a
/// computed height larger than the bound ([`Precision::Within`]) has the sign of the exact height.
///
/// Source of such static filters: Devillers and Pion, *Efficient Exact Geometric Predicates for Delaunay
/// Triangulations*, 2003.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    normal: DVec3,
    offset: f64,
    precision: Precision,
}

/// The error of a height that [`Plane::height`] computes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Precision {
    /// The height is exact, and so is its sign: a height of zero means that the point lies in the plane.
    Exact,
    /// The error is at most this much, in the unit of the height. A height larger than the error has the right sign.
    Within(f64),
}

/// Two computed heights: from `may_be_above` on, a point may lie strictly above the plane; beyond `is_above` it does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thresholds {
    /// A point whose computed height is at least this may lie strictly above the plane. A lower point does not.
    pub(crate) may_be_above: f64,
    /// A point whose computed height is larger than this lies strictly above the plane.
    pub(crate) is_above: f64,
}

/// Proof that the points of a set lie on a grid with few steps, so that plain `f64` loses no bit. Voxels, grids and
/// positions quantized to 16 bits are such sets. For every plane through points of the set, the heights of the set's
/// points are exact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lattice(());

impl Lattice {
    /// The size of the set is at most `2^16` steps. Measured in steps from the lowest corner, coordinates and
    /// differences are at most `2^16`, a component of a normal at most `2^33`, a height before its offset at most `3 *
    /// 2^49`, and both together at most `2^52`. All are whole numbers below `2^53`, which `f64` holds exactly.
    const MOST_STEPS: i32 = 16;

    /// Returns the proof if the points lie on such a grid. `origin` is the lowest corner and `size` the longest side of
    /// the box around the points.
    pub(crate) fn of(points: &[DVec3], origin: DVec3, size: f64) -> Option<Self> {
        let step = exponent_of(size) + 1 - Self::MOST_STEPS;
        // Outside this range the third power of a step is not an exact number.
        if size == 0.0 || !(-300..300).contains(&step) {
            return None;
        }
        let steps = times_power_of_two(1.0, -step);
        // Adding 1.5 * 2^52 to a number below 2^52 rounds it to a whole number.
        let is_whole =
            |value: f64| value.abs() < 2f64.powi(50) && (value + 1.5 * 2f64.powi(52)) - 1.5 * 2f64.powi(52) == value;
        let on_lattice = |point: &DVec3| {
            // The differences of whole numbers this small are exact.
            let [x, y, z] = (*point * steps).to_array();
            is_whole(x) && is_whole(y) && is_whole(z)
        };
        let all = on_lattice(&origin) && points.iter().all(on_lattice);
        all.then_some(Self(()))
    }
}

impl Plane {
    /// The plane through three points in local coordinates of at most `radius` in size, counter-clockwise seen from
    /// above.
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

    /// The plane through three points of a [`Lattice`], counter-clockwise seen from above. All its heights are exact.
    pub(crate) fn through_lattice(a: DVec3, b: DVec3, c: DVec3, _: Lattice) -> Self {
        let normal = (b - a).cross(c - a);
        Self { normal, offset: normal.dot(a), precision: Precision::Exact }
    }

    /// The signed height over the plane times twice the triangle's area, up to rounding.
    #[inline]
    pub(crate) fn height(&self, point: DVec3) -> f64 {
        self.normal.x * point.x + self.normal.y * point.y + self.normal.z * point.z - self.offset
    }

    /// Returns the computed height if its sign is right, zero included, and `None` if the height is too small to tell.
    #[inline]
    pub(crate) fn certain(&self, height: f64) -> Option<f64> {
        let is_certain = match self.precision {
            Precision::Exact => true,
            // The comparison must be false for NaN, which differences of the largest numbers give.
            Precision::Within(error) => height.abs() > error,
        };
        is_certain.then_some(height)
    }

    /// Returns true if a point with this computed height may lie strictly above the plane.
    #[inline]
    pub(crate) fn may_be_above(&self, height: f64) -> bool {
        match self.precision {
            Precision::Exact => height > 0.0,
            Precision::Within(error) => height >= -error,
        }
    }

    /// The two heights that a loop over many points compares with.
    #[inline]
    pub(crate) fn thresholds(&self) -> Thresholds {
        match self.precision {
            // Exact heights on a lattice are either zero or far above the smallest normal number.
            Precision::Exact => Thresholds { may_be_above: f64::MIN_POSITIVE, is_above: 0.0 },
            Precision::Within(error) => Thresholds { may_be_above: -error, is_above: error },
        }
    }

    /// The unit normal, and the offset along it below which every point lies strictly below the plane. `None` if the
    /// normal is too short to divide by its length.
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

    /// Coordinates of mostly few steps, so that four points are often coplanar, and sometimes of the largest number of
    /// steps.
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
    fn sets_off_a_lattice_and_lattices_of_too_many_steps_are_refused() {
        let of = |points: &[DVec3]| {
            let (min, max) = points.iter().fold((points[0], points[0]), |(min, max), &p| (min.min(p), max.max(p)));
            Lattice::of(points, min, (max - min).max_element()).is_some()
        };
        let far = DVec3::splat(65_535.0);
        assert!(of(&[DVec3::ZERO, far]));
        assert!(of(&[DVec3::ZERO, DVec3::X, far]), "a difference of one step is on the lattice");
        assert!(!of(&[DVec3::ZERO, DVec3::X * 0.5, far]), "a difference of half a step is off the lattice");
        assert!(
            !of(&[DVec3::ZERO, DVec3::X, far + 1.0]),
            "with an odd size in steps, the steps are half as long and too many"
        );
        assert!(!of(&[DVec3::ZERO, DVec3::X, DVec3::Y * 0.1]));
        assert!(!of(&[DVec3::splat(1e30), DVec3::splat(1e30)]), "no size");
        let distant = DVec3::splat(2f64.powi(51));
        assert!(!of(&[distant, distant + DVec3::X]), "points too many steps from zero are refused");
    }
}
