#![doc = include_str!("../README.md")]
//!
//! # How it works
//! ```text
//!  NAME.bonebox ── BoneboxLoader ──▶ Bonebox                 the baked character, an asset
//!                                       │
//!  Hitboxes on a scene's root ──────────┤ Bind               joints found by name below the root; a body per root
//!  HitboxPose ──────────────────────────┤ Pose               hitboxes in world space
//!                                       ▼ Test
//!                                  HitboxBodies ──▶ HitboxTouch, as messages and as observers' events
//!                                       │
//!                                  HitboxQuery               rays, shapes, sweeps, at any time
//!                                  ExactHitboxQuery          the same on the skin
//! ```
//! [`HitboxSystems`] names the four sets of systems. They run in [`PostUpdate`](bevy_app::PostUpdate), after transforms
//! were propagated, or in the schedule that [`BoneboxPlugin::in_schedule`] names.
//!
//! The crate depends on Bevy's own crates (`bevy_ecs`, `bevy_asset`, ...), never on the crate `bevy`, so that a server
//! builds no renderer.
#![forbid(unsafe_code)]

mod asset;
mod body;
mod components;
mod error;
mod joint_binding;
mod layers;
mod bind;
mod pose;
mod touch;
mod shape;
mod query;
mod exact;
mod plugin;
mod rewind;
mod strikes;

#[cfg(feature = "bake")]
mod bake;
#[cfg(feature = "debug")]
mod gizmos;
#[cfg(feature = "gltf")]
mod gltf;
#[cfg(any(feature = "avian", feature = "rapier"))]
mod sensors;
#[cfg(feature = "avian")]
mod avian;
#[cfg(feature = "rapier")]
mod rapier;
#[cfg(feature = "ragdoll")]
mod ragdoll;

pub use asset::{Bonebox, BoneboxLoadError, BoneboxLoader};
#[cfg(feature = "avian")]
pub use avian::HitboxAvianPlugin;
#[cfg(feature = "bake")]
pub use bake::BakeFailure;
pub use body::{HitboxBodies, HitboxRef};
pub use bonebox;
pub use components::{HitboxBinding, HitboxPose, HitboxSettings, Hitboxes, TagSettings};
pub use error::{HitboxError, HitboxFailure};
pub use exact::{
    ExactHitboxQuery, ExactQueryError, HitboxSkinDistance, HitboxSkinRayHit, HitboxSkinRef, HitboxSkinTouch,
};
#[cfg(feature = "debug")]
pub use gizmos::{HitboxGizmos, HitboxGizmosPlugin};
#[cfg(feature = "gltf")]
pub use gltf::HitboxesBeside;
pub use layers::{HitboxLayer, HitboxLayerMode, HitboxMask};
pub use plugin::{BoneboxPlugin, HitboxSystems};
pub use query::{HitboxCastHit, HitboxFilter, HitboxQuery, HitboxRayHit, HitboxSweepHit};
#[cfg(all(feature = "ragdoll", feature = "avian"))]
pub use ragdoll::RagdollAvianPlugin;
#[cfg(all(feature = "ragdoll", feature = "rapier"))]
pub use ragdoll::RagdollRapierPlugin;
#[cfg(feature = "ragdoll")]
pub use ragdoll::{CharacterRagdoll, Ragdoll, RagdollBody, RagdollEngine, RagdollOf, RagdollState, RagdollSystems};
#[cfg(feature = "rapier")]
pub use rapier::HitboxRapierPlugin;
pub use rewind::{HitboxHistory, HitboxRewind, HitboxRewindError, HitboxRewindPlugin};
#[cfg(any(feature = "avian", feature = "rapier"))]
pub use sensors::{CharacterSensors, HitboxSensor, HitboxSensorSystems, HitboxSensors, SensorHull, SensorOf};
pub use shape::{HitboxQueryShape, InvalidShape};
pub use strikes::{HitboxStrike, HitboxStrikePlugin, HitboxSwings};
pub use touch::{HitboxTouch, HitboxTouchPhase};

/// The types that most games import.
pub mod prelude {
    pub use crate::{
        Bonebox, BoneboxPlugin, ExactHitboxQuery, HitboxFailure, HitboxFilter, HitboxLayer, HitboxMask, HitboxPose,
        HitboxQuery, HitboxQueryShape, HitboxRef, HitboxSettings, HitboxSystems, HitboxTouch, HitboxTouchPhase,
        Hitboxes,
    };
}
