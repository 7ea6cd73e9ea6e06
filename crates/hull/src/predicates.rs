//! Exact tests that say on which side of a plane or a line a point lies.
//!
//! The adaptive predicates of Shewchuk (*Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
//! Predicates*, 1997; crate `robust`) are exact unless a product overflows or underflows. [`Coordinates::prepare`]
//! makes sure of that: it scales the points by a power of two if scaling loses no bit, and otherwise marks the set as
//! wide. The predicates decide wide sets with integers of any size.

use crate::double_double;
use crate::exact_integer::Integer;
use glam::DVec3;
use robust::{Coord, Coord3D};
use std::cmp::Ordering;
use std::ops::Range;

/// If all bits of all coordinates lie in this range of binary exponents, the adaptive predicates are exact without
/// scaling.
///
/// A determinant of three differences is a multiple of `2^-900`, so the smallest error bound inside the predicates
/// (about `2^-102` of the sum of magnitudes) is still a normal number, and nothing exceeds `2^910`.
const EXACT_EXPONENTS: Range<i32> = -300..301;

/// The scale in which predicates and arithmetic read the points of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coordinates {
    /// The working copy is the input times `2^exponent`. If this is 0, the input is used as it is.
    pub(crate) exponent: i32,
    /// `true` if the working copy has lost bits far below the largest coordinate. If so, the predicates read the input,
    /// as integers.
    pub(crate) wide: bool,
}

impl Coordinates {
    /// `largest` is the largest size of a coordinate, and `smallest_nonzero` the smallest size other than zero.
    pub(crate) fn prepare(points: &[DVec3], largest: f64, smallest_nonzero: f64) -> Self {
        if largest == 0.0 {
            return Self { exponent: 0, wide: false };
        }
        let high = exponent_of(largest) + 1;
        let low_at_least = exponent_of(smallest_nonzero) - 52;
        if high < EXACT_EXPONENTS.end && low_at_least >= EXACT_EXPONENTS.start {
            return Self { exponent: 0, wide: false };
        }
        let low = points.iter().flat_map(|p| p.to_array()).filter(|&c| c != 0.0).map(lowest_bit).min().unwrap_or(0);
        if high < EXACT_EXPONENTS.end && low >= EXACT_EXPONENTS.start {
            return Self { exponent: 0, wide: false };
        }
        Self { exponent: -high, wide: low - high < EXACT_EXPONENTS.start }
    }

    /// The point in the scale of the working copy.
    pub(crate) fn scaled(self, point: DVec3) -> DVec3 {
        if self.exponent == 0 {
            point
        } else {
            DVec3::from(point.to_array().map(|c| times_power_of_two(c, self.exponent)))
        }
    }
}

/// Exact predicates on points, which are named by their indices.
#[derive(Clone, Copy)]
pub(crate) struct Predicates<'a> {
    /// The input if the set is wide, otherwise the working copy.
    points: &'a [DVec3],
    wide: bool,
}

impl<'a> Predicates<'a> {
    pub(crate) fn new(coordinates: Coordinates, input: &'a [DVec3], scaled: &'a [DVec3]) -> Self {
        let unscaled = coordinates.wide || coordinates.exponent == 0;
        Self { points: if unscaled { input } else { scaled }, wide: coordinates.wide }
    }

    pub(crate) fn point(&self, index: u32) -> DVec3 {
        self.points[index as usize]
    }

    /// `Greater` if `p` is above the plane, that is on the side from which `a`, `b`, `c` run counter-clockwise.
    pub(crate) fn side_of_plane(&self, [a, b, c]: [u32; 3], p: u32) -> Ordering {
        let [a, b, c, p] = [a, b, c, p].map(|index| self.point(index));
        if self.wide {
            return side_of_plane_in_integers(a, b, c, p);
        }
        // Cheap cases come first: copies of corners, and planes perpendicular to an axis.
        if p == a
            || p == b
            || p == c
            || (0..3).any(|axis| p[axis] == a[axis] && a[axis] == b[axis] && b[axis] == c[axis])
        {
            return Ordering::Equal;
        }
        compare_with_zero(double_double::height(a, b, c, p).unwrap_or_else(|| -depth(a, b, c, p)))
    }

    /// A value with the sign of [`Self::side_of_plane`]. Unless the set is wide, it is about six times the volume of
    /// the tetrahedron.
    pub(crate) fn height(&self, [a, b, c]: [u32; 3], p: u32) -> f64 {
        if self.wide {
            return f64::from(self.side_of_plane([a, b, c], p) as i8);
        }
        let [a, b, c, p] = [a, b, c, p].map(|index| self.point(index));
        -depth(a, b, c, p)
    }

    /// The sign of the component `axis` of `(b - a) × (c - a)`: the direction of the turn from `a` over `b` to `c`,
    /// seen along that axis.
    pub(crate) fn turn(&self, axis: usize, a: u32, b: u32, c: u32) -> Ordering {
        let [a, b, c] = [a, b, c].map(|index| {
            let point = self.point(index);
            Coord { x: point[(axis + 1) % 3], y: point[(axis + 2) % 3] }
        });
        if self.wide {
            return turn_in_integers(a, b, c);
        }
        compare_with_zero(robust::orient2d(a, b, c))
    }

    /// An axis along which the triangle does not project to a line, or `None` if the three points are collinear.
    pub(crate) fn open_axis(&self, a: u32, b: u32, c: u32) -> Option<usize> {
        (0..3).find(|&axis| self.turn(axis, a, b, c) != Ordering::Equal)
    }
}

/// Positive if `p` is below the plane, as in `robust`.
fn depth(a: DVec3, b: DVec3, c: DVec3, p: DVec3) -> f64 {
    let [a, b, c, p] = [a, b, c, p].map(|v| Coord3D { x: v.x, y: v.y, z: v.z });
    robust::orient3d(a, b, c, p)
}

fn compare_with_zero(value: f64) -> Ordering {
    value.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

/// Computes [`Predicates::side_of_plane`] for any finite coordinates.
pub(crate) fn side_of_plane_in_integers(a: DVec3, b: DVec3, c: DVec3, p: DVec3) -> Ordering {
    let origin = a.to_array().map(Integer::from_f64);
    let [u, v, w] = [b, c, p].map(|point| {
        let mut coordinates = point.to_array().map(Integer::from_f64);
        for (coordinate, origin) in coordinates.iter_mut().zip(&origin) {
            *coordinate = coordinate.sub(origin);
        }
        coordinates
    });
    let minor = |i: usize, j: usize| u[i].mul(&v[j]).sub(&u[j].mul(&v[i]));
    minor(1, 2).mul(&w[0]).add(&minor(2, 0).mul(&w[1])).add(&minor(0, 1).mul(&w[2])).sign()
}

/// Computes [`Predicates::turn`] for any finite coordinates.
pub(crate) fn turn_in_integers(a: Coord<f64>, b: Coord<f64>, c: Coord<f64>) -> Ordering {
    let from_a = |value: f64, origin: f64| Integer::from_f64(value).sub(&Integer::from_f64(origin));
    let left = from_a(b.x, a.x).mul(&from_a(c.y, a.y));
    left.sub(&from_a(b.y, a.y).mul(&from_a(c.x, a.x))).sign()
}

/// Returns `floor(log2(|value|))`; `value` must be finite and not zero.
pub(crate) fn exponent_of(value: f64) -> i32 {
    let bits = value.abs().to_bits();
    match bits >> 52 {
        0 => 63 - bits.leading_zeros() as i32 - 1074,
        biased => biased as i32 - 1023,
    }
}

/// Returns the exponent of the lowest bit that is set; `value` must be finite and not zero.
fn lowest_bit(value: f64) -> i32 {
    let bits = value.abs().to_bits();
    match bits >> 52 {
        0 => bits.trailing_zeros() as i32 - 1074,
        biased => biased as i32 - 1075 + (bits.trailing_zeros() as i32).min(52),
    }
}

/// Computes `value * 2^exponent`, in steps that overflow or underflow only if the result does.
pub(crate) fn times_power_of_two(value: f64, exponent: i32) -> f64 {
    let (mut value, mut left) = (value, exponent);
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        value *= f64::from_bits(((1023 + step) as u64) << 52);
        left -= step;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn exponents() {
        for (value, exponent, lowest) in [
            (1.0, 0, 0),
            (-1.5, 0, -1),
            (5e-324, -1074, -1074),
            (f64::MIN_POSITIVE, -1022, -1022),
            (f64::MAX, 1023, 971),
            (3.0 * 5e-324, -1073, -1074),
        ] {
            assert_eq!((exponent_of(value), lowest_bit(value)), (exponent, lowest), "{value:e}");
        }
        assert_eq!(times_power_of_two(5e-324, 2097), 2f64.powi(1023));
        assert_eq!(times_power_of_two(f64::MAX, -1024), 1.0 - 2f64.powi(-53));
    }

    #[test]
    fn above_is_where_the_triangle_runs_counter_clockwise() {
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_Z, DVec3::new(0.3, 0.3, 0.0)];
        let coordinates = Coordinates::prepare(&points, 1.0, 0.3);
        let exact = Predicates::new(coordinates, &points, &[]);
        assert_eq!(exact.side_of_plane([0, 1, 2], 3), Ordering::Greater);
        assert_eq!(exact.side_of_plane([0, 1, 2], 4), Ordering::Less);
        assert_eq!(exact.side_of_plane([0, 1, 2], 5), Ordering::Equal);
        assert_eq!(exact.turn(2, 0, 1, 2), Ordering::Greater);
        assert_eq!(exact.turn(0, 0, 1, 2), Ordering::Equal);
        assert_eq!(exact.open_axis(0, 1, 1), None);
    }

    #[test]
    fn every_f32_input_takes_the_adaptive_path() {
        let points = [DVec3::splat(f64::from(f32::MAX)), DVec3::splat(f64::from(f32::from_bits(1)))];
        let coordinates = Coordinates::prepare(&points, points[0].x, points[1].x);
        assert_eq!(coordinates, Coordinates { exponent: 0, wide: false });
    }

    #[test]
    fn sets_far_from_one_are_scaled_and_sets_too_wide_are_marked() {
        let high = [DVec3::splat(1e300), DVec3::new(1e250, -3e299, 0.0)];
        assert_eq!(Coordinates::prepare(&high, 1e300, 1e250), Coordinates { exponent: -997, wide: false });
        let low = [DVec3::splat(5e-324)];
        assert_eq!(Coordinates::prepare(&low, 5e-324, 5e-324), Coordinates { exponent: 1073, wide: false });
        let wide = [DVec3::splat(1e300), DVec3::splat(1e-300)];
        assert!(Coordinates::prepare(&wide, 1e300, 1e-300).wide);
    }

    /// Coordinates with few bits and shared offsets, so that many sets are almost degenerate.
    fn coordinate() -> impl Strategy<Value = f64> {
        (-4i32..=4, -60i32..=60, prop::bool::ANY).prop_map(|(small, exponent, offset)| {
            f64::from(small) * 2f64.powi(exponent) + if offset { 1.0 } else { 0.0 }
        })
    }

    fn points() -> impl Strategy<Value = Vec<DVec3>> {
        prop::collection::vec((coordinate(), coordinate(), coordinate()).prop_map(DVec3::from), 4)
    }

    proptest! {
        #[test]
        fn adaptive_and_integer_predicates_agree(points in points(), exponent in -240i32..240) {
            let points: Vec<DVec3> = points.iter().map(|p| *p * 2f64.powi(exponent)).collect();
            let sizes = || points.iter().flat_map(|p| p.abs().to_array()).filter(|&c| c > 0.0);
            let (largest, smallest) = (sizes().fold(0.0, f64::max), sizes().fold(f64::MAX, f64::min));
            let coordinates = Coordinates::prepare(&points, largest, smallest);
            prop_assert!(!coordinates.wide);
            let scaled: Vec<DVec3> = points.iter().map(|&p| coordinates.scaled(p)).collect();
            let exact = Predicates::new(coordinates, &points, &scaled);
            let [a, b, c, p] = [points[0], points[1], points[2], points[3]];
            prop_assert_eq!(exact.side_of_plane([0, 1, 2], 3), side_of_plane_in_integers(a, b, c, p));
            for axis in 0..3 {
                let flat = [a, b, c].map(|v| Coord { x: v[(axis + 1) % 3], y: v[(axis + 2) % 3] });
                prop_assert_eq!(exact.turn(axis, 0, 1, 2), turn_in_integers(flat[0], flat[1], flat[2]));
            }
        }
    }
}
