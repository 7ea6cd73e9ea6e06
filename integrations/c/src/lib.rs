#![doc = include_str!("../README.md")]
//!
//! # Rules for callers
//! The caller of a function with pointers must keep these rules. There are no other rules.
//! - A pointer to a value, a list or a string must be NULL or valid for the whole call. A function fails if a pointer is
//!   NULL, unless the function's documentation allows NULL.
//! - Pass only handles that a function of this library made. Free each handle once, with the function of its type.
//! - Functions that take a `const` handle may run at the same time on any threads. While a function that takes a handle
//!   without `const` runs, no other function may use that handle.
//! - No function keeps a pointer of the caller after it returns.
#![allow(unsafe_code, reason = "every function takes pointers from C: unsafe code is what this crate is for")]
#![allow(
    unsafe_op_in_unsafe_fn,
    reason = "the rules above make every access to the caller's memory valid; only the modules that access it mark each place"
)]
#![allow(clippy::missing_safety_doc, reason = "the rules above are the same for all functions")]

mod bytes;
mod failure;
mod handle;
mod memory;
#[macro_use]
mod shapes;

mod character;
mod box_set;
mod pose;
mod pose_layers;
mod clip_bounds;
mod pair;
#[macro_use]
mod world;
mod history;
mod past;
mod explain;
mod saved;
mod strikes;
mod ragdoll;
mod query;
mod cast;
mod exact;
mod morph;
mod exact_shapes;
#[cfg(feature = "bake")]
mod bake;

#[cfg(feature = "bake")]
pub use bake::*;
pub use box_set::*;
pub use bytes::*;
pub use cast::*;
pub use character::*;
pub use clip_bounds::*;
pub use exact::*;
pub use exact_shapes::*;
pub use explain::*;
pub use failure::{BONEBOX_MESSAGE_SIZE, BoneboxError, BoneboxResult};
pub use history::*;
pub use memory::BoneboxString;
pub use morph::*;
pub use pair::*;
pub use past::*;
pub use pose::*;
pub use pose_layers::*;
pub use query::*;
pub use ragdoll::*;
pub use saved::*;
pub use shapes::{
    BoneboxMatrix, BoneboxOrientedBox, BoneboxQuat, BoneboxRay, BoneboxShape, BoneboxShapeKind, BoneboxVec3,
    bonebox_shape_box, bonebox_shape_capsule, bonebox_shape_sphere,
};
pub use strikes::*;
pub use world::*;

/// The major version. It changes when a release requires changes in programs that use the library.
pub const BONEBOX_VERSION_MAJOR: u32 = 0;
/// The minor version. It changes when a release adds functions, types or constants.
pub const BONEBOX_VERSION_MINOR: u32 = 1;
/// The patch version. It changes with releases that change neither of the other two numbers.
pub const BONEBOX_VERSION_PATCH: u32 = 0;

/// Returns the version of the loaded library: major * 1,000,000 + minor * 1,000 + patch. Compare it with
/// `BONEBOX_VERSION_MAJOR`, `BONEBOX_VERSION_MINOR` and `BONEBOX_VERSION_PATCH`, which are the versions of the header.
#[unsafe(no_mangle)]
pub extern "C" fn bonebox_version() -> u32 {
    BONEBOX_VERSION_MAJOR * 1_000_000 + BONEBOX_VERSION_MINOR * 1_000 + BONEBOX_VERSION_PATCH
}
