//! The chunks of a skinned piece in lanes. The first query that needs a chunk makes it.

use crate::Bounds;
use crate::kernels::triangle_lanes::TriangleBlock;
use crate::kernels::{Kernel, fill_triangles};
use glam::Vec4;

/// The chunks of one piece in one pose that queries have needed.
#[derive(Debug, Default)]
pub(crate) struct ChunkBlocks {
    /// The chunks of this pose, in the order in which they were made, and then those of other poses.
    blocks: Vec<TriangleBlock>,
    /// The number of chunks of this pose.
    count: usize,
    /// For each place, the index of its chunk in `blocks`, or [`MISSING`].
    indices: Vec<u32>,
}

const MISSING: u32 = u32::MAX;

impl ChunkBlocks {
    /// Marks all chunks as missing. The next piece has `chunks` chunks at `places` places.
    pub(crate) fn reset(&mut self, places: usize, chunks: usize) {
        self.blocks.reserve(chunks.saturating_sub(self.blocks.len()));
        self.count = 0;
        self.indices.clear();
        self.indices.resize(places, MISSING);
    }

    /// Returns `true` if the chunk at a place is not missing.
    #[inline]
    pub(crate) fn has(&self, place: usize) -> bool {
        self.indices[place] != MISSING
    }

    /// The chunk at a place. If it is missing, it is made from its triangles and its bounds, which `chunk` returns.
    #[inline]
    pub(crate) fn get<'t>(
        &mut self,
        kernel: Kernel,
        place: usize,
        chunk: impl FnOnce() -> (&'t [[u32; 3]], Bounds),
        points: &[Vec4],
    ) -> &TriangleBlock {
        if !self.has(place) {
            self.make(kernel, place, chunk(), points);
        }
        &self.blocks[self.indices[place] as usize]
    }

    fn make(&mut self, kernel: Kernel, place: usize, (triangles, around): (&[[u32; 3]], Bounds), points: &[Vec4]) {
        if self.count == self.blocks.len() {
            self.blocks.push(TriangleBlock::EMPTY);
        }
        let block = &mut self.blocks[self.count];
        fill_triangles(kernel, block, triangles, points);
        block.around = around;
        self.indices[place] = self.count as u32;
        self.count += 1;
    }
}
