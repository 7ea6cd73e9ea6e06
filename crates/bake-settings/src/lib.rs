//! The text of `bonebox.toml` to data, and back.
//!
//! **In:** the text of a settings file. **Out:** for each character by its name, the [`BakeOptions`], [`Overrides`]
//! and [`Limits`] of its bake. The crate opens no file: which file bears on which asset is the program's business.
//!
//! - [`Settings`]: a file, checked; [`Settings::of`] is what it says about one character.
//! - [`SettingsError`]: what is wrong, with line, column, the line itself, and the nearest right name.
//! - [`init`] and [`with_boxes`]: a first file for a folder, and boxes made elsewhere into a file. [`schema()`] is for
//!   editors.
//!
//! [`BakeOptions`]: bone_fit::BakeOptions
//! [`Overrides`]: bone_fit::Overrides
//! [`Limits`]: bone_fit::Limits
//!
//! The form: options of all characters stand at the top; then come the sections `[limits]`, `[tags]`, `[sets]` and
//! `[joints.NAME]`. `[characters.NAME]` holds the same for the characters whose name (the file's, without folder and
//! ending) matches; `*` and `?` are wild. What stands later in the file comes over what stands earlier, a character's
//! over everyone's. A `preset` sets all options anew, also those that an outer section set.
//!
//! Memory and time are bounded by the size of the text, and that by [`MOST_BYTES`].
//!
//! ```
//! use bake_settings::Settings;
//!
//! let settings = Settings::parse(r#"
//! preset = "cover"
//! [tags]
//! "*hand*" = "hand"
//! [characters.runa]
//! margin = 0.005
//! "#)?;
//! let runa = settings.of("runa", &[]).unwrap();
//! assert_eq!((runa.options.margin, runa.options.preset.word()), (0.005, "cover"));
//!
//! let error = Settings::parse("presett = 'tight'").unwrap_err();
//! assert!(error.to_string().starts_with(r#"1:1: there is no option or section "presett"; did you mean "preset"?"#));
//! # Ok::<(), bake_settings::SettingsError>(())
//! ```
#![forbid(unsafe_code)]

mod edit;
mod error;
#[doc(hidden)]
pub mod fuzz;
mod init;
mod parse;
mod schema;
mod settings;

pub use edit::{EditError, with_boxes};
pub use error::SettingsError;
pub use init::{Character, init};
pub use parse::MOST_BYTES;
pub use schema::schema;
pub use settings::{ForCharacter, Settings};
