//! bonebox against other libraries and against the corpus of real characters.
#![allow(clippy::unwrap_used, reason = "what is wrong in the corpus is a failed test")]

mod corpus;
mod fuzz_seeds;
