//! Decodes accessors and their compressions to numbers.

pub(crate) mod accessor;
#[cfg(feature = "draco")]
pub(crate) mod draco;
#[cfg(feature = "meshopt")]
pub(crate) mod meshopt;
