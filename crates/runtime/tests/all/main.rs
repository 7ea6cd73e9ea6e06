//! Tests of what the run time promises, one module for each promise.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod api_walkthrough;
mod assets;
mod boxes_in_answers;
mod characters;
mod clip_bounds;
mod contact_places;
mod example_files;
mod failed_poses;
mod hulls;
mod hulls_at_one_place;
mod joint_maps;
mod lazy_boxes;
mod limited_characters;
mod lines;
mod morph_targets;
mod posing;
mod queries;
mod query_filters;
mod roles;
mod ray_batches;
mod rays_without_poses;
mod recipes;
mod sampling;
#[cfg(feature = "serde")]
mod save_and_restore;
mod settings;
mod shape_casts;
mod shapes;
mod shared_poses;
mod skin;
mod skin_large_pieces;
mod skin_without_extent;
mod skin_world;
mod sweep_twins;
mod whose_pose;
mod world;
mod world_between_updates;
mod world_clones;
mod world_model;
mod world_sweeps;
mod wrong_arguments;
