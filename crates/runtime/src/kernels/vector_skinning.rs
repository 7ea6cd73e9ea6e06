//! Skins vertices over vectors: the arithmetic of [`super::skin_lanes`], written once for all instruction sets.

use super::bounds::Bounds;
use super::layout::{BoundsBlock, LANES, Row};
use super::point_bounds::ChunkPoints;
use super::skin_lanes::{Columns, SkinLanes, VertexRun};
use super::vectors::Vectors;
use glam::Vec4;
use std::ops::Range;

/// `entries[column][row]` of a matrix for each lane.
type Matrices<V> = [[V; 3]; 4];

#[inline(always)]
pub(super) fn skin<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    lanes: &SkinLanes,
    matrices: &[Columns],
    points: &mut [Vec4],
) {
    for run in &lanes.runs {
        if run.is_mixed {
            lanes.skin_mixed(run, matrices, points);
            continue;
        }
        let bindings = &lanes.bindings[run.bindings.clone()];
        let points = &mut points[run.vertices.clone()];
        if let [binding] = bindings {
            let matrix = splat(s, &matrices[usize::from(*binding)]);
            for at in (0..points.len()).step_by(WIDTH) {
                place(s, &matrix, lanes, run, at, points);
            }
        } else {
            for at in (0..points.len()).step_by(WIDTH) {
                let matrix = blend(s, bindings, matrices, lanes, run, at);
                place(s, &matrix, lanes, run, at, points);
            }
        }
    }
}

/// A row of a run's numbers, from vertex `at` on; numbers beyond the run have no meaning.
#[inline(always)]
fn row<'a>(lanes: &'a SkinLanes, run: &VertexRun, row: usize, at: usize) -> &'a Row {
    let start = run.start + row * run.vertices.len() + at;
    match lanes.numbers[start..].first_chunk() {
        Some(row) => row,
        None => &[0.0; LANES],
    }
}

#[inline(always)]
fn splat<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, matrix: &Columns) -> Matrices<S::V> {
    let zero = s.splat(0.0);
    let mut entries = [[zero; 3]; 4];
    for (entries, column) in entries.iter_mut().zip(matrix) {
        *entries = [s.splat(column.x), s.splat(column.y), s.splat(column.z)];
    }
    entries
}

#[inline(always)]
fn blend<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    bindings: &[u16],
    matrices: &[Columns],
    lanes: &SkinLanes,
    run: &VertexRun,
    at: usize,
) -> Matrices<S::V> {
    let mut sum = [[s.splat(0.0); 3]; 4];
    for (influence, &binding) in bindings.iter().enumerate() {
        let (matrix, weight) = (&matrices[usize::from(binding)], s.load(row(lanes, run, 3 + influence, at), 0));
        for (sum, column) in sum.iter_mut().zip(matrix) {
            let parts =
                [s.mul(s.splat(column.x), weight), s.mul(s.splat(column.y), weight), s.mul(s.splat(column.z), weight)];
            // A sum that starts with zero could have another sign of zero.
            *sum = if influence == 0 {
                parts
            } else {
                [s.add(sum[0], parts[0]), s.add(sum[1], parts[1]), s.add(sum[2], parts[2])]
            };
        }
    }
    sum
}

/// Writes the images of the vertices from `at` on, as many as are there.
#[inline(always)]
fn place<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    [x, y, z, translation]: &Matrices<S::V>,
    lanes: &SkinLanes,
    run: &VertexRun,
    at: usize,
    points: &mut [Vec4],
) {
    let load = |axis: usize| s.load(row(lanes, run, axis, at), 0);
    let position = [load(0), load(1), load(2)];
    let mut image = [s.splat(0.0); 4];
    for c in 0..3 {
        let sum = s.add(s.mul(x[c], position[0]), s.mul(y[c], position[1]));
        image[c] = s.add(s.add(sum, s.mul(z[c], position[2])), translation[c]);
    }
    let (points, image) = (&mut points[at..], s.transpose4(image));
    // The compiler sees that all points of a whole vector are there.
    if let Some(whole) = points.first_chunk_mut::<WIDTH>() {
        for (k, four) in image.into_iter().enumerate() {
            s.store_points(four, whole, k);
        }
    } else {
        for (k, four) in image.into_iter().enumerate() {
            s.store_points(four, points, k);
        }
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
                *ends = widened(s, *ends, s.load_points(&group.each_ref(), k));
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
