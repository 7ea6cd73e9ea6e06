//! Numbers with the precision of `f64` and exponents without end: what decides most of the sets that leave the range of
//! `f64`, before integers of thousands of bits are asked.

use std::cmp::Ordering;

use glam::DVec3;

/// Half a unit in the last place of 1.
const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// `mantissa * 2^exponent`; the mantissa is zero or of a size in `[1, 2)`.
#[derive(Clone, Copy, Debug)]
struct Wide {
    mantissa: f64,
    exponent: i32,
}

impl Wide {
    /// Far below whatever a product of three differences of `f64` can have.
    const ZERO: Self = Self { mantissa: 0.0, exponent: -100_000 };

    /// Exact. The value is finite.
    fn from_f64(value: f64) -> Self {
        // Numbers without a leading one get it.
        let (value, shift) = if value.abs() < f64::MIN_POSITIVE { (value * 2f64.powi(54), -54) } else { (value, 0) };
        let bits = value.to_bits();
        let biased = (bits >> 52) & 0x7FF;
        if biased == 0 {
            return Self::ZERO;
        }
        let mantissa = f64::from_bits((bits & !(0x7FF << 52)) | (1023 << 52));
        Self { mantissa, exponent: biased as i32 - 1023 + shift }
    }

    fn negative(self) -> Self {
        Self { mantissa: -self.mantissa, ..self }
    }

    /// Rounded once, wherever the two lie.
    fn sub(self, other: Self) -> Self {
        let top = self.exponent.max(other.exponent);
        let difference = Self::from_f64(self.below(top) - other.below(top));
        Self { exponent: difference.exponent.saturating_add(top).max(Self::ZERO.exponent), ..difference }
    }

    /// Rounded once.
    fn mul(self, other: Self) -> Self {
        let product = Self::from_f64(self.mantissa * other.mantissa);
        let exponent = product.exponent.saturating_add(self.exponent + other.exponent);
        Self { exponent: exponent.max(Self::ZERO.exponent), ..product }
    }

    /// The number over `2^top`, which is not below its exponent; exact, or zero where that is off by less than `2^-1000`.
    fn below(self, top: i32) -> f64 {
        let shift = self.exponent - top;
        if shift < -1000 { 0.0 } else { self.mantissa * f64::from_bits(((1023 + shift) as u64) << 52) }
    }
}

/// The sign of a sum of products of two or three exact differences, or `None` where rounding might have turned it.
///
/// Each difference and each product is off by at most a unit roundoff of itself, so a term of three by five; adding six
/// terms adds at most five more of the sum of their sizes. Sixteen covers that, terms of higher order, and what is lost
/// a thousand powers of two below.
fn sign_of_sum<const N: usize>(terms: [Wide; N]) -> Option<Ordering> {
    let top = terms.iter().map(|term| term.exponent).max().unwrap_or(0);
    let (sum, size) = terms.iter().fold((0.0, 0.0), |(sum, size), term| {
        let value = term.below(top);
        (sum + value, size + value.abs())
    });
    if size == 0.0 {
        // Every term has a difference that is zero, and differences of equal numbers are exact.
        return Some(Ordering::Equal);
    }
    if sum.abs() > 16.0 * UNIT_ROUNDOFF * size { sum.partial_cmp(&0.0) } else { None }
}

/// The sign of `(b - a) × (c - a) · (p - a)` for any finite coordinates, where this precision tells.
pub(crate) fn side_of_plane(a: DVec3, b: DVec3, c: DVec3, p: DVec3) -> Option<Ordering> {
    let mut points = [a, b, c, p].map(|point| point.to_array());
    let is_odd = smallest_first(&mut points);
    let [origin, rest @ ..] = points.map(|point| point.map(Wide::from_f64));
    let [u, v, w] = rest.map(|point| [0, 1, 2].map(|axis| point[axis].sub(origin[axis])));
    let term = |i: usize, j: usize, k: usize| u[i].mul(v[j]).mul(w[k]);
    let sign = sign_of_sum([
        term(1, 2, 0),
        term(2, 1, 0).negative(),
        term(2, 0, 1),
        term(0, 2, 1).negative(),
        term(0, 1, 2),
        term(1, 0, 2).negative(),
    ]);
    if is_odd { sign.map(Ordering::reverse) } else { sign }
}

/// The sign of `(b - a) × (c - a)` in the plane for any finite coordinates, where this precision tells.
pub(crate) fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Option<Ordering> {
    let mut points = [a, b, c];
    let is_odd = smallest_first(&mut points);
    let [origin, rest @ ..] = points.map(|point| point.map(Wide::from_f64));
    let [u, v] = rest.map(|point| [0, 1].map(|axis| point[axis].sub(origin[axis])));
    let sign = sign_of_sum([u[0].mul(v[1]), u[1].mul(v[0]).negative()]);
    if is_odd { sign.map(Ordering::reverse) } else { sign }
}

/// Differences from a large point are alike and tell little; those from the smallest are almost the points themselves.
/// Whether two points changed places, which turns the sign.
fn smallest_first<const N: usize, const D: usize>(points: &mut [[f64; D]; N]) -> bool {
    let size = |point: &[f64; D]| point.iter().fold(0.0, |size: f64, coordinate| size.max(coordinate.abs()));
    let smallest = (1..N).fold(0, |best, i| if size(&points[i]) < size(&points[best]) { i } else { best });
    points.swap(0, smallest);
    smallest != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicates::{side_of_plane_in_integers, turn_in_integers};
    use proptest::prelude::*;
    use robust::Coord;

    /// Any finite number, often zero or one of a few.
    fn coordinate() -> impl Strategy<Value = f64> {
        prop_oneof![
            2 => any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |value| value.is_finite()),
            1 => (-2i32..=2).prop_map(f64::from),
            1 => prop::sample::select(vec![f64::MAX, -f64::MAX, 5e-324, -5e-324, f64::MIN_POSITIVE, 1e300, 1e-300]),
            1 => (-4i32..=4, -1000i32..1000).prop_map(|(small, exponent)| f64::from(small) * 2f64.powi(exponent)),
        ]
    }

    fn point() -> impl Strategy<Value = DVec3> {
        (coordinate(), coordinate(), coordinate()).prop_map(DVec3::from)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn a_certain_sign_is_that_of_integers(a in point(), b in point(), c in point(), mut p in point(), copy in 0..12usize) {
            // A shared coordinate now and then makes ties.
            if copy < 3 {
                p[copy] = a[copy];
            }
            if let Some(side) = side_of_plane(a, b, c, p) {
                prop_assert_eq!(side, side_of_plane_in_integers(a, b, c, p));
            }
            if let Some(side) = turn([a.x, a.y], [b.x, b.y], [p.x, p.y]) {
                let [a, b, p] = [a, b, p].map(|v| Coord { x: v.x, y: v.y });
                prop_assert_eq!(side, turn_in_integers(a, b, p));
            }
        }
    }

    #[test]
    fn what_rounding_hides_is_left_open_and_the_rest_is_told() {
        let (x, y) = (DVec3::X * 1e300, DVec3::Y * 1e-300);
        let off = DVec3::new(1e200, 1e-320, 5e-324);
        assert_eq!(side_of_plane(DVec3::ZERO, x, y, off), Some(Ordering::Greater));
        assert_eq!(side_of_plane(DVec3::ZERO, x, y, -off), Some(Ordering::Less));
        assert_eq!(side_of_plane(DVec3::ZERO, x, y, x + y), Some(Ordering::Equal));
        let [a, b, c] = [DVec3::new(0.1, 0.2, 0.3), DVec3::new(1.1, 0.2, 0.7), DVec3::new(0.1, 7.2, 0.9)];
        assert_eq!(side_of_plane(a, b, c, a + (b - a) * 0.3 + (c - a) * 0.3), None);
        assert_eq!(turn([0.0, 0.0], [1e300, 1e300], [1e-300, 1e-300]), None, "both products are the same");
        assert_eq!(turn([0.0, 0.0], [1e300, 1e300], [1e-300, 1.1e-300]), Some(Ordering::Greater));
    }
}
