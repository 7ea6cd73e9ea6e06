//! bonebox against other libraries and against the corpus of real characters.
//!
//! The corpus lies beside the workspace, in `../shared/corpus` (or where `BONEBOX_CORPUS` says). It is not part of the
//! project: tests that need it print a line and pass where it is absent.
#![forbid(unsafe_code)]

pub mod corpus;
pub mod shared_surface;
pub mod touching;
pub mod truth;
