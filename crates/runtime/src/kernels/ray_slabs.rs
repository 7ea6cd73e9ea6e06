//! A ray against the bounds of sixteen boxes.

use super::layout::{BoundsBlock, LANES, Row};
use geometry_core::Ray;

/// A ray against bounds: conservative, sixteen at a time. Plain loops over rows, which the compiler turns into the
/// vectors of whichever kernel calls them.
pub(crate) struct Slabs {
    origin: [f32; 3],
    /// One over the direction; infinite where it does not move.
    inverse: [f32; 3],
    max_time: f32,
}

impl Slabs {
    pub(crate) fn new(ray: &Ray, max_time: f32) -> Self {
        Self { origin: ray.origin().to_array(), inverse: ray.direction().to_array().map(|d| 1.0 / d), max_time }
    }

    /// Lanes whose bounds the ray may hit, and when at the earliest. Times are widened by a share of their own size,
    /// sixteen times what they round by, and a NaN (an origin on a face that the ray runs along) lets the lane through.
    #[inline(always)]
    pub(crate) fn mask(&self, block: &BoundsBlock, entries: &mut Row) -> u16 {
        const WIDEN: f32 = 16.0 * f32::EPSILON;
        let (mut enter, mut leave): (Row, Row) = ([0.0; LANES], [self.max_time; LANES]);
        let mut spread: Row = [0.0; LANES];
        for c in 0..3 {
            for lane in 0..LANES {
                let first = (block.min[c][lane] - self.origin[c]) * self.inverse[c];
                let second = (block.max[c][lane] - self.origin[c]) * self.inverse[c];
                let low = if first < second { first } else { second };
                let high = if first < second { second } else { first };
                let unknown = first.is_nan() || second.is_nan();
                let low = if unknown { f32::NEG_INFINITY } else { low };
                let high = if unknown { f32::INFINITY } else { high };
                enter[lane] = if low > enter[lane] { low } else { enter[lane] };
                leave[lane] = if high < leave[lane] { high } else { leave[lane] };
                let size = if -low > high { -low } else { high };
                spread[lane] = if size > spread[lane] && size < f32::INFINITY { size } else { spread[lane] };
            }
        }
        let mut mask = 0;
        for lane in 0..LANES {
            let there = block.min[0][lane] <= block.max[0][lane];
            let slack = WIDEN * (spread[lane] + leave[lane].abs().min(f32::MAX));
            entries[lane] = enter[lane] - slack;
            let apart = entries[lane] > leave[lane];
            mask |= u16::from(there && !apart) << lane;
        }
        mask
    }
}
