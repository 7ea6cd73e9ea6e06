//! The tolerance, the range and the order of searches for hits of moving shapes.

use crate::kernels::layout::Row;
use crate::kernels::set_bits::set_bits;
use geometry_core::tolerances::LEAST_CONTACT_TOLERANCE;

/// The default tolerance of sweeps and shape casts: two boxes are in contact if the gap between them is at most this share of
/// the sum of their half extents (no unit).
pub const DEFAULT_SWEEP_TOLERANCE: f32 = 1e-4;

pub(crate) fn tolerance(relative_tolerance: impl Into<Option<f32>>) -> f32 {
    // For a NaN, `f32::max` returns the other number.
    relative_tolerance.into().unwrap_or(DEFAULT_SWEEP_TOLERANCE).max(LEAST_CONTACT_TOLERANCE)
}

/// The hits that a search must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sought {
    /// All hits: the pairs that may meet are tested together.
    All,
    /// The earliest hit, or any: a hit ends the search or shortens its range, so pairs are tested one by one.
    One,
}

/// The range of the search after a hit was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Look {
    /// Search for contacts that are not later than this time.
    Until(f32),
    /// Stop the search.
    NoFurther,
}

/// Keeps the hit with the least key, and returns it. Hits with equal times have different keys, so the hit that stays does not
/// depend on the order of the search.
pub(crate) fn keep_first<H: Copy, K: Ord>(first: &mut Option<H>, hit: H, key: impl Fn(&H) -> K) -> H {
    let kept = first.filter(|first| key(first) <= key(&hit)).unwrap_or(hit);
    *first = Some(kept);
    kept
}

/// A sort key: a number that is not negative, then an index.
#[inline]
pub(crate) fn sort_key(number: f32, index: usize) -> u64 {
    // The bits of nonnegative numbers sort like the numbers.
    u64::from(number.to_bits()) << 32 | index as u64
}

/// Removes the lane of the earliest entry from the mask and returns it. The mask must not be empty.
pub(super) fn take_earliest(mask: &mut u16, entries: &Row) -> usize {
    let mut earliest = mask.trailing_zeros() as usize;
    for lane in set_bits(*mask & (*mask - 1)) {
        if entries[lane] < entries[earliest] {
            earliest = lane;
        }
    }
    *mask &= !(1 << earliest);
    earliest
}
