//! Posed boxes and what they touch, in microseconds.
//!
//! **In:** a baked character ([`Character`]) and a pose, as the caller's joint matrices or a baked clip at a time.
//! **Out:** boxes in world space ([`Posed`]) and which joints of two characters touch ([`overlaps`]).
//! No glTF, no hull, no path: a game or a server links this crate and the bytes of a `.bonebox` file.
//!
//! ```
//! # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
//! # let [knight, bandit] = ["Knight", "Bandit"].map(|name| baked_format::write(&example::baked_arm(name)).unwrap());
//! use glam::Affine3A;
//! use runtime::{Character, Posed, overlaps};
//!
//! // let knight = std::fs::read("Knight.bonebox")?;
//! let (knight, bandit) = (Character::load(&knight)?, Character::load(&bandit)?);
//! let (mut a, mut b) = (Posed::new(), Posed::new());
//! a.pose_from_rest(&knight, &Affine3A::IDENTITY)?;
//! b.pose_from_rest(&bandit, &Affine3A::from_translation(glam::vec3(0.5, 0.0, 0.0)))?;
//! let mut pairs = Vec::new(); // kept from tick to tick: nothing is allocated once it has grown
//! overlaps(&a, &b, &mut pairs);
//! for pair in &pairs {
//!     println!("{} touches {}", knight.joint_name(pair.a), bandit.joint_name(pair.b));
//! }
//! # assert_eq!(pairs.len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What there is
//! | question | one character | two | many ([`Arena`]) |
//! |---|---|---|---|
//! | touching | | [`overlaps`], [`overlaps_any`] | [`Arena::touches`], [`Arena::events`] |
//! | how deep, where | | [`contacts`] | |
//! | how far | | [`distance`] | |
//! | a ray | [`Posed::cast_ray`], [`Posed::cast_ray_all`], [`Posed::ray_hits_any`] | | [`Arena::cast_ray`], ... |
//! | a sphere, capsule, box | [`Posed::boxes_touching`], [`Posed::touches_any`] | | [`Arena::boxes_touching`], ... |
//! | a moving weapon | [`sweep_weapon`] | | [`Arena::sweep_weapon`], ... |
//! | when, while moving | | [`sweep`], [`sweep_first`], [`sweep_any`] | [`Arena::sweep`], ... |
//!
//! Poses come from matrices ([`Posed::pose_from_model`], [`Posed::pose_from_world`], [`pose_batch`]), from baked clips
//! ([`Posed::pose_from_clip`], [`Posed::pose_from_clips`], [`LoopMode`], [`ClipSampler`]) or in part
//! ([`Posed::update_joints`]).
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

mod arena;
mod around;
mod batch;
mod character;
mod enclose;
#[allow(unsafe_code, reason = "calls of functions for one processor feature, and vector loads: each states its check")]
pub mod kernels;
mod lanes;
mod posed;
mod query;
mod sampler;

pub use arena::{Arena, ArenaError, Body, BodyId, BodyMut, BodySettings, Event, Filter, Phase, Touch};
#[cfg(feature = "rayon")]
pub use batch::pose_batch_parallel;
pub use batch::{PoseJob, pose_batch};
pub use character::{BoxIndex, Character, ClipIndex, LoadError};
pub use lanes::{Bounds, BoxLanes, PosedBox};
pub use posed::{PoseError, Posed};
pub use query::arena::BodyRayHit;
pub use query::arena_sweep::{BodyImpact, BodyTrailHit};
pub use query::contact::{JointContact, contacts};
pub use query::distance::{JointDistance, distance};
pub use query::overlap::{JointPair, overlaps, overlaps_any, overlaps_with};
pub use query::ray::JointRayHit;
pub use query::shape::QueryShape;
pub use query::sweep::{BodyMotion, JointImpact, MotionError, TrailHit, sweep, sweep_any, sweep_first, sweep_weapon};
pub use sampler::{ClipSampler, LoopMode};
