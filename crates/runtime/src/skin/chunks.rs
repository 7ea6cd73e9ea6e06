//! Sorts triangles into chunks of neighbors that are tested together.

use crate::kernels::layout::LANES;
use glam::Vec3;
use std::ops::Range;

/// Sorts triangles so that each sixteen consecutive triangles are a chunk of neighbors. The function halves the
/// triangles repeatedly along the longest side of the box around their middles. `middles[t]` belongs to triangle `t`,
/// at any scale.
pub(crate) fn chunk_order(middles: &[Vec3]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..middles.len() as u32).collect();
    // The ranges that the loop has yet to split.
    let mut pending = Vec::new();
    pending.push(0..order.len());
    while let Some(range) = pending.pop() {
        let triangles = &mut order[range.clone()];
        if triangles.len() <= LANES {
            triangles.sort_unstable();
            continue;
        }
        let middle = |&triangle: &u32| middles[triangle as usize];
        let low = triangles.iter().map(middle).fold(Vec3::INFINITY, Vec3::min);
        let high = triangles.iter().map(middle).fold(Vec3::NEG_INFINITY, Vec3::max);
        let axis = (high - low).max_position();
        let half = left_half(triangles.len());
        let key = |triangle: &u32| (middle(triangle)[axis], *triangle);
        triangles.select_nth_unstable_by(half - 1, |one, other| {
            let (one, other) = (key(one), key(other));
            one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
        });
        pending.push(range.start + half..range.end);
        pending.push(range.start..range.start + half);
    }
    order
}

/// The most chunks of a piece that is skinned as a whole.
const MOST_OF_WHOLE: usize = 3 * LANES;

/// The most chunks of a part of a larger piece.
const MOST_OF_PART: usize = LANES;

/// Divides the triangles of a piece, in the order of [`chunk_order`], into parts that are skinned together. Returns the range of
/// chunks of each part. [`chunk_order`] halves the triangles at the same places, so the triangles of a part are neighbors.
pub(crate) fn parts(triangles: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let most = if triangles.div_ceil(LANES) > MOST_OF_WHOLE { MOST_OF_PART } else { MOST_OF_WHOLE };
    let mut pending = Vec::new();
    pending.push(0..triangles);
    while let Some(range) = pending.pop() {
        if range.len() <= most * LANES {
            parts.push(range.start / LANES..range.end.div_ceil(LANES));
            continue;
        }
        let middle = range.start + left_half(range.len());
        pending.push(middle..range.end);
        pending.push(range.start..middle);
    }
    parts
}

/// The number of triangles in the left half of a range. It gets whole chunks, so that only the last chunk of the piece can be
/// partly empty.
fn left_half(triangles: usize) -> usize {
    (triangles / 2).next_multiple_of(LANES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_triangle_is_in_one_chunk_and_chunks_are_small() {
        let middles: Vec<Vec3> = (0..100u16).map(|i| Vec3::new(f32::from(i * 37 % 100), 0.0, 1.0)).collect();
        let order = chunk_order(&middles);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<u32>>());
        for chunk in order.chunks(LANES) {
            let along: Vec<f32> = chunk.iter().map(|&triangle| middles[triangle as usize].x).collect();
            let spread = along.iter().copied().fold(0.0, f32::max) - along.iter().copied().fold(100.0, f32::min);
            assert!(spread <= 17.0, "{along:?}");
        }
        assert!(chunk_order(&[]).is_empty());
    }

    #[test]
    fn parts_are_runs_of_all_chunks() {
        for triangles in [0, 1, 16, 700, 768, 769, 1000, 5000] {
            let parts = parts(triangles);
            let chunks: Vec<usize> = parts.iter().cloned().flatten().collect();
            assert_eq!(chunks, (0..triangles.div_ceil(LANES)).collect::<Vec<usize>>());
            assert!(
                parts.len() == 1 || parts.iter().all(|part| (MOST_OF_PART / 3..=MOST_OF_PART).contains(&part.len()))
            );
            assert_eq!(parts.len() == 1, triangles <= MOST_OF_WHOLE * LANES);
        }
    }
}
