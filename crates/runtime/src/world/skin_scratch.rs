//! Memory that the exact queries of a world reuse.

use crate::SkinOverlap;
#[cfg(feature = "rayon")]
use crate::kernels::near_chunks::NearChunks;
#[cfg(feature = "rayon")]
use crate::skin::blocks::ChunkBlocks;

/// A skin piece of each of two bodies; the bounds of the two pieces overlap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) bodies: [u32; 2],
    pub(super) pieces: [u16; 2],
}

/// Memory that exact queries reuse.
#[derive(Debug, Default)]
pub(super) struct SkinScratch {
    pub(super) candidates: Vec<Candidate>,
    pub(super) answers: Vec<Option<SkinOverlap>>,
    /// The memory of each share of the candidates.
    #[cfg(feature = "rayon")]
    pub(super) shares: Vec<ShareScratch>,
    /// The bodies whose bounds the ray hits: the bits of the entry time, and the place of the body.
    pub(super) waiting: Vec<(u32, u32)>,
}

/// Memory for the test of two pieces.
#[cfg(feature = "rayon")]
#[derive(Debug, Default)]
pub(super) struct ShareScratch {
    /// The chunks of the two pieces.
    pub(super) blocks: [ChunkBlocks; 2],
    pub(super) near: Vec<NearChunks>,
}
