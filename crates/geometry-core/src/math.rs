//! Square roots with and without the standard library, and rounding up to `f32`.

/// Returns the correctly rounded square root, which is the same on every machine.
#[inline]
#[cfg_attr(not(feature = "std"), allow(clippy::disallowed_methods, reason = "without std, there is no other"))]
pub(crate) fn sqrt(value: f64) -> f64 {
    #[cfg(feature = "std")]
    return value.sqrt();
    #[cfg(not(feature = "std"))]
    return libm::sqrt(value);
}

/// Returns the smallest `f32` that is at least `value`. `value` must not be negative.
pub(crate) fn round_up(value: f64) -> f32 {
    let nearest = value as f32;
    if f64::from(nearest) < value { f32::from_bits(nearest.to_bits() + 1) } else { nearest }
}
