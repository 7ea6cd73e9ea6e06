//! Tests that read the corpus, and the tests of their helpers.

mod any_pose;
mod bakes;
mod clips;
mod exact;
mod golden_boxes;
mod golden_pairs;
mod hulls;
mod limited_characters;
mod parry_triangles;
mod posed_boxes;
mod ragdolls;
mod skin_and_truth;
mod surface_attributes;
mod touching_joints;
