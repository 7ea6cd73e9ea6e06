//! Exact queries: they use a character's skin instead of its hitboxes.
//!
//! The contact of two pieces is decided exactly (`geometry_core::triangle::overlap`) after quick rejects that never
//! change the answer.

pub(crate) mod distance;
mod inside;
pub(crate) mod overlap;
pub(crate) mod ray;
pub(crate) mod shape;
pub(crate) mod triangles;
#[cfg(test)]
mod without_extent;
