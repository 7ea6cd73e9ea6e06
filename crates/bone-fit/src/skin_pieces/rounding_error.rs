//! The distance of the stored surface from the exactly skinned surface.

use crate::skin::bound_mesh::affine_to_f64;
use crate::skin_pieces::divide::Cut;
use crate::skin_pieces::rounding::StoredSurface;
use crate::skin_pieces::welded::WeldedSurface;
use glam::{DAffine3, DVec3};

/// Returns the largest distance of a vertex or a cut of the stored surface from its exact place in one pose, in model
/// units.
///
/// `model_from_joint` has an entry for every joint of the skeleton. Points that are not finite in this pose do not count.
pub(crate) fn largest_error(
    welded: &WeldedSurface,
    cuts: &[Cut],
    stored: &StoredSurface,
    model_from_joint: &[DAffine3],
) -> f64 {
    let model_from_mesh: Vec<DAffine3> = welded
        .bindings
        .iter()
        .map(|binding| model_from_joint[binding.joint.index()] * affine_to_f64(&binding.joint_from_mesh))
        .collect();
    let moved = |binding: u16, position: DVec3| model_from_mesh[usize::from(binding)].transform_point3(position);
    let mut exact = Vec::with_capacity(welded.vertices.len());
    let mut rounded = Vec::with_capacity(welded.vertices.len());
    let mut largest: f64 = 0.0;
    for (vertex, stored) in welded.vertices.iter().zip(&stored.vertices) {
        let position = vertex.position.as_dvec3();
        let at =
            vertex.influences.iter().fold(DVec3::ZERO, |sum, &(binding, share)| sum + share * moved(binding, position));
        let position = stored.position.as_dvec3();
        let weighted = stored.influences.iter().map(|&(binding, weight)| f64::from(weight) * moved(binding, position));
        let stored_at = weighted.fold(DVec3::ZERO, |sum, part| sum + part);
        // `max` ignores NaN.
        largest = largest.max((at - stored_at).length());
        exact.push(at);
        rounded.push(stored_at);
    }
    for (cut, weights) in cuts.iter().zip(&stored.cut_weights) {
        let [a, b, c] = cut.corners.map(|corner| corner as usize);
        let at = exact[a] * cut.weights[0] + exact[b] * cut.weights[1] + exact[c] * cut.weights[2];
        let [y, z] = weights.map(f64::from);
        let x = 1.0 - y - z;
        let stored_at = rounded[a] * x + rounded[b] * y + rounded[c] * z;
        largest = largest.max((at - stored_at).length());
    }
    if largest.is_finite() { largest } else { 0.0 }
}
