//! Channels to bytes.

use super::steps::{common_exponent, last_component, to_steps};
use super::{Encoding, kind_byte, stored_components};
use crate::byte_stream::{push_difference, push_number};
use skeleton::{Channel, Clip, Interpolation, Property};

/// Encodes the channels of a valid clip. The bytes of an invalid clip have no meaning.
pub(crate) fn encode(clip: &Clip) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut last = 0;
    for channel in &clip.channels {
        push_number(&mut bytes, u64::from(channel.joint.0.wrapping_sub(last)));
        last = channel.joint.0;
        let in_steps = Steps::of_channel(channel).filter(|steps| steps.len() < 4 * channel.values.len());
        let encoding = in_steps.as_ref().map_or(Encoding::Float, |steps| Encoding::Steps { omitted: steps.omitted });
        bytes.push(kind_byte(channel.property, channel.interpolation, encoding));
        push_number(&mut bytes, channel.timeline.into());
        match in_steps {
            Some(steps) => bytes.extend_from_slice(&steps.bytes),
            None => bytes.extend(channel.values.iter().flat_map(|value| value.to_le_bytes())),
        }
    }
    bytes
}

/// The numbers of a channel in steps.
struct Steps {
    omitted: u8,
    bytes: Vec<u8>,
}

impl Steps {
    /// Returns `None` if the numbers are not exact multiples of a step.
    fn of_channel(channel: &Channel) -> Option<Self> {
        let is_whole = channel.values.len().is_multiple_of(channel.property.width());
        if channel.interpolation == Interpolation::CubicSpline || channel.values.is_empty() || !is_whole {
            return None;
        }
        if channel.property != Property::Rotation {
            return Self::with_omitted(channel, 0);
        }
        let is_last = |omitted: u8| {
            channel.values.as_chunks::<4>().0.iter().all(|key| {
                let three = stored_components(Property::Rotation, omitted).map(|component| key[component]);
                last_component(three).to_bits() == key[usize::from(omitted)].to_bits()
            })
        };
        (0..4).filter(|&omitted| is_last(omitted)).find_map(|omitted| Self::with_omitted(channel, omitted))
    }

    fn with_omitted(channel: &Channel, omitted: u8) -> Option<Self> {
        let width = channel.property.width();
        let keys = channel.values.len() / width;
        let components = stored_components(channel.property, omitted);
        let column = |component: usize| channel.values[component..].iter().copied().step_by(width);
        let exponent = common_exponent(components.into_iter().flat_map(column))?;
        let mut bytes = vec![exponent.cast_unsigned()];
        let (mut planes, mut total) = (Vec::new(), 0);
        for component in components {
            let mut range: Option<(i32, i32)> = None;
            for number in column(component) {
                let steps = to_steps(number, exponent)?;
                range = Some(range.map_or((steps, steps), |(low, high)| (low.min(steps), high.max(steps))));
            }
            let (low, high) = range?;
            let count = (32 - (high - low).leading_zeros()).div_ceil(8) as usize;
            if count > 3 {
                return None;
            }
            total += count;
            bytes.push(count as u8);
            push_difference(&mut bytes, low.into());
            for number in column(component) {
                let above = to_steps(number, exponent)? - low;
                planes.extend_from_slice(&above.to_le_bytes()[..count]);
            }
        }
        // A file's size bounds the memory that its clips take.
        if keys > 1 && total == 0 {
            return None;
        }
        bytes.append(&mut planes);
        Some(Self { omitted, bytes })
    }

    fn len(&self) -> usize {
        self.bytes.len()
    }
}
