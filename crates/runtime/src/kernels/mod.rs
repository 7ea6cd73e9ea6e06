//! Do boxes overlap? One box against sixteen at a time.
//!
//! The test is the separating axis test on 15 axes (Gottschalk, Lin, Manocha, *OBBTree*, 1996; Ericson, *Real-Time
//! Collision Detection*, section 4.4.1) behind two quick rejects, by the spheres and by the axis-aligned boxes around
//! the two. [`Kernel::Scalar`] defines the answer, written for reading; the others do the same operations in the same
//! order on several boxes at once and give the same bits.

mod scalar;

use crate::lanes::{Block, BoxLanes, Lane};

/// How far two boxes may miss each other on an axis and still count as touching, as a share of the sum of the radii
/// of the spheres around them; no unit.
///
/// It exceeds what rounding can add up to on any axis (about 25 times 2^-24 of that sum), so that no gap is ever
/// invented. Pairs whose gap on one of the 15 axes is above twice this share are told apart.
pub const MARGIN: f32 = 16.0 * f32::EPSILON;

/// An implementation of the box test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kernel {
    /// Plain code: defines the answer.
    Scalar,
}

impl Kernel {
    /// The fastest that this processor has; found once.
    #[must_use]
    pub fn best() -> Self {
        Self::Scalar
    }

    /// All that this processor has, slowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        [Self::Scalar].into_iter()
    }
}

pub(crate) fn masks(kernel: Kernel, query: &Lane, blocks: &[Block], masks: &mut [u16]) {
    debug_assert_eq!(blocks.len(), masks.len());
    match kernel {
        Kernel::Scalar => scalar::masks(query, blocks, masks),
    }
}

impl BoxLanes {
    /// Which of these boxes overlap `query`: bit `k` of `masks[i]` stands for box `16 i + k`.
    pub fn overlaps_box(&self, query: &crate::PosedBox, kernel: Kernel, masks: &mut Vec<u16>) {
        masks.clear();
        masks.resize(self.blocks.len(), 0);
        let query = Lane::new(query.center, query.half_extents, &query.axes);
        self::masks(kernel, &query, &self.blocks, masks);
    }
}
