//! Measures the overlaps, contacts and distances of two characters of 24 boxes. The characters are in close contact, or
//! apart, or their bounds touch and none of their boxes do.

mod common;
use baked_characters::baked_figure;
use common::{Placed, by_kernel, place};
use glam::Quat;
use paired_timing::Turns;
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use runtime::{Character, PosedCharacter, contacts, distance, kernels::Kernel, overlapping_joints};
use std::hint::black_box;

fn in_parry(posed: &PosedCharacter) -> Vec<Placed> {
    posed.boxes().map(|one| Placed::new(one.center, one.half_extents, Quat::from_mat3(&one.axes).normalize())).collect()
}

fn main() {
    let character = Character::from_baked(baked_figure("figure"));
    let a = place(&character, 0.0, 0.0, 0.3);
    for (name, x, turn) in [("in close contact", 0.3, -1.2), ("bounds touch", 0.72, -1.2), ("apart", 3.0, 0.0)] {
        let b = place(&character, x, turn, 0.8);
        let (pa, pb) = (in_parry(&a), in_parry(&b));
        let count = || pa.iter().map(|a| pb.iter().filter(|b| a.touches_in_parry(b)).count()).sum::<usize>();
        let mut behind_bounds = BehindBounds::new(&pa, &pb);
        let mut pairs = Vec::new();
        overlapping_joints(&a, &b, &mut pairs);
        let expected = pairs.len();
        assert!(expected.abs_diff(count()) <= 1, "parry disagrees: {expected} and {}", count());
        assert_eq!(a.bounds().overlaps(&b.bounds()), x < 1.0);
        // Each run repeats the work, because the clock is too coarse for a single test of two characters.
        let mut turns = Turns::new("character_pair", name).items(20.0, "pair of characters");
        turns.peer("parry3d behind bounds", || {
            (0..20).for_each(|_| assert!(black_box(behind_bounds.count()).abs_diff(expected) <= 1));
        });
        turns.peer("parry3d, 576 tests", || (0..20).for_each(|_| assert!(black_box(count()).abs_diff(expected) <= 1)));
        for kernel in Kernel::available() {
            let (a, b, mut pairs) = (by_kernel(&a, kernel), &b, Vec::new());
            turns.ours(format!("{kernel:?}"), move || {
                for _ in 0..20 {
                    overlapping_joints(black_box(&a), black_box(b), &mut pairs);
                    assert_eq!(pairs.len(), expected);
                }
            });
        }
        turns.run();
    }
    contact_points(&character);
    distances(&character);
}

/// parry3d as a careful programmer uses it: boxes are culled by the bounds of the other character, pairs of boxes by their
/// bounds. The bounds are made before, as those of a posed character are.
struct BehindBounds<'a> {
    boxes: [&'a [Placed]; 2],
    bounds: [Vec<Aabb>; 2],
    around: [Aabb; 2],
    near: [Vec<usize>; 2],
}

impl<'a> BehindBounds<'a> {
    fn new(a: &'a [Placed], b: &'a [Placed]) -> Self {
        let boxes = [a, b];
        let bounds = boxes.map(|boxes| boxes.iter().map(|one| one.cuboid.aabb(&one.pose)).collect::<Vec<_>>());
        let around =
            bounds.each_ref().map(|bounds| bounds.iter().fold(Aabb::new_invalid(), |around, one| around.merged(one)));
        Self { boxes, bounds, around, near: [Vec::new(), Vec::new()] }
    }

    /// The number of pairs of boxes that overlap.
    fn count(&mut self) -> usize {
        let Self { boxes, bounds, around, near } = self;
        if !around[0].intersects(&around[1]) {
            return 0;
        }
        for side in [0, 1] {
            let other = &around[1 - side];
            near[side].clear();
            near[side].extend((0..bounds[side].len()).filter(|&index| bounds[side][index].intersects(other)));
        }
        let touch =
            |&a: &usize, b: usize| bounds[0][a].intersects(&bounds[1][b]) && boxes[0][a].touches_in_parry(&boxes[1][b]);
        near[0].iter().map(|a| near[1].iter().filter(|&&b| touch(a, b)).count()).sum()
    }
}

/// Measures contacts. parry computes a contact for each pair whose bounds overlap, with one point; a contact of ours has up
/// to nine points.
fn contact_points(character: &Character) {
    let (a, b) = (place(character, 0.0, 0.0, 0.3), place(character, 0.3, -1.2, 0.8));
    let (pa, pb) = (in_parry(&a), in_parry(&b));
    let aabbs = |boxes: &[Placed]| boxes.iter().map(|one| one.cuboid.aabb(&one.pose)).collect::<Vec<_>>();
    let (aabbs_a, aabbs_b) = (aabbs(&pa), aabbs(&pb));
    let mut found = Vec::new();
    contacts(&a, &b, &mut found);
    let expected = found.len();
    let mut turns = Turns::new("character_pair", "contacts in close contact").items(20.0, "pair of characters");
    turns.peer("parry3d, pairs whose bounds overlap", || {
        for _ in 0..20 {
            let mut count = 0;
            for (a, aabb_a) in black_box(&pa).iter().zip(&aabbs_a) {
                for (b, aabb_b) in pb.iter().zip(&aabbs_b) {
                    let near = aabb_a.intersects(aabb_b);
                    let contact = || parry3d::query::contact(&a.pose, &a.cuboid, &b.pose, &b.cuboid, 0.0);
                    count += usize::from(near && contact().is_ok_and(|contact| contact.is_some()));
                }
            }
            assert!(count.abs_diff(expected) <= 1, "{count} and {expected}");
        }
    });
    for kernel in Kernel::available() {
        let (a, b, mut found) = (by_kernel(&a, kernel), &b, Vec::new());
        turns.ours(format!("{kernel:?}"), move || {
            for _ in 0..20 {
                contacts(black_box(&a), black_box(b), &mut found);
                assert_eq!(found.len(), expected);
            }
        });
    }
    turns.run();
}

/// Measures distances. parry computes the distance of each pair whose bounds are not farther apart than the nearest pair so
/// far.
fn distances(character: &Character) {
    let (a, b) = (place(character, 0.0, 0.0, 0.3), place(character, 1.5, -1.2, 0.8));
    let (pa, pb) = (in_parry(&a), in_parry(&b));
    let aabbs = |boxes: &[Placed]| boxes.iter().map(|one| one.cuboid.aabb(&one.pose)).collect::<Vec<_>>();
    let (aabbs_a, aabbs_b) = (aabbs(&pa), aabbs(&pb));
    let expected = distance(&a, &b, None).expect("boxes").distance;
    let mut turns = Turns::new("character_pair", "distance, 1.5 apart").items(20.0, "pair of characters");
    turns.peer("parry3d, pairs whose bounds are near", || {
        for _ in 0..20 {
            let mut least = f32::MAX;
            for (a, aabb_a) in black_box(&pa).iter().zip(&aabbs_a) {
                for (b, aabb_b) in pb.iter().zip(&aabbs_b) {
                    let apart = (aabb_a.mins - aabb_b.maxs).max(aabb_b.mins - aabb_a.maxs).max(glam::Vec3::ZERO);
                    if apart.length_squared() < least * least {
                        let found = parry3d::query::distance(&a.pose, &a.cuboid, &b.pose, &b.cuboid);
                        least = least.min(found.expect("supported").distance);
                    }
                }
            }
            assert!((least - expected).abs() < 1e-3, "{least} and {expected}");
        }
    });
    for kernel in Kernel::available() {
        let (a, b) = (by_kernel(&a, kernel), &b);
        turns.ours(format!("{kernel:?}"), move || {
            for _ in 0..20 {
                assert!(distance(black_box(&a), black_box(b), None).is_some_and(|found| found.distance == expected));
            }
        });
    }
    turns.run();
}
