//! The offsets of morph targets, one target after the other.

use crate::byte_stream::{ByteStream, Decoded, StreamError, push_after, push_difference, push_number};
use crate::limits::MAX_JOINTS;
use crate::skin::{Skin, SkinEncoding, SkinOffset, SkinPieceOffsets};
use glam::Vec3;

/// The bytes of a target that moves nothing.
const LEAST_TARGET_BYTES: usize = 1;

/// The bytes of a piece with one offset.
const LEAST_PIECE_BYTES: usize = 6;

/// The bytes of an offset.
const LEAST_OFFSET_BYTES: usize = 4;

/// Encodes the offsets of all targets of a valid skin.
pub(crate) fn encode(skin: &Skin) -> Vec<u8> {
    let mut bytes = Vec::new();
    for target in &skin.morph_targets {
        push_number(&mut bytes, target.pieces.len() as u64);
        let (mut last_piece, mut last_steps) = (None, [0; 3]);
        for SkinPieceOffsets { piece, offsets } in &target.pieces {
            push_after(&mut bytes, last_piece, *piece as usize);
            last_piece = Some(*piece as usize);
            push_number(&mut bytes, (offsets.len() as u64).wrapping_sub(1));
            let mut last_vertex = None;
            for SkinOffset { vertex, offset } in offsets {
                push_after(&mut bytes, last_vertex, *vertex as usize);
                last_vertex = Some(*vertex as usize);
                push_offset(&mut bytes, *offset, &mut last_steps, skin.encoding);
            }
        }
    }
    bytes
}

fn push_offset(bytes: &mut Vec<u8>, offset: Vec3, last: &mut [i64; 3], encoding: SkinEncoding) {
    let Some(step) = encoding.step() else {
        offset.to_array().iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        return;
    };
    let steps = offset.to_array().map(|coordinate| (f64::from(coordinate) / step) as i64);
    (0..3).for_each(|axis| push_difference(bytes, steps[axis].wrapping_sub(last[axis])));
    *last = steps;
}

/// Decodes the offsets of `count` targets. `vertices` has the number of vertices of each piece.
///
/// Memory is bounded by the number of bytes.
///
/// # Errors
/// Returns the index of the target that cannot be read, and the reason. The index is `count` if bytes are left.
pub(crate) fn decode(
    bytes: &[u8],
    count: usize,
    vertices: &[usize],
    encoding: SkinEncoding,
) -> Result<Vec<Vec<SkinPieceOffsets>>, (usize, StreamError)> {
    let mut stream = ByteStream::of_entries(bytes, count, LEAST_TARGET_BYTES).map_err(|error| (0, error))?;
    let mut targets = Vec::with_capacity(count);
    for index in 0..count {
        targets.push(read_target(&mut stream, vertices, encoding).map_err(|error| (index, error))?);
    }
    stream.end().map_err(|error| (count, error))?;
    Ok(targets)
}

fn read_target(
    stream: &mut ByteStream<'_>,
    vertices: &[usize],
    encoding: SkinEncoding,
) -> Decoded<Vec<SkinPieceOffsets>> {
    let count = stream.below(MAX_JOINTS + 1)?;
    stream.expect_entries(count, LEAST_PIECE_BYTES)?;
    let mut pieces = Vec::with_capacity(count);
    let (mut last_piece, mut last_steps) = (None, [0; 3]);
    for _ in 0..count {
        let piece = stream.after(last_piece, vertices.len())?;
        last_piece = Some(piece);
        let count = stream.below(vertices[piece])? + 1;
        stream.expect_entries(count, LEAST_OFFSET_BYTES)?;
        let mut offsets = Vec::with_capacity(count);
        let mut last_vertex = None;
        for _ in 0..count {
            let vertex = stream.after(last_vertex, vertices[piece])?;
            last_vertex = Some(vertex);
            let offset = read_offset(stream, &mut last_steps, encoding)?;
            offsets.push(SkinOffset { vertex: vertex as u32, offset });
        }
        pieces.push(SkinPieceOffsets { piece: piece as u32, offsets });
    }
    Ok(pieces)
}

fn read_offset(stream: &mut ByteStream<'_>, last: &mut [i64; 3], encoding: SkinEncoding) -> Decoded<Vec3> {
    let Some(step) = encoding.step() else {
        return Ok(Vec3::new(stream.f32()?, stream.f32()?, stream.f32()?));
    };
    for steps in last.iter_mut() {
        let next = steps.checked_add(stream.difference()?);
        let next = next.filter(|steps| steps.abs() <= SkinEncoding::MOST_STEPS);
        *steps = next.ok_or(StreamError("an offset is too large"))?;
    }
    Ok(Vec3::from_array(last.map(|steps| (steps as f64 * step) as f32)))
}
