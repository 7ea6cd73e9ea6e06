//! glTF and VRM bytes to a skinned model, guarded against bad files.
//!
//! **In:** the bytes of a .glb, .gltf or .vrm file, and a [`ResolveUri`] for buffers in files beside it.
//! **Out:** a [`SkinnedModel`]: joints, meshes bound to them, rigid attachments, clips.
//!
//! - [`import`]: the one door. It trusts nothing in the file: containers, indices, ranges, types and counts are
//!   checked before anything is read, memory is bounded by the input's size, and no bytes make it panic.
//! - [`ImportError`] says which object is wrong, what was expected, what was found and what to do;
//!   [`ImportWarning`] what was odd and how it was read.
//! - [`skinning`]: exact skinning in f64, for fitting and for measuring.
//!
//! Conventions: glTF's own (right-handed, y up, metres). Mesh space is that of the vertex data; `joint_from_mesh` is
//! the inverse bind matrix; the transform of a skinned mesh's node has no effect (glTF 2.0, section 3.7.3.2).
//!
//! Compressed meshes are read by the default features `draco` (KHR_draco_mesh_compression) and `meshopt`
//! (EXT_ and KHR_meshopt_compression); without them a file that requires one is refused by name. Quantised meshes are
//! always read. `src/extensions.rs` has the table of all extensions that may be required.
//!
//! ```
//! use skinned_model::{NoExternalFiles, import};
//!
//! let model = import(&test_models::box_man().to_glb(), &NoExternalFiles)?;
//! assert_eq!(model.skeleton.len(), 11);
//! assert_eq!(model.meshes[0].positions.len(), 11 * 8);
//! assert_eq!(model.clips[0].name, "jab");
//! # Ok::<(), skinned_model::ImportError>(())
//! ```
#![forbid(unsafe_code)]

mod import;
mod model;
pub mod skinning;

#[doc(hidden)]
pub mod fuzz;

mod error;
mod resolve;
mod warnings;

mod accessor;
mod budget;
mod buffers;
mod data_uri;
mod document;
#[cfg(feature = "draco")]
mod draco;
mod extensions;
mod glb;
#[cfg(feature = "meshopt")]
mod meshopt;
mod structure;
mod view_compression;

mod attachments;
mod clips;
mod hierarchy;
mod meshes;
mod rigid_meshes;
mod primitive;

pub use error::ImportError;
pub use import::{external_buffers, import, import_ignoring};
pub use model::{Attachment, ImportWarning, Influences, InvalidModel, SkinnedMesh, SkinnedModel};
pub use resolve::{NoExternalFiles, ResolveError, ResolveUri, percent_decoded};
