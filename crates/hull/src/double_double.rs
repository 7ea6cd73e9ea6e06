//! Numbers stored as the sum of two `f64`, about 106 bits. They decide most determinants that plain arithmetic cannot
//! decide.
//!
//! Source: Dekker, *A Floating-Point Technique for Extending the Available Precision*, 1971. The error bounds of the
//! operations are from Joldes, Muller and Popescu, *Tight and Rigorous Error Bounds for Basic Building Blocks of
//! Double-Word Arithmetic*, 2017. The code uses no fused multiply-add, so that all machines compute the same bits.

use glam::DVec3;

/// `2^-106`, the square of the unit roundoff.
const UNIT_ROUNDOFF_SQUARED: f64 = f64::EPSILON * f64::EPSILON / 4.0;

/// Relative error bound of a determinant. Each product has an error of at most 8 squared roundoffs of itself, and each
/// sum of at most 4 squared roundoffs of the sum of its operands' sizes. The longest path through the determinant adds
/// 8 + 4 + 8 + 4 + 4 = 28. The bound is more than doubled to cover terms of higher order and the rounding of the sum of
/// magnitudes.
const DETERMINANT_ERROR: f64 = 64.0 * UNIT_ROUNDOFF_SQUARED;

/// `high + low`, where `low` is at most half a unit in the last place of `high`.
#[derive(Clone, Copy, Debug)]
struct Double {
    high: f64,
    low: f64,
}

impl Double {
    /// The exact difference.
    fn difference(a: f64, b: f64) -> Self {
        let high = a - b;
        let b_part = a - high;
        let a_part = high + b_part;
        Self { high, low: (a - a_part) + (b_part - b) }
    }

    /// The exact sum.
    fn sum(a: f64, b: f64) -> Self {
        Self::difference(a, -b)
    }

    /// The exact product.
    fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        let ([a_high, a_low], [b_high, b_low]) = (halves(a), halves(b));
        let low = ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low;
        Self { high, low }
    }

    fn mul(self, other: Self) -> Self {
        let exact = Self::product(self.high, other.high);
        let low = exact.low + (self.high * other.low + self.low * other.high);
        Self::normalized(exact.high, low)
    }

    fn add(self, other: Self) -> Self {
        let high = Self::sum(self.high, other.high);
        Self::normalized(high.high, high.low + (self.low + other.low))
    }

    fn sub(self, other: Self) -> Self {
        self.add(Self { high: -other.high, low: -other.low })
    }

    /// `low` must be the part of smaller size.
    fn normalized(high: f64, low: f64) -> Self {
        let sum = high + low;
        Self { high: sum, low: low - (sum - high) }
    }
}

/// Splits a number into two parts of 26 bits, whose products are exact (Veltkamp).
fn halves(value: f64) -> [f64; 2] {
    let scaled = 134_217_729.0 * value;
    let high = scaled - (scaled - value);
    [high, value - high]
}

/// Computes `(b - a) × (c - a) · (p - a)`. Returns `None` if the error of the result might change its sign.
///
/// The products of the coordinates must neither overflow nor underflow, see [`crate::predicates`].
pub(crate) fn height(a: DVec3, b: DVec3, c: DVec3, p: DVec3) -> Option<f64> {
    let from_a = |point: DVec3| [0, 1, 2].map(|axis| Double::difference(point[axis], a[axis]));
    let (u, v, w) = (from_a(b), from_a(c), from_a(p));
    let minor = |i: usize, j: usize| u[i].mul(v[j]).sub(u[j].mul(v[i]));
    let sum = minor(1, 2).mul(w[0]).add(minor(2, 0).mul(w[1])).add(minor(0, 1).mul(w[2]));
    let size = |i: usize, j: usize| (u[i].high * v[j].high).abs() + (u[j].high * v[i].high).abs();
    let magnitude = size(1, 2) * w[0].high.abs() + size(2, 0) * w[1].high.abs() + size(0, 1) * w[2].high.abs();
    (sum.high.abs() > DETERMINANT_ERROR * magnitude).then_some(sum.high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicates::side_of_plane_in_integers;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = DVec3> {
        let coordinate = || (-1.0..1.0f64, -40..1i32).prop_map(|(value, exponent)| value * 2f64.powi(exponent));
        (coordinate(), coordinate(), coordinate()).prop_map(DVec3::from)
    }

    proptest! {
        #[test]
        fn a_certain_sign_is_right(a in point(), b in point(), c in point(), s in -2.0..2.0f64, t in -2.0..2.0f64, off in point(), scale in -120..1i32) {
            // `p` is on the plane up to rounding, or at a small distance from it.
            let p = a + (b - a) * s + (c - a) * t + off * 2f64.powi(scale);
            let exact = side_of_plane_in_integers(a, b, c, p);
            if let Some(height) = height(a, b, c, p) {
                prop_assert_eq!(height.partial_cmp(&0.0), Some(exact));
            }
        }
    }

    #[test]
    fn one_last_bit_off_the_plane_is_decided_and_on_the_plane_is_not() {
        let [a, b, c] = [DVec3::new(0.1, 0.2, 0.3), DVec3::new(1.1, 0.2, 0.3), DVec3::new(0.1, 7.2, 0.3)];
        let p = DVec3::new(0.7, 0.7, 0.3);
        assert_eq!(height(a, b, c, p), None);
        assert!(height(a, b, c, DVec3::new(p.x, p.y, 0.3f64.next_up())).is_some_and(|height| height > 0.0));
        assert!(height(a, b, c, DVec3::new(p.x, p.y, 0.3f64.next_down())).is_some_and(|height| height < 0.0));
    }
}
