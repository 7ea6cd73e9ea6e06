//! glTF and VRM bytes to a skinned model, guarded against bad files.
#![forbid(unsafe_code)]

mod model;

pub use model::{Attachment, ImportWarning, Influences, SkinnedMesh, SkinnedModel};
