//! The model's surface, skinned meshes and attachments alike, with the bindings that move it, in f64.

use crate::bounds::{Bounds, COORDINATE_LIMIT};
use crate::options::Attachments;
use geometry_core::portable;
use glam::{Affine3A, DAffine3, DVec3, Vec2, Vec3};
use skeleton::{JointIndex, Skeleton};
use skinned_model::{Attachment, SkinnedMesh, SkinnedModel};
use std::ops::Range;

/// A joint counts as collapsed if it is shrunk below this share of its rest scale along any axis. Surface that is
/// skinned to this joint alone is then a point, and other surface has no place in the joint's space.
const COLLAPSED: f64 = 0.01;

/// A joint of a skin, or the joint that carries an attachment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding {
    pub(crate) joint: JointIndex,
    /// The skin's inverse bind matrix, or the attachment's place on its joint.
    pub(crate) joint_from_mesh: DAffine3,
}

/// The weight of one binding on one vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Influence {
    /// The binding, an index into [`BoundMesh::bindings`].
    pub(crate) binding: usize,
    /// The share of the vertex's weights, above 0; the shares of a vertex sum to 1.
    pub(crate) weight: f64,
}

/// One skinned mesh or one attachment.
#[derive(Debug)]
pub(crate) struct BoundPart<'a> {
    /// The mesh's name, for messages.
    pub(crate) name: &'a str,
    /// The part's own range of [`BoundMesh::bindings`].
    pub(crate) bindings: Range<usize>,
    /// The position of each vertex, in mesh space.
    pub(crate) positions: &'a [Vec3],
    /// `influences[first_influence[v]..first_influence[v + 1]]` are the influences of vertex `v`, in the order of the
    /// slots.
    first_influence: Vec<usize>,
    influences: Vec<Influence>,
    /// The number of vertices that the bake ignores.
    pub(crate) ignored: usize,
    /// The three vertices of each triangle.
    pub(crate) triangles: &'a [[u32; 3]],
    /// The unit normal of each vertex, in mesh space; empty if the part has none.
    pub(crate) normals: &'a [Option<Vec3>],
    /// The texture coordinate of each vertex; empty if the part has none.
    pub(crate) texture_coordinates: &'a [Option<Vec2>],
}

impl<'a> BoundPart<'a> {
    /// Returns the position of a vertex, in mesh space.
    pub(crate) fn position(&self, vertex: usize) -> DVec3 {
        self.positions[vertex].as_dvec3()
    }

    /// Returns a vertex's influences in the order of the slots; an empty list if all its weights are 0.
    pub(crate) fn influences(&self, vertex: usize) -> &[Influence] {
        &self.influences[self.first_influence[vertex]..self.first_influence[vertex + 1]]
    }

    /// Returns a vertex in model space, exactly skinned; `None` if all its weights are 0.
    ///
    /// `model_from_mesh` has an entry for each of [`BoundMesh::bindings`].
    pub(crate) fn skinned(&self, vertex: usize, model_from_mesh: &[DAffine3]) -> Option<DVec3> {
        let influences = self.influences(vertex);
        let position = self.position(vertex);
        let posed = influences.iter().fold(DVec3::ZERO, |sum, influence| {
            sum + influence.weight * model_from_mesh[influence.binding].transform_point3(position)
        });
        (!influences.is_empty()).then_some(posed)
    }

    /// Returns true if no joint moves any vertex of the part.
    pub(crate) fn is_unbound(&self) -> bool {
        self.influences.is_empty()
    }

    /// Takes the influences of vertices away, so that they belong to nothing. `is_ignored` has an entry for each vertex.
    pub(crate) fn ignore(&mut self, is_ignored: &[bool]) {
        let (mut kept, mut first) = (Vec::new(), vec![0]);
        for (vertex, &is_ignored) in is_ignored.iter().enumerate() {
            if !is_ignored {
                kept.extend_from_slice(self.influences(vertex));
            }
            first.push(kept.len());
        }
        self.ignored = is_ignored.iter().filter(|is_ignored| **is_ignored).count();
        (self.influences, self.first_influence) = (kept, first);
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
            positions: &mesh.positions,
            first_influence,
            influences,
            ignored: 0,
            triangles: &mesh.triangles,
            normals: &mesh.normals,
            texture_coordinates: &mesh.texture_coordinates,
        }
    }

    fn of_attachment(attachment: &'a Attachment, bindings: &mut Vec<Binding>) -> Self {
        let (first, count) = (bindings.len(), attachment.positions.len());
        bindings.push(binding(attachment.joint, &attachment.joint_from_mesh));
        Self {
            name: &attachment.name,
            bindings: first..first + 1,
            positions: &attachment.positions,
            first_influence: (0..=count).collect(),
            influences: vec![Influence { binding: first, weight: 1.0 }; count],
            ignored: 0,
            triangles: &attachment.triangles,
            normals: &attachment.normals,
            texture_coordinates: &attachment.texture_coordinates,
        }
    }
}

fn binding(joint: JointIndex, joint_from_mesh: &Affine3A) -> Binding {
    Binding { joint, joint_from_mesh: affine_to_f64(joint_from_mesh) }
}

/// Converts a map to f64 in scalar arithmetic.
pub(crate) fn affine_to_f64(affine: &Affine3A) -> DAffine3 {
    let (linear, translation) = portable::affine_parts(affine);
    DAffine3 { matrix3: linear.as_dmat3(), translation: translation.as_dvec3() }
}

/// What a bake ignores, for its warnings.
#[derive(Debug, Default)]
pub(crate) struct Ignored {
    /// The patterns of the option `ignore` that match something.
    pub(crate) patterns: Vec<String>,
    /// The share of the skin's area at rest that the patterns match, 0 to 1. Triangles with any ignored corner count; helpers
    /// are not skin.
    pub(crate) share: f64,
    /// The names of the collision helpers and coarser levels of detail.
    pub(crate) helpers: Vec<String>,
}

impl Ignored {
    pub(crate) fn is_empty(&self) -> bool {
        self.patterns.is_empty() && self.helpers.is_empty()
    }
}

/// All surface that joints move, in mesh space and in f64: the skinned meshes, and the attachments unless they are skipped.
///
/// [`skinned_model::skinning`] is the reference for skinning; [`BoundMesh::posed`] gives the same points, of attachments too.
#[derive(Debug)]
pub(crate) struct BoundMesh<'a> {
    pub(crate) skeleton: &'a Skeleton,
    pub(crate) parts: Vec<BoundPart<'a>>,
    /// The bindings of all parts, in the order of the parts.
    pub(crate) bindings: Vec<Binding>,
    /// The character's height in model units: its extent along y in the rest pose, or its longest extent if the extent
    /// along y is 0.
    pub(crate) height: f64,
    /// `model_from_joint` of every joint in the rest pose.
    pub(crate) model_from_joint: Vec<DAffine3>,
    /// The scale of each joint, see [`BoundMesh::scale`].
    scales: Vec<f64>,
    /// What the bake ignores.
    pub(crate) ignored: Ignored,
}

impl<'a> BoundMesh<'a> {
    pub(crate) fn new(model: &'a SkinnedModel, attachments: Attachments) -> Self {
        let mut bindings = Vec::new();
        let mut parts: Vec<BoundPart<'a>> =
            model.meshes.iter().map(|mesh| BoundPart::of_mesh(mesh, &mut bindings)).collect();
        if attachments == Attachments::Include {
            let bound = model.attachments.iter().map(|attachment| BoundPart::of_attachment(attachment, &mut bindings));
            parts.extend(bound);
        }
        let matrices = model.skeleton.rest_matrices();
        let model_from_joint: Vec<DAffine3> = matrices.iter().map(affine_to_f64).collect();
        let scales = model_from_joint.iter().map(|matrix| libm::cbrt(matrix.matrix3.determinant().abs())).collect();
        let ignored = Ignored::default();
        let mut mesh =
            Self { skeleton: &model.skeleton, parts, bindings, height: 0.0, model_from_joint, scales, ignored };
        mesh.measure_height();
        mesh
    }

    /// Measures the height again, after vertices were ignored.
    pub(crate) fn measure_height(&mut self) {
        self.height = self.height_at_rest();
    }

    /// The joint's name.
    pub(crate) fn name(&self, joint: JointIndex) -> &'a str {
        &self.skeleton.joint(joint).name
    }

    /// All joints of the skeleton, in their order.
    pub(crate) fn all_joints(&self) -> Vec<JointIndex> {
        (0..self.skeleton.len()).map(|joint| JointIndex(joint as u16)).collect()
    }

    /// Returns the number of vertices of all parts.
    pub(crate) fn vertices(&self) -> usize {
        self.parts.iter().map(|part| part.positions.len()).sum()
    }

    /// Returns the length of one unit of a joint's space at rest, in model units: the cube root of the change of
    /// volume.
    pub(crate) fn scale(&self, joint: JointIndex) -> f64 {
        self.scales[joint.index()]
    }

    /// Returns `joint_from_model` of a joint in a pose; `None` if the joint has collapsed.
    pub(crate) fn joint_from_model(&self, joint: JointIndex, model_from_joint: &DAffine3) -> Option<DAffine3> {
        inverse_unless_collapsed(model_from_joint, self.scale(joint))
    }

    /// Returns a share of the character's height in the joint's unit; 0 if the joint has no size.
    pub(crate) fn in_joint_units(&self, joint: JointIndex, share: f64) -> f64 {
        let length = share * self.height / self.scale(joint);
        if length.is_finite() { length.min(COORDINATE_LIMIT) } else { 0.0 }
    }

    /// Returns every vertex of every part in a pose, in model space; `None` for a vertex without weights.
    ///
    /// `model_from_joint` has an entry for every joint of the skeleton.
    pub(crate) fn posed(&self, model_from_joint: &[DAffine3]) -> Vec<Vec<Option<DVec3>>> {
        let model_from_mesh = self.model_from_mesh(model_from_joint);
        let posed = |part: &BoundPart<'_>| {
            (0..part.positions.len()).map(|vertex| part.skinned(vertex, &model_from_mesh)).collect()
        };
        self.parts.iter().map(posed).collect()
    }

    /// Returns the transform of each of [`BoundMesh::bindings`] in a pose.
    pub(crate) fn model_from_mesh(&self, model_from_joint: &[DAffine3]) -> Vec<DAffine3> {
        let of_binding = |binding: &Binding| model_from_joint[binding.joint.index()] * binding.joint_from_mesh;
        self.bindings.iter().map(of_binding).collect()
    }

    fn height_at_rest(&self) -> f64 {
        let posed = self.posed(&self.model_from_joint);
        let size = Bounds::around(posed.into_iter().flatten().flatten().filter(|point| point.is_finite())).size();
        match size.y {
            y if y > 0.0 && y.is_finite() => y,
            _ if size.is_finite() => size.max_element().max(0.0),
            _ => 0.0,
        }
    }
}

/// Returns the inverse of `model_from_joint`; `None` if the joint has collapsed. `scale` is the joint's rest scale.
fn inverse_unless_collapsed(model_from_joint: &DAffine3, scale: f64) -> Option<DAffine3> {
    let linear = model_from_joint.matrix3;
    let inverse = linear.inverse();
    // The reciprocal length of a row is the thickness of a unit cube along that axis.
    let rows = inverse.transpose();
    let longest = [rows.x_axis, rows.y_axis, rows.z_axis].into_iter().map(DVec3::length).fold(0.0, f64::max);
    let there = inverse.is_finite() && longest * scale * COLLAPSED <= 1.0 && linear.determinant() != 0.0;
    there.then(|| DAffine3 { matrix3: inverse, translation: -(inverse * model_from_joint.translation) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DMat3;
    use skinned_model::skinning::skin_positions;

    /// Compares the points with the reference, to rounding, in a pose of a clip.
    #[test]
    fn posed_vertices_are_those_of_the_reference() {
        for character in [test_models::box_man(), test_models::box_limb()] {
            let model = skinned_model::import(&character.to_glb(), &skinned_model::NoExternalFiles).unwrap();
            let mut local = model.skeleton.rest_pose();
            model.clips[0].sample(0.3, &mut local);
            let mut matrices = vec![Affine3A::IDENTITY; model.skeleton.len()];
            model.skeleton.model_from_joints(&local, &mut matrices);
            let posed = BoundMesh::new(&model, Attachments::Skip)
                .posed(&matrices.iter().map(affine_to_f64).collect::<Vec<_>>());
            assert_eq!(posed.len(), model.meshes.len());
            for (mesh, found) in model.meshes.iter().zip(posed) {
                for (found, expected) in found.into_iter().zip(skin_positions(mesh, &matrices)) {
                    assert!((found.unwrap() - expected.unwrap()).length() < 1e-12, "{found:?} is not {expected:?}");
                }
            }
        }
    }

    #[test]
    fn a_joint_without_thickness_has_collapsed() {
        let scaled = |x, y, z| DAffine3 { matrix3: DMat3::from_diagonal(DVec3::new(x, y, z)), translation: DVec3::ONE };
        assert!(inverse_unless_collapsed(&scaled(100.0, 100.0, 100.0), 100.0).is_some());
        assert!(inverse_unless_collapsed(&scaled(100.0, -100.0, 50.0), 100.0).is_some());
        assert!(inverse_unless_collapsed(&scaled(0.0, 0.0, 0.0), 100.0).is_none());
        assert!(inverse_unless_collapsed(&scaled(100.0, 100.0, 0.5), 100.0).is_none());
        let inverse = inverse_unless_collapsed(&scaled(2.0, 4.0, 1.0), 2.0).unwrap();
        assert_eq!(inverse.transform_point3(DVec3::new(3.0, 5.0, 2.0)), DVec3::ONE);
    }
}
