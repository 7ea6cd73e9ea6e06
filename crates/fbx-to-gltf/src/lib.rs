#![doc = include_str!("../README.md")]
//!
//! # Rules
//!
//! - The result is one .glb that names no other file. Its axes and units are glTF's, whatever those of the file are.
//! - The crate checks only what glTF cannot express. The importer of the glTF cleans weights, checks positions and matrices, and
//!   makes names unique, as for every glTF file.
//! - Files may come from strangers. The memory stays below a limit that follows from the size of the file, and no file is
//!   opened: textures and geometry caches in other files are not read.
#![forbid(unsafe_code)]

mod convert;
mod error;
mod finding;

mod load;
mod glb;
mod nodes;
mod skins;
mod shapes;
mod meshes;
mod node_objects;
mod clips;

#[doc(hidden)]
pub mod fuzz;

pub use convert::{Converted, to_glb};
pub use error::FbxError;
pub use finding::Finding;
pub use load::is_fbx;
