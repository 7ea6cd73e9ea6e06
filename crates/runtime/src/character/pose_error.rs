//! The errors of posing a character.

use super::hitbox_table::HitboxTable;
use crate::ClipIndex;
use crate::kernels::joint_matrices::JointMatrices;
use geometry_core::MAX_COORDINATE;
use glam::Affine3A;
use skeleton::JointIndex;
use std::sync::Arc;

/// The reason why posing a character failed. After the error, the [`crate::PosedCharacter`] or the body has no boxes
/// until it is posed again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PoseError {
    /// The number of matrices is wrong. Pass one matrix per joint of [`crate::Character::skeleton`], in its order.
    #[error("{character:?} has {expected} joints, but {found} joint matrices were given; pass one matrix per joint")]
    JointCount {
        /// The character's name.
        character: Arc<str>,
        /// The number of joints of the character's skeleton.
        expected: usize,
        /// The length of the slice that was passed.
        found: usize,
    },
    /// The number of matrices that [`JointMap::fill`](crate::JointMap::fill) got is wrong. Pass one matrix for each name that the
    /// map was made from, in the same order.
    #[error(
        "the joint map of {character:?} was made from {expected} names, but {found} matrices were given; pass one matrix for each \
         name"
    )]
    SourceCount {
        /// The character's name.
        character: Arc<str>,
        /// The number of names that the map was made from.
        expected: usize,
        /// The length of the slice that was passed.
        found: usize,
    },
    /// The joint map was made for another character, or for another bake of the character. Make a map for each character that you
    /// load.
    #[error("the joint map is of {}; make a map for the {expected:?} that is posed", other_not_of(.expected, .found))]
    OtherJointMap {
        /// The name of the character that was passed.
        expected: Arc<str>,
        /// The name of the character that the map was made for.
        found: Arc<str>,
    },
    /// The matrix of a joint contains a NaN or an infinity, or takes a box beyond [`MAX_COORDINATE`]. Look for a
    /// zero-length quaternion or a division by zero in the code that computes the matrix.
    #[error(
        "{character:?}: the pose of joint {joint} ({name:?}) is not finite, or beyond {MAX_COORDINATE:e}; look for a division by \
         zero where its matrix is computed"
    )]
    OutOfRange {
        /// The character's name.
        character: Arc<str>,
        /// The joint that the matrix belongs to.
        joint: JointIndex,
        /// The joint's name.
        name: String,
    },
    /// The matrix `world_from_model`, which places the body, contains a NaN, an infinity or a number beyond [`MAX_COORDINATE`]. Look
    /// for a division by zero in the code that computes the body's place.
    #[error(
        "{character:?}: `world_from_model` is not finite, or has a number beyond {MAX_COORDINATE:e}; look for a division by zero \
         where the place of the body is computed"
    )]
    PlaceOutOfRange {
        /// The character's name.
        character: Arc<str>,
    },
    /// The weights of morph targets take the skin beyond [`MAX_COORDINATE`]. Look for weights far from 0 to 1 in the code that
    /// calls [`PosedCharacter::set_morph_weights`](crate::PosedCharacter::set_morph_weights).
    #[error(
        "{character:?}: with the weights of its morph targets, the skin of joint {joint} ({name:?}) is not finite, or beyond \
         {MAX_COORDINATE:e}; look for weights far from 0 to 1 where the weights are computed"
    )]
    MorphOutOfRange {
        /// The character's name.
        character: Arc<str>,
        /// The joint that owns the skin.
        joint: JointIndex,
        /// The joint's name.
        name: String,
    },
    /// The posed boxes are of another character or of another bake of the character, or there is no pose.
    #[error("{}; pose all of {expected:?} first", not_posed_as(.expected, .found))]
    OtherCharacter {
        /// The name of the character that was passed.
        expected: Arc<str>,
        /// The name of the character that was posed last; empty if there is no pose.
        found: Arc<str>,
    },
    /// The character has no clip with this index. Take the index from [`crate::Character::find_clip`] of the same character.
    #[error("{character:?} has no clip {clip}; pass an index below {count}")]
    NoClip {
        /// The character's name.
        character: Arc<str>,
        /// The requested index.
        clip: ClipIndex,
        /// The number of clips of the character.
        count: usize,
    },
    /// The character has no joint with this index. Take the index from [`skeleton::Skeleton::find`] of the same
    /// character.
    #[error("{character:?} has no joint {joint}; pass an index below {count}")]
    NoJoint {
        /// The character's name.
        character: Arc<str>,
        /// The requested index.
        joint: JointIndex,
        /// The number of joints of the character.
        count: usize,
    },
    /// The mask is of another character. Make the mask from the character that is posed.
    #[error("the joint mask is of {}; make a mask from the {expected:?} that is posed", other_not_of(.expected, .found))]
    OtherMask {
        /// The name of the character that was passed.
        expected: Arc<str>,
        /// The name of the character that the mask belongs to.
        found: Arc<str>,
    },
    /// The hitboxes were baked with the preset `always` (`poses = "any"`). Their sizes depend on the pose, so bounds
    /// over a span of time cannot be computed. Pose the character at each time instead.
    #[error(
        "{character:?} was baked for any pose, so its hitboxes have no bounds over time; pose the character at each time"
    )]
    NoClipBounds {
        /// The character's name.
        character: Arc<str>,
    },
    /// A time or a blend weight is NaN. Look for a division by zero in the code that computes the time or the weight.
    #[error(
        "{character:?}: the time of clip {clip}, or the weight that the clip is blended with, is not a number; look for a \
         division by zero where this number is computed"
    )]
    NotANumber {
        /// The character's name.
        character: Arc<str>,
        /// The clip.
        clip: ClipIndex,
    },
}

/// The reason of [`PoseError::OtherCharacter`]; `found` is empty if there is no pose.
#[cold]
fn not_posed_as(expected: &str, found: &str) -> String {
    match found {
        "" => format!("there is no pose of {expected:?} yet, or the last pose failed"),
        _ => format!("the posed boxes are those of {}", other_not_of(expected, found)),
    }
}

impl PoseError {
    /// The error for a joint's box that is not finite or out of range. If the place of the body is the cause, the error
    /// is about this place.
    #[cold]
    pub(crate) fn box_out_of_range(character: &HitboxTable, matrices: &JointMatrices<'_>, joint: JointIndex) -> Self {
        let is_in_range = |place: &&Affine3A| place.to_cols_array().iter().all(|number| number.abs() <= MAX_COORDINATE);
        if matrices.world_from_model.as_ref().is_none_or(is_in_range) {
            return Self::out_of_range(character, joint);
        }
        Self::PlaceOutOfRange { character: Arc::clone(&character.name) }
    }

    #[cold]
    pub(crate) fn morph_out_of_range(character: &HitboxTable, joint: JointIndex) -> Self {
        let name = character.skeleton.joint(joint).name.as_str().into();
        Self::MorphOutOfRange { character: Arc::clone(&character.name), joint, name }
    }

    #[cold]
    pub(crate) fn out_of_range(character: &HitboxTable, joint: JointIndex) -> Self {
        let name = character.skeleton.joint(joint).name.as_str().into();
        Self::OutOfRange { character: Arc::clone(&character.name), joint, name }
    }

    #[cold]
    pub(crate) fn no_clip(character: &HitboxTable, clip: ClipIndex, count: usize) -> Self {
        Self::NoClip { character: Arc::clone(&character.name), clip, count }
    }

    #[cold]
    pub(crate) fn no_joint(character: &HitboxTable, joint: JointIndex) -> Self {
        let count = character.skeleton.len();
        Self::NoJoint { character: Arc::clone(&character.name), joint, count }
    }

    #[cold]
    pub(crate) fn not_a_number(character: &HitboxTable, clip: ClipIndex) -> Self {
        Self::NotANumber { character: Arc::clone(&character.name), clip }
    }
}

/// The name of the character that was found, as an error names it. If both characters have the same name, the text says
/// that the character is another bake.
#[cold]
pub(crate) fn other_name(expected: &str, found: &str) -> String {
    if expected == found { format!("another bake of {found:?}") } else { format!("{found:?}") }
}

/// [`other_name`], followed by "not of" and the name of the expected character if the two names differ.
#[cold]
pub(crate) fn other_not_of(expected: &str, found: &str) -> String {
    let other = other_name(expected, found);
    if expected == found { other } else { format!("{other}, not of {expected:?}") }
}
