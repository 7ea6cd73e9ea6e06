//! Compiles and runs the Rust examples of the guides as documentation tests. `build.rs` completes the examples.
//!
//! The tests of `integrations/c` and `integrations/bevy` compare the examples of the pages in `docs/engines/` with programs that
//! are compiled and run. The tests of `bonebox-cli` bake the examples of `docs/artists.md` and
//! `docs/choosing-settings.md`, and parse the command lines of all pages.
#![forbid(unsafe_code)]

use std::error::Error;
use std::path::Path;
use std::{env, fs};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Makes the repository's folder the current one, in which the examples find `assets/`.
///
/// # Errors
/// Returns an error if the folder does not exist any more.
pub fn enter_repository() -> Result<(), Box<dyn Error>> {
    Ok(env::set_current_dir(ROOT)?)
}

/// Bakes `assets/runa.glb` with its skin into a folder, and makes this folder the current one.
///
/// # Errors
/// Returns an error if the asset cannot be baked, or the file cannot be written.
pub fn enter_folder_with_skin() -> Result<(), Box<dyn Error>> {
    let asset = fs::read(Path::new(ROOT).join("assets/runa.glb"))?;
    let settings = "skin = \"lossless\"\nmeasure = \"none\"";
    let baked = bonebox::bake::bake_bytes(&asset, "runa.glb", settings, &())?;
    let folder = Path::new(env!("OUT_DIR")).join("skin");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("runa.bonebox"), bonebox::format::write(&baked)?)?;
    Ok(env::set_current_dir(folder)?)
}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/docs-getting-started.md"))]
pub mod getting_started {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/docs-own-animation.md"))]
pub mod own_animation {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/docs-worlds.md"))]
pub mod worlds {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/docs-attacks.md"))]
pub mod attacks {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/docs-motion.md"))]
pub mod motion {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/docs-ragdolls.md"))]
pub mod ragdolls {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/docs-servers.md"))]
pub mod servers {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/docs-hit-registration.md"))]
pub mod hit_registration {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/docs-exact.md"))]
pub mod exact {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/README.md"))]
pub mod readme {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/crates-bonebox-README.md"))]
pub mod readme_of_the_crate {}
