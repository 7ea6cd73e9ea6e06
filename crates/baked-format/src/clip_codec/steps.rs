//! Numbers as whole multiples of a power of two.

/// The least exponent of a step, which is a power of two.
pub(crate) const MIN_EXPONENT: i8 = -100;
/// The greatest exponent of a step.
pub(crate) const MAX_EXPONENT: i8 = 100;

/// The most steps that a number has, in either direction: `f32` holds each of them exactly.
pub(crate) const MAX_STEPS: i32 = 1 << 24;

/// Two to the power of `exponent`, which is within the limits above.
#[inline]
pub(crate) fn step(exponent: i8) -> f32 {
    f32::from_bits((i32::from(exponent) + 127).cast_unsigned() << 23)
}

/// A number of steps.
#[inline]
pub(crate) fn from_steps(steps: i32, exponent: i8) -> f32 {
    steps as f32 * step(exponent)
}

/// The component of a unit quaternion that is not stored, from the other three in their order; not negative.
#[inline]
pub(crate) fn last_component(three: [f32; 3]) -> f32 {
    let [a, b, c] = three.map(f64::from);
    (1.0 - (a * a + b * b + c * c)).max(0.0).sqrt() as f32
}

/// The number as an odd multiple of a power of two; `None` for zero.
fn odd_multiple(number: f32) -> Option<(i32, i32)> {
    let bits = number.to_bits();
    let (fraction, exponent) = ((bits & 0x7f_ffff) as i32, (bits >> 23 & 0xff) as i32);
    let (whole, exponent) = if exponent == 0 { (fraction, -149) } else { (fraction | 1 << 23, exponent - 150) };
    let zeros = whole.trailing_zeros();
    let signed = if number < 0.0 { -whole } else { whole };
    (whole != 0).then(|| (signed >> zeros, exponent + zeros as i32))
}

/// The exponent of the largest step that all numbers are multiples of. `None` if no exponent within the limits fits, or
/// if a number is a negative zero, which is not a number of steps.
pub(super) fn common_exponent(numbers: impl Iterator<Item = f32>) -> Option<i8> {
    let mut common = None;
    for number in numbers {
        if !number.is_finite() || number.to_bits() == (-0.0f32).to_bits() {
            return None;
        }
        if let Some((_, exponent)) = odd_multiple(number) {
            common = Some(common.map_or(exponent, |common: i32| common.min(exponent)));
        }
    }
    // A multiple of a larger step is also a multiple of a smaller step.
    let exponent = common.unwrap_or(0).min(MAX_EXPONENT.into());
    i8::try_from(exponent).ok().filter(|exponent| *exponent >= MIN_EXPONENT)
}

/// Returns the number divided by the step; `None` if the result is too large. The number is a multiple of the step.
pub(super) fn to_steps(number: f32, exponent: i8) -> Option<i32> {
    let steps = f64::from(number) / f64::from(step(exponent));
    (steps.abs() <= f64::from(MAX_STEPS)).then_some(steps as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Two to the power of `exponent` by exact products; the precision of `powi` is not specified.
    fn power(exponent: i8) -> f64 {
        let factor = if exponent < 0 { 0.5 } else { 2.0 };
        (0..exponent.unsigned_abs()).fold(1.0, |power, _| power * factor)
    }

    #[test]
    fn steps_are_powers_of_two() {
        for exponent in MIN_EXPONENT..=MAX_EXPONENT {
            assert_eq!(f64::from(step(exponent)), power(exponent));
        }
    }

    #[test]
    fn numbers_without_steps_are_refused() {
        let common = |numbers: &[f32]| common_exponent(numbers.iter().copied());
        assert_eq!(common(&[0.75, -2.0, 0.0]), Some(-2));
        assert_eq!(common(&[0.0, 0.0]), Some(0));
        assert_eq!(common(&[-0.0]), None);
        assert_eq!(common(&[f32::NAN]), None);
        assert_eq!(common(&[f32::MIN_POSITIVE]), None);
        assert_eq!((common(&[f32::MAX]), to_steps(f32::MAX, MAX_EXPONENT)), (Some(MAX_EXPONENT), None));
        assert_eq!(to_steps(1.0, -24), Some(MAX_STEPS));
        assert_eq!(to_steps(1.0, -25), None);
    }

    proptest! {
        #[test]
        fn a_number_of_steps_comes_back(steps in -MAX_STEPS..=MAX_STEPS, exponent in MIN_EXPONENT..=MAX_EXPONENT) {
            let number = from_steps(steps, exponent);
            prop_assert_eq!(f64::from(number), f64::from(steps) * power(exponent));
            prop_assert_eq!(to_steps(number, exponent), Some(steps));
            let Some(common) = common_exponent([number].into_iter()) else {
                return Err(TestCaseError::fail("no exponent"));
            };
            let is_odd = to_steps(number, common).is_some_and(|odd| odd % 2 != 0);
            prop_assert!(steps == 0 || common == MAX_EXPONENT || is_odd);
        }
    }
}
