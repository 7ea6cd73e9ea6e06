//! Divides the surface of a character between its joints by the weights, and poses it exactly.
//!
//! Weights are interpolated over a triangle. So the part of the triangle where one joint has the largest weight is the
//! triangle clipped by one line for every other joint. This code was written independently of `bone-fit`, which does
//! the same for its boxes, and follows its documented rule: if joints have equal weights on a whole piece, the piece
//! belongs to the first of these joints. The joints with the first largest weights at the corners come before the other
//! joints. With a tolerance for ties, the piece belongs to the earliest joint whose weight is nowhere on the piece more
//! than the tolerance below the largest weight.

use crate::touching::{Tree, Triangle};
use glam::{Affine3A, DAffine3, DVec3};
use skeleton::JointIndex;
use skinned_model::{SkinnedMesh, SkinnedModel, skinning};
use std::collections::BTreeMap;

/// Weights that differ by less than this count as equal, because they were divided by their sums.
const ALIKE: f64 = 1e-12;

/// A part of a triangle that belongs to one joint.
struct Piece {
    joint: JointIndex,
    triangle: [u32; 3],
    /// A convex polygon in barycentric coordinates.
    polygon: Vec<[f64; 3]>,
}

/// The skinned surface of a model, without rigid attachments.
pub struct SharedSurface<'a> {
    model: &'a SkinnedModel,
    /// The pieces of each mesh.
    pieces: Vec<Vec<Piece>>,
}

/// The surface in a pose: the triangles of every joint that owns a part of the surface.
pub type Body = BTreeMap<JointIndex, Tree>;

impl<'a> SharedSurface<'a> {
    /// Divides the surface as boxes with this `tie_tolerance` do. Triangles with a corner without weights belong to no
    /// joint.
    #[must_use]
    pub fn new(model: &'a SkinnedModel, tie_tolerance: f64) -> Self {
        let of_mesh = |mesh| {
            let mut pieces = Vec::new();
            mesh_pieces(mesh, tie_tolerance, &mut pieces);
            pieces
        };
        Self { model, pieces: model.meshes.iter().map(of_mesh).collect() }
    }

    /// The triangles of each joint in world space, in the pose of `model_from_joint`.
    #[must_use]
    pub fn posed(&self, world_from_model: &DAffine3, model_from_joint: &[Affine3A]) -> Body {
        let mut triangles: BTreeMap<JointIndex, Vec<Triangle>> = BTreeMap::new();
        for (mesh, pieces) in self.model.meshes.iter().zip(&self.pieces) {
            let posed = skinning::skin_positions(mesh, model_from_joint);
            let in_world = |point: Option<DVec3>| world_from_model.transform_point3(point.unwrap_or_default());
            let posed: Vec<DVec3> = posed.into_iter().map(in_world).collect();
            for piece in pieces {
                let [a, b, c] = piece.triangle.map(|corner| posed[corner as usize]);
                let corners: Vec<DVec3> = piece.polygon.iter().map(|[u, v, w]| *u * a + *v * b + *w * c).collect();
                let fan = (1..corners.len() - 1).map(|next| [corners[0], corners[next], corners[next + 1]]);
                triangles.entry(piece.joint).or_default().extend(fan);
            }
        }
        triangles.into_iter().map(|(joint, triangles)| (joint, Tree::new(triangles))).collect()
    }

    /// Calls `visit` with the joint, the mesh and the triangle of every piece, and the corners of its polygon in barycentric
    /// coordinates of that triangle.
    pub fn visit_pieces(&self, mut visit: impl FnMut(JointIndex, usize, [u32; 3], &[[f64; 3]])) {
        for (mesh, pieces) in self.pieces.iter().enumerate() {
            for piece in pieces {
                visit(piece.joint, mesh, piece.triangle, &piece.polygon);
            }
        }
    }

    /// The share of each joint in the area of the mesh, in the bind pose.
    #[must_use]
    pub fn bind_areas(&self) -> BTreeMap<JointIndex, f64> {
        let mut areas = BTreeMap::new();
        for (mesh, pieces) in self.model.meshes.iter().zip(&self.pieces) {
            for piece in pieces {
                let [a, b, c] = piece.triangle.map(|corner| mesh.positions[corner as usize].as_dvec3());
                *areas.entry(piece.joint).or_default() += 0.5 * (b - a).cross(c - a).length() * share(&piece.polygon);
            }
        }
        areas
    }
}

fn mesh_pieces(mesh: &SkinnedMesh, tie_tolerance: f64, pieces: &mut Vec<Piece>) {
    for &triangle in &mesh.triangles {
        let mut triangle = triangle;
        let place = |corner: &u32| mesh.positions[*corner as usize].to_array().map(f64::from);
        triangle.sort_by(|a, b| place(a).partial_cmp(&place(b)).expect("finite").then(a.cmp(b)));
        let Some(joints) = joint_weights(mesh, triangle) else { continue };
        for (own, (joint, weights)) in joints.iter().enumerate() {
            let mut polygon = vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            for (other, (_, against)) in joints.iter().enumerate().filter(|(other, _)| *other != own) {
                let lead = [0, 1, 2].map(|corner| weights[corner] - against[corner]);
                if lead.iter().any(|lead| lead.abs() > ALIKE) {
                    polygon = clipped(&polygon, lead);
                } else if other < own {
                    polygon.clear();
                }
            }
            if share(&polygon) > 1e-14 {
                let at = |weights: &[f64; 3], point: &[f64; 3]| (0..3).map(|k| point[k] * weights[k]).sum::<f64>();
                let ties = |against: &[f64; 3]| {
                    polygon.iter().all(|point| at(weights, point) - at(against, point) <= tie_tolerance)
                };
                let tied = joints.iter().filter(|(_, against)| tie_tolerance > 0.0 && ties(against));
                let joint = tied.map(|(joint, _)| *joint).min().unwrap_or(*joint);
                pieces.push(Piece { joint, triangle, polygon });
            }
        }
    }
}

/// Every joint that moves a corner, with its weights at the corners. Joints that move a corner most come first. `None`
/// if no joint moves a corner.
fn joint_weights(mesh: &SkinnedMesh, triangle: [u32; 3]) -> Option<Vec<(JointIndex, [f64; 3])>> {
    let mut first = Vec::new();
    let mut others = BTreeMap::new();
    for (corner, vertex) in triangle.into_iter().enumerate() {
        let (slots, weights) = mesh.influences.of(vertex as usize);
        let sum: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
        let mut largest: Option<(f32, JointIndex)> = None;
        for (slot, weight) in slots.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            let joint = mesh.joints[usize::from(*slot)];
            others.entry(joint).or_insert([0.0; 3])[corner] += f64::from(*weight) / sum;
            if largest.is_none_or(|(most, _)| *weight > most) {
                largest = Some((*weight, joint));
            }
        }
        let (_, joint) = largest?;
        if !first.contains(&joint) {
            first.push(joint);
        }
    }
    let leaders: Vec<_> = first.into_iter().filter_map(|joint| others.remove_entry(&joint)).collect();
    Some(leaders.into_iter().chain(others).collect())
}

/// The part of a convex polygon where a function is not negative. The function is linear on the triangle and given at
/// its corners.
fn clipped(polygon: &[[f64; 3]], function: [f64; 3]) -> Vec<[f64; 3]> {
    let at = |point: &[f64; 3]| (0..3).map(|corner| point[corner] * function[corner]).sum::<f64>();
    let mut kept = Vec::new();
    for (index, point) in polygon.iter().enumerate() {
        let next = &polygon[(index + 1) % polygon.len()];
        let (here, there) = (at(point), at(next));
        if here >= 0.0 {
            kept.push(*point);
        }
        if here * there < 0.0 {
            let along = here / (here - there);
            kept.push([0, 1, 2].map(|corner| point[corner] + along * (next[corner] - point[corner])));
        }
    }
    kept
}

/// The polygon's area as a share of its triangle's area, from 0 to 1.
fn share(polygon: &[[f64; 3]]) -> f64 {
    let doubled = (2..polygon.len()).map(|index| {
        let [o, a, b] = [polygon[0], polygon[index - 1], polygon[index]];
        (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
    });
    doubled.sum::<f64>().abs()
}
