//! PosedCharacter boxes and what they touch, in microseconds.
//!
//! **In:** a baked character ([`Character`]) and a pose, as the caller's joint matrices or a baked clip at a time.
//! **Out:** boxes in world space ([`PosedCharacter`]) and which joints of two characters touch ([`overlapping_joints`]).
//! No glTF, no hull, no path: a game or a server links this crate and the bytes of a `.bonebox` file.
//!
//! ```
//! # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
//! # let [knight, bandit] = ["Knight", "Bandit"].map(|name| baked_format::write(&example::baked_arm(name)).unwrap());
//! use glam::Affine3A;
//! use runtime::{Character, PosedCharacter, overlapping_joints};
//!
//! // let knight = std::fs::read("Knight.bonebox")?;
//! let (knight, bandit) = (Character::load(&knight)?, Character::load(&bandit)?);
//! let (mut a, mut b) = (PosedCharacter::new(), PosedCharacter::new());
//! a.pose_from_rest(&knight, &Affine3A::IDENTITY)?;
//! b.pose_from_rest(&bandit, &Affine3A::from_translation(glam::vec3(0.5, 0.0, 0.0)))?;
//! let mut pairs = Vec::new(); // kept from tick to tick: nothing is allocated once it has grown
//! overlapping_joints(&a, &b, &mut pairs);
//! for pair in &pairs {
//!     println!("{} touches {}", knight.joint_name(pair.a), bandit.joint_name(pair.b));
//! }
//! # assert_eq!(pairs.len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What there is
//! | question | one character | two | many ([`HitboxWorld`]) |
//! |---|---|---|---|
//! | touching | | [`overlapping_joints`], [`overlaps`] | [`HitboxWorld::touches`], [`HitboxWorld::events`] |
//! | how deep, where | | [`contacts`] | |
//! | how far | | [`distance`] | |
//! | a ray | [`PosedCharacter::cast_ray`], [`PosedCharacter::cast_ray_all`], [`PosedCharacter::ray_hits_any`] | | [`HitboxWorld::cast_ray`], ... |
//! | a sphere, capsule, box | [`PosedCharacter::overlapping_boxes`], [`PosedCharacter::overlaps_shape`] | | [`HitboxWorld::overlapping_boxes`], ... |
//! | a moving weapon | [`cast_box`] | | [`HitboxWorld::cast_box`], ... |
//! | when, while moving | | [`sweep`], [`sweep_first`], [`sweep_any`] | [`HitboxWorld::sweep`], ... |
//!
//! Poses come from matrices ([`PosedCharacter::pose_from_model`], [`PosedCharacter::pose_from_world`], [`pose_batch`]), from baked clips
//! ([`PosedCharacter::pose_from_clip`], [`PosedCharacter::pose_from_clips`], [`LoopMode`], [`ClipSampler`]) or in part
//! ([`PosedCharacter::update_joints`]).
//!
//! # Conventions
//! - Matrices are named `to_from`: `world_from_joint * joint_from_box`. World space is the caller's: any unit, any
//!   handedness; sizes of 1e-4 to 1e4 units are what is tested.
//! - Sets are closed: boxes that share a point overlap. No touching pair is missed by rounding; boxes with a gap are
//!   told apart down to 2^-49 of their size ([`geometry_core::Obb::overlaps`] is the definition).
//! - Same input, same answer to the last bit, on every machine, kernel and thread count: no fused multiply-add, no
//!   platform trigonometry, one order of sums. The scalar kernel defines the answer.
//! - Nothing allocates once buffers have grown to the size of the work.
#![deny(unsafe_code)]

// Test characters are written as a user's would be.
#[cfg(test)]
extern crate self as runtime;

mod batch;
mod box_lanes;
mod character;
mod enclosing_box;
#[allow(unsafe_code, reason = "calls of functions for one processor feature, and vector loads: each states its check")]
pub mod kernels;
mod posed_bounds;
mod posed_character;
mod query;
mod sampler;
mod world;

#[cfg(feature = "rayon")]
pub use batch::pose_batch_parallel;
pub use batch::{PoseJob, pose_batch};
pub use box_lanes::{Bounds, BoxLanes, PosedHitbox};
pub use character::{BoxIndex, Character, ClipIndex, LoadError};
pub use posed_character::{PoseError, PosedCharacter};
pub use query::contact::{Contact, contacts};
pub use query::distance::{ClosestHitboxes, distance};
pub use query::overlap::{JointPair, overlapping_joints, overlapping_joints_with, overlaps};
pub use query::ray::RayHit;
pub use query::shape::QueryShape;
pub use query::sweep::{BodyMotion, CastHit, MotionError, SweepHit, cast_box, sweep, sweep_any, sweep_first};
pub use query::world_queries::BodyRayHit;
pub use query::world_sweep::{BodyCastHit, BodySweepHit};
pub use sampler::{ClipSampler, LoopMode};
pub use world::{
    Body, BodyId, BodyMut, BodySettings, CollisionLayers, HitboxWorld, Touch, TouchEvent, TouchPhase, WorldError,
};
