//! Runs of triangles that lie near each other.

use crate::bounds::Bounds;
use baked_format::limits::CHUNK_TRIANGLES;
use glam::DVec3;

/// An order of triangles in which each chunk is a run, and the end of each chunk.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chunks {
    /// Indices of triangles, ascending within a chunk.
    pub(crate) order: Vec<u32>,
    /// For each chunk, the number of triangles up to its end.
    pub(crate) ends: Vec<u32>,
}

impl Chunks {
    /// Halves the triangles, given by their centers, along their longest extent until all chunks are small enough.
    ///
    /// Chunks are as full as halving allows, and neighbors in the list lie near each other.
    pub(crate) fn new(centers: &[DVec3]) -> Self {
        let mut chunks = Self { order: (0..centers.len() as u32).collect(), ends: Vec::new() };
        let mut open = vec![(0, centers.len())];
        while let Some((start, end)) = open.pop() {
            let range = start..end;
            let count = range.len().div_ceil(CHUNK_TRIANGLES);
            if count <= 1 {
                chunks.order[range.clone()].sort_unstable();
                if !range.is_empty() {
                    chunks.ends.push(range.end as u32);
                }
                continue;
            }
            let triangles = &mut chunks.order[range.clone()];
            let size = Bounds::around(triangles.iter().map(|&triangle| centers[triangle as usize])).size();
            let axis = (0..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best });
            let half = (range.len() * (count / 2)).div_ceil(count);
            let place = |triangle: &u32| centers[*triangle as usize][axis];
            triangles.select_nth_unstable_by(half, |a, b| place(a).total_cmp(&place(b)).then(a.cmp(b)));
            // The list is a stack, so the first half is pushed last and taken first.
            open.extend([(start + half, end), (start, start + half)]);
        }
        chunks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_hold_every_triangle_once_and_are_compact() {
        let centers: Vec<DVec3> = (0..1000).map(|index| DVec3::new(f64::from(index * 7 % 1000), 0.0, 0.0)).collect();
        let chunks = Chunks::new(&centers);
        let mut all = chunks.order.clone();
        all.sort_unstable();
        assert_eq!(all, (0..1000).collect::<Vec<u32>>());
        assert_eq!((chunks.ends.len(), chunks.ends.last()), (16, Some(&1000)));
        let mut start = 0;
        for &end in &chunks.ends {
            let chunk = &chunks.order[start..end as usize];
            let size = Bounds::around(chunk.iter().map(|&triangle| centers[triangle as usize])).size();
            assert!(chunk.len() <= CHUNK_TRIANGLES && size.x < chunk.len() as f64, "{size} for {}", chunk.len());
            start = end as usize;
        }
        assert_eq!(Chunks::new(&[]), Chunks { order: vec![], ends: vec![] });
    }
}
