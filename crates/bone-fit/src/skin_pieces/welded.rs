//! Merges equal vertices of the surface into one vertex, and equal bindings into one binding.

use crate::error::BakeError;
use crate::skin::bound_mesh::{Binding, BoundMesh, BoundPart};
use crate::skin_pieces::source_offsets::SourceOffsets;
use baked_format::SkinBinding;
use baked_format::limits::MAX_SKIN_BINDINGS;
use glam::{Affine3A, Mat3, Vec3};
use skeleton::JointIndex;
use std::cmp::Ordering;
use std::collections::HashMap;

/// The entry in [`WeldedSurface::numbers`] of a vertex that no joint moves or that no triangle uses.
pub(crate) const NO_VERTEX: u32 = u32::MAX;

/// A vertex of the surface. Vertices of the source with equal positions, influences and offsets become one welded vertex.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WeldedVertex {
    /// The position in mesh space, without negative zeros.
    pub(crate) position: Vec3,
    /// The influences: indices into [`WeldedSurface::bindings`], ascending, without repeats, each with its share of the
    /// weights, above 0 to 1.
    pub(crate) influences: Vec<(u16, f64)>,
    /// The distance that each morph target moves the vertex, ascending by target.
    pub(crate) offsets: Vec<(u16, Vec3)>,
}

/// The vertices of all triangles, in an order that depends only on their positions, influences and offsets, in this order.
#[derive(Debug)]
pub(crate) struct WeldedSurface {
    /// The bindings that move the vertices, in the order of the parts. No two bindings have the same joint and matrix.
    pub(crate) bindings: Vec<SkinBinding>,
    pub(crate) vertices: Vec<WeldedVertex>,
    /// `numbers[part][vertex]` is the vertex's index into [`WeldedSurface::vertices`], or [`NO_VERTEX`].
    pub(crate) numbers: Vec<Vec<u32>>,
}

impl WeldedSurface {
    /// Welds the surface of all parts.
    ///
    /// # Errors
    /// Returns [`BakeError::TooManyBindings`].
    pub(crate) fn new(mesh: &BoundMesh<'_>, offsets: &SourceOffsets<'_>) -> Result<Self, BakeError> {
        let used: Vec<Vec<bool>> = mesh.parts.iter().map(vertices_of_triangles).collect();
        let (bindings, number_of_binding) = distinct_bindings(mesh, &used)?;
        let mut found = Vec::new();
        for (index, part) in mesh.parts.iter().enumerate() {
            let moved = |&vertex: &usize| used[index][vertex] && !part.influences(vertex).is_empty();
            let vertices = (0..part.positions.len()).filter(moved);
            found.extend(vertices.map(|vertex| {
                let offsets = offsets.of_vertex(index, vertex as u32);
                (welded_vertex(part, vertex, &number_of_binding, offsets), index, vertex)
            }));
        }
        found.sort_by(|(a, ..), (b, ..)| order(a, b));
        let mut numbers: Vec<Vec<u32>> = mesh.parts.iter().map(|part| vec![NO_VERTEX; part.positions.len()]).collect();
        let mut vertices: Vec<WeldedVertex> = Vec::new();
        for (vertex, part, number) in found {
            if vertices.last().is_none_or(|last| order(last, &vertex).is_ne()) {
                vertices.push(vertex);
            }
            numbers[part][number] = (vertices.len() - 1) as u32;
        }
        Ok(Self { bindings, vertices, numbers })
    }

    /// Returns, for each vertex, the first vertex with the same position and the same influences.
    pub(crate) fn same_without_offsets(&self) -> Vec<u32> {
        let mut first = 0;
        let number = |index: usize| {
            let is_same = order_without_offsets(&self.vertices[first], &self.vertices[index]).is_eq();
            first = if is_same { first } else { index };
            first as u32
        };
        (0..self.vertices.len()).map(number).collect()
    }

    /// Returns the joints that move a vertex with their shares of its weights, sorted by joint.
    pub(crate) fn joint_shares(&self, vertex: u32) -> Vec<(JointIndex, f64)> {
        let mut shares: Vec<(JointIndex, f64)> = Vec::with_capacity(4);
        for &(binding, share) in &self.vertices[vertex as usize].influences {
            let joint = self.bindings[usize::from(binding)].joint;
            match shares.iter_mut().find(|(known, _)| *known == joint) {
                Some((_, sum)) => *sum += share,
                None => shares.push((joint, share)),
            }
        }
        shares.sort_by_key(|(joint, _)| *joint);
        shares
    }

    /// Returns the joint if a single joint moves the vertex; `None` if several joints move it.
    pub(crate) fn only_joint(&self, vertex: u32) -> Option<JointIndex> {
        let joint = |&(binding, _): &(u16, f64)| self.bindings[usize::from(binding)].joint;
        let influences = &self.vertices[vertex as usize].influences;
        let first = joint(influences.first()?);
        influences.iter().all(|influence| joint(influence) == first).then_some(first)
    }
}

fn order(a: &WeldedVertex, b: &WeldedVertex) -> Ordering {
    let key = |&(target, offset): &(u16, Vec3)| (target, offset.to_array().map(f32::to_bits));
    order_without_offsets(a, b).then_with(|| a.offsets.iter().map(key).cmp(b.offsets.iter().map(key)))
}

fn order_without_offsets(a: &WeldedVertex, b: &WeldedVertex) -> Ordering {
    let coordinates = |vertex: &WeldedVertex| vertex.position.to_array();
    let compare = |(a, b): (f32, f32)| a.total_cmp(&b);
    let by_position = coordinates(a).into_iter().zip(coordinates(b)).map(compare).find(|order| order.is_ne());
    let key = |&(binding, share): &(u16, f64)| (binding, share.to_bits());
    by_position.unwrap_or(Ordering::Equal).then_with(|| a.influences.iter().map(key).cmp(b.influences.iter().map(key)))
}

fn vertices_of_triangles(part: &BoundPart<'_>) -> Vec<bool> {
    let mut used = vec![false; part.positions.len()];
    part.triangles.iter().flatten().for_each(|&vertex| used[vertex as usize] = true);
    used
}

/// Makes a welded vertex. Positions become `f32` again without loss, because the source has `f32` positions.
fn welded_vertex(
    part: &BoundPart<'_>,
    vertex: usize,
    number_of_binding: &[u16],
    offsets: Vec<(u16, Vec3)>,
) -> WeldedVertex {
    let mut influences: Vec<(u16, f64)> = Vec::with_capacity(4);
    for influence in part.influences(vertex) {
        let binding = number_of_binding[influence.binding];
        match influences.iter_mut().find(|(known, _)| *known == binding) {
            Some((_, share)) => *share += influence.weight,
            None => influences.push((binding, influence.weight)),
        }
    }
    influences.sort_by_key(|(binding, _)| *binding);
    // Adding zero turns a negative zero into a positive zero.
    WeldedVertex { position: part.positions[vertex] + Vec3::ZERO, influences, offsets }
}

/// Returns the bindings that move vertices of triangles, each pair of joint and matrix once, and for each binding of
/// the mesh its index among the returned bindings.
fn distinct_bindings(mesh: &BoundMesh<'_>, used: &[Vec<bool>]) -> Result<(Vec<SkinBinding>, Vec<u16>), BakeError> {
    let mut moves = vec![false; mesh.bindings.len()];
    for (part, used) in mesh.parts.iter().zip(used) {
        for vertex in (0..part.positions.len()).filter(|&vertex| used[vertex]) {
            part.influences(vertex).iter().for_each(|influence| moves[influence.binding] = true);
        }
    }
    let mut bindings = Vec::new();
    let mut numbers = vec![0; mesh.bindings.len()];
    let mut known: HashMap<(JointIndex, [u32; 12]), usize> = HashMap::new();
    for (index, binding) in mesh.bindings.iter().enumerate().filter(|(index, _)| moves[*index]) {
        let stored = stored_binding(binding);
        let bits = stored.joint_from_mesh.to_cols_array().map(f32::to_bits);
        let number = *known.entry((stored.joint, bits)).or_insert_with(|| {
            bindings.push(stored);
            bindings.len() - 1
        });
        numbers[index] = number as u16;
    }
    if bindings.len() > MAX_SKIN_BINDINGS {
        return Err(BakeError::TooManyBindings { found: bindings.len() });
    }
    Ok((bindings, numbers))
}

/// Makes a binding for the file. Matrices become `f32` again without loss, because the source has `f32` matrices.
fn stored_binding(binding: &Binding) -> SkinBinding {
    let matrix = &binding.joint_from_mesh;
    let linear = Mat3::from_cols_array(&matrix.matrix3.to_cols_array().map(|number| number as f32));
    let joint_from_mesh = Affine3A::from_mat3_translation(linear, matrix.translation.as_vec3());
    SkinBinding { joint: binding.joint, joint_from_mesh }
}
