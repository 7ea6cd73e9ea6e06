//! The distance of the stored surface from the exactly skinned surface, and what morph targets add to it.

use crate::skin::bound_mesh::affine_to_f64;
use crate::skin_pieces::divide::Cut;
use crate::skin_pieces::rounding::StoredSurface;
use crate::skin_pieces::welded::WeldedSurface;
use baked_format::SkinBinding;
use glam::{DAffine3, DVec3};
use std::collections::BTreeMap;

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
    let model_from_mesh = model_from_mesh(&welded.bindings, model_from_joint);
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

/// Returns for each morph target the largest distance, at the weight 1, between what it adds to the place of a vertex or a cut of
/// the stored surface and what it adds exactly, in one pose, in model units. By the triangle inequality, a point of the morphed
/// surface is no farther from its exact place than [`largest_error`], plus these distances times the sizes of the weights.
pub(crate) fn morph_errors(
    targets: usize,
    welded: &WeldedSurface,
    cuts: &[Cut],
    stored: &StoredSurface,
    model_from_joint: &[DAffine3],
) -> Vec<f64> {
    let mut largest = vec![0.0_f64; targets];
    if targets == 0 {
        return largest;
    }
    let model_from_mesh = model_from_mesh(&welded.bindings, model_from_joint);
    let turned = |binding: u16, offset: DVec3| model_from_mesh[usize::from(binding)].transform_vector3(offset);
    // For each vertex and target: the exact sum and the stored one.
    let mut of_vertices: Vec<BTreeMap<u16, [DVec3; 2]>> = Vec::with_capacity(welded.vertices.len());
    let mut add = |sums: &BTreeMap<u16, [DVec3; 2]>| {
        for (&target, [exact, rounded]) in sums {
            // `max` ignores NaN.
            let largest = &mut largest[usize::from(target)];
            *largest = largest.max((*exact - *rounded).length());
        }
    };
    for (vertex, stored) in welded.vertices.iter().zip(&stored.vertices) {
        let mut sums: BTreeMap<u16, [DVec3; 2]> = BTreeMap::new();
        for &(target, offset) in &vertex.offsets {
            let shares = vertex.influences.iter().map(|&(binding, share)| share * turned(binding, offset.as_dvec3()));
            sums.entry(target).or_default()[0] = shares.fold(DVec3::ZERO, |sum, part| sum + part);
        }
        for &(target, offset) in &stored.offsets {
            let weighted = stored.influences.iter();
            let shares = weighted.map(|&(binding, weight)| f64::from(weight) * turned(binding, offset.as_dvec3()));
            sums.entry(target).or_default()[1] = shares.fold(DVec3::ZERO, |sum, part| sum + part);
        }
        add(&sums);
        of_vertices.push(sums);
    }
    for (cut, weights) in cuts.iter().zip(&stored.cut_weights) {
        let [y, z] = weights.map(f64::from);
        let mut sums: BTreeMap<u16, [DVec3; 2]> = BTreeMap::new();
        for ((corner, exact_share), share) in cut.corners.into_iter().zip(cut.weights).zip([1.0 - y - z, y, z]) {
            for (&target, [exact, rounded]) in &of_vertices[corner as usize] {
                let sums = sums.entry(target).or_default();
                sums[0] += *exact * exact_share;
                sums[1] += *rounded * share;
            }
        }
        add(&sums);
    }
    largest.iter_mut().filter(|largest| !largest.is_finite()).for_each(|largest| *largest = 0.0);
    largest
}

fn model_from_mesh(bindings: &[SkinBinding], model_from_joint: &[DAffine3]) -> Vec<DAffine3> {
    let matrix =
        |binding: &SkinBinding| model_from_joint[binding.joint.index()] * affine_to_f64(&binding.joint_from_mesh);
    bindings.iter().map(matrix).collect()
}
