//! The guides in `docs/` whose Rust examples are compiled and run as tests of documentation.
//!
//! `integrations/c` holds the blocks of `docs/engines.md` to compiled programs, `bonebox-cli` bakes the examples of
//! `docs/artists.md` and parses the command lines of all pages.
#![forbid(unsafe_code)]

#[doc = include_str!("../../../docs/getting-started.md")]
pub mod getting_started {}

#[doc = include_str!("../../../docs/servers.md")]
pub mod servers {}

#[doc = include_str!("../../../docs/exact.md")]
pub mod exact {}

#[doc = include_str!("../../../README.md")]
pub mod readme {}
