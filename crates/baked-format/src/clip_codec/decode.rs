//! Bytes to channels.

use super::steps::{MAX_EXPONENT, MAX_STEPS, MIN_EXPONENT, last_component, step};
use super::{Encoding, kind_of, stored_components};
use crate::byte_stream::{ByteStream, Decoded, StreamError};
use skeleton::{Channel, JointIndex, Property};

/// The least bytes of a channel: joint, kind, timeline, exponent, and two bytes for each of three components.
const LEAST_BYTES: usize = 10;

/// Decodes `count` channels, with keys at the times of these timelines. The channels may still be invalid.
///
/// Memory is bounded by the number of bytes: a key in steps takes at least one byte and becomes sixteen at most.
pub(crate) fn decode(bytes: &[u8], count: usize, timelines: &[Vec<f32>]) -> Decoded<Vec<Channel>> {
    let mut stream = ByteStream::of_entries(bytes, count, LEAST_BYTES)?;
    let mut channels = Vec::with_capacity(count);
    let mut joint = 0;
    for _ in 0..count {
        joint += stream.below(usize::from(u16::MAX) + 1 - joint)?;
        let kind = kind_of(stream.byte()?);
        let (property, interpolation, encoding) = kind.ok_or(StreamError("a channel is of an unknown kind"))?;
        let timeline = stream.below(timelines.len())?;
        let keys = timelines[timeline].len();
        let values = match encoding {
            Encoding::Float => {
                let numbers = keys.checked_mul(interpolation.values_per_key() * property.width());
                floats(&mut stream, numbers.ok_or(StreamError("a channel has too many keys"))?)?
            }
            Encoding::Steps { omitted } => in_steps(&mut stream, keys, property, omitted)?,
        };
        let (joint, timeline) = (JointIndex(joint as u16), timeline as u32);
        channels.push(Channel { joint, property, interpolation, timeline, values });
    }
    stream.end()?;
    Ok(channels)
}

fn floats(stream: &mut ByteStream<'_>, count: usize) -> Decoded<Vec<f32>> {
    let bytes = stream.slice(count.checked_mul(4).ok_or(StreamError("a channel has too many keys"))?)?;
    Ok(bytes.as_chunks().0.iter().map(|&four| f32::from_le_bytes(four)).collect())
}

fn in_steps(stream: &mut ByteStream<'_>, keys: usize, property: Property, omitted: u8) -> Decoded<Vec<f32>> {
    let exponent = stream.i8()?;
    if !(MIN_EXPONENT..=MAX_EXPONENT).contains(&exponent) {
        return Err(StreamError("the step of a channel is too small or too large"));
    }
    let components = stored_components(property, omitted);
    let mut planes = [(0, 0); 3];
    for plane in &mut planes {
        let count = stream.byte()?;
        let low = stream.difference()?;
        if count > 3 || low.unsigned_abs() > u64::from(MAX_STEPS.unsigned_abs()) {
            return Err(StreamError("a channel's component has too many steps or bytes"));
        }
        *plane = (usize::from(count), low as i32);
    }
    let total: usize = planes.iter().map(|(count, _)| count).sum();
    if keys > 1 && total == 0 {
        return Err(StreamError("a channel of several keys has no bytes for them"));
    }
    let bytes = stream.slice(keys.checked_mul(total).ok_or(StreamError("a channel has too many keys"))?)?;
    let step = step(exponent);
    if property == Property::Rotation {
        let mut values = vec![[0.0; 4]; keys];
        fill(&mut values, bytes, planes, components, step);
        for key in &mut values {
            key[usize::from(omitted)] = last_component(components.map(|component| key[component]));
        }
        return Ok(values.into_flattened());
    }
    let mut values = vec![[0.0; 3]; keys];
    fill(&mut values, bytes, planes, components, step);
    Ok(values.into_flattened())
}

fn fill<const N: usize>(
    values: &mut [[f32; N]],
    mut bytes: &[u8],
    planes: [(usize, i32); 3],
    components: [usize; 3],
    step: f32,
) {
    for ((count, low), component) in planes.into_iter().zip(components) {
        let (plane, rest) = bytes.split_at(count * values.len());
        bytes = rest;
        let numbers = values.iter_mut().map(|key| &mut key[component]);
        match count {
            0 => numbers.for_each(|number| *number = low as f32 * step),
            1 => fill_plane::<1>(numbers, plane, low, step),
            2 => fill_plane::<2>(numbers, plane, low, step),
            _ => fill_plane::<3>(numbers, plane, low, step),
        }
    }
}

#[inline]
fn fill_plane<'a, const BYTES: usize>(numbers: impl Iterator<Item = &'a mut f32>, plane: &[u8], low: i32, step: f32) {
    for (number, bytes) in numbers.zip(plane.as_chunks::<BYTES>().0) {
        let mut four = [0; 4];
        four[..BYTES].copy_from_slice(bytes);
        *number = (low + i32::from_le_bytes(four)) as f32 * step;
    }
}
