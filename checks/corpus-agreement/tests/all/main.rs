//! Compares bonebox with other libraries and with the corpus of real characters, and tests the characters of `assets/`.
#![allow(clippy::unwrap_used, reason = "an error in the corpus fails the test")]

mod any_pose;
mod authored;
mod corpus;
mod fuzz_seeds;
mod parry_triangles;
mod surface_attributes;
