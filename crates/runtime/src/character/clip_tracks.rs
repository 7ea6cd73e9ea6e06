//! A character's clips in the layout that samplers read: the keys of sixteen joints side by side.
//!
//! Each joint has a place in lanes. The places of the joints that hitboxes need come first. Channels whose value never
//! changes become part of the pose that sampling starts from. For each property of sixteen joints, all other channels
//! become one track, which has keys at the key times of all these channels. So a channel gets additional keys. They lie
//! on the file's curve, because a straight line, a great arc and a held value do not change when they are split.
//! Splines, rotations that are not of unit length, and channels whose times have little in common are sampled one at a
//! time from the file's curves.

use super::joint_places::{JointPlaces, set_local};
use crate::kernels::clip_lanes::{KeyRow, LocalBlock, Moment, Track, local_row};
use crate::kernels::layout::LANES;
use crate::kernels::{self, Kernel};
use skeleton::{Channel, Clip, Interpolation, LocalTransform, Property, Skeleton};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A clip, ready to be sampled.
#[derive(Clone, Debug)]
pub(crate) struct ClipTracks {
    /// Key times of the tracks, increasing.
    timelines: Vec<Vec<f32>>,
    /// The values that no key changes, by block.
    base: Vec<LocalBlock>,
    /// The tracks, sorted by block.
    tracks: Vec<Track>,
    /// The number of tracks that hitboxes need; these tracks come first.
    needed_tracks: usize,
    /// The channels that are sampled one at a time, sorted by place: the place of the joint, and the index of the
    /// channel.
    loose: Vec<(usize, u32)>,
    /// The pose at the clip's start, of all joints; computed when a layer first adds the clip to a pose, or when the
    /// game prepares all clips.
    first_pose: OnceLock<Vec<LocalBlock>>,
}

impl ClipTracks {
    /// Puts the keys of a clip that passes [`Clip::validate`] into tracks.
    pub(crate) fn new(skeleton: &Skeleton, places: &JointPlaces, clip: &Clip) -> Self {
        let place_of = places.place_of_joints();
        let mut tracks = Self {
            timelines: Vec::new(),
            base: places.rest().to_vec(),
            tracks: Vec::new(),
            needed_tracks: 0,
            loose: Vec::new(),
            first_pose: OnceLock::new(),
        };
        let mut groups: BTreeMap<(usize, Property), Vec<(usize, u32)>> = BTreeMap::new();
        let mut local = Vec::new();
        for (index, channel) in clip.channels.iter().enumerate() {
            let place = place_of[channel.joint.index()];
            match kind(channel) {
                Kind::Constant => {
                    if local.is_empty() {
                        local = skeleton.rest_pose();
                    }
                    clip.sample_channel(index, 0.0, &mut local);
                    set_local(&mut tracks.base, place, &local[channel.joint.index()]);
                }
                Kind::Loose => tracks.loose.push((place, index as u32)),
                Kind::Keyed => groups.entry((place / LANES, channel.property)).or_default().push((place, index as u32)),
            }
        }
        for ((block, property), channels) in groups {
            tracks.add_track(clip, block, property, &channels);
        }
        tracks.loose.sort_unstable();
        tracks.needed_tracks = tracks.tracks.partition_point(|track| track.block < places.count(false).div_ceil(LANES));
        tracks
    }

    fn add_track(&mut self, clip: &Clip, block: usize, property: Property, channels: &[(usize, u32)]) {
        /// The most keys that a track may have, as a multiple of the number of keys of its longest channel.
        const SPREAD: usize = 4;
        let channel = |index: u32| &clip.channels[index as usize];
        let mut times = clip.timelines[channel(channels[0].1).timeline as usize].clone();
        for &(_, index) in channels {
            let others = &clip.timelines[channel(index).timeline as usize];
            if *others != times {
                times.extend_from_slice(others);
                times.sort_unstable_by(f32::total_cmp);
                // Compares the times as numbers and not as bits, because 0 and -0 are the same time.
                times.dedup_by(|a, b| a == b);
            }
        }
        let (width, count) = (property.width(), times.len());
        let longest = channels.iter().map(|&(_, index)| channel(index).values.len() / width).max().unwrap_or(0);
        if count > SPREAD * longest {
            return self.loose.extend_from_slice(channels);
        }

        // Lanes without keys stay 0 and are not read.
        let keys = vec![KeyRow([0.0; LANES]); count * width];
        let runs = KeyRow([-1.0; LANES]);
        let mut track =
            Track { block, first_row: first_row(property), timeline: 0, lanes: 0, runs, all_run: true, keys };
        for &(place, index) in channels {
            let (channel, lane) = (channel(index), place % LANES);
            track.lanes |= 1 << lane;
            let is_step = channel.interpolation == Interpolation::Step;
            track.runs.0[lane] = if is_step { 0.0 } else { 1.0 };
            track.all_run &= !is_step;
            let inserted;
            let values = if clip.timelines[channel.timeline as usize].len() == count {
                &channel.values
            } else {
                inserted = with_more_keys(clip, index, &times);
                &inserted
            };
            if property == Property::Rotation {
                set_rotations(&mut track.keys, lane, values);
            } else {
                for (row, number) in track.keys.iter_mut().zip(values) {
                    row.0[lane] = *number;
                }
            }
        }
        let known = self.timelines.iter().position(|known| *known == times);
        track.timeline = known.unwrap_or_else(|| {
            self.timelines.push(times);
            self.timelines.len() - 1
        });
        self.tracks.push(track);
    }

    /// The pose that the tracks change.
    pub(crate) fn base(&self) -> &[LocalBlock] {
        &self.base
    }

    /// The pose of all joints at the clip's start. The first call computes it.
    pub(crate) fn first_pose(&self, clip: &Clip) -> &[LocalBlock] {
        self.first_pose.get_or_init(|| {
            let (mut blocks, mut moments) = (self.base.clone(), Vec::new());
            self.find_moments(clip.start(), &mut moments);
            // All kernels give the same bits.
            kernels::sample_tracks(Kernel::Scalar, &self.tracks, &moments, &mut blocks);
            self.sample_loose(clip, clip.start(), usize::MAX, &mut Vec::new(), &mut blocks);
            blocks
        })
    }

    /// All tracks, or only those that hitboxes need.
    pub(crate) fn tracks(&self, all: bool) -> &[Track] {
        &self.tracks[..if all { self.tracks.len() } else { self.needed_tracks }]
    }

    /// Finds the keys around a time on each timeline.
    pub(crate) fn find_moments(&self, seconds: f32, moments: &mut Vec<Moment>) {
        moments.clear();
        moments.extend(self.timelines.iter().map(|times| moment(times, seconds)));
    }

    /// Returns `true` if any channel has no track.
    pub(crate) fn has_loose(&self) -> bool {
        !self.loose.is_empty()
    }

    /// Samples the channels among the first places that have no track.
    pub(crate) fn sample_loose(
        &self,
        clip: &Clip,
        seconds: f32,
        count: usize,
        local: &mut Vec<LocalTransform>,
        blocks: &mut [LocalBlock],
    ) {
        if self.loose.is_empty() {
            return;
        }
        let joints = clip.channels.iter().map(|channel| channel.joint.index() + 1).max().unwrap_or(0);
        local.clear();
        local.resize(joints, LocalTransform::Trs(skeleton::Trs::IDENTITY));
        for &(place, index) in self.loose.iter().take_while(|(place, _)| *place < count) {
            let channel = &clip.channels[index as usize];
            clip.sample_channel(index as usize, seconds, local);
            let numbers = numbers_of(&local[channel.joint.index()], channel.property);
            let block = &mut blocks[place / LANES];
            for (row, number) in
                block.0[first_row(channel.property)..].iter_mut().zip(&numbers[..channel.property.width()])
            {
                row[place % LANES] = *number;
            }
        }
    }
}

/// The values of a channel at `times`, which include the channel's own key times.
fn with_more_keys(clip: &Clip, index: u32, times: &[f32]) -> Vec<f32> {
    let channel = &clip.channels[index as usize];
    let mut local = vec![LocalTransform::Trs(skeleton::Trs::IDENTITY); channel.joint.index() + 1];
    let mut values = Vec::with_capacity(times.len() * channel.property.width());
    for &time in times {
        clip.sample_channel(index as usize, time, &mut local);
        let numbers = numbers_of(&local[channel.joint.index()], channel.property);
        values.extend_from_slice(&numbers[..channel.property.width()]);
    }
    values
}

/// Sets the rotations of a lane. Each quaternion gets the sign that brings it nearer to the quaternion before.
fn set_rotations(keys: &mut [KeyRow], lane: usize, values: &[f32]) {
    let mut before = [0.0; 4];
    for (rows, value) in keys.as_chunks_mut::<4>().0.iter_mut().zip(values.as_chunks::<4>().0) {
        let cosine = value[0] * before[0] + value[1] * before[1] + value[2] * before[2] + value[3] * before[3];
        before = if cosine < 0.0 { value.map(|number| -number) } else { *value };
        for (row, number) in rows.iter_mut().zip(before) {
            row.0[lane] = number;
        }
    }
}

enum Kind {
    /// The channel has one value at all times.
    Constant,
    /// Lines, arcs and steps; these channels go into tracks.
    Keyed,
    Loose,
}

fn kind(channel: &Channel) -> Kind {
    /// The largest difference from 1 that a rotation's squared length may have.
    const UNIT: f32 = 1e-5;
    let width = channel.property.width();
    let mut values = channel.values.chunks_exact(width);
    if channel.interpolation == Interpolation::CubicSpline {
        return if channel.values.len() == 3 * width { Kind::Constant } else { Kind::Loose };
    }
    let Some(first) = values.next() else { return Kind::Loose };
    if values.clone().all(|value| value == first) {
        return Kind::Constant;
    }
    let is_unit = |value: &[f32]| (value.iter().map(|number| number * number).sum::<f32>() - 1.0).abs() <= UNIT;
    if channel.property == Property::Rotation && !(is_unit(first) && values.all(is_unit)) {
        return Kind::Loose;
    }
    Kind::Keyed
}

fn first_row(property: Property) -> usize {
    match property {
        Property::Rotation => local_row::ROTATION,
        Property::Translation => local_row::TRANSLATION,
        Property::Scale => local_row::SCALE,
    }
}

/// The numbers of one property; the fourth number of a translation and a scale is 0.
fn numbers_of(local: &LocalTransform, property: Property) -> [f32; 4] {
    let LocalTransform::Trs(trs) = local else { return [0.0; 4] };
    match property {
        Property::Rotation => trs.rotation.to_array(),
        Property::Translation => trs.translation.extend(0.0).to_array(),
        Property::Scale => trs.scale.extend(0.0).to_array(),
    }
}

/// Finds the keys around a time; NaN counts as before the first key.
fn moment(times: &[f32], time: f32) -> Moment {
    let last = times.len() - 1;
    let (start, end) = (times[0], times[last]);
    if time <= start || time.is_nan() {
        return Moment::new([0, last.min(1)], 0.0);
    }
    if time >= end {
        return Moment::new([last, last], 0.0);
    }
    // The keys of most clips are evenly spaced, so the first guess is right or next to the right key.
    let guess = ((time - start) / (end - start) * last as f32) as usize;
    let guess = guess.min(last - 1);
    let key = if times[guess] <= time {
        if time < times[guess + 1] { guess } else { guess + times[guess..].partition_point(|&key| key <= time) - 1 }
    } else {
        times[..guess].partition_point(|&key| key <= time) - 1
    };
    let fraction = (time - times[key]) / (times[key + 1] - times[key]);
    Moment::new([key, key + 1], fraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_moment_is_where_looking_at_all_keys_finds_it(
            mut times in prop::collection::vec(-8i8..40, 1..12),
            even: bool,
            time in -10f32..45.0,
        ) {
            times.sort_unstable();
            times.dedup();
            let count = times.len();
            let times: Vec<f32> =
                if even { (0..count).map(|i| 0.37 * i as f32).collect() } else { times.into_iter().map(f32::from).collect() };
            for time in times.iter().copied().chain([time, f32::NAN, f32::INFINITY, f32::NEG_INFINITY]) {
                let Moment { keys: [key, next], fraction, .. } = moment(&times, time);
                let after = times.iter().filter(|&&key| key <= time).count();
                prop_assert_eq!(key, after.saturating_sub(1));
                prop_assert!(next == (key + 1).min(count - 1) && (0.0..1.0).contains(&fraction));
                if after > 0 && after < count {
                    prop_assert_eq!(fraction, (time - times[key]) / (times[next] - times[key]));
                } else {
                    prop_assert_eq!(fraction, 0.0);
                }
            }
        }
    }
}
