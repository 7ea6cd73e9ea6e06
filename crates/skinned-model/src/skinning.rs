//! Linear blend skinning on the CPU in f64. Hitboxes are measured against its results.
//!
//! Source: glTF 2.0, section 3.7.3. The sum is divided by the sum of the weights, so that weights that do not add up to
//! 1 neither shrink nor enlarge the mesh.

use crate::SkinnedMesh;
use geometry_core::portable;
use glam::{Affine3A, DMat3, DVec3};

/// An affine map in f64, as columns and a translation.
#[derive(Clone, Copy, Debug)]
struct Affine64 {
    linear: DMat3,
    translation: DVec3,
}

impl From<&Affine3A> for Affine64 {
    fn from(affine: &Affine3A) -> Self {
        let (linear, translation) = portable::affine_parts(affine);
        Self { linear: linear.as_dmat3(), translation: translation.as_dvec3() }
    }
}

impl Affine64 {
    fn point(&self, point: DVec3) -> DVec3 {
        self.linear.x_axis * point.x + self.linear.y_axis * point.y + self.linear.z_axis * point.z + self.translation
    }
}

/// The vertices of a mesh in the joint space of the skin's joint at `slot`, in the bind pose: `joint_from_mesh *
/// point`.
///
/// The result has one point per vertex.
///
/// # Panics
/// If `slot` is not below the length of [`SkinnedMesh::joints`].
#[must_use]
pub fn joint_points(mesh: &SkinnedMesh, slot: usize) -> Vec<DVec3> {
    let joint_from_mesh = Affine64::from(&mesh.joint_from_mesh[slot]);
    mesh.positions.iter().map(|point| joint_from_mesh.point(point.as_dvec3())).collect()
}

/// One vertex of [`joint_points`]: its position in the joint space of the skin's joint at `slot`.
///
/// # Panics
/// If `slot` or `vertex` is too large for the mesh.
#[must_use]
pub fn joint_point(mesh: &SkinnedMesh, slot: usize, vertex: usize) -> DVec3 {
    Affine64::from(&mesh.joint_from_mesh[slot]).point(mesh.positions[vertex].as_dvec3())
}

/// The posed vertices of a mesh in model space: `sum(w * model_from_joint * joint_from_mesh * p) / sum(w)`.
///
/// `model_from_joint` has one matrix for every joint of the skeleton, as [`skeleton::Skeleton::model_from_joints`]
/// computes them. The result has one point per vertex, and `None` for vertices whose weights are all 0, which belong to
/// no joint.
///
/// # Panics
/// If `model_from_joint` has no matrix for a joint of the mesh.
#[must_use]
pub fn skin_positions(mesh: &SkinnedMesh, model_from_joint: &[Affine3A]) -> Vec<Option<DVec3>> {
    let maps: Vec<(Affine64, Affine64)> = mesh
        .joints
        .iter()
        .zip(&mesh.joint_from_mesh)
        .map(|(joint, bind)| (Affine64::from(&model_from_joint[joint.index()]), Affine64::from(bind)))
        .collect();
    (0..mesh.positions.len()).map(|vertex| skin_vertex(mesh, &maps, vertex)).collect()
}

fn skin_vertex(mesh: &SkinnedMesh, maps: &[(Affine64, Affine64)], vertex: usize) -> Option<DVec3> {
    let point = mesh.positions[vertex].as_dvec3();
    let (slots, weights) = mesh.influences.of(vertex);
    let (mut sum, mut total) = (DVec3::ZERO, 0.0);
    for (&slot, &weight) in slots.iter().zip(weights).filter(|&(_, &weight)| weight > 0.0) {
        let (model_from_joint, joint_from_mesh) = &maps[usize::from(slot)];
        sum += model_from_joint.point(joint_from_mesh.point(point)) * f64::from(weight);
        total += f64::from(weight);
    }
    (total > 0.0).then(|| sum / total)
}
