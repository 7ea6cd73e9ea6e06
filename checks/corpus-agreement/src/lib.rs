//! Compares bonebox with other libraries, and with the corpus of real characters.
//!
//! Tests that read the corpus are ignored by default; `cargo xtask ignored corpus` runs them.
#![forbid(unsafe_code)]

pub mod any_pose;
pub mod oracle;
pub mod other_poses;
pub mod shared_surface;
pub mod skins;
pub mod touching;
pub mod truth;
