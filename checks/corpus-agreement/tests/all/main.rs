//! bonebox against other libraries and against the corpus of real characters.
#![allow(clippy::unwrap_used, reason = "what is wrong in the corpus is a failed test")]

mod corpus_bakes;
mod fuzz_seeds;
mod golden_boxes;
mod golden_pairs;
mod touching_joints;
