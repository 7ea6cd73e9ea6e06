//! Many boxes in lanes, without a skeleton.

use crate::kernels::layout::{Block, BoxNumbers, LANES};
use crate::kernels::{self, Kernel};
use geometry_core::Obb;

/// Many boxes in lanes, for testing one box against all of them.
///
/// Use it for static boxes and other boxes without a skeleton. For the hitboxes of a character, use
/// [`crate::PosedCharacter`].
///
/// ```
/// use geometry_core::Obb;
/// use glam::{Mat3, Vec3};
/// use runtime::{BoxLanes, kernels::Kernel};
///
/// let at = |x| Obb::new(Vec3::X * x, Vec3::ONE, Mat3::IDENTITY);
/// let mut lanes = BoxLanes::new();
/// (0..20u8).for_each(|i| lanes.push(&at(f32::from(i))));
/// let mut masks = Vec::new();
/// lanes.overlaps_box(&at(-1.0), Kernel::best(), &mut masks);
/// assert_eq!(masks, [0b11, 0]); // the boxes at 0 and at 1; the box at 1 shares only a face with the query
/// ```
#[derive(Clone, Debug, Default)]
pub struct BoxLanes {
    pub(crate) blocks: Vec<Block>,
    len: usize,
}

impl BoxLanes {
    /// An empty set of boxes. Does not allocate.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a box.
    pub fn push(&mut self, one: &Obb) {
        let lane = self.len % LANES;
        if lane == 0 {
            self.blocks.push(Block::EMPTY);
        }
        if let Some(block) = self.blocks.last_mut() {
            block.set(lane, &BoxNumbers::of_box(one));
        }
        self.len += 1;
    }

    /// Removes all boxes and keeps the memory.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.len = 0;
    }

    /// The number of boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if there are no boxes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Finds the boxes that overlap `query`: bit `k` of `masks[i]` stands for box `16 i + k`.
    ///
    /// # Panics
    /// Panics if the processor does not support the kernel.
    pub fn overlaps_box(&self, query: &Obb, kernel: Kernel, masks: &mut Vec<u16>) {
        masks.clear();
        masks.resize(self.blocks.len(), 0);
        let query = BoxNumbers::of_box(query);
        kernels::masks(kernel, &query, &query.bounds(), &self.blocks, masks);
    }
}
