//! The errors of exact queries.

use std::sync::Arc;

/// The reason why a query about the skin of a character has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SkinError {
    /// The file has hitboxes only. Bake the character with the option `skin`.
    #[error("{character:?} was baked without its skin; bake it with `skin = \"lossless\"` or `skin = \"compact\"`")]
    NoSkin {
        /// The character's name.
        character: Arc<str>,
    },
    /// The pose does not have the skin. Call [`crate::PosedCharacter::track_skin`] once, before posing.
    #[error("the pose of {character:?} does not keep its skin; call `track_skin` before posing")]
    NotTracked {
        /// The character's name.
        character: Arc<str>,
    },
    /// The character was not posed yet, or the last pose failed.
    #[error("there is no pose, or the last one was refused; pose the character first")]
    NoPose,
}
