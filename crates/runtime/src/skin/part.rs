//! Parts of a skin piece: chunks that are skinned together.
//!
//! A large piece has several parts, so that a query skins only the parts that it needs. If two parts need the same
//! vertex, each part has a copy.

use super::morphs::PartMorphs;
use super::reach::{PieceSource, Reaches, sorted_unique};
use crate::Bounds;
use crate::kernels::skin_lanes::{Columns, SkinLanes};
use crate::kernels::{self, Kernel};
use baked_format::SkinCut;
use glam::Vec4;
use std::ops::Range;

/// The vertices and cuts of some chunks of a piece.
#[derive(Debug, PartialEq)]
pub(super) struct PartTable {
    /// The part's blocks of chunks, as indices into the blocks of the piece.
    pub(super) blocks: Range<usize>,
    /// The part's points, as indices into the points of the piece: the vertices, then the cuts.
    pub(super) points: Range<usize>,
    /// The vertices in mesh space.
    vertices: SkinLanes,
    morphs: PartMorphs,
    /// The cuts of the part. The corners of a cut are vertices of the part.
    cuts: Vec<SkinCut>,
    /// The points that triangles use, as indices into the points of the piece. A vertex that only cuts use is not a
    /// point of the surface.
    used: Vec<Range<usize>>,
    reaches: Reaches,
}

impl PartTable {
    /// Makes a part of these blocks of chunks, and the corners of its triangles as points of the piece. `corners` has these
    /// corners in the numbers of the file: vertices, then cuts. `first_point` is the number of points of the parts before.
    pub(super) fn new(
        source: &PieceSource<'_>,
        blocks: Range<usize>,
        first_point: usize,
        corners: &[[u32; 3]],
    ) -> (Self, Vec<[u32; 3]>) {
        let first_cut = source.piece.positions.len() as u32;
        let surface = sorted_unique(corners.as_flattened().to_vec());
        let (of_surface, cuts) = surface.split_at(surface.partition_point(|&point| point < first_cut));
        let cut = |number: &u32| &source.piece.cuts[(number - first_cut) as usize];
        // A cut lies between the posed corners of its triangle.
        let vertices =
            sorted_unique(of_surface.iter().copied().chain(cuts.iter().flat_map(|one| cut(one).corners)).collect());
        let ordered = in_few_ranges(source, &vertices, of_surface);
        let index = |vertex: u32| vertices.partition_point(|&other| other < vertex);
        let mut places = vec![0; vertices.len()];
        (0..).zip(&ordered).for_each(|(place, &vertex)| places[index(vertex)] = place);
        let vertex_place = |vertex: u32| places[index(vertex)];
        let place = |point: u32| match cuts.binary_search(&point) {
            Ok(place) => (vertices.len() + place) as u32,
            Err(_) => vertex_place(point),
        };
        let in_piece = |point: u32| first_point as u32 + place(point);
        let placed = sorted_unique(surface.iter().map(|&point| in_piece(point)).collect());
        let runs = placed.chunk_by(|one, next| one + 1 == *next);
        let lanes = source.lanes(ordered.iter().copied());
        let part = Self {
            blocks,
            points: first_point..first_point + vertices.len() + cuts.len(),
            morphs: PartMorphs::new(&lanes, ordered.iter().map(|&vertex| source.offsets(vertex))),
            vertices: lanes,
            cuts: cuts.iter().map(cut).map(|cut| SkinCut { corners: cut.corners.map(vertex_place), ..*cut }).collect(),
            used: runs.map(|run| run[0] as usize..run[0] as usize + run.len()).collect(),
            reaches: source.reaches(&surface),
        };
        (part, corners.iter().map(|corners| corners.map(in_piece)).collect())
    }

    /// Skins all vertices, then all cuts, among the points of the piece. `matrices` is indexed by binding; the fourth
    /// components are 0. `weights` has one for each morph target, or is empty if all are 0; `memory` is for moved vertices.
    ///
    /// The image of a vertex is that of [`crate::kernels::skin_lanes`].
    pub(super) fn skin(
        &self,
        kernel: Kernel,
        matrices: &[Columns],
        weights: &[f32],
        memory: &mut Vec<f32>,
        posed: &mut [Vec4],
    ) {
        let (vertices, cuts) = posed[self.points.clone()].split_at_mut(self.vertices.vertex_count());
        let numbers = self.morphs.numbers(&self.vertices, weights, memory);
        kernels::skin_vertices(kernel, &self.vertices, numbers, matrices, vertices);
        kernels::skin_cuts(kernel, &self.cuts, vertices, cuts);
    }

    /// The bounds of all triangles of the skinned part.
    pub(super) fn bounds(&self, kernel: Kernel, posed: &[Vec4]) -> Bounds {
        kernels::bounds_of_ranges(kernel, &self.used, posed)
    }

    /// The count of numbers that moved vertices need memory for.
    pub(super) fn number_count(&self) -> usize {
        self.vertices.numbers().len()
    }

    /// The bounds of the part in the pose of these matrices and weights, without skinning the part. `slack` is the result of
    /// [`Rounding::slack`](super::reach::Rounding::slack).
    pub(super) fn bounds_in_any_pose(&self, matrices: &[Columns], weights: &[f32], slack: Vec4) -> Bounds {
        self.reaches.bounds(matrices, weights, slack)
    }
}

/// Orders the vertices of a part so that those of the surface lie in few ranges, because the bounds of few ranges take less time.
/// Vertices with the same influences stay together. `vertices` and `of_surface` must be sorted.
fn in_few_ranges(source: &PieceSource<'_>, vertices: &[u32], of_surface: &[u32]) -> Vec<u32> {
    let mut ordered = Vec::with_capacity(vertices.len());
    let mut ends_on_surface = true;
    for run in vertices.chunk_by(|&one, &other| source.influences(one) == source.influences(other)) {
        let is_on_surface = |vertex: &u32| of_surface.binary_search(vertex).is_ok();
        let (on_surface, others): (Vec<u32>, Vec<u32>) = run.iter().partition(|vertex| is_on_surface(vertex));
        let [first, last] = if ends_on_surface { [on_surface, others] } else { [others, on_surface] };
        ordered.extend(first);
        ordered.extend(last);
        ends_on_surface = ordered.last().is_none_or(is_on_surface);
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;
    use baked_format::SkinPiece;
    use glam::Vec3;
    use skeleton::JointIndex;

    #[test]
    fn vertices_of_the_surface_lie_in_few_ranges() {
        // Vertices 0 to 3 follow joint 0, and vertices 4 to 7 follow joint 1.
        let piece = SkinPiece {
            influence_counts: vec![8],
            positions: vec![Vec3::ZERO; 8],
            influences: vec![0, 0, 0, 0, 1, 1, 1, 1],
            weights: vec![1.0; 8],
            ..SkinPiece::empty(JointIndex(0))
        };
        let source = PieceSource::new(&piece, &[]);
        let all: Vec<u32> = (0..8).collect();
        assert_eq!(in_few_ranges(&source, &all, &[1, 3, 5, 7]), [1, 3, 0, 2, 4, 6, 5, 7]);
        assert_eq!(in_few_ranges(&source, &all, &all), all);
        assert_eq!(in_few_ranges(&source, &all, &[4]), [0, 1, 2, 3, 5, 6, 7, 4]);
    }
}
