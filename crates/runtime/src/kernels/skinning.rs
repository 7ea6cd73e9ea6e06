//! Skins vertices, by the arithmetic of [`super::skin_lanes`].

use super::layout::{LANES, Row};
use super::skin_lanes::{Columns, SkinLanes, VertexRun};
use super::vectors::Vectors;
use glam::Vec4;

/// `entries[column][row]` of a matrix for each lane.
type Matrices<V> = [[V; 3]; 4];

#[inline(always)]
pub(super) fn skin<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    lanes: &SkinLanes,
    numbers: &[f32],
    matrices: &[Columns],
    points: &mut [Vec4],
) {
    for run in &lanes.runs {
        if run.is_mixed {
            lanes.skin_mixed(run, numbers, matrices, points);
            continue;
        }
        let bindings = &lanes.bindings[run.bindings.clone()];
        let points = &mut points[run.vertices.clone()];
        if let [binding] = bindings {
            let matrix = splat(s, &matrices[usize::from(*binding)]);
            for at in (0..points.len()).step_by(WIDTH) {
                place(s, &matrix, numbers, run, at, points);
            }
        } else {
            for at in (0..points.len()).step_by(WIDTH) {
                let matrix = blend(s, bindings, matrices, numbers, run, at);
                place(s, &matrix, numbers, run, at, points);
            }
        }
    }
}

/// A row of a run's numbers, from vertex `at` on; numbers beyond the run have no meaning.
#[inline(always)]
fn row<'a>(numbers: &'a [f32], run: &VertexRun, row: usize, at: usize) -> &'a Row {
    let start = run.start + row * run.vertices.len() + at;
    match numbers[start..].first_chunk() {
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
    numbers: &[f32],
    run: &VertexRun,
    at: usize,
) -> Matrices<S::V> {
    let mut sum = [[s.splat(0.0); 3]; 4];
    for (influence, &binding) in bindings.iter().enumerate() {
        let (matrix, weight) = (&matrices[usize::from(binding)], s.load(row(numbers, run, 3 + influence, at), 0));
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
    numbers: &[f32],
    run: &VertexRun,
    at: usize,
    points: &mut [Vec4],
) {
    let load = |axis: usize| s.load(row(numbers, run, axis, at), 0);
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
            s.store_quarters(four, whole, k, 0);
        }
    } else {
        for (k, four) in image.into_iter().enumerate() {
            s.store_quarters(four, points, k, 0);
        }
    }
}
