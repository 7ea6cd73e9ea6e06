//! Parts of a skin piece: chunks that are skinned together.
//!
//! A large piece has several parts, so that a query skins only the parts that it needs. If two parts need a vertex, each of
//! them has a copy.

use crate::Bounds;
use crate::kernels::skin_lanes::{Columns, SkinLanes, image};
use crate::kernels::{self, Kernel};
use baked_format::{SkinCut, SkinPiece};
use glam::{Vec3, Vec4};
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
    /// The corners are vertices of the part.
    cuts: Vec<SkinCut>,
    /// The points that triangles use, as indices into the points of the piece. A vertex of which only a cut is part is no
    /// point of the surface.
    used: Vec<Range<usize>>,
    reaches: Reaches,
}

/// Bounds of some vertices of a piece in any pose.
#[derive(Debug, PartialEq)]
pub(super) struct Reaches {
    /// The bounds of the vertices that each binding moves.
    reaches: Vec<Reach>,
    /// The amount by which bounds are enlarged, as a share of the sizes of the summands.
    slack: f32,
}

/// The vertices that one binding moves.
#[derive(Debug, PartialEq)]
struct Reach {
    binding: u16,
    /// The center of the vertices' bounds, in mesh space.
    center: Vec3,
    /// Half the size of the vertices' bounds, in mesh space.
    half: Vec3,
}

/// A piece of the file with what its parts share.
pub(super) struct PieceSource<'a> {
    pub(super) piece: &'a SkinPiece,
    /// The range of each vertex's influences.
    influences: Vec<Range<usize>>,
    slack: f32,
}

impl<'a> PieceSource<'a> {
    pub(super) fn new(piece: &'a SkinPiece) -> Self {
        let mut start = 0;
        let influences: Vec<Range<usize>> = piece
            .influences_per_vertex()
            .map(|count| {
                start += count;
                start - count..start
            })
            .collect();
        let error = |weights: &[f32]| (weights.iter().map(|&weight| f64::from(weight)).sum::<f64>() - 1.0).abs();
        let of_vertices = influences.iter().map(|range| error(&piece.weights[range.clone()])).fold(0.0, f64::max);
        let of_cuts = piece.cuts.iter().map(|cut| error(&cut.weights)).fold(0.0, f64::max);
        // Each influence rounds at most four times and its sum once; a cut rounds five times more.
        let roundings = (piece.influence_counts.len() + 16) as f32 / 4_194_304.0;
        Self { piece, influences, slack: roundings + (1.5 * (of_vertices + of_cuts)) as f32 }
    }

    /// Vertices in the order of `vertices`, which must be sorted.
    pub(super) fn lanes(&self, vertices: &[u32]) -> SkinLanes {
        let ranges = || vertices.iter().map(|&vertex| self.influences[vertex as usize].clone());
        let positions: Vec<Vec3> = vertices.iter().map(|&vertex| self.piece.positions[vertex as usize]).collect();
        let influences: Vec<u16> = ranges().flat_map(|range| &self.piece.influences[range]).copied().collect();
        let weights: Vec<f32> = ranges().flat_map(|range| &self.piece.weights[range]).copied().collect();
        SkinLanes::new(&positions, ranges().map(|range| range.len()), &influences, &weights)
    }

    /// The bounds of the vertices that each binding moves, by binding.
    pub(super) fn reaches(&self, vertices: &[u32]) -> Reaches {
        let mut boxes: Vec<(u16, Bounds)> = Vec::new();
        for &vertex in vertices {
            let position = self.piece.positions[vertex as usize];
            let at = Bounds { min: position, max: position };
            for &binding in &self.piece.influences[self.influences[vertex as usize].clone()] {
                match boxes.binary_search_by_key(&binding, |one| one.0) {
                    Ok(place) => boxes[place].1 = boxes[place].1.union(&at),
                    Err(place) => boxes.insert(place, (binding, at)),
                }
            }
        }
        let reach = |(binding, bounds): (u16, Bounds)| {
            let center = (bounds.min + bounds.max) * 0.5;
            // The slack, which is relative to the coordinates, covers the rounding here.
            let half = (bounds.max - center).max(center - bounds.min);
            Reach { binding, center, half }
        };
        Reaches { reaches: boxes.into_iter().map(reach).collect(), slack: self.slack }
    }
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
        let sorted = |mut numbers: Vec<u32>| {
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        let surface = sorted(corners.as_flattened().to_vec());
        let (of_surface, cuts) = surface.split_at(surface.partition_point(|&point| point < first_cut));
        let cut = |number: &u32| &source.piece.cuts[(number - first_cut) as usize];
        // A cut lies between the posed corners of its triangle.
        let vertices = sorted(of_surface.iter().copied().chain(cuts.iter().flat_map(|one| cut(one).corners)).collect());
        let vertex_place = |vertex: u32| vertices.partition_point(|&other| other < vertex) as u32;
        let place = |point: u32| match cuts.binary_search(&point) {
            Ok(place) => (vertices.len() + place) as u32,
            Err(_) => vertex_place(point),
        };
        let in_piece = |point: u32| first_point as u32 + place(point);
        let placed: Vec<u32> = surface.iter().map(|&point| in_piece(point)).collect();
        let runs = placed.chunk_by(|one, next| one + 1 == *next);
        let part = Self {
            blocks,
            points: first_point..first_point + vertices.len() + cuts.len(),
            vertices: source.lanes(&vertices),
            cuts: cuts.iter().map(cut).map(|cut| SkinCut { corners: cut.corners.map(vertex_place), ..*cut }).collect(),
            used: runs.map(|run| run[0] as usize..run[0] as usize + run.len()).collect(),
            reaches: source.reaches(&vertices),
        };
        (part, corners.iter().map(|corners| corners.map(in_piece)).collect())
    }

    /// Skins all vertices, then all cuts, among the points of the piece. `matrices` is indexed by binding; the fourth
    /// components are 0.
    ///
    /// The image of a vertex is that of [`crate::kernels::skin_lanes`].
    pub(super) fn skin(&self, kernel: Kernel, matrices: &[Columns], posed: &mut [Vec4]) {
        let (vertices, cuts) = posed[self.points.clone()].split_at_mut(self.vertices.vertex_count());
        kernels::skin_vertices(kernel, &self.vertices, matrices, vertices);
        for (cut, to) in self.cuts.iter().zip(cuts) {
            *to = posed_cut(cut, vertices);
        }
    }

    /// The bounds of all triangles of the skinned part.
    pub(super) fn bounds(&self, kernel: Kernel, posed: &[Vec4]) -> Bounds {
        kernels::bounds_of_ranges(kernel, &self.used, posed)
    }

    /// The bounds of the part in the pose of these matrices, without skinning the part.
    pub(super) fn bounds_in_any_pose(&self, matrices: &[Columns]) -> Bounds {
        self.reaches.bounds(matrices)
    }
}

/// `w0 V0 + w1 V1 + w2 V2` of the cut's three posed vertices, summed in this order.
#[inline]
pub(super) fn posed_cut(cut: &SkinCut, vertices: &[Vec4]) -> Vec4 {
    let [a, b, c] = cut.corners.map(|corner| vertices[corner as usize]);
    a * cut.weights[0] + b * cut.weights[1] + c * cut.weights[2]
}

impl Reaches {
    /// The bounds of the vertices, and of all cuts between them, in the pose of these matrices.
    ///
    /// A skinned vertex is the sum of its images under its bindings' matrices, with weights that sum to 1. It therefore
    /// lies in any convex set that contains these images, and so in the box around the images of the boxes of all
    /// bindings. The bounds are enlarged by the rounding error of products and sums.
    pub(super) fn bounds(&self, matrices: &[Columns]) -> Bounds {
        let (mut low, mut high, mut largest) = (Vec4::INFINITY, Vec4::NEG_INFINITY, Vec4::ZERO);
        for reach in &self.reaches {
            let columns = &matrices[usize::from(reach.binding)];
            let [x, y, z, translation] = columns.map(Vec4::abs);
            let (far, half) = (reach.center.abs() + reach.half, reach.half);
            largest = largest.max(x * far.x + y * far.y + z * far.z + translation);
            let half = x * half.x + y * half.y + z * half.z;
            let center = image(columns, reach.center);
            low = low.min(center - half);
            high = high.max(center + half);
        }
        let slack = largest * self.slack + Vec4::splat(f32::MIN_POSITIVE);
        Bounds { min: (low - slack).truncate(), max: (high + slack).truncate() }
    }
}
