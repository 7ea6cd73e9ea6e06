//! Bounds of the surface of a hitbox in any pose.

use glam::{Mat3, Vec3};
use skeleton::JointIndex;

/// Bounds of the surface of one hitbox in any pose, from which the run time computes a box for each pose.
///
/// Each corner of the hitbox's piece of surface is moved by the hitbox's own joint and by *movers*. Corners that move alike
/// form a *cluster*. `docs/exact.md` says what the numbers mean and why no corner can leave the box that follows from them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Envelope {
    /// The largest rounding error of points that the hitbox's own joint moves, as a length in that joint's space; at
    /// least 0.
    pub slack: f32,
    /// The other joints that move the surface. Sorted by joint, with no joint twice and without the hitbox's own.
    pub movers: Vec<Mover>,
    /// The clusters. The list is empty if the surface does not move in the joint's space, so that the baked hitbox
    /// holds it in any pose.
    pub clusters: Vec<Cluster>,
}

impl Envelope {
    /// Returns the number of bytes that the movers, clusters and motions take in a file.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let motions: usize = self.clusters.iter().map(|cluster| cluster.motions.len()).sum();
        68 * self.movers.len() + 28 * self.clusters.len() + 36 * motions
    }
}

/// A joint that moves some of a hitbox's surface and is not the hitbox's own joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Mover {
    /// The joint, an index into the skeleton's joints.
    pub joint: JointIndex,
    /// The linear map from the hitbox's axes to the mover's joint space in the bind pose, without the translation.
    pub mover_from_box: Mat3,
    /// The pivot: a point about which the two joints turn against each other, in the mover's joint space.
    pub pivot: Vec3,
    /// The pivot in coordinates along the hitbox's axes, from the hitbox's center.
    pub pivot_in_box: Vec3,
    /// The largest rounding error of points that the mover moves, as a length in the mover's joint space; at least 0.
    pub slack: f32,
}

/// Corners of a hitbox's surface that are bounded together.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The least coordinates of the corners in the bind pose, along the hitbox's axes from its center.
    pub low: Vec3,
    /// The greatest coordinates of the corners in the bind pose, along the hitbox's axes from its center.
    pub high: Vec3,
    /// The bounds on the corners' motion by each mover. Sorted by mover, with no mover twice.
    pub motions: Vec<Motion>,
}

/// Bounds on the motion of one cluster's corners by one mover.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The mover, an index into the envelope's movers.
    pub mover: u16,
    /// The least coordinates of the product of weight and place, along the hitbox's axes, from the mover's pivot.
    pub low: Vec3,
    /// The greatest coordinates of the product of weight and place.
    pub high: Vec3,
    /// The least weight of the mover on any corner, 0 to 1.
    pub low_weight: f32,
    /// The greatest weight of the mover on any corner, 0 to 1, plus a step for rounding.
    pub high_weight: f32,
}
