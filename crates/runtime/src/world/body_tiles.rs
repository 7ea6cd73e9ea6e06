//! The bodies of a world in tiles of sixteen neighbors, for queries that look for the bodies near a shape or on a ray.

use crate::Bounds;
use crate::kernels::layout::{BoundsBlock, LANES};
use crate::kernels::set_bits::set_bits;
use crate::kernels::{self, Kernel};
use crate::pose::clone_in_place::copy_list;

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
    /// Calls `found` with the place and the bounds of each body that has bounds.
    pub fn each(self, mut found: impl FnMut(usize, Bounds)) {
        for (lane, &body) in self.bodies.iter().enumerate() {
            let bounds = self.blocks[lane / LANES].get(lane % LANES);
            if bounds.min.x <= bounds.max.x {
                found(body as usize, bounds);
            }
        }
    }

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

/// [`BodyTiles`] in memory of their own. Filling them again reuses the memory.
#[derive(Clone, Debug, Default)]
pub struct TileList {
    bodies: Vec<u32>,
    blocks: Vec<BoundsBlock>,
    around: Vec<BoundsBlock>,
}

impl TileList {
    /// The tiles.
    #[must_use]
    pub fn tiles(&self) -> BodyTiles<'_> {
        BodyTiles { bodies: &self.bodies, blocks: &self.blocks, around: &self.around }
    }

    /// Copies tiles.
    pub fn copy(&mut self, tiles: BodyTiles<'_>) {
        copy_list(&mut self.bodies, tiles.bodies);
        copy_list(&mut self.blocks, tiles.blocks);
        copy_list(&mut self.around, tiles.around);
    }

    /// Copies tiles, with other bounds: `bounds_of` gets the place and the bounds of each body that has bounds.
    pub fn copy_with(&mut self, tiles: BodyTiles<'_>, mut bounds_of: impl FnMut(usize, Bounds) -> Bounds) {
        let of_lane = |lane: usize, bounds: Bounds| match tiles.bodies.get(lane) {
            Some(&body) if bounds.min.x <= bounds.max.x => (body, bounds_of(body as usize, bounds)),
            Some(&body) => (body, Bounds::EMPTY),
            None => (u32::MAX, Bounds::EMPTY),
        };
        let mut of_lane = of_lane;
        let lanes = 0..tiles.blocks.len() * LANES;
        self.set(lanes.map(|lane| of_lane(lane, tiles.blocks[lane / LANES].get(lane % LANES))));
    }

    /// Puts bodies, given by place and bounds, into tiles in this order. Neighbors in the order should be neighbors in
    /// space.
    pub(super) fn set(&mut self, bodies: impl Iterator<Item = (u32, Bounds)>) {
        self.bodies.clear();
        self.blocks.clear();
        self.around.clear();
        for (place, bounds) in bodies {
            let lane = self.bodies.len();
            let tile = lane / LANES;
            if lane.is_multiple_of(LANES) {
                self.blocks.push(BoundsBlock::EMPTY);
                if tile.is_multiple_of(LANES) {
                    self.around.push(BoundsBlock::EMPTY);
                }
            }
            self.bodies.push(place);
            self.blocks[tile].set(lane % LANES, &bounds);
            self.around[tile / LANES].grow(tile % LANES, &bounds);
        }
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
