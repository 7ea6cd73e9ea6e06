//! The skin data of a character, made once when the character is loaded.

use super::attributes::AttributeTable;
use super::blocks::ChunkBlocks;
use super::chunks::{chunk_order, parts};
use super::part::PartTable;
use super::reach::{PieceSource, Reaches, Rounding, sorted_unique};
use crate::Bounds;
use crate::kernels::layout::{BoundsBlock, LANES};
use crate::kernels::point_bounds::ChunkPoints;
use crate::kernels::skin_lanes::{Columns, posed_cut};
use crate::kernels::{self, Kernel};
use baked_format::{CutTriangle, Skin, SkinBinding, SkinCut, SkinOffset, SkinPiece};
use geometry_core::portable::affine_mul;
use glam::{Affine3A, Vec3, Vec4};
use skeleton::{JointIndex, Skeleton};
use std::ops::Range;

/// The skin of a character.
#[derive(Debug, PartialEq)]
pub(crate) struct SkinTable {
    pub(crate) bindings: Vec<SkinBinding>,
    /// The skin pieces, sorted by joint.
    pub(crate) pieces: Vec<PieceTable>,
    /// The number of morph targets.
    pub(crate) morph_targets: usize,
    /// The most numbers of a part that moved vertices need memory for; 0 without morph targets.
    pub(super) most_numbers: usize,
}

/// The surface that one joint owns.
///
/// Chunks have two numbers: their index among the chunks of the piece, and their *place*, which is their lane in the blocks of
/// bounds of the chunks. Each part starts with a new block, so that some places have no chunk. Both numbers give the same order.
#[derive(Debug, PartialEq)]
pub(crate) struct PieceTable {
    pub(crate) joint: JointIndex,
    /// At least one part.
    pub(super) parts: Vec<PartTable>,
    /// The chunks of each block, at most [`LANES`].
    blocks: Vec<Range<usize>>,
    /// The corners of each triangle, chunk after chunk, with [`LANES`] triangles for each chunk. A corner is the index
    /// of a point of the piece; the points are numbered part after part.
    pub(crate) corners: Vec<[u32; 3]>,
    /// The source triangle of each triangle, in the order of `corners`.
    pub(crate) source_triangles: Vec<u32>,
    /// The triangles that the file cut, with corners in the numbers of the file: vertices, then cuts.
    cut_triangles: Vec<CutTriangle>,
    /// The corners of each triangle in the numbers of the file; empty if no triangle was cut.
    file_corners: Vec<[u32; 3]>,
    /// The number of vertices in the file.
    vertex_count: usize,
    cuts: Vec<SkinCut>,
    pub(crate) attributes: AttributeTable,
    /// The points of each chunk, chunk after chunk. The number of points of a chunk is a multiple of four; to reach it,
    /// some chunks repeat their first point.
    chunk_corners: Vec<u32>,
    /// The end of each chunk's range in `chunk_corners`.
    chunk_ends: Vec<u32>,
    reaches: Reaches,
    rounding: Rounding,
}

impl SkinTable {
    pub(crate) fn new(skin: &Skin, skeleton: &Skeleton) -> Self {
        // Triangles that are neighbors at rest are neighbors in most poses.
        let model_from_joint = skeleton.rest_matrices();
        let at_rest = |binding: &SkinBinding| {
            columns(&affine_mul(&model_from_joint[binding.joint.index()], &binding.joint_from_mesh))
        };
        let rest: Vec<Columns> = skin.bindings.iter().map(at_rest).collect();
        let mut moves: Vec<Vec<(u16, &[SkinOffset])>> = vec![Vec::new(); skin.pieces.len()];
        for (target, pieces) in (0..).zip(skin.morph_targets.iter().map(|target| &target.pieces)) {
            pieces.iter().for_each(|one| moves[one.piece as usize].push((target, &one.offsets)));
        }
        let pieces: Vec<PieceTable> =
            skin.pieces.iter().zip(&moves).map(|(piece, moves)| PieceTable::new(piece, moves, &rest)).collect();
        let morph_targets = skin.morph_targets.len();
        let numbers = pieces.iter().flat_map(|piece| &piece.parts).map(PartTable::number_count);
        let most_numbers = if morph_targets > 0 { numbers.max().unwrap_or(0) } else { 0 };
        Self { bindings: skin.bindings.clone(), pieces, morph_targets, most_numbers }
    }

    /// The index of a joint's piece; `None` if the joint owns no surface.
    pub(crate) fn find(&self, joint: JointIndex) -> Option<usize> {
        self.pieces.binary_search_by_key(&joint, |piece| piece.joint).ok()
    }
}

/// A matrix as four columns of four numbers.
pub(crate) fn columns(matrix: &Affine3A) -> Columns {
    let m = &matrix.matrix3;
    [m.x_axis.extend(0.0), m.y_axis.extend(0.0), m.z_axis.extend(0.0), matrix.translation.extend(0.0)]
}

impl PieceTable {
    fn new(piece: &SkinPiece, moves: &[(u16, &[SkinOffset])], rest: &[Columns]) -> Self {
        let source = PieceSource::new(piece, moves);
        let order = chunk_order(&middles(&source, rest));
        let file_corners: Vec<[u32; 3]> = order.iter().map(|&triangle| piece.triangles[triangle as usize]).collect();
        let mut table = Self {
            joint: piece.joint,
            parts: Vec::new(),
            blocks: Vec::new(),
            corners: Vec::new(),
            source_triangles: order.iter().map(|&triangle| piece.source_triangles[triangle as usize]).collect(),
            cut_triangles: piece.cut_triangles.clone(),
            file_corners: Vec::new(),
            vertex_count: piece.positions.len(),
            cuts: piece.cuts.clone(),
            attributes: AttributeTable::new(&source, &order),
            chunk_corners: Vec::new(),
            chunk_ends: Vec::new(),
            reaches: source.reaches(&sorted_unique(file_corners.as_flattened().to_vec())),
            rounding: source.rounding(),
        };
        for chunks in parts(file_corners.len()) {
            let triangles = chunks.start * LANES..file_corners.len().min(chunks.end * LANES);
            let first_block = table.blocks.len();
            let starts = chunks.clone().step_by(LANES);
            table.blocks.extend(starts.map(|start| start..chunks.end.min(start + LANES)));
            let blocks = first_block..table.blocks.len();
            let (part, corners) = PartTable::new(&source, blocks, table.point_count(), &file_corners[triangles]);
            table.parts.push(part);
            table.corners.extend(corners);
        }
        for chunk in table.corners.chunks(LANES) {
            let mut corners = sorted_unique(chunk.as_flattened().to_vec());
            corners.resize(corners.len().next_multiple_of(4), corners[0]);
            table.chunk_corners.extend(corners);
            table.chunk_ends.push(table.chunk_corners.len() as u32);
        }
        if !table.cut_triangles.is_empty() {
            table.file_corners = file_corners;
        }
        table
    }

    /// The number of vertices and cuts of all parts.
    pub(crate) fn point_count(&self) -> usize {
        self.parts.last().map_or(0, |part| part.points.end)
    }

    /// Marks all chunks of the piece as missing.
    pub(crate) fn reset(&self, blocks: &mut ChunkBlocks) {
        blocks.reset(self.blocks.len() * LANES, self.chunk_ends.len());
    }

    /// The number of blocks of bounds of chunks.
    pub(crate) fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The places of a block's chunks.
    pub(crate) fn places_of_block(&self, block: usize) -> Range<usize> {
        block * LANES..block * LANES + self.blocks[block].len()
    }

    /// The index of the chunk at a place.
    #[inline]
    pub(crate) fn chunk_at(&self, place: usize) -> usize {
        self.blocks[place / LANES].start + place % LANES
    }

    /// The triangles of a chunk.
    #[inline]
    pub(crate) fn triangles_of(&self, chunk: usize) -> Range<usize> {
        chunk * LANES..self.corners.len().min((chunk + 1) * LANES)
    }

    /// Sets the bounds of the chunks of one block.
    pub(crate) fn find_chunks(&self, kernel: Kernel, block: usize, posed: &[Vec4], bounds: &mut BoundsBlock) {
        let chunks = self.blocks[block].clone();
        let start = chunks.start.checked_sub(1).map_or(0, |before| self.chunk_ends[before]);
        let points =
            ChunkPoints { points: &self.chunk_corners[start as usize..], ends: &self.chunk_ends[chunks], start };
        kernels::bounds_of_chunks(kernel, points, posed, bounds);
    }

    /// The bounds of the piece in the pose of these matrices and weights, without skinning the piece, and the amount by which
    /// bounds in any pose are enlarged. `weights` has one for each morph target, or is empty if all are 0.
    pub(crate) fn bounds_in_any_pose(&self, matrices: &[Columns], weights: &[f32]) -> (Bounds, Vec4) {
        let slack = self.rounding.slack(matrices, weights);
        (self.reaches.bounds(matrices, weights, slack), slack)
    }

    /// Converts barycentric coordinates on triangle `triangle` of the piece to those on its source triangle.
    pub(crate) fn source_barycentric(&self, triangle: usize, barycentric: [f32; 3]) -> [f32; 3] {
        let source = self.source_triangles[triangle];
        let Ok(place) = self.cut_triangles.binary_search_by_key(&source, |cut| cut.source_triangle) else {
            return barycentric;
        };
        let whole = self.cut_triangles[place].corners;
        let mut sums = [0.0; 3];
        let mut add = |vertex: u32, share: f32| {
            if let Some(corner) = whole.iter().position(|&corner| corner == vertex) {
                sums[corner] += share;
            }
        };
        for (&corner, share) in self.file_corners[triangle].iter().zip(barycentric) {
            match (corner as usize).checked_sub(self.vertex_count).and_then(|cut| self.cuts.get(cut)) {
                Some(cut) => (0..3).for_each(|k| add(cut.corners[k], share * cut.weights[k])),
                None => add(corner, share),
            }
        }
        sums
    }
}

/// The middles of the triangles of the file in the pose of these matrices.
fn middles(source: &PieceSource<'_>, rest: &[Columns]) -> Vec<Vec3> {
    let piece = source.piece;
    let mut posed = vec![Vec4::ZERO; piece.positions.len()];
    let lanes = source.all_lanes();
    kernels::skin_vertices(Kernel::best(), &lanes, lanes.numbers(), rest, &mut posed);
    for cut in &piece.cuts {
        posed.push(posed_cut(cut, &posed));
    }
    let third = |corner: u32| posed[corner as usize].truncate() / 3.0;
    let middle = |[a, b, c]: &[u32; 3]| third(*a) + third(*b) + third(*c);
    piece.triangles.iter().map(middle).collect()
}
