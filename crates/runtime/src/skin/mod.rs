//! The skin of a character, and its pose: the data of the exact queries.
//!
//! A character that was baked with its skin has one skin piece for each joint: the surface that the joint owns. A posed
//! character that [tracks its skin](crate::PosedCharacter::track_skin) keeps one matrix for each binding, and skins a
//! piece once for each pose, when a query first needs it.
//!
//! The skinned surface is defined to the last bit: `geometry_core::portable` multiplies the matrices, a posed vertex is
//! the image of the vertex, moved by its morph targets, under the blend of its matrices, and products and sums are `f32` in one fixed order without
//! fusing.

pub(crate) mod attributes;
pub(crate) mod blocks;
mod chunks;
pub(crate) mod error;
mod morphs;
mod part;
pub(crate) mod posed_skin;
mod reach;
pub(crate) mod table;

pub use error::SkinError;
