//! Bakes of made-up and of real characters.
#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

mod all_sample_times;
mod attacks;
mod bake;
mod choice;
mod corpus;
mod enclose;
mod golden_bakes;
mod hull_volume;
mod ignored;
mod joint_presets;
mod min_volume;
mod mirrored;
mod morphs;
mod parts;
mod promise;
mod reports;
mod round_shapes;
mod skin;
mod upright;
mod warnings;
