//! Tests of the importer with made-up, mutated and real files.
#![allow(
    clippy::unwrap_used,
    reason = "made-up data is known to be right, and a test that cannot read its files should stop"
)]

mod corpus;
mod draco;
#[cfg(feature = "fbx")]
mod fbx;
mod import;
mod mutations;
mod several;
