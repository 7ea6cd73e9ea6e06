//! Finds the plane of symmetry, and the joint on the other side of the body, by the places of joints in the rest pose, not by
//! their names.

use glam::{DAffine3, DMat3, DVec3};
use skeleton::{JointIndex, Skeleton};

/// Two joints are mirrored if one is this close to the mirror image of the other, as a share of the height.
pub(crate) const NEAR: f64 = 0.01;

/// The largest number of places at which the mirror plane is tried.
const MOST_PLANES: usize = 64;

/// The plane of symmetry of a character in the rest pose, and the joints on both sides of it.
pub(crate) struct Mirror {
    /// The axis of model space that is perpendicular to the plane: 0, 1 or 2.
    axis: usize,
    /// The coordinate of the plane on its axis.
    at: f64,
    /// For each joint of the skeleton, its mirrored joint; `None` for joints that were not asked for, have no mirrored joint, or
    /// lie on the plane.
    pub(crate) joints: Vec<Option<JointIndex>>,
}

impl Mirror {
    /// The unit normal of the plane, in model space.
    pub(crate) fn normal(&self) -> DVec3 {
        DVec3::AXES[self.axis]
    }

    /// The map of model space that mirrors each point in the plane.
    pub(crate) fn reflection(&self) -> DAffine3 {
        let normal = self.normal();
        DAffine3 { matrix3: DMat3::from_diagonal(DVec3::ONE - 2.0 * normal), translation: normal * (2.0 * self.at) }
    }
}

/// Finds the plane with the most mirrored joints among `joints`, perpendicular to the x, y or z axis of model space. Returns
/// `None` if no two joints are mirrored.
///
/// `model_from_joint` has an entry for each joint of the skeleton, and `height` is that of the character.
pub(crate) fn find_mirror(
    skeleton: &Skeleton,
    model_from_joint: &[DAffine3],
    height: f64,
    joints: &[JointIndex],
) -> Option<Mirror> {
    let near = NEAR * height;
    let places: Vec<DVec3> = joints.iter().map(|joint| model_from_joint[joint.index()].translation).collect();
    let depth = |mut joint: JointIndex| {
        let mut depth = 0_u32;
        while let Some(parent) = skeleton.joint(joint).parent {
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
    let mut best: (usize, Vec<[usize; 2]>) = (0, Vec::new());
    for axis in 0..3 {
        let mut centers: Vec<f64> = places.iter().map(|place| place[axis]).filter(|at| at.is_finite()).collect();
        centers.sort_by(f64::total_cmp);
        centers.dedup_by(|a, b| (*a - *b).abs() < 0.5 * near);
        let every = centers.len().div_ceil(MOST_PLANES).max(1);
        for &at in centers.iter().step_by(every) {
            let pairs = pairs_across(axis, at);
            if pairs.len() > best.1.len() {
                best = (axis, pairs);
            }
        }
    }
    let (axis, pairs) = best;
    // Joints in the middle are only near the plane. The plane lies half-way between the joints on both sides.
    let middles = pairs.iter().map(|&[a, b]| 0.5 * (places[a][axis] + places[b][axis]));
    let at = middles.sum::<f64>() / pairs.len() as f64;
    let mut mirrored = vec![None; skeleton.len()];
    for &[a, b] in &pairs {
        mirrored[joints[a].index()] = Some(joints[b]);
        mirrored[joints[b].index()] = Some(joints[a]);
    }
    (!pairs.is_empty()).then_some(Mirror { axis, at, joints: mirrored })
}
