//! Exact answers: a character's skin instead of its hitboxes.
//!
//! A character that was baked with its skin has, for each joint, the piece of surface that the joint owns. A posed
//! character that [tracks its skin](crate::PosedCharacter::track_skin) keeps one matrix for each binding and skins a piece
//! when a question asks for it, once for each pose.
//!
//! The skinned surface is defined to the last bit: matrices are multiplied by `geometry_core::portable`, a vertex is the
//! image under the blend of its matrices, products and sums are `f32` in one order, and no two of them are fused. Whether two
//! pieces touch is then decided exactly (`geometry_core::triangle::overlap`), whatever quick rejects come first.

pub(crate) mod blocks;
pub(crate) mod chunks;
pub(crate) mod distance;
pub(crate) mod error;
pub(crate) mod inside;
pub(crate) mod overlap;
pub(crate) mod posed_skin;
pub(crate) mod ray;
pub(crate) mod shape;
pub(crate) mod table;
pub(crate) mod triangles;
