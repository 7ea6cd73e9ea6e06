//! Cuts a range of time out of a clip.

use skeleton::{Channel, Clip, Interpolation, LocalTransform, Property, Skeleton, Trs};

/// The part of a clip from `from` to `to`, in seconds after the start of the clip. The result starts at 0. At every time of
/// the range it has the pose of the clip. `None` if the range has no length within the clip.
pub(crate) fn cut(clip: &Clip, skeleton: &Skeleton, from: f32, to: f32) -> Option<Clip> {
    let (start, end) = (clip.start() + from, (clip.start() + to).min(clip.end()));
    if start >= end {
        return None;
    }
    let mut timelines: Vec<Vec<f32>> = Vec::new();
    let mut channels = Vec::with_capacity(clip.channels.len());
    for (index, channel) in clip.channels.iter().enumerate() {
        let times = &clip.timelines[channel.timeline as usize];
        let keys = keys(times, start, end);
        let values = keys.iter().flat_map(|&key| match (channel.interpolation, key) {
            (Interpolation::CubicSpline, Key::Own(key)) => spline_key(channel, times.len(), key),
            (Interpolation::CubicSpline, Key::At(time)) => spline_at(channel, times, time),
            (_, Key::Own(key)) => stored(channel, key).to_vec(),
            (_, Key::At(time)) => sampled(clip, skeleton, index, time),
        });
        let own = keys.iter().map(|key| key.time(times) - start).collect();
        let timeline = timelines.iter().position(|there| *there == own).unwrap_or_else(|| {
            timelines.push(own);
            timelines.len() - 1
        });
        channels.push(Channel { timeline: timeline as u32, values: values.collect(), ..channel.clone() });
    }
    Some(Clip { name: clip.name.clone(), timelines, channels })
}

/// A key of the result.
#[derive(Clone, Copy)]
enum Key {
    /// The key of the clip with this index.
    Own(usize),
    /// A new key at this time on the clip's clock.
    At(f32),
}

impl Key {
    fn time(self, times: &[f32]) -> f32 {
        match self {
            Self::Own(key) => times[key],
            Self::At(time) => time,
        }
    }
}

/// The keys of the result: both ends, and the keys between them. Keys whose times are equal after the shift by `start` are
/// one key.
fn keys(times: &[f32], start: f32, end: f32) -> Vec<Key> {
    let mut keys = vec![Key::At(start)];
    let mut last = 0.0;
    for (key, &time) in times.iter().enumerate() {
        if time > start && time < end && time - start > last && time - start < end - start {
            last = time - start;
            keys.push(Key::Own(key));
        }
    }
    keys.push(Key::At(end));
    keys
}

fn stored(channel: &Channel, value: usize) -> &[f32] {
    let width = channel.property.width();
    &channel.values[value * width..(value + 1) * width]
}

/// The value of a channel without a spline at a time.
fn sampled(clip: &Clip, skeleton: &Skeleton, channel: usize, time: f32) -> Vec<f32> {
    let Channel { joint, property, .. } = clip.channels[channel];
    let mut local = vec![LocalTransform::Trs(Trs::IDENTITY); joint.index() + 1];
    local[joint.index()] = skeleton.joint(joint).rest;
    clip.sample_channel(channel, time, &mut local);
    let LocalTransform::Trs(trs) = local[joint.index()] else { return vec![0.0; property.width()] };
    match property {
        Property::Translation => trs.translation.to_array().to_vec(),
        Property::Rotation => trs.rotation.to_array().to_vec(),
        Property::Scale => trs.scale.to_array().to_vec(),
    }
}

/// A key of a spline. Before the first key and after the last one the value is constant, so the tangents there, which the
/// clip does not use, become 0.
fn spline_key(channel: &Channel, count: usize, key: usize) -> Vec<f32> {
    let mut values: Vec<f32> = (3 * key..3 * key + 3).flat_map(|value| stored(channel, value)).copied().collect();
    let width = channel.property.width();
    if key == 0 {
        values[..width].fill(0.0);
    }
    if key + 1 == count {
        values[2 * width..].fill(0.0);
    }
    values
}

/// A new key of a spline: its value, with the slope before it as in-tangent and the slope after it as out-tangent. A part of
/// a cubic polynomial is the cubic polynomial with the same values and slopes at the ends of the part.
fn spline_at(channel: &Channel, times: &[f32], time: f32) -> Vec<f32> {
    let width = channel.property.width();
    // The segments that end and begin at or around the time. Before the first key and after the last one there is none.
    let [before, after] = [times.partition_point(|&key| key < time), times.partition_point(|&key| key <= time)];
    let segment = |end: usize| (1..times.len()).contains(&end).then(|| polynomial(channel, times, end - 1, time));
    let (before, after) = (segment(before), segment(after));
    let constant = if times.first().is_some_and(|&first| time <= first) { 0 } else { times.len() - 1 };
    let value = match (&before, &after) {
        (Some((value, _)), _) | (None, Some((value, _))) => value.clone(),
        (None, None) => stored(channel, 3 * constant + 1).to_vec(),
    };
    let slope = |segment: Option<(Vec<f32>, Vec<f32>)>| segment.map_or_else(|| vec![0.0; width], |(_, slope)| slope);
    [slope(before), value, slope(after)].concat()
}

/// The value and the slope per second of the spline between a key and the next one.
fn polynomial(channel: &Channel, times: &[f32], key: usize, time: f32) -> (Vec<f32>, Vec<f32>) {
    let seconds = f64::from(times[key + 1] - times[key]);
    let s = f64::from(time - times[key]) / seconds;
    let (s2, s3) = (s * s, s * s * s);
    let part = |value: usize, i: usize| f64::from(stored(channel, 3 * key + value)[i]);
    let at = |i: usize| {
        let (a, out, into, b) = (part(1, i), part(2, i) * seconds, part(3, i) * seconds, part(4, i));
        let value =
            (2.0 * s3 - 3.0 * s2 + 1.0) * a + (s3 - 2.0 * s2 + s) * out + (3.0 * s2 - 2.0 * s3) * b + (s3 - s2) * into;
        let slope = (6.0 * s2 - 6.0 * s) * (a - b) + (3.0 * s2 - 4.0 * s + 1.0) * out + (3.0 * s2 - 2.0 * s) * into;
        (value as f32, (slope / seconds) as f32)
    };
    (0..channel.property.width()).map(at).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use skeleton::{Joint, JointIndex};
    use test_models::Random;

    /// A clip of one joint with random keys in every combination of property and interpolation.
    fn clip(random: &mut Random, interpolation: Interpolation) -> Clip {
        let mut timelines = Vec::new();
        let mut channels = Vec::new();
        for property in [Property::Translation, Property::Rotation, Property::Scale] {
            let mut time = random.between(-1.0, 1.0);
            let times: Vec<f32> = (0..1 + random.below(5))
                .map(|_| {
                    time += random.between(0.05, 1.0);
                    time
                })
                .collect();
            let width = property.width();
            let mut values = Vec::new();
            for _ in 0..times.len() * interpolation.values_per_key() {
                let value = match property {
                    // The length of a spline of any rotations may be near 0, where rounding decides about its direction.
                    Property::Rotation if interpolation == Interpolation::CubicSpline => {
                        (0.2 * random.vector()).extend(1.0).to_array().to_vec()
                    }
                    Property::Rotation => random.rotation().to_array().to_vec(),
                    _ => random.vector().to_array().to_vec(),
                };
                values.extend(&value[..width]);
            }
            channels.push(Channel {
                joint: JointIndex(0),
                property,
                interpolation,
                timeline: timelines.len() as u32,
                values,
            });
            timelines.push(times);
        }
        Clip { name: "clip".into(), timelines, channels }
    }

    /// At each time of the range, the part has the pose of the clip. A step at the end of a pair of keys may be on either
    /// side of a rounded time, so steps are compared away from keys.
    #[test]
    fn a_part_has_the_poses_of_the_clip() {
        let skeleton = Skeleton::new(vec![Joint { name: "a".into(), ..Joint::default() }]).unwrap();
        let mut random = Random::new(11);
        for interpolation in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
            let (mut parts, mut worst) = (0, 0.0_f32);
            for _ in 0..300 {
                let clip = clip(&mut random, interpolation);
                clip.validate(&skeleton).unwrap();
                let from = random.between(0.0, clip.seconds() + 0.1);
                let to = from + random.between(0.01, 2.0);
                let Some(part) = cut(&clip, &skeleton, from, to) else {
                    assert!(from >= clip.seconds() - 1e-5);
                    continue;
                };
                parts += 1;
                part.validate(&skeleton).unwrap();
                assert_eq!(part.start(), 0.0);
                assert!((part.end() - (to.min(clip.seconds()) - from)).abs() < 1e-5);
                for step in 0..=50 {
                    let time = part.end() * step as f32 / 50.0;
                    let is_near_key =
                        clip.timelines.iter().flatten().any(|key| (key - clip.start() - from - time).abs() < 1e-4);
                    if interpolation == Interpolation::Step && is_near_key {
                        continue;
                    }
                    let pose = |clip: &Clip, time: f32| {
                        let mut local = skeleton.rest_pose();
                        clip.sample(time, &mut local);
                        local[0].to_affine()
                    };
                    let (found, expected) = (pose(&part, time), pose(&clip, clip.start() + from + time));
                    let apart = found.to_cols_array().into_iter().zip(expected.to_cols_array());
                    worst = apart.map(|(a, b)| (a - b).abs()).fold(worst, f32::max);
                }
            }
            assert!(parts > 200 && worst < 2e-3, "{interpolation:?}: {parts} parts, {worst}");
        }
    }
}
