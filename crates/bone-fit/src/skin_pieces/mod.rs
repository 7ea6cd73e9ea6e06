//! Last stage: the skinned surface, one piece for each joint, for exact tests against the skin.
//!
//! The pieces are cut so that the surface stays as watertight as the source: the places where an edge is cut depend on
//! the edge alone ([`edge_cuts`]), all fragments of a triangle share their corners ([`subdivide`]), and equal vertices
//! are stored as a single vertex ([`welded`]).

mod attributes;
mod chunks;
mod divide;
mod edge_cuts;
mod morph_targets;
mod piece;
mod rounding;
mod rounding_error;
mod source_offsets;
mod stage;
mod subdivide;
mod targets;
mod triangulate;
mod welded;

pub use stage::SkinReport;
pub(crate) use stage::{BakedSkin, COMPACT_ERROR};
pub(crate) use targets::Targets;
