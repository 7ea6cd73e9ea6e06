//! The distance and the nearest points of two characters.

use super::box_distance::{beyond, box_distance, is_beyond_along};
use super::contact_points::Points;
use crate::Bounds;
use crate::kernels::layout::LANES;
use crate::kernels::set_bits::set_bits;
use crate::kernels::{self, Kernel};
use crate::pose::solid::Solid;
use crate::{BoxIndex, PosedCharacter};
use geometry_core::ShapeDistance;
use geometry_core::triangle::ClosestPoints;
use glam::Vec3;
use skeleton::JointIndex;

/// The two hitboxes of two characters that are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestHitboxes {
    /// The first character's hitbox.
    pub box_a: BoxIndex,
    /// The second character's hitbox.
    pub box_b: BoxIndex,
    /// The joint of `box_a`.
    pub joint_a: JointIndex,
    /// The joint of `box_b`.
    pub joint_b: JointIndex,
    /// The distance between the two hitboxes, in world units; 0 if they touch.
    pub distance: f32,
    /// The nearest point on the first character's hitbox, in world space. If the hitboxes touch, a point in their
    /// overlap, within the bounds of [`Contact::points`](crate::Contact::points).
    pub point_a: Vec3,
    /// The nearest point on the second character's hitbox, in world space. If the hitboxes touch, the same point as
    /// `point_a`.
    pub point_b: Vec3,
}

/// Finds the nearest hitboxes of two characters and their distance, up to `max_distance` in world units (`None`: any
/// distance). Returns `None` if the distance is larger, or if one of the characters has no boxes.
///
/// The answer is exact up to rounding. If several pairs have the same distance, the answer is the pair with the least
/// box indices.
///
/// The nearest points of two boxes that are apart are either a corner and a point of the other box, or points of two
/// edges. The function computes these in `f64`. It skips pairs of boxes whose bounds, or whose widest gap along one of
/// their 15 axes, are farther apart than the nearest pair found so far. [`geometry_core::DCapsule::separation`] defines
/// the distance from a capsule or a sphere, and [`geometry_core::PosedHull::distance`] the distance from a hull.
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use runtime::{Character, PosedCharacter, distance};
///
/// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
/// let (mut a, mut b) = (PosedCharacter::new(), PosedCharacter::new());
/// a.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
/// b.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::new(0.0, 4.0, 0.0)))?; // from 5 to 7, a from 1 to 3
/// let nearest = distance(&a, &b, None).unwrap();
/// assert_eq!((arm.joint_name(nearest.joint_a), arm.joint_name(nearest.joint_b)), ("fore", "upper"));
/// assert_eq!((nearest.distance, nearest.point_a.y, nearest.point_b.y), (2.0, 3.0, 5.0));
/// assert!(distance(&a, &b, 1.5).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn distance(
    a: &PosedCharacter,
    b: &PosedCharacter,
    max_distance: impl Into<Option<f32>>,
) -> Option<ClosestHitboxes> {
    let max_distance = max_distance.into().unwrap_or(f32::INFINITY);
    let kernel = a.kernel;
    // The pair with the nearest bounds is nearly always among the nearest pairs, so its distance limits the search.
    let first_guess = nearest_bounds(kernel, a, b, max_distance)?;
    let mut best: Option<(ClosestPoints, [usize; 2])> = None;
    let mut along = None;
    let mut reach = max_distance;
    let mut consider = |pair: [usize; 2], reach: &mut f32| {
        let (one, other) = (a.solid(pair[0]), b.solid(pair[1]));
        // Boxes beside the nearest boxes are nearly always farther apart than the reach, measured along the direction
        // between the nearest points.
        if let (Some(along), Solid::Box(a), Solid::Box(b)) = (along, &one, &other)
            && is_beyond_along(along, a, b, *reach)
        {
            return;
        }
        if let Some(found) = solid_distance(kernel, &one, &other, *reach)
            && best.is_none_or(|(best, of)| (found.distance, pair) < (best.distance, of))
        {
            *reach = found.distance;
            along = (found.point_b.as_dvec3() - found.point_a.as_dvec3()).try_normalize();
            best = Some((found, pair));
        }
    };
    consider(first_guess, &mut reach);
    each_pair_within(kernel, a, b, &mut reach, |pair, reach| {
        if pair != first_guess {
            consider(pair, reach);
        }
    });
    let (found, pair) = best?;
    let found = if found.distance == 0.0 { touching(kernel, &a.solid(pair[0]), &b.solid(pair[1])) } else { found };
    Some(ClosestHitboxes::new(a, b, pair, found))
}

impl ClosestHitboxes {
    fn new(a: &PosedCharacter, b: &PosedCharacter, boxes: [usize; 2], found: ClosestPoints) -> Self {
        let ClosestPoints { distance, point_a, point_b } = found;
        let [box_a, box_b] = boxes.map(|index| BoxIndex(index as u16));
        Self { box_a, box_b, joint_a: a.joint_of(box_a), joint_b: b.joint_of(box_b), distance, point_a, point_b }
    }
}

/// The two boxes whose bounds are nearest; if several pairs are equally near, the first. `None` if all are farther apart
/// than `max_distance`.
fn nearest_bounds(kernel: Kernel, a: &PosedCharacter, b: &PosedCharacter, max_distance: f32) -> Option<[usize; 2]> {
    let mut nearest = None;
    let mut reach = max_distance;
    let mut least = f32::INFINITY;
    each_pair_within(kernel, a, b, &mut reach, |pair, reach| {
        let gap = gap(&a.box_bounds(pair[0]), &b.box_bounds(pair[1]));
        if nearest.is_none() || gap < least {
            (nearest, least) = (Some(pair), gap);
            *reach = reach.min(gap);
        }
    });
    nearest
}

/// Calls `then` with all pairs of boxes whose bounds are at most `reach` apart, and with a few other pairs; `then` may reduce
/// `reach`.
fn each_pair_within(
    kernel: Kernel,
    a: &PosedCharacter,
    b: &PosedCharacter,
    reach: &mut f32,
    mut then: impl FnMut([usize; 2], &mut f32),
) {
    /// The number of blocks that are tested together.
    const CHUNK: usize = 4;
    // The bounds of a box are rounded to `f32`, each coordinate by half of this share at most. So along each of three axes, a
    // gap of bounds exceeds the gap of their boxes by at most this share of the largest coordinate.
    let largest = [&a.bounds, &b.bounds].map(|bounds| bounds.min.abs().max(bounds.max.abs()).max_element());
    let slack = 2.0 * f32::EPSILON * largest[0].max(largest[1]);
    for first in 0..a.records.len() {
        let bounds = a.box_bounds(first);
        if is_beyond(squared_gap(&bounds, &b.bounds), *reach + slack) {
            continue;
        }
        for (chunk, blocks) in b.blocks.chunks(CHUNK).enumerate() {
            let mut masks = [0; CHUNK];
            // The limit is a little above that of `is_beyond`, so that rounding loses no box; `is_beyond` decides below.
            let limit = *reach + slack;
            let limit = (limit * limit + f32::MIN_POSITIVE) * (1.0 + 64.0 * f32::EPSILON);
            kernels::lanes_within(kernel, &bounds, blocks, limit, &mut masks[..blocks.len()]);
            for (block, mask) in masks.into_iter().enumerate() {
                for lane in set_bits(mask) {
                    let second = (chunk * CHUNK + block) * LANES + lane;
                    // `then` may have reduced the reach.
                    let limit = *reach + slack;
                    if second < b.records.len() && !is_beyond(squared_gap(&bounds, &b.box_bounds(second)), limit) {
                        then([first, second], reach);
                    }
                }
            }
        }
    }
}

pub(crate) fn squared_gap(a: &Bounds, b: &Bounds) -> f32 {
    let apart = (a.min - b.max).max(b.min - a.max).max(Vec3::ZERO);
    apart.length_squared()
}

/// Returns `true` if the contents of two bounds with this squared gap are farther apart than `reach`, allowing for
/// rounding.
pub(crate) fn is_beyond(squared_gap: f32, reach: f32) -> bool {
    // The relative rounding error of squares that underflow is larger; then the smallest normal number decides.
    squared_gap * (1.0 - 32.0 * f32::EPSILON) > reach * reach + f32::MIN_POSITIVE || reach < 0.0
}

/// A lower limit of the distance between the contents of two bounds.
pub(crate) fn gap(a: &Bounds, b: &Bounds) -> f32 {
    // The square may underflow, which only makes the gap smaller, and its rounding error is less than this.
    squared_gap(a, b).sqrt() * (1.0 - 8.0 * f32::EPSILON)
}

/// The distance of two shapes; `None` if it is more than `reach`.
fn solid_distance(kernel: Kernel, a: &Solid<'_>, b: &Solid<'_>, reach: f32) -> Option<ClosestPoints> {
    let found = match a.distance(b, beyond(reach)) {
        Ok(found) => found?,
        Err([a, b]) => return box_distance(kernel, a, b, reach),
    };
    Some(rounded(&found)).filter(|found| found.distance <= reach)
}

/// The distance 0 of two shapes that touch, with a point in the middle of their overlap. The function is called for one pair only,
/// because this point takes many times the work of a distance.
fn touching(kernel: Kernel, a: &Solid<'_>, b: &Solid<'_>) -> ClosestPoints {
    match a.separation(b) {
        Ok(separation) => rounded(&separation.into()),
        Err([a, b]) => {
            let point = Points::of_boxes(a, b, &kernels::separation(kernel, a, b)).mean();
            ClosestPoints { distance: 0.0, point_a: point, point_b: point }
        }
    }
}

fn rounded(found: &ShapeDistance) -> ClosestPoints {
    let [point_a, point_b] = [found.point_a, found.point_b].map(|point| point.as_vec3());
    ClosestPoints { distance: found.distance as f32, point_a, point_b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baked_characters::{baked_figure, with_hulls};
    use geometry_core::Obb;
    use geometry_core::tolerances::POINT_TOLERANCE;
    use glam::{Affine3A, Quat};
    use proptest::prelude::*;
    use test_models::Random;

    /// The distance by testing all pairs of hitboxes, with the depths of those that overlap; the first of the nearest pairs.
    fn by_looking_at_all(a: &PosedCharacter, b: &PosedCharacter, max_distance: f32) -> Option<ClosestHitboxes> {
        let mut best: Option<ClosestHitboxes> = None;
        for first in 0..a.boxes().len() {
            for second in 0..b.boxes().len() {
                let (one, other) = (a.solid(first), b.solid(second));
                let mut found = solid_distance(Kernel::Scalar, &one, &other, f32::INFINITY).unwrap();
                if found.distance == 0.0 {
                    found = touching(Kernel::Scalar, &one, &other);
                }
                if found.distance <= max_distance && best.is_none_or(|best| found.distance < best.distance) {
                    best = Some(ClosestHitboxes::new(a, b, [first, second], found));
                }
            }
        }
        best
    }

    /// The point of boxes that touch is in both. The distance of boxes that do not touch is that of their points.
    #[test]
    fn boxes_that_touch_share_the_point() {
        let mut random = Random::new(14);
        let mut touches = 0;
        for _ in 0..20_000 {
            let [a, b] =
                random.unkind_pair().map(|one| Obb::from_orientation(one.center, one.half_extents, one.orientation));
            let solids = [a, b].map(Solid::Box);
            let mut found = solid_distance(Kernel::Scalar, &solids[0], &solids[1], f32::INFINITY).unwrap();
            assert_eq!(found.distance == 0.0, a.overlaps(&b), "{a:?} and {b:?}");
            if found.distance == 0.0 {
                found = touching(Kernel::Scalar, &solids[0], &solids[1]);
                touches += 1;
            }
            let ClosestPoints { distance, point_a, point_b } = found;
            let largest = point_a.abs().max(a.center().abs()).max(b.center().abs()).max_element();
            let bound = POINT_TOLERANCE * (a.extent_sum() + b.extent_sum()) + 2.0 * f32::EPSILON * largest;
            assert!((point_a.distance(point_b) - distance).abs() <= 2.0 * bound, "{found:?} of {a:?} and {b:?}");
            assert!(a.distance(point_a) <= bound && b.distance(point_b) <= bound, "{found:?} of {a:?} and {b:?}");
        }
        assert!(touches > 8000, "{touches}");
    }

    /// The bounds of boxes far from the origin are rounded by more than the boxes are apart.
    #[test]
    fn a_limit_that_is_the_distance_finds_it() {
        let figure = crate::Character::from_baked(baked_figure("figure"));
        let (mut a, mut b) = (PosedCharacter::new(), PosedCharacter::new());
        let mut random = Random::new(2);
        let mut apart = 0;
        for _ in 0..600 {
            let matrix = Affine3A::from_translation(random.vector() * *random.pick(&[1.0, 1e3, 1e6]));
            let step = Affine3A::from_translation(*random.pick(&Vec3::AXES) * random.between(2.0, 3.0));
            a.pose_from_rest(&figure, &matrix).unwrap();
            b.pose_from_rest(&figure, &(matrix * step)).unwrap();
            let found = distance(&a, &b, None);
            apart += usize::from(found.unwrap().distance > 0.0);
            assert_eq!(distance(&a, &b, found.unwrap().distance), found);
        }
        assert!(apart > 300, "{apart}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn is_the_first_of_the_least_of_all(
            at in prop::array::uniform3(prop_oneof![-3f32..3.0, Just(0.0), -0.3f32..0.3]),
            turn in prop::array::uniform4(-1f32..1.0),
            scale in prop_oneof![4 => Just(1.0f32), 1 => Just(1e-6), 1 => Just(1e5)],
            offset in prop_oneof![3 => Just(0.0f32), 1 => Just(1000.0)],
            share in 0f32..2.0,
            has_hulls in any::<bool>(),
        ) {
            let baked = baked_figure("figure");
            let figure = crate::Character::from_baked(if has_hulls { with_hulls(baked) } else { baked });
            let (mut a, mut b) = (PosedCharacter::new(), PosedCharacter::new());
            let turn = Quat::from_array(turn).normalize();
            prop_assume!(turn.is_finite());
            let place = |turn, at: Vec3| Affine3A::from_scale_rotation_translation(Vec3::splat(scale), turn, (at + offset) * scale);
            a.pose_from_rest(&figure, &place(Quat::IDENTITY, Vec3::ZERO)).unwrap();
            b.pose_from_rest(&figure, &place(turn, at.into())).unwrap();
            let all = by_looking_at_all(&a, &b, f32::INFINITY);
            prop_assert_eq!(distance(&a, &b, f32::INFINITY), all);
            prop_assert_eq!(distance(&a, &b, all.unwrap().distance), all, "with the found distance as the limit");
            let max_distance = all.unwrap().distance * share;
            prop_assert_eq!(distance(&a, &b, max_distance), by_looking_at_all(&a, &b, max_distance));
        }
    }
}
