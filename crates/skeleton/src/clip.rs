//! Animation clips: keys over time, as in glTF 2.0 section 3.11, and their sampling.

use crate::{JointIndex, LocalTransform, Skeleton, Trs};
use glam::{Quat, Vec3};

/// The part of a joint's local transform that a channel animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// Three numbers per value: a translation in the parent's space and unit.
    Translation,
    /// Four numbers per value: a unit quaternion x, y, z, w.
    Rotation,
    /// Three numbers per value: scale factors along the joint's own axes.
    Scale,
}

impl Property {
    /// The number of floats in one value: 3, or 4 for a rotation.
    #[must_use]
    pub fn width(self) -> usize {
        match self {
            Self::Rotation => 4,
            Self::Translation | Self::Scale => 3,
        }
    }
}

/// The rule by which a channel's value changes between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interpolation {
    /// The value stays at the value of the earlier key.
    Step,
    /// The value changes linearly; rotations follow the shorter great arc.
    Linear,
    /// A cubic Hermite spline: each key holds an in-tangent, a value and an out-tangent.
    CubicSpline,
}

impl Interpolation {
    /// The number of values that a channel stores for one key: 1, or 3 for a spline.
    #[must_use]
    pub fn values_per_key(self) -> usize {
        if self == Self::CubicSpline { 3 } else { 1 }
    }
}

/// One property of one joint over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// The joint that the channel animates.
    pub joint: JointIndex,
    /// The part of the joint's local transform that the channel animates.
    pub property: Property,
    /// The rule by which the value changes between keys.
    pub interpolation: Interpolation,
    /// The list of key times of this channel, an index into [`Clip::timelines`].
    pub timeline: u32,
    /// The keys' values, key after key: `keys * values_per_key * width` floats, all finite. A spline stores the
    /// in-tangent, the value and the out-tangent of a key in this order.
    pub values: Vec<f32>,
}

/// A named animation.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// The clip's name, unique among a character's clips and not empty.
    pub name: String,
    /// Lists of key times, which channels share by index. Key times are seconds on the clip's own clock, finite and
    /// strictly increasing; each list has at least one.
    pub timelines: Vec<Vec<f32>>,
    /// The channels, sorted by joint and property. Each pair of a joint and a property occurs at most once.
    pub channels: Vec<Channel>,
}

/// The reason why a clip cannot be sampled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClipError {
    /// A list of key times is empty, has a time that is not finite, or does not increase strictly.
    #[error(
        "clip {clip:?}: timeline {timeline} is empty, not finite or not increasing (at key {key}); pass increasing, finite times"
    )]
    Times {
        /// The clip's name.
        clip: String,
        /// Index into [`Clip::timelines`].
        timeline: usize,
        /// The first key whose time is wrong, counted from 0.
        key: usize,
    },
    /// A channel names a joint or a timeline that does not exist, or animates a joint whose transform is a matrix.
    #[error(
        "clip {clip:?}: channel {channel} cannot animate joint {joint} with timeline {timeline}; pass a timeline and a joint that exist, and a joint whose transform is not a matrix"
    )]
    Target {
        /// The clip's name.
        clip: String,
        /// Index into [`Clip::channels`].
        channel: usize,
        /// The joint that the channel names, an index into [`Skeleton::joints`].
        joint: u16,
        /// The timeline that the channel names, an index into [`Clip::timelines`].
        timeline: u32,
    },
    /// The number of values does not match the number of key times.
    #[error(
        "clip {clip:?}: channel {channel} has {found} numbers, but its interpolation and timeline need {expected}; pass as many numbers as they need"
    )]
    Values {
        /// The clip's name.
        clip: String,
        /// Index into [`Clip::channels`].
        channel: usize,
        /// The number of floats that the timeline and the interpolation need.
        expected: usize,
        /// The number of floats that the channel has.
        found: usize,
    },
    /// A value is NaN or infinite.
    #[error(
        "clip {clip:?}: channel {channel} has a value that is not finite; look for a division by zero where it is computed"
    )]
    NotFinite {
        /// The clip's name.
        clip: String,
        /// Index into [`Clip::channels`].
        channel: usize,
    },
    /// The channels are not sorted by joint and property, or a pair occurs twice.
    #[error(
        "clip {clip:?}: channel {channel} is out of order, or animates the same property as an earlier channel; sort channels by joint and property"
    )]
    Order {
        /// The clip's name.
        clip: String,
        /// Index into [`Clip::channels`].
        channel: usize,
    },
}

impl Clip {
    /// The time of the earliest key, in seconds on the clip's own clock; 0 for a clip without keys.
    #[must_use]
    pub fn start(&self) -> f32 {
        let start = self.timelines.iter().filter_map(|times| times.first()).fold(f32::INFINITY, |a, &b| a.min(b));
        if start.is_finite() { start } else { 0.0 }
    }

    /// The time of the latest key, in seconds on the clip's own clock; 0 for a clip without keys.
    #[must_use]
    pub fn end(&self) -> f32 {
        let end = self.timelines.iter().filter_map(|times| times.last()).fold(f32::NEG_INFINITY, |a, &b| a.max(b));
        if end.is_finite() { end } else { 0.0 }
    }

    /// The length of the clip, from its earliest key to its latest, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f32 {
        self.end() - self.start()
    }

    /// Checks that [`Clip::sample`] can sample the clip for a skeleton.
    ///
    /// # Errors
    /// Returns the first problem found, as a [`ClipError`].
    pub fn validate(&self, skeleton: &Skeleton) -> Result<(), ClipError> {
        for (timeline, times) in self.timelines.iter().enumerate() {
            let bad = (0..times.len()).find(|&k| !times[k].is_finite() || (k > 0 && times[k] <= times[k - 1]));
            if let Some(key) = bad.or(times.is_empty().then_some(0)) {
                return Err(ClipError::Times { clip: self.name.clone(), timeline, key });
            }
        }
        let mut previous = None;
        for (index, channel) in self.channels.iter().enumerate() {
            let clip = || self.name.clone();
            let joint = skeleton.joints().get(channel.joint.index());
            let animated = joint.is_some_and(|joint| matches!(joint.rest, LocalTransform::Trs(_)));
            let Some(times) = self.timelines.get(channel.timeline as usize).filter(|_| animated) else {
                let (joint, timeline) = (channel.joint.0, channel.timeline);
                return Err(ClipError::Target { clip: clip(), channel: index, joint, timeline });
            };
            let expected = times.len() * channel.interpolation.values_per_key() * channel.property.width();
            let found = channel.values.len();
            if found != expected {
                return Err(ClipError::Values { clip: clip(), channel: index, expected, found });
            }
            if !all_finite(&channel.values) {
                return Err(ClipError::NotFinite { clip: clip(), channel: index });
            }
            let key = (channel.joint, channel.property);
            if previous.is_some_and(|previous| previous >= key) {
                return Err(ClipError::Order { clip: clip(), channel: index });
            }
            previous = Some(key);
        }
        Ok(())
    }

    /// Samples the clip at `time` and overwrites the local transforms that it animates. All other transforms stay
    /// unchanged.
    ///
    /// `time` is in seconds on the clip's own clock, as key times are. This clock need not begin at 0: the clip runs
    /// from [`Clip::start`] to [`Clip::end`], so a player that counts seconds from the beginning passes `clip.start() +
    /// seconds`. Sampling does not loop. A time before a channel's first key, or NaN, gives the first key's value; a
    /// time after the last key gives the last key's value (glTF 2.0, section 3.11).
    ///
    /// `local[j]` is `parent_from_joint` of joint `j`. [`Skeleton::rest_pose`] gives the transforms of joints that the
    /// clip does not animate. Joints whose transform is a matrix stay unchanged.
    ///
    /// # Panics
    /// Panics if `local` has no entry for a joint of the clip, or if the clip does not pass [`Clip::validate`] for this
    /// skeleton.
    pub fn sample(&self, time: f32, local: &mut [LocalTransform]) {
        for channel in 0..self.channels.len() {
            self.sample_channel(channel, time, local);
        }
    }

    /// Samples a single channel, as [`Clip::sample`] does for all channels. Use it if you need only some joints.
    /// `channel` is an index into [`Clip::channels`], and `time` is in seconds on the clip's own clock.
    ///
    /// # Panics
    /// Panics as [`Clip::sample`] does, and if `channel` is not below the number of channels.
    pub fn sample_channel(&self, channel: usize, time: f32, local: &mut [LocalTransform]) {
        let channel = &self.channels[channel];
        if let LocalTransform::Trs(trs) = &mut local[channel.joint.index()] {
            channel.sample(&self.timelines[channel.timeline as usize], time, trs);
        }
    }
}

impl Channel {
    fn sample(&self, times: &[f32], time: f32, trs: &mut Trs) {
        let segment = Segment::at(times, time);
        match self.property {
            Property::Translation => trs.translation = Vec3::from_array(self.value(&segment)),
            Property::Scale => trs.scale = Vec3::from_array(self.value(&segment)),
            Property::Rotation => trs.rotation = self.rotation(&segment),
        }
    }

    fn rotation(&self, segment: &Segment) -> Quat {
        if self.interpolation == Interpolation::Linear && segment.fraction > 0.0 {
            let [a, b]: [[f32; 4]; 2] = [self.stored(segment.key), self.stored(segment.key + 1)];
            return slerp_array(a, b, segment.fraction);
        }
        normalized(self.value(segment))
    }

    /// Returns the interpolated value. A rotation is not normalized yet.
    fn value<const N: usize>(&self, segment: &Segment) -> [f32; N] {
        let Segment { key, fraction: s, seconds } = *segment;
        match self.interpolation {
            Interpolation::CubicSpline if s > 0.0 => {
                let [a, out_tangent]: [[f32; N]; 2] = [self.stored(3 * key + 1), self.stored(3 * key + 2)];
                let [in_tangent, b]: [[f32; N]; 2] = [self.stored(3 * key + 3), self.stored(3 * key + 4)];
                let (s2, s3) = (s * s, s * s * s);
                std::array::from_fn(|i| {
                    (2.0 * s3 - 3.0 * s2 + 1.0) * a[i]
                        + seconds * (s3 - 2.0 * s2 + s) * out_tangent[i]
                        + (3.0 * s2 - 2.0 * s3) * b[i]
                        + seconds * (s3 - s2) * in_tangent[i]
                })
            }
            Interpolation::CubicSpline => self.stored(3 * key + 1),
            Interpolation::Linear if s > 0.0 => {
                let [a, b]: [[f32; N]; 2] = [self.stored(key), self.stored(key + 1)];
                std::array::from_fn(|i| a[i] + s * (b[i] - a[i]))
            }
            Interpolation::Linear | Interpolation::Step => self.stored(key),
        }
    }

    /// Returns the stored value with number `index`.
    fn stored<const N: usize>(&self, index: usize) -> [f32; N] {
        std::array::from_fn(|i| self.values[index * N + i])
    }
}

/// The two keys around a time.
struct Segment {
    /// The last key at or before the time.
    key: usize,
    /// The share of the way from that key (0) to the next key (1); always below 1.
    fraction: f32,
    /// The time between the two keys, in seconds.
    seconds: f32,
}

impl Segment {
    fn at(times: &[f32], time: f32) -> Self {
        let after = times.partition_point(|&key| key <= time);
        let clamped = |key| Self { key, fraction: 0.0, seconds: 0.0 };
        match after {
            0 => clamped(0),
            after if after == times.len() => clamped(after - 1),
            after => {
                let seconds = times[after] - times[after - 1];
                Self { key: after - 1, fraction: (time - times[after - 1]) / seconds, seconds }
            }
        }
    }
}

/// Tests block by block without an early exit, so that the compiler can test many floats at once. The clips of a baked
/// file are megabytes, and every load checks them.
fn all_finite(values: &[f32]) -> bool {
    values.chunks(256).all(|block| block.iter().fold(true, |finite, value| finite & value.is_finite()))
}

/// Returns the quaternion with unit length; the identity if its length is zero.
fn normalized(q: [f32; 4]) -> Quat {
    let q = q.map(f64::from);
    let length = dot(q, q).sqrt();
    if length > 0.0 && length.is_finite() {
        Quat::from_array(q.map(|component| (component / length) as f32))
    } else {
        Quat::IDENTITY
    }
}

/// Interpolates two unit quaternions along the shorter great arc (Shoemake 1985), with the same bits on every machine.
/// `s` is 0 for `a` and 1 for `b`.
#[must_use]
pub fn slerp(a: Quat, b: Quat, s: f32) -> Quat {
    slerp_array(a.to_array(), b.to_array(), s)
}

/// [`slerp`]. The computation is in f64, so that only arcs of length zero need a special case.
fn slerp_array(a: [f32; 4], b: [f32; 4], s: f32) -> Quat {
    let (a, mut b, s) = (a.map(f64::from), b.map(f64::from), f64::from(s));
    let mut cosine = dot(a, b);
    if cosine < 0.0 {
        cosine = -cosine;
        b = b.map(|component| -component);
    }
    let sine_squared = 1.0 - cosine * cosine;
    let (from, to) = if sine_squared > 1e-12 {
        let sine = sine_squared.sqrt();
        let angle = libm::atan2(sine, cosine);
        (libm::sin((1.0 - s) * angle) / sine, libm::sin(s * angle) / sine)
    } else {
        (1.0 - s, s)
    };
    normalized(std::array::from_fn(|i| (from * a[i] + to * b[i]) as f32))
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Joint;

    fn clip(interpolation: Interpolation, property: Property, times: &[f32], values: &[f32]) -> Clip {
        let channel = Channel { joint: JointIndex(0), property, interpolation, timeline: 0, values: values.to_vec() };
        Clip { name: "clip".into(), timelines: vec![times.to_vec()], channels: vec![channel] }
    }

    fn sampled(clip: &Clip, time: f32) -> Trs {
        let skeleton = Skeleton::new(vec![Joint { name: "a".into(), ..Joint::default() }]).unwrap();
        clip.validate(&skeleton).unwrap();
        let mut local = skeleton.rest_pose();
        clip.sample(time, &mut local);
        let LocalTransform::Trs(trs) = local[0] else { unreachable!() };
        trs
    }

    #[test]
    fn times_before_the_first_key_and_after_the_last_are_clamped() {
        let clip = clip(Interpolation::Linear, Property::Translation, &[1.0, 2.0], &[1.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
        for (time, x) in [(0.0, 1.0), (1.0, 1.0), (1.5, 2.0), (2.0, 3.0), (9.0, 3.0), (f32::NAN, 1.0)] {
            assert_eq!(sampled(&clip, time).translation.x, x, "at {time}");
        }
        assert_eq!((clip.start(), clip.end(), clip.seconds()), (1.0, 2.0, 1.0));
    }

    #[test]
    fn step_keeps_the_value_of_the_earlier_key() {
        let clip = clip(Interpolation::Step, Property::Scale, &[0.0, 1.0], &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
        assert_eq!(sampled(&clip, 0.999).scale, Vec3::ONE);
        assert_eq!(sampled(&clip, 1.0).scale, Vec3::splat(2.0));
    }

    #[test]
    fn rotations_take_the_shorter_arc() {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        // The second key is a quarter turn about z with the opposite sign.
        let clip =
            clip(Interpolation::Linear, Property::Rotation, &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -half, -half]);
        let eighth = Quat::from_rotation_z(std::f32::consts::FRAC_PI_4);
        assert!(sampled(&clip, 0.5).rotation.angle_between(eighth) < 1e-3);
    }

    #[test]
    fn a_cubic_spline_is_a_hermite_spline() {
        // x(t) = t^3, with the values 0 and 1 and the tangents 0 and 3.
        let values = [0.0, 0., 0., 0., 0., 0., 0., 0., 0., 3., 0., 0., 1., 0., 0., 0., 0., 0.];
        let clip = clip(Interpolation::CubicSpline, Property::Translation, &[0.0, 1.0], &values);
        for time in [0.0f32, 0.25, 0.5, 0.75, 1.0] {
            assert!((sampled(&clip, time).translation.x - time.powi(3)).abs() < 1e-6);
        }
    }

    #[test]
    fn clips_that_cannot_be_sampled_are_refused() {
        let skeleton = Skeleton::new(vec![Joint { name: "a".into(), ..Joint::default() }]).unwrap();
        let good = clip(Interpolation::Step, Property::Translation, &[0.0, 1.0], &[0.0; 6]);
        assert_eq!(good.validate(&skeleton), Ok(()));
        let mut bad = good.clone();
        bad.timelines[0][1] = 0.0;
        assert!(matches!(bad.validate(&skeleton), Err(ClipError::Times { key: 1, .. })));
        let mut bad = good.clone();
        bad.channels[0].values.pop();
        assert!(matches!(bad.validate(&skeleton), Err(ClipError::Values { expected: 6, found: 5, .. })));
        let mut bad = good.clone();
        bad.channels[0].values[5] = f32::NAN;
        assert!(matches!(bad.validate(&skeleton), Err(ClipError::NotFinite { channel: 0, .. })));
        let mut bad = good.clone();
        bad.channels[0].joint = JointIndex(1);
        assert!(matches!(bad.validate(&skeleton), Err(ClipError::Target { .. })));
        let mut bad = good.clone();
        bad.channels.push(good.channels[0].clone());
        assert!(matches!(bad.validate(&skeleton), Err(ClipError::Order { channel: 1, .. })));
    }
}
