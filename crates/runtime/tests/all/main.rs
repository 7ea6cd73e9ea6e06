//! Posing, queries and the world, against slow twins that look at everything.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod assets;
#[path = "../common/example.rs"]
mod example;
#[path = "../common/figure.rs"]
mod figure;
mod posing;
mod queries;
mod world;
mod world_sweeps;
