//! Times tests of oriented boxes against axis-aligned boxes, of axis-aligned boxes against each other, and of their
//! images, together with parry's.

mod common;

use common::{Both, compare, pairs};
use criterion::{Criterion, criterion_group, criterion_main};
use geometry_core::Aabb;
use glam::{Affine3A, Quat};
use parry3d::bounding_volume::BoundingVolume;
use parry3d::math::Pose;
use parry3d::query::details::intersection_test_cuboid_cuboid;
use parry3d::shape::Cuboid;
use test_models::Random;

fn obb_aabb(criterion: &mut Criterion) {
    for (scene, low, high) in [("half", 0.0, 1.2), ("far", 1.5, 5.0)] {
        let pairs: Vec<(Both, Aabb)> = pairs(11, low, high)
            .into_iter()
            .map(|(a, b)| (a, Aabb::try_from_center(b.obb.center(), b.obb.half_extents()).expect("a box")))
            .collect();
        let ours = |(a, b): &(Both, Aabb)| a.obb.overlaps_aabb(b);
        let theirs = |(a, b): &(Both, Aabb)| {
            let pose = a.pose.inv_mul(&Pose::from_translation(b.center()));
            intersection_test_cuboid_cuboid(&pose, &a.cuboid, &Cuboid::new(b.half_extents()))
        };
        compare(criterion, &format!("obb_aabb overlaps {scene}"), &pairs, 1, ours, theirs);
    }
}

fn aabb_aabb(criterion: &mut Criterion) {
    let pairs: Vec<_> = pairs(12, 0.0, 1.5)
        .into_iter()
        .map(|(a, b)| {
            let (a, b) = (a.obb.aabb(), b.obb.aabb());
            let parry = |aabb: &Aabb| parry3d::bounding_volume::Aabb::new(aabb.min, aabb.max);
            (a, b, parry(&a), parry(&b))
        })
        .collect();
    type Pairs = (Aabb, Aabb, parry3d::bounding_volume::Aabb, parry3d::bounding_volume::Aabb);
    let ours = |(a, b, ..): &Pairs| a.overlaps(b);
    let theirs = |(.., a, b): &Pairs| a.intersects(b);
    compare(criterion, "aabb_aabb overlaps", &pairs, 0, ours, theirs);

    let mut random = Random::new(13);
    let moves: Vec<(Pairs, Quat, Affine3A, Pose)> = pairs
        .iter()
        .map(|pair| {
            let (turn, shift) = (random.rotation(), random.vector() * 5.0);
            (*pair, turn, Affine3A::from_rotation_translation(turn, shift), Pose::from_parts(shift, turn))
        })
        .collect();
    let ours = |(pair, _, map, _): &(Pairs, Quat, Affine3A, Pose)| pair.0.transformed(map).max.x > 1.0;
    let theirs = |(pair, _, _, pose): &(Pairs, Quat, Affine3A, Pose)| pair.2.transform_by(pose).maxs.x > 1.0;
    compare(criterion, "aabb transformed", &moves, 1, ours, theirs);
}

criterion_group!(benches, obb_aabb, aabb_aabb);
criterion_main!(benches);
