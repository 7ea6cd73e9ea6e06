//! The joint matrices that place a character's boxes.

use geometry_core::portable::affine_mul;
use glam::Affine3A;
use skeleton::JointIndex;

/// Where the joints are.
pub(crate) struct JointMatrices<'a> {
    /// Applied last where `joints` end in model space; `None` where they end in world space.
    pub(crate) world_from_model: Option<&'a Affine3A>,
    /// `model_from_joint` or `world_from_joint`; `joints[j]` belongs to joint `j` of the skeleton.
    pub(crate) joints: &'a [Affine3A],
}

impl JointMatrices<'_> {
    /// One joint's matrix, to world space.
    pub(crate) fn world_from_joint(&self, joint: JointIndex) -> Affine3A {
        let matrix = &self.joints[joint.index()];
        match self.world_from_model {
            Some(world_from_model) => affine_mul(world_from_model, matrix),
            None => *matrix,
        }
    }
}
