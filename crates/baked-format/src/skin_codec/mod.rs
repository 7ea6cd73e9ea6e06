//! The byte stream of the skin: its pieces, one after the other. `FORMAT.md` describes it.
//!
//! A vertex or a cut on a border belongs to several pieces. It is stored in the first of them, and the others name it.

mod attributes;
mod cut_corners;
mod cuts;
mod half_bytes;
pub(crate) mod morphs;
mod triangles;
mod vertices;

use crate::byte_stream::{ByteStream, Decoded, StreamError, push_after, push_number};
use crate::limits::MAX_JOINTS;
use crate::skin::{Skin, SkinEncoding, SkinPiece};
use crate::skin_codec::cuts::{KnownCuts, WrittenCuts};
use crate::skin_codec::vertices::{KnownVertices, WrittenVertices};
pub(crate) use cut_corners::CutCorners;
use skeleton::JointIndex;

/// The bytes of a piece with one vertex and one triangle.
const LEAST_PIECE_BYTES: usize = 10;

/// Encodes the pieces of a valid skin. The bytes of an invalid skin have no meaning.
pub(crate) fn encode(skin: &Skin) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut vertices, mut cuts) = (WrittenVertices::default(), WrittenCuts::default());
    let mut last = None;
    for piece in &skin.pieces {
        push_after(&mut bytes, last, piece.joint.index());
        last = Some(piece.joint.index());
        for count in [piece.positions.len(), piece.cuts.len(), piece.triangles.len(), piece.attributes.len()] {
            push_number(&mut bytes, count as u64);
        }
        let numbers = vertices.write(&mut bytes, piece, skin.encoding);
        cuts.write(&mut bytes, piece, &numbers, skin.encoding);
        triangles::encode(&mut bytes, piece);
        attributes::encode(&mut bytes, piece, skin.encoding);
    }
    bytes
}

/// Decodes `count` pieces. Their indices are in range, but the pieces may still be invalid.
///
/// Memory is bounded by the number of bytes.
///
/// # Errors
/// Returns the index of the piece that cannot be read, and the reason. The index is `count` if bytes are left.
pub(crate) fn decode(
    bytes: &[u8],
    count: usize,
    encoding: SkinEncoding,
) -> Result<Vec<SkinPiece>, (usize, StreamError)> {
    let mut stream = ByteStream::of_entries(bytes, count, LEAST_PIECE_BYTES).map_err(|error| (0, error))?;
    let mut pieces = Vec::with_capacity(count);
    let (mut vertices, mut cuts) = (KnownVertices::default(), KnownCuts::default());
    for index in 0..count {
        let piece = decode_piece(&mut stream, &pieces, &mut vertices, &mut cuts, encoding);
        pieces.push(piece.map_err(|error| (index, error))?);
    }
    stream.end().map_err(|error| (count, error))?;
    Ok(pieces)
}

/// Decodes the piece after `pieces`.
fn decode_piece(
    stream: &mut ByteStream<'_>,
    pieces: &[SkinPiece],
    known_vertices: &mut KnownVertices,
    known_cuts: &mut KnownCuts,
    encoding: SkinEncoding,
) -> Decoded<SkinPiece> {
    let joint = stream.after(pieces.last().map(|piece| piece.joint.index()), MAX_JOINTS)?;
    let mut count = || stream.below(u32::MAX as usize);
    let (vertices, cuts, triangles, attributes) = (count()?, count()?, count()?, count()?);
    if triangles == 0 {
        return Err(StreamError("a piece has no triangles"));
    }
    let vertices = known_vertices.read(stream, vertices, pieces, encoding)?;
    let cuts = known_cuts.read(stream, cuts, known_vertices, encoding)?;
    let triangles = triangles::decode(stream, triangles, vertices.positions.len(), &cuts)?;
    let mut piece = SkinPiece {
        joint: JointIndex(joint as u16),
        positions: vertices.positions,
        influence_counts: vertices.influence_counts,
        influences: vertices.influences,
        weights: vertices.weights,
        cuts,
        triangles: triangles.corners,
        chunk_ends: triangles.chunk_ends,
        source_triangles: triangles.source_triangles,
        cut_triangles: triangles.cut_triangles,
        attributes: Vec::new(),
        attribute_corners: Vec::new(),
    };
    attributes::decode(stream, attributes, encoding, &mut piece)?;
    Ok(piece)
}
