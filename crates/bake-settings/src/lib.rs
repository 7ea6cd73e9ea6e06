#![doc = include_str!("../README.md")]
//!
//! # Layers
//!
//! **In:** the text of a settings file. **Out:** for each character by its name, the [`BakeOptions`], [`Overrides`]
//! and [`Limits`] of its bake. The crate opens no file: the program decides which file applies to which asset.
//!
//! - [`Settings`]: a file, checked; [`Settings::for_character`] is what applies to one character.
//! - [`SettingsError`]: a mistake with line, column, the line itself, and the nearest right name.
//! - [`init`], [`with_boxes`] and [`with_option`]: a first file for a folder, manual boxes into a file, and one option into
//!   a file. [`schema()`] is for editors.
//!
//! [`BakeOptions`]: bone_fit::BakeOptions
//! [`Overrides`]: bone_fit::Overrides
//! [`Limits`]: bone_fit::Limits
//!
//! Options of all characters stand at the top of the file. Then come the sections `[limits]`, `[tags]`, `[sets]`,
//! `[humanoid]` and `[joints.NAME]`. `[characters.NAME]` holds the same for the characters whose name (the file's, without folder and
//! extension) matches; `*` and `?` are wildcards. Later sections override earlier ones, and a character's section overrides
//! everyone's. A `preset` replaces all options, also those of an outer section.
//!
//! Memory and time are bounded by the size of the text, and that by [`MOST_BYTES`].
#![forbid(unsafe_code)]

mod edit;
mod error;
mod init;
mod patterns;
mod reader;
mod schema;
mod sections;
mod settings;
mod toml_slips;
#[doc(hidden)]
pub mod fuzz;

pub use edit::{EditError, with_boxes, with_option};
pub use error::SettingsError;
pub use init::{Character, guess_tag, init, untagged_joints};
pub use reader::MOST_BYTES;
pub use schema::schema;
pub use settings::{CharacterSettings, Settings, check_patterns_of_words};
