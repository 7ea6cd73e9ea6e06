//! The farthest escape in one pose, by looking at every point of the surface.

use crate::measure::posed_boxes::PosedBoxes;
use crate::measure::surface_samples::SurfaceSamples;
use crate::skin::bound_mesh::BoundMesh;
use glam::{DAffine3, DVec3};
use skeleton::JointIndex;

/// Returns the distance of the point that is farthest from every box, in model units, and the joint that owns the
/// point. Returns `None` if boxes hold all of the surface.
pub(crate) fn farthest_in_pose(
    samples: &SurfaceSamples,
    mesh: &BoundMesh<'_>,
    boxes: &PosedBoxes,
    model_from_joint: &[DAffine3],
) -> Option<(f64, JointIndex)> {
    let vertices = mesh.posed(model_from_joint);
    let mut farthest: Option<(f64, JointIndex)> = None;
    for triangle in &samples.triangles {
        let corners = triangle.corners.map(|corner| vertices[triangle.part][corner as usize].unwrap_or(DVec3::ZERO));
        for (point, owner) in samples.points(triangle, corners) {
            if boxes.is_collapsed(owner) || boxes.holds(point, owner) {
                continue;
            }
            let known = farthest.map_or(0.0, |(distance, _)| distance);
            let distance = boxes.distance(point, owner, known);
            if distance > known {
                farthest = Some((distance, owner));
            }
        }
    }
    farthest
}
