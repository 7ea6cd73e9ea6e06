//! The paths of corners in their joint's space while the character moves.
//!
//! Corners are posed exactly, with all interpolated weights, and then mapped into the joint's space by the inverse of
//! the joint's matrix. A corner that only its own joint moves does not move in the joint's space and is not looked at
//! again.
//!
//! Memory is bounded by the corners and the joints that move them, not by the number of sample times.

use crate::bounds::Bounds;
use crate::motion::quantile::Histogram;
use crate::motion::support_points::SupportPoints;
use crate::poses::sampled::SampledPoses;
use crate::skin::bound_mesh::{BoundMesh, affine_to_f64};
use crate::skin::patch::Patch;
use glam::{DAffine3, DMat3, DVec3};
use skeleton::JointIndex;

/// The number of sample times whose matrices are kept at the same time. With half a dozen joints the matrices fit a
/// core's cache.
const RUN: usize = 256;

/// The largest number of places of one patch that are kept: 8 MiB.
const MOST_KEPT: usize = 1 << 18;

/// A patch in motion.
pub(crate) struct Trajectories<'a> {
    mesh: &'a BoundMesh<'a>,
    poses: &'a SampledPoses,
    joint: JointIndex,
    /// The bindings of the corners that move, without repeats, sorted.
    bindings: Vec<u32>,
    /// The corners that move, each with the index of its first term.
    corners: Vec<(u32, usize)>,
    /// For each of `corners`, its share of the area of the polygons around it, as bound.
    areas: Vec<f64>,
    /// The terms of the corners: an index into `bindings`, the weighted point, and the weight.
    terms: Vec<(u32, DVec3, f64)>,
}

impl<'a> Trajectories<'a> {
    pub(crate) fn new(mesh: &'a BoundMesh<'a>, poses: &'a SampledPoses, joint: JointIndex, patch: &Patch) -> Self {
        let moving: Vec<usize> =
            (0..patch.corners.len()).filter(|&corner| !patch.is_rigid(corner, joint, &mesh.bindings)).collect();
        let all_terms = || moving.iter().flat_map(|&corner| patch.terms(corner));
        let mut bindings: Vec<u32> = all_terms().map(|term| term.binding).collect();
        bindings.sort_unstable();
        bindings.dedup();
        let local = |binding: u32| bindings.partition_point(|&known| known < binding) as u32;
        let terms = all_terms().map(|term| (local(term.binding), term.point, term.weight)).collect();
        let of_all = patch.corner_areas();
        let areas = moving.iter().map(|&corner| of_all[corner]).collect();
        let mut first = 0;
        let corners = moving
            .iter()
            .map(|&corner| {
                let starts = first;
                first += patch.terms(corner).len();
                (corner as u32, starts)
            })
            .collect();
        Self { mesh, poses, joint, bindings, corners, areas, terms }
    }

    /// Returns the number of corners that move.
    pub(crate) fn corners(&self) -> usize {
        self.corners.len()
    }

    /// Calls `visit(moving corner, its places in joint space, the seconds that each place stands for)` for the corners
    /// for which `wanted` returns `true`, at every sample time at which the joint has not collapsed. The calls go
    /// through the times in runs; within a run they go through the corners.
    pub(crate) fn visit(&self, wanted: impl Fn(usize) -> bool, mut visit: impl FnMut(usize, &[DVec3], &[f64])) {
        let wanted: Vec<usize> = (0..self.corners.len()).filter(|&corner| wanted(corner)).collect();
        if wanted.is_empty() {
            return;
        }
        let mut matrices: Vec<DAffine3> = Vec::with_capacity(RUN * self.bindings.len());
        let mut places: Vec<DVec3> = Vec::with_capacity(RUN);
        let mut seconds: Vec<f64> = Vec::with_capacity(RUN);
        for start in (0..self.poses.len()).step_by(RUN) {
            matrices.clear();
            seconds.clear();
            for pose in start..(start + RUN).min(self.poses.len()) {
                if self.push_matrices(pose, &mut matrices) {
                    seconds.push(self.poses.seconds[pose]);
                }
            }
            for &corner in &wanted {
                let end = self.corners.get(corner + 1).map_or(self.terms.len(), |(_, starts)| *starts);
                let terms = &self.terms[self.corners[corner].1..end];
                places.clear();
                places.extend(matrices.chunks_exact(self.bindings.len()).map(|joint_from_mesh| {
                    terms.iter().fold(DVec3::ZERO, |at, &(binding, point, weight)| {
                        let matrix = &joint_from_mesh[binding as usize];
                        at + (matrix.matrix3 * point + weight * matrix.translation)
                    })
                }));
                visit(corner, &places, &seconds);
            }
        }
    }

    /// Calls `visit` with the places of each corner whose bounds are not certainly inside, one run of sample times at a time.
    pub(crate) fn visit_beyond(
        &self,
        survey: &Survey,
        surely_inside: impl Fn(&Bounds) -> bool,
        mut visit: impl FnMut(&[DVec3]),
    ) {
        self.visit(|corner| !surely_inside(&survey.bounds[corner]), |_, places, _| visit(places));
    }

    /// Returns every place at every sample time. The places are sorted by runs of times, and within a run by corner.
    pub(crate) fn places(&self) -> Vec<DVec3> {
        let mut all = Vec::new();
        self.visit(|_| true, |_, places, _| all.extend_from_slice(places));
        all
    }

    /// Appends the maps from each binding's mesh to this joint's space. Appends nothing and returns `false` if the
    /// joint has collapsed.
    fn push_matrices(&self, pose: usize, matrices: &mut Vec<DAffine3>) -> bool {
        let pose = self.poses.pose(pose);
        let model_from_joint = affine_to_f64(&pose[self.joint.index()]);
        let Some(joint_from_model) = self.mesh.joint_from_model(self.joint, &model_from_joint) else { return false };
        for &binding in &self.bindings {
            let binding = &self.mesh.bindings[binding as usize];
            matrices.push(if binding.joint == self.joint {
                binding.joint_from_mesh
            } else {
                joint_from_model * affine_to_f64(&pose[binding.joint.index()]) * binding.joint_from_mesh
            });
        }
        true
    }

    /// Looks at every place once. Looks for the extremes only if `with_extremes` is `true`.
    pub(crate) fn survey(&self, with_extremes: bool) -> Survey {
        let mut survey = Survey { bounds: vec![Bounds::EMPTY; self.corners()], extremes: Vec::new() };
        let mut extremes = SupportPoints::new();
        self.visit(
            |_| true,
            |corner, places, _| {
                let mut stretch = Bounds::EMPTY;
                places.iter().for_each(|&at| stretch.add(at));
                survey.bounds[corner].add(stretch.low);
                survey.bounds[corner].add(stretch.high);
                if with_extremes && extremes.may_grow_by(&stretch) {
                    places.iter().for_each(|&at| extremes.add(at));
                }
            },
        );
        survey.extremes = extremes.points();
        survey
    }

    /// Returns the extent of all places and of the standing points along some axes; empty if no place is outside of the
    /// standing points' extent.
    pub(crate) fn extent(&self, axes: &DMat3, survey: &Survey, standing: &Bounds) -> Bounds {
        let rows = axes.transpose();
        let mut extent = *standing;
        survey.extremes.iter().for_each(|&at| extent.add(rows * at));
        let known = extent;
        self.visit(
            |corner| !known.surely_holds(&rows, &survey.bounds[corner]),
            |_, places, _| places.iter().for_each(|&at| extent.add(rows * at)),
        );
        if extent == *standing { Bounds::EMPTY } else { extent }
    }

    /// Returns the extent, along some axes, of the standing points and of the central share `keep` of the moving
    /// surface over the sample times; empty if that is no more than the extent of the standing points.
    ///
    /// At most `(1 - keep) / 2` of all places lie beyond each face. Each corner counts with its share of the area and
    /// each sample time with the seconds that it stands for, so that the result does not depend on the tessellation or
    /// on the density of sample times. A face is too far out by at most a [`BINS`](crate::motion::quantile::BINS)th of
    /// the way from `standing` to the farthest place.
    pub(crate) fn central_extent(&self, axes: &DMat3, keep: f64, standing: &Bounds) -> Bounds {
        self.central_extent_within(axes, keep, standing, MOST_KEPT)
    }

    /// Returns [`Trajectories::central_extent`]. Computes the places once if at most `most_kept` places are outside of
    /// `standing`, otherwise twice.
    fn central_extent_within(&self, axes: &DMat3, keep: f64, standing: &Bounds, most_kept: usize) -> Bounds {
        let rows = axes.transpose();
        let is_outside = |along: DVec3| !(along.cmple(standing.high).all() && along.cmpge(standing.low).all());
        let (mut full, mut all_seconds) = (*standing, 0.0);
        // The places outside, each with its amount, in the order of the visits.
        let mut outside: Vec<(DVec3, f64)> = Vec::new();
        let mut are_all_kept = true;
        self.visit(
            |_| true,
            |corner, places, seconds| {
                all_seconds += if corner == 0 { seconds.iter().sum() } else { 0.0 };
                for (&at, seconds) in places.iter().zip(seconds) {
                    let along = rows * at;
                    if is_outside(along) {
                        full.add(along);
                        are_all_kept &= outside.len() < most_kept;
                        if are_all_kept {
                            outside.push((along, self.areas[corner] * seconds));
                        }
                    }
                }
            },
        );
        if full == *standing {
            return Bounds::EMPTY;
        }
        let mut above = Histogram::new(full.high - standing.high);
        let mut below = Histogram::new(standing.low - full.low);
        let mut add = |along: DVec3, amount: f64| {
            above.add(along - standing.high, amount);
            below.add(standing.low - along, amount);
        };
        if are_all_kept {
            outside.into_iter().for_each(|(along, amount)| add(along, amount));
        } else {
            self.visit(
                |_| true,
                |corner, places, seconds| {
                    for (&at, seconds) in places.iter().zip(seconds) {
                        let along = rows * at;
                        if is_outside(along) {
                            add(along, self.areas[corner] * seconds);
                        }
                    }
                },
            );
        }
        let left_out = (1.0 - keep) * 0.5 * self.areas.iter().sum::<f64>() * all_seconds;
        let central = Bounds { low: standing.low - below.reach(left_out), high: standing.high + above.reach(left_out) };
        if central == *standing { Bounds::EMPTY } else { central }
    }
}

/// The result of a look at every place of the moving corners.
pub(crate) struct Survey {
    /// The bounds of each moving corner's places, along the joint's axes.
    bounds: Vec<Bounds>,
    /// The farthest places along many directions, for the choice of an orientation; empty if not asked for.
    pub(crate) extremes: Vec<DVec3>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assign::groups::Groups;
    use crate::motion::quantile::BINS;
    use crate::options::{Attachments, BakeOptions};
    use crate::poses::sample_times::{ClipTime, SampleTimes};
    use skeleton::Interpolation;

    /// A lower arm that holds each of ten poses for a tenth of a second, seen from the upper arm. The share of time in
    /// each pose does not depend on the number of sample times, so the kept extent does not either.
    #[test]
    fn more_sample_times_in_a_stretch_do_not_move_what_is_kept() {
        let mut model =
            skinned_model::import(&test_models::box_limb().to_glb(), &skinned_model::NoExternalFiles).unwrap();
        let clip = &mut model.clips[0];
        clip.timelines[0] = (0..10u16).map(|key| f32::from(key) * 0.1).collect();
        clip.channels[0].interpolation = Interpolation::Step;
        let turn = |key: u16| glam::Quat::from_rotation_z((f32::from(key) * 0.618).fract() * 1.5).to_array();
        clip.channels[0].values = (0..10).flat_map(turn).collect();
        clip.validate(&model.skeleton).unwrap();
        let mesh = BoundMesh::new(&model, Attachments::Include);
        let patch = Groups::of_character(&mesh, &BakeOptions::default()).groups[1].patch.clone();
        // Sample times are eight times as dense in the first four tenths of a second.
        let clip_time = |eighth: u16| ClipTime { time: f32::from(eighth) / 800.0, regular: eighth.is_multiple_of(8) };
        let central = |denser: bool, weighted: bool| {
            let times = (0..=800).map(clip_time).filter(|one| one.regular || (denser && one.time < 0.4)).collect();
            let schedule = SampleTimes { by_clip: vec![times], step: 0.01, thinned_from: None };
            let mut poses = SampledPoses::at(&model.skeleton, &model.clips, &schedule);
            if !weighted {
                poses.seconds.fill(1.0);
            }
            let motion = Trajectories::new(&mesh, &poses, JointIndex(0), &patch);
            let survey = motion.survey(false);
            let mut standing = Bounds::EMPTY;
            Trajectories::new(&mesh, &SampledPoses::rest(&model.skeleton), JointIndex(0), &patch)
                .places()
                .into_iter()
                .for_each(|at| standing.add(at));
            let full = motion.extent(&DMat3::IDENTITY, &survey, &standing);
            let kept = motion.central_extent(&DMat3::IDENTITY, 0.73, &standing);
            assert!(kept.high.y < 0.95 * full.high.y && kept.high.y > 1.05 * standing.high.y, "{kept:?} of {full:?}");
            (kept, (full.high - standing.high).max(standing.low - full.low).max_element() / BINS as f64)
        };
        // One pose is 2.5 % of corners and time together. 13.5 % lies well between two multiples of 2.5 %.
        let apart = |a: Bounds, b: Bounds| (a.low - b.low).abs().max((a.high - b.high).abs()).max_element();
        let ((regular, bin), (denser, _)) = (central(false, true), central(true, true));
        assert!(apart(regular, denser) <= bin, "{regular:?}, {denser:?}");
        let miscounted = apart(regular, central(true, false).0);
        assert!(miscounted > 10.0 * bin, "each time for one, it would move: by {}", miscounted / bin);
    }

    /// Computes the extent from all places at once, and compares it with the extent of a patch whose places are kept or
    /// computed twice.
    #[test]
    fn the_central_extent_is_that_of_all_places() {
        let model = skinned_model::import(&test_models::soft_limb().to_glb(), &skinned_model::NoExternalFiles).unwrap();
        let mesh = BoundMesh::new(&model, Attachments::Include);
        let poses = SampledPoses::of_clips(&model.skeleton, &model.clips, 60.0, 1000);
        let mut outside = 0;
        for group in Groups::of_character(&mesh, &BakeOptions::default()).groups {
            let motion = Trajectories::new(&mesh, &poses, group.joint, &group.patch);
            for index in 0..8u16 {
                let axes = DMat3::from_rotation_y(f64::from(index)) * DMat3::from_rotation_x(0.4 * f64::from(index));
                let rows = axes.transpose();
                let bind: Vec<DVec3> = group.patch.bind_points();
                let standing = Bounds::around(bind.iter().map(|&at| rows * at));
                let (mut full, mut all_seconds) = (standing, 0.0);
                motion.visit(
                    |_| true,
                    |corner, places, seconds| {
                        places.iter().for_each(|&at| full.add(rows * at));
                        all_seconds += if corner == 0 { seconds.iter().sum() } else { 0.0 };
                    },
                );
                let survey = motion.survey(false);
                let extent = motion.extent(&axes, &survey, &standing);
                assert_eq!(extent, if full == standing { Bounds::EMPTY } else { full });
                let mut above = Histogram::new(full.high - standing.high);
                let mut below = Histogram::new(standing.low - full.low);
                motion.visit(
                    |_| true,
                    |corner, places, seconds| {
                        for (&at, seconds) in places.iter().zip(seconds) {
                            above.add(rows * at - standing.high, motion.areas[corner] * seconds);
                            below.add(standing.low - rows * at, motion.areas[corner] * seconds);
                        }
                    },
                );
                let left_out = 0.05 * motion.areas.iter().sum::<f64>() * all_seconds;
                let (low, high) = (standing.low - below.reach(left_out), standing.high + above.reach(left_out));
                let central = Bounds { low, high };
                let expected = if central == standing { Bounds::EMPTY } else { central };
                outside += usize::from(!expected.is_empty());
                for most_kept in [0, 10, usize::MAX] {
                    assert_eq!(motion.central_extent_within(&axes, 0.9, &standing, most_kept), expected);
                }
            }
        }
        assert!(outside > 4, "{outside}");
    }
}
