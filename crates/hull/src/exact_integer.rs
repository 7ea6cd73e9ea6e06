//! Integers of any size, with the few operations that determinants of `f64` coordinates need over the whole exponent
//! range.
//!
//! These integers are slow and simple. They decide sets whose coordinates range so widely that the adaptive predicates
//! would underflow, and the tests of the adaptive predicates use them as the reference.

use std::cmp::Ordering;

/// A sign and a magnitude. `limbs` are little-endian without leading zeros; zero is not negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Integer {
    negative: bool,
    limbs: Vec<u32>,
}

impl Integer {
    /// `value * 2^1074`, which is an integer for every finite `f64`.
    pub(crate) fn from_f64(value: f64) -> Self {
        let bits = value.abs().to_bits();
        let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as usize);
        let (mantissa, shift) = if exponent == 0 { (fraction, 0) } else { (fraction | 1 << 52, exponent - 1) };
        let shifted = u128::from(mantissa) << (shift % 32);
        let mut limbs = vec![0; shift / 32];
        limbs.extend([shifted as u32, (shifted >> 32) as u32, (shifted >> 64) as u32]);
        Self::trimmed(value < 0.0, limbs)
    }

    pub(crate) fn sub(&self, other: &Self) -> Self {
        self.add_with_sign(other, !other.negative)
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        self.add_with_sign(other, other.negative)
    }

    pub(crate) fn mul(&self, other: &Self) -> Self {
        let mut limbs = vec![0u32; self.limbs.len() + other.limbs.len()];
        for (i, &a) in self.limbs.iter().enumerate() {
            let mut carry = 0u64;
            for (j, &b) in other.limbs.iter().enumerate() {
                let sum = u64::from(a) * u64::from(b) + u64::from(limbs[i + j]) + carry;
                limbs[i + j] = sum as u32;
                carry = sum >> 32;
            }
            limbs[i + other.limbs.len()] = carry as u32;
        }
        Self::trimmed(self.negative != other.negative, limbs)
    }

    /// Compares the integer with zero.
    pub(crate) fn sign(&self) -> Ordering {
        match (self.limbs.is_empty(), self.negative) {
            (true, _) => Ordering::Equal,
            (false, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
        }
    }

    fn add_with_sign(&self, other: &Self, other_negative: bool) -> Self {
        if self.negative == other_negative {
            return Self::trimmed(self.negative, add_magnitudes(&self.limbs, &other.limbs));
        }
        match compare_magnitudes(&self.limbs, &other.limbs) {
            Ordering::Less => Self::trimmed(other_negative, sub_magnitudes(&other.limbs, &self.limbs)),
            _ => Self::trimmed(self.negative, sub_magnitudes(&self.limbs, &other.limbs)),
        }
    }

    fn trimmed(negative: bool, mut limbs: Vec<u32>) -> Self {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Self { negative: negative && !limbs.is_empty(), limbs }
    }
}

fn compare_magnitudes(a: &[u32], b: &[u32]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn add_magnitudes(a: &[u32], b: &[u32]) -> Vec<u32> {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut carry = 0u64;
    let mut sum: Vec<u32> = (0..long.len())
        .map(|i| {
            carry += u64::from(long[i]) + u64::from(short.get(i).copied().unwrap_or(0));
            let limb = carry as u32;
            carry >>= 32;
            limb
        })
        .collect();
    sum.push(carry as u32);
    sum
}

/// Computes `a - b`, where `a` must be at least `b`.
fn sub_magnitudes(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut borrow = 0i64;
    (0..a.len())
        .map(|i| {
            let difference = i64::from(a[i]) - i64::from(b.get(i).copied().unwrap_or(0)) + borrow;
            borrow = difference >> 32;
            difference as u32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn small(value: i64) -> Integer {
        let limbs = vec![value.unsigned_abs() as u32, (value.unsigned_abs() >> 32) as u32];
        Integer::trimmed(value < 0, limbs)
    }

    fn medium(value: i128) -> Integer {
        let magnitude = value.unsigned_abs();
        Integer::trimmed(value < 0, (0..4).map(|limb| (magnitude >> (32 * limb)) as u32).collect())
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_machine_integers(a in any::<i64>(), b in any::<i64>()) {
            let (wide_a, wide_b) = (i128::from(a), i128::from(b));
            prop_assert_eq!(small(a).add(&small(b)), medium(wide_a + wide_b));
            prop_assert_eq!(small(a).sub(&small(b)), medium(wide_a - wide_b));
            prop_assert_eq!(small(a).mul(&small(b)), medium(wide_a * wide_b));
            prop_assert_eq!(small(a).sign(), a.cmp(&0));
        }

        #[test]
        fn floats_keep_their_order(a in any::<f64>(), b in any::<f64>()) {
            prop_assume!(a.is_finite() && b.is_finite());
            let difference = Integer::from_f64(a).sub(&Integer::from_f64(b));
            prop_assert_eq!(Some(difference.sign()), a.partial_cmp(&b));
        }
    }

    #[test]
    fn the_ends_of_the_range() {
        assert_eq!(Integer::from_f64(5e-324), small(1));
        assert_eq!(Integer::from_f64(-0.0).sign(), Ordering::Equal);
        let largest = Integer::from_f64(f64::MAX);
        assert_eq!(largest.sub(&largest).sign(), Ordering::Equal);
        assert_eq!(largest.limbs.len(), 66);
    }
}
