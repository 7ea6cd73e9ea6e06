//! From bytes to numbers: accessors, and the compressions that they may have.

pub(crate) mod accessor;
#[cfg(feature = "draco")]
pub(crate) mod draco;
#[cfg(feature = "meshopt")]
pub(crate) mod meshopt;
