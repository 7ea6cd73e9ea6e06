//! Clusters of corners: bounds of what moves alike, and how to cut one in two.

use crate::bounds::Bounds;
use crate::envelope::moved_corners::{MovedCorners, Share};
use crate::fit::enclose::round_up;
use baked_format::{Cluster, Motion};
use glam::{DAffine3, DMat3, DVec3, Vec3};

/// Corners that are bounded together, with their bounds.
#[derive(Clone)]
pub(crate) struct CornerCluster {
    corners: Vec<u32>,
    places: Bounds,
    motions: Vec<CornerMotion>,
    /// How far the bounds reach in each planning pose.
    pub(crate) reach: Vec<Bounds>,
}

#[derive(Clone)]
struct CornerMotion {
    mover: usize,
    v: Bounds,
    low_weight: f64,
    high_weight: f64,
    /// How many of the corners the mover moves.
    moved: usize,
}

/// The movers' motion against the box in one pose, along the box's axes.
pub(crate) struct MoverMotion {
    turned: DMat3,
    shifted: DVec3,
}

/// What all movers of a box do in each planning pose; nothing in poses in which a joint has collapsed.
pub(crate) fn mover_motions(corners: &MovedCorners, own: usize, planning: &[Vec<DAffine3>]) -> Vec<Vec<MoverMotion>> {
    let of_pose = |pose: &Vec<DAffine3>| {
        let box_from_model = (pose[own] * corners.joint_from_box).inverse();
        let of_mover = |mover: &baked_format::Mover| {
            let relative = box_from_model * pose[mover.joint.index()];
            let turned = relative.matrix3 * mover.mover_from_box.as_dmat3() - DMat3::IDENTITY;
            let shifted = relative.transform_point3(mover.pivot.as_dvec3()) - mover.pivot_in_box.as_dvec3();
            MoverMotion { turned, shifted }
        };
        let motions: Vec<MoverMotion> = corners.movers.iter().map(of_mover).collect();
        let is_finite = motions.iter().all(|one| one.turned.is_finite() && one.shifted.is_finite());
        is_finite.then_some(motions)
    };
    planning.iter().filter_map(of_pose).collect()
}

/// Bounds of all corners in each pose: what no envelope can be smaller than.
pub(crate) fn true_reach(corners: &MovedCorners, motions: &[Vec<MoverMotion>]) -> Vec<Bounds> {
    let of_pose = |motions: &Vec<MoverMotion>| {
        Bounds::around((0..corners.places.len()).map(|corner| {
            let moved = |share: &Share| {
                let motion = &motions[share.mover];
                motion.turned * share.v + share.weight * motion.shifted
            };
            corners.shares(corner).iter().fold(corners.places[corner], |sum, share| sum + moved(share))
        }))
    };
    motions.iter().map(of_pose).collect()
}

impl CornerCluster {
    /// One cluster for each set of movers, in the order of their first corners.
    pub(crate) fn by_movers(corners: &MovedCorners, motions: &[Vec<MoverMotion>]) -> Vec<Self> {
        let mut sets: Vec<(Vec<usize>, Vec<u32>)> = Vec::new();
        for corner in 0..corners.places.len() {
            let movers: Vec<usize> = corners.shares(corner).iter().map(|share| share.mover).collect();
            match sets.iter_mut().find(|(known, _)| *known == movers) {
                Some((_, members)) => members.push(corner as u32),
                None => sets.push((movers, vec![corner as u32])),
            }
        }
        sets.into_iter().map(|(_, members)| Self::around(corners, members, motions)).collect()
    }

    /// The bounds of some corners.
    pub(crate) fn around(corners: &MovedCorners, members: Vec<u32>, motions: &[Vec<MoverMotion>]) -> Self {
        let mut cluster = Self { corners: members, places: Bounds::EMPTY, motions: Vec::new(), reach: Vec::new() };
        for &corner in &cluster.corners {
            cluster.places.add(corners.places[corner as usize]);
            for share in corners.shares(corner as usize) {
                let at = cluster.motions.partition_point(|motion| motion.mover < share.mover);
                if cluster.motions.get(at).is_none_or(|motion| motion.mover != share.mover) {
                    let (v, mover) = (Bounds::EMPTY, share.mover);
                    let none = CornerMotion { mover, v, low_weight: f64::INFINITY, high_weight: 0.0, moved: 0 };
                    cluster.motions.insert(at, none);
                }
                let motion = &mut cluster.motions[at];
                motion.v.add(share.v);
                motion.low_weight = motion.low_weight.min(share.weight);
                motion.high_weight = motion.high_weight.max(share.weight);
                motion.moved += 1;
            }
        }
        for motion in &mut cluster.motions {
            // Corners that the mover does not move stay: they have the weight 0.
            if motion.moved < cluster.corners.len() {
                motion.v.add(DVec3::ZERO);
                motion.low_weight = 0.0;
            }
        }
        cluster.reach = motions.iter().map(|motions| cluster.reach_in(motions)).collect();
        cluster
    }

    /// What the cluster takes in the file.
    pub(crate) fn bytes(&self) -> usize {
        28 + 36 * self.motions.len()
    }

    fn reach_in(&self, motions: &[MoverMotion]) -> Bounds {
        let (mut low, mut high) = (self.places.low, self.places.high);
        for one in &self.motions {
            let MoverMotion { turned, shifted } = &motions[one.mover];
            let middle = *turned * one.v.center();
            let size = DMat3::from_cols(turned.x_axis.abs(), turned.y_axis.abs(), turned.z_axis.abs());
            let size = size * one.v.half_size();
            let (a, b) = (one.low_weight * *shifted, one.high_weight * *shifted);
            low += middle - size + a.min(b);
            high += middle + size + a.max(b);
        }
        Bounds { low, high }
    }

    /// The best of all ways to cut the cluster in two at the middle of a coordinate or of a weight; `None` where all its
    /// corners are alike. `excess` says how bad a reach is.
    pub(crate) fn cut(
        &self,
        corners: &MovedCorners,
        motions: &[Vec<MoverMotion>],
        excess: impl Fn(&[Bounds], &[Bounds]) -> f64,
    ) -> Option<[Self; 2]> {
        let mut best: Option<(f64, [Self; 2])> = None;
        let mut keys: Vec<Box<dyn Fn(u32) -> f64 + '_>> = Vec::new();
        for axis in 0..3 {
            keys.push(Box::new(move |corner: u32| corners.places[corner as usize][axis]));
        }
        for motion in &self.motions {
            let mover = motion.mover;
            let share = move |corner: u32| corners.shares(corner as usize).iter().find(|share| share.mover == mover);
            for axis in 0..3 {
                keys.push(Box::new(move |corner| share(corner).map_or(0.0, |share| share.v[axis])));
            }
            keys.push(Box::new(move |corner| share(corner).map_or(0.0, |share| share.weight)));
            keys.push(Box::new(move |corner| f64::from(u8::from(share(corner).is_some()))));
        }
        for key in &keys {
            let along = self.corners.iter().map(|&corner| key(corner));
            let (low, high) =
                along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
            let middle = 0.5 * (low + high);
            let (left, right): (Vec<u32>, Vec<u32>) = self.corners.iter().partition(|&&corner| key(corner) < middle);
            if left.is_empty() || right.is_empty() {
                continue;
            }
            let halves = [left, right].map(|members| Self::around(corners, members, motions));
            let cost = excess(&halves[0].reach, &halves[1].reach);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, halves));
            }
        }
        best.map(|(_, halves)| halves)
    }

    /// The cluster for the file, its bounds rounded outward and its places moved out by `margin`.
    pub(crate) fn to_cluster(&self, margin: DVec3) -> Cluster {
        let motion = |one: &CornerMotion| Motion {
            mover: one.mover as u16,
            low: rounded_down(one.v.low),
            high: rounded_up(one.v.high),
            low_weight: -round_up(-one.low_weight) + 0.0,
            high_weight: round_up(one.high_weight),
        };
        Cluster {
            low: rounded_down(self.places.low - margin),
            high: rounded_up(self.places.high + margin),
            motions: self.motions.iter().map(motion).collect(),
        }
    }

    /// The bounds of the corners' places.
    pub(crate) fn places(&self) -> &Bounds {
        &self.places
    }
}

/// Adding 0 turns -0 into 0, so that equal envelopes have equal bytes.
fn rounded_up(v: DVec3) -> Vec3 {
    Vec3::from_array(v.to_array().map(round_up)) + Vec3::ZERO
}

fn rounded_down(v: DVec3) -> Vec3 {
    -rounded_up(-v) + Vec3::ZERO
}
