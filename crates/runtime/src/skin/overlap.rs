//! Exact overlap tests of the skins of two characters.

use super::blocks::ChunkBlocks;
use super::error::SkinError;
use super::posed_skin::{PiecePair, PieceView, PosedSkin};
use crate::kernels::layout::LANES;
use crate::kernels::near_chunks::NearChunks;
use crate::kernels::{self, Kernel};
use crate::query::box_pairs::overlapping_joints;
use crate::{Bounds, PosedCharacter};
use geometry_core::triangle::touching_point;
use glam::Vec3;
use skeleton::JointIndex;

/// The number of pairs of chunks that are tested before all others: those whose bounds are deepest in each other. Two
/// pieces that touch nearly always touch in one of these pairs.
const DEEPEST_FIRST: usize = 4;

/// Two joints of two characters whose skin pieces touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinOverlap {
    /// The first character's joint.
    pub joint_a: JointIndex,
    /// The second character's joint.
    pub joint_b: JointIndex,
    /// A source triangle of `a` that touches a triangle of `b`: [`baked_format::Skin::source_of`] has its mesh.
    pub triangle_a: u32,
    /// The source triangle of `b` that `triangle_a` touches.
    pub triangle_b: u32,
    /// A point in world space that the two triangles share; its error is at most
    /// [`geometry_core::triangle::TOUCHING_POINT_ERROR`] of the largest coordinate.
    pub point: Vec3,
}

/// The source of the pairs of joints that an exact query tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkinCandidates {
    /// The pairs of joints whose skin bounds overlap. The bounds are computed from the joint matrices and contain the
    /// skin in every pose, so the answer is the same as that of testing all triangles.
    #[default]
    Bounds,
    /// The pairs of joints whose hitboxes overlap. Fewer pairs are tested, but a pair that touches outside the hitboxes
    /// is missed: hitboxes of the preset `cover` contain the skin at the sample times of the character's own clips.
    Hitboxes,
}

/// Finds the pairs of joints of `a` and `b` whose skins touch.
///
/// Two joints touch if their pieces of the skinned surface, as closed sets of `f32` triangles, share a point. The test
/// is exact. `found` is overwritten and sorted by joint of `a`, then of `b`, with one answer for each pair. Allocates
/// only if memory must grow. A surface wholly inside another does not touch it; see [`PosedCharacter::skin_contains`].
///
/// # Errors
/// Returns an error if a character was baked without its skin, its pose does not [track
/// it](PosedCharacter::track_skin), or there is no pose.
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use runtime::{Character, PosedCharacter, SkinCandidates, exact_overlaps, overlaps};
///
/// // Eight-sided, so that its corners reach less far than its boxes'.
/// let tube = Character::load(&std::fs::read("tests/data/tube.bonebox")?)?;
/// let (mut a, mut b, mut found) = (PosedCharacter::new(), PosedCharacter::new(), Vec::new());
/// a.track_skin(true);
/// b.track_skin(true);
/// a.pose_from_rest(&tube, &Affine3A::IDENTITY)?;
/// b.pose_from_rest(&tube, &Affine3A::from_translation(Vec3::new(0.9, 0.0, 0.9)))?;
/// exact_overlaps(&mut a, &mut b, SkinCandidates::Bounds, &mut found)?;
/// assert!(overlaps(&a, &b) && found.is_empty());
/// b.pose_from_rest(&tube, &Affine3A::from_translation(Vec3::new(0.6, 0.0, 0.6)))?;
/// exact_overlaps(&mut a, &mut b, SkinCandidates::Bounds, &mut found)?;
/// assert_eq!(tube.joint_name(found[0].joint_a), "upper");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn exact_overlaps(
    a: &mut PosedCharacter,
    b: &mut PosedCharacter,
    candidates: SkinCandidates,
    found: &mut Vec<SkinOverlap>,
) -> Result<(), SkinError> {
    found.clear();
    let mut pairs = candidate_pairs(a, b, candidates)?;
    let kernel = a.kernel;
    let (skin_a, skin_b) = (a.skin_mut()?, b.skin_mut()?);
    for pair in &pairs {
        found.extend(touch_of_pair(kernel, skin_a, skin_b, pair.pieces()));
    }
    pairs.clear();
    skin_a.pairs = pairs;
    Ok(())
}

/// Finds one pair of joints of two characters whose skins touch; `None` if the skins do not touch.
///
/// The pairs of joints whose bounds share the most are tested first, and the answer is the first pair that touches. The
/// answer depends only on the two poses. See [`exact_overlaps`].
///
/// # Errors
/// Returns the errors of [`exact_overlaps`].
pub fn first_exact_overlap(
    a: &mut PosedCharacter,
    b: &mut PosedCharacter,
    candidates: SkinCandidates,
) -> Result<Option<SkinOverlap>, SkinError> {
    let mut pairs = candidate_pairs(a, b, candidates)?;
    let kernel = a.kernel;
    let (skin_a, skin_b) = (a.skin_mut()?, b.skin_mut()?);
    for pair in &mut pairs {
        pair.rank = shared_share(&skin_a.reach_of(pair.a.into()), &skin_b.reach_of(pair.b.into()));
    }
    pairs.sort_unstable_by(|one, other| {
        other.rank.total_cmp(&one.rank).then_with(|| (one.a, one.b).cmp(&(other.a, other.b)))
    });
    let first = pairs.iter().find_map(|pair| touch_of_pair(kernel, skin_a, skin_b, pair.pieces()));
    pairs.clear();
    skin_a.pairs = pairs;
    Ok(first)
}

/// The share of the smaller of two bounds that lies in the other, computed from the shares along the axes.
fn shared_share(a: &Bounds, b: &Bounds) -> f32 {
    let shared = a.max.min(b.max) - a.min.max(b.min);
    let smaller = (a.max - a.min).min(b.max - b.min).max(Vec3::splat(f32::MIN_POSITIVE));
    let share = shared / smaller;
    share.x * share.y * share.z
}

/// The pairs of pieces to test, in the order of their joints. The caller returns the memory after use.
fn candidate_pairs(
    a: &mut PosedCharacter,
    b: &mut PosedCharacter,
    candidates: SkinCandidates,
) -> Result<Vec<PiecePair>, SkinError> {
    let kernel = a.kernel;
    let skin_a = a.skin_mut()?;
    let mut pairs = std::mem::take(&mut skin_a.pairs);
    pairs.clear();
    let mut joint_pairs = std::mem::take(&mut skin_a.joint_pairs);
    let skin_b = b.skin_mut().map(|skin| &*skin);
    match (candidates, skin_b) {
        (_, Err(error)) => return Err(error),
        (SkinCandidates::Bounds, Ok(skin_b)) => {
            each_near_pair(kernel, a.skin_mut()?, skin_b, |a, b| pairs.push(PiecePair { a, b, rank: 0.0 }));
        }
        (SkinCandidates::Hitboxes, Ok(_)) => {
            overlapping_joints(a, b, &mut joint_pairs);
            let (skin_a, skin_b) = (a.skin_mut()?, b.skin_mut()?);
            if let (Some(table_a), Some(table_b)) = (skin_a.table(), skin_b.table()) {
                pairs.extend(joint_pairs.iter().filter_map(|pair| {
                    let (a, b) = (table_a.find(pair.a)?, table_b.find(pair.b)?);
                    Some(PiecePair { a: a as u16, b: b as u16, rank: 0.0 })
                }));
            }
        }
    }
    a.skin_mut()?.joint_pairs = joint_pairs;
    Ok(pairs)
}

/// Calls `then` with all pairs of pieces whose bounds overlap in this pose, in order.
pub(crate) fn each_near_pair(kernel: Kernel, a: &PosedSkin, b: &PosedSkin, mut then: impl FnMut(u16, u16)) {
    let around_b = b.bounds();
    let pieces = a.table().map_or(0, |table| table.pieces.len());
    for first in 0..pieces {
        let bounds = a.reach_of(first);
        if !bounds.overlaps(&around_b) {
            continue;
        }
        for (block, lanes) in b.reach.iter().enumerate() {
            each_bit(kernels::near(kernel, &bounds, lanes), |lane| {
                then(first as u16, (block * LANES + lane) as u16);
                true
            });
        }
    }
}

/// Skins a pair of pieces and finds a place where they touch.
pub(crate) fn touch_of_pair(
    kernel: Kernel,
    a: &mut PosedSkin,
    b: &mut PosedSkin,
    [piece_a, piece_b]: [usize; 2],
) -> Option<SkinOverlap> {
    // The piece that costs less is skinned first, because the bounds of a skinned piece are closer and often rule out
    // the other piece before that one is skinned. Before any skinning, the bounds of a large piece's blocks rule out some pairs.
    if a.skinning_cost(piece_a) <= b.skinning_cost(piece_b) {
        if !a.reaches_into(kernel, piece_a, &b.closest_bounds(piece_b)) {
            return None;
        }
        a.prepare(kernel, piece_a);
        if !b.reaches_into(kernel, piece_b, &a.closest_bounds(piece_a)) {
            return None;
        }
        b.prepare(kernel, piece_b);
    } else {
        if !b.reaches_into(kernel, piece_b, &a.closest_bounds(piece_a)) {
            return None;
        }
        b.prepare(kernel, piece_b);
        if !a.reaches_into(kernel, piece_a, &b.closest_bounds(piece_b)) {
            return None;
        }
        a.prepare(kernel, piece_a);
    }
    // Both pieces are skinned now, and their closer bounds can still rule the pair out before chunks are compared.
    let (bounds_a, bounds_b) = (a.closest_bounds(piece_a), b.closest_bounds(piece_b));
    if !bounds_a.overlaps(&bounds_b) {
        return None;
    }
    let mut near = std::mem::take(&mut a.near_chunks);
    let touch = match (a.piece_near(kernel, piece_a, &bounds_b), b.piece_near(kernel, piece_b, &bounds_a)) {
        (Some(piece_a), Some(piece_b)) => touch_of_pieces(kernel, piece_a, piece_b, &mut near),
        _ => None,
    };
    a.near_chunks = near;
    touch
}

/// The first pair of triangles of two skinned pieces that touch. The order of chunks, and of the triangles in a chunk, is
/// that of the table, except that of each [`kernels::near_chunks`], the [`DEEPEST_FIRST`] deepest pairs come first.
pub(crate) fn touch_of_pieces(
    kernel: Kernel,
    (a, blocks_a): (PieceView<'_>, &mut ChunkBlocks),
    (b, blocks_b): (PieceView<'_>, &mut ChunkBlocks),
    near: &mut Vec<NearChunks>,
) -> Option<SkinOverlap> {
    let [triangle_a, triangle_b] = first_touching(kernel, (a, blocks_a), (b, blocks_b), near)?;
    Some(SkinOverlap {
        joint_a: a.table.joint,
        joint_b: b.table.joint,
        triangle_a: a.table.source_triangles[triangle_a],
        triangle_b: b.table.source_triangles[triangle_b],
        point: touching_point(&a.triangle(triangle_a), &b.triangle(triangle_b)),
    })
}

fn first_touching(
    kernel: Kernel,
    (a, blocks_a): (PieceView<'_>, &mut ChunkBlocks),
    (b, blocks_b): (PieceView<'_>, &mut ChunkBlocks),
    near: &mut Vec<NearChunks>,
) -> Option<[usize; 2]> {
    if !a.posed.bounds.overlaps(&b.posed.bounds) {
        return None;
    }
    let mut from = 0;
    while from < a.table.chunk_count() {
        near.clear();
        from = kernels::near_chunks(kernel, a.all_chunk_bounds(), b.all_chunk_bounds(), from, near);
        for place in 0..near.len() {
            if place < DEEPEST_FIRST {
                bring_deepest_to_front(&mut near[place..]);
            }
            let [chunk_a, chunk_b] = [near[place].a as usize, near[place].b as usize];
            let (block_a, block_b) = (a.block(kernel, blocks_a, chunk_a), b.block(kernel, blocks_b, chunk_b));
            let bounds = [a.chunk_bounds(chunk_a), b.chunk_bounds(chunk_b)];
            let touching = kernels::first_touch(kernel, block_a, &bounds[0], block_b, &bounds[1]);
            if let Some([lane_a, lane_b]) = touching {
                return Some([chunk_a * LANES + lane_a, chunk_b * LANES + lane_b]);
            }
        }
    }
    None
}

/// Swaps the first pair with the deepest pair; among equally deep pairs, with the earliest.
fn bring_deepest_to_front(near: &mut [NearChunks]) {
    let mut deepest = 0;
    for place in 1..near.len() {
        if near[place].depth > near[deepest].depth {
            deepest = place;
        }
    }
    near.swap(0, deepest);
}

/// Calls `then` with the index of each bit that is set, until it returns `false`.
#[inline]
pub(crate) fn each_bit(mut mask: u16, mut then: impl FnMut(usize) -> bool) {
    while mask != 0 {
        if !then(mask.trailing_zeros() as usize) {
            return;
        }
        mask &= mask - 1;
    }
}
