//! Square roots and trigonometry with and without a standard library.

/// The correctly rounded square root, which is the same on every machine.
#[inline]
pub(crate) fn sqrt(value: f64) -> f64 {
    #[cfg(feature = "std")]
    return value.sqrt();
    #[cfg(not(feature = "std"))]
    return libm::sqrt(value);
}
