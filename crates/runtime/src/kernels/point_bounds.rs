//! The bounds of posed points.

use super::layout::LANES;

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
    pub(super) fn each(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().take(LANES).map(move |&end| {
            let end = (end - self.start) as usize;
            let points = &self.points[start..end];
            start = end;
            points
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Bounds, BoundsBlock, Kernel, bounds_of_chunks, bounds_of_ranges};
    use super::*;
    use glam::Vec4;
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
