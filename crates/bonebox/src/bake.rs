//! Bakes glTF and VRM files inside your program, for example in a prototype, or in an editor that shows the hitboxes at
//! once.
//!
//! A released game should load `.bonebox` files that the program `bonebox` baked. A bake takes from milliseconds to
//! seconds, depending on the options, so run it on its own thread. Pass a [`BakeObserver`] to show the progress or to
//! cancel the bake.
//!
//! In the build script of a game, [`build_folder`] bakes a folder of characters.
//!
//! ```
//! use bonebox::bake::{BakeObserver, BakeStep, bake_bytes};
//! use bonebox::Character;
//!
//! struct Progress;
//!
//! impl BakeObserver for Progress {
//!     fn step_started(&self, step: BakeStep) {
//!         println!("{step:?}");
//!     }
//! }
//!
//! let glb = test_models::box_man().to_glb();
//! let baked = bake_bytes(&glb, "man.glb", "preset = \"tight\"", &Progress)?;
//! let man = Character::from_baked(baked);
//! assert_eq!(man.name(), "man");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use asset_bake::{
    AssetError, BuildError, BuildInstructions, RequestedSettings, SettingsFileChoice, bake_bytes, bake_file,
    build_folder,
};
pub use bone_fit::{BakeError, BakeObserver, BakeStep};
