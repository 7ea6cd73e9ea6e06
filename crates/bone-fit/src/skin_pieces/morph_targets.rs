//! The morph targets of the file: the offsets of the pieces' vertices.

use crate::skin_pieces::rounding::StoredSurface;
use crate::skin_pieces::source_offsets::{SourceOffsets, SourceTarget};
use crate::skin_pieces::welded::WeldedSurface;
use baked_format::{SkinMorphTarget, SkinOffset, SkinPieceOffsets};

/// Returns the targets that move a vertex of the surface, with their offsets of the pieces' vertices. `vertices` has the
/// welded vertex of each vertex of each piece, and `max_errors` the rounding error of each target.
pub(crate) fn stored_targets(
    source: &SourceOffsets<'_>,
    welded: &WeldedSurface,
    stored: &StoredSurface,
    vertices: &[Vec<u32>],
    max_errors: &[f32],
) -> Vec<SkinMorphTarget> {
    let mut moves = vec![false; source.targets.len()];
    let all = welded.vertices.iter().flat_map(|vertex| &vertex.offsets);
    all.for_each(|(target, _)| moves[usize::from(*target)] = true);
    let mut pieces: Vec<Vec<SkinPieceOffsets>> = vec![Vec::new(); source.targets.len()];
    for (piece, vertices) in (0..).zip(vertices) {
        for (number, &vertex) in (0..).zip(vertices) {
            for &(target, offset) in &stored.vertices[vertex as usize].offsets {
                let pieces = &mut pieces[usize::from(target)];
                if pieces.last().is_none_or(|last| last.piece != piece) {
                    pieces.push(SkinPieceOffsets { piece, offsets: Vec::new() });
                }
                if let Some(last) = pieces.last_mut() {
                    last.offsets.push(SkinOffset { vertex: number, offset });
                }
            }
        }
    }
    let target = |((target, pieces), &max_error): ((&SourceTarget<'_>, Vec<SkinPieceOffsets>), &f32)| {
        let SourceTarget { part, number, name, .. } = *target;
        SkinMorphTarget { name: name.to_owned(), mesh: part as u32, number: number as u32, max_error, pieces }
    };
    let made = source.targets.iter().zip(pieces).zip(max_errors).map(target);
    made.zip(moves).filter_map(|(target, moves)| moves.then_some(target)).collect()
}
