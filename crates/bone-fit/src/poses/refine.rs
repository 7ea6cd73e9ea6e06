//! Adds sample times where joints turn fast, so that no corner leaves the straight line between its sampled places by
//! much.

use crate::poses::sample_times::{ClipTime, SampleTimes};
use crate::poses::stray_bound::{MOST_EXTRA_TIMES, StrayBound};
use rayon::prelude::*;
use skeleton::{Channel, Clip, Interpolation, Skeleton};

/// Gaps are checked again after they were divided, because the speed of splines is not constant. Linear keys need only
/// one round.
const ROUNDS: usize = 4;

/// Adds as many sample times as `bound` asks for, up to `most` in all. Returns the times unchanged if they alone are
/// too many.
pub(crate) fn refined(
    mut times: SampleTimes,
    skeleton: &Skeleton,
    clips: &[Clip],
    most: usize,
    bound: &StrayBound,
) -> SampleTimes {
    if times.thinned_from.is_some() {
        return times;
    }
    let with_jumps: Vec<Vec<ClipTime>> =
        clips.par_iter().zip(&times.by_clip).map(|(clip, times)| with_jumps(clip, times)).collect();
    let count = with_jumps.iter().map(Vec::len).sum();
    if count > most {
        times.thinned_from = Some(count);
        return times;
    }
    times.by_clip = with_jumps;
    let mut unfinished = vec![true; clips.len()];
    for _ in 0..ROUNDS {
        let extra = |((clip, times), unfinished): ((&Clip, &Vec<ClipTime>), &bool)| {
            if *unfinished { bound.extra_times(skeleton, clip, times) } else { Vec::new() }
        };
        let extra: Vec<Vec<usize>> = clips.par_iter().zip(&times.by_clip).zip(&unfinished).map(extra).collect();
        unfinished = extra.iter().map(|extra| extra.iter().any(|&count| count > 0)).collect();
        if !unfinished.contains(&true) || !fill(&mut times, &extra, most) {
            break;
        }
    }
    times
}

/// Adds the `extra` times of each gap. If there would be more than `most` times in all, adds as many to each gap as
/// there is room for and returns `false`.
fn fill(times: &mut SampleTimes, extra: &[Vec<usize>], most: usize) -> bool {
    let room = most - times.len();
    let added = |at_most: usize| extra.iter().flatten().map(|&count| count.min(at_most)).sum::<usize>();
    let at_most = (0..=MOST_EXTRA_TIMES).rev().find(|&at_most| added(at_most) <= room).unwrap_or(0);
    if added(at_most) < added(MOST_EXTRA_TIMES) {
        times.thinned_from = Some(times.len() + added(MOST_EXTRA_TIMES));
    }
    for (times, extra) in times.by_clip.iter_mut().zip(extra).filter(|(_, extra)| !extra.is_empty()) {
        *times = filled(times, extra, at_most);
    }
    times.thinned_from.is_none()
}

/// Adds a time just before every key at which a held value jumps, because all other channels go on moving with the
/// value before the jump until that key. Adds no time if all channels are held.
fn with_jumps(clip: &Clip, times: &[ClipTime]) -> Vec<ClipTime> {
    let jumps = |channel: &&Channel| channel.interpolation == Interpolation::Step;
    let mut all = times.to_vec();
    if !clip.channels.iter().all(|channel| jumps(&channel)) {
        for channel in clip.channels.iter().filter(jumps) {
            let keys = channel.values.chunks_exact(channel.property.width());
            let values = keys.clone().zip(keys.skip(1)).zip(clip.timelines[channel.timeline as usize].iter().skip(1));
            let changing = values.filter(|((before, after), _)| before != after);
            all.extend(changing.map(|(_, time)| ClipTime { time: time.next_down(), regular: false }));
        }
    }
    // If two times are equal, the regular time comes first and is kept.
    all.sort_by(|a, b| a.time.total_cmp(&b.time).then(b.regular.cmp(&a.regular)));
    all.dedup_by(|later, earlier| later.time == earlier.time);
    all
}

/// Returns the times with up to `most` times added between each time and the next, evenly spread. `extra[i]` is the
/// number wanted after `times[i]`.
fn filled(times: &[ClipTime], extra: &[usize], most: usize) -> Vec<ClipTime> {
    let mut filled = Vec::with_capacity(times.len());
    for (index, &clip_time) in times.iter().enumerate() {
        filled.push(clip_time);
        let Some(next) = times.get(index + 1) else { break };
        let count = extra[index].min(most);
        for step in 1..=count {
            let share = step as f64 / (count + 1) as f64;
            let (from, to) = (f64::from(clip_time.time), f64::from(next.time));
            let time = (from + share * (to - from)) as f32;
            // Two f32 times may have no f32 number between them.
            if time < next.time && filled.last().is_some_and(|last| last.time < time) {
                filled.push(ClipTime { time, regular: false });
            }
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(times: &[f32]) -> Clip {
        Clip { name: "clip".into(), timelines: vec![times.to_vec()], channels: vec![] }
    }

    fn clip_times(times: &[(f32, bool)]) -> Vec<ClipTime> {
        times.iter().map(|&(time, regular)| ClipTime { time, regular }).collect()
    }

    #[test]
    fn gaps_are_filled_evenly_and_only_where_f32_has_room() {
        let regular = clip_times(&[(0.0, true), (1.0, true), (2.0, true)]);
        let expected =
            [(0.0, true), (0.25, false), (0.5, false), (0.75, false), (1.0, true), (1.5, false), (2.0, true)];
        assert_eq!(filled(&regular, &[9, 1], 3), clip_times(&expected));
        let near = clip_times(&[(1.0, true), (1.0f32.next_up().next_up(), true)]);
        assert_eq!(filled(&near, &[40], 63).len(), 3);
        assert_eq!(filled(&regular, &[0, 0], 63), regular);
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
        let regular = clip_times(&[(0.0, true), (0.5, true), (1.0, true)]);
        let with = |channels: Vec<Channel>| with_jumps(&Clip { channels, ..clip(&[0.0, 0.5, 1.0]) }, &regular);
        let before = 1.0f32.next_down();
        let expected = clip_times(&[(0.0, true), (0.5, true), (before, false), (1.0, true)]);
        assert_eq!(with(vec![held.clone(), moving.clone()]), expected);
        assert_eq!(with(vec![held]), regular, "nothing moves on");
        assert_eq!(with(vec![moving]), regular, "nothing jumps");
    }
}
