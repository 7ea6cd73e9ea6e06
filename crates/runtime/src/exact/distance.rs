//! The distance and the nearest points of the skins of two characters.

use super::overlap::{pair_key, pieces_of, rank_of};
use crate::kernels;
use crate::kernels::layout::LANES;
use crate::kernels::triangle_lanes::Along;
use crate::query::distance::{gap, is_beyond, squared_gap};
use crate::skin::SkinError;
use crate::skin::blocks::ChunkBlocks;
use crate::skin::posed_skin::PieceView;
use crate::{Bounds, PosedCharacter};
use geometry_core::triangle::{closest_point, closest_points};
use glam::{DVec3, Vec3};
use skeleton::JointIndex;

#[cfg(test)]
thread_local! {
    /// Makes `exact_distance` look at all pairs of triangles whose bounds are not farther apart than the nearest pair.
    pub(super) static LOOKS_AT_ALL: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// The nearest points of the skins of two characters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinDistance {
    /// The joint that owns the nearest point of the first character.
    pub joint_a: JointIndex,
    /// The joint that owns the nearest point of the second character.
    pub joint_b: JointIndex,
    /// The source triangle of the first character on which `point_a` lies: [`baked_format::Skin::source_of`] has its
    /// mesh.
    pub source_triangle_a: u32,
    /// The source triangle of the second character on which `point_b` lies.
    pub source_triangle_b: u32,
    /// The distance in world units; 0 if and only if the skins touch.
    pub distance: f32,
    /// The nearest point on the first character's skin, in world space.
    pub point_a: Vec3,
    /// The nearest point on the second character's skin, in world space; equal to `point_a` if the skins touch.
    pub point_b: Vec3,
}

/// Finds the nearest points of two characters' skins and their distance, up to `max_distance` in world units (`None`:
/// any distance). Returns `None` if the distance is larger.
///
/// The distance is 0 if and only if [`crate::exact_overlap_all`] finds a pair. Otherwise the error of the distance is
/// less than 2^-24 of the distance plus 2^-25 of the sum of the longest edges of the two triangles. If `max_distance`
/// differs from the true distance by less than this error, the answer may be the distance or `None`. The distance
/// between the two points agrees with `distance` up to this error and the rounding of the points' coordinates. Pairs of
/// joints, chunks and triangles are skipped if their bounds, or their gap along the direction between the last two nearest
/// points, show that they are no nearer than the nearest pair found so far. So bodies whose triangles are all equally near,
/// for example because they are scaled to a point, take no longer than others.
///
/// Source of the distance of two triangles: Ericson, *Real-Time Collision Detection*, section 5.1.10, in `f64`.
///
/// # Errors
/// Returns an error if a character was baked without its skin, its pose does not [track
/// it](PosedCharacter::track_skin), or there is no pose.
pub fn exact_distance(
    a: &mut PosedCharacter,
    b: &mut PosedCharacter,
    max_distance: impl Into<Option<f32>>,
) -> Result<Option<SkinDistance>, SkinError> {
    let (skin_a, skin_b) = (a.skin_mut()?, b.skin_mut()?);
    let reach = max_distance.into().unwrap_or(f32::INFINITY);
    let mut nearest = Nearest { reach, found: None, direction: None };
    let mut pairs = std::mem::take(&mut skin_a.pairs);
    pairs.clear();
    for first in 0..skin_a.piece_count() {
        let bounds = skin_a.reach_of(first);
        for second in 0..skin_b.piece_count() {
            let gap = gap(&bounds, &skin_b.reach_of(second));
            if gap <= reach {
                // The bits of nonnegative numbers sort like the numbers.
                pairs.push(pair_key(gap.to_bits(), [first, second]));
            }
        }
    }
    pairs.sort_unstable();
    for &pair in &pairs {
        if f32::from_bits(rank_of(pair)) > nearest.reach || nearest.is_touch() {
            break;
        }
        let [piece_a, piece_b] = pieces_of(pair);
        if nearest.is_too_far(&skin_a.closest_bounds(piece_a), &skin_b.closest_bounds(piece_b)) {
            continue;
        }
        skin_a.prepare_chunks(piece_a);
        skin_b.prepare_chunks(piece_b);
        if let (Some(one), Some(other)) = (skin_a.with_blocks(piece_a), skin_b.with_blocks(piece_b)) {
            nearest.look_at_pieces(one, other);
        }
    }
    skin_a.pairs = pairs;
    Ok(nearest.found)
}

struct Nearest {
    /// The largest distance of interest, in world units.
    reach: f32,
    found: Option<SkinDistance>,
    /// The direction between the nearest points of the last two triangles, a unit vector: it is nearly always close to the
    /// direction between the next ones.
    direction: Option<DVec3>,
}

impl Nearest {
    fn is_touch(&self) -> bool {
        self.found.is_some_and(|found| found.distance == 0.0)
    }

    fn is_too_far(&self, a: &Bounds, b: &Bounds) -> bool {
        is_beyond(squared_gap(a, b), self.reach) || self.is_no_nearer(exact_gap(a, b))
    }

    /// Returns `true` if two triangles with this gap cannot be nearer to each other than the nearest pair found so far.
    fn is_no_nearer(&self, gap: f64) -> bool {
        #[cfg(test)]
        if LOOKS_AT_ALL.get() {
            return false;
        }
        // Distances are compared as `f32` numbers, so that triangles at the found distance count as no nearer.
        self.found.is_some_and(|found| gap as f32 >= found.distance)
    }

    fn look_at_pieces(
        &mut self,
        (a, blocks_a): (PieceView<'_>, &mut ChunkBlocks),
        (b, blocks_b): (PieceView<'_>, &mut ChunkBlocks),
    ) {
        if self.is_too_far(a.bounds, b.bounds) {
            return;
        }
        // The distance of the two chunks with the nearest bounds is nearly always close to the answer, so it limits the
        // search well.
        let guess = self.nearest_chunks(a, b);
        if let Some([chunk_a, chunk_b]) = guess {
            self.look_at_chunks((a, blocks_a, chunk_a), (b, blocks_b, chunk_b));
        }
        for chunk_a in a.places() {
            let bounds = a.chunk_bounds(chunk_a);
            if self.is_too_far(&bounds, b.bounds) {
                continue;
            }
            for (block, lanes) in b.posed.chunks.iter().enumerate() {
                let mut squares = [0.0; LANES];
                kernels::squared_gaps(a.kernel, &bounds, lanes, &mut squares);
                for (chunk_b, &square) in b.table.places_of_block(block).zip(&squares) {
                    if !is_beyond(square, self.reach)
                        && guess != Some([chunk_a, chunk_b])
                        && !self.is_no_nearer(exact_gap(&bounds, &b.chunk_bounds(chunk_b)))
                    {
                        self.look_at_chunks((a, blocks_a, chunk_a), (b, blocks_b, chunk_b));
                    }
                }
            }
        }
    }

    /// The two chunks whose bounds are nearest; if several pairs are equally near, the first. `None` if all are farther
    /// apart than the reach.
    fn nearest_chunks(&self, a: PieceView<'_>, b: PieceView<'_>) -> Option<[usize; 2]> {
        let (mut nearest, mut least) = (None, f32::INFINITY);
        for chunk_a in a.places() {
            let bounds = a.chunk_bounds(chunk_a);
            let to_all = squared_gap(&bounds, b.bounds);
            if is_beyond(to_all, self.reach) || to_all >= least {
                continue;
            }
            for (block, lanes) in b.posed.chunks.iter().enumerate() {
                let mut squares = [0.0; LANES];
                kernels::squared_gaps(a.kernel, &bounds, lanes, &mut squares);
                for (chunk_b, &square) in b.table.places_of_block(block).zip(&squares) {
                    if square < least && !is_beyond(square, self.reach) {
                        (nearest, least) = (Some([chunk_a, chunk_b]), square);
                    }
                }
            }
        }
        nearest
    }

    fn look_at_chunks(
        &mut self,
        (a, blocks_a, chunk_a): (PieceView<'_>, &mut ChunkBlocks, usize),
        (b, blocks_b, chunk_b): (PieceView<'_>, &mut ChunkBlocks, usize),
    ) {
        let (block_a, block_b) = (a.block(blocks_a, chunk_a), b.block(blocks_b, chunk_b));
        let around_b = b.chunk_bounds(chunk_b);
        let count = |piece: PieceView<'_>, place: usize| piece.table.triangles_of(piece.table.chunk_at(place)).len();
        let count_b = count(b, chunk_b);
        let along = |direction: Option<DVec3>| direction.map(|direction| Along::new(direction, block_a, block_b));
        let mut apart = along(self.direction);
        if apart.as_ref().is_some_and(|apart| self.is_no_nearer(apart.least_gap())) {
            return;
        }
        for lane_a in 0..count(a, chunk_a) {
            let bounds = block_a.bounds.get(lane_a);
            if self.is_too_far(&bounds, &around_b) {
                continue;
            }
            let mut squares = [0.0; LANES];
            kernels::squared_gaps(a.kernel, &bounds, &block_b.bounds, &mut squares);
            for (lane_b, &square) in squares[..count_b].iter().enumerate() {
                let is_too_far = |apart: &Along| self.is_no_nearer(apart.gap(lane_a, lane_b));
                if is_beyond(square, self.reach) || self.is_touch() || apart.as_ref().is_some_and(is_too_far) {
                    continue;
                }
                let (triangle_a, triangle_b) = (a.triangle_at(chunk_a, lane_a), b.triangle_at(chunk_b, lane_b));
                #[cfg(test)]
                kernels::work::add();
                let (corners_a, corners_b) = (a.triangle(triangle_a), b.triangle(triangle_b));
                let nearest = closest_points(&corners_a, &corners_b);
                let is_nearer = self.found.is_none_or(|found| nearest.distance < found.distance);
                if is_nearer && nearest.distance <= self.reach {
                    self.reach = nearest.distance;
                    self.found = Some(SkinDistance {
                        joint_a: a.table.joint,
                        joint_b: b.table.joint,
                        source_triangle_a: a.table.source_triangles[triangle_a],
                        source_triangle_b: b.table.source_triangles[triangle_b],
                        distance: nearest.distance,
                        point_a: nearest.point_a,
                        point_b: nearest.point_b,
                    });
                }
                // The nearest points are rounded to `f32`, so their direction is not exact enough.
                let on_b = closest_point(&corners_b, nearest.point_a.as_dvec3());
                self.direction = (on_b - closest_point(&corners_a, on_b)).try_normalize();
                apart = along(self.direction);
                if apart.as_ref().is_some_and(|apart| self.is_no_nearer(apart.least_gap())) {
                    return;
                }
            }
        }
    }
}

/// The gap between two bounds, in `f64`.
fn exact_gap(a: &Bounds, b: &Bounds) -> f64 {
    let [a, b] = [a, b].map(|bounds| [bounds.min.as_dvec3(), bounds.max.as_dvec3()]);
    (a[0] - b[1]).max(b[0] - a[1]).max(DVec3::ZERO).length_squared().sqrt()
}
