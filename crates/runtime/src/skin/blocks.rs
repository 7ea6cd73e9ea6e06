//! The chunks of a skinned piece in lanes. The first query that needs a chunk makes it.

use crate::kernels::layout::LANES;
use crate::kernels::triangle_lanes::TriangleBlock;
use crate::kernels::{Kernel, fill_triangles};
use glam::Vec4;

/// The chunks of one piece in one pose.
#[derive(Debug, Default)]
pub(crate) struct ChunkBlocks {
    blocks: Vec<TriangleBlock>,
    is_filled: Vec<bool>,
}

impl ChunkBlocks {
    /// Marks all chunks as missing. `count` is the number of chunks of the next piece.
    pub(crate) fn reset(&mut self, count: usize) {
        if self.blocks.len() < count {
            self.blocks.resize(count, TriangleBlock::EMPTY);
        }
        self.is_filled.clear();
        self.is_filled.resize(count, false);
    }

    /// A chunk of the piece. All calls after [`ChunkBlocks::reset`] must pass the same triangles and points.
    #[inline]
    pub(super) fn get(
        &mut self,
        kernel: Kernel,
        chunk: usize,
        triangles: &[[u32; 3]],
        points: &[Vec4],
    ) -> &TriangleBlock {
        let block = &mut self.blocks[chunk];
        if !self.is_filled[chunk] {
            self.is_filled[chunk] = true;
            let start = chunk * LANES;
            fill_triangles(kernel, block, &triangles[start..triangles.len().min(start + LANES)], points);
        }
        block
    }
}
