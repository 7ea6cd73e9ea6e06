#![doc = include_str!("../README.md")]
//!
//! # Rules that all glTF forms share
//!
//! - A box is a child node of its joint's node, with the box's center and orientation in joint space: shapes are centered at
//!   their node. VRM colliders name the joint instead.
//! - Sizes are full extents in the scene's unit and above zero; the node carries the inverse of the joint's scale.
//! - Extensions are listed as used, never as required.
//! - [`is_exported_box`] knows the nodes again by their `extras`, and [`export_origin`] the whole file.
#![forbid(unsafe_code)]

mod error;
mod export;

mod container;
mod document_writer;
mod json_text;

mod capsule;
mod marks;
mod shape;

mod convex;
mod physics;
mod ron;
mod vrm;
mod wire;

#[cfg(test)]
mod tests;

pub use capsule::{Capsule, CapsulePolicy};
pub use error::ExportError;
pub use export::{Export, ExportForm, export, json_text};
pub use marks::{ExportOrigin, export_origin, has_exported_boxes, is_exported_box};
