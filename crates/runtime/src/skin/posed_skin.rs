//! A character's skin in world space, skinned piece by piece when queries need it.

use super::blocks::ChunkBlocks;
use super::table::{PieceTable, SkinTable, columns};
use crate::Bounds;
use crate::kernels::joint_matrices::JointMatrices;
use crate::kernels::layout::{BoundsBlock, LANES};
use crate::kernels::near_chunks::NearChunks;
use crate::kernels::ray_slabs::Slabs;
use crate::kernels::set_bits::set_bits;
use crate::kernels::skin_lanes::Columns;
use crate::kernels::triangle_lanes::TriangleBlock;
use crate::kernels::{self, Kernel};
use geometry_core::MAX_COORDINATE;
use geometry_core::portable::affine_mul;
use glam::{Affine3A, Vec3, Vec4};
use skeleton::JointIndex;
use std::ops::Range;
use std::sync::Arc;

/// The skin of a posed character. The first query that needs a piece allocates its memory, which is then kept.
#[derive(Debug, Default)]
pub(crate) struct PosedSkin {
    pub(crate) kernel: Kernel,
    /// The skin that the matrices belong to; `None` if there is no pose.
    table: Option<Arc<SkinTable>>,
    /// The matrix `world_from_mesh` of each binding, by binding.
    matrices: Vec<Columns>,
    /// The weight of each morph target in this pose; empty if all are 0.
    weights: Vec<f32>,
    /// The weights of the next pose, and the skin that they are for; `None` if they were not set.
    next_weights: Option<(Arc<SkinTable>, Vec<f32>)>,
    /// Memory for the vertices of a part that morph targets move.
    moved: Vec<f32>,
    /// The bounds of each piece in lanes, computed from the matrices and weights alone. Only these bounds decide the order in which
    /// queries test pieces, because the closest known bounds depend on earlier queries.
    pub(crate) reach: Vec<BoundsBlock>,
    /// The amount by which the bounds of each piece, and of its parts, are enlarged if they are computed from the matrices alone.
    slacks: Vec<Vec4>,
    /// The closest known bounds of each piece.
    closest: Vec<Bounds>,
    /// The bounds of `closest`, in lanes.
    pub(crate) closest_lanes: Vec<BoundsBlock>,
    /// The union of the bounds of all pieces.
    around: Bounds,
    pieces: Vec<PosedPiece>,
    /// The chunks of each piece, by piece.
    blocks: Vec<ChunkBlocks>,
    /// The [keys](crate::exact::overlap::pair_key) of the pairs of pieces that a query tests.
    pub(crate) pairs: Vec<u64>,
    /// The pairs of chunks of two pieces that a query tests.
    pub(crate) near_chunks: Vec<NearChunks>,
}

/// A piece whose parts are skinned when queries need them.
#[derive(Debug, Default)]
pub(crate) struct PosedPiece {
    /// `true` if the fields below, except `is_wanted`, are about the present pose. Otherwise they have no meaning.
    is_open: bool,
    is_wanted: bool,
    /// The number of parts that are not skinned.
    unskinned: usize,
    /// The number of parts whose chunks have no bounds yet.
    without_chunks: usize,
    /// The posed points of the parts that are skinned; the fourth component has no meaning.
    points: Vec<Vec4>,
    /// The bounds of each part in lanes: computed from its points if it is skinned, otherwise from the matrices alone. Not used if
    /// there is a single part, which has the bounds of the piece.
    parts: Vec<BoundsBlock>,
    /// The state of each part, by part.
    states: Vec<PartState>,
    /// The bounds of each chunk, or [`Bounds::EMPTY`] for the chunks of a part that no query has needed yet. They are
    /// computed only when a query compares chunks, because the bounds of a part often rule out the whole part.
    pub(crate) chunks: Vec<BoundsBlock>,
}

/// The state of a part of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartState {
    NotSkinned,
    Skinned,
    /// Skinned, and the bounds of the chunks are known.
    HasChunks,
}

/// The reason why a skin cannot be posed, with the joint whose piece is out of range.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SkinOutOfRange {
    ByMatrix(JointIndex),
    /// With the weights 0, the piece would be in range.
    ByWeights(JointIndex),
}

/// A skinned piece and its table.
#[derive(Clone, Copy)]
pub(crate) struct PieceView<'a> {
    pub(crate) kernel: Kernel,
    pub(crate) table: &'a PieceTable,
    pub(crate) posed: &'a PosedPiece,
    /// The bounds of all parts.
    pub(crate) bounds: &'a Bounds,
}

impl PieceView<'_> {
    /// The chunk at a place, in lanes; `blocks` must belong to this piece.
    #[inline]
    pub(crate) fn block<'b>(&self, blocks: &'b mut ChunkBlocks, place: usize) -> &'b TriangleBlock {
        let chunk = || {
            let triangles = self.table.triangles_of(self.table.chunk_at(place));
            (&self.table.corners[triangles], self.chunk_bounds(place))
        };
        blocks.get(self.kernel, place, chunk, &self.posed.points)
    }

    /// The triangle in a lane of the chunk at a place.
    #[inline]
    pub(crate) fn triangle_at(&self, place: usize, lane: usize) -> usize {
        self.table.chunk_at(place) * LANES + lane
    }

    pub(crate) fn triangle(&self, triangle: usize) -> [Vec3; 3] {
        self.table.corners[triangle].map(|corner| self.posed.points[corner as usize].truncate())
    }

    /// The places of all chunks.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        (0..self.table.block_count()).flat_map(|block| self.table.places_of_block(block))
    }

    pub(crate) fn chunk_bounds(&self, place: usize) -> Bounds {
        self.posed.chunks[place / LANES].get(place % LANES)
    }
}

impl PosedSkin {
    pub(crate) fn with_kernel(kernel: Kernel) -> Self {
        Self { kernel, ..Self::default() }
    }

    /// Poses the skin with the weights of the next pose. Returns an error if a piece is out of range. Does nothing without a
    /// skin.
    pub(crate) fn pose(
        &mut self,
        table: Option<&Arc<SkinTable>>,
        matrices: &JointMatrices<'_>,
    ) -> Result<(), SkinOutOfRange> {
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
        self.take_weights(table);
        self.table = Some(Arc::clone(table));
        self.find_reach()
    }

    /// The weights of morph targets from the next pose on, one for each target of this skin.
    pub(crate) fn set_next_weights(&mut self, table: &Arc<SkinTable>, weights: &[f32]) {
        let (of, next) = self.next_weights.get_or_insert_with(|| (Arc::clone(table), Vec::new()));
        of.clone_from(table);
        next.clear();
        next.extend_from_slice(weights);
    }

    /// The weights of the next pose of this skin; empty if they were not set.
    pub(crate) fn next_weights(&self, table: &Arc<SkinTable>) -> &[f32] {
        match &self.next_weights {
            Some((of, weights)) if Arc::ptr_eq(of, table) || **of == **table => weights,
            _ => &[],
        }
    }

    /// The weights of this pose; empty if all are 0.
    #[cfg(feature = "serde")]
    pub(crate) fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Makes all weights of the next pose 0.
    #[cfg(feature = "serde")]
    pub(crate) fn forget_next_weights(&mut self) {
        self.next_weights = None;
    }

    /// Copies the weights of the next pose from another skin.
    pub(crate) fn copy_next_weights(&mut self, other: &Self) {
        match &other.next_weights {
            Some((table, weights)) => self.set_next_weights(table, weights),
            None => self.next_weights = None,
        }
    }

    /// Makes the weights of the next pose those of this pose.
    fn take_weights(&mut self, table: &Arc<SkinTable>) {
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        let next = self.next_weights(table);
        if next.iter().any(|weight| *weight != 0.0) {
            weights.extend_from_slice(next);
            self.moved.reserve(table.most_numbers.saturating_sub(self.moved.len()));
        }
        self.weights = weights;
    }

    /// Poses the pieces that some joints move again.
    pub(crate) fn update_joints(
        &mut self,
        world_from_joint: &[Affine3A],
        joints: &[JointIndex],
    ) -> Result<(), SkinOutOfRange> {
        let Some(table) = self.table.take() else { return Ok(()) };
        for (binding, matrix) in table.bindings.iter().zip(&mut self.matrices) {
            if joints.contains(&binding.joint) {
                *matrix = columns(&affine_mul(&world_from_joint[binding.joint.index()], &binding.joint_from_mesh));
            }
        }
        self.forget_pieces(&table);
        self.take_weights(&table);
        self.table = Some(table);
        self.find_reach()
    }

    /// Poses the skin with the matrices of all bindings and the weights of the next pose. `None` if the skin has another number of
    /// bindings, or if a matrix is not finite or takes a piece out of range.
    #[cfg(feature = "serde")]
    pub(crate) fn restore(&mut self, table: &Arc<SkinTable>, matrices: impl Iterator<Item = Columns>) -> Option<()> {
        self.matrices.clear();
        self.matrices.extend(matrices);
        if self.matrices.len() != table.bindings.len() {
            return None;
        }
        self.forget_pieces(table);
        self.take_weights(table);
        self.table = Some(Arc::clone(table));
        self.find_reach().ok()
    }

    /// Copies the pose of another skin; its pieces are skinned again when needed.
    pub(crate) fn copy_pose(&mut self, other: Option<&Self>) {
        let Some((other, table)) = other.and_then(|other| Some((other, other.table.as_ref()?))) else {
            self.clear();
            return;
        };
        self.matrices.clone_from(&other.matrices);
        self.weights.clone_from(&other.weights);
        if !self.weights.is_empty() {
            self.moved.reserve(table.most_numbers.saturating_sub(self.moved.len()));
        }
        self.reach.clone_from(&other.reach);
        self.closest.clone_from(&other.closest);
        self.slacks.clone_from(&other.slacks);
        self.closest_lanes.clone_from(&other.closest_lanes);
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
            (piece.is_open, piece.is_wanted) = (false, false);
        }
    }

    fn find_reach(&mut self) -> Result<(), SkinOutOfRange> {
        let Some(table) = self.table.clone() else { return Ok(()) };
        let is_wrong = |matrix: &&Columns| !matrix.iter().all(|column| column.is_finite());
        if let Some(place) = self.matrices.iter().position(|matrix| is_wrong(&matrix)) {
            let joint = table.bindings[place].joint;
            self.clear();
            return Err(SkinOutOfRange::ByMatrix(joint));
        }
        self.reach.resize(table.pieces.len().div_ceil(LANES), BoundsBlock::EMPTY);
        self.reach.fill(BoundsBlock::EMPTY);
        self.slacks.clear();
        self.closest.clear();
        for (index, piece) in table.pieces.iter().enumerate() {
            let (bounds, slack) = piece.bounds_in_any_pose(&self.matrices, &self.weights);
            self.slacks.push(slack);
            let is_in_range =
                |bounds: &Bounds| bounds.min.abs().max(bounds.max.abs()).cmple(Vec3::splat(MAX_COORDINATE)).all();
            if !is_in_range(&bounds) {
                let by_weights =
                    !self.weights.is_empty() && is_in_range(&piece.bounds_in_any_pose(&self.matrices, &[]).0);
                self.clear();
                let joint = piece.joint;
                return Err(if by_weights {
                    SkinOutOfRange::ByWeights(joint)
                } else {
                    SkinOutOfRange::ByMatrix(joint)
                });
            }
            self.reach[index / LANES].set(index % LANES, &bounds);
            self.closest.push(bounds);
        }
        self.closest_lanes.clone_from(&self.reach);
        self.around = Bounds::around(&self.reach);
        Ok(())
    }

    /// The matrix `world_from_mesh` of each binding, by binding.
    pub(crate) fn matrices(&self) -> &[Columns] {
        &self.matrices
    }

    pub(crate) fn table(&self) -> Option<&Arc<SkinTable>> {
        self.table.as_ref()
    }

    /// The number of pieces; 0 if there is no pose.
    pub(crate) fn piece_count(&self) -> usize {
        self.table.as_ref().map_or(0, |table| table.pieces.len())
    }

    /// The bounds of a piece, computed from the matrices alone.
    pub(crate) fn reach_of(&self, piece: usize) -> Bounds {
        self.reach[piece / LANES].get(piece % LANES)
    }

    /// The closest known bounds of a piece.
    #[inline]
    pub(crate) fn closest_bounds(&self, piece: usize) -> Bounds {
        self.closest[piece]
    }

    /// Marks a piece to be skinned by [`PosedSkin::prepare_wanted`].
    #[cfg(feature = "rayon")]
    pub(crate) fn want(&mut self, piece: usize) {
        self.pieces[piece].is_wanted = true;
    }

    /// Skins the pieces that were marked, and finds the bounds of their chunks.
    #[cfg(feature = "rayon")]
    pub(crate) fn prepare_wanted(&mut self) {
        for piece in 0..self.pieces.len() {
            if std::mem::take(&mut self.pieces[piece].is_wanted) {
                self.prepare_chunks(piece);
            }
        }
    }

    /// Computes the bounds of the parts of a piece, from the matrices alone, if they were not computed for this pose
    /// yet.
    pub(crate) fn open(&mut self, piece: usize) {
        let Some(table) = &self.table else { return };
        let (index, table) = (piece, &table.pieces[piece]);
        let posed = &mut self.pieces[index];
        if posed.is_open {
            return;
        }
        let count = table.parts.len();
        posed.is_open = true;
        (posed.unskinned, posed.without_chunks) = (count, count);
        posed.points.resize(table.point_count(), Vec4::ZERO);
        posed.states.clear();
        posed.states.resize(count, PartState::NotSkinned);
        posed.chunks.clear();
        posed.chunks.resize(table.block_count(), BoundsBlock::EMPTY);
        table.reset(&mut self.blocks[index]);
        if count > 1 {
            posed.parts.clear();
            posed.parts.resize(count.div_ceil(LANES), BoundsBlock::EMPTY);
            for (part, table) in table.parts.iter().enumerate() {
                posed.parts[part / LANES]
                    .set(part % LANES, &table.bounds_in_any_pose(&self.matrices, &self.weights, self.slacks[index]));
            }
            self.unite(index);
        }
    }

    /// The bounds of the parts of an open piece, in lanes; empty if there is a single part.
    pub(crate) fn parts_of(&self, piece: usize) -> &[BoundsBlock] {
        let posed = &self.pieces[piece];
        if posed.states.len() > 1 { &posed.parts } else { &[] }
    }

    /// Sets the bounds of an open piece with several parts to those around the bounds of its parts.
    fn unite(&mut self, piece: usize) {
        if self.pieces[piece].states.len() > 1 {
            self.set_closest(piece, Bounds::around(&self.pieces[piece].parts));
        }
    }

    fn set_closest(&mut self, piece: usize, bounds: Bounds) {
        self.closest[piece] = bounds;
        self.closest_lanes[piece / LANES].set(piece % LANES, &bounds);
    }

    /// Skins a part of an open piece if it is not skinned yet. Returns `true` if the function skinned the part; then
    /// the caller must call [`PosedSkin::unite`].
    fn skin_part(&mut self, piece: usize, part: usize) -> bool {
        let Some(table) = &self.table else { return false };
        let (table, posed) = (&table.pieces[piece].parts[part], &mut self.pieces[piece]);
        if posed.states[part] != PartState::NotSkinned {
            return false;
        }
        posed.states[part] = PartState::Skinned;
        posed.unskinned -= 1;
        table.skin(self.kernel, &self.matrices, &self.weights, &mut self.moved, &mut posed.points);
        let bounds = table.bounds(self.kernel, &posed.points);
        if posed.states.len() > 1 {
            posed.parts[part / LANES].set(part % LANES, &bounds);
        } else {
            self.set_closest(piece, bounds);
        }
        true
    }

    /// Skins the parts of a piece that are not skinned yet.
    pub(crate) fn prepare(&mut self, piece: usize) {
        self.open(piece);
        if self.pieces[piece].unskinned > 0 {
            for part in 0..self.pieces[piece].states.len() {
                self.skin_part(piece, part);
            }
            self.unite(piece);
        }
    }

    /// Returns `true` if a piece has a single part, which is skinned and whose chunks have bounds.
    #[inline]
    pub(crate) fn is_complete(&self, piece: usize) -> bool {
        let posed = &self.pieces[piece];
        posed.is_open && matches!(posed.states[..], [PartState::HasChunks])
    }

    /// The bounds around the parts of a piece that reach into `bounds`, and the number of their points that are not
    /// skinned yet. `None` if no part reaches into `bounds`. The function uses the known bounds of the parts and skins
    /// nothing.
    pub(crate) fn near_parts(&mut self, piece: usize, bounds: &Bounds) -> Option<(Bounds, usize)> {
        let closest = self.closest_bounds(piece);
        if !closest.overlaps(bounds) {
            return None;
        }
        if let [part] = &self.table.as_ref()?.pieces[piece].parts[..] {
            let posed = &self.pieces[piece];
            let is_skinned = posed.is_open && posed.unskinned == 0;
            return Some((closest, if is_skinned { 0 } else { part.points.len() }));
        }
        self.open(piece);
        let (parts, posed) = (&self.table.as_ref()?.pieces[piece].parts, &self.pieces[piece]);
        let (mut around, mut count) = (Bounds::EMPTY, 0);
        for (index, lanes) in posed.parts.iter().enumerate() {
            for lane in set_bits(kernels::near(self.kernel, bounds, lanes)) {
                let part = index * LANES + lane;
                around = around.union(&lanes.get(lane));
                count += if posed.states[part] == PartState::NotSkinned { parts[part].points.len() } else { 0 };
            }
        }
        (!around.is_empty()).then_some((around, count))
    }

    /// Skins the parts of a piece that reach into `bounds`. Returns the bounds around the skinned parts that still
    /// reach into `bounds`; `None` if there are none.
    pub(crate) fn skin_near(&mut self, piece: usize, bounds: &Bounds) -> Option<Bounds> {
        self.open(piece);
        if self.pieces[piece].states.len() == 1 {
            self.skin_part(piece, 0);
            let closest = self.closest_bounds(piece);
            return closest.overlaps(bounds).then_some(closest);
        }
        let (mut around, mut is_changed) = (Bounds::EMPTY, false);
        for index in 0..self.pieces[piece].parts.len() {
            for lane in set_bits(kernels::near(self.kernel, bounds, &self.pieces[piece].parts[index])) {
                is_changed |= self.skin_part(piece, index * LANES + lane);
                let closer = self.pieces[piece].parts[index].get(lane);
                if closer.overlaps(bounds) {
                    around = around.union(&closer);
                }
            }
        }
        if is_changed {
            self.unite(piece);
        }
        (!around.is_empty()).then_some(around)
    }

    /// Skins a part of an open piece if it is not skinned yet, and computes the bounds of its chunks. Returns the
    /// part's blocks of chunks; `None` if the ray misses the part or enters its bounds after `limit`.
    pub(crate) fn part_on_ray(&mut self, [piece, part]: [usize; 2], slabs: &Slabs, limit: f32) -> Option<Range<usize>> {
        if self.skin_part(piece, part) {
            self.unite(piece);
            // The bounds of a skinned part are closer than the bounds by which the parts were sorted.
            let lanes = self.parts_of(piece).get(part / LANES);
            let closest = lanes.map_or(self.closest_bounds(piece), |lanes| lanes.get(part % LANES));
            slabs.may_hit(&closest).filter(|&entry| entry <= limit)?;
        }
        self.find_chunks_of_part(piece, part);
        Some(self.table.as_ref()?.pieces[piece].parts[part].blocks.clone())
    }

    /// Computes the bounds of the chunks of a skinned part if they were not computed yet.
    fn find_chunks_of_part(&mut self, piece: usize, part: usize) {
        let Some(table) = &self.table else { return };
        let (table, posed) = (&table.pieces[piece], &mut self.pieces[piece]);
        if posed.states[part] != PartState::Skinned {
            return;
        }
        posed.states[part] = PartState::HasChunks;
        posed.without_chunks -= 1;
        for block in table.parts[part].blocks.clone() {
            table.find_chunks(self.kernel, block, &posed.points, &mut posed.chunks[block]);
        }
    }

    /// [Prepares](PosedSkin::prepare) a piece, and finds the bounds of all its chunks.
    pub(crate) fn prepare_chunks(&mut self, piece: usize) {
        self.prepare(piece);
        if self.pieces[piece].without_chunks > 0 {
            (0..self.pieces[piece].states.len()).for_each(|part| self.find_chunks_of_part(piece, part));
        }
    }

    /// A piece that is [prepared](PosedSkin::prepare). Its chunks have bounds after [`PosedSkin::prepare_chunks`].
    pub(crate) fn piece(&self, piece: usize) -> Option<PieceView<'_>> {
        let (table, posed, bounds) = (self.table.as_ref()?, &self.pieces[piece], &self.closest[piece]);
        Some(PieceView { kernel: self.kernel, table: &table.pieces[piece], posed, bounds })
    }

    /// A piece with the bounds of at least those chunks that reach into `bounds`, and with chunks in lanes. The parts that reach
    /// into `bounds` must be [skinned](PosedSkin::skin_near).
    pub(crate) fn piece_near(&mut self, piece: usize, bounds: &Bounds) -> Option<(PieceView<'_>, &mut ChunkBlocks)> {
        if self.pieces[piece].without_chunks > 0 {
            if self.pieces[piece].states.len() == 1 {
                self.find_chunks_of_part(piece, 0);
                return self.with_blocks(piece);
            }
            for index in 0..self.pieces[piece].parts.len() {
                for lane in set_bits(kernels::near(self.kernel, bounds, &self.pieces[piece].parts[index])) {
                    self.find_chunks_of_part(piece, index * LANES + lane);
                }
            }
        }
        self.with_blocks(piece)
    }

    /// An open piece and its chunks in lanes.
    pub(crate) fn with_blocks(&mut self, piece: usize) -> Option<(PieceView<'_>, &mut ChunkBlocks)> {
        let (table, posed, bounds) = (self.table.as_ref()?, &self.pieces[piece], &self.closest[piece]);
        let view = PieceView { kernel: self.kernel, table: &table.pieces[piece], posed, bounds };
        Some((view, &mut self.blocks[piece]))
    }
}
