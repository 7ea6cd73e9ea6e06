//! Where a character's joints are when it is looked at.

use crate::poses::refine::Chains;
use crate::poses::sample_times::{SampleTime, SampleTimes, seconds};
use crate::skin::bound_mesh::affine_to_f64;
use glam::{Affine3A, DAffine3};
use rayon::prelude::*;
use skeleton::{Clip, Skeleton};

/// Joint matrices kept at a time: 256 MiB.
const MOST_MATRICES: usize = 1 << 22;

/// `model_from_joint` of every joint at several moments, the rest pose first.
#[derive(Clone, Debug)]
pub(crate) struct SampledPoses {
    joints: usize,
    matrices: Vec<Affine3A>,
    pub(crate) times: Vec<SampleTime>,
    /// How much of its clip each moment stands for, in seconds; the rest pose for nothing.
    pub(crate) seconds: Vec<f64>,
    /// Indices of the rest pose and of the moments at the rate and at keys, without those that fast joints need besides.
    pub(crate) regular: Vec<usize>,
    /// How many moments were asked for, where that was too many.
    pub(crate) thinned_from: Option<usize>,
}

impl SampledPoses {
    /// The rest pose alone.
    pub(crate) fn rest(skeleton: &Skeleton) -> Self {
        let mut matrices = vec![Affine3A::IDENTITY; skeleton.len()];
        skeleton.model_from_joints(&skeleton.rest_pose(), &mut matrices);
        Self {
            joints: skeleton.len(),
            matrices,
            times: vec![SampleTime { clip: None, time: 0.0 }],
            seconds: vec![0.0],
            regular: vec![0],
            thinned_from: None,
        }
    }

    /// The rest pose and every clip: at `rate` per second, at every key, at most `most` moments in all.
    pub(crate) fn of_clips(skeleton: &Skeleton, clips: &[Clip], rate: f64, most: usize) -> Self {
        Self::at(skeleton, clips, &SampleTimes::regular(clips, rate, at_most(skeleton, most)))
    }

    /// The same and, where the chains turn far, as many moments in between as they need: at most `most` in all.
    pub(crate) fn closely(skeleton: &Skeleton, clips: &[Clip], rate: f64, most: usize, chains: &Chains) -> Self {
        let most = at_most(skeleton, most);
        let regular = SampleTimes::regular(clips, rate, most);
        Self::at(skeleton, clips, &regular.closer(skeleton, clips, most, chains))
    }

    /// The rest pose and what the schedule says.
    pub(crate) fn at(skeleton: &Skeleton, clips: &[Clip], schedule: &SampleTimes) -> Self {
        let sampled: Vec<Vec<Affine3A>> = clips
            .par_iter()
            .zip(&schedule.by_clip)
            .map(|(clip, moments)| sampled(skeleton, clip, moments.iter().map(|moment| moment.time)))
            .collect();
        let mut poses = Self::rest(skeleton);
        poses.thinned_from = schedule.thinned_from;
        for (clip, (moments, matrices)) in schedule.by_clip.iter().zip(sampled).enumerate() {
            let first = poses.len();
            poses.regular.extend((first..).zip(moments).filter(|(_, moment)| moment.regular).map(|(index, _)| index));
            poses.times.extend(moments.iter().map(|moment| SampleTime { clip: Some(clip as u32), time: moment.time }));
            poses.seconds.extend(seconds(moments, schedule.step));
            poses.matrices.extend_from_slice(&matrices);
        }
        poses
    }

    /// About `count` of the regular moments, evenly spread.
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

    /// `model_from_joint` of every joint.
    pub(crate) fn pose(&self, pose: usize) -> &[Affine3A] {
        &self.matrices[pose * self.joints..(pose + 1) * self.joints]
    }

    /// The same in scalar f64.
    pub(crate) fn pose_in_f64(&self, pose: usize) -> Vec<DAffine3> {
        self.pose(pose).iter().map(affine_to_f64).collect()
    }
}

/// So that the matrices do not get too many.
fn at_most(skeleton: &Skeleton, moments: usize) -> usize {
    moments.min(MOST_MATRICES / skeleton.len().max(1)).max(1)
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
