//! Exact overlap tests of the skins of two characters.

use crate::kernels::layout::LANES;
use crate::kernels::near_chunks::{ChunkBounds, NearChunks};
use crate::kernels::set_bits::set_bits;
use crate::kernels::{self, boxes_of};
use crate::query::box_pairs::each_box_pair;
use crate::skin::SkinError;
use crate::skin::blocks::ChunkBlocks;
use crate::skin::posed_skin::{PieceView, PosedSkin};
use crate::{Bounds, PosedCharacter};
use geometry_core::triangle::touching_point;
use glam::Vec3;
use skeleton::JointIndex;

/// The number of pairs of chunks that are tested before all other pairs: the pairs whose bounds overlap the deepest.
/// Two pieces that touch nearly always touch in one of these pairs.
const DEEPEST_FIRST: usize = 4;

/// The number of pairs of pieces that [`exact_overlap`] chooses one by one, before it sorts the rest. If two characters
/// touch, mostly one of these pairs touches.
const CHOSEN_FIRST: usize = 16;

/// Two joints of two characters whose skin pieces touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinOverlap {
    /// The first character's joint.
    pub joint_a: JointIndex,
    /// The second character's joint.
    pub joint_b: JointIndex,
    /// A source triangle of the first character that touches a triangle of the second character:
    /// [`baked_format::Skin::source_of`] has its mesh.
    pub source_triangle_a: u32,
    /// The source triangle of the second character that `source_triangle_a` touches.
    pub source_triangle_b: u32,
    /// A point in world space that the two triangles share; its error is at most
    /// [`geometry_core::triangle::TOUCHING_POINT_ERROR`] times the largest coordinate.
    pub point: Vec3,
}

/// The source of the pairs of joints that an exact query tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkinCandidates {
    /// The pairs of joints whose skin bounds overlap. The bounds are computed from the joint matrices and contain the
    /// skin in every pose, so no pair of triangles that touch is missed.
    #[default]
    Bounds,
    /// The pairs of joints whose hitboxes overlap. Fewer pairs are tested, but a pair of joints that touches only
    /// outside the hitboxes is missed. For example, hitboxes of the preset `cover` contain the skin at the sample times
    /// of the character's own clips, but not in every other pose. Hitboxes do not follow the weights of morph targets.
    Hitboxes,
}

/// Finds the pairs of joints of `a` and `b` whose skins touch.
///
/// Two joints touch if a skinned triangle of one joint shares a point with a skinned triangle of the other joint. The
/// corners of the triangles are `f32`, and the test is exact. A surface that lies wholly inside another surface does
/// not touch it; see [`PosedCharacter::skin_contains`].
///
/// `found` is overwritten and sorted by joint of `a`, then by joint of `b`, with one answer for each pair. Allocates
/// only if memory must grow.
///
/// # Errors
/// Returns an error if a character was baked without its skin, its pose does not [track
/// it](PosedCharacter::track_skin), or there is no pose. Then `found` is empty.
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use runtime::{Character, PosedCharacter, SkinCandidates, exact_overlap, exact_overlap_all, overlaps};
///
/// // Eight-sided, so that its corners reach less far than its boxes'.
/// let tube = Character::load(&std::fs::read("tests/data/tube.bonebox")?)?;
/// let (mut a, mut b, mut found) = (PosedCharacter::new(), PosedCharacter::new(), Vec::new());
/// a.track_skin(true);
/// b.track_skin(true);
/// a.pose_from_rest(&tube, &Affine3A::IDENTITY)?;
/// b.pose_from_rest(&tube, &Affine3A::from_translation(Vec3::new(0.9, 0.0, 0.9)))?;
/// exact_overlap_all(&mut a, &mut b, SkinCandidates::Bounds, &mut found)?;
/// assert!(overlaps(&a, &b) && found.is_empty());
/// b.pose_from_rest(&tube, &Affine3A::from_translation(Vec3::new(0.6, 0.0, 0.6)))?;
/// exact_overlap_all(&mut a, &mut b, SkinCandidates::Bounds, &mut found)?;
/// assert_eq!(tube.joint_name(found[0].joint_a), "upper");
/// assert!(found.contains(&exact_overlap(&mut a, &mut b, SkinCandidates::Bounds)?.unwrap()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn exact_overlap_all(
    a: &mut PosedCharacter,
    b: &mut PosedCharacter,
    candidates: SkinCandidates,
    found: &mut Vec<SkinOverlap>,
) -> Result<(), SkinError> {
    found.clear();
    let pairs = candidate_pairs(a, b, candidates)?;
    let (skin_a, skin_b) = (a.skin_mut()?, b.skin_mut()?);
    found.extend(pairs.iter().filter_map(|&pair| touch_of_pair(skin_a, skin_b, pieces_of(pair))));
    skin_a.pairs = pairs;
    Ok(())
}

/// Finds one pair of joints of two characters whose skins touch; `None` if the skins do not touch. See
/// [`exact_overlap_all`].
///
/// The function first tests the pairs of joints whose bounds overlap the most, and returns the first pair that touches.
/// The answer depends only on the two poses, not on earlier queries.
///
/// # Errors
/// Returns the errors of [`exact_overlap_all`].
pub fn exact_overlap(
    a: &mut PosedCharacter,
    b: &mut PosedCharacter,
    candidates: SkinCandidates,
) -> Result<Option<SkinOverlap>, SkinError> {
    let mut pairs = candidate_pairs(a, b, candidates)?;
    let (skin_a, skin_b) = (a.skin_mut()?, b.skin_mut()?);
    for pair in &mut pairs {
        let [piece_a, piece_b] = pieces_of(*pair);
        // The bits of nonnegative numbers sort like the numbers. The largest share comes first.
        let rank = !shared_share(&skin_a.reach_of(piece_a), &skin_b.reach_of(piece_b)).to_bits();
        *pair = pair_key(rank, [piece_a, piece_b]);
    }
    let mut first = None;
    for place in 0..pairs.len() {
        match place {
            0..CHOSEN_FIRST => bring_least_to_front(&mut pairs[place..]),
            CHOSEN_FIRST => pairs[place..].sort_unstable(),
            _ => {}
        }
        first = touch_of_pair(skin_a, skin_b, pieces_of(pairs[place]));
        if first.is_some() {
            break;
        }
    }
    skin_a.pairs = pairs;
    Ok(first)
}

/// Swaps the first key with the least.
fn bring_least_to_front(keys: &mut [u64]) {
    let (mut place, mut least) = (0, u64::MAX);
    for (at, &key) in keys.iter().enumerate() {
        if key < least {
            (place, least) = (at, key);
        }
    }
    keys.swap(0, place);
}

/// A sort key of a pair of pieces: the rank, then the index of each piece.
#[inline]
pub(super) fn pair_key(rank: u32, [a, b]: [usize; 2]) -> u64 {
    u64::from(rank) << 32 | (a << 16 | b) as u64
}

/// The rank of a pair with this [key](pair_key).
#[inline]
pub(super) fn rank_of(key: u64) -> u32 {
    (key >> 32) as u32
}

/// The pieces of a pair with this [key](pair_key).
#[inline]
pub(super) fn pieces_of(key: u64) -> [usize; 2] {
    [(key >> 16) as u16, key as u16].map(usize::from)
}

/// The share of the smaller of two bounds that lies in the other, computed from the shares along the axes; 0 if the bounds do not
/// overlap.
fn shared_share(a: &Bounds, b: &Bounds) -> f32 {
    let shared = (a.max.min(b.max) - a.min.max(b.min)).max(Vec3::ZERO);
    let smaller = (a.max - a.min).min(b.max - b.min).max(Vec3::splat(f32::MIN_POSITIVE));
    let share = shared / smaller;
    // Adding zero makes a negative zero positive.
    share.x * share.y * share.z + 0.0
}

/// The [keys](pair_key) of the pairs of pieces to test, in the order of their joints, with the rank 0. The caller returns the
/// memory after use.
fn candidate_pairs(
    a: &mut PosedCharacter,
    b: &PosedCharacter,
    candidates: SkinCandidates,
) -> Result<Vec<u64>, SkinError> {
    let (skin_a, skin_b) = (a.skin_mut()?, b.skin()?);
    let mut pairs = std::mem::take(&mut skin_a.pairs);
    pairs.clear();
    match candidates {
        SkinCandidates::Bounds => {
            each_near_pair(skin_a, skin_b, |a, b| pairs.push(pair_key(0, [a, b].map(usize::from))));
        }
        SkinCandidates::Hitboxes => {
            let (skin_a, joints_a, joints_b) = (a.skin()?, a.joints(), b.joints());
            if let (Some(table_a), Some(table_b)) = (skin_a.table(), skin_b.table()) {
                each_box_pair(a, b, &mut |found| {
                    pairs.extend(found.iter().filter_map(|&key| {
                        let [first, second] = boxes_of(key).map(usize::from);
                        Some(pair_key(0, [table_a.find(joints_a[first])?, table_b.find(joints_b[second])?]))
                    }));
                    true
                });
            }
            // Pieces are in the order of their joints.
            if !pairs.is_sorted_by(|one, next| one < next) {
                pairs.sort_unstable();
                pairs.dedup();
            }
        }
    }
    Ok(pairs)
}

/// Calls `then` with all pairs of pieces whose bounds overlap in this pose, in order.
pub(crate) fn each_near_pair(a: &PosedSkin, b: &PosedSkin, mut then: impl FnMut(u16, u16)) {
    let around_b = b.bounds();
    for first in 0..a.piece_count() {
        let bounds = a.reach_of(first);
        if !bounds.overlaps(&around_b) {
            continue;
        }
        for (block, lanes) in b.reach.iter().enumerate() {
            for lane in set_bits(kernels::near(a.kernel, &bounds, lanes)) {
                then(first as u16, (block * LANES + lane) as u16);
            }
        }
    }
}

/// Skins a pair of pieces and finds a place where they touch.
pub(crate) fn touch_of_pair(
    a: &mut PosedSkin,
    b: &mut PosedSkin,
    [piece_a, piece_b]: [usize; 2],
) -> Option<SkinOverlap> {
    let bounds_b = b.closest_bounds(piece_b);
    if !a.closest_bounds(piece_a).overlaps(&bounds_b) {
        return None;
    }
    let (near_a, near_b) = if a.is_complete(piece_a) && b.is_complete(piece_b) {
        (a.closest_bounds(piece_a), bounds_b)
    } else {
        skin_near_parts(a, b, [piece_a, piece_b])?
    };
    let mut near = std::mem::take(&mut a.near_chunks);
    let touch = match (a.piece_near(piece_a, &near_b), b.piece_near(piece_b, &near_a)) {
        (Some(piece_a), Some(piece_b)) => touch_of_parts((piece_a, &near_a), (piece_b, &near_b), &mut near),
        _ => None,
    };
    a.near_chunks = near;
    touch
}

/// Skins the parts of two pieces that may touch. Returns bounds around these parts of both; `None` if the pieces do not touch.
///
/// Each step looks only at the parts that may reach into the remaining parts of the other piece. The bounds of a
/// skinned part are closer than its bounds before, and often rule out the other piece before that piece is skinned. So
/// the piece with fewer points to skin comes first.
fn skin_near_parts(a: &mut PosedSkin, b: &mut PosedSkin, [piece_a, piece_b]: [usize; 2]) -> Option<(Bounds, Bounds)> {
    let (near_a, count_a) = a.near_parts(piece_a, &b.closest_bounds(piece_b))?;
    let (near_b, count_b) = b.near_parts(piece_b, &near_a)?;
    let (near_a, near_b) = if count_a <= count_b {
        let near_a = a.skin_near(piece_a, &near_b)?;
        (near_a, b.skin_near(piece_b, &near_a)?)
    } else {
        let near_b = b.skin_near(piece_b, &near_a)?;
        (a.skin_near(piece_a, &near_b)?, near_b)
    };
    near_a.overlaps(&near_b).then_some((near_a, near_b))
}

/// [`touch_of_parts`] of two pieces whose chunks all have bounds.
#[cfg(feature = "rayon")]
pub(crate) fn touch_of_pieces(
    a: (PieceView<'_>, &mut ChunkBlocks),
    b: (PieceView<'_>, &mut ChunkBlocks),
    near: &mut Vec<NearChunks>,
) -> Option<SkinOverlap> {
    let (bounds_a, bounds_b) = (a.0.bounds, b.0.bounds);
    if !bounds_a.overlaps(bounds_b) {
        return None;
    }
    touch_of_parts((a, bounds_a), (b, bounds_b), near)
}

/// A piece with its chunks in lanes, and bounds around the parts that matter. All chunks that reach into the bounds of the
/// other piece must have bounds.
type NearPiece<'a> = ((PieceView<'a>, &'a mut ChunkBlocks), &'a Bounds);

/// The first pair of triangles of two pieces that touch. Chunks, and the triangles in a chunk, are tested in the order
/// of the table. There is one exception: of the pairs that one call of [`kernels::near_chunks`] finds, the
/// [`DEEPEST_FIRST`] deepest pairs come first.
fn touch_of_parts(
    ((a, blocks_a), around_a): NearPiece<'_>,
    ((b, blocks_b), around_b): NearPiece<'_>,
    near: &mut Vec<NearChunks>,
) -> Option<SkinOverlap> {
    let chunks_a = ChunkBounds { around: around_a, blocks: &a.posed.chunks };
    let chunks_b = ChunkBounds { around: around_b, blocks: &b.posed.chunks };
    let mut from = 0;
    while from < chunks_a.blocks.len() * LANES {
        near.clear();
        from = kernels::near_chunks(a.kernel, chunks_a, chunks_b, from, near);
        for place in 0..near.len() {
            if place < DEEPEST_FIRST {
                bring_deepest_to_front(&mut near[place..]);
            }
            let [chunk_a, chunk_b] = [near[place].a as usize, near[place].b as usize];
            // A slab and bounds often rule out a missing chunk, and testing them takes less time than making the chunk.
            let (block_a, block_b);
            if blocks_b.has(chunk_b) && !blocks_a.has(chunk_a) {
                block_b = b.block(blocks_b, chunk_b);
                if block_b.slab_misses(&a.chunk_bounds(chunk_a)) {
                    continue;
                }
                block_a = a.block(blocks_a, chunk_a);
            } else {
                block_a = a.block(blocks_a, chunk_a);
                if !blocks_b.has(chunk_b) && block_a.slab_misses(&b.chunk_bounds(chunk_b)) {
                    continue;
                }
                block_b = b.block(blocks_b, chunk_b);
            }
            if let Some([lane_a, lane_b]) = kernels::first_touch(a.kernel, block_a, block_b) {
                let (triangle_a, triangle_b) = (a.triangle_at(chunk_a, lane_a), b.triangle_at(chunk_b, lane_b));
                return Some(SkinOverlap {
                    joint_a: a.table.joint,
                    joint_b: b.table.joint,
                    source_triangle_a: a.table.source_triangles[triangle_a],
                    source_triangle_b: b.table.source_triangles[triangle_b],
                    point: touching_point(&a.triangle(triangle_a), &b.triangle(triangle_b)),
                });
            }
        }
    }
    None
}

/// Swaps the first pair with the deepest pair; among equally deep pairs, with the earliest.
fn bring_deepest_to_front(near: &mut [NearChunks]) {
    let (mut deepest, mut depth) = (0, f32::NEG_INFINITY);
    for (place, pair) in near.iter().enumerate() {
        if pair.depth > depth {
            (deepest, depth) = (place, pair.depth);
        }
    }
    near.swap(0, deepest);
}
