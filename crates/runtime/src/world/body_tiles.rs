//! The bodies of a world in tiles of sixteen neighbors, for queries that look for the bodies near a shape or on a ray.

use crate::kernels::layout::{BoundsBlock, LANES};
use crate::kernels::set_bits::set_bits;
use crate::kernels::{self, Kernel};

/// Bodies in tiles of sixteen, and tiles in blocks of sixteen. A query first looks at the bounds of the tiles, and then only at
/// the bodies of the tiles that it finds.
#[derive(Clone, Copy, Debug)]
pub struct BodyTiles<'t> {
    /// The body place in each lane. A lane without a body has any number here, and empty bounds.
    pub(super) bodies: &'t [u32],
    /// The bounds of the bodies: lane `i % 16` of block `i / 16`. A block is a tile.
    pub(super) blocks: &'t [BoundsBlock],
    /// Bounds that contain the bounds of all bodies of a tile: lane `i % 16` of block `i / 16`.
    pub(super) around: &'t [BoundsBlock],
}

impl BodyTiles<'_> {
    /// Passes the places of the bodies of the lanes that `masks_of` chooses to a callback, until the callback stops. `masks_of`
    /// sets a mask for each of some blocks, and chooses every lane whose bounds contain the bounds of a lane that it chooses.
    /// Returns `false` if the callback stopped.
    pub(super) fn each_body(
        self,
        masks_of: impl Fn(&[BoundsBlock], &mut [u16]),
        mut found: impl FnMut(usize) -> bool,
    ) -> bool {
        /// The number of blocks of tiles that are tested together.
        const CHUNK: usize = 16;
        self.around.chunks(CHUNK).enumerate().all(|(chunk, around)| {
            let mut masks = [0; CHUNK];
            masks_of(around, &mut masks[..around.len()]);
            (chunk * CHUNK..).zip(masks).all(|(block, mask)| {
                set_bits(mask).all(|lane| {
                    let (tile, mut mask) = (block * LANES + lane, [0]);
                    masks_of(&self.blocks[tile..=tile], &mut mask);
                    set_bits(mask[0]).all(|lane| found(self.bodies[tile * LANES + lane] as usize))
                })
            })
        })
    }
}

/// Computes [`BodyTiles::around`].
pub(super) fn find_around(kernel: Kernel, blocks: &[BoundsBlock], around: &mut Vec<BoundsBlock>) {
    around.clear();
    around.resize(blocks.len().div_ceil(LANES), BoundsBlock::EMPTY);
    for (tile, block) in blocks.iter().enumerate() {
        around[tile / LANES].set(tile % LANES, &kernels::around(kernel, std::slice::from_ref(block)));
    }
}
