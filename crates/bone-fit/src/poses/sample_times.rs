//! The times at which clips are sampled: at a rate, and at every key.

use rayon::prelude::*;
use skeleton::{Clip, ClipIndex};

/// Times of the rate that are closer to a key than this many seconds are left out. 30 Hz keys in f32 are off by less.
const SAME_TIME: f64 = 1e-4;

/// The largest number of sample times of all clips together that boxes are fitted to. If the clips ask for more, the
/// bake takes this number of them, evenly spread.
pub(crate) const MOST_SAMPLE_TIMES: usize = 100_000;

/// A clip and a time on that clip's own clock, or the rest pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleTime {
    /// The clip, an index into the model's clips; `None` in the rest pose.
    pub clip: Option<ClipIndex>,
    /// The time in seconds on the clip's own clock; 0 in the rest pose.
    pub time: f32,
}

impl SampleTime {
    /// The rest pose.
    pub const REST: Self = Self { clip: None, time: 0.0 };
}

/// A sample time of one clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ClipTime {
    /// The time in seconds on the clip's own clock.
    pub(crate) time: f32,
    /// `true` if the time is at the rate or at a key; `false` if it was added where joints turn fast.
    pub(crate) regular: bool,
}

/// The sample times of all clips.
#[derive(Clone, Debug)]
pub(crate) struct SampleTimes {
    /// The sample times of each clip, sorted by time.
    pub(crate) by_clip: Vec<Vec<ClipTime>>,
    /// The seconds between two sample times at the rate.
    pub(crate) step: f64,
    /// The number of sample times that the clips ask for, if this is too many; otherwise `None`.
    pub(crate) thinned_from: Option<usize>,
}

impl SampleTimes {
    /// Returns the times at `rate` per second and at every key. If these are more than `most` in all, returns only
    /// every n-th of them.
    pub(crate) fn regular(clips: &[Clip], rate: f64, most: usize) -> Self {
        let times: Vec<Vec<f32>> = clips.par_iter().map(|clip| regular_times(clip, rate)).collect();
        let asked: usize = times.iter().map(Vec::len).sum();
        let every = asked.div_ceil(most).max(1);
        let clip_time = |&time: &f32| ClipTime { time, regular: true };
        Self {
            by_clip: times.iter().map(|times| times.iter().step_by(every).map(clip_time).collect()).collect(),
            step: 1.0 / rate,
            thinned_from: (every > 1).then_some(asked),
        }
    }

    /// Returns the rest pose and the times at the rate and at keys, clip after clip.
    pub(crate) fn rest_and_regular(&self) -> Vec<SampleTime> {
        let of_clip = |(clip, times): (ClipIndex, &Vec<ClipTime>)| {
            let regular = times.iter().filter(|at| at.regular);
            regular.map(|at| SampleTime { clip: Some(clip), time: at.time }).collect::<Vec<_>>()
        };
        std::iter::once(SampleTime::REST).chain((0..).map(ClipIndex).zip(&self.by_clip).flat_map(of_clip)).collect()
    }

    /// Returns the number of sample times of all clips together.
    pub(crate) fn len(&self) -> usize {
        self.by_clip.iter().map(Vec::len).sum()
    }
}

/// Returns the seconds of its clip that each sample time stands for: half of the time to each neighbor. The first and
/// the last time stand for half a `step` more, so that the pose of a clip with a single sample time counts too, and
/// equal steps count alike.
pub(crate) fn seconds(times: &[ClipTime], step: f64) -> impl Iterator<Item = f64> {
    let gap = move |index: usize| match index.checked_sub(1).map(|before| (times.get(before), times.get(index))) {
        Some((Some(before), Some(after))) => f64::from(after.time) - f64::from(before.time),
        _ => step,
    };
    (0..times.len()).map(move |index| 0.5 * (gap(index) + gap(index + 1)))
}

/// Returns every key of the clip, and `rate` times per second from its first key, except times near a key.
fn regular_times(clip: &Clip, rate: f64) -> Vec<f32> {
    let mut keys: Vec<f32> = clip.timelines.iter().flatten().copied().collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let (start, seconds) = (f64::from(clip.start()), f64::from(clip.end()) - f64::from(clip.start()));
    // The limit keeps a clip with extreme key times from needing unlimited memory; every key is still sampled.
    let most = MOST_SAMPLE_TIMES as f64;
    let steps = (seconds * rate).min(most).floor();
    let step = if steps >= most { seconds / most } else { 1.0 / rate };
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
    use crate::poses::sampled::SampledPoses;
    use skeleton::Skeleton;

    fn clip(times: &[f32]) -> Clip {
        Clip { name: "clip".into(), timelines: vec![times.to_vec()], channels: vec![] }
    }

    #[test]
    fn keys_and_the_grid_between_them() {
        assert_eq!(regular_times(&clip(&[1.0, 1.25, 2.0]), 2.0), [1.0, 1.25, 1.5, 2.0]);
        // Frame 7 of 30 Hz keys in f32 is the same time as frame 7 of the rate.
        let thirds: Vec<f32> = (0..=30u16).map(|pose| f32::from(pose) / 30.0).collect();
        assert_eq!(regular_times(&clip(&thirds), 30.0), thirds);
        assert_eq!(regular_times(&clip(&[0.5]), 30.0), [0.5]);
        assert_eq!(regular_times(&Clip { name: "empty".into(), timelines: vec![], channels: vec![] }, 30.0), [0.0]);
    }

    #[test]
    fn the_number_of_sample_times_is_bounded() {
        let long = regular_times(&clip(&[0.0, f32::MAX]), 1000.0);
        assert!(long.len() <= 100_003 && long.iter().all(|time| time.is_finite()));
        let skeleton = Skeleton::new(vec![skeleton::Joint { name: "a".into(), ..skeleton::Joint::default() }]).unwrap();
        let poses = SampledPoses::of_clips(&skeleton, &[clip(&[0.0, 100.0]), clip(&[0.0, 1.0])], 30.0, 500);
        assert!(poses.len() <= 503 && poses.thinned_from == Some(3032), "{}", poses.len());
        assert_eq!(poses.times[1], SampleTime { clip: Some(ClipIndex(0)), time: 0.0 });
    }

    fn clip_times(times: &[(f32, bool)]) -> Vec<ClipTime> {
        times.iter().map(|&(time, regular)| ClipTime { time, regular }).collect()
    }

    #[test]
    fn every_sample_time_stands_for_the_time_around_it() {
        let weights = |times: &[(f32, bool)]| seconds(&clip_times(times), 0.5).collect::<Vec<f64>>();
        assert_eq!(weights(&[(0.0, true), (0.5, true), (1.0, true)]), [0.5, 0.5, 0.5]);
        assert_eq!(weights(&[(0.0, true), (0.25, false), (0.5, true), (1.0, true)]), [0.375, 0.25, 0.375, 0.5]);
        assert_eq!(weights(&[(3.0, true)]), [0.5]);
        assert_eq!(weights(&[]), [0.0; 0]);
    }
}
