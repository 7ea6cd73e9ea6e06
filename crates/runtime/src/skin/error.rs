//! The errors of exact queries.

use std::sync::Arc;

/// The reason why a query about the skin of a character has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SkinError {
    /// The file has no skin. Bake the character with the option `skin`.
    #[error("{character:?} was baked without its skin; bake it with `skin = \"lossless\"` or `skin = \"compact\"`")]
    NoSkin {
        /// The character's name.
        character: Arc<str>,
    },
    /// The pose does not keep its skin. Call [`crate::PosedCharacter::track_skin`] once, before you pose the character.
    #[error("the pose of {character:?} does not keep its skin; call `track_skin` before posing")]
    NotTracked {
        /// The character's name.
        character: Arc<str>,
    },
    /// The character was not posed yet, or the last pose failed.
    #[error("there is no pose yet, or the last pose failed; pose the character first")]
    NoPose,
}
