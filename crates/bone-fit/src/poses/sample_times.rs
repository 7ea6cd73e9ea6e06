//! When a character is looked at.

use crate::poses::refine::{Chains, MOST_BETWEEN};
use rayon::prelude::*;
use skeleton::{Channel, Clip, Interpolation, Skeleton};

/// Grid times closer to a key than this are the key: 30 Hz keys in f32 are off by less.
const SAME_TIME: f64 = 1e-4;

/// Sample times of all clips together that boxes are fitted to at most, spread evenly over those that the clips ask for.
pub const MOST_SAMPLE_TIMES: usize = 100_000;

/// A clip and a time on that clip's own clock, or the rest pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleTime {
    /// Index into the model's clips; `None` in the rest pose.
    pub clip: Option<u32>,
    /// Seconds on the clip's own clock; 0 in the rest pose.
    pub time: f32,
}

/// A sample time of one clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ClipTime {
    /// Seconds on the clip's own clock.
    pub(crate) time: f32,
    /// At the rate or at a key; not one that fast joints need besides.
    pub(crate) regular: bool,
}

/// Gaps are looked at again after they were divided: splines do not run evenly. What runs evenly is settled in one round.
const ROUNDS: usize = 4;

/// All moments of all clips.
#[derive(Clone, Debug)]
pub(crate) struct SampleTimes {
    /// Sorted by time; an entry per clip.
    pub(crate) by_clip: Vec<Vec<ClipTime>>,
    /// Between two moments at the rate, in seconds.
    pub(crate) step: f64,
    /// How many moments were asked for, where that was too many.
    pub(crate) thinned_from: Option<usize>,
}

impl SampleTimes {
    /// At `rate` per second and at every key; of more than `most` in all, evenly as many as that.
    pub(crate) fn regular(clips: &[Clip], rate: f64, most: usize) -> Self {
        let times: Vec<Vec<f32>> = clips.par_iter().map(|clip| sample_times(clip, rate)).collect();
        let asked: usize = times.iter().map(Vec::len).sum();
        let every = asked.div_ceil(most).max(1);
        let moment = |&time: &f32| ClipTime { time, regular: true };
        Self {
            by_clip: times.iter().map(|times| times.iter().step_by(every).map(moment).collect()).collect(),
            step: 1.0 / rate,
            thinned_from: (every > 1).then_some(asked),
        }
    }

    /// With as many more as the chains need, `most` in all; with none where there are too many without them.
    pub(crate) fn closer(mut self, skeleton: &Skeleton, clips: &[Clip], most: usize, chains: &Chains) -> Self {
        if self.thinned_from.is_some() {
            return self;
        }
        let with_jumps: Vec<Vec<ClipTime>> =
            clips.par_iter().zip(&self.by_clip).map(|(clip, moments)| with_jumps(clip, moments)).collect();
        if count(&with_jumps) > most {
            self.thinned_from = Some(count(&with_jumps));
            return self;
        }
        self.by_clip = with_jumps;
        let mut unsettled = vec![true; clips.len()];
        for _ in 0..ROUNDS {
            let needs = |((clip, moments), unsettled): ((&Clip, &Vec<ClipTime>), &bool)| {
                if *unsettled { chains.between(skeleton, clip, moments) } else { Vec::new() }
            };
            let needs: Vec<Vec<usize>> = clips.par_iter().zip(&self.by_clip).zip(&unsettled).map(needs).collect();
            unsettled = needs.iter().map(|needs| needs.iter().any(|&need| need > 0)).collect();
            if !unsettled.contains(&true) || !self.fill(&needs, most) {
                break;
            }
        }
        self
    }

    /// Puts what each gap needs into it; where that is more than `most` in all, as many into each as there is room for,
    /// and `false`.
    fn fill(&mut self, needs: &[Vec<usize>], most: usize) -> bool {
        let room = most - count(&self.by_clip);
        let added = |at_most: usize| needs.iter().flatten().map(|&need| need.min(at_most)).sum::<usize>();
        let at_most = (0..=MOST_BETWEEN).rev().find(|&at_most| added(at_most) <= room).unwrap_or(0);
        if added(at_most) < added(MOST_BETWEEN) {
            self.thinned_from = Some(count(&self.by_clip) + added(MOST_BETWEEN));
        }
        for (moments, needs) in self.by_clip.iter_mut().zip(needs).filter(|(_, needs)| !needs.is_empty()) {
            *moments = filled(moments, needs, at_most);
        }
        self.thinned_from.is_none()
    }
}

fn count(by_clip: &[Vec<ClipTime>]) -> usize {
    by_clip.iter().map(Vec::len).sum()
}

/// The moments and, just before every key at which a held value jumps, one more: until then all else moves on with the
/// value before. Not where all values are held.
fn with_jumps(clip: &Clip, moments: &[ClipTime]) -> Vec<ClipTime> {
    let jumps = |channel: &&Channel| channel.interpolation == Interpolation::Step;
    let mut all = moments.to_vec();
    if !clip.channels.iter().all(|channel| jumps(&channel)) {
        for channel in clip.channels.iter().filter(jumps) {
            let keys = channel.values.chunks_exact(channel.property.width());
            let values = keys.clone().zip(keys.skip(1)).zip(clip.timelines[channel.timeline as usize].iter().skip(1));
            let changing = values.filter(|((before, after), _)| before != after);
            all.extend(changing.map(|(_, time)| ClipTime { time: time.next_down(), regular: false }));
        }
    }
    // A regular moment at the same time goes first and stays.
    all.sort_by(|a, b| a.time.total_cmp(&b.time).then(b.regular.cmp(&a.regular)));
    all.dedup_by(|later, earlier| later.time == earlier.time);
    all
}

/// With up to `most` more between each moment and the next, evenly spread, `counts` of them.
fn filled(moments: &[ClipTime], counts: &[usize], most: usize) -> Vec<ClipTime> {
    let mut filled = Vec::with_capacity(moments.len());
    for (index, &moment) in moments.iter().enumerate() {
        filled.push(moment);
        let Some(next) = moments.get(index + 1) else { break };
        let count = counts[index].min(most);
        for step in 1..=count {
            let share = step as f64 / (count + 1) as f64;
            let time = (f64::from(moment.time) + share * (f64::from(next.time) - f64::from(moment.time))) as f32;
            // In f32 there may be no room between.
            if time < next.time && filled.last().is_some_and(|last| last.time < time) {
                filled.push(ClipTime { time, regular: false });
            }
        }
    }
    filled
}

/// How much of its clip each moment stands for: half of the time to each neighbour, the first and the last for half a
/// `step` more. So a pose held by a clip of one moment counts too, and equal steps count alike.
pub(crate) fn seconds(moments: &[ClipTime], step: f64) -> impl Iterator<Item = f64> {
    let gap = move |index: usize| match index.checked_sub(1).map(|before| (moments.get(before), moments.get(index))) {
        Some((Some(before), Some(after))) => f64::from(after.time) - f64::from(before.time),
        _ => step,
    };
    (0..moments.len()).map(move |index| 0.5 * (gap(index) + gap(index + 1)))
}

/// Every key of the clip, and a grid of `rate` per second from its first key where no key is near.
fn sample_times(clip: &Clip, rate: f64) -> Vec<f32> {
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
    use crate::poses::sampled::SampledPoses;

    fn clip(times: &[f32]) -> Clip {
        Clip { name: "clip".into(), timelines: vec![times.to_vec()], channels: vec![] }
    }

    #[test]
    fn keys_and_the_grid_between_them() {
        assert_eq!(sample_times(&clip(&[1.0, 1.25, 2.0]), 2.0), [1.0, 1.25, 1.5, 2.0]);
        // Frame 7 of 30 Hz in f32 is the grid's frame 7.
        let thirds: Vec<f32> = (0..=30u16).map(|pose| f32::from(pose) / 30.0).collect();
        assert_eq!(sample_times(&clip(&thirds), 30.0), thirds);
        assert_eq!(sample_times(&clip(&[0.5]), 30.0), [0.5]);
        assert_eq!(sample_times(&Clip { name: "empty".into(), timelines: vec![], channels: vec![] }, 30.0), [0.0]);
    }

    #[test]
    fn the_number_of_moments_is_bounded() {
        let long = sample_times(&clip(&[0.0, f32::MAX]), 1000.0);
        assert!(long.len() <= 100_003 && long.iter().all(|time| time.is_finite()));
        let skeleton = Skeleton::new(vec![skeleton::Joint { name: "a".into(), ..skeleton::Joint::default() }]).unwrap();
        let poses = SampledPoses::of_clips(&skeleton, &[clip(&[0.0, 100.0]), clip(&[0.0, 1.0])], 30.0, 500);
        assert!(poses.len() <= 503 && poses.thinned_from == Some(3032), "{}", poses.len());
        assert_eq!(poses.times[1], SampleTime { clip: Some(0), time: 0.0 });
    }

    fn moments(times: &[(f32, bool)]) -> Vec<ClipTime> {
        times.iter().map(|&(time, regular)| ClipTime { time, regular }).collect()
    }

    #[test]
    fn gaps_are_filled_evenly_and_only_where_f32_has_room() {
        let regular = moments(&[(0.0, true), (1.0, true), (2.0, true)]);
        let expected =
            [(0.0, true), (0.25, false), (0.5, false), (0.75, false), (1.0, true), (1.5, false), (2.0, true)];
        assert_eq!(filled(&regular, &[9, 1], 3), moments(&expected));
        let near = moments(&[(1.0, true), (1.0f32.next_up().next_up(), true)]);
        assert_eq!(filled(&near, &[40], 63).len(), 3);
        assert_eq!(filled(&regular, &[0, 0], 63), regular);
    }

    #[test]
    fn every_moment_stands_for_the_time_around_it() {
        let weights = |times: &[(f32, bool)]| seconds(&moments(times), 0.5).collect::<Vec<f64>>();
        assert_eq!(weights(&[(0.0, true), (0.5, true), (1.0, true)]), [0.5, 0.5, 0.5]);
        assert_eq!(weights(&[(0.0, true), (0.25, false), (0.5, true), (1.0, true)]), [0.375, 0.25, 0.375, 0.5]);
        assert_eq!(weights(&[(3.0, true)]), [0.5]);
        assert_eq!(weights(&[]), [0.0; 0]);
    }

    #[test]
    fn held_values_are_looked_at_until_they_jump() {
        let channel = |joint: u16, interpolation: Interpolation, values: &[f32]| Channel {
            joint: skeleton::JointIndex(joint),
            property: skeleton::Property::Translation,
            interpolation,
            timeline: 0,
            values: values.iter().flat_map(|&value| [value; 3]).collect(),
        };
        let held = channel(0, Interpolation::Step, &[1.0, 1.0, 2.0]);
        let moving = channel(1, Interpolation::Linear, &[0.0, 1.0, 2.0]);
        let regular = moments(&[(0.0, true), (0.5, true), (1.0, true)]);
        let with = |channels: Vec<Channel>| with_jumps(&Clip { channels, ..clip(&[0.0, 0.5, 1.0]) }, &regular);
        let before = 1.0f32.next_down();
        let expected = moments(&[(0.0, true), (0.5, true), (before, false), (1.0, true)]);
        assert_eq!(with(vec![held.clone(), moving.clone()]), expected);
        assert_eq!(with(vec![held]), regular, "nothing moves on");
        assert_eq!(with(vec![moving]), regular, "nothing jumps");
    }
}
