//! Times tests of axis-aligned boxes against points and boxes, in space and in the plane, together with parry's.

mod common;

use common::{Both, COUNT, compare};
use criterion::{Criterion, criterion_group, criterion_main};
use geometry_core::Aabb;
use geometry_core::plane::Aabb2;
use glam::{Vec2, Vec3};
use parry3d::bounding_volume::BoundingVolume;
use parry3d::query::PointQuery;
use test_models::Random;

struct Solid {
    ours: [Aabb; 2],
    parry: [parry3d::bounding_volume::Aabb; 2],
    point: Vec3,
}

fn space(criterion: &mut Criterion) {
    let mut random = Random::new(71);
    let scene: Vec<Solid> = (0..COUNT)
        .map(|_| {
            let center = random.vector() * 3.0;
            let (large, small) = (Both::random(&mut random, center), Both::random(&mut random, center));
            let nudge = random.vector() * 0.2;
            let ours =
                [large.obb.aabb().grown(0.2), Aabb::new(small.obb.aabb().min + nudge, small.obb.aabb().max + nudge)];
            let parry = ours.map(|aabb| parry3d::bounding_volume::Aabb::new(aabb.min, aabb.max));
            Solid { ours, parry, point: center + random.vector() * 0.8 }
        })
        .collect();
    let (ours, theirs) =
        (|s: &Solid| s.ours[0].contains(s.point), |s: &Solid| s.parry[0].contains_local_point(s.point));
    compare(criterion, "aabb contains", &scene, 0, ours, theirs);
    let ours = |s: &Solid| s.ours[0].closest_point(s.point).x > 0.0;
    let theirs = |s: &Solid| s.parry[0].project_local_point(s.point, true).point.x > 0.0;
    compare(criterion, "aabb closest_point", &scene, 0, ours, theirs);
    let ours = |s: &Solid| s.ours[0].distance(s.point) > 0.1;
    let theirs = |s: &Solid| s.parry[0].distance_to_local_point(s.point, true) > 0.1;
    compare(criterion, "aabb distance", &scene, 0, ours, theirs);
    let (ours, theirs) =
        (|s: &Solid| s.ours[0].contains_aabb(&s.ours[1]), |s: &Solid| s.parry[0].contains(&s.parry[1]));
    compare(criterion, "aabb contains_aabb", &scene, 0, ours, theirs);
    let ours = |s: &Solid| !s.ours[0].intersection(&s.ours[1]).is_empty();
    let theirs = |s: &Solid| s.parry[0].intersection(&s.parry[1]).is_some();
    compare(criterion, "aabb intersection", &scene, 0, ours, theirs);
    let ours = |s: &Solid| s.ours[0].union(&s.ours[1]).max.x > 0.0;
    let theirs = |s: &Solid| s.parry[0].merged(&s.parry[1]).maxs.x > 0.0;
    compare(criterion, "aabb union", &scene, 0, ours, theirs);
}

struct Flat {
    ours: [Aabb2; 2],
    parry: [parry2d::bounding_volume::Aabb; 2],
    point: Vec2,
}

fn plane(criterion: &mut Criterion) {
    use parry2d::bounding_volume::BoundingVolume;
    use parry2d::query::PointQuery;
    let mut random = Random::new(72);
    let scene: Vec<Flat> = (0..COUNT)
        .map(|_| {
            let mut one = |size: f32| {
                let (center, half) = (random.vector().truncate(), random.vector().truncate().abs() * size);
                Aabb2::new(center - half, center + half)
            };
            let ours = [one(1.0), one(0.4)];
            let parry = ours.map(|aabb| parry2d::bounding_volume::Aabb::new(aabb.min, aabb.max));
            Flat { ours, parry, point: random.vector().truncate() * 1.5 }
        })
        .collect();
    let (ours, theirs) = (|s: &Flat| s.ours[0].overlaps(&s.ours[1]), |s: &Flat| s.parry[0].intersects(&s.parry[1]));
    compare(criterion, "aabb2_aabb2 overlaps", &scene, 0, ours, theirs);
    let (ours, theirs) = (|s: &Flat| s.ours[0].contains(s.point), |s: &Flat| s.parry[0].contains_local_point(s.point));
    compare(criterion, "aabb2 contains", &scene, 0, ours, theirs);
    let ours = |s: &Flat| s.ours[0].closest_point(s.point).x > 0.0;
    let theirs = |s: &Flat| s.parry[0].project_local_point(s.point, true).point.x > 0.0;
    compare(criterion, "aabb2 closest_point", &scene, 0, ours, theirs);
    let (ours, theirs) = (|s: &Flat| s.ours[0].contains_aabb(&s.ours[1]), |s: &Flat| s.parry[0].contains(&s.parry[1]));
    compare(criterion, "aabb2 contains_aabb", &scene, 0, ours, theirs);
}

criterion_group!(benches, space, plane);
criterion_main!(benches);
