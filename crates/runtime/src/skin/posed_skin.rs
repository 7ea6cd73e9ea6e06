//! A character's skin in world space, skinned piece by piece when queries need it.

use super::blocks::ChunkBlocks;
use super::error::SkinError;
use super::table::{PieceTable, SkinTable, columns};
use crate::character::HitboxTable;
use crate::kernels::joint_matrices::JointMatrices;
use crate::kernels::layout::{BoundsBlock, LANES};
use crate::kernels::near_chunks::{ChunkBounds, NearChunks};
use crate::kernels::ray_slabs::Slabs;
use crate::kernels::skin_lanes::Columns;
use crate::kernels::triangle_lanes::TriangleBlock;
use crate::kernels::{self, Kernel};
use crate::{Bounds, PosedCharacter};
use geometry_core::MAX_COORDINATE;
use geometry_core::portable::affine_mul;
use glam::{Affine3A, Vec3, Vec4};
use skeleton::JointIndex;
use std::sync::Arc;

/// The skin of a posed character. The first query that needs a piece allocates its memory, which is then kept.
#[derive(Debug, Default)]
pub(crate) struct PosedSkin {
    /// The skin that the matrices belong to; `None` if there is no pose.
    table: Option<Arc<SkinTable>>,
    /// The matrix `world_from_mesh` of each binding, by binding.
    matrices: Vec<Columns>,
    /// The bounds of each piece in lanes, computed from the matrices alone.
    pub(crate) reach: Vec<BoundsBlock>,
    /// The union of the bounds of all pieces.
    around: Bounds,
    pieces: Vec<PosedPiece>,
    /// The chunks of each piece, by piece.
    blocks: Vec<ChunkBlocks>,
    /// The pairs of pieces that a query tests.
    pub(super) pairs: Vec<PiecePair>,
    pub(super) joint_pairs: Vec<crate::JointPair>,
    /// The pairs of chunks of two pieces that a query tests.
    pub(super) near_chunks: Vec<NearChunks>,
}

/// A skin piece of each of two characters, by piece index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PiecePair {
    pub(super) a: u16,
    pub(super) b: u16,
    /// The value by which the pairs are sorted, in queries that sort them.
    pub(super) rank: f32,
}

impl PiecePair {
    pub(super) fn pieces(&self) -> [usize; 2] {
        [self.a.into(), self.b.into()]
    }
}

/// A skinned piece.
#[derive(Debug, Default)]
pub(crate) struct PosedPiece {
    is_skinned: bool,
    /// `true` if `blocks` has the bounds of this pose.
    has_blocks: bool,
    is_wanted: bool,
    /// The posed vertices, then the posed cuts; the fourth component has no meaning.
    points: Vec<Vec4>,
    /// The bounds of all triangles.
    pub(crate) bounds: Bounds,
    /// The bounds of each chunk, or [`Bounds::EMPTY`] for the chunks of a block that no query has needed yet. Queries that
    /// compare chunks find them, because the bounds of the piece and of the block rule out many.
    pub(crate) chunks: Vec<BoundsBlock>,
    /// The bounds of each block of `chunks`: computed from its points if the bounds of its chunks are known, otherwise
    /// from the matrices alone.
    pub(super) blocks: Vec<BoundsBlock>,
    /// `true` for each block if the bounds of its chunks are known.
    has_chunks: Vec<bool>,
    /// The number of blocks of which the bounds of chunks are not known.
    blocks_left: usize,
}

/// A skinned piece and its table.
#[derive(Clone, Copy)]
pub(crate) struct PieceView<'a> {
    pub(crate) table: &'a PieceTable,
    pub(crate) posed: &'a PosedPiece,
}

impl PieceView<'_> {
    /// A chunk in lanes; `blocks` must belong to this piece.
    #[inline]
    pub(super) fn block<'b>(&self, kernel: Kernel, blocks: &'b mut ChunkBlocks, chunk: usize) -> &'b TriangleBlock {
        blocks.get(kernel, chunk, &self.table.corners, &self.posed.points)
    }

    pub(crate) fn triangle(&self, triangle: usize) -> [Vec3; 3] {
        self.table.corners[triangle].map(|corner| self.posed.points[corner as usize].truncate())
    }

    pub(super) fn all_chunk_bounds(&self) -> ChunkBounds<'_> {
        ChunkBounds { around: &self.posed.bounds, blocks: &self.posed.chunks }
    }

    pub(crate) fn chunk_bounds(&self, chunk: usize) -> Bounds {
        self.posed.chunks[chunk / LANES].get(chunk % LANES)
    }
}

impl PosedSkin {
    /// Poses the skin. Returns the joint whose matrix takes its piece out of range as an error. Does nothing without a
    /// skin.
    pub(crate) fn pose(
        &mut self,
        table: Option<&Arc<SkinTable>>,
        matrices: &JointMatrices<'_>,
    ) -> Result<(), JointIndex> {
        let Some(table) = table else {
            self.clear();
            return Ok(());
        };
        self.matrices.clear();
        self.matrices.extend(
            table.bindings.iter().map(|binding| {
                columns(&affine_mul(&matrices.world_from_joint(binding.joint), &binding.joint_from_mesh))
            }),
        );
        self.forget_pieces(table);
        self.table = Some(Arc::clone(table));
        self.find_reach()
    }

    /// Poses the pieces that some joints move again.
    pub(crate) fn update_joints(
        &mut self,
        world_from_joint: &[Affine3A],
        joints: &[JointIndex],
    ) -> Result<(), JointIndex> {
        let Some(table) = self.table.take() else { return Ok(()) };
        for (binding, matrix) in table.bindings.iter().zip(&mut self.matrices) {
            if joints.contains(&binding.joint) {
                *matrix = columns(&affine_mul(&world_from_joint[binding.joint.index()], &binding.joint_from_mesh));
            }
        }
        self.forget_pieces(&table);
        self.table = Some(table);
        self.find_reach()
    }

    /// Copies the pose of another skin; its pieces are skinned again when needed.
    pub(crate) fn copy_pose(&mut self, other: Option<&Self>) {
        let Some((other, table)) = other.and_then(|other| Some((other, other.table.as_ref()?))) else {
            self.clear();
            return;
        };
        self.matrices.clone_from(&other.matrices);
        self.reach.clone_from(&other.reach);
        self.around = other.around;
        self.forget_pieces(table);
        self.table = Some(Arc::clone(table));
    }

    pub(crate) fn clear(&mut self) {
        self.table = None;
        self.around = Bounds::EMPTY;
    }

    /// The bounds of all pieces, computed from the matrices alone; [`Bounds::EMPTY`] if there is no pose.
    pub(crate) fn bounds(&self) -> Bounds {
        self.around
    }

    fn forget_pieces(&mut self, table: &SkinTable) {
        self.pieces.resize_with(table.pieces.len(), PosedPiece::default);
        self.blocks.resize_with(table.pieces.len(), ChunkBlocks::default);
        for piece in &mut self.pieces {
            (piece.is_skinned, piece.has_blocks, piece.is_wanted) = (false, false, false);
        }
    }

    fn find_reach(&mut self) -> Result<(), JointIndex> {
        let Some(table) = self.table.clone() else { return Ok(()) };
        let is_wrong = |matrix: &&Columns| !matrix.iter().all(|column| column.is_finite());
        if let Some(place) = self.matrices.iter().position(|matrix| is_wrong(&matrix)) {
            let joint = table.bindings[place].joint;
            self.clear();
            return Err(joint);
        }
        self.reach.resize(table.pieces.len().div_ceil(LANES), BoundsBlock::EMPTY);
        self.reach.fill(BoundsBlock::EMPTY);
        for (index, piece) in table.pieces.iter().enumerate() {
            let bounds = piece.bounds_in_any_pose(&self.matrices);
            let is_in_range = bounds.min.abs().max(bounds.max.abs()).cmple(Vec3::splat(MAX_COORDINATE)).all();
            if !is_in_range {
                self.clear();
                return Err(piece.joint);
            }
            self.reach[index / LANES].set(index % LANES, &bounds);
        }
        self.around = Bounds::around(&self.reach);
        Ok(())
    }

    /// The matrix `world_from_mesh` of each binding, by binding.
    pub(super) fn matrices(&self) -> &[Columns] {
        &self.matrices
    }

    pub(crate) fn table(&self) -> Option<&Arc<SkinTable>> {
        self.table.as_ref()
    }

    /// The bounds of a piece, computed from the matrices alone.
    pub(crate) fn reach_of(&self, piece: usize) -> Bounds {
        self.reach[piece / LANES].get(piece % LANES)
    }

    /// The number of points to skin for a piece; 0 if the piece is skinned already.
    pub(crate) fn skinning_cost(&self, piece: usize) -> usize {
        let table = self.table.as_ref().filter(|_| !self.pieces[piece].is_skinned);
        table.map_or(0, |table| table.pieces[piece].point_count())
    }

    /// The bounds of a piece: computed from its points if the piece is skinned, otherwise from the matrices alone.
    pub(crate) fn closest_bounds(&self, piece: usize) -> Bounds {
        let posed = &self.pieces[piece];
        if posed.is_skinned { posed.bounds } else { self.reach_of(piece) }
    }

    /// Marks a piece to be skinned by [`PosedSkin::prepare_wanted`].
    #[cfg(feature = "rayon")]
    pub(crate) fn want(&mut self, piece: usize) {
        self.pieces[piece].is_wanted = true;
    }

    /// Skins the pieces that were marked, and finds the bounds of their chunks.
    #[cfg(feature = "rayon")]
    pub(crate) fn prepare_wanted(&mut self, kernel: Kernel) {
        for piece in 0..self.pieces.len() {
            if std::mem::take(&mut self.pieces[piece].is_wanted) {
                self.prepare(kernel, piece);
                self.find_chunks(piece);
            }
        }
    }

    /// Skins a piece if that was not done yet.
    pub(crate) fn prepare(&mut self, kernel: Kernel, piece: usize) {
        let Some(table) = &self.table else { return };
        let (table, posed) = (&table.pieces[piece], &mut self.pieces[piece]);
        if posed.is_skinned {
            return;
        }
        posed.is_skinned = true;
        table.skin(kernel, &self.matrices, &mut posed.points);
        posed.bounds = table.bounds(&posed.points);
    }

    /// Finds the bounds of the blocks of a piece, from the matrices alone, if that was not done yet. A piece with a single
    /// block must be skinned.
    fn find_blocks(&mut self, piece: usize) {
        let Some(table) = &self.table else { return };
        let (table, posed) = (&table.pieces[piece], &mut self.pieces[piece]);
        if posed.has_blocks {
            return;
        }
        posed.has_blocks = true;
        self.blocks[piece].reset(table.chunk_count());
        let count = table.block_count();
        posed.chunks.resize(count, BoundsBlock::EMPTY);
        posed.chunks.fill(BoundsBlock::EMPTY);
        posed.blocks.resize(count.div_ceil(LANES), BoundsBlock::EMPTY);
        posed.blocks.fill(BoundsBlock::EMPTY);
        posed.has_chunks.clear();
        posed.has_chunks.resize(count, false);
        posed.blocks_left = count;
        if count == 1 {
            posed.blocks[0].set(0, &posed.bounds);
            return;
        }
        for block in 0..count {
            posed.blocks[block / LANES].set(block % LANES, &table.block_in_any_pose(block, &self.matrices));
        }
    }

    fn has_one_block(&self, piece: usize) -> bool {
        self.table.as_ref().is_some_and(|table| table.pieces[piece].has_one_block())
    }

    /// Returns `false` if a piece does not reach into `bounds`, by what is known without skinning it.
    pub(crate) fn reaches_into(&mut self, kernel: Kernel, piece: usize, bounds: &Bounds) -> bool {
        if !self.closest_bounds(piece).overlaps(bounds) {
            return false;
        }
        if self.has_one_block(piece) {
            return true;
        }
        self.find_blocks(piece);
        self.pieces[piece].blocks.iter().any(|lanes| kernels::near(kernel, bounds, lanes) != 0)
    }

    /// Returns `false` if a piece is not skinned yet and a ray misses all of its blocks.
    pub(crate) fn may_be_hit(&mut self, kernel: Kernel, piece: usize, slabs: &Slabs) -> bool {
        if self.pieces[piece].is_skinned || self.has_one_block(piece) {
            return true;
        }
        self.find_blocks(piece);
        self.pieces[piece].blocks.iter().any(|lanes| kernels::ray_mask(kernel, slabs, lanes) != 0)
    }

    /// Finds the bounds of the chunks of a skinned piece in those blocks for whose lanes of bounds `wanted` returns a bit.
    fn find_chunks_of(&mut self, piece: usize, wanted: impl Fn(&BoundsBlock) -> u16) {
        let posed = &self.pieces[piece];
        if posed.has_blocks && posed.blocks_left == 0 {
            return;
        }
        self.find_blocks(piece);
        let Some(table) = &self.table else { return };
        let (table, posed) = (&table.pieces[piece], &mut self.pieces[piece]);
        for index in 0..posed.blocks.len() {
            let mut wanted = wanted(&posed.blocks[index]);
            while wanted != 0 {
                let lane = wanted.trailing_zeros() as usize;
                wanted &= wanted - 1;
                let block = index * LANES + lane;
                if std::mem::replace(&mut posed.has_chunks[block], true) {
                    continue;
                }
                posed.blocks_left -= 1;
                let mut around = Bounds::EMPTY;
                for chunk in block * LANES..table.chunk_count().min((block + 1) * LANES) {
                    let bounds = table.chunk_bounds(chunk, &posed.points);
                    posed.chunks[block].set(chunk % LANES, &bounds);
                    around = around.union(&bounds);
                }
                posed.blocks[index].set(lane, &around);
            }
        }
    }

    /// Finds the bounds of all chunks of a skinned piece.
    pub(crate) fn find_chunks(&mut self, piece: usize) {
        // The bounds of a lane without a block are empty.
        let is_there = |bounds: &BoundsBlock, lane: usize| bounds.min[0][lane] <= bounds.max[0][lane];
        self.find_chunks_of(piece, |bounds| {
            (0..LANES).fold(0, |mask, lane| mask | u16::from(is_there(bounds, lane)) << lane)
        });
    }

    /// A piece that is [prepared](PosedSkin::prepare). Its chunks have bounds after [`PosedSkin::find_chunks`].
    pub(crate) fn piece(&self, piece: usize) -> Option<PieceView<'_>> {
        let table = self.table.as_ref()?;
        Some(PieceView { table: &table.pieces[piece], posed: &self.pieces[piece] })
    }

    /// [`PosedSkin::piece`] with the bounds of all of its chunks and with chunks in lanes.
    pub(crate) fn piece_with_blocks(&mut self, piece: usize) -> Option<(PieceView<'_>, &mut ChunkBlocks)> {
        self.find_chunks(piece);
        self.with_blocks(piece)
    }

    /// [`PosedSkin::piece_with_blocks`] with the bounds of at least those chunks that reach into `bounds`.
    pub(crate) fn piece_near(
        &mut self,
        kernel: Kernel,
        piece: usize,
        bounds: &Bounds,
    ) -> Option<(PieceView<'_>, &mut ChunkBlocks)> {
        self.find_chunks_of(piece, |lanes| kernels::near(kernel, bounds, lanes));
        self.with_blocks(piece)
    }

    /// [`PosedSkin::piece_with_blocks`] with the bounds of at least those chunks that a ray may hit.
    pub(crate) fn piece_on_ray(
        &mut self,
        kernel: Kernel,
        piece: usize,
        slabs: &Slabs,
    ) -> Option<(PieceView<'_>, &mut ChunkBlocks)> {
        self.find_chunks_of(piece, |lanes| kernels::ray_mask(kernel, slabs, lanes));
        self.with_blocks(piece)
    }

    fn with_blocks(&mut self, piece: usize) -> Option<(PieceView<'_>, &mut ChunkBlocks)> {
        let table = self.table.as_ref()?;
        let view = PieceView { table: &table.pieces[piece], posed: &self.pieces[piece] };
        Some((view, &mut self.blocks[piece]))
    }
}

/// The skin of a pose, or the reason why there is none.
pub(crate) fn skin_of<S: AsRef<PosedSkin>>(
    hitboxes: Option<&Arc<HitboxTable>>,
    skin: Option<S>,
) -> Result<S, SkinError> {
    let hitboxes = hitboxes.ok_or(SkinError::NoPose)?;
    let character = || Arc::clone(&hitboxes.name);
    if hitboxes.skin.is_none() {
        return Err(SkinError::NoSkin { character: character() });
    }
    match skin {
        Some(skin) if skin.as_ref().table.is_some() => Ok(skin),
        _ => Err(SkinError::NotTracked { character: character() }),
    }
}

impl AsRef<PosedSkin> for PosedSkin {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl PosedCharacter {
    /// Starts or stops keeping the data that exact queries need, from the next pose on. Each pose then also computes
    /// one matrix product for each binding of the skin and the bounds of each piece; vertices are skinned when a query
    /// needs them.
    ///
    /// If the character was baked without its skin, nothing is kept and exact queries return an error.
    ///
    /// A clone tracks the skin too, and skins its pieces again.
    pub fn track_skin(&mut self, is_tracked: bool) {
        if !is_tracked {
            self.skin = None;
        } else if self.skin.is_none() {
            self.skin = Some(Box::default());
        }
    }

    /// Returns `true` if the skin is tracked, see [`PosedCharacter::track_skin`].
    #[must_use]
    pub fn tracks_skin(&self) -> bool {
        self.skin.is_some()
    }

    /// The posed skin, or the reason why there is none.
    pub(crate) fn skin_mut(&mut self) -> Result<&mut PosedSkin, SkinError> {
        skin_of(self.hitboxes.as_ref(), self.skin.as_deref_mut())
    }

    /// The bounds of all hitboxes, and of the skin if it is posed.
    pub(crate) fn outer_bounds(&self) -> Bounds {
        match &self.skin {
            Some(skin) => self.bounds.union(&skin.bounds()),
            None => self.bounds,
        }
    }
}
