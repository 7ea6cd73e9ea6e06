//! The `bonebox` program as a library, so that tests and `main.rs` run the same code.
//!
//! The program parses arguments, calls the crates and prints. `asset-bake` finds, bakes and writes files, `gltf-export`
//! writes other forms, `bone-fit` makes the boxes and `runtime` poses them.
//! `page-answers` plays duels and answers the questions of the page.
//!
//! - [`run`] is the whole command line. `cli.rs` lists the commands, and `commands/` has a file or a folder for each
//!   command.
//! - `library/` looks at many characters at once, for reviews and build systems.
//! - `draw/` draws pictures, and `view/` serves the page in a browser.
#![forbid(unsafe_code)]

#[cfg(feature = "cloud")]
mod bucket;
mod character_arguments;
mod cli;
mod commands;
mod exit_code;
mod explanations;
mod settings_arguments;
mod settings_file;
mod shape_change;
mod store_address;
mod terminal;
mod wrong_argument;

mod draw;
mod library;
mod live;
mod view;
#[cfg(test)]
mod documented_commands;

pub use cli::run;
