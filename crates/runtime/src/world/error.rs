//! Why a world refuses something.

use super::BodyId;
use crate::{PoseError, SkinError};
use std::sync::Arc;

/// Why a body could not be added, found, posed or changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// Remove the body of that id first, or take another id.
    #[error("body {0} is in the world already")]
    AlreadyThere(BodyId),
    /// Insert the body first.
    #[error("body {0} does not exist in this world; insert it first")]
    NoBody(BodyId),
    /// A question about two bodies was asked about one.
    #[error("the question is about two bodies, and body {0} was given twice; name two bodies")]
    SameBody(BodyId),
    /// The set of boxes, or the pose, is of another character than the body.
    #[error("body {id} is a {expected:?}; what it was given is of {found:?}")]
    OtherCharacter {
        /// The body.
        id: BodyId,
        /// The body's character's name.
        expected: Arc<str>,
        /// The other character's name; empty where a pose was given that is none.
        found: Arc<str>,
    },
    /// The body's skeleton has no joint of that name.
    #[error("body {id}: {character:?} has no joint {name:?}")]
    NoJoint {
        /// The body.
        id: BodyId,
        /// The body's character's name.
        character: Arc<str>,
        /// The name asked for.
        name: String,
    },
    /// The pose was refused; the body has no boxes until it is posed again.
    #[error("body {id}: {error}")]
    Pose {
        /// The body.
        id: BodyId,
        /// Why.
        error: PoseError,
    },
    /// The body's skin is not known, so that no exact answer about it exists.
    #[error("body {id}: {error}")]
    Skin {
        /// The body.
        id: BodyId,
        /// Why.
        error: SkinError,
    },
}
