//! The tests of swings and strikes.
#![allow(clippy::unwrap_used, reason = "a test that cannot make its world should stop")]

mod exact;
mod hostile;
mod outcomes;
mod rates;
mod rules;
mod scene;
mod seen;
mod state;
mod weapons;
