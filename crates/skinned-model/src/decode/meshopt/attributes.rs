//! The attribute codec, versions 0 and 1. It stores each byte (or short, or word) of an element as the difference to
//! the previous element. Elements are grouped in blocks, and a block stores one byte position after the other.

use super::{Stream, parts, unzigzag};

/// The number of elements in a group within a block.
const GROUP: usize = 16;
/// The largest number of elements in a block, and the largest number of bytes.
const BLOCK: (usize, usize) = (256, 8192);

/// The width in bits of a group's differences, by its two header bits.
const WIDTHS_0: [u32; 4] = [0, 2, 4, 8];
/// The widths in version 1, where two control bits choose either the first four or the last four.
const WIDTHS_1: [u32; 5] = [0, 1, 2, 4, 8];

pub(super) fn decode(bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
    if stride == 0 || stride > 256 || !stride.is_multiple_of(4) {
        return Err(format!("an element has {stride} bytes, expected a multiple of 4 up to 256"));
    }
    let version = match bytes.first() {
        Some(0xa0) => 0,
        Some(0xa1) => 1,
        Some(header) => return Err(format!("the header is {header:02x}, expected a0 or a1")),
        None => return Err("the stream is empty".to_owned()),
    };
    // The tail holds the element before the first one, and in version 1 a channel mode for each four bytes of an
    // element. Padding comes before these bytes.
    let (used, least) = if version == 0 { (stride, 32) } else { (stride + stride / 4, 24) };
    let (_, mut body, tail) = parts(bytes, used.max(least))?;
    let (previous, channels) = tail[tail.len() - used..].split_at(stride);
    let mut previous = previous.to_vec();
    let mut data = vec![0; count * stride];
    let block = (BLOCK.1 / stride / GROUP * GROUP).min(BLOCK.0);
    for elements in data.chunks_mut(block * stride) {
        decode_block(&mut body, elements, &previous, channels)?;
        previous.copy_from_slice(&elements[elements.len() - stride..]);
    }
    body.end()?;
    Ok(data)
}

/// Decodes the elements of one block; `channels` is empty in version 0.
fn decode_block(stream: &mut Stream<'_>, elements: &mut [u8], previous: &[u8], channels: &[u8]) -> Result<(), String> {
    let stride = previous.len();
    let count = elements.len() / stride;
    let controls = stream.take(channels.len())?;
    let mut planes = [[0u8; BLOCK.0]; 4];
    for word in 0..stride / 4 {
        for (byte, plane) in planes.iter_mut().enumerate() {
            let plane = &mut plane[..count];
            match controls.get(word).map(|control| control >> (2 * byte) & 3) {
                None => decode_groups(stream, plane, &WIDTHS_0)?,
                Some(0) => decode_groups(stream, plane, &WIDTHS_1[..4])?,
                Some(1) => decode_groups(stream, plane, &WIDTHS_1[1..])?,
                Some(2) => plane.fill(0),
                Some(_) => plane.copy_from_slice(stream.take(count)?),
            }
        }
        let channel = channels.get(word).copied().unwrap_or(0);
        let word = word * 4..word * 4 + 4;
        let mut last =
            [previous[word.start], previous[word.start + 1], previous[word.start + 2], previous[word.start + 3]];
        for (at, element) in elements.chunks_exact_mut(stride).enumerate() {
            last = undo_difference(channel, last, planes.map(|plane| plane[at]))?;
            element[word.clone()].copy_from_slice(&last);
        }
    }
    Ok(())
}

/// Computes four bytes of an element from the bytes of the previous element and their difference.
fn undo_difference(channel: u8, last: [u8; 4], difference: [u8; 4]) -> Result<[u8; 4], String> {
    match channel & 3 {
        0 => Ok(std::array::from_fn(|i| last[i].wrapping_add(unzigzag(u32::from(difference[i])) as u8))),
        1 => {
            let half = |i: usize| {
                let difference = u16::from_le_bytes([difference[i], difference[i + 1]]);
                let last = u16::from_le_bytes([last[i], last[i + 1]]);
                last.wrapping_add(unzigzag(u32::from(difference)) as u16).to_le_bytes()
            };
            let ([a, b], [c, d]) = (half(0), half(2));
            Ok([a, b, c, d])
        }
        2 => {
            let rotated = u32::from_le_bytes(difference).rotate_right(u32::from(channel >> 4));
            Ok((rotated ^ u32::from_le_bytes(last)).to_le_bytes())
        }
        _ => Err(format!("a channel has the mode {channel}, expected one that ends in 0, 1 or 2")),
    }
}

/// Decodes one byte position of a block: two header bits for each group, then the groups.
fn decode_groups(stream: &mut Stream<'_>, plane: &mut [u8], widths: &[u32]) -> Result<(), String> {
    let groups = plane.len().div_ceil(GROUP);
    let headers = stream.take(groups.div_ceil(4))?;
    for (group, values) in plane.chunks_mut(GROUP).enumerate() {
        let width = widths[usize::from(headers[group / 4] >> (group % 4 * 2) & 3)];
        // A group always has 16 values. The values after the block's end are not used.
        let mut all = [0; GROUP];
        decode_group(stream, &mut all, width)?;
        values.copy_from_slice(&all[..values.len()]);
    }
    Ok(())
}

/// Decodes sixteen values of `width` bits. The largest value means that the real value follows in a byte of its own.
fn decode_group(stream: &mut Stream<'_>, values: &mut [u8; GROUP], width: u32) -> Result<(), String> {
    if width == 0 {
        return Ok(());
    }
    let packed = stream.take(GROUP * width as usize / 8)?;
    if width == 8 {
        values.copy_from_slice(packed);
        return Ok(());
    }
    let (per_byte, escape) = (8 / width as usize, (1u16 << width) as u8 - 1);
    for (at, value) in values.iter_mut().enumerate() {
        let place = (at % per_byte) as u32 * width;
        // Single bits start at the lowest bit, wider values at the highest.
        let shift = if width == 1 { place } else { 8 - width - place };
        *value = packed[at / per_byte] >> shift & escape;
        if *value == escape {
            *value = stream.byte()?;
        }
    }
    Ok(())
}
