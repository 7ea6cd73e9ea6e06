//! The skin data of a character, made once when the character is loaded.

use super::attributes::AttributeTable;
use super::chunks::chunk_order;
use crate::Bounds;
use crate::kernels::layout::LANES;
use crate::kernels::skin_lanes::{Columns, SkinLanes, image};
use crate::kernels::{self, Kernel};
use baked_format::{CutTriangle, Skin, SkinBinding, SkinCut, SkinPiece};
use geometry_core::portable::affine_mul;
use glam::{Affine3A, Vec3, Vec4};
use skeleton::{JointIndex, Skeleton};
use std::ops::Range;

/// The skin of a character.
#[derive(Debug, PartialEq)]
pub(crate) struct SkinTable {
    pub(crate) bindings: Vec<SkinBinding>,
    /// The skin pieces, sorted by joint.
    pub(crate) pieces: Vec<PieceTable>,
}

/// The surface that one joint owns.
#[derive(Debug, PartialEq)]
pub(crate) struct PieceTable {
    pub(crate) joint: JointIndex,
    /// The vertices in mesh space.
    pub(super) vertices: SkinLanes,
    cuts: Vec<SkinCut>,
    /// The corners of each triangle, chunk after chunk, [`LANES`] triangles each.
    pub(crate) corners: Vec<[u32; 3]>,
    /// The source triangle of each triangle, in the order of `corners`.
    pub(crate) source_triangles: Vec<u32>,
    cut_triangles: Vec<CutTriangle>,
    pub(crate) attributes: AttributeTable,
    /// The points that triangles use. A vertex of which only a cut is part is no point of the surface.
    used: Vec<Range<usize>>,
    /// The points of each chunk without duplicates, chunk after chunk.
    chunk_corners: Vec<u32>,
    /// The end of each chunk's range in `chunk_corners`.
    chunk_ends: Vec<u32>,
    /// The bounds of the vertices that each binding moves.
    reaches: Vec<Reach>,
    /// The same for each block of [`LANES`] chunks, block after block; empty if the piece has only one block.
    block_reaches: Vec<Reach>,
    /// The end of each block's range in `block_reaches`.
    block_ends: Vec<u32>,
    /// The amount by which the bounds of the reaches are enlarged, as a share of the sizes of the summands.
    slack: f32,
}

/// The vertices of a piece that one binding moves.
#[derive(Debug, PartialEq)]
struct Reach {
    binding: u16,
    /// The center of the vertices' bounds, in mesh space.
    center: Vec3,
    /// Half the size of the vertices' bounds, in mesh space.
    half: Vec3,
}

impl SkinTable {
    pub(crate) fn new(skin: &Skin, skeleton: &Skeleton) -> Self {
        // Triangles that are neighbors at rest are neighbors in most poses.
        let mut model_from_joint = vec![Affine3A::IDENTITY; skeleton.len()];
        skeleton.model_from_joints(&skeleton.rest_pose(), &mut model_from_joint);
        let at_rest = |binding: &SkinBinding| {
            columns(&affine_mul(&model_from_joint[binding.joint.index()], &binding.joint_from_mesh))
        };
        let rest: Vec<Columns> = skin.bindings.iter().map(at_rest).collect();
        let pieces = skin.pieces.iter().map(|piece| PieceTable::new(piece, &rest)).collect();
        Self { bindings: skin.bindings.clone(), pieces }
    }

    /// The index of a joint's piece; `None` if the joint owns no surface.
    pub(crate) fn find(&self, joint: JointIndex) -> Option<usize> {
        self.pieces.binary_search_by_key(&joint, |piece| piece.joint).ok()
    }
}

/// The bounds of the vertices that each binding moves, by binding. `influences` has the influences of each vertex.
fn reaches(piece: &SkinPiece, influences: &[Range<usize>], vertices: impl Iterator<Item = u32>) -> Vec<Reach> {
    let mut boxes: Vec<(u16, Bounds)> = Vec::new();
    for vertex in vertices {
        let position = piece.positions[vertex as usize];
        let at = Bounds { min: position, max: position };
        for &binding in &piece.influences[influences[vertex as usize].clone()] {
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
    boxes.into_iter().map(reach).collect()
}

/// A matrix as four columns of four numbers.
pub(crate) fn columns(matrix: &Affine3A) -> Columns {
    let m = &matrix.matrix3;
    [m.x_axis.extend(0.0), m.y_axis.extend(0.0), m.z_axis.extend(0.0), matrix.translation.extend(0.0)]
}

impl PieceTable {
    fn new(piece: &SkinPiece, rest: &[Columns]) -> Self {
        let mut table = Self {
            joint: piece.joint,
            vertices: SkinLanes::new(
                &piece.positions,
                piece.influences_per_vertex(),
                &piece.influences,
                &piece.weights,
            ),
            cuts: piece.cuts.clone(),
            corners: Vec::new(),
            source_triangles: Vec::new(),
            cut_triangles: piece.cut_triangles.clone(),
            attributes: AttributeTable::default(),
            used: Vec::new(),
            chunk_corners: Vec::new(),
            chunk_ends: Vec::new(),
            reaches: Vec::new(),
            block_reaches: Vec::new(),
            block_ends: Vec::new(),
            slack: 0.0,
        };
        let mut posed = Vec::new();
        table.skin(Kernel::best(), rest, &mut posed);
        let third = |corner: u32| posed[corner as usize].truncate() / 3.0;
        let middle = |[a, b, c]: &[u32; 3]| third(*a) + third(*b) + third(*c);
        let middles: Vec<Vec3> = piece.triangles.iter().map(middle).collect();
        let order = chunk_order(&middles);
        table.corners = order.iter().map(|&triangle| piece.triangles[triangle as usize]).collect();
        table.source_triangles = order.iter().map(|&triangle| piece.source_triangles[triangle as usize]).collect();
        table.attributes = AttributeTable::new(piece, &order);
        for chunk in table.corners.chunks(LANES) {
            let mut corners = chunk.as_flattened().to_vec();
            corners.sort_unstable();
            corners.dedup();
            table.chunk_corners.extend(corners);
            table.chunk_ends.push(table.chunk_corners.len() as u32);
        }
        let mut used = table.chunk_corners.clone();
        used.sort_unstable();
        used.dedup();
        let runs = used.chunk_by(|one, next| one + 1 == *next);
        table.used = runs.map(|run| run[0] as usize..run[0] as usize + run.len()).collect();
        table.find_reaches(piece);
        table
    }

    fn find_reaches(&mut self, piece: &SkinPiece) {
        let (mut start, mut weight_error) = (0, 0.0f64);
        let influences: Vec<Range<usize>> = piece
            .influences_per_vertex()
            .map(|count| {
                start += count;
                start - count..start
            })
            .collect();
        for range in &influences {
            let sum: f64 = piece.weights[range.clone()].iter().map(|&weight| f64::from(weight)).sum();
            weight_error = weight_error.max((sum - 1.0).abs());
        }
        let mut cut_error = 0.0f64;
        for cut in &self.cuts {
            let sum: f64 = cut.weights.iter().map(|&weight| f64::from(weight)).sum();
            cut_error = cut_error.max((sum - 1.0).abs());
        }
        // Each influence rounds at most four times and its sum once; a cut rounds five times more.
        let roundings = (piece.influence_counts.len() + 16) as f32 / 4_194_304.0;
        self.slack = roundings + (1.5 * (weight_error + cut_error)) as f32;
        self.reaches = reaches(piece, &influences, 0..piece.positions.len() as u32);
        if self.has_one_block() {
            return;
        }
        for block in 0..self.chunk_count().div_ceil(LANES) {
            let chunks = block * LANES..self.chunk_count().min((block + 1) * LANES);
            let start = chunks.start.checked_sub(1).map_or(0, |before| self.chunk_ends[before]);
            let corners = &self.chunk_corners[start as usize..self.chunk_ends[chunks.end - 1] as usize];
            // A cut lies between the posed corners of its triangle.
            let vertices =
                corners.iter().flat_map(|&corner| match (corner as usize).checked_sub(piece.positions.len()) {
                    Some(cut) => self.cuts[cut].corners,
                    None => [corner; 3],
                });
            let reaches = reaches(piece, &influences, vertices);
            self.block_reaches.extend(reaches);
            self.block_ends.push(self.block_reaches.len() as u32);
        }
    }

    /// The number of vertices and cuts.
    pub(crate) fn point_count(&self) -> usize {
        self.vertices.vertex_count() + self.cuts.len()
    }

    pub(crate) fn chunk_count(&self) -> usize {
        self.chunk_ends.len()
    }

    /// Skins all vertices, then all cuts, and overwrites `posed`. `matrices` is indexed by binding; the fourth
    /// components are 0.
    ///
    /// The image of a vertex is that of [`crate::kernels::skin_lanes`]. A cut is `w0 V0 + w1 V1 + w2 V2` of three
    /// vertices, summed in this order.
    pub(crate) fn skin(&self, kernel: Kernel, matrices: &[Columns], posed: &mut Vec<Vec4>) {
        posed.resize(self.point_count(), Vec4::ZERO);
        let (vertices, cuts) = posed.split_at_mut(self.vertices.vertex_count());
        kernels::skin_vertices(kernel, &self.vertices, matrices, vertices);
        for (cut, to) in self.cuts.iter().zip(cuts) {
            let [a, b, c] = cut.corners.map(|corner| vertices[corner as usize]);
            *to = a * cut.weights[0] + b * cut.weights[1] + c * cut.weights[2];
        }
    }

    /// The bounds of all triangles.
    pub(crate) fn bounds(&self, posed: &[Vec4]) -> Bounds {
        // Four minima and four maxima are kept side by side, so that no comparison waits for the one before.
        let (mut low, mut high) = ([Vec4::INFINITY; 4], [Vec4::NEG_INFINITY; 4]);
        for range in &self.used {
            let (fours, rest) = posed[range.clone()].as_chunks::<4>();
            for four in fours {
                for k in 0..4 {
                    low[k] = low[k].min(four[k]);
                    high[k] = high[k].max(four[k]);
                }
            }
            for &at in rest {
                low[0] = low[0].min(at);
                high[0] = high[0].max(at);
            }
        }
        let low = low[0].min(low[1]).min(low[2].min(low[3]));
        let high = high[0].max(high[1]).max(high[2].max(high[3]));
        Bounds { min: low.truncate(), max: high.truncate() }
    }

    /// The bounds of the points of one chunk.
    pub(crate) fn chunk_bounds(&self, chunk: usize, posed: &[Vec4]) -> Bounds {
        let start = if chunk == 0 { 0 } else { self.chunk_ends[chunk - 1] };
        let corners = &self.chunk_corners[start as usize..self.chunk_ends[chunk] as usize];
        let (mut low, mut high) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        for &corner in corners {
            let at = posed[corner as usize];
            low = low.min(at);
            high = high.max(at);
        }
        Bounds { min: low.truncate(), max: high.truncate() }
    }

    /// Returns `true` if the piece has at most [`LANES`] chunks.
    pub(crate) fn has_one_block(&self) -> bool {
        self.chunk_count() <= LANES
    }

    /// The number of blocks of [`LANES`] chunks.
    pub(crate) fn block_count(&self) -> usize {
        self.chunk_count().div_ceil(LANES)
    }

    /// The bounds of the piece in the pose of these matrices, without skinning the piece.
    ///
    /// A skinned vertex is the sum of its images under its bindings' matrices, with weights that sum to 1. It therefore
    /// lies in any convex set that contains these images, and so in the box around the images of the boxes of all
    /// bindings. The bounds are enlarged by the rounding error of products and sums.
    pub(crate) fn bounds_in_any_pose(&self, matrices: &[Columns]) -> Bounds {
        self.bounds_of_reaches(&self.reaches, matrices)
    }

    /// [`PieceTable::bounds_in_any_pose`] of one block of chunks. The piece must have more than one block.
    pub(crate) fn block_in_any_pose(&self, block: usize, matrices: &[Columns]) -> Bounds {
        let start = if block == 0 { 0 } else { self.block_ends[block - 1] };
        self.bounds_of_reaches(&self.block_reaches[start as usize..self.block_ends[block] as usize], matrices)
    }

    fn bounds_of_reaches(&self, reaches: &[Reach], matrices: &[Columns]) -> Bounds {
        let (mut low, mut high, mut largest) = (Vec4::INFINITY, Vec4::NEG_INFINITY, Vec4::ZERO);
        for reach in reaches {
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

    /// Converts barycentric coordinates on triangle `triangle` of the piece to those on its source triangle.
    pub(crate) fn source_barycentric(&self, triangle: usize, barycentric: [f32; 3]) -> [f32; 3] {
        let source = self.source_triangles[triangle];
        let Ok(place) = self.cut_triangles.binary_search_by_key(&source, |cut| cut.source_triangle) else {
            return barycentric;
        };
        let whole = self.cut_triangles[place].corners;
        let mut sums = [0.0; 3];
        let mut add = |vertex: u32, share: f32| {
            if let Some(corner) = whole.iter().position(|&corner| corner == vertex) {
                sums[corner] += share;
            }
        };
        for (&corner, share) in self.corners[triangle].iter().zip(barycentric) {
            match (corner as usize).checked_sub(self.vertices.vertex_count()).and_then(|cut| self.cuts.get(cut)) {
                Some(cut) => (0..3).for_each(|k| add(cut.corners[k], share * cut.weights[k])),
                None => add(corner, share),
            }
        }
        sums
    }
}
