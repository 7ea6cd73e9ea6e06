//! Boxes of the edited file, converted to the spaces of the joints in the asset.

use super::WireBox;
use super::exported::{Exported, bare_box};
use crate::commands::import::document::Placement;
use baked_format::Hitbox;
use glam::{Affine3A, DAffine3, DMat3, DQuat};
use skinned_model::SkinnedModel;
use std::collections::BTreeMap;

/// The largest change of a joint's rest transform that comes from rounding, as a share of the axes' lengths and of the distance
/// from the origin.
const SAME_REST: f64 = 1e-4;

/// The way of converting from a joint's space in the edited file to its space in the asset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Frame {
    /// The two spaces are equal.
    Joint,
    /// Through mesh space, with the inverse bind matrices of both files.
    Bind,
    /// Through model space, with the rest poses of both files.
    Rest,
}

/// The transforms of the joints of both files, by name.
pub(super) struct Frames {
    edited: JointTransforms,
    asset: JointTransforms,
}

#[derive(Default)]
struct JointTransforms {
    joint_from_mesh: BTreeMap<String, DAffine3>,
    model_from_joint: BTreeMap<String, DAffine3>,
}

impl Frames {
    pub(super) fn new(edited: &SkinnedModel, asset: &SkinnedModel) -> Self {
        Self { edited: JointTransforms::of_model(edited), asset: JointTransforms::of_model(asset) }
    }

    /// A box in the space of its joint in the asset. `exported` are the hitboxes that the joint had. `None` if a file lacks the joint
    /// or flattens its space, and if the conversion shears the box.
    pub(super) fn place(&self, frame: Frame, one: &WireBox, exported: &[Exported]) -> Option<Hitbox> {
        // A box below another node than its joint stays where it is in model space.
        let frame = if one.is_below_its_joint { frame } else { Frame::Rest };
        let transform = match frame {
            Frame::Joint => DAffine3::IDENTITY,
            Frame::Bind => {
                let edited = self.edited.joint_from_mesh.get(&one.parent)?;
                *self.asset.joint_from_mesh.get(&one.joint)? * edited.inverse()
            }
            Frame::Rest => {
                let edited = self.edited.model_from_joint.get(&one.parent)?;
                let asset = exported.iter().find_map(|one| one.rest).or_else(|| self.asset_rest(&one.joint))?;
                asset.inverse() * *edited
            }
        };
        transform.is_finite().then(|| transformed(&transform, one))?
    }

    fn asset_rest(&self, joint: &str) -> Option<DAffine3> {
        self.asset.model_from_joint.get(joint).copied()
    }

    /// Returns true if the rest transform of a joint differs from the one that its boxes remember.
    pub(super) fn has_changed_since(&self, joint: &str, exported: &[Exported]) -> bool {
        let (then, now) = (exported.iter().find_map(|one| one.rest), self.asset_rest(joint));
        let (Some(then), Some(now)) = (then, now) else { return false };
        let size = |matrix: DMat3| matrix.to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
        let moved = (now.translation - then.translation).length();
        size(now.matrix3 - then.matrix3) > SAME_REST * size(then.matrix3)
            || moved > SAME_REST * (then.translation.length() + size(then.matrix3))
    }
}

impl JointTransforms {
    fn of_model(model: &SkinnedModel) -> Self {
        let skeleton = &model.skeleton;
        let rest = skeleton.rest_matrices();
        let mut transforms = Self::default();
        for (joint, model_from_joint) in skeleton.joints().iter().zip(rest) {
            transforms.model_from_joint.insert(joint.name.clone(), affine(&model_from_joint));
        }
        for mesh in &model.meshes {
            for (joint, matrix) in mesh.joints.iter().zip(&mesh.joint_from_mesh) {
                let name = skeleton.joint(*joint).name.clone();
                transforms.joint_from_mesh.entry(name).or_insert_with(|| affine(matrix));
            }
        }
        transforms
    }
}

fn affine(matrix: &Affine3A) -> DAffine3 {
    DAffine3::from_mat3_translation(matrix.matrix3.as_dmat3(), matrix.translation.as_dvec3())
}

/// The box after a transform, or `None` if the transform shears it.
fn transformed(asset_from_edited: &DAffine3, one: &WireBox) -> Option<Hitbox> {
    let linear = asset_from_edited.matrix3;
    let scale = libm::cbrt(linear.determinant().abs());
    let rotation = DMat3::from_cols(linear.x_axis / scale, linear.y_axis / scale, linear.z_axis / scale);
    let skew = (rotation.transpose() * rotation - DMat3::IDENTITY).to_cols_array().into_iter().map(f64::abs);
    if !scale.is_normal() || skew.fold(0.0, f64::max) > 1e-3 || rotation.determinant() < 0.0 {
        return None;
    }
    let Placement { translation, rotation: box_rotation, scale: half } = one.joint_from_box;
    let mut placed = bare_box(one.index, one.role, one.tags.clone());
    placed.center = asset_from_edited.transform_point3(translation).as_vec3();
    placed.half_extents = (scale * half).as_vec3();
    placed.orientation = (DQuat::from_mat3(&rotation) * box_rotation).normalize().as_quat();
    Some(placed)
}
