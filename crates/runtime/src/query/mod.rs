//! Questions to posed characters.

pub(crate) mod contact;
pub(crate) mod distance;
pub(crate) mod overlap;
pub(crate) mod ray;
pub(crate) mod shape;
pub(crate) mod sweep;
pub(crate) mod world_queries;
pub(crate) mod world_sweep;
