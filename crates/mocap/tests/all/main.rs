//! Tests of retargeting against known poses, and of packets and texts from untrusted senders.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its files should stop")]

mod bvh;
mod figure;
mod hostile;
mod humanoids;
mod recordings;
mod retargeting;
mod vmc;
