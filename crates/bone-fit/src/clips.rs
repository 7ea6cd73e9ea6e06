//! When the character is looked at, and where its joints are then.

use crate::surface::affine_to_f64;
use glam::{Affine3A, DAffine3};
use rayon::prelude::*;
use skeleton::{Clip, Skeleton};

/// Grid times closer to a key than this are the key: 30 Hz keys in f32 are off by less.
const SAME_TIME: f64 = 1e-4;

/// Joint matrices kept at a time: 256 MiB.
const MOST_MATRICES: usize = 1 << 22;

/// A moment of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instant {
    /// Index into the model's clips; `None` at rest.
    pub clip: Option<u32>,
    /// In seconds.
    pub time: f32,
}

/// `model_from_joint` of every joint at several moments, the rest pose first.
#[derive(Clone, Debug)]
pub(crate) struct Frames {
    joints: usize,
    matrices: Vec<Affine3A>,
    pub(crate) instants: Vec<Instant>,
    /// How many moments were asked for, where that was too many.
    pub(crate) thinned_from: Option<usize>,
}

impl Frames {
    /// The rest pose alone.
    pub(crate) fn rest(skeleton: &Skeleton) -> Self {
        let mut frames =
            Self { joints: skeleton.len(), matrices: Vec::new(), instants: Vec::new(), thinned_from: None };
        frames.matrices.resize(frames.joints, Affine3A::IDENTITY);
        skeleton.model_from_joints(&skeleton.rest_pose(), &mut frames.matrices);
        frames.instants.push(Instant { clip: None, time: 0.0 });
        frames
    }

    /// The rest pose and every clip: at `rate` per second, at every key, at most `most` moments in all.
    pub(crate) fn of_clips(skeleton: &Skeleton, clips: &[Clip], rate: f64, most: usize) -> Self {
        let mut frames = Self::rest(skeleton);
        let times: Vec<Vec<f32>> = clips.par_iter().map(|clip| sample_times(clip, rate)).collect();
        let asked: usize = times.iter().map(Vec::len).sum();
        let most = most.min(MOST_MATRICES / skeleton.len().max(1)).max(1);
        let every = asked.div_ceil(most).max(1);
        if every > 1 {
            frames.thinned_from = Some(asked);
        }
        let sampled: Vec<Vec<Affine3A>> = clips
            .par_iter()
            .zip(&times)
            .map(|(clip, times)| sampled(skeleton, clip, times.iter().copied().step_by(every)))
            .collect();
        for (clip, (times, matrices)) in times.iter().zip(sampled).enumerate() {
            let at = |time: &f32| Instant { clip: Some(clip as u32), time: *time };
            frames.instants.extend(times.iter().step_by(every).map(at));
            frames.matrices.extend_from_slice(&matrices);
        }
        frames
    }

    /// About `count` of the moments, evenly spread.
    pub(crate) fn some(&self, count: usize) -> Self {
        let every = self.len().div_ceil(count).max(1);
        let mut some = Self { joints: self.joints, matrices: Vec::new(), instants: Vec::new(), thinned_from: None };
        for frame in (0..self.len()).step_by(every) {
            some.matrices.extend_from_slice(self.pose(frame));
            some.instants.push(self.instants[frame]);
        }
        some
    }

    pub(crate) fn len(&self) -> usize {
        self.instants.len()
    }

    /// `model_from_joint` of every joint.
    pub(crate) fn pose(&self, frame: usize) -> &[Affine3A] {
        &self.matrices[frame * self.joints..(frame + 1) * self.joints]
    }

    /// The same in scalar f64.
    pub(crate) fn pose_in_f64(&self, frame: usize) -> Vec<DAffine3> {
        self.pose(frame).iter().map(affine_to_f64).collect()
    }
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

/// Every key of the clip, and a grid of `rate` per second from its first key where no key is near.
pub(crate) fn sample_times(clip: &Clip, rate: f64) -> Vec<f32> {
    let mut keys: Vec<f32> = clip.timelines.iter().flatten().copied().collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    // A clip of a billion years is as good as one of an hour; every key counts all the same.
    const MOST: f64 = 100_000.0;
    let (start, seconds) = (f64::from(clip.start()), f64::from(clip.end()) - f64::from(clip.start()));
    let steps = (seconds * rate).min(MOST).floor();
    let step = if steps >= MOST { seconds / MOST } else { 1.0 / rate };
    let mut times = keys.clone();
    for index in 0..=steps as usize {
        let time = start + index as f64 * step;
        let after = keys.partition_point(|&key| f64::from(key) < time);
        let near = |key: Option<&f32>| key.is_some_and(|&key| (f64::from(key) - time).abs() < SAME_TIME);
        if !near(keys.get(after)) && !near(after.checked_sub(1).and_then(|before| keys.get(before))) {
            times.push(time as f32);
        }
    }
    times.sort_by(f32::total_cmp);
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(times: &[f32]) -> Clip {
        Clip { name: "clip".into(), timelines: vec![times.to_vec()], channels: vec![] }
    }

    #[test]
    fn keys_and_the_grid_between_them() {
        assert_eq!(sample_times(&clip(&[1.0, 1.25, 2.0]), 2.0), [1.0, 1.25, 1.5, 2.0]);
        // Frame 7 of 30 Hz in f32 is the grid's frame 7.
        let thirds: Vec<f32> = (0..=30u16).map(|frame| f32::from(frame) / 30.0).collect();
        assert_eq!(sample_times(&clip(&thirds), 30.0), thirds);
        assert_eq!(sample_times(&clip(&[0.5]), 30.0), [0.5]);
        assert_eq!(sample_times(&Clip { name: "empty".into(), timelines: vec![], channels: vec![] }, 30.0), [0.0]);
    }

    #[test]
    fn the_number_of_moments_is_bounded() {
        let long = sample_times(&clip(&[0.0, f32::MAX]), 1000.0);
        assert!(long.len() <= 100_003 && long.iter().all(|time| time.is_finite()));
        let skeleton = Skeleton::new(vec![skeleton::Joint { name: "a".into(), ..skeleton::Joint::default() }]).unwrap();
        let frames = Frames::of_clips(&skeleton, &[clip(&[0.0, 100.0]), clip(&[0.0, 1.0])], 30.0, 500);
        assert!(frames.len() <= 503 && frames.thinned_from == Some(3032), "{}", frames.len());
        assert_eq!(frames.instants[1], Instant { clip: Some(0), time: 0.0 });
    }
}
