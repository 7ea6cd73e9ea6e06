//! The stream of triangles: chunks, each with a list of the corners that it uses; then the rotations of the source
//! triangles' corners.

use crate::byte_stream::{ByteStream, Decoded, StreamError, push_after, push_near, push_number};
use crate::limits::CHUNK_TRIANGLES;
use crate::skin::{CutTriangle, SkinCut, SkinPiece};
use crate::skin_codec::cut_corners::CutCorners;

/// The contents of the stream.
pub(crate) struct Triangles {
    pub(crate) corners: Vec<[u32; 3]>,
    pub(crate) chunk_ends: Vec<u32>,
    pub(crate) source_triangles: Vec<u32>,
    pub(crate) cut_triangles: Vec<CutTriangle>,
}

pub(crate) fn encode(piece: &SkinPiece) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut start, mut first_source) = (0, 0usize);
    for &end in &piece.chunk_ends {
        let range = start..end as usize;
        let triangles = piece.triangles.get(range.clone()).unwrap_or_default();
        let sources = piece.source_triangles.get(range).unwrap_or_default();
        let mut corners: Vec<u32> = triangles.iter().flatten().copied().collect();
        corners.sort_unstable();
        corners.dedup();
        bytes.push(triangles.len() as u8);
        push_after(&mut bytes, Some(0), corners.len());
        let mut last = None;
        for &corner in &corners {
            push_after(&mut bytes, last, corner as usize);
            last = Some(corner as usize);
        }
        let local = |corner: &u32| corners.binary_search(corner).unwrap_or_default() as u8;
        bytes.extend(triangles.iter().flatten().map(local));
        if let Some((&first, rest)) = sources.split_first() {
            push_near(&mut bytes, first_source, first as usize);
            first_source = first as usize;
            let mut last = first_source;
            for &source in rest {
                push_number(&mut bytes, (source as usize).wrapping_sub(last) as u64);
                last = source as usize;
            }
        }
        start = end as usize;
    }
    let vertices = piece.positions.len();
    let cut = CutCorners::of_triangles(&piece.triangles, &piece.source_triangles, vertices, &piece.cuts);
    if let Some(cut) = cut {
        for ((_, known), cut) in cut.iter().zip(&piece.cut_triangles) {
            let digit = |corner: u32| known.iter().position(|&vertex| vertex == corner).unwrap_or_default() as u8;
            let [a, b, c] = cut.corners.map(digit);
            bytes.push(a + 3 * b + 9 * c);
        }
    }
    bytes
}

pub(crate) fn decode(bytes: &[u8], count: usize, vertices: usize, cuts: &[SkinCut]) -> Decoded<Triangles> {
    let mut stream = ByteStream::of_entries(bytes, count, 4)?;
    let mut found = Triangles {
        corners: Vec::with_capacity(count),
        chunk_ends: Vec::new(),
        source_triangles: Vec::with_capacity(count),
        cut_triangles: Vec::new(),
    };
    let end_of_corners = vertices + cuts.len();
    let mut corners = Vec::with_capacity(3 * CHUNK_TRIANGLES);
    let mut first_source = 0;
    while found.corners.len() < count {
        let triangles = usize::from(stream.byte()?);
        if triangles == 0 || triangles > CHUNK_TRIANGLES.min(count - found.corners.len()) {
            return Err(StreamError("a chunk has no triangles, or too many"));
        }
        read_corners(&mut stream, end_of_corners, &mut corners)?;
        for _ in 0..triangles {
            let mut triangle = [0; 3];
            for corner in &mut triangle {
                *corner = *corners.get(usize::from(stream.byte()?)).ok_or(StreamError("a corner does not exist"))?;
            }
            found.corners.push(triangle);
        }
        first_source = stream.near(first_source, SOURCES)?;
        let mut source = first_source;
        found.source_triangles.push(source as u32);
        for _ in 1..triangles {
            source += stream.below(SOURCES - source)?;
            found.source_triangles.push(source as u32);
        }
        found.chunk_ends.push(found.corners.len() as u32);
    }
    let cut = CutCorners::of_triangles(&found.corners, &found.source_triangles, vertices, cuts);
    let cut = cut.ok_or(StreamError("the parts of a cut triangle lie between more than three vertices"))?;
    found.cut_triangles.reserve(cut.len());
    for (source_triangle, known) in cut.iter() {
        let mut turned = usize::from(stream.byte()?);
        let mut corners = [0; 3];
        for corner in &mut corners {
            *corner = *known.get(turned % 3).ok_or(StreamError("a corner of a cut triangle does not exist"))?;
            turned /= 3;
        }
        if turned > 0 {
            return Err(StreamError("a corner of a cut triangle does not exist"));
        }
        found.cut_triangles.push(CutTriangle { source_triangle, corners });
    }
    stream.end()?;
    Ok(found)
}

/// Source triangles are numbered in 32 bits.
const SOURCES: usize = u32::MAX as usize;

fn read_corners(stream: &mut ByteStream<'_>, end: usize, corners: &mut Vec<u32>) -> Decoded<()> {
    corners.clear();
    let count = stream.after(Some(0), 3 * CHUNK_TRIANGLES + 1)?;
    let mut last = None;
    for _ in 0..count {
        let corner = stream.after(last, end)?;
        corners.push(corner as u32);
        last = Some(corner);
    }
    Ok(())
}
