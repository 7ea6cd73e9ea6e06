//! Tests of what the run time promises, one module for each promise.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[path = "../common/any_pose.rs"]
mod any_pose;
mod api_walkthrough;
mod assets;
mod boxes_in_answers;
mod clip_bounds;
#[path = "../common/example.rs"]
mod example;
#[path = "../common/figure.rs"]
mod figure;
mod example_files;
mod hulls;
#[path = "../common/hulls.rs"]
mod hulls_of_figure;
mod joint_maps;
mod limited_characters;
mod posing;
mod queries;
mod query_filters;
mod ray_batches;
mod sampling;
#[cfg(feature = "serde")]
mod save_and_restore;
mod settings;
mod shape_casts;
mod shapes;
mod skin;
mod skin_large_pieces;
mod skin_world;
mod sweep_twins;
#[path = "../common/skin.rs"]
mod skinned;
mod whose_pose;
mod world;
mod world_between_updates;
mod world_clones;
mod world_sweeps;
