//! Bounds of a piece's points that hold in any pose, computed from the matrices alone.
//!
//! A posed point, a vertex or a cut, is a sum with one summand for each binding that moves the point: the image of a
//! point in mesh space under the binding's matrix, times a weight. The weights sum to 1. For each binding, the table
//! has a box around its points in mesh space, and the least weight that the binding has at any point of the piece. A
//! lower bound of a posed point's coordinate along an axis is the sum of each least weight times the least coordinate
//! of its box's image, plus the rest of the weights times the least of all these coordinates. The greatest coordinates
//! give an upper bound in the same way.
//!
//! Morph targets move the points in mesh space. For each binding and target, the table has a box around the offsets of the
//! binding's points at the weight 1. The box around the points grows by this box times the weight.

use super::morphs::VertexOffsets;
use crate::Bounds;
use crate::kernels::skin_lanes::{Columns, SkinLanes, SourceVertex, image};
use baked_format::{SkinCut, SkinOffset, SkinPiece};
use glam::{DVec3, Vec3, Vec4};
use std::collections::BTreeMap;
use std::ops::Range;

/// Bounds of some points of a piece in any pose.
#[derive(Debug, PartialEq)]
pub(super) struct Reaches {
    /// The points that each binding moves.
    reaches: Vec<Reach>,
    /// The part of the weights that is not in [`Reach::least_weight`].
    free_weight: f32,
}

/// The points that one binding moves.
#[derive(Debug, PartialEq)]
struct Reach {
    binding: u16,
    /// The least weight of the binding at any of the points; 0 if the binding does not move all of the points.
    least_weight: f32,
    /// The center of the points' bounds, in mesh space.
    center: Vec3,
    /// Half the size of the points' bounds, in mesh space.
    half: Vec3,
    /// Bounds of the offsets of the points, ascending by target.
    morphs: Vec<MorphReach>,
}

/// Bounds of the offsets of points that one morph target moves.
#[derive(Debug, PartialEq)]
struct MorphReach {
    target: u16,
    /// The center of the bounds at the weight 1, in mesh space.
    center: Vec3,
    /// Half the size of the bounds, in mesh space.
    half: Vec3,
}

/// The numbers by which the rounding of posed points, and of their bounds, is limited.
#[derive(Debug, PartialEq)]
pub(super) struct Rounding {
    /// The bindings that move vertices of the piece, with the largest distances of these vertices from 0 along each axis of mesh space.
    sizes: Vec<(u16, Vec3)>,
    /// The bindings and the targets that move vertices of the piece, with the largest sizes of the offsets along each axis of mesh
    /// space; sorted by binding.
    offsets: Vec<(u16, u16, Vec3)>,
    /// The limit, as a share of the sizes of the summands.
    share: f32,
}

impl Reaches {
    /// The bounds of all points in the pose of these matrices, enlarged by `slack` ([`Rounding::slack`]). `weights` has one for
    /// each morph target, or is empty if all are 0.
    #[inline]
    pub(super) fn bounds(&self, matrices: &[Columns], weights: &[f32], slack: Vec4) -> Bounds {
        let (mut least, mut most) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        let (mut fixed_low, mut fixed_high) = (Vec4::ZERO, Vec4::ZERO);
        for reach in &self.reaches {
            let columns = &matrices[usize::from(reach.binding)];
            let [x, y, z, _] = columns.map(Vec4::abs);
            let (center, half) = if weights.is_empty() { (reach.center, reach.half) } else { reach.moved(weights) };
            let half = x * half.x + y * half.y + z * half.z;
            let center = image(columns, center);
            let (low, high) = (center - half, center + half);
            (least, most) = (least.min(low), most.max(high));
            fixed_low += low * reach.least_weight;
            fixed_high += high * reach.least_weight;
        }
        let low = fixed_low + least * self.free_weight - slack;
        let high = fixed_high + most * self.free_weight + slack;
        Bounds { min: low.truncate(), max: high.truncate() }
    }
}

impl Reach {
    /// The center and half the size of bounds of the moved points.
    fn moved(&self, weights: &[f32]) -> (Vec3, Vec3) {
        let (mut center, mut half) = (self.center, self.half);
        for morph in &self.morphs {
            let weight = weights[usize::from(morph.target)];
            if weight != 0.0 {
                center += morph.center * weight;
                half += morph.half * weight.abs();
            }
        }
        (center, half)
    }
}

impl Rounding {
    /// The amount that bounds are enlarged by in the pose of these matrices. `weights` has one for each morph target, or is
    /// empty if all are 0.
    #[inline]
    pub(super) fn slack(&self, matrices: &[Columns], weights: &[f32]) -> Vec4 {
        if !weights.is_empty() && !self.offsets.is_empty() {
            return self.morphed_slack(matrices, weights);
        }
        let mut largest = Vec4::ZERO;
        for &(binding, far) in &self.sizes {
            let [x, y, z, translation] = matrices[usize::from(binding)].map(Vec4::abs);
            largest = largest.max(x * far.x + y * far.y + z * far.z + translation);
        }
        largest * self.share + Vec4::splat(f32::MIN_POSITIVE)
    }

    /// Moving a vertex rounds twice for each target, and so do the center and the size of the bounds. Each rounding is at most
    /// 2^-24 of the largest sum in mesh space, or, of a product that is too small for `f32`, of the least normal number. The share
    /// that a target adds is more than twice as large.
    fn morphed_slack(&self, matrices: &[Columns], weights: &[f32]) -> Vec4 {
        let targets = weights.iter().filter(|weight| **weight != 0.0).count();
        let share = self.share + targets as f32 * 4.0 / 4_194_304.0;
        let mut largest = Vec4::ZERO;
        let mut offsets = &self.offsets[..];
        for &(binding, far) in &self.sizes {
            let (own, others) = offsets.split_at(offsets.partition_point(|(of, ..)| *of <= binding));
            offsets = others;
            let add =
                |far: Vec3, &(_, target, size): &(u16, u16, Vec3)| far + size * weights[usize::from(target)].abs();
            let far = own.iter().fold(far, add) + Vec3::splat(f32::MIN_POSITIVE);
            let [x, y, z, translation] = matrices[usize::from(binding)].map(Vec4::abs);
            largest = largest.max(x * far.x + y * far.y + z * far.z + translation);
        }
        largest * share + Vec4::splat(f32::MIN_POSITIVE)
    }
}

/// A piece of the file with what its parts share.
pub(super) struct PieceSource<'a> {
    pub(super) piece: &'a SkinPiece,
    /// The range of each vertex's influences.
    influences: Vec<Range<usize>>,
    /// The offsets of each vertex; empty if no morph target moves the piece.
    offsets: Vec<VertexOffsets>,
}

impl<'a> PieceSource<'a> {
    /// `moves` has each morph target that moves the piece with its offsets, ascending.
    pub(super) fn new(piece: &'a SkinPiece, moves: &[(u16, &[SkinOffset])]) -> Self {
        let mut start = 0;
        let influences: Vec<Range<usize>> = piece
            .influences_per_vertex()
            .map(|count| {
                start += count;
                start - count..start
            })
            .collect();
        let mut offsets = vec![VertexOffsets::new(); if moves.is_empty() { 0 } else { piece.positions.len() }];
        for (target, list) in moves {
            list.iter().for_each(|one| offsets[one.vertex as usize].push((*target, one.offset)));
        }
        Self { piece, influences, offsets }
    }

    /// The offsets of a vertex, ascending by morph target.
    pub(super) fn offsets(&self, vertex: u32) -> &VertexOffsets {
        static NONE: VertexOffsets = VertexOffsets::new();
        self.offsets.get(vertex as usize).unwrap_or(&NONE)
    }

    /// The bindings that move a vertex.
    pub(super) fn influences(&self, vertex: u32) -> &'a [u16] {
        &self.piece.influences[self.influences[vertex as usize].clone()]
    }

    /// Vertices in the order of `vertices`. Vertices with the same influences must lie one after the other.
    pub(super) fn lanes(&self, vertices: impl Iterator<Item = u32>) -> SkinLanes {
        let vertices: Vec<SourceVertex<'_>> = vertices
            .map(|vertex| {
                let (position, range) = (self.piece.positions[vertex as usize], &self.influences[vertex as usize]);
                (position, &self.piece.influences[range.clone()], &self.piece.weights[range.clone()])
            })
            .collect();
        SkinLanes::new(&vertices)
    }

    /// All vertices of the piece, in the numbers of the file.
    pub(super) fn all_lanes(&self) -> SkinLanes {
        self.lanes(0..self.piece.positions.len() as u32)
    }

    /// The cut of a corner of a triangle in the numbers of the file: vertices, then cuts. `None` if the corner is a vertex.
    pub(super) fn cut(&self, corner: u32) -> Option<&'a SkinCut> {
        (corner as usize).checked_sub(self.piece.positions.len()).map(|cut| &self.piece.cuts[cut])
    }

    pub(super) fn rounding(&self) -> Rounding {
        let mut sizes: BTreeMap<u16, Vec3> = BTreeMap::new();
        for (position, range) in self.piece.positions.iter().zip(&self.influences) {
            for &binding in &self.piece.influences[range.clone()] {
                let size = sizes.entry(binding).or_default();
                *size = size.max(position.abs());
            }
        }
        let mut offsets: BTreeMap<(u16, u16), Vec3> = BTreeMap::new();
        for (moved, range) in self.offsets.iter().zip(&self.influences) {
            for (&binding, &(target, offset)) in self.piece.influences[range.clone()]
                .iter()
                .flat_map(|binding| moved.iter().map(move |one| (binding, one)))
            {
                let size = offsets.entry((binding, target)).or_default();
                *size = size.max(offset.abs());
            }
        }
        let offsets = offsets.into_iter().map(|((binding, target), size)| (binding, target, size)).collect();
        let error = |weights: &[f32]| (weights.iter().map(|&weight| f64::from(weight)).sum::<f64>() - 1.0).abs();
        let of_vertices =
            self.influences.iter().map(|range| error(&self.piece.weights[range.clone()])).fold(0.0, f64::max);
        let of_cuts = self.piece.cuts.iter().map(|cut| error(&cut.weights)).fold(0.0, f64::max);
        // Computing a posed point rounds fewer than twelve times, and once more for each influence. Computing its
        // bounds rounds as often. Each rounding is at most 2^-24 of the largest sum. This limit is twice as large.
        let roundings = (self.piece.influence_counts.len() + 16) as f32 / 4_194_304.0;
        Rounding {
            sizes: sizes.into_iter().collect(),
            offsets,
            share: roundings + (1.5 * (of_vertices + of_cuts)) as f32,
        }
    }

    /// The bounds of these corners, in the numbers of the file: vertices, then cuts. The corners must be sorted, without
    /// duplicates.
    pub(super) fn reaches(&self, corners: &[u32]) -> Reaches {
        // For each binding: the number of points that it moves, its least weight and the bounds of the points.
        let mut moved: BTreeMap<u16, (usize, f64, Bounds)> = BTreeMap::new();
        for &corner in corners {
            for (binding, (weight, sum)) in self.summands(corner) {
                let at = (sum / weight).as_vec3();
                let (count, least, bounds) = moved.entry(binding).or_insert((0, 1.0, Bounds::EMPTY));
                *count += 1;
                *least = least.min(weight);
                *bounds = bounds.union(&Bounds { min: at, max: at });
            }
        }
        let mut morphs = self.morph_reaches(corners);
        let mut free_weight = 1.0;
        let reach = |(binding, (count, least, bounds)): (u16, (usize, f64, Bounds))| {
            let least_weight = if count == corners.len() { least } else { 0.0 };
            free_weight -= least_weight;
            let center = (bounds.min + bounds.max) * 0.5;
            // The slack, which is a share of the coordinates, covers the rounding here.
            let half = (bounds.max - center).max(center - bounds.min);
            let morphs = morphs.remove(&binding).unwrap_or_default();
            Reach { binding, least_weight: least_weight as f32, center, half, morphs }
        };
        Reaches { reaches: moved.into_iter().map(reach).collect(), free_weight: free_weight.max(0.0) as f32 }
    }

    /// For each binding, the bounds of the offsets of its summands.
    fn morph_reaches(&self, corners: &[u32]) -> BTreeMap<u16, Vec<MorphReach>> {
        let mut found: BTreeMap<u16, Vec<MorphReach>> = BTreeMap::new();
        if self.offsets.is_empty() {
            return found;
        }
        // For each binding and target: the number of points that the target moves, and the bounds of their offsets.
        let mut bounds: BTreeMap<(u16, u16), (usize, Bounds)> = BTreeMap::new();
        let mut points: BTreeMap<u16, usize> = BTreeMap::new();
        for &corner in corners {
            for (binding, (weight, _)) in self.summands(corner) {
                *points.entry(binding).or_default() += 1;
                for (target, sum) in self.moved_summand(corner, binding) {
                    let at = (sum / weight).as_vec3();
                    let (count, bounds) = bounds.entry((binding, target)).or_insert((0, Bounds::EMPTY));
                    *count += 1;
                    *bounds = bounds.union(&Bounds { min: at, max: at });
                }
            }
        }
        for ((binding, target), (count, mut bounds)) in bounds {
            if count < points[&binding] {
                // Some points of the binding do not move.
                bounds = bounds.union(&Bounds { min: Vec3::ZERO, max: Vec3::ZERO });
            }
            let center = (bounds.min + bounds.max) * 0.5;
            let half = (bounds.max - center).max(center - bounds.min);
            found.entry(binding).or_default().push(MorphReach { target, center, half });
        }
        found
    }

    /// For each morph target that moves a corner, the weight of a binding times the offset of the summand of
    /// [`PieceSource::summands`].
    fn moved_summand(&self, corner: u32, binding: u16) -> BTreeMap<u16, DVec3> {
        let mut sums: BTreeMap<u16, DVec3> = BTreeMap::new();
        let mut add = |vertex: u32, share: f32| {
            let range = self.influences[vertex as usize].clone();
            let Some(place) = self.piece.influences[range.clone()].iter().position(|one| *one == binding) else {
                return;
            };
            let weight = f64::from(self.piece.weights[range][place]) * f64::from(share);
            for &(target, offset) in self.offsets(vertex) {
                *sums.entry(target).or_default() += offset.as_dvec3() * weight;
            }
        };
        match self.cut(corner) {
            Some(cut) => cut.corners.iter().zip(cut.weights).for_each(|(&vertex, share)| add(vertex, share)),
            None => add(corner, 1.0),
        }
        sums
    }

    /// The posed point of a corner as a sum over bindings: for each binding, the weight, and the weight times the point in mesh space
    /// whose image is a summand. A cut is between three vertices, which the same binding may move.
    fn summands(&self, corner: u32) -> BTreeMap<u16, (f64, DVec3)> {
        let mut sums: BTreeMap<u16, (f64, DVec3)> = BTreeMap::new();
        let mut add = |vertex: u32, share: f32| {
            let (vertex, range) = (vertex as usize, self.influences[vertex as usize].clone());
            for (&binding, &weight) in self.piece.influences[range.clone()].iter().zip(&self.piece.weights[range]) {
                let weight = f64::from(weight) * f64::from(share);
                // A vertex with the weight 0 does not move the cut.
                if weight > 0.0 {
                    let sum = sums.entry(binding).or_default();
                    sum.0 += weight;
                    sum.1 += self.piece.positions[vertex].as_dvec3() * weight;
                }
            }
        };
        match self.cut(corner) {
            Some(cut) => cut.corners.iter().zip(cut.weights).for_each(|(&vertex, share)| add(vertex, share)),
            None => add(corner, 1.0),
        }
        sums
    }
}

/// The numbers in ascending order, each once.
pub(super) fn sorted_unique(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

#[cfg(test)]
mod tests {
    use super::super::morphs::PartMorphs;
    use super::super::table::columns;
    use super::*;
    use crate::kernels::skin_lanes::posed_cut;
    use crate::kernels::{self, Kernel};
    use glam::{Affine3A, Mat3};
    use proptest::prelude::*;
    use skeleton::JointIndex;

    /// A piece without triangles. Each vertex has a position and its bindings with their weights.
    fn piece(mut vertices: Vec<(Vec3, Vec<(u16, f32)>)>, cuts: Vec<SkinCut>) -> SkinPiece {
        vertices.sort_by_key(|vertex| vertex.1.len());
        let most = vertices.last().map_or(0, |vertex| vertex.1.len());
        let count = |influences: usize| vertices.iter().filter(|vertex| vertex.1.len() == influences).count() as u32;
        SkinPiece {
            influence_counts: (1..=most).map(count).collect(),
            positions: vertices.iter().map(|vertex| vertex.0).collect(),
            influences: vertices.iter().flat_map(|vertex| vertex.1.iter().map(|influence| influence.0)).collect(),
            weights: vertices.iter().flat_map(|vertex| vertex.1.iter().map(|influence| influence.1)).collect(),
            cuts,
            ..SkinPiece::empty(JointIndex(0))
        }
    }

    /// The posed vertices, then the posed cuts.
    fn posed(source: &PieceSource<'_>, matrices: &[Columns], weights: &[f32]) -> Vec<Vec4> {
        let mut points = vec![Vec4::ZERO; source.piece.positions.len()];
        let (lanes, mut memory) = (source.all_lanes(), Vec::new());
        let morphs = PartMorphs::new(&lanes, (0..points.len() as u32).map(|vertex| source.offsets(vertex)));
        let numbers = morphs.numbers(&lanes, weights, &mut memory);
        kernels::skin_vertices(Kernel::Scalar, &lanes, numbers, matrices, &mut points);
        source.piece.cuts.iter().for_each(|cut| points.push(posed_cut(cut, &points)));
        points
    }

    fn bounds(source: &PieceSource<'_>, corners: &[u32], matrices: &[Columns], weights: &[f32]) -> Bounds {
        source.reaches(corners).bounds(matrices, weights, source.rounding().slack(matrices, weights))
    }

    fn vec3(reach: f32) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(prop_oneof![4 => -reach..reach, 1 => Just(0.0f32)]).prop_map(Vec3::from)
    }

    fn shares<const COUNT: usize>(parts: [f32; COUNT]) -> [f32; COUNT] {
        let sum: f32 = parts.iter().sum();
        parts.map(|part| part / sum)
    }

    proptest! {
        /// Matrices of all kinds: turned, mirrored, of uneven scale, flat, and far away. Morph targets move no vertex, some or all.
        #[test]
        fn no_point_leaves_the_bounds(
            vertices in prop::collection::vec((vec3(2.0), prop::collection::vec(0.01f32..1.0, 1..=3), 0u16..2), 3..20),
            cuts in prop::collection::vec((prop::array::uniform3(0usize..20), prop::array::uniform3(0.01f32..1.0), 0usize..4), 0..8),
            matrices in prop::collection::vec(prop::array::uniform4(vec3(1.0)), 4),
            scale in prop_oneof![4 => Just(1.0f32), 1 => Just(1e4f32)],
            chosen in any::<u32>(),
            moves in prop::collection::vec(prop::collection::vec((0usize..20, vec3(3.0)), 0..20), 0..4),
            weights in prop::array::uniform4(prop_oneof![4 => -3f32..3.0, 1 => Just(0.0f32), 1 => -1e-38f32..1e-38, 1 => Just(1e5f32)]),
        ) {
            let vertices: Vec<_> = vertices
                .into_iter()
                .map(|(position, weights, first)| {
                    let sum: f32 = weights.iter().sum();
                    let bindings = first..first + weights.len() as u16;
                    (position, bindings.zip(weights.iter().map(|weight| weight / sum)).collect())
                })
                .collect();
            let count = vertices.len();
            let cuts = cuts.into_iter().map(|(corners, parts, without)| {
                let mut parts = parts;
                // A corner may have no share in a cut.
                if let Some(part) = parts.get_mut(without) {
                    *part = 0.0;
                }
                SkinCut { corners: corners.map(|corner| (corner % count) as u32), weights: shares(parts) }
            });
            let piece = piece(vertices, cuts.collect());
            let moves: Vec<Vec<SkinOffset>> = moves
                .into_iter()
                .map(|list| {
                    let by_vertex: BTreeMap<usize, Vec3> = list.into_iter().filter(|(vertex, _)| *vertex < count).collect();
                    by_vertex.into_iter().map(|(vertex, offset)| SkinOffset { vertex: vertex as u32, offset }).collect()
                })
                .collect();
            let moves: Vec<(u16, &[SkinOffset])> = (0..).zip(moves.iter().map(|list| &list[..])).collect();
            let source = PieceSource::new(&piece, &moves);
            let matrices: Vec<Columns> = matrices
                .iter()
                .map(|[x, y, z, at]| columns(&Affine3A::from_mat3_translation(Mat3::from_cols(*x, *y, *z), *at * scale)))
                .collect();
            let points = posed(&source, &matrices, &weights);
            let corners: Vec<u32> = (0..points.len() as u32).filter(|corner| chosen >> (corner % 32) & 1 == 1).collect();
            let around = bounds(&source, &corners, &matrices, &weights);
            for &corner in &corners {
                let at = points[corner as usize].truncate();
                prop_assert!(around.min.cmple(at).all() && at.cmple(around.max).all(), "{corner}: {at} {around:?}");
            }
        }
    }

    #[test]
    fn a_binding_moves_the_bounds_no_farther_than_its_weight() {
        let influences = vec![(0, 0.75), (1, 0.25)];
        let vertices = [Vec3::ZERO, Vec3::ONE].map(|position| (position, influences.clone()));
        let piece = piece(vertices.to_vec(), Vec::new());
        let source = PieceSource::new(&piece, &[]);
        let matrices = [Vec3::ZERO, Vec3::X * 4.0].map(|by| columns(&Affine3A::from_translation(by)));
        let around = bounds(&source, &[0, 1], &matrices, &[]);
        assert!(around.min.abs_diff_eq(Vec3::X, 1e-4), "{around:?}");
        assert!(around.max.abs_diff_eq(Vec3::new(2.0, 1.0, 1.0), 1e-4), "{around:?}");
    }
}
