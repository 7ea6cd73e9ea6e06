//! Bounds of the surface of a hitbox in any pose.

use geometry_core::portable;
use glam::{Mat3, Quat, Vec3};
use skeleton::JointIndex;

/// Bounds of the surface of one hitbox in any pose, from which the run time computes a box for each pose.
///
/// Each corner of the hitbox's piece of surface is moved by the hitbox's own joint and by *movers*. Corners that move alike
/// form a *cluster*. `docs/any-pose.md` says what the numbers mean and why no corner can leave the box that follows from them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Envelope {
    /// The largest rounding error of points that the hitbox's own joint moves, as a length in that joint's space; at
    /// least 0.
    pub slack: f32,
    /// The unit of the clusters' bounds, as a length in the joint's space; at least 0.
    pub place_step: f32,
    /// The unit of the motions' bounds, as a length in the joint's space; at least 0.
    pub rest_step: f32,
    /// The other joints that move the surface. Sorted by joint, with no joint twice and without the hitbox's own joint.
    pub movers: Vec<Mover>,
    /// The clusters. The list is empty if the surface does not move in the joint's space: then the baked hitbox holds the
    /// surface in any pose.
    pub clusters: Vec<Cluster>,
}

impl Envelope {
    /// Returns the number of bytes that the movers, clusters and motions take in a file.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let motions: usize = self.clusters.iter().map(|cluster| cluster.motions.len()).sum();
        Mover::BYTES * self.movers.len() + Cluster::BYTES * self.clusters.len() + Motion::BYTES * motions
    }

    /// Returns the least and the greatest coordinates of a cluster's corners in the bind pose, along the hitbox's axes from its center.
    #[must_use]
    pub fn places(&self, cluster: &Cluster) -> [Vec3; 2] {
        [cluster.low, cluster.high].map(|steps| Vec3::from_array(steps.map(|step| f32::from(step) * self.place_step)))
    }

    /// Returns the least and the greatest coordinates of the *remainders* of a cluster's corners for a mover, along the
    /// hitbox's axes. A corner's remainder is its weighted place minus the weight times its place (`e_k` in
    /// `docs/any-pose.md`). The remainder of a vertex is 0. Where a triangle is cut, the remainder of the new corner is
    /// usually not 0, because the weights at the triangle's corners differ.
    #[must_use]
    pub fn rest(&self, motion: &Motion) -> [Vec3; 2] {
        [motion.low, motion.high].map(|steps| Vec3::from_array(steps.map(|step| f32::from(step) * self.rest_step)))
    }
}

/// A joint that moves some of a hitbox's surface and is not the hitbox's own joint.
///
/// Let `p` be a point's coordinates along the hitbox's axes, from the hitbox's center. In the bind pose, this point is at
/// `orientation * (scale * p) + center` in the mover's joint space.
#[derive(Clone, Debug, PartialEq)]
pub struct Mover {
    /// The joint, an index into the skeleton's joints.
    pub joint: JointIndex,
    /// Turns the hitbox's axes into the mover's joint space. A unit quaternion.
    pub orientation: Quat,
    /// The length of a unit of the hitbox's joint space in the mover's joint space; below 0 if one of the two spaces is
    /// a mirror image of the other.
    pub scale: f32,
    /// The hitbox's center in the mover's joint space.
    pub center: Vec3,
    /// The largest rounding error of points that the mover moves, as a length in its joint space; at least 0.
    pub slack: f32,
}

impl Mover {
    /// The number of bytes that a mover takes in a file.
    pub const BYTES: usize = 40;

    /// Returns the linear part of the map from the hitbox's axes to the mover's joint space: the same bits on every machine.
    #[must_use]
    pub fn mover_from_box(&self) -> Mat3 {
        let axes = portable::mat3_from_quaternion(self.orientation);
        Mat3::from_cols_array(&axes.to_cols_array().map(|number| number * self.scale))
    }
}

/// Corners of a hitbox's surface that are bounded together.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The least coordinates of the corners, in units of [`Envelope::place_step`]; see [`Envelope::places`].
    pub low: [i16; 3],
    /// The greatest coordinates of the corners, in the same units as `low`.
    pub high: [i16; 3],
    /// The share of each mover in the motion of the corners, sorted by mover, with no mover twice.
    pub motions: Vec<Motion>,
}

impl Cluster {
    /// The number of bytes that a cluster takes in a file, without its motions.
    pub const BYTES: usize = 14;
}

/// The share of one mover in the motion of one cluster's corners.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The mover, an index into the envelope's movers.
    pub mover: u16,
    /// The least coordinates of the corners' remainders, in units of [`Envelope::rest_step`]; see [`Envelope::rest`].
    pub low: [i8; 3],
    /// The greatest coordinates of the corners' remainders, in the same units as `low`.
    pub high: [i8; 3],
    /// The least weight of the mover on any corner, in units of 1 / 65535.
    pub low_weight: u16,
    /// The greatest weight of the mover on any corner, in units of 1 / 65535.
    pub high_weight: u16,
}

impl Motion {
    /// The number of bytes that a motion takes in a file.
    pub const BYTES: usize = 12;

    /// Returns the least and the greatest weight, from 0 to 1.
    #[must_use]
    pub fn weights(&self) -> [f32; 2] {
        [self.low_weight, self.high_weight].map(|weight| f32::from(weight) / f32::from(u16::MAX))
    }
}
