#![doc = include_str!("../README.md")]
//!
//! # Rules
//!
//! - A file that begins with the letters `glTF` is a .glb (glTF 2.0, section 4.4). Every other file must be JSON text
//!   that begins with `{`.
//! - The JSON must be UTF-8, but this crate does not check it, because an importer skips most texts of a file.
//! - Bytes after the length in the header of a .glb do not belong to the container.
#![forbid(unsafe_code)]

mod container;
mod error;

pub use container::{Container, is_lfs_pointer, read_json, to_glb};
pub use error::ContainerError;
