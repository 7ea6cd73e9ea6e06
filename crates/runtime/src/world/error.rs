//! The errors of a world.

use super::BodyId;
use crate::character::pose_error::other_name;
use crate::{PoseError, SkinError};
use std::sync::Arc;

/// The error of a function of [`crate::HitboxWorld`] about one or two bodies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// A body with this id exists. Remove that body first, or use another id.
    #[error("body {0} is in the world already; remove it first, or use another id")]
    AlreadyThere(BodyId),
    /// No body has this id. Insert the body first.
    #[error("body {0} does not exist in this world; insert it first")]
    NoBody(BodyId),
    /// A query about two bodies was given the same body twice.
    #[error("the question is about two bodies, and body {0} was given twice; name two bodies")]
    SameBody(BodyId),
    /// The set of hitboxes belongs to another character than the body's, or to another bake of this character.
    #[error(
        "body {id} has the character {expected:?}, but the set holds hitboxes of {}; make the set from the body's own character",
        other_name(.expected, .found)
    )]
    OtherCharacter {
        /// The id of the body.
        id: BodyId,
        /// The name of the body's character.
        expected: Arc<str>,
        /// The name of the character that the set belongs to.
        found: Arc<str>,
    },
    /// The body's skeleton has no joint with this name.
    #[error("body {id}: {character:?} has no joint {name:?}; `bonebox inspect --json` lists its joints")]
    NoJoint {
        /// The id of the body.
        id: BodyId,
        /// The name of the body's character.
        character: Arc<str>,
        /// The requested name.
        name: String,
    },
    /// Posing the body failed. The body has no boxes until it is posed again. If the caller's function returned the
    /// error before it posed the body, for example an error of [`crate::JointMap::fill`], the body keeps its earlier
    /// pose.
    #[error("body {id}: {error}")]
    Pose {
        /// The id of the body.
        id: BodyId,
        /// The error of posing.
        error: PoseError,
    },
    /// An exact query needs the posed skin of the body, but the body has none.
    #[error("body {id}: {error}")]
    Skin {
        /// The id of the body.
        id: BodyId,
        /// The reason why the body has no posed skin.
        error: SkinError,
    },
}
