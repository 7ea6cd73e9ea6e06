//! Why a character cannot be posed.

use crate::{Character, ClipIndex};
use geometry_core::MAX_COORDINATE;
use skeleton::JointIndex;
use std::sync::Arc;

/// Why a character cannot be posed. The [`crate::PosedCharacter`] is left without boxes, except where a variant says
/// otherwise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PoseError {
    /// Pass one matrix per joint of [`Character::skeleton`], in its order.
    #[error("{character:?} has {expected} joints, {found} joint matrices were given")]
    JointCount {
        /// The character's name.
        character: Arc<str>,
        /// How many joints its skeleton has.
        expected: usize,
        /// Length of the slice.
        found: usize,
    },
    /// The matrix of a joint has a NaN or an infinity, or takes a box beyond [`MAX_COORDINATE`]: look for a zero-length
    /// quaternion or a division by zero where the matrix is made.
    #[error("{character:?}: the pose of joint {joint} ({name:?}) is not finite, or beyond {MAX_COORDINATE:e}")]
    OutOfRange {
        /// The character's name.
        character: Arc<str>,
        /// The joint whose matrix it is.
        joint: JointIndex,
        /// The joint's name.
        name: String,
    },
    /// The posed boxes are those of another character. They are left as they were.
    #[error("the posed boxes are those of {found:?}, not of {expected:?}; pose all of {expected:?} first")]
    OtherCharacter {
        /// Name of the character that was passed.
        expected: Arc<str>,
        /// Name of the character that was posed last; empty where none was.
        found: Arc<str>,
    },
    /// Take the index from [`Character::find_clip`] of the same character.
    #[error("{character:?} has {count} clips, there is no clip {clip}")]
    NoClip {
        /// The character's name.
        character: Arc<str>,
        /// The index asked for.
        clip: ClipIndex,
        /// How many clips there are.
        count: usize,
    },
    /// Take the index from [`skeleton::Skeleton::find`] of the same character.
    #[error("{character:?} has {count} joints, there is no joint {joint}")]
    NoJoint {
        /// The character's name.
        character: Arc<str>,
        /// The index asked for.
        joint: JointIndex,
        /// How many joints there are.
        count: usize,
    },
    /// Make the mask from the character that is posed.
    #[error("the joint mask is of {found:?}, not of {expected:?}; make one from {expected:?}")]
    OtherMask {
        /// Name of the character that was passed.
        expected: Arc<str>,
        /// Name of the character whose mask it is.
        found: Arc<str>,
    },
    /// A time or a blend weight is NaN: look for a division by zero where it is computed.
    #[error("{character:?}: the time of clip {clip}, or the weight it is blended with, is not a number")]
    NotANumber {
        /// The character's name.
        character: Arc<str>,
        /// The clip.
        clip: ClipIndex,
    },
}

impl PoseError {
    #[cold]
    pub(crate) fn out_of_range(character: &Character, joint: JointIndex) -> Self {
        let name = character.joint_name(joint).into();
        Self::OutOfRange { character: Arc::clone(&character.hitboxes.name), joint, name }
    }

    #[cold]
    pub(crate) fn no_clip(character: &Character, clip: ClipIndex) -> Self {
        let count = character.clips().len();
        Self::NoClip { character: Arc::clone(&character.hitboxes.name), clip, count }
    }

    #[cold]
    pub(crate) fn no_joint(character: &Character, joint: JointIndex) -> Self {
        let count = character.skeleton().len();
        Self::NoJoint { character: Arc::clone(&character.hitboxes.name), joint, count }
    }

    #[cold]
    pub(crate) fn other_mask(character: &Character, found: &Arc<str>) -> Self {
        Self::OtherMask { expected: Arc::clone(&character.hitboxes.name), found: Arc::clone(found) }
    }

    #[cold]
    pub(crate) fn not_a_number(character: &Character, clip: ClipIndex) -> Self {
        Self::NotANumber { character: Arc::clone(&character.hitboxes.name), clip }
    }
}
