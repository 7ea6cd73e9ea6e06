#![doc = include_str!("../README.md")]
//!
//! # Main functions and types
//!
//! The input is the text of a settings file. The output is, for each character by its name, the [`BakeOptions`],
//! [`Overrides`] and [`Limits`] of its bake. The crate opens no file: the program decides which file applies to which
//! asset.
//!
//! - [`Settings`] is a checked file. [`Settings::for_character`] returns the settings of one character.
//! - [`SettingsError`] is a mistake with its line and column, the text of the line, and the nearest correct name.
//! - [`clip_extras`] reads the attacks and the states that an asset has in the `extras` of an animation.
//! - [`init`] writes a first file for a folder, [`with_hitboxes`] writes edited hitboxes into a file, [`with_boxes`]
//!   adds manual boxes, [`with_option`] sets one option, and [`with_windows`] the times of an attack. [`schema()`] is the JSON schema for editors.
//!
//! [`BakeOptions`]: bone_fit::BakeOptions
//! [`Overrides`]: bone_fit::Overrides
//! [`Limits`]: bone_fit::Limits
//!
//! # Order of a settings file
//!
//! - Options for all characters are at the top of the file. The sections `[limits]`, `[tags]`, `[sets]`, `[humanoid]`,
//!   `[joints.NAME]`, `[clips.NAME]` and `[[shared]]` follow.
//! - A section `[characters.NAME]` may contain options and all of these sections. It applies to the characters whose
//!   name (the file name without folder and extension) matches `NAME`; `*` and `?` are wildcards.
//! - `root = true` at the top of the file ends the search for files in parent folders. Without it, a file adds to those files
//!   ([`Settings::for_character_in`]): every section of a nearer file overrides every section of a farther one.
//! - Later sections override earlier ones, and the section of a character overrides the sections for all characters.
//! - A `preset` replaces all options, including the options of an outer section.
//!
//! Memory and time are bounded by the size of the text, which is at most [`MOST_BYTES`].
#![forbid(unsafe_code)]

mod clip_entry;
mod clip_extras;
mod clip_sections;
mod edit;
mod edit_hitboxes;
mod edit_windows;
mod error;
mod init;
mod joined_texts;
mod manual_shape;
mod motion_sections;
mod motion_settings;
mod patterns;
mod placed_settings;
mod ragdoll_entry;
mod ragdoll_sections;
mod reader;
mod schema;
mod sections;
mod settings;
mod shared_sections;
mod shared_settings;
mod toml_slips;
#[doc(hidden)]
pub mod fuzz;

pub use clip_entry::ClipEntry;
pub use clip_extras::{ClipExtras, ClipExtrasError, clip_extras};
pub use edit::{EditError, FittedBoxes, with_boxes, with_motion, with_option};
pub use edit_hitboxes::{EditedHitbox, EditedText, JointEdit, with_hitboxes};
pub use edit_windows::{file_of_entry, with_windows};
pub use error::SettingsError;
pub use init::{Character, NewCharacter, guess_tag, init, untagged_joints};
pub use joined_texts::{joined_texts, nearest_text};
pub use manual_shape::ManualShape;
pub use motion_settings::{MotionMatch, MotionSettings};
pub use placed_settings::{PlacedSetting, SettingPlace, toml_text};
pub use reader::MOST_BYTES;
pub use schema::schema;
pub use settings::{CharacterSettings, Settings, check_patterns_of_entries};
pub use shared_settings::{SharedFrom, SharedScale, SharedSettings};
