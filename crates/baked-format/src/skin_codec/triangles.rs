//! The triangles of a piece: chunks of corners and source triangles, then the order of the corners of each source triangle
//! that was cut. All of it is in half bytes, because most corners of a triangle were corners of the triangles just before.

use crate::byte_stream::{ByteStream, Decoded, StreamError, in_range};
use crate::limits::CHUNK_TRIANGLES;
use crate::skin::{CutTriangle, SkinCut, SkinPiece};
use crate::skin_codec::cut_corners::CutCorners;
use crate::skin_codec::half_bytes::{HalfByteWriter, HalfBytes};

/// The triangles of one piece.
pub(crate) struct Triangles {
    pub(crate) corners: Vec<[u32; 3]>,
    pub(crate) chunk_ends: Vec<u32>,
    pub(crate) source_triangles: Vec<u32>,
    pub(crate) cut_triangles: Vec<CutTriangle>,
}

/// The code of a corner that its chunk does not have yet.
const NEW: u8 = 0;

/// The code of a corner that is at least this many corners back in the chunk. The further distance follows as a number.
const FAR: u8 = 15;

/// The fewest bytes of a triangle: four half bytes.
const LEAST_BYTES: usize = 2;

/// Source triangles are numbered in 32 bits.
const SOURCES: usize = u32::MAX as usize;

/// The corners of a chunk so far, and the corners from which new corners are stored as differences.
struct ChunkCorners {
    /// The corners in the order of their first use in the chunk.
    corners: Vec<u32>,
    /// The vertex and the cut after those that were last new in a chunk of the piece.
    next: [i64; 2],
    /// The number of vertices of the piece. Cuts are numbered from here.
    vertices: u32,
}

impl ChunkCorners {
    fn new(vertices: usize) -> Self {
        let corners = Vec::with_capacity(3 * CHUNK_TRIANGLES);
        Self { corners, next: [0, vertices as i64], vertices: vertices as u32 }
    }

    fn add(&mut self, corner: u32) {
        self.next[usize::from(corner >= self.vertices)] = i64::from(corner) + 1;
        self.corners.push(corner);
    }

    fn write(&mut self, halves: &mut HalfByteWriter<'_>, corner: u32) {
        match self.corners.iter().rev().position(|&known| known == corner) {
            Some(place) => {
                let back = place as u64 + 1;
                halves.half(back.min(FAR.into()) as u8);
                if let Some(farther) = back.checked_sub(FAR.into()) {
                    halves.number(farther);
                }
            }
            None => {
                let is_cut = corner >= self.vertices;
                halves.half(NEW);
                halves.difference(2 * (i64::from(corner) - self.next[usize::from(is_cut)]) + i64::from(is_cut));
                self.add(corner);
            }
        }
    }

    fn read(&mut self, halves: &mut HalfBytes<'_, '_>, end: usize) -> Decoded<u32> {
        let missing = StreamError("a corner does not exist");
        let code = halves.half()?;
        if code == NEW {
            let difference = halves.difference()?;
            let corner = self.next[(difference & 1) as usize].checked_add(difference >> 1);
            let corner = corner.and_then(|corner| u32::try_from(corner).ok());
            let corner = corner.filter(|corner| (*corner as usize) < end).ok_or(missing)?;
            self.add(corner);
            return Ok(corner);
        }
        let farther = if code == FAR { halves.number()? } else { 0 };
        let back = farther.checked_add(code.into()).and_then(|back| usize::try_from(back).ok());
        let index = back.and_then(|back| self.corners.len().checked_sub(back));
        index.map(|index| self.corners[index]).ok_or(missing)
    }
}

pub(crate) fn encode(bytes: &mut Vec<u8>, piece: &SkinPiece) {
    let mut halves = HalfByteWriter::new(bytes);
    let mut known = ChunkCorners::new(piece.positions.len());
    let (mut start, mut first_source) = (0, 0i64);
    for &end in &piece.chunk_ends {
        let range = start..end as usize;
        let triangles = piece.triangles.get(range.clone()).unwrap_or_default();
        let sources = piece.source_triangles.get(range).unwrap_or_default();
        halves.number((triangles.len() as u64).wrapping_sub(1));
        known.corners.clear();
        triangles.iter().flatten().for_each(|&corner| known.write(&mut halves, corner));
        if let Some((&first, rest)) = sources.split_first() {
            halves.difference(i64::from(first) - first_source);
            first_source = first.into();
            let mut last = first;
            for &source in rest {
                halves.number(source.wrapping_sub(last).into());
                last = source;
            }
        }
        start = end as usize;
    }
    let vertices = piece.positions.len();
    let cut = CutCorners::of_triangles(&piece.triangles, &piece.source_triangles, vertices, &piece.cuts);
    if let Some(cut) = cut {
        for ((_, known), cut) in cut.iter().zip(&piece.cut_triangles) {
            let digit = |corner: u32| known.iter().position(|&vertex| vertex == corner).unwrap_or_default() as u64;
            let [a, b, c] = cut.corners.map(digit);
            halves.number(a + 3 * b + 9 * c);
        }
    }
}

pub(crate) fn decode(
    stream: &mut ByteStream<'_>,
    count: usize,
    vertices: usize,
    cuts: &[SkinCut],
) -> Decoded<Triangles> {
    stream.expect_entries(count, LEAST_BYTES)?;
    let mut halves = HalfBytes::new(stream);
    let mut found = Triangles {
        corners: Vec::with_capacity(count),
        chunk_ends: Vec::new(),
        source_triangles: Vec::with_capacity(count),
        cut_triangles: Vec::new(),
    };
    let end_of_corners = vertices + cuts.len();
    let mut known = ChunkCorners::new(vertices);
    let mut first_source = 0i64;
    while found.corners.len() < count {
        let most = CHUNK_TRIANGLES.min(count - found.corners.len()) as u64;
        let triangles = halves.number()?.saturating_add(1);
        if triangles > most {
            return Err(StreamError("a chunk has too many triangles"));
        }
        known.corners.clear();
        for _ in 0..triangles {
            let mut triangle = [0; 3];
            for corner in &mut triangle {
                *corner = known.read(&mut halves, end_of_corners)?;
            }
            found.corners.push(triangle);
        }
        let first = first_source.checked_add(halves.difference()?).and_then(|first| first.try_into().ok());
        let mut source = in_range(first, SOURCES)?;
        first_source = source as i64;
        found.source_triangles.push(source as u32);
        for _ in 1..triangles {
            let next = usize::try_from(halves.number()?).ok().and_then(|more| source.checked_add(more));
            source = in_range(next, SOURCES)?;
            found.source_triangles.push(source as u32);
        }
        found.chunk_ends.push(found.corners.len() as u32);
    }
    let cut = CutCorners::of_triangles(&found.corners, &found.source_triangles, vertices, cuts);
    let cut = cut.ok_or(StreamError("the parts of a cut triangle lie between more than three vertices"))?;
    found.cut_triangles.reserve_exact(cut.len());
    for (source_triangle, known) in cut.iter() {
        let mut order = halves.number()?;
        let mut corners = [0; 3];
        for corner in &mut corners {
            let known = known.get((order % 3) as usize);
            *corner = *known.ok_or(StreamError("a corner of a cut triangle does not exist"))?;
            order /= 3;
        }
        if order > 0 {
            return Err(StreamError("a corner of a cut triangle does not exist"));
        }
        found.cut_triangles.push(CutTriangle { source_triangle, corners });
    }
    halves.end()?;
    Ok(found)
}
