//! Tests of `bevy_bonebox` in one test binary: apps without a window, over assets in memory.

#![allow(clippy::unwrap_used, reason = "tests pass what is valid, or say what is not")]

mod stage;
mod strikes;

mod binding;
mod documents;
mod exact;
mod examples;
mod layers;
mod lifecycle;
mod loading;
mod queries;
mod reflection;
mod rewind;
mod schedules;
mod touches;

#[cfg(feature = "bake")]
mod baking;
#[cfg(feature = "debug")]
mod gizmos;
#[cfg(any(feature = "avian", feature = "rapier"))]
mod physics;
#[cfg(all(feature = "ragdoll", feature = "bake", any(feature = "avian", feature = "rapier")))]
mod ragdolls;
#[cfg(feature = "gltf-tests")]
mod beside;
