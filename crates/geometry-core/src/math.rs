//! Square roots with and without the standard library.

/// Returns the correctly rounded square root, which is the same on every machine.
#[inline]
#[cfg_attr(not(feature = "std"), allow(clippy::disallowed_methods, reason = "without std, there is no other"))]
pub(crate) fn sqrt(value: f64) -> f64 {
    #[cfg(feature = "std")]
    return value.sqrt();
    #[cfg(not(feature = "std"))]
    return libm::sqrt(value);
}
