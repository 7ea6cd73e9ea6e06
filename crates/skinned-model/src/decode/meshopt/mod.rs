//! Decodes EXT_meshopt_compression and KHR_meshopt_compression.
//!
//! The code follows the bitstream in the specifications of these extensions (appendix A of both).
//! KHR_meshopt_compression adds version 1 of the attribute codec and the color filter. The decoder refuses a stream
//! that ends early, has bytes left over, or names an unknown mode. It allocates only the result, which the caller has
//! charged to the budget.

mod attributes;
mod filters;
mod indices;
#[cfg(test)]
mod tests;

use crate::document::view_compression::{Compression, Filter, Mode};

/// Returns the bytes of a view: `count * stride` bytes.
///
/// # Errors
/// Returns a description of what is wrong with the stream.
pub(crate) fn decompress(bytes: &[u8], compression: &Compression) -> Result<Vec<u8>, String> {
    let (count, stride) = (compression.count as usize, compression.stride as usize);
    match compression.mode {
        Mode::Attributes => {
            let mut data = attributes::decode(bytes, count, stride)?;
            filters::apply(compression.filter, stride, &mut data)?;
            Ok(data)
        }
        _ if compression.filter != Filter::None => Err("indices have a filter, expected none".to_owned()),
        Mode::Triangles => indices::decode_triangles(bytes, count, stride),
        Mode::Indices => indices::decode_sequence(bytes, count, stride),
    }
}

/// Reads a stream from its start.
struct Stream<'a>(&'a [u8]);

impl<'a> Stream<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let Some((taken, rest)) = self.0.split_at_checked(count) else {
            return Err(format!("the stream ends early: expected {count} more bytes, found {}", self.0.len()));
        };
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, String> {
        self.take(1).map(|byte| byte[0])
    }

    /// Reads an integer of seven bits per byte, the lowest bits first, in at most five bytes.
    fn varint(&mut self) -> Result<u32, String> {
        let mut value = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Ok(value)
    }

    fn end(self) -> Result<(), String> {
        match self.0.len() {
            0 => Ok(()),
            left => Err(format!("{left} bytes are left over in the stream")),
        }
    }
}

/// Splits a stream into its header byte, body and tail.
fn parts(bytes: &[u8], tail: usize) -> Result<(u8, Stream<'_>, &[u8]), String> {
    let mut stream = Stream(bytes);
    let header = stream.byte()?;
    let Some(body) = stream.0.len().checked_sub(tail) else {
        return Err(format!("the stream is too short: expected a tail of {tail} bytes, found {}", stream.0.len()));
    };
    let (body, tail) = stream.0.split_at(body);
    Ok((header, Stream(body), tail))
}

/// Converts 0, 1, 2, 3, ... to 0, -1, 1, -2, ...
fn unzigzag(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}
