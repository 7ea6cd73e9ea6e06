#![doc = include_str!("../README.md")]
//!
//! # What is where
//!
//! - The root of this crate re-exports the whole run time: [`Character`], [`PosedCharacter`], [`HitboxWorld`] and their
//!   queries. The front page of the crate [`runtime`](../runtime/index.html) shows the way from a file to the answers,
//!   and has a tour of one tick. The examples on these pages use the crates of the workspace. In a game, replace
//!   `runtime::` and `geometry_core::` by `bonebox::`, and `glam` by `bonebox::glam`.
//! - [`Obb`], [`Ray`], [`Sphere`] and [`Capsule`] are the shapes that you pass to queries. [`Aabb`], [`PosedHull`],
//!   [`DCapsule`], [`Segment`] and [`TransformedObb`] are types that functions return or take. [`glam`] is the version
//!   of glam that all signatures use.
//! - [`skeleton`] has joints, clips and their sampling; [`mod@format`] reads `.bonebox` files into plain data and
//!   writes them.
//! - `bake` (feature `bake`) bakes glTF and VRM files inside your program.
//! - `rewind` (feature `rewind`) shows a world as it was at any moment of the last ticks.
//! - `strikes` (feature `strikes`) finds what the attacks of clips hit, once and when.
//! - `ragdoll` (feature `ragdoll`) converts poses to the bodies of a falling character and back.
//! - `mocap` (feature `mocap`) poses skeletons by motion capture.
//!
//! This crate contains no code; it re-exports the crates that a game needs, in versions that fit each other.
#![forbid(unsafe_code)]

#[cfg(feature = "bake")]
pub mod bake;

pub use baked_format as format;
pub use geometry_core::{Aabb, Capsule, DCapsule, Obb, PosedHull, Ray, Segment, ShapeError, Sphere, TransformedObb};
pub use glam;
#[cfg(feature = "mocap")]
pub use mocap;
#[cfg(feature = "ragdoll")]
pub use ragdoll;
#[cfg(feature = "rewind")]
pub use rewind;
#[doc(inline)]
pub use runtime::*;
pub use skeleton;
#[cfg(feature = "strikes")]
pub use strikes;
