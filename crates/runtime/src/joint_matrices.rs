//! The joint matrices that place a character's boxes.

use glam::Affine3A;

/// Where the joints are.
pub(crate) struct JointMatrices<'a> {
    /// Applied last where `joints` end in model space; `None` where they end in world space.
    pub(crate) world_from_model: Option<&'a Affine3A>,
    /// `model_from_joint` or `world_from_joint`; `joints[j]` belongs to joint `j` of the skeleton.
    pub(crate) joints: &'a [Affine3A],
}
