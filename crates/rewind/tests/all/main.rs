//! The tests of the history and its views.
#![allow(clippy::unwrap_used, reason = "a test that cannot make its world should stop")]

mod each;
mod explained;
mod model;
mod moments;
mod own;
#[cfg(feature = "serde")]
mod save;
mod scene;
mod truth;
mod without_views;
