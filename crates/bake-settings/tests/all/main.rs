//! Texts of `bonebox.toml`: what they set, what is wrong with them, what is written back.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod errors;
mod layers;
mod reference;
mod written;
