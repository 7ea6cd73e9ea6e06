#![doc = include_str!("../README.md")]
//!
//! # How it works
//! ```text
//!  NAME.bonebox ── Character::load ──▶ Character             hitboxes in joint space, skeleton, clips
//!                                          │
//!  clip, time ──── ClipSampler ────────────┤ sample          model_from_joint
//!  or your own matrices, JointMap ─────────┤
//!                                          ▼ place           world_from_joint * joint_from_box
//!                                     PosedCharacter         hitboxes in world space
//!                                          │
//!            ┌─────────────────────────────┴──────┐
//!            ▼ one or two characters              ▼ many bodies
//!     cast_ray, cast_shape,                  HitboxWorld: broad phase, then narrow phase;
//!     overlapping_boxes, contacts,           touches, events, ray and shape casts, sweeps
//!     distance, sweep
//! ```
//! The functions in the left branch need no world. A [`HitboxWorld`] finds pairs of bodies with a broad phase, and
//! remembers which bodies touched in the tick before.
//!
//! # Queries
//! | question | one character | two | many ([`HitboxWorld`]) |
//! |---|---|---|---|
//! | overlaps | | [`overlapping_boxes`], [`overlapping_joints`], [`overlaps`] | [`HitboxWorld::touches`], [`HitboxWorld::events`] |
//! | how deep, where | | [`contacts`] | [`HitboxWorld::contact`] |
//! | how far | | [`distance`] | |
//! | a ray | [`PosedCharacter::cast_ray`] | | [`HitboxWorld::cast_ray`] |
//! | a sphere, capsule, box | [`PosedCharacter::overlapping_boxes`], ... | | [`HitboxWorld::overlapping_boxes`], ... |
//! | a moving sphere, capsule, box | [`cast_shape`] | | [`HitboxWorld::cast_shape`] |
//! | the skin itself | [`PosedCharacter::exact_ray`], [`PosedCharacter::exact_shape_overlaps`], [`PosedCharacter::skin_contains`] | [`exact_overlap`], [`exact_overlap_all`], [`exact_distance`] | [`HitboxWorld::exact_touches`], [`HitboxWorld::exact_ray`], ... |
//! | hits while moving | | [`sweep`] | [`HitboxWorld::sweep`] |
//!
//! Each kind of cast and sweep has three functions, for example:
//! - `cast_ray` returns the first hit.
//! - `cast_ray_all` fills a list with all hits.
//! - `cast_ray_any` returns `true` if there is any hit. It is the fastest of the three.
//!
//! An answer about a hitbox has its [`BoxIndex`]; [`Character::hitbox`] returns the joint and the tags of that hitbox.
//! The answers of [`overlapping_joints`] have joints, and the answers of exact queries have joints and triangles. A
//! [`QueryFilter`] limits the bodies and hitboxes that the queries of a world find. A [`BoxSet`] is a set of hitboxes of
//! one character, for settings that apply to some hitboxes of a body.
//!
//! Exact queries are queries about the skin. They need a character that was baked with its skin, and poses that [track
//! the skin](PosedCharacter::track_skin).
//!
//! # Conventions
//! - Matrices are named `to_from`: `world_from_joint * joint_from_box`. Model space is the space of the glTF file's
//!   scene. The caller chooses the unit and the handedness of world space. Sizes from 1e-4 to 1e4 units are tested.
//! - The surface of a hitbox belongs to the hitbox: hitboxes that share only one point overlap. Rounding never loses a
//!   pair that overlaps. Two boxes with a gap of at least 2^-45 of the sum of their half extents never count as
//!   overlapping ([`geometry_core::Obb::overlaps`] is the definition).
//! - The same input gives the same answer to the last bit, on x86-64 and aarch64, with every
//!   [`Kernel`](kernels::Kernel) and thread count. Numbers that are part of an answer are computed without fused
//!   multiply-add and without platform trigonometry, and sums have one fixed order. The scalar kernel defines the
//!   answer.
//! - Queries and poses allocate nothing after the buffers have grown to the size of the work. The first sample of each
//!   clip allocates too, unless [`Character::prepare_clips`] was called.
//! - Parameters of type `impl Into<Option<f32>>` take a number or `None`. For a largest time or distance, `None` means
//!   no limit. For a tolerance, `None` means [`DEFAULT_SWEEP_TOLERANCE`].
//!
//! # The character of the examples
//! Most examples on these pages load `tests/data/arm.bonebox`, a simple upright arm. In a game, load a file that
//! `bonebox bake` wrote.
//! - The joints `root`, `upper`, `fore` and `finger` are 1 unit apart along y, in this order from the bottom.
//! - `upper` and `fore` have one box each: 1 unit high, 0.6 units wide, 0.6 units deep, with the tag `arm`.
//! - The clip `wave` lasts 2 seconds. It turns the forearm by 90 degrees and back.
//!
//! `tests/data/tube.bonebox` has the same joints and an eight-sided skin.
//!
//! # Shapes
//! A hitbox is a box, a capsule, a sphere or a convex hull ([`HitboxShape`]). The *box* of a hitbox is the box around
//! this shape. Answers are about the shapes; the boxes only rule out hitboxes that cannot touch.
//! - **Posed hulls.** For every matrix, a posed hull is the image of the baked hull ([`PosedCharacter::posed_hull`]).
//!   If a pose flattens a hull, for example with a scale of zero, the tests use the hull's box instead.
//! - **Posed capsules and spheres.** A pose that scales a joint unevenly turns a sphere into an ellipsoid. The posed
//!   sphere or capsule then gets the baked radius times the largest scale, so that it contains this ellipsoid.
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
//! This code is the test `api_walkthrough`. `baked_figure` and `baked_tube` make test characters; a game loads files
//! instead. The program enables the hitboxes of a hand only during an attack, so nothing can hit the hand at other
//! times. The guide [A game tick](https://github.com/bonebox/bonebox/blob/main/docs/worlds.md) shows hands that strike
//! only during an attack but can be hit at any time.
//!
//! ```ignore
#![doc = include_str!("../tests/all/api_walkthrough.rs")]
//! ```
#![deny(unsafe_code)]

#[allow(unsafe_code, reason = "calls of functions for one processor feature, and vector loads: each states its check")]
pub mod kernels;
mod skin;
mod character;
mod sample;
mod pose;
mod query;
mod exact;
mod world;

pub use baked_format::{HitboxRole, HitboxShape, SkinMorphTarget};
pub use character::box_index::BoxIndex;
pub use character::box_set::{BoxSet, OtherBoxes, UnknownTag};
pub use character::joint_map::{JointMap, JointMapError};
pub use character::pose_error::PoseError;
pub use character::roles::Roles;
pub use character::{Character, HitboxInfo, LoadError};
pub use exact::distance::{SkinDistance, exact_distance};
pub use exact::overlap::{SkinCandidates, SkinOverlap, exact_overlap, exact_overlap_all};
pub use exact::ray::SkinRayHit;
pub use exact::shape::{SkinShape, SkinShapeOverlap};
pub use exact::triangles::SkinTriangle;
pub use kernels::bounds::Bounds;
pub use pose::part_bounds::PartBounds;
pub use pose::posed_character::PosedCharacter;
pub use pose::posed_hitbox::PosedHitbox;
pub use pose::recipe::{Animation, AnimationRef, PoseRecipe, PoseRecipeRef};
pub use pose::solid::PosedShape;
pub use query::body_motion::{BodyMotion, MotionError};
pub use query::box_pairs::{BoxPair, JointPair, overlapping_boxes, overlapping_joints, overlaps};
pub use query::contact::{Contact, contacts};
pub use query::distance::{ClosestHitboxes, distance};
pub use query::hit_search::DEFAULT_SWEEP_TOLERANCE;
pub use query::ray::RayHit;
pub use query::shape::{QueryShape, ShapeOverlap};
pub use query::shape_cast::{CastContact, CastHit, CastShape, cast_shape, cast_shape_all, cast_shape_any};
pub use query::sweep::{SweepBuffers, SweepHit, sweep, sweep_all, sweep_any, sweep_boxes};
pub use sample::pose_layer::{JointMask, LayerMode, PoseLayer};
pub use sample::sampler::{ClipSampler, LoopMode, SampleJoints};
pub use skeleton::ClipIndex;
pub use skin::SkinError;
pub use world::{
    Bodies, Body, BodyCastHit, BodyId, BodyPoser, BodyRayHit, BodySettings, BodyShapeOverlap, BodySkinRayHit,
    BodySkinShapeOverlap, BodySweepHit, BodyTiles, BoxPredicate, CollisionLayers, HitboxWorld, OfBodies, OfBody,
    QueryFilter, RayBuffers, RayQuery, SkinTouch, TileList, Touch, TouchEvent, TouchPhase, WorldError,
};
#[cfg(feature = "serde")]
pub use world::{RestoreError, WorldState};
