//! The character's surface as the fitter sees it: skinned meshes and attachments alike, in f64.

use crate::options::Attachments;
use geometry_core::portable;
use glam::{Affine3A, DAffine3, DVec3};
use skeleton::JointIndex;
use skinned_model::{Attachment, SkinnedMesh, SkinnedModel};
use std::ops::Range;

/// One slot of a skin, or the joint an attachment hangs on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding {
    pub(crate) joint: JointIndex,
    /// The skin's inverse bind matrix.
    pub(crate) joint_from_mesh: DAffine3,
}

/// How much a binding moves a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Influence {
    /// Index into [`BoundMesh::bindings`].
    pub(crate) binding: usize,
    /// Share of the vertex's weights: above 0, they sum to 1.
    pub(crate) weight: f64,
}

/// One mesh with what it is bound to.
#[derive(Debug)]
pub(crate) struct BoundPart<'a> {
    /// Of the mesh, for messages.
    pub(crate) name: &'a str,
    /// Which of [`BoundMesh::bindings`] are its own.
    pub(crate) bindings: Range<usize>,
    /// Mesh space.
    pub(crate) positions: Vec<DVec3>,
    /// `influences[first_influence[v]..first_influence[v + 1]]` are vertex `v`'s, in the order of the slots.
    first_influence: Vec<usize>,
    influences: Vec<Influence>,
    pub(crate) triangles: &'a [[u32; 3]],
}

impl<'a> BoundPart<'a> {
    /// A vertex's influences in the order of the slots; none where all its weights are 0.
    pub(crate) fn influences(&self, vertex: usize) -> &[Influence] {
        &self.influences[self.first_influence[vertex]..self.first_influence[vertex + 1]]
    }

    /// A vertex in model space, exactly skinned; `None` where all its weights are 0.
    ///
    /// `model_from_mesh` has an entry for each of [`BoundMesh::bindings`].
    pub(crate) fn skinned(&self, vertex: usize, model_from_mesh: &[DAffine3]) -> Option<DVec3> {
        let influences = self.influences(vertex);
        let position = self.positions[vertex];
        let posed = influences.iter().fold(DVec3::ZERO, |sum, influence| {
            sum + influence.weight * model_from_mesh[influence.binding].transform_point3(position)
        });
        (!influences.is_empty()).then_some(posed)
    }

    fn of_mesh(mesh: &'a SkinnedMesh, bindings: &mut Vec<Binding>) -> Self {
        let first = bindings.len();
        bindings.extend(mesh.joints.iter().zip(&mesh.joint_from_mesh).map(|(&joint, matrix)| binding(joint, matrix)));
        let mut first_influence = Vec::with_capacity(mesh.positions.len() + 1);
        let mut influences = Vec::new();
        first_influence.push(0);
        for vertex in 0..mesh.positions.len() {
            let (slots, weights) = mesh.influences.of(vertex);
            let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
            let moved = slots.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
            influences.extend(moved.map(|(&slot, &weight)| Influence {
                binding: first + usize::from(slot),
                weight: f64::from(weight) / sum,
            }));
            first_influence.push(influences.len());
        }
        Self {
            name: &mesh.name,
            bindings: first..bindings.len(),
            positions: mesh.positions.iter().map(|position| position.as_dvec3()).collect(),
            first_influence,
            influences,
            triangles: &mesh.triangles,
        }
    }

    fn of_attachment(attachment: &'a Attachment, bindings: &mut Vec<Binding>) -> Self {
        let (first, count) = (bindings.len(), attachment.positions.len());
        bindings.push(binding(attachment.joint, &attachment.joint_from_mesh));
        Self {
            name: &attachment.name,
            bindings: first..first + 1,
            positions: attachment.positions.iter().map(|position| position.as_dvec3()).collect(),
            first_influence: (0..=count).collect(),
            influences: vec![Influence { binding: first, weight: 1.0 }; count],
            triangles: &attachment.triangles,
        }
    }
}

fn binding(joint: JointIndex, joint_from_mesh: &Affine3A) -> Binding {
    Binding { joint, joint_from_mesh: affine_to_f64(joint_from_mesh) }
}

/// The same map in scalar f64.
pub(crate) fn affine_to_f64(affine: &Affine3A) -> DAffine3 {
    let (linear, translation) = portable::affine_parts(affine);
    DAffine3 { matrix3: linear.as_dmat3(), translation: translation.as_dvec3() }
}

/// All that is bound to a joint.
#[derive(Debug)]
pub(crate) struct BoundMesh<'a> {
    pub(crate) parts: Vec<BoundPart<'a>>,
    /// Of all parts, in their order.
    pub(crate) bindings: Vec<Binding>,
    /// Bounds along y in the rest pose, in model units; the longest extent where that is 0.
    pub(crate) height: f64,
    /// `model_from_joint` of every joint at rest.
    pub(crate) model_from_joint: Vec<DAffine3>,
}

impl<'a> BoundMesh<'a> {
    pub(crate) fn new(model: &'a SkinnedModel, attachments: Attachments) -> Self {
        let mut bindings = Vec::new();
        let mut parts: Vec<BoundPart<'a>> =
            model.meshes.iter().map(|mesh| BoundPart::of_mesh(mesh, &mut bindings)).collect();
        if attachments == Attachments::Include {
            parts
                .extend(model.attachments.iter().map(|attachment| BoundPart::of_attachment(attachment, &mut bindings)));
        }
        let mut matrices = vec![Affine3A::IDENTITY; model.skeleton.len()];
        model.skeleton.model_from_joints(&model.skeleton.rest_pose(), &mut matrices);
        let model_from_joint: Vec<DAffine3> = matrices.iter().map(affine_to_f64).collect();
        let height = height(&parts, &bindings, &model_from_joint);
        Self { parts, bindings, height, model_from_joint }
    }

    /// How long a unit of a joint's space is in model space at rest: the cube root of the change of volume.
    pub(crate) fn scale(&self, joint: JointIndex) -> f64 {
        libm::cbrt(self.model_from_joint[joint.index()].matrix3.determinant().abs())
    }
}

fn height(parts: &[BoundPart<'_>], bindings: &[Binding], model_from_joint: &[DAffine3]) -> f64 {
    let model_from_mesh = model_from_mesh(bindings, model_from_joint);
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for part in parts {
        for vertex in 0..part.positions.len() {
            let posed = part.skinned(vertex, &model_from_mesh);
            if let Some(posed) = posed.filter(|posed| posed.is_finite()) {
                min = min.min(posed);
                max = max.max(posed);
            }
        }
    }
    let extent = max - min;
    match extent.y {
        y if y > 0.0 && y.is_finite() => y,
        _ if extent.is_finite() => extent.max_element().max(0.0),
        _ => 0.0,
    }
}

/// The map of each binding in a pose.
pub(crate) fn model_from_mesh(bindings: &[Binding], model_from_joint: &[DAffine3]) -> Vec<DAffine3> {
    bindings.iter().map(|binding| model_from_joint[binding.joint.index()] * binding.joint_from_mesh).collect()
}
