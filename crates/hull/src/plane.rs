//! Planes of faces in plain `f64`, with a proven bound on their error.

use glam::DVec3;

/// Half a unit in the last place of 1: the relative error of one rounding.
const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Covers products that underflow: they are off by less than `2^-1074` each.
const UNDERFLOW: f64 = 1e-290;

/// The plane through three points, to be asked for the side of others.
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
/// So a computed height beyond `error` has the sign of the exact one. Static filters of this kind: Devillers and Pion,
/// *Efficient Exact Geometric Predicates for Delaunay Triangulations*, 2003.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    normal: DVec3,
    offset: f64,
    /// Heights beyond this, up or down, have a certain sign.
    pub(crate) error: f64,
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
        Self { normal, offset: normal.dot(a), error }
    }

    /// About the signed height over the plane times twice the triangle's area.
    #[inline]
    pub(crate) fn height(&self, point: DVec3) -> f64 {
        self.normal.x * point.x + self.normal.y * point.y + self.normal.z * point.z - self.offset
    }

    /// The unit normal and the offset that a point must not exceed along it to be strictly below; `None` where the
    /// normal is too short for a division.
    pub(crate) fn unit(&self) -> Option<(DVec3, f64)> {
        let length = self.normal.length();
        (length > 1e-140).then(|| (self.normal / length, (self.offset - self.error) / length))
    }
}
