//! A piece: the part of a group that gets one hitbox.

use crate::assign::groups::JointGroup;
use crate::skin::patch::Patch;
use glam::{DMat3, DVec3};
use skeleton::JointIndex;

/// The part of a group that gets one hitbox, in the joint's space.
pub(crate) struct Piece {
    pub(crate) joint: JointIndex,
    /// The surface of the piece.
    pub(crate) patch: Patch,
    /// The vertices of the piece that the joint owns.
    pub(crate) vertices: Vec<DVec3>,
    /// The axes of the piece's box, if the search for cuts has found them already.
    pub(crate) axes: Option<DMat3>,
}

impl From<JointGroup> for Piece {
    /// The piece of a whole group.
    fn from(JointGroup { joint, patch, vertices }: JointGroup) -> Self {
        Self { joint, patch, vertices, axes: None }
    }
}
