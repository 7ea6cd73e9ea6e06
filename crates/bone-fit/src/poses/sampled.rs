//! The pose of all joints at each sample time.

use crate::assign::groups::Groups;
use crate::options::Poses;
use crate::poses::refine::refined;
use crate::poses::sample_times::{MOST_SAMPLE_TIMES, SampleTime, SampleTimes, seconds};
use crate::poses::stray_bound::StrayBound;
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::{BoundMesh, affine_to_f64};
use glam::{Affine3A, DAffine3};
use rayon::prelude::*;
use skeleton::{Clip, ClipIndex, LocalTransform, Skeleton};
use skinned_model::SkinnedModel;

/// The largest number of joint matrices that are kept at the same time: 256 MiB.
const MOST_MATRICES: usize = 1 << 22;

/// `model_from_joint` of every joint at several sample times, the rest pose first.
#[derive(Clone, Debug)]
pub(crate) struct SampledPoses {
    joints: usize,
    matrices: Vec<Affine3A>,
    /// The sample time of each pose.
    pub(crate) times: Vec<SampleTime>,
    /// For each pose, the seconds of its clip that it stands for; 0 for the rest pose.
    pub(crate) seconds: Vec<f64>,
    /// The indices of the rest pose and of the poses at the rate and at keys, without the poses that were added where
    /// joints turn fast.
    pub(crate) regular: Vec<usize>,
    /// The number of sample times that the clips ask for, if this is too many; otherwise `None`.
    pub(crate) thinned_from: Option<usize>,
}

impl SampledPoses {
    /// Returns the rest pose alone.
    pub(crate) fn rest(skeleton: &Skeleton) -> Self {
        let matrices = skeleton.rest_matrices();
        Self {
            joints: skeleton.len(),
            matrices,
            times: vec![SampleTime::REST],
            seconds: vec![0.0],
            regular: vec![0],
            thinned_from: None,
        }
    }

    /// Returns the poses that boxes are fitted to: the rest pose and, if any joint has `poses = clips`, every clip.
    ///
    /// Clips are sampled at the rate and at every key, and more often where the groups' surface needs it.
    pub(crate) fn to_fit(
        model: &SkinnedModel,
        options: &JointOptions<'_>,
        mesh: &BoundMesh<'_>,
        groups: &Groups,
    ) -> Self {
        let mut moving = groups.groups.iter().filter(|group| options.get(group.joint).poses == Poses::Clips).peekable();
        if moving.peek().is_none() {
            return Self::rest(&model.skeleton);
        }
        let bound = StrayBound::new(mesh, moving);
        Self::closely(&model.skeleton, &model.clips, options.character.rate, MOST_SAMPLE_TIMES, &bound)
    }

    /// Returns the rest pose and every clip at `rate` per second and at every key, at most `most` sample times.
    #[cfg(test)]
    pub(crate) fn of_clips(skeleton: &Skeleton, clips: &[Clip], rate: f64, most: usize) -> Self {
        Self::at(skeleton, clips, &SampleTimes::regular(clips, rate, at_most(skeleton, most)))
    }

    /// Returns the poses of [`SampledPoses::of_clips`], and the poses at the times that `bound` asks for in between,
    /// `most` in all.
    pub(crate) fn closely(skeleton: &Skeleton, clips: &[Clip], rate: f64, most: usize, bound: &StrayBound) -> Self {
        let most = at_most(skeleton, most);
        let regular = SampleTimes::regular(clips, rate, most);
        Self::at(skeleton, clips, &refined(regular, skeleton, clips, most, bound))
    }

    /// Returns the rest pose and the clips at given times.
    pub(crate) fn at(skeleton: &Skeleton, clips: &[Clip], times: &SampleTimes) -> Self {
        let sampled: Vec<Vec<Affine3A>> = clips
            .par_iter()
            .zip(&times.by_clip)
            .map(|(clip, times)| sampled(skeleton, clip, times.iter().map(|clip_time| clip_time.time)))
            .collect();
        let mut poses = Self::rest(skeleton);
        poses.thinned_from = times.thinned_from;
        for (clip, (clip_times, matrices)) in (0..).map(ClipIndex).zip(times.by_clip.iter().zip(sampled)) {
            let first = poses.len();
            poses.regular.extend((first..).zip(clip_times).filter(|(_, time)| time.regular).map(|(index, _)| index));
            poses.times.extend(clip_times.iter().map(|at| SampleTime { clip: Some(clip), time: at.time }));
            poses.seconds.extend(seconds(clip_times, times.step));
            poses.matrices.extend_from_slice(&matrices);
        }
        poses
    }

    /// Returns about `count` of the regular poses, evenly spread.
    pub(crate) fn some(&self, count: usize) -> Self {
        let every = self.regular.len().div_ceil(count).max(1);
        let chosen: Vec<usize> = self.regular.iter().copied().step_by(every).collect();
        Self {
            joints: self.joints,
            matrices: chosen.iter().flat_map(|&pose| self.pose(pose)).copied().collect(),
            times: chosen.iter().map(|&pose| self.times[pose]).collect(),
            seconds: chosen.iter().map(|&pose| self.seconds[pose]).collect(),
            regular: (0..chosen.len()).collect(),
            thinned_from: None,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.times.len()
    }

    /// `model_from_joint` of every joint in a pose. `pose` is an index into `times`.
    pub(crate) fn pose(&self, pose: usize) -> &[Affine3A] {
        &self.matrices[pose * self.joints..(pose + 1) * self.joints]
    }
}

/// Computes poses one after the other, without keeping them.
pub(crate) struct PoseSampler<'a> {
    skeleton: &'a Skeleton,
    clips: &'a [Clip],
    rest: Vec<LocalTransform>,
    local: Vec<LocalTransform>,
    matrices: Vec<Affine3A>,
    in_f64: Vec<DAffine3>,
}

impl<'a> PoseSampler<'a> {
    pub(crate) fn new(skeleton: &'a Skeleton, clips: &'a [Clip]) -> Self {
        let rest = skeleton.rest_pose();
        let matrices = vec![Affine3A::IDENTITY; skeleton.len()];
        Self { skeleton, clips, local: rest.clone(), rest, matrices, in_f64: Vec::with_capacity(skeleton.len()) }
    }

    /// Returns `model_from_joint` of every joint at a sample time.
    pub(crate) fn pose(&mut self, at: SampleTime) -> &[DAffine3] {
        self.local.copy_from_slice(&self.rest);
        if let Some(clip) = at.clip {
            self.clips[clip.index()].sample(at.time, &mut self.local);
        }
        self.skeleton.model_from_joints(&self.local, &mut self.matrices);
        self.in_f64.clear();
        self.in_f64.extend(self.matrices.iter().map(affine_to_f64));
        &self.in_f64
    }
}

/// Returns the largest number of sample times for which the matrices stay within [`MOST_MATRICES`], at most `most`.
fn at_most(skeleton: &Skeleton, most: usize) -> usize {
    most.min(MOST_MATRICES / skeleton.len().max(1)).max(1)
}

fn sampled(skeleton: &Skeleton, clip: &Clip, times: impl ExactSizeIterator<Item = f32>) -> Vec<Affine3A> {
    let mut matrices = vec![Affine3A::IDENTITY; times.len() * skeleton.len()];
    let rest = skeleton.rest_pose();
    let mut local = rest.clone();
    for (time, pose) in times.zip(matrices.chunks_exact_mut(skeleton.len().max(1))) {
        local.copy_from_slice(&rest);
        clip.sample(time, &mut local);
        skeleton.model_from_joints(&local, pose);
    }
    matrices
}
