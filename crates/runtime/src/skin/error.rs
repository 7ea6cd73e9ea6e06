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
    /// The number of weights of morph targets is wrong. Pass one weight for each entry of
    /// [`crate::Character::morph_targets`], in the same order.
    #[error(
        "the skin of {character:?} has {expected} morph targets, but {found} weights were given; pass one weight per target"
    )]
    MorphCount {
        /// The character's name.
        character: Arc<str>,
        /// The number of morph targets of the character's skin.
        expected: usize,
        /// The length of the slice that was passed.
        found: usize,
    },
    /// The weight of a morph target is NaN or infinite. Look for a division by zero in the code that computes the weight.
    #[error(
        "{character:?}: the weight of morph target {target} ({name:?}) is not finite; look for a division by zero where this weight \
         is computed"
    )]
    MorphNotFinite {
        /// The character's name.
        character: Arc<str>,
        /// The target, an index into [`crate::Character::morph_targets`].
        target: usize,
        /// The target's name.
        name: String,
    },
}
