//! Truth tests of retargeting, and what packets and texts from strangers may do.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its files should stop")]

mod bvh;
mod figure;
mod hostile;
mod humanoids;
mod recordings;
mod retargeting;
mod vmc;
