//! The byte stream of a clip's channels, which `FORMAT.md` describes.
//!
//! A channel is stored as `f32`, or in *steps*: as whole multiples of a power of two, with as many bytes for each
//! component as its range needs. Both forms keep every number to the bit. The writer uses steps if the numbers are such
//! multiples already, as [`compact_clip`](crate::compact_clip) makes them, and if steps are shorter.

mod decode;
mod encode;
mod steps;

pub(crate) use decode::decode;
pub(crate) use encode::encode;
use skeleton::{Interpolation, Property};
pub(crate) use steps::{MAX_EXPONENT, MIN_EXPONENT, from_steps, last_component};

/// The form in which the numbers of a channel are stored. It is a part of the channel's [`kind_byte`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Float,
    /// The component of a rotation that follows from the other three; 0 for translation and scale.
    Steps {
        omitted: u8,
    },
}

const PROPERTIES: [Property; 3] = [Property::Translation, Property::Rotation, Property::Scale];
const INTERPOLATIONS: [Interpolation; 3] = [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline];

/// Bits 0 and 1 are the property, bits 2 and 3 the interpolation, bit 4 says that steps follow, bits 5 and 6 are the
/// omitted component.
fn kind_byte(property: Property, interpolation: Interpolation, encoding: Encoding) -> u8 {
    let encoding = match encoding {
        Encoding::Float => 0,
        Encoding::Steps { omitted } => 0x10 | omitted << 5,
    };
    property as u8 | (interpolation as u8) << 2 | encoding
}

/// Decodes a byte of [`kind_byte`]; `None` for a byte that this function never makes.
fn kind_of(byte: u8) -> Option<(Property, Interpolation, Encoding)> {
    let property = *PROPERTIES.get(usize::from(byte & 3))?;
    let interpolation = *INTERPOLATIONS.get(usize::from(byte >> 2 & 3))?;
    let encoding = if byte & 0x10 == 0 { Encoding::Float } else { Encoding::Steps { omitted: byte >> 5 } };
    let is_known = match encoding {
        Encoding::Float => byte >> 5 == 0,
        Encoding::Steps { omitted } => {
            interpolation != Interpolation::CubicSpline && omitted < if property == Property::Rotation { 4 } else { 1 }
        }
    };
    is_known.then_some((property, interpolation, encoding))
}

/// The components that are stored of one key, in their order.
fn stored_components(property: Property, omitted: u8) -> [usize; 3] {
    match (property, omitted) {
        (Property::Rotation, 0) => [1, 2, 3],
        (Property::Rotation, 1) => [0, 2, 3],
        (Property::Rotation, 2) => [0, 1, 3],
        _ => [0, 1, 2],
    }
}
