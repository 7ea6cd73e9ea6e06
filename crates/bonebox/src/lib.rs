#![doc = include_str!("../README.md")]
//!
//! # What is where
//!
//! - The root of this crate re-exports the whole run time: [`Character`], [`PosedCharacter`], [`HitboxWorld`] and the
//!   questions that they answer. The front page of the crate
//!   [`runtime`](../runtime/index.html) has a diagram of the way from a file to the answers, and a tour of one tick. In the
//!   examples of these pages, read `bonebox::` for `runtime::` and `geometry_core::`, and `bonebox::glam` for `glam`.
//! - [`Obb`], [`Ray`], [`Sphere`] and [`Capsule`] are the shapes that questions take, and [`glam`] is the version of glam
//!   that all signatures use.
//! - [`skeleton`] has joints, clips and their sampling; [`mod@format`] reads and writes `.bonebox` files as data.
//! - `bake` (feature `bake`) bakes glTF and VRM files in the process.
//! - `mocap` (feature `mocap`) drives skeletons by motion capture.
//!
//! This crate has no code of its own: it names the crates that a game needs, in versions that fit each other.
#![forbid(unsafe_code)]

#[cfg(feature = "bake")]
pub mod bake;

pub use baked_format as format;
pub use geometry_core::{Capsule, Obb, Ray, ShapeError, Sphere};
pub use glam;
#[cfg(feature = "mocap")]
pub use mocap;
#[doc(inline)]
pub use runtime::*;
pub use skeleton;
