#![doc = include_str!("../README.md")]
//!
//! # Main types and functions
//!
//! A bake makes a [`BakedCharacter`] and writes it to a file. The run time reads the file, often in a program that was
//! built at another time. So this crate also defines the file: `FORMAT.md` specifies it, and `schema/bonebox.fbs` its
//! payload.
//!
//! - [`BakedCharacter`], [`Hitbox`]: joints, hitboxes in joint space, clips, coverage, warnings, and their source.
//! - [`HitboxHull`]: the surface of a hitbox that is a convex hull.
//! - [`Skin`]: the skinned surface, one piece for each joint.
//! - [`Attack`], [`ClipState`]: what hitboxes do and are during parts of a clip.
//! - [`compact_clip`]: rounds the numbers of a clip, so that a file stores the clip in half of the bytes.
//! - [`write()`] and [`read()`]: both check the whole character ([`BakedCharacter::validate`]) and the [`limits`].
//! - [`header()`]: the version of a file, without reading the rest.
//! - `to_json` (feature `json`): the character as JSON text.
// This is not `forbid`, because planus' generated code has unsafe functions and needs an exception.
#![deny(unsafe_code)]

mod attack;
mod character;
mod octahedral;
mod skin;
mod byte_stream;
mod skin_codec;
mod clip_codec;
mod compact_clip;
mod envelope;
mod hitbox_hull;
mod ragdoll;
mod body_shape;
mod check;
mod validate_attacks;
mod validate_skin;
mod validate_ragdoll;
mod validate;
pub mod limits;
mod error;
mod write;
mod read;
mod header;
mod version;
#[cfg(feature = "json")]
mod json;

#[cfg(test)]
extern crate self as baked_format;
#[cfg(test)]
#[path = "../tests/all/support/characters.rs"]
mod support;

#[allow(
    unsafe_code,
    unreachable_pub,
    missing_docs,
    dead_code,
    rust_2018_idioms,
    clippy::all,
    clippy::allow_attributes_without_reason,
    clippy::undocumented_unsafe_blocks,
    clippy::missing_errors_doc,
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "written by planus from schema/bonebox.fbs"
)]
mod generated;

#[doc(hidden)]
pub mod fuzz;

pub use attack::{Attack, AttackKind, ClipState, StateKind, Window};
pub use body_shape::{BodyShape, BodySolid, body_shape};
pub use character::{
    BakeWarning, BakedCharacter, Coverage, Hitbox, HitboxRole, HitboxShape, RoundShape, Source, WorstEscape,
};
pub use compact_clip::compact_clip;
pub use envelope::{Cluster, Envelope, Motion, Mover};
pub use error::{CharacterError, LimitExceeded, ReadError, ReadErrorKind, WriteError};
pub use header::{Header, header};
pub use hitbox_hull::HitboxHull;
#[cfg(feature = "json")]
pub use json::to_json;
pub use ragdoll::{Constraint, ConstraintKind, LimitSource, Ragdoll, RagdollBody};
pub use read::read;
pub use skin::{
    CutTriangle, Skin, SkinBinding, SkinCut, SkinEncoding, SkinMesh, SkinMorphTarget, SkinOffset, SkinPiece,
    SkinPieceOffsets, VertexAttributes,
};
pub use version::{FORMAT_MINOR_VERSION, FORMAT_VERSION, HEADER_BYTES, MAGIC};
pub use write::write;
