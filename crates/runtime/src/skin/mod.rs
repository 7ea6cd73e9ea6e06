//! Exact queries: they use a character's skin instead of its hitboxes.
//!
//! A character that was baked with its skin has one skin piece for each joint: the surface that the joint owns. A posed
//! character that [tracks its skin](crate::PosedCharacter::track_skin) keeps one matrix for each binding, and skins a
//! piece once for each pose, when a query first needs it.
//!
//! The skinned surface is defined to the last bit: `geometry_core::portable` multiplies the matrices, a posed vertex is
//! the image of the vertex under the blend of its matrices, and products and sums are `f32` in one fixed order without
//! fusing. The contact of two pieces is then decided exactly (`geometry_core::triangle::overlap`) after quick rejects
//! that never change the answer.

pub(crate) mod attributes;
pub(crate) mod blocks;
pub(crate) mod chunks;
pub(crate) mod distance;
pub(crate) mod error;
pub(crate) mod inside;
pub(crate) mod overlap;
mod part;
pub(crate) mod posed_skin;
pub(crate) mod ray;
mod reach;
pub(crate) mod shape;
pub(crate) mod table;
pub(crate) mod triangles;
#[cfg(test)]
mod without_extent;
