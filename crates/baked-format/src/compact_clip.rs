//! Rounding the numbers of a clip so that a file holds them in few bytes.

use crate::clip_codec::{MAX_EXPONENT, MIN_EXPONENT, from_steps, last_component};
use skeleton::{Channel, Clip, Interpolation, Property};

/// The number of binary digits that stay: of each component of a rotation, and of the largest number of every other
/// channel.
const DIGITS: i32 = 22;

/// A component of a rotation can only be left out of the file if its size is at least this in all keys.
const LEAST_OMITTED: f64 = 0.25;

/// The least cosine of half the turn between two keys: far above what rounding changes, so that the shorter way stays the
/// shorter way.
const LEAST_COSINE: f64 = 1e-5;

/// Returns the clip with rounded numbers, so that [`write`](crate::write()) stores it in about half of the bytes.
///
/// Numbers of translations and scales change by at most 2^-23 (0.00000012) times the largest number of their channel,
/// which is the rounding error of `f32` for that largest number. Rotations turn by less than 0.00014 degrees at any
/// time. Names, interpolations, the time of each key, and the clip's start and end stay unchanged.
///
/// The clip must pass [`Clip::validate`]; channels that do not pass stay as they are. If the clip passes, the result
/// passes too.
///
/// # Details
///
/// - Numbers of translations and scales become multiples of a power of two, one power for each channel.
/// - Rotations become unit quaternions. Three components change by at most 2^-23. The fourth component follows from
///   them and is at least 0.25 in size, so a key turns by less than 0.0001 degrees. Some keys may change their sign,
///   which is the same rotation.
/// - A channel that has the same numbers at all keys keeps one key. Timelines that become unused or equal are removed.
/// - Splines stay as they are.
/// - Rotations stay as they are if no component is large enough in all keys. They also stay if two keys are half a turn
///   apart, because rounding could then reverse the direction of the turn.
/// - Channels whose largest number is above 2^123 or below 2^-78 stay as they are.
///
/// # Between keys
///
/// Translations and scales change by no more between keys than at keys, because a straight line weights two keys by
/// shares that sum to 1. Rotations change by at most 1.42 times as much: moving the ends of a great arc by a small
/// angle moves its points by the sum of `sin((1 - s) a) / sin(a)` and `sin(s a) / sin(a)` times that angle, where `a`,
/// half of the turn, is at most a quarter turn; the sum is `cos((s - 1/2) a) / cos(a / 2)`.
#[must_use]
pub fn compact_clip(clip: &Clip) -> Clip {
    let mut compact = Clip { name: clip.name.clone(), timelines: Vec::new(), channels: Vec::new() };
    for channel in &clip.channels {
        let mut rounded = channel.clone();
        let is_rounded = round(&mut rounded);
        let times = clip.timelines.get(channel.timeline as usize).map_or(&[][..], Vec::as_slice);
        let width = rounded.property.width();
        let mut keys = rounded.values.chunks_exact(width);
        let start = [clip.start()];
        let times = match keys.next() {
            Some(first) if is_rounded && keys.all(|key| key == first) => {
                rounded.values.truncate(width);
                &start
            }
            _ => times,
        };
        rounded.timeline = timeline_of(&mut compact, times);
        compact.channels.push(rounded);
    }
    let (start, end) = (clip.start(), clip.end());
    if (compact.start(), compact.end()) != (start, end) {
        compact.timelines.push(if start < end { vec![start, end] } else { vec![start] });
    }
    compact
}

/// The index of these times among the clip's timelines.
fn timeline_of(clip: &mut Clip, times: &[f32]) -> u32 {
    let known = clip.timelines.iter().position(|known| known == times);
    known.unwrap_or_else(|| {
        clip.timelines.push(times.to_vec());
        clip.timelines.len() - 1
    }) as u32
}

/// Rounds the numbers of a channel. Returns `false` if the channel stays as it is.
fn round(channel: &mut Channel) -> bool {
    if channel.interpolation == Interpolation::CubicSpline {
        return false;
    }
    if channel.property == Property::Rotation {
        return round_rotations(&mut channel.values);
    }
    let largest = channel.values.iter().fold(0.0f32, |largest, number| largest.max(number.abs()));
    if largest == 0.0 {
        channel.values.fill(0.0);
        return true;
    }
    // The exponent of the power of two at or below the largest number.
    let exponent = (largest.to_bits() >> 23).cast_signed() - 127 - DIGITS;
    if !(i32::from(MIN_EXPONENT)..=i32::from(MAX_EXPONENT)).contains(&exponent) {
        return false;
    }
    channel.values.iter_mut().for_each(|number| *number = rounded(f64::from(*number), exponent as i8));
    true
}

fn round_rotations(values: &mut [f32]) -> bool {
    let mut keys: Vec<[f64; 4]> = values.as_chunks().0.iter().map(|key: &[f32; 4]| key.map(f64::from)).collect();
    for key in &mut keys {
        let length = key.iter().map(|component| component * component).sum::<f64>().sqrt();
        *key = key.map(|component| component / length);
    }
    let least = |component: usize| keys.iter().fold(f64::INFINITY, |least, key| least.min(key[component].abs()));
    let by_size = (0..4).map(|component| (component, least(component)));
    let Some((omitted, least)) = by_size.max_by(|(_, a), (_, b)| a.total_cmp(b)) else { return false };
    let dot = |a: &[f64; 4], b: &[f64; 4]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let is_half_turn = |pair: &[[f64; 4]]| dot(&pair[0], &pair[1]).abs() < LEAST_COSINE;
    if !(LEAST_OMITTED..=2.0).contains(&least)
        || keys.iter().flatten().any(|component| component.is_nan())
        || keys.windows(2).any(is_half_turn)
    {
        return false;
    }
    for (value, key) in values.as_chunks_mut::<4>().0.iter_mut().zip(&keys) {
        let sign = key[omitted].signum();
        *value = key.map(|component| rounded(sign * component, -DIGITS as i8));
        let mut three = [0.0; 3];
        let others = (0..4).filter(|&component| component != omitted);
        three.iter_mut().zip(others).for_each(|(one, component)| *one = value[component]);
        value[omitted] = last_component(three);
    }
    true
}

/// The nearest multiple of two to the power of `exponent`; zero is positive.
fn rounded(number: f64, exponent: i8) -> f32 {
    let steps = (number / f64::from(from_steps(1, exponent))).round_ties_even();
    from_steps(steps as i32, exponent)
}
