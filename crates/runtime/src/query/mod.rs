//! Questions to posed characters.

pub(crate) mod arena;
pub(crate) mod arena_sweep;
pub(crate) mod contact;
pub(crate) mod distance;
pub(crate) mod overlap;
pub(crate) mod ray;
pub(crate) mod shape;
pub(crate) mod sweep;
