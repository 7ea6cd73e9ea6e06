//! Finds the joint on the other side of the body by the places of joints in the rest pose, not by their names.

use crate::skin::bound_mesh::BoundMesh;
use glam::DVec3;
use skeleton::JointIndex;

/// Two joints are mirrored if one is this close to the mirror image of the other, as a share of the height.
const NEAR: f64 = 0.01;

/// The largest number of places at which the mirror plane is tried.
const MOST_PLANES: usize = 64;

/// Returns for each joint of the skeleton its mirrored joint; `None` for joints that are not in `joints`, have no mirrored
/// joint, or lie on the mirror plane.
///
/// The mirror plane is perpendicular to the x, y or z axis of model space: the plane with the most mirrored joints.
pub(crate) fn mirrored_joints(mesh: &BoundMesh<'_>, joints: &[JointIndex]) -> Vec<Option<JointIndex>> {
    let near = NEAR * mesh.height;
    let places: Vec<DVec3> = joints.iter().map(|joint| mesh.model_from_joint[joint.index()].translation).collect();
    let depth = |mut joint: JointIndex| {
        let mut depth = 0_u32;
        while let Some(parent) = mesh.skeleton.joint(joint).parent {
            (joint, depth) = (parent, depth + 1);
        }
        depth
    };
    let depths: Vec<u32> = joints.iter().map(|&joint| depth(joint)).collect();
    let pairs_across = |axis: usize, at: f64| {
        let mut taken = vec![false; joints.len()];
        let mut pairs = Vec::new();
        for (own, place) in places.iter().enumerate() {
            if taken[own] || place[axis] - at < 0.5 * near {
                continue;
            }
            let mut image = *place;
            image[axis] = 2.0 * at - place[axis];
            let fits =
                |&other: &usize| !taken[other] && depths[other] == depths[own] && places[other].distance(image) < near;
            // Several joints at one place, such as twist joints, are paired in their order.
            let Some(other) = (0..joints.len()).filter(|&other| other != own).find(fits) else { continue };
            (taken[own], taken[other]) = (true, true);
            pairs.push([own, other]);
        }
        pairs
    };
    let mut best = Vec::new();
    for axis in 0..3 {
        let mut centers: Vec<f64> = places.iter().map(|place| place[axis]).filter(|at| at.is_finite()).collect();
        centers.sort_by(f64::total_cmp);
        centers.dedup_by(|a, b| (*a - *b).abs() < 0.5 * near);
        let every = centers.len().div_ceil(MOST_PLANES).max(1);
        for &at in centers.iter().step_by(every) {
            let pairs = pairs_across(axis, at);
            if pairs.len() > best.len() {
                best = pairs;
            }
        }
    }
    let mut mirrored = vec![None; mesh.skeleton.len()];
    for [a, b] in best {
        mirrored[joints[a].index()] = Some(joints[b]);
        mirrored[joints[b].index()] = Some(joints[a]);
    }
    mirrored
}
