//! The `.bonebox` file and its text twin: what is written is read, what is damaged is refused.
#![allow(clippy::unwrap_used, reason = "made-up data and tracked files that are known to be right")]

mod assets;
mod clips;
mod damage;
mod documents;
mod golden;
mod json;
mod round_trip;
mod support;
mod validate;
mod versions;
