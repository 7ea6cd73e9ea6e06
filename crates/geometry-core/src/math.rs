//! Square roots with and without a standard library, and rounding upward to `f32`.

/// The correctly rounded square root, which is the same on every machine.
#[inline]
pub(crate) fn sqrt(value: f64) -> f64 {
    #[cfg(feature = "std")]
    return value.sqrt();
    #[cfg(not(feature = "std"))]
    return libm::sqrt(value);
}

/// The least `f32` not below a number that is not negative.
pub(crate) fn round_up(value: f64) -> f32 {
    let nearest = value as f32;
    if f64::from(nearest) < value { f32::from_bits(nearest.to_bits() + 1) } else { nearest }
}
