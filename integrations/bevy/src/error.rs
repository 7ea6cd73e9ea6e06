//! Problems with the hitboxes of a character.

use crate::HitboxBinding;
use bevy_ecs::prelude::*;
use bevy_ecs::system::Commands;
use bonebox::{PoseError, SkinError, UnknownTag};

/// A problem with a character's hitboxes; [`HitboxFailure`] reports it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HitboxError {
    /// The scene below the root is not the one that was baked.
    #[error(
        "the scene has no joint {joint:?}{}, which {character:?} needs for its hitboxes, its skin or `track_joints` (the nearest \
         names below the root: {}); bake the hitboxes from the file of the scene, or pose them by `HitboxPose::Clip`",
        others(*.more), quoted(nearest)
    )]
    NoJoint {
        /// The character's name.
        character: String,
        /// The first joint that a pose needs, or that the settings track, and that the scene does not have.
        joint: String,
        /// The number of other such joints.
        more: usize,
        /// The names below the root that are most similar to `joint`, the most similar first, at most three.
        nearest: Vec<String>,
    },
    /// Several entities below the root have the joint's name, and their parents do not show which one is the joint.
    #[error(
        "{count} entities below the root have the name {joint:?}, and {character:?} has one joint of that name; give the \
         nodes different names and bake again"
    )]
    AmbiguousJoint {
        /// The character's name.
        character: String,
        /// The joint's name.
        joint: String,
        /// The number of entities with the joint's name.
        count: usize,
    },
    /// The pose names a clip that the character does not have.
    #[error("{character:?} has no clip {clip:?}; its clips: {}", quoted(known))]
    NoClip {
        /// The character's name.
        character: String,
        /// The clip that the pose names.
        clip: String,
        /// All clips of the character.
        known: Vec<String>,
    },
    /// The mask of a pose layer names a joint that the character does not have.
    #[error("{character:?} has no joint {joint:?}, which a layer's mask names; the nearest names: {}", quoted(nearest))]
    NoMaskJoint {
        /// The character's name.
        character: String,
        /// The joint that the mask names.
        joint: String,
        /// The joints whose names are most similar to `joint`, the most similar first, at most three.
        nearest: Vec<String>,
    },
    /// The settings track a joint that the character does not have.
    #[error("{character:?} has no joint {joint:?}, which `track_joints` names; the nearest names: {}", quoted(nearest))]
    NoTrackedJoint {
        /// The character's name.
        character: String,
        /// The joint that the settings name.
        joint: String,
        /// The joints whose names are most similar to `joint`, the most similar first, at most three.
        nearest: Vec<String>,
    },
    /// The settings track the skin of a character that was baked without its skin.
    #[error("`HitboxSettings::track_skin` is set, but {0}")]
    Skin(#[from] SkinError),
    /// The settings name a tag that no hitbox of the character has.
    #[error(transparent)]
    UnknownTag(#[from] UnknownTag),
    /// The pose is not finite.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// The character has no ragdoll, or the ragdoll does not fit.
    #[cfg(feature = "ragdoll")]
    #[error(transparent)]
    Ragdoll(#[from] bonebox::ragdoll::RagdollError),
    /// [`Ragdoll::Limp`](crate::Ragdoll::Limp) names a joint that the character does not have.
    #[cfg(feature = "ragdoll")]
    #[error(
        "{character:?} has no joint {joint:?}, which `Ragdoll::Limp` names; the nearest names: {}",
        quoted(nearest)
    )]
    NoLimpJoint {
        /// The character's name.
        character: String,
        /// The joint that the component names.
        joint: String,
        /// The joints whose names are most similar to `joint`, the most similar first, at most three.
        nearest: Vec<String>,
    },
    /// [`Ragdoll::Limp`](crate::Ragdoll::Limp) names a joint that moves no body.
    #[cfg(feature = "ragdoll")]
    #[error(
        "the ragdoll of {character:?} has no body at joint {joint:?} or below it, so nothing can hang limp there; name a joint \
         further up in `Ragdoll::Limp`"
    )]
    NoLimpBody {
        /// The character's name.
        character: String,
        /// The joint that the component names.
        joint: String,
    },
    /// The character is scaled unevenly, mirrored, or to nothing, and rigid bodies cannot be.
    #[cfg(feature = "ragdoll")]
    #[error(
        "the character is scaled by {scale} in the world, and a ragdoll needs the same scale above 0 on all axes, without a \
         mirror; scale the root evenly"
    )]
    RagdollScale {
        /// The lengths of the character's axes in the world.
        scale: bevy_math::Vec3,
    },
    /// No physics engine moves ragdolls.
    #[cfg(feature = "ragdoll")]
    #[error(
        "no physics engine moves ragdolls; add `RagdollAvianPlugin` (features `avian` and `ragdoll`) or `RagdollRapierPlugin` \
         (`rapier` and `ragdoll`) to the app"
    )]
    NoRagdollEngine,
    /// The asset could not be loaded. The asset server has logged the reason.
    #[error("the asset could not be loaded: {0}")]
    Asset(String),
}

fn others(more: usize) -> String {
    match more {
        0 => String::new(),
        1 => " (and one joint more)".into(),
        more => format!(" (and {more} more joints)"),
    }
}

fn quoted(names: &[String]) -> String {
    if names.is_empty() {
        return "none".into();
    }
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

/// Reports a problem with a character's hitboxes. The plugin sends the report as a message and as an event for observers
/// of the character, once for each problem.
///
/// - Without its file or its joints, or with a pose that fails, the character has no hitboxes until it is posed again. A
///   pose fails if a clip or a joint of a mask does not exist, or if a number is not finite.
/// - With a tag or a tracked joint that does not exist, the character has hitboxes but none of the new settings, not even
///   the new team.
/// - With `track_skin` and a file without the skin, only exact queries fail.
/// - With a `Ragdoll` that cannot fall, the animation plays on.
///
/// The plugin looks for joints and poses the character again in every tick. It applies settings again when they change.
#[derive(Message, EntityEvent, Clone, Debug)]
pub struct HitboxFailure {
    /// The entity with [`Hitboxes`](crate::Hitboxes).
    pub entity: Entity,
    /// The problem.
    pub error: HitboxError,
}

/// Logs, sends and stores a problem, unless it is the problem that was reported last.
pub(crate) fn report(
    commands: &mut Commands<'_, '_>,
    entity: Entity,
    name: Option<&Name>,
    binding: &mut HitboxBinding,
    error: HitboxError,
) {
    let text = error.to_string();
    if binding.problem.as_deref() == Some(&text) {
        return;
    }
    if !matches!(error, HitboxError::Asset(_)) {
        match name {
            Some(name) => bevy_log::error!("hitboxes of {:?} ({entity}): {text}", name.as_str()),
            None => bevy_log::error!("hitboxes of {entity}: {text}"),
        }
    }
    binding.problem = Some(text);
    commands.write_message(HitboxFailure { entity, error: error.clone() });
    commands.trigger(HitboxFailure { entity, error });
}
