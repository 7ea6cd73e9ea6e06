//! Questions to posed characters.

pub(crate) mod overlap;
