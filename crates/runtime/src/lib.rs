#![doc = include_str!("../README.md")]
//!
//! # How it works
//! ```text
//!  NAME.bonebox ── Character::load ──▶ Character             hitboxes in joint space, skeleton, clips
//!                                          │
//!  clip, time ──── ClipSampler ────────────┤ sample          model_from_joint
//!  or your own joint matrices ─────────────┤
//!                                          ▼ place           world_from_joint * joint_from_box
//!                                     PosedCharacter         hitboxes in world space
//!                                          │
//!            ┌─────────────────────────────┴──────┐
//!            ▼ two characters                     ▼ many bodies
//!     overlapping_boxes, contacts,           HitboxWorld: broad phase, then narrow phase;
//!     distance, sweep                        touches, events, ray and shape casts
//! ```
//! Two characters need no more than the left side. A [`HitboxWorld`] finds pairs of bodies by a broad phase and remembers
//! what touched a tick before.
//!
//! # What there is
//! | question | one character | two | many ([`HitboxWorld`]) |
//! |---|---|---|---|
//! | overlaps | | [`overlapping_boxes`], [`overlapping_joints`], [`overlaps`] | [`HitboxWorld::touches`], [`HitboxWorld::events`] |
//! | how deep, where | | [`contacts`] | [`HitboxWorld::contact`] |
//! | how far | | [`distance`] | |
//! | a ray | [`PosedCharacter::cast_ray`], ... | | [`HitboxWorld::cast_ray`], ... |
//! | a sphere, capsule, box | [`PosedCharacter::overlapping_boxes`], ... | | [`HitboxWorld::overlapping_boxes`], ... |
//! | a moving box | [`cast_box`] | | [`HitboxWorld::cast_box`], ... |
//! | the skin itself | [`PosedCharacter::exact_ray`], [`PosedCharacter::exact_shape_overlaps`], [`PosedCharacter::skin_contains`] | [`exact_overlaps`], [`first_exact_overlap`], [`exact_distance`] | [`HitboxWorld::exact_touches`], [`HitboxWorld::exact_ray`], ... |
//! | hits while moving | | [`sweep`], [`sweep_first`], [`sweep_any`] | [`HitboxWorld::sweep`], ... |
//!
//! Every answer names hitboxes: [`Character::hitbox`] has their joints, names and tags. [`keep_one_per_joints`] makes
//! answers about joints of answers about hitboxes. A [`QueryFilter`] says what queries of a world may find, a [`BoxSet`]
//! which hitboxes of a body a setting is for.
//!
//! Questions about the skin need a character that was baked with its skin, and poses that
//! [track it](PosedCharacter::track_skin).
//!
//! # Conventions
//! - Matrices are named `to_from`: `world_from_joint * joint_from_box`. World space is the caller's: any unit, any
//!   handedness; sizes of 1e-4 to 1e4 units are what is tested.
//! - Sets are closed: hitboxes that share a point overlap. Rounding hides no overlapping pair; boxes with a gap are told
//!   apart down to 2^-49 of their size ([`geometry_core::Obb::overlaps`] is the definition).
//! - Same input, same answer to the last bit, on every machine, kernel and thread count: no fused multiply-add, no
//!   platform trigonometry, one order of sums. The scalar kernel defines the answer.
//! - Nothing allocates once buffers have grown to the size of the work, and each clip was sampled once or
//!   [`Character::prepare_clips`] was called.
//! - Where a limit is `impl Into<Option<f32>>`, `None` is its default: no limit, or [`DEFAULT_SWEEP_TOLERANCE`].
//!
//! # Shapes
//! A hitbox is a box, a capsule or a sphere ([`HitboxShape`]). Its box is always the box around it. All answers
//! are about the shape. A pose that scales a joint unevenly makes an ellipsoid of a sphere; a posed capsule or sphere then has the radius
//! times the largest scale, and so holds that ellipsoid.
//!
//! # Further reading
//! - Examples: [two characters](https://github.com/bonebox/bonebox/blob/main/crates/bonebox/examples/touching.rs), the
//!   tour below, and [every kind of question](https://github.com/bonebox/bonebox/tree/main/crates/runtime/tests/all).
//! - Design: [ARCHITECTURE.md](https://github.com/bonebox/bonebox/blob/main/ARCHITECTURE.md) with its glossary, and the
//!   [format of the file](https://github.com/bonebox/bonebox/blob/main/crates/baked-format/FORMAT.md).
//! - Measurements: [speed](https://github.com/bonebox/bonebox/blob/main/docs/benchmarks/README.md) and
//!   [accuracy](https://github.com/bonebox/bonebox/blob/main/docs/accuracy.md).
//!
//! # A tour: a server's tick
//! The test `api_walkthrough` runs it.
//!
//! ```ignore
#![doc = include_str!("../tests/all/api_walkthrough.rs")]
//! ```
#![deny(unsafe_code)]

// Test characters are written as a user's would be.
#[cfg(test)]
extern crate self as runtime;

mod character;
mod box_index;
mod box_set;
mod socket;
mod clip_tracks;
mod pose_layer;
mod sampler;
mod posed_character;
mod posed_hitbox;
mod posed_bounds;
mod place_round;
mod solid;
mod pose_batch;
mod pose_error;
mod query;
mod skin;
mod world;

#[allow(unsafe_code, reason = "calls of functions for one processor feature, and vector loads: each states its check")]
pub mod kernels;
mod box_lanes;
mod clone_in_place;

pub use baked_format::HitboxShape;
pub use box_index::BoxIndex;
pub use box_lanes::BoxLanes;
pub use box_set::{BoxSet, UnknownTag};
pub use character::{Character, HitboxInfo, LoadError};
pub use kernels::bounds::Bounds;
#[cfg(feature = "rayon")]
pub use pose_batch::pose_batch_parallel;
pub use pose_batch::{PoseJob, pose_batch};
pub use pose_error::PoseError;
pub use pose_layer::{JointMask, LayerMode, PoseLayer};
pub use posed_character::PosedCharacter;
pub use posed_hitbox::PosedHitbox;
pub use query::box_pairs::{BoxPair, JointPair, overlapping_boxes, overlapping_joints, overlaps};
pub use query::by_joint::{OfTwoBoxes, keep_one_per_joints};
pub use query::contact::{Contact, contacts};
pub use query::distance::{ClosestHitboxes, distance};
pub use query::ray::RayHit;
pub use query::shape::{QueryShape, ShapeOverlap};
pub use query::sweep::{
    BodyMotion, CastContact, CastHit, DEFAULT_SWEEP_TOLERANCE, MotionError, SweepHit, cast_box, sweep, sweep_any,
    sweep_first,
};
pub use sampler::{ClipSampler, LoopMode, SampleJoints};
pub use skeleton::ClipIndex;
pub use skin::distance::{SkinDistance, exact_distance};
pub use skin::error::SkinError;
pub use skin::overlap::{SkinCandidates, SkinOverlap, exact_overlaps, first_exact_overlap};
pub use skin::ray::SkinRayHit;
pub use skin::shape::{SkinShape, SkinShapeOverlap};
pub use skin::triangles::SkinTriangle;
pub use solid::PosedShape;
pub use world::{
    Body, BodyCastHit, BodyId, BodyPoser, BodyRayHit, BodySettings, BodyShapeOverlap, BodyShapeTouch, BodySkinHit,
    BodySweepHit, BoxPredicate, CollisionLayers, HitboxWorld, QueryFilter, RayBuffers, RayQuery, SkinTouch, Touch,
    TouchEvent, TouchPhase, WorldError,
};
#[cfg(feature = "serde")]
pub use world::{RestoreError, WorldState};
