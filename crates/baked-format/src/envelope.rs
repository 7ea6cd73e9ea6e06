//! What bounds the surface of a hitbox in any pose.

use glam::{Mat3, Vec3};
use skeleton::JointIndex;

/// What bounds the surface of one hitbox in any pose, so that the run time can compute a box for each pose.
///
/// Each corner of the hitbox's piece of surface is moved by the hitbox's own joint and by *movers*. Corners that move alike
/// form a *cluster*. `docs/exact.md` says what the numbers mean and why no corner can leave the box that follows from them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Envelope {
    /// What rounding can do to points that the hitbox's own joint moves, as a length in that joint's space; at least 0.
    pub slack: f32,
    /// The other joints that move the surface. Sorted by joint, with no joint twice and without the hitbox's own.
    pub movers: Vec<Mover>,
    /// The clusters. None where the surface keeps its place in the joint's space, so that the baked hitbox holds it.
    pub clusters: Vec<Cluster>,
}

impl Envelope {
    /// How many bytes the movers, clusters and motions take in a file.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let motions: usize = self.clusters.iter().map(|cluster| cluster.motions.len()).sum();
        68 * self.movers.len() + 28 * self.clusters.len() + 36 * motions
    }
}

/// Another joint than a hitbox's own that moves some of the hitbox's surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Mover {
    /// The joint, an index into the skeleton's joints.
    pub joint: JointIndex,
    /// From the hitbox's axes to the mover's joint space, as the mesh was bound; without the translation.
    pub mover_from_box: Mat3,
    /// The pivot: a point about which the two joints turn against each other, in the mover's joint space.
    pub pivot: Vec3,
    /// The same point along the hitbox's axes, from the hitbox's center.
    pub pivot_in_box: Vec3,
    /// What rounding can do to points that the mover moves, as a length in its joint space; at least 0.
    pub slack: f32,
}

/// Corners of a hitbox's surface that are bounded together.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The least coordinates of the corners in the bind pose, along the hitbox's axes from its center.
    pub low: Vec3,
    /// The greatest coordinates.
    pub high: Vec3,
    /// What each mover does to the corners. Sorted by mover, with no mover twice.
    pub motions: Vec<Motion>,
}

/// How far one mover takes the corners of one cluster along.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The mover, an index into the envelope's movers.
    pub mover: u16,
    /// The least coordinates of weight times place: along the hitbox's axes, from the mover's pivot.
    pub low: Vec3,
    /// The greatest coordinates.
    pub high: Vec3,
    /// The least weight of the mover on any corner, 0 to 1.
    pub low_weight: f32,
    /// The greatest weight, 0 to 1 and a step for rounding.
    pub high_weight: f32,
}
