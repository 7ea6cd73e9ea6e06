#![doc = include_str!("../README.md")]
//!
//! # What is where
//!
//! - [`RagdollRig`]: the bodies of one character, their shapes and constraints; it converts poses to places of bodies and
//!   back.
//! - [`BodyPlace`] and [`BodyVelocity`]: what a physics engine knows of a body.
//! - [`blend_poses`]: the way from a ragdoll back to an animation.
#![forbid(unsafe_code)]

mod body_state;
mod rig;
mod blend;

pub use baked_format::{BodyShape, BodySolid, Constraint, ConstraintKind, LimitSource, RagdollBody};
pub use blend::blend_poses;
pub use body_state::{BodyPlace, BodyVelocity};
pub use rig::{RagdollError, RagdollRig};
