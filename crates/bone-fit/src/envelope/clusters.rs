//! Clusters of corners: bounds of corners that move alike, and the search for the best cut of a cluster.

use crate::bounds::Bounds;
use crate::envelope::moved_corners::{MovedCorners, Share};
use crate::fit::enclose::round_up;
use baked_format::{Cluster, Motion};
use glam::{DAffine3, DMat3, DVec3};

/// Corners that an envelope bounds together, with their bounds.
#[derive(Clone)]
pub(crate) struct CornerCluster {
    corners: Vec<u32>,
    places: Bounds,
    motions: Vec<CornerMotion>,
    /// The bounds of the cluster's corners in each planning pose, along the box's axes.
    pub(crate) reach: Vec<Bounds>,
}

#[derive(Clone)]
struct CornerMotion {
    mover: usize,
    rest: Bounds,
    low_weight: f64,
    high_weight: f64,
    /// The number of corners that the mover moves.
    moved: usize,
}

impl CornerMotion {
    fn of_no_corner(mover: usize) -> Self {
        Self { mover, rest: Bounds::EMPTY, low_weight: f64::INFINITY, high_weight: 0.0, moved: 0 }
    }

    /// Returns the motion of the corners of two clusters.
    fn joined(&self, other: &Self) -> Self {
        Self {
            mover: self.mover,
            rest: self.rest.joined(&other.rest),
            low_weight: self.low_weight.min(other.low_weight),
            high_weight: self.high_weight.max(other.high_weight),
            moved: self.moved + other.moved,
        }
    }

    /// Returns the motion of these corners and of corners that the mover does not move: their weight and their rest are 0.
    fn with_still(&self) -> Self {
        let mut motion = self.clone();
        motion.rest.add(DVec3::ZERO);
        motion.low_weight = 0.0;
        motion
    }
}

/// The mover's motion relative to the box in one pose, along the box's axes.
pub(crate) struct MoverMotion {
    turned: DMat3,
    shifted: DVec3,
}

/// Returns the motions of all movers of a box in each planning pose. A pose in which a joint has collapsed has no
/// motions.
pub(crate) fn mover_motions(corners: &MovedCorners, own: usize, planning: &[Vec<DAffine3>]) -> Vec<Vec<MoverMotion>> {
    let of_pose = |pose: &Vec<DAffine3>| {
        let box_from_model = (pose[own] * corners.joint_from_box).inverse();
        let of_mover = |mover: &baked_format::Mover| {
            let relative = box_from_model * pose[mover.joint.index()];
            let turned = relative.matrix3 * mover.mover_from_box().as_dmat3() - DMat3::IDENTITY;
            let shifted = relative.transform_point3(mover.center.as_dvec3());
            MoverMotion { turned, shifted }
        };
        let motions: Vec<MoverMotion> = corners.movers.iter().map(of_mover).collect();
        let is_finite = motions.iter().all(|one| one.turned.is_finite() && one.shifted.is_finite());
        is_finite.then_some(motions)
    };
    planning.iter().filter_map(of_pose).collect()
}

/// Returns the bounds of all corners in each pose. No envelope can be smaller.
pub(crate) fn true_reach(corners: &MovedCorners, motions: &[Vec<MoverMotion>]) -> Vec<Bounds> {
    let of_pose = |motions: &Vec<MoverMotion>| {
        Bounds::around((0..corners.places.len()).map(|corner| {
            let moved = |share: &Share| {
                let motion = &motions[share.mover];
                motion.turned * (share.weight * corners.places[corner] + share.rest) + share.weight * motion.shifted
            };
            corners.shares(corner).iter().fold(corners.places[corner], |sum, share| sum + moved(share))
        }))
    };
    motions.iter().map(of_pose).collect()
}

impl CornerCluster {
    /// Makes the cluster of some corners.
    pub(crate) fn around(corners: &MovedCorners, members: Vec<u32>, motions: &[Vec<MoverMotion>]) -> Self {
        let mut cluster = Self { corners: members, places: Bounds::EMPTY, motions: Vec::new(), reach: Vec::new() };
        for &corner in &cluster.corners {
            cluster.places.add(corners.places[corner as usize]);
            for share in corners.shares(corner as usize) {
                let at = cluster.motions.partition_point(|motion| motion.mover < share.mover);
                if cluster.motions.get(at).is_none_or(|motion| motion.mover != share.mover) {
                    cluster.motions.insert(at, CornerMotion::of_no_corner(share.mover));
                }
                let motion = &mut cluster.motions[at];
                motion.rest.add(share.rest);
                motion.low_weight = motion.low_weight.min(share.weight);
                motion.high_weight = motion.high_weight.max(share.weight);
                motion.moved += 1;
            }
        }
        for motion in &mut cluster.motions {
            if motion.moved < cluster.corners.len() {
                *motion = motion.with_still();
            }
        }
        cluster.reach = motions.iter().map(|motions| cluster.reach_in(motions)).collect();
        cluster
    }

    /// Returns the cluster of the corners of two clusters, without the list of its corners, which only cuts need.
    pub(crate) fn joined(&self, other: &Self, motions: &[Vec<MoverMotion>]) -> Self {
        let mut movers: Vec<usize> = self.movers().chain(other.movers()).collect();
        movers.sort_unstable();
        movers.dedup();
        let motion = |mover: usize| match (self.motion(mover), other.motion(mover)) {
            (Some(one), Some(other)) => one.joined(other),
            (one, other) => one.or(other).map_or_else(|| CornerMotion::of_no_corner(mover), CornerMotion::with_still),
        };
        let mut joined = Self {
            corners: Vec::new(),
            places: self.places.joined(&other.places),
            motions: movers.into_iter().map(motion).collect(),
            reach: Vec::new(),
        };
        joined.reach = motions.iter().map(|motions| joined.reach_in(motions)).collect();
        joined
    }

    fn motion(&self, mover: usize) -> Option<&CornerMotion> {
        self.motions.iter().find(|motion| motion.mover == mover)
    }

    /// Returns the size of the cluster in the file, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        Cluster::BYTES + Motion::BYTES * self.motions.len()
    }

    fn reach_in(&self, motions: &[MoverMotion]) -> Bounds {
        let (center, half) = (self.places.center(), self.places.half_size());
        let (mut middle, mut linear, mut reach) = (center, DMat3::IDENTITY, DVec3::ZERO);
        for one in &self.motions {
            let MoverMotion { turned, shifted } = &motions[one.mover];
            let weight = 0.5 * (one.low_weight + one.high_weight);
            let spread = 0.5 * (one.high_weight - one.low_weight);
            let apart = one.rest.center() / weight.max(f64::MIN_POSITIVE);
            let moved = *turned * (center + apart) + *shifted;
            middle += weight * moved;
            reach += spread * moved.abs() + absolute(turned) * (one.rest.half_size() + spread * (half + apart.abs()));
            linear += weight * *turned;
        }
        reach += absolute(&linear) * half;
        Bounds { low: middle - reach, high: middle + reach }
    }

    /// Returns the best of all ways to cut the cluster in two at the middle of a coordinate or of a weight; `None` if
    /// all its corners are alike. `excess` returns by how much the bounds of two halves are too large.
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
                keys.push(Box::new(move |corner| share(corner).map_or(0.0, |share| share.rest[axis])));
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

    /// Returns the cluster for the file. Its places are moved out by `margin`, and all bounds are rounded outward to
    /// whole steps.
    pub(crate) fn to_cluster(&self, margin: DVec3, steps: &Steps) -> Cluster {
        let motion = |one: &CornerMotion| Motion {
            mover: one.mover as u16,
            low: one.rest.low.to_array().map(|value| steps.rest.down(value) as i8),
            high: one.rest.high.to_array().map(|value| steps.rest.up(value) as i8),
            low_weight: weight_down(one.low_weight),
            high_weight: u16::MAX - weight_down(1.0 - one.high_weight),
        };
        Cluster {
            low: (self.places.low - margin).to_array().map(|value| steps.places.down(value) as i16),
            high: (self.places.high + margin).to_array().map(|value| steps.places.up(value) as i16),
            motions: self.motions.iter().map(motion).collect(),
        }
    }

    /// The movers that move any of the corners, sorted.
    pub(crate) fn movers(&self) -> impl Iterator<Item = usize> {
        self.motions.iter().map(|motion| motion.mover)
    }

    /// The bounds of the corners' places, along the box's axes.
    pub(crate) fn places(&self) -> &Bounds {
        &self.places
    }
}

/// Returns the matrix of the absolute values.
pub(crate) fn absolute(matrix: &DMat3) -> DMat3 {
    DMat3::from_cols(matrix.x_axis.abs(), matrix.y_axis.abs(), matrix.z_axis.abs())
}

/// The steps to which bounds are rounded in the file.
pub(crate) struct Steps {
    pub(crate) places: Step,
    pub(crate) rest: Step,
}

impl Steps {
    /// Returns the steps for a box with these clusters, whose places are moved out by `margin`.
    pub(crate) fn new(clusters: &[CornerCluster], margin: DVec3) -> Self {
        let largest = |bounds: &Bounds| bounds.low.abs().max(bounds.high.abs()).max_element();
        let places = clusters.iter().map(|cluster| largest(&cluster.places)).fold(0.0, f64::max);
        let rests = clusters.iter().flat_map(|cluster| &cluster.motions);
        let rest = rests.map(|motion| largest(&motion.rest)).fold(0.0, f64::max);
        Self {
            places: Step::new(places + margin.max_element(), i16::MAX.into()),
            rest: Step::new(rest, i8::MAX.into()),
        }
    }
}

/// The length of one step, and the largest number of steps.
pub(crate) struct Step {
    pub(crate) length: f32,
    most: i32,
}

impl Step {
    fn new(greatest: f64, most: i32) -> Self {
        // One step is left for rounding.
        Self { length: round_up(greatest / f64::from(most - 1)), most }
    }

    /// Returns the largest number of steps that, as the file is decoded, is not above the value.
    fn down(&self, value: f64) -> i32 {
        -self.up(-value)
    }

    /// Returns the smallest number of steps that, as the file is decoded, is not below the value.
    fn up(&self, value: f64) -> i32 {
        if self.length == 0.0 {
            return 0;
        }
        let decoded = |steps: i32| f64::from(steps as f32 * self.length);
        let mut steps =
            (value / f64::from(self.length)).ceil().clamp(f64::from(-self.most), f64::from(self.most)) as i32;
        if decoded(steps) < value {
            steps += 1;
        }
        steps.min(self.most)
    }
}

/// Returns the largest weight of the file that is not above this weight. The file's weights are multiples of 1 / 65535.
fn weight_down(weight: f64) -> u16 {
    let decoded = |weight: u16| f64::from(f32::from(weight) / f32::from(u16::MAX));
    let near = (weight * f64::from(u16::MAX)).floor().clamp(0.0, f64::from(u16::MAX)) as u16;
    if decoded(near) > weight { near.saturating_sub(1) } else { near }
}
