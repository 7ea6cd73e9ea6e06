//! Decompression of EXT_meshopt_compression and KHR_meshopt_compression.
//!
//! Written from the bitstream in the specifications of these extensions (appendix A of either); the second adds
//! version 1 of the attribute codec and the color filter. A stream that ends early, has bytes left over, or names a
//! mode that is not there is refused; memory is that of the result, which the caller has allowed beforehand.

mod attributes;
mod filters;
mod indices;
#[cfg(test)]
mod tests;

use crate::document::view_compression::{Compression, Filter, Mode};

/// The bytes of a view: `count * stride` of them.
///
/// # Errors
/// What is wrong with the stream, in words.
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

/// Reads forward through a stream.
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

    /// Seven bits a byte, the lowest first, at most five bytes.
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

/// Splits a stream into header byte, body and tail.
fn parts(bytes: &[u8], tail: usize) -> Result<(u8, Stream<'_>, &[u8]), String> {
    let mut stream = Stream(bytes);
    let header = stream.byte()?;
    let Some(body) = stream.0.len().checked_sub(tail) else {
        return Err(format!("the stream is too short: expected a tail of {tail} bytes, found {}", stream.0.len()));
    };
    let (body, tail) = stream.0.split_at(body);
    Ok((header, Stream(body), tail))
}

/// 0, -1, 1, -2, ... as 0, 1, 2, 3, ...
fn unzigzag(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}
