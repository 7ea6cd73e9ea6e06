//! Tests of the text of `bonebox.toml`: what it sets, which mistakes are reported, and what is written back.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod errors;
mod files;
mod hitboxes;
mod layers;
mod motions;
mod reference;
mod shared;
mod written;
mod windows;
