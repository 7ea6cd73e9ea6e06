//! A joint whose matrix is kept beside the hitboxes: a weapon socket, a muzzle, a camera.

use glam::Affine3A;
use skeleton::JointIndex;

/// A joint whose matrix is kept, see [`crate::PosedCharacter::track_joints`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Socket {
    pub(crate) joint: JointIndex,
    /// The matrix of the joint; NaN if there is no pose.
    pub(crate) world_from_joint: Affine3A,
}
