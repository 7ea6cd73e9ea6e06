//! The .bonebox file: bytes to a checked character and back.
//!
//! **In:** a [`BakedCharacter`], from the fitter. **Out:** bytes, and from bytes the same character again.
//! The file is a contract between programs built at different times: what it says stands in `FORMAT.md` beside this
//! crate, its payload in `schema/bonebox.fbs`.
//!
//! - [`BakedCharacter`]: joints, boxes in joint space, clips, where they came from and what was odd.
//! - [`write()`] and [`read()`]: the two doors. Both check the whole character ([`BakedCharacter::validate`]) and the
//!   [`limits`]; what `read` accepts, a run time may index without looking again.
//! - [`header`]: which version a file has, without reading the rest.
//! - `to_json` (feature `json`): the text twin, to read and to diff.
//!
//! `read` is the one door for untrusted bytes: any bytes give a character or a [`ReadError`], in time and memory
//! bounded by their number. Equal characters give equal bytes on every machine.
//!
//! ```
//! use baked_format::{Hitbox, BakedCharacter, Source};
//! use skeleton::{Joint, JointIndex, Skeleton};
//! use glam::{Quat, Vec3};
//!
//! let character = BakedCharacter {
//!     name: "Post".into(),
//!     source: Source { file: "Post.glb".into(), blake3: [0; 32], generator: "example 1.0".into() },
//!     options: vec![("fit".into(), "pca".into())],
//!     skeleton: Skeleton::new(vec![Joint { name: "root".into(), ..Joint::default() }])?,
//!     boxes: vec![Hitbox {
//!         joint: JointIndex(0),
//!         tags: vec![],
//!         center: Vec3::new(0.0, 1.0, 0.0),
//!         half_extents: Vec3::new(0.1, 1.0, 0.1),
//!         orientation: Quat::IDENTITY,
//!         vertices: 8,
//!         hull_vertices: 8,
//!         hull_volume: 0.08,
//!         min_volume: None,
//!     }],
//!     clips: vec![],
//!     coverage: None,
//!     warnings: vec![],
//! };
//! let bytes = baked_format::write(&character)?;
//! assert_eq!(baked_format::read(&bytes)?, character);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
// Not `forbid`: planus' generated code has unsafe functions, and needs an exception.
#![deny(unsafe_code)]

mod character;
mod header;
#[cfg(feature = "json")]
mod json;
pub mod limits;
mod read;
mod validate;
mod write;

#[doc(hidden)]
pub mod fuzz;

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

pub use character::{BakeWarning, BakedCharacter, Coverage, Hitbox, Source, WorstEscape};
pub use header::{FORMAT_MINOR_VERSION, FORMAT_VERSION, HEADER_BYTES, Header, MAGIC, header};
#[cfg(feature = "json")]
pub use json::to_json;
pub use read::{ReadError, ReadErrorKind, read};
pub use validate::{CharacterError, LimitExceeded, UNIT_TOLERANCE};
pub use write::{WriteError, write};
