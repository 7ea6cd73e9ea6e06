//! The C library called as C calls it.

#![allow(unsafe_code, reason = "the functions take pointers")]
#![allow(
    clippy::unwrap_used,
    clippy::undocumented_unsafe_blocks,
    reason = "tests pass what is valid, or say what is not"
)]

#[cfg(feature = "bake")]
mod bake;
mod casts;
mod documents;
mod door;
mod exact;
mod failures;
mod golden;
mod layers;
mod layout;
mod limited;
mod program;
mod ragdoll;
mod rays;
mod rewind;
mod saved;
mod strikes;
