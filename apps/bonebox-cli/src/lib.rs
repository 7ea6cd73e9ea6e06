//! The `bonebox` program as a library, so that `cargo xtask bake` and tests run the very same code.
//!
//! - [`run`]: the whole command line.
//! - [`bake`]: sources in, baked files out; used by every command that needs boxes.
//! - [`settings`]: which `bonebox.toml` bears on an asset.
//! - [`source`]: finding and reading assets. This crate opens files; the library crates take bytes.
#![forbid(unsafe_code)]

pub mod bake;
mod bake_command;
mod cli;
mod compare;
pub mod diff;
mod draw;
pub mod duel;
pub mod export;
pub mod folder_resolver;
mod import;
mod imported;
mod init;
mod inspect;
mod output;
pub mod settings;
mod shell;
pub mod source;
mod table;
mod terminal;
mod view;

pub use cli::run;
pub use output::replace_file;

/// The README's program compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
