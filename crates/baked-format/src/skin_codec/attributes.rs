//! The attributes of a piece: normals and texture coordinates, then which of them each corner has.

use crate::byte_stream::{ByteStream, Decoded, StreamError, push_difference, push_number};
use crate::octahedral;
use crate::skin::{SkinEncoding, SkinPiece, VertexAttributes};
use glam::{Vec2, Vec3};
use std::ops::Range;

const HAS_NORMAL: u64 = 1;
const HAS_TEXTURE_COORDINATE: u64 = 2;

/// Encodes the attributes of a piece; no bytes if it has none.
pub(crate) fn encode(bytes: &mut Vec<u8>, piece: &SkinPiece, encoding: SkinEncoding) {
    let (mut last_vertex, mut last_steps) = (0, [0; 2]);
    for entry in &piece.attributes {
        let difference = u64::from(entry.vertex.wrapping_sub(last_vertex));
        let has_normal = if entry.normal.is_some() { HAS_NORMAL } else { 0 };
        let has_coordinate = if entry.texture_coordinate.is_some() { HAS_TEXTURE_COORDINATE } else { 0 };
        push_number(bytes, 4 * difference + has_normal + has_coordinate);
        last_vertex = entry.vertex;
        if let Some(normal) = entry.normal {
            push_normal(bytes, normal, encoding);
        }
        if let Some(coordinate) = entry.texture_coordinate {
            push_texture_coordinate(bytes, coordinate, &mut last_steps, encoding);
        }
    }
    let mut known = vec![false; piece.cut_triangles.len()];
    for (triangle, entries) in piece.attribute_corners.iter().enumerate() {
        let Some(corners) = corners_to_store(piece, triangle, &mut known) else { continue };
        for (vertex, &entry) in corners.into_iter().zip(entries) {
            let range = entries_of_vertex(&piece.attributes, vertex);
            if range.len() > 1 {
                push_number(bytes, u64::from(entry).wrapping_sub(range.start as u64));
            }
        }
    }
}

/// Decodes `count` attributes and the attributes of each corner into a piece that has everything else.
pub(crate) fn decode(
    stream: &mut ByteStream<'_>,
    count: usize,
    encoding: SkinEncoding,
    piece: &mut SkinPiece,
) -> Decoded<()> {
    stream.expect_entries(count, 1)?;
    if count == 0 {
        return Ok(());
    }
    let (mut vertex, mut steps) = (0u64, [0; 2]);
    piece.attributes.reserve_exact(count);
    for _ in 0..count {
        let number = stream.number()?;
        vertex = vertex.saturating_add(number >> 2);
        if vertex >= piece.positions.len() as u64 {
            return Err(StreamError("an attribute's vertex does not exist"));
        }
        let has_normal = number & HAS_NORMAL != 0;
        let has_coordinate = number & HAS_TEXTURE_COORDINATE != 0;
        let normal = if has_normal { Some(read_normal(stream, encoding)?) } else { None };
        let texture_coordinate = match has_coordinate {
            true => Some(read_texture_coordinate(stream, &mut steps, encoding)?),
            false => None,
        };
        piece.attributes.push(VertexAttributes { vertex: vertex as u32, normal, texture_coordinate });
    }
    read_corners(stream, piece)
}

/// Returns the corners of a triangle's source triangle; `None` if they are stored already, for another part of the same
/// source triangle. `known` has an entry for each cut triangle.
fn corners_to_store(piece: &SkinPiece, triangle: usize, known: &mut [bool]) -> Option<[u32; 3]> {
    let is_known = piece.cut_triangle(triangle).is_some_and(|cut| std::mem::replace(&mut known[cut], true));
    if is_known { None } else { piece.source_corners(triangle) }
}

fn read_corners(stream: &mut ByteStream<'_>, piece: &mut SkinPiece) -> Decoded<()> {
    let mut of_cut: Vec<Option<[u32; 3]>> = vec![None; piece.cut_triangles.len()];
    let mut all = Vec::with_capacity(piece.triangles.len());
    for triangle in 0..piece.triangles.len() {
        let cut = piece.cut_triangle(triangle);
        let mut entries = [0; 3];
        match cut.and_then(|cut| of_cut[cut]) {
            Some(known) => entries = known,
            None => {
                let corners = piece.source_corners(triangle).unwrap_or_default();
                for (entry, vertex) in entries.iter_mut().zip(corners) {
                    let range = entries_of_vertex(&piece.attributes, vertex);
                    let index = match range.len() {
                        0 => return Err(StreamError("a corner has no attributes")),
                        1 => 0,
                        count => stream.below(count)?,
                    };
                    *entry = (range.start + index) as u32;
                }
            }
        }
        if let Some(cut) = cut {
            of_cut[cut] = Some(entries);
        }
        all.push(entries);
    }
    piece.attribute_corners = all;
    Ok(())
}

fn entries_of_vertex(attributes: &[VertexAttributes], vertex: u32) -> Range<usize> {
    let start = attributes.partition_point(|entry| entry.vertex < vertex);
    start..start + attributes[start..].partition_point(|entry| entry.vertex == vertex)
}

fn push_normal(bytes: &mut Vec<u8>, normal: Vec3, encoding: SkinEncoding) {
    match encoding {
        SkinEncoding::Lossless => {
            normal.to_array().iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()))
        }
        SkinEncoding::Compact { .. } => {
            let [u, v] = octahedral::numbers(normal).map(|number| (number + octahedral::STEPS) as u32);
            bytes.extend_from_slice(&(u | v << 12).to_le_bytes()[..3]);
        }
    }
}

fn read_normal(stream: &mut ByteStream<'_>, encoding: SkinEncoding) -> Decoded<Vec3> {
    match encoding {
        SkinEncoding::Lossless => Ok(Vec3::new(stream.f32()?, stream.f32()?, stream.f32()?)),
        SkinEncoding::Compact { .. } => {
            let [low, middle, high] = [stream.byte()?, stream.byte()?, stream.byte()?].map(i32::from);
            let numbers = [low | (middle & 15) << 8, middle >> 4 | high << 4];
            if numbers.iter().any(|number| *number > 2 * octahedral::STEPS) {
                return Err(StreamError("a number of a normal is too large"));
            }
            Ok(octahedral::unit_vector(numbers.map(|number| number - octahedral::STEPS)))
        }
    }
}

fn push_texture_coordinate(bytes: &mut Vec<u8>, coordinate: Vec2, last: &mut [i64; 2], encoding: SkinEncoding) {
    match encoding {
        SkinEncoding::Lossless => {
            coordinate.to_array().iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()))
        }
        SkinEncoding::Compact { .. } => {
            for (number, last) in coordinate.to_array().into_iter().zip(last) {
                let steps = (f64::from(number) * SkinEncoding::TEXTURE_STEPS) as i64;
                push_difference(bytes, steps.wrapping_sub(*last));
                *last = steps;
            }
        }
    }
}

fn read_texture_coordinate(stream: &mut ByteStream<'_>, last: &mut [i64; 2], encoding: SkinEncoding) -> Decoded<Vec2> {
    let mut read = |last: &mut i64| match encoding {
        SkinEncoding::Lossless => stream.f32(),
        SkinEncoding::Compact { .. } => {
            *last = last.wrapping_add(stream.difference()?);
            Ok((*last as f64 / SkinEncoding::TEXTURE_STEPS) as f32)
        }
    };
    let [u, v] = last;
    Ok(Vec2::new(read(u)?, read(v)?))
}
