//! Times tests of moving boxes, straight and turning, together with parry's.

mod common;

use common::{Both, assert_alike, compare, count, group, pairs, turn};
use criterion::{Criterion, criterion_group, criterion_main};
use geometry_core::{Aabb, Obb, ObbMotion};
use glam::Vec3;
use parry3d::query::{NonlinearRigidMotion, ShapeCastOptions, cast_shapes, cast_shapes_nonlinear};
use std::hint::black_box;
use test_models::Random;

struct Motion {
    a: Both,
    b: Both,
    aabbs: [Aabb; 2],
    parry_aabbs: [parry3d::bounding_volume::Aabb; 2],
    velocity: Vec3,
    turning: ObbMotion,
    parry_turning: NonlinearRigidMotion,
}

fn motions() -> Vec<Motion> {
    let mut random = Random::new(41);
    pairs(42, 1.2, 4.0)
        .into_iter()
        .map(|(a, b)| {
            let velocity = (a.obb.center() - b.obb.center()) * 1.5 + random.vector();
            let (axis, angle) = (random.direction(), random.between(0.2, 2.0));
            let turned = (turn(axis, angle) * b.pose.rotation).normalize();
            let end = Both::new(b.obb.center() + velocity, b.obb.half_extents(), turned);
            let aabbs = [a.obb.aabb(), b.obb.aabb()];
            Motion {
                a,
                b,
                aabbs,
                parry_aabbs: aabbs.map(|aabb| parry3d::bounding_volume::Aabb::new(aabb.min, aabb.max)),
                velocity,
                turning: ObbMotion::between(&b.obb, &end.obb),
                parry_turning: NonlinearRigidMotion::new(b.pose, Vec3::ZERO, velocity, axis * angle),
            }
        })
        .collect()
}

fn straight(criterion: &mut Criterion) {
    let motions = motions();
    let ours = |m: &Motion| m.a.obb.overlap_times(Vec3::ZERO, &m.b.obb, m.velocity).is_some_and(|hit| hit.enter <= 1.0);
    let theirs = |m: &Motion| {
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        cast_shapes(&m.a.pose, Vec3::ZERO, &m.a.cuboid, &m.b.pose, m.velocity, &m.b.cuboid, options)
            .expect("supported")
            .is_some()
    };
    compare(criterion, "moving obb straight", &motions, 8, ours, theirs);
}

/// parry's test says whether the boxes touch, not when.
fn aligned(criterion: &mut Criterion) {
    let motions = motions();
    let ours =
        |m: &Motion| m.aabbs[0].overlap_times(Vec3::ZERO, &m.aabbs[1], m.velocity).is_some_and(|hit| hit.enter <= 1.0);
    let theirs = |m: &Motion| m.parry_aabbs[0].intersects_moving_aabb(&m.parry_aabbs[1], m.velocity);
    compare(criterion, "moving aabb", &motions, 2, ours, theirs);
}

fn turning(criterion: &mut Criterion) {
    let motions = motions();
    let ours = |m: &Motion| Obb::first_contact(&ObbMotion::still(&m.a.obb), &m.turning, 1e-4).is_some();
    let theirs = |m: &Motion| {
        let still = NonlinearRigidMotion::constant_position(m.a.pose);
        cast_shapes_nonlinear(&still, &m.a.cuboid, &m.parry_turning, &m.b.cuboid, 0.0, 1.0, true)
            .expect("supported")
            .is_some()
    };
    let (found, parry) = (count(&motions, ours), count(&motions, theirs));
    // The counts may differ by grazing contacts within the tolerance, and by cases in which parry's search gives up.
    assert_alike(found, parry, 40);
    let mut group = group(criterion, "moving obb turning");
    group.bench_function("ours", |b| b.iter(|| count(black_box(&motions), ours)));
    group.bench_function("parry", |b| b.iter(|| count(black_box(&motions), theirs)));
    group.finish();
}

criterion_group!(benches, straight, aligned, turning);
criterion_main!(benches);
