//! Baking in the process of a game or a tool: a prototype that loads a glTF, an editor that shows hitboxes at once.
//!
//! A bake takes from milliseconds to seconds, depending on the options, so it belongs on a thread of its own. A
//! [`BakeObserver`] sees its progress and may cancel it. A released game loads files that the program `bonebox` baked.
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

pub use asset_bake::{AssetError, RequestedSettings, SettingsFileChoice, bake_bytes, bake_file};
pub use bone_fit::{BakeError, BakeObserver, BakeStep};
