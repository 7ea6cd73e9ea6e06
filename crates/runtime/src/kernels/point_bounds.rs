//! The bounds of posed points.

use super::bounds::Bounds;
use super::layout::{BoundsBlock, LANES};
use super::vectors::Vectors;
use glam::Vec4;
use std::ops::Range;

/// The points of up to sixteen chunks.
#[derive(Clone, Copy)]
pub(crate) struct ChunkPoints<'a> {
    /// The indices of the points, chunk after chunk. The number of points of each chunk is a multiple of four.
    pub(crate) points: &'a [u32],
    /// The end of each chunk's range in `points`, plus `start`.
    pub(crate) ends: &'a [u32],
    pub(crate) start: u32,
}

impl ChunkPoints<'_> {
    /// The points of each chunk.
    #[inline(always)]
    fn each(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().take(LANES).map(move |&end| {
            let end = (end - self.start) as usize;
            let points = &self.points[start..end];
            start = end;
            points
        })
    }
}

#[inline(always)]
pub(super) fn bounds_of_ranges<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    ranges: &[Range<usize>],
    points: &[Vec4],
) -> Bounds {
    // Four minima and four maxima are kept side by side, so that no comparison waits for the one before.
    let mut ends = [[s.splat(f32::INFINITY), s.splat(f32::NEG_INFINITY)]; 4];
    for range in ranges {
        let (groups, rest) = points[range.clone()].as_chunks::<WIDTH>();
        for group in groups {
            for (k, ends) in ends.iter_mut().enumerate() {
                *ends = widened(s, *ends, s.load_quarters(&group.each_ref(), k, 0));
            }
        }
        for point in rest {
            ends[0] = widened(s, ends[0], s.load_fours([*point; 4]));
        }
    }
    let [a, b, c, d] = ends;
    let low = s.min(s.min(a[0], b[0]), s.min(c[0], d[0]));
    let high = s.max(s.max(a[1], b[1]), s.max(c[1], d[1]));
    around(s, [low, high])
}

#[inline(always)]
pub(super) fn bounds_of_chunks<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    chunks: ChunkPoints<'_>,
    points: &[Vec4],
    block: &mut BoundsBlock,
) {
    for (lane, chunk) in chunks.each().enumerate() {
        let mut ends = [s.splat(f32::INFINITY), s.splat(f32::NEG_INFINITY)];
        for four in chunk.as_chunks::<4>().0 {
            let [a, b, c, d] = four.map(|point| points[point as usize]);
            match WIDTH {
                4 => {
                    for one in [a, b, c, d] {
                        ends = widened(s, ends, s.load_fours([one; 4]));
                    }
                }
                8 => {
                    ends = widened(s, ends, s.load_fours([a, b, a, b]));
                    ends = widened(s, ends, s.load_fours([c, d, c, d]));
                }
                _ => ends = widened(s, ends, s.load_fours([a, b, c, d])),
            }
        }
        block.set(lane, &around(s, ends));
    }
}

#[inline(always)]
fn widened<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, [low, high]: [S::V; 2], points: S::V) -> [S::V; 2] {
    [s.min(low, points), s.max(high, points)]
}

/// The bounds from the least and greatest points, as many as fill a vector.
#[inline(always)]
fn around<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, [low, high]: [S::V; 2]) -> Bounds {
    let (lows, highs) = (s.split_fours(low), s.split_fours(high));
    let (mut low, mut high) = (lows[0], highs[0]);
    for k in 1..WIDTH / 4 {
        (low, high) = (low.min(lows[k]), high.max(highs[k]));
    }
    Bounds { min: low.truncate(), max: high.truncate() }
}

#[cfg(test)]
mod tests {
    use super::super::{Kernel, bounds_of_chunks, bounds_of_ranges};
    use super::{Bounds, BoundsBlock, ChunkPoints, LANES, Vec4};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_kernel_finds_the_same_bounds(
            numbers in prop::collection::vec(prop::array::uniform3(-3f32..3.0), 1..60),
            fours in prop::collection::vec(prop::collection::vec(prop::array::uniform4(0usize..60), 1..9), 1..=LANES),
            cut in prop::array::uniform2(0usize..60),
        ) {
            let points: Vec<Vec4> = numbers.iter().map(|&[x, y, z]| Vec4::new(x, y, z, 7.0)).collect();
            let count = points.len();
            let cut = [cut[0].min(cut[1]).min(count), cut[0].max(cut[1]).min(count)];
            let ranges = [0..cut[0], cut[1]..count];
            let lists: Vec<Vec<u32>> = fours.iter().map(|four| four.as_flattened().iter().map(|at| (at % count) as u32).collect()).collect();
            let start = 11;
            let ends: Vec<u32> = lists.iter().scan(start, |end, list| { *end += list.len() as u32; Some(*end) }).collect();
            let chunks = ChunkPoints { points: &lists.concat(), ends: &ends, start };
            let around = |points: &mut dyn Iterator<Item = &Vec4>| {
                points.fold(Bounds::EMPTY, |bounds, point| {
                    let at = point.truncate();
                    bounds.union(&Bounds { min: at, max: at })
                })
            };
            let of_ranges = around(&mut ranges.iter().flat_map(|range| &points[range.clone()]));
            for kernel in Kernel::available() {
                prop_assert_eq!(bounds_of_ranges(kernel, &ranges, &points), of_ranges, "{:?}", kernel);
                let mut block = BoundsBlock::EMPTY;
                bounds_of_chunks(kernel, chunks, &points, &mut block);
                for (lane, list) in lists.iter().enumerate() {
                    let expected = around(&mut list.iter().map(|&point| &points[point as usize]));
                    prop_assert_eq!(block.get(lane), expected, "{:?}", kernel);
                }
                prop_assert!((lists.len()..LANES).all(|lane| block.get(lane) == Bounds::EMPTY));
            }
        }
    }
}
