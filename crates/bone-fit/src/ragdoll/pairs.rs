//! Pairs of bodies that never collide.

use super::bodies::{Body, Place};
use super::body_poses::BodyPoses;
use geometry_core::Obb;
use glam::{Affine3A, Mat3};

/// Pairs are looked at in this number of poses, evenly spread, and in the rest pose.
const POSES: usize = 240;

/// A pair that overlaps in more than this share of the poses never collides.
const OFTEN: f64 = 0.1;

/// Returns the pairs that never collide, sorted: a body and its parent, bodies whose shapes overlap in the rest pose, and
/// those that often overlap in the clips. Their limits let them overlap, so a collision would push them apart for ever.
pub(super) fn never_collide(bodies: &[Body], parents: &[Option<usize>], poses: &BodyPoses) -> Vec<[u16; 2]> {
    let every = poses.len().div_ceil(POSES).max(1);
    let chosen: Vec<&[Place]> = poses.poses().skip(1).step_by(every).collect();
    let rest = poses.pose(0);
    let mut pairs = Vec::new();
    for second in 0..bodies.len() {
        for first in 0..second {
            let overlap = |places: &&[Place]| touch(&bodies[first], &places[first], &bodies[second], &places[second]);
            let is_neighbor = parents[second] == Some(first) || parents[first] == Some(second);
            let apart = is_neighbor
                || overlap(&rest)
                || chosen.iter().filter(|places| overlap(places)).count() as f64 > OFTEN * chosen.len() as f64;
            if apart {
                pairs.push([first as u16, second as u16]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Returns `true` if the boxes around shapes of two bodies overlap.
pub(super) fn touch(first: &Body, first_place: &Place, second: &Body, second_place: &Place) -> bool {
    let (firsts, seconds) = (boxes(first, first_place), boxes(second, second_place));
    firsts.iter().any(|one| seconds.iter().any(|other| one.overlaps(other)))
}

/// The boxes around the shapes of a body, in model space.
fn boxes(body: &Body, place: &Place) -> Vec<Obb> {
    let linear = Mat3::from_quat(place.rotation.as_quat());
    let map = Affine3A::from_mat3_translation(linear, place.translation.as_vec3());
    body.shapes.iter().filter_map(|shape| Some(shape.bounding_box().ok()?.transformed(&map).ok()?.obb)).collect()
}
