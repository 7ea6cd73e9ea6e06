#![doc = include_str!("../README.md")]
//!
//! # Input and output
//!
//! The crate takes the bytes of a file, and a [`ResolveUri`] for buffers in other files. [`import()`] returns a
//! [`SkinnedModel`], which is independent of glTF. The crate `bone-fit` makes hitboxes from it.
//!
//! In the source, `gltf_file` makes glTF of FBX files with the crate `fbx-to-gltf`, the crate `gltf-container` finds the JSON and the buffers, `document` parses and checks the JSON, `decode` reads
//! accessors, and `character` makes joints, meshes, attachments and clips.
//!
//! # Conventions
//!
//! Axes and units are glTF's: right-handed, y up, meters. Mesh space is the space of the vertex data. `joint_from_mesh` is
//! glTF's inverse bind matrix; the transform of a skinned mesh's own node has no effect (glTF 2.0, section 3.7.3.2).
//! `src/document/extensions.rs` lists all extensions that a file may require.
#![forbid(unsafe_code)]

mod import;
mod model;
pub mod skinning;
mod error;
mod warnings;
mod quote;

mod gltf_file;
mod data_uri;
mod resolve;
mod buffers;
mod document;
mod budget;
mod decode;
mod character;

#[doc(hidden)]
pub mod fuzz;

pub use error::ImportError;
#[cfg(feature = "fbx")]
pub use fbx_to_gltf::FbxError;
pub use gltf_container::ContainerError;
pub use gltf_file::gltf_bytes;
pub use import::{
    characters, external_buffers, has_skinned_mesh, import, import_character, import_ignoring, import_motion,
};
pub use model::{
    Attachment, CharacterRoot, HumanoidBone, ImportWarning, Influences, InvalidModel, MeshNames, MorphTargets, Morphed,
    SkinnedMesh, SkinnedModel,
};
pub use resolve::{NoExternalFiles, ResolveError, ResolveUri, percent_decoded};
