//! The joint matrices that place a character's boxes.

use geometry_core::portable::affine_mul;
use glam::Affine3A;
use skeleton::JointIndex;

/// The matrices of all joints in one pose.
pub(crate) struct JointMatrices<'a> {
    /// The matrix that is applied last if `joints` are in model space; `None` if they are in world space.
    pub(crate) world_from_model: Option<&'a Affine3A>,
    /// `model_from_joint` or `world_from_joint`; `joints[j]` belongs to joint `j` of the skeleton.
    pub(crate) joints: &'a [Affine3A],
}

impl JointMatrices<'_> {
    /// The matrix of one joint to world space.
    pub(crate) fn world_from_joint(&self, joint: JointIndex) -> Affine3A {
        let matrix = &self.joints[joint.index()];
        match self.world_from_model {
            Some(world_from_model) => affine_mul(world_from_model, matrix),
            None => *matrix,
        }
    }
}
