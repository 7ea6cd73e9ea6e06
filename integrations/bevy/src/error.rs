//! What can keep a character from having hitboxes.

use crate::HitboxBinding;
use bevy_ecs::prelude::*;
use bevy_ecs::system::Commands;
use bonebox::{PoseError, UnknownTag};

/// What keeps a character from having hitboxes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HitboxError {
    /// The scene below the root is not the one that was baked.
    #[error(
        "the scene has no joint {joint:?}, which {character:?} has a hitbox on{}; the nearest names below the root are {}. \
         Bake the hitboxes from the file of the scene, or pose them by `HitboxPose::Clip`",
        others(*.more), quoted(nearest)
    )]
    NoJoint {
        /// The character's name.
        character: String,
        /// The first joint that is not there.
        joint: String,
        /// How many joints with hitboxes are not there besides.
        more: usize,
        /// Names below the root that are nearest to `joint`, the nearest first, at most three.
        nearest: Vec<String>,
    },
    /// Several entities below the root have the joint's name, and their parents do not tell them apart.
    #[error(
        "{count} entities below the root have the name {joint:?}, and {character:?} has one joint of that name; give the \
         nodes different names and bake again"
    )]
    AmbiguousJoint {
        /// The character's name.
        character: String,
        /// The joint.
        joint: String,
        /// How many entities have its name.
        count: usize,
    },
    /// The pose names a clip that the character has not.
    #[error("{character:?} has no clip {clip:?}; it has {}", quoted(known))]
    NoClip {
        /// The character's name.
        character: String,
        /// The clip asked for.
        clip: String,
        /// All clips of the character.
        known: Vec<String>,
    },
    /// The settings name a tag that no hitbox has.
    #[error(transparent)]
    UnknownTag(#[from] UnknownTag),
    /// The pose is not finite.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// The asset could not be loaded; the asset server has logged why.
    #[error("the asset could not be loaded: {0}")]
    Asset(String),
}

fn others(more: usize) -> String {
    match more {
        0 => String::new(),
        1 => " (and one joint more)".into(),
        more => format!(" (and {more} joints more)"),
    }
}

fn quoted(names: &[String]) -> String {
    if names.is_empty() {
        return "none".into();
    }
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

/// A character has no hitboxes, and why: a message, and an event for observers of the character. Sent once for each
/// problem; the plugin tries again every tick.
#[derive(Message, EntityEvent, Clone, Debug)]
pub struct HitboxFailure {
    /// The entity with [`Hitboxes`](crate::Hitboxes).
    pub entity: Entity,
    /// What is wrong.
    pub error: HitboxError,
}

/// Logs, sends and remembers a problem, unless it is the one that was reported last.
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
