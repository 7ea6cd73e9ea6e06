//! Times rays and segments against boxes, together with parry's.

mod common;

use common::{Both, COUNT, compare};
use criterion::{Criterion, criterion_group, criterion_main};
use geometry_core::{Aabb, Ray, Segment};
use parry3d::query::RayCast;
use test_models::Random;

type Shot = (Both, Ray, parry3d::query::Ray, Segment);

fn shots() -> Vec<Shot> {
    let mut random = Random::new(31);
    (0..COUNT)
        .map(|_| {
            let center = random.vector() * 5.0;
            let target = Both::random(&mut random, center);
            let origin = center + random.direction() * random.between(0.0, 4.0);
            let direction = center + random.vector() * 0.6 - origin;
            let ray = Ray::try_new(origin, direction).expect("a ray");
            let segment = Segment::try_new(origin, origin + direction * 1.2).expect("a segment");
            (target, ray, parry3d::query::Ray::new(origin, direction), segment)
        })
        .collect()
}

fn rays(criterion: &mut Criterion) {
    let shots = shots();
    let ours = |(a, ray, ..): &Shot| a.obb.cast_ray(ray, 10.0).is_some_and(|hit| hit.entry < 5.0);
    let theirs = |(a, _, ray, _): &Shot| {
        a.cuboid.cast_ray_and_get_normal(&a.pose, ray, 10.0, true).is_some_and(|hit| hit.time_of_impact < 5.0)
    };
    compare(criterion, "obb_ray cast", &shots, 1, ours, theirs);

    let ours = |(a, .., segment): &Shot| a.obb.overlaps_segment(segment);
    let theirs = |(a, _, ray, _): &Shot| a.cuboid.intersects_ray(&a.pose, ray, 1.2);
    compare(criterion, "obb_segment overlaps", &shots, 1, ours, theirs);

    let aligned: Vec<(Aabb, parry3d::bounding_volume::Aabb, Shot)> = shots
        .iter()
        .map(|shot| {
            let aabb = shot.0.obb.aabb();
            (aabb, parry3d::bounding_volume::Aabb::new(aabb.min, aabb.max), *shot)
        })
        .collect();
    type Aligned = (Aabb, parry3d::bounding_volume::Aabb, Shot);
    let ours = |(a, _, shot): &Aligned| a.cast_ray(&shot.1, 10.0).is_some_and(|hit| hit.entry < 5.0);
    let theirs = |(_, a, shot): &Aligned| {
        a.cast_local_ray_and_get_normal(&shot.2, 10.0, true).is_some_and(|hit| hit.time_of_impact < 5.0)
    };
    compare(criterion, "aabb_ray cast", &aligned, 1, ours, theirs);
}

criterion_group!(benches, rays);
criterion_main!(benches);
