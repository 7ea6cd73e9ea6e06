//! Memory that sweeps of a world reuse.

use super::pair_order::PairOrder;
use crate::query::sweep::SweepMemory;

/// Memory of sweeps.
#[derive(Debug, Default)]
pub(super) struct SweepScratch {
    pub(super) search: SweepMemory,
    pub(super) masks: [Vec<u16>; 2],
    pub(super) order: PairOrder,
}
