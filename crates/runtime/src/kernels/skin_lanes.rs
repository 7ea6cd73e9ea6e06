//! The vertices of a skin piece; vertices that the same bindings move are side by side, if there are enough of them.
//!
//! This module defines the skinned surface. The position of a vertex with morph targets is `p + c0 o0 + c1 o1 + ...`, summed in
//! the order of the targets, without those whose weight `c` is 0. The matrix of a vertex is `w0 M0 + w1 M1 + ...`, summed in the order of its
//! influences, and its image is `x X + y Y + z Z + T`, summed in this order. The matrix of a single influence is not
//! multiplied. Every product and every sum is rounded, so that all kernels give the same bits.

use super::layout::LANES;
use baked_format::SkinCut;
use glam::{Vec3, Vec4};
use std::ops::Range;

/// The columns x, y, z and translation of a matrix `world_from_mesh`.
pub(crate) type Columns = [Vec4; 4];

/// A vertex in mesh space: its position, its bindings, and the weight of each binding.
pub(crate) type SourceVertex<'a> = (Vec3, &'a [u16], &'a [f32]);

/// Runs of fewer vertices with the same bindings are skinned one vertex at a time: most of a vector would be empty.
const SHORT: usize = 4;

/// The vertices of a piece.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct SkinLanes {
    pub(super) runs: Vec<VertexRun>,
    pub(super) bindings: Vec<u16>,
    /// For each run of vertices with the same bindings: all x, all y, all z, all weights of the first influence, of the second, and so
    /// on. For each other run: x, y, z and the weights of the first vertex, of the second, and so on. Zeros follow at
    /// the end, so that a whole row can be read from any place. A single influence has no weights.
    numbers: Vec<f32>,
}

/// Consecutive vertices that have the same number of influences.
#[derive(Debug, PartialEq)]
pub(super) struct VertexRun {
    pub(super) vertices: Range<usize>,
    /// `true` if each vertex has bindings of its own, `false` if all vertices have the same bindings.
    pub(super) is_mixed: bool,
    /// The number of influences of a vertex.
    influences: usize,
    /// The range of the run's bindings in [`SkinLanes::bindings`]: those of each vertex, or those that all vertices have.
    pub(super) bindings: Range<usize>,
    /// The start of the run's part of [`SkinLanes::numbers`].
    pub(super) start: usize,
}

impl SkinLanes {
    /// Each vertex must have as many weights as bindings.
    pub(crate) fn new(vertices: &[SourceVertex<'_>]) -> Self {
        let mut lanes = Self::default();
        let mut first = 0;
        for run in vertices.chunk_by(|one, other| one.1 == other.1) {
            let vertices = first..first + run.len();
            first = vertices.end;
            let (influences, is_mixed) = (run[0].1, run.len() < SHORT);
            let count = influences.len();
            let (bindings, start) = (lanes.bindings.len(), lanes.numbers.len());
            if is_mixed {
                for (position, _, weights) in run {
                    lanes.bindings.extend_from_slice(influences);
                    lanes.numbers.extend(position.to_array());
                    lanes.numbers.extend(weights.iter().filter(|_| count > 1));
                }
            } else {
                lanes.bindings.extend_from_slice(influences);
                for axis in 0..3 {
                    lanes.numbers.extend(run.iter().map(|(position, ..)| position[axis]));
                }
                if count > 1 {
                    for influence in 0..count {
                        lanes.numbers.extend(run.iter().map(|(_, _, weights)| weights[influence]));
                    }
                }
            }
            let bindings = bindings..lanes.bindings.len();
            match lanes.runs.last_mut() {
                Some(last) if is_mixed && last.is_mixed && last.influences == count => {
                    last.vertices.end = vertices.end;
                    last.bindings.end = bindings.end;
                }
                _ => lanes.runs.push(VertexRun { vertices, is_mixed, influences: count, bindings, start }),
            }
        }
        lanes.numbers.extend([0.0; LANES]);
        lanes
    }

    /// The positions and the weights of all vertices, as [`super::skin_vertices`] reads them.
    pub(crate) fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    /// The places of a vertex's x, y and z in [`SkinLanes::numbers`]; `None` if there is no such vertex.
    pub(crate) fn places_of_position(&self, vertex: usize) -> Option<[usize; 3]> {
        let run = self.runs.get(self.runs.partition_point(|run| run.vertices.end <= vertex))?;
        let place = vertex - run.vertices.start;
        Some(if run.is_mixed {
            [0, 1, 2].map(|axis| run.start + place * run.stride() + axis)
        } else {
            [0, 1, 2].map(|axis| run.start + axis * run.vertices.len() + place)
        })
    }

    /// The number of vertices.
    pub(crate) fn vertex_count(&self) -> usize {
        self.runs.last().map_or(0, |run| run.vertices.end)
    }

    /// The matrix of one vertex; `None` if there is no such vertex.
    pub(crate) fn matrix(&self, vertex: usize, matrices: &[Columns]) -> Option<Columns> {
        let run = self.runs.get(self.runs.partition_point(|run| run.vertices.end <= vertex))?;
        let place = vertex - run.vertices.start;
        if run.is_mixed {
            let (bindings, numbers) = self.each_of_mixed(run, &self.numbers).nth(place)?;
            return Some(blend(matrices, bindings, |influence| numbers[3 + influence]));
        }
        let (numbers, count) = (&self.numbers[run.start..], run.vertices.len());
        let bindings = &self.bindings[run.bindings.clone()];
        Some(blend(matrices, bindings, |influence| numbers[(3 + influence) * count + place]))
    }

    /// Skins the vertices of a mixed run, one after the other.
    #[inline(always)]
    pub(super) fn skin_mixed(&self, run: &VertexRun, numbers: &[f32], matrices: &[Columns], points: &mut [Vec4]) {
        let vertices = self.each_of_mixed(run, numbers);
        for (point, (bindings, numbers)) in points[run.vertices.clone()].iter_mut().zip(vertices) {
            let Some((position, weights)) = numbers.split_first_chunk::<3>() else { continue };
            let (first, bindings) = (&matrices[usize::from(bindings[0])], &bindings[1..]);
            let mut matrix = *first;
            if let [weight, weights @ ..] = weights {
                matrix = first.map(|column| column * *weight);
                for (&binding, &weight) in bindings.iter().zip(weights) {
                    let [x, y, z, translation] = &matrices[usize::from(binding)];
                    matrix[0] += *x * weight;
                    matrix[1] += *y * weight;
                    matrix[2] += *z * weight;
                    matrix[3] += *translation * weight;
                }
            }
            *point = image(&matrix, Vec3::from_array(*position));
        }
    }

    /// The bindings and the numbers of each vertex of a mixed run.
    #[inline(always)]
    fn each_of_mixed<'a>(
        &'a self,
        run: &VertexRun,
        numbers: &'a [f32],
    ) -> impl Iterator<Item = (&'a [u16], &'a [f32])> {
        let bindings = self.bindings[run.bindings.clone()].chunks_exact(run.influences);
        bindings.zip(numbers[run.start..].chunks_exact(run.stride()))
    }
}

impl VertexRun {
    /// The count of numbers of each vertex of a mixed run.
    #[inline(always)]
    fn stride(&self) -> usize {
        if self.influences > 1 { 3 + self.influences } else { 3 }
    }
}

#[inline(always)]
fn blend(matrices: &[Columns], bindings: &[u16], weight: impl Fn(usize) -> f32) -> Columns {
    let first = &matrices[usize::from(bindings[0])];
    if bindings.len() == 1 {
        return *first;
    }
    let mut sum = first.map(|column| column * weight(0));
    for (influence, &binding) in bindings.iter().enumerate().skip(1) {
        let (matrix, weight) = (&matrices[usize::from(binding)], weight(influence));
        for (sum, column) in sum.iter_mut().zip(matrix) {
            *sum += *column * weight;
        }
    }
    sum
}

/// `w0 V0 + w1 V1 + w2 V2` of a cut's three posed vertices, summed in this order.
#[inline(always)]
pub(crate) fn posed_cut(cut: &SkinCut, vertices: &[Vec4]) -> Vec4 {
    let [a, b, c] = cut.corners.map(|corner| vertices[corner as usize]);
    a * cut.weights[0] + b * cut.weights[1] + c * cut.weights[2]
}

/// [`super::skin_cuts`]: the compiler turns the loop into the instructions of whichever kernel calls it.
#[inline(always)]
pub(super) fn skin_cuts(cuts: &[SkinCut], vertices: &[Vec4], points: &mut [Vec4]) {
    for (cut, point) in cuts.iter().zip(points) {
        *point = posed_cut(cut, vertices);
    }
}

/// The image of a point.
#[inline(always)]
pub(crate) fn image([x, y, z, translation]: &Columns, at: Vec3) -> Vec4 {
    *x * at.x + *y * at.y + *z * at.z + *translation
}

#[cfg(test)]
mod tests {
    use super::super::{Kernel, skin_vertices};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Runs of all lengths, of one to six influences.
        #[test]
        fn every_kernel_gives_the_same_bits(
            runs in prop::collection::vec((prop_oneof![1usize..5, 1usize..40], prop_oneof![Just(3usize), 1usize..7]), 1..8),
            numbers in prop::collection::vec(prop_oneof![-2f32..2.0, -1e-3f32..1e-3, Just(0.0f32), Just(1e9f32)], 97),
        ) {
            let number = |index: usize| numbers[index % numbers.len()];
            let (mut positions, mut counts, mut influences, mut weights) = (vec![], vec![], vec![], vec![]);
            for (which, &(length, count)) in runs.iter().enumerate() {
                for vertex in 0..length {
                    let at = 7 * positions.len();
                    positions.push(Vec3::new(number(at), number(at + 1), number(at + 2)));
                    counts.push(count);
                    influences.extend((0..count).map(|influence| (influence + which % 2) as u16));
                    weights.extend((0..count).map(|influence| number(vertex * 5 + influence).abs()));
                }
            }
            let column = |at: usize| Vec4::new(number(at), number(at + 1), number(at + 2), 0.0);
            let matrices: Vec<Columns> = (0..7).map(|m| [0, 3, 6, 9].map(|c| column(11 * m + c))).collect();
            // The expected values: one vertex after the other, without lanes.
            let (mut expected, mut vertices) = (Vec::new(), Vec::new());
            let mut start = 0;
            for (position, &count) in positions.iter().zip(&counts) {
                let (bindings, weights) = (&influences[start..start + count], &weights[start..start + count]);
                start += count;
                vertices.push((*position, bindings, weights));
                expected.push([0, 1, 2].map(|row| {
                    let entry = |column: usize| {
                        let of = |binding: u16| matrices[usize::from(binding)][column][row];
                        if count == 1 {
                            return of(bindings[0]);
                        }
                        let mut sum = of(bindings[0]) * weights[0];
                        (1..count).for_each(|influence| sum += of(bindings[influence]) * weights[influence]);
                        sum
                    };
                    (((entry(0) * position.x) + entry(1) * position.y) + entry(2) * position.z + entry(3)).to_bits()
                }));
            }
            let lanes = SkinLanes::new(&vertices);
            prop_assert_eq!(lanes.vertex_count(), positions.len());
            for (vertex, position) in positions.iter().enumerate() {
                let matrix = lanes.matrix(vertex, &matrices).unwrap();
                let places = lanes.places_of_position(vertex).unwrap();
                prop_assert_eq!(places.map(|place| lanes.numbers()[place]), position.to_array());
                prop_assert_eq!(image(&matrix, *position).truncate().to_array().map(f32::to_bits), expected[vertex]);
            }
            prop_assert_eq!(lanes.matrix(positions.len(), &matrices), None);
            prop_assert_eq!(lanes.places_of_position(positions.len()), None);
            for kernel in Kernel::available() {
                let mut points = vec![Vec4::NAN; positions.len()];
                skin_vertices(kernel, &lanes, lanes.numbers(), &matrices, &mut points);
                let found: Vec<[u32; 3]> = points.iter().map(|point| point.truncate().to_array().map(f32::to_bits)).collect();
                prop_assert_eq!(&found, &expected, "{:?}", kernel);
            }
        }
    }
}
