//! The importer against the corpus of real, derived and broken files; skipped where that is absent.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its files should stop")]

mod characters;
mod files;
mod malformed;
mod variants;
