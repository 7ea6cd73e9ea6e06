//! The byte streams of one piece of the skin: vertices, cuts, triangles and attributes. `FORMAT.md` describes them.

mod attributes;
mod cut_corners;
mod cuts;
pub(crate) mod octahedral;
mod triangles;
mod vertices;

use crate::byte_stream::StreamError;
use crate::skin::{Skin, SkinEncoding, SkinPiece};
pub(crate) use cut_corners::CutCorners;
use skeleton::JointIndex;

/// The streams of one piece.
pub(crate) struct Streams<B> {
    pub(crate) vertices: B,
    pub(crate) cuts: B,
    pub(crate) triangles: B,
    /// Empty for a piece without attributes.
    pub(crate) attributes: B,
}

/// The numbers of entries in the streams of one piece.
#[derive(Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) vertices: usize,
    pub(crate) cuts: usize,
    pub(crate) triangles: usize,
    pub(crate) attributes: usize,
}

/// Encodes each piece of a valid skin. The bytes of an invalid skin have no meaning.
pub(crate) fn encode(skin: &Skin) -> Vec<Streams<Vec<u8>>> {
    let streams = |piece: &SkinPiece| Streams {
        vertices: vertices::encode(piece, skin.encoding),
        cuts: cuts::encode(piece, skin.encoding),
        triangles: triangles::encode(piece),
        attributes: attributes::encode(piece, skin.encoding),
    };
    skin.pieces.iter().map(streams).collect()
}

/// Decodes a piece. Its indices are in range, but the piece may still be invalid.
///
/// Memory is bounded by the number of bytes.
pub(crate) fn decode(
    joint: JointIndex,
    encoding: SkinEncoding,
    counts: Counts,
    streams: &Streams<&[u8]>,
) -> Result<SkinPiece, StreamError> {
    let vertices = vertices::decode(streams.vertices, counts.vertices, encoding)?;
    let cuts = cuts::decode(streams.cuts, counts.cuts, counts.vertices, encoding)?;
    let triangles = triangles::decode(streams.triangles, counts.triangles, counts.vertices, &cuts)?;
    let mut piece = SkinPiece {
        joint,
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
    attributes::decode(streams.attributes, counts.attributes, encoding, &mut piece)?;
    Ok(piece)
}
