//! Made-up characters with known answers, as arrays and as GLB bytes.
//!
//! - [`Gltf`] writes small glTF files, correct or deliberately wrong: accessors from arrays, objects from JSON.
//! - [`Character`] is a skinned mesh as plain arrays; [`Character::to_glb`] writes it.
//! - [`Fbx`] writes it as an FBX file, in any unit and with any axis up.
//! - [`box_limb`], [`soft_limb`], [`box_man`] and [`tank`] are characters with known boxes.
//! - [`in_one_file`] puts several characters into one file.
//! - [`mutated`] damages files, with a seed.
//! - [`Random`] makes the random numbers of all our tests and benches, and boxes that share axes, faces, edges and corners
//!   ([`Random::unkind_boxes`]).
//!
//! ```
//! let man = test_models::box_man();
//! let bytes = man.to_glb();
//! assert!(bytes.starts_with(b"glTF"));
//! ```
#![forbid(unsafe_code)]

mod cast;
mod characters;
mod fbx_tree;
mod fbx_writer;
mod gltf_writer;
mod mutation;
mod random;
mod unkind_boxes;

pub use cast::in_one_file;
pub use characters::{Character, Clip, Joint, Track, box_limb, box_man, painted_limb, soft_limb, tank};
pub use fbx_writer::{Fbx, FbxShape, ScaleKeys};
pub use gltf_writer::{Component, Gltf};
pub use mutation::mutated;
pub use random::Random;
pub use unkind_boxes::{BoxParts, turn_by_steps};
