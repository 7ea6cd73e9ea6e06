#![doc = include_str!("../README.md")]
//!
//! # Rules that all glTF forms share
//!
//! - A box is a child node of its joint's node. The child node has the box's center and orientation in joint space, and
//!   the shape is centered at the child node. VRM colliders have no child node; they name the joint's node.
//! - Sizes are full extents in the scene's unit, always above zero. The scale of the child node is the inverse of the
//!   joint's scale at rest.
//! - Extensions are listed as used, never as required.
//! - [`is_exported_box`] recognizes the node of a box by its `extras`, and [`export_origin`] recognizes an exported
//!   file.
#![forbid(unsafe_code)]

mod error;
mod export;

mod document_writer;
mod json_text;

mod capsule;
mod marks;
mod shape;

mod convex;
mod physics;
mod ron;
mod usda_text;
mod ragdoll;
mod vrm;
mod wire;
mod wire_armature;

#[cfg(test)]
mod tests;

pub use capsule::{Capsule, CapsulePolicy};
pub use error::ExportError;
pub use export::{Export, ExportForm, export, named_files};
pub use marks::{ExportOrigin, export_origin, has_exported_boxes, is_exported_box};
