//! Times tests of oriented boxes against points, spheres, capsules, planes, triangles and frusta, together with
//! parry's.

mod common;

use common::{Both, COUNT, compare};
use criterion::{Criterion, criterion_group, criterion_main};
use geometry_core::{Capsule, Frustum, Plane, PlaneSide, Sphere, Triangle};
use glam::Vec3;
use parry3d::math::Pose;
use parry3d::query::PointQuery;
use parry3d::query::details::{
    distance_support_map_support_map, intersection_test_ball_point_query, intersection_test_cuboid_triangle,
    intersection_test_halfspace_support_map, intersection_test_support_map_support_map,
};
use parry3d::shape::{self, Ball, ConvexPolyhedron, HalfSpace};
use test_models::Random;

/// Makes boxes, each with another shape near it.
fn scene<T>(seed: u64, mut make: impl FnMut(&mut Random, &Both) -> T) -> Vec<(Both, T)> {
    let mut random = Random::new(seed);
    (0..COUNT)
        .map(|_| {
            let center = random.vector() * 5.0;
            let boxed = Both::random(&mut random, center);
            let other = make(&mut random, &boxed);
            (boxed, other)
        })
        .collect()
}

fn points_and_balls(criterion: &mut Criterion) {
    let points = scene(21, |random, a| a.obb.center() + random.vector() * 0.5);
    compare(
        criterion,
        "obb contains",
        &points,
        1,
        |(a, p)| a.obb.contains(*p),
        |(a, p)| a.cuboid.contains_point(&a.pose, *p),
    );
    compare(
        criterion,
        "obb closest_point",
        &points,
        1,
        |(a, p)| a.obb.closest_point(*p).x > 0.0,
        |(a, p)| a.cuboid.project_point(&a.pose, *p, true).point.x > 0.0,
    );
    compare(
        criterion,
        "obb distance",
        &points,
        1,
        |(a, p)| a.obb.distance(*p) > 0.1,
        |(a, p)| a.cuboid.distance_to_point(&a.pose, *p, true) > 0.1,
    );
    let balls = scene(22, |random, a| {
        Sphere::try_new(a.obb.center() + random.vector() * 0.8, random.between(0.05, 0.5)).expect("a ball")
    });
    compare(
        criterion,
        "obb_sphere overlaps",
        &balls,
        1,
        |(a, ball)| a.obb.overlaps_sphere(ball),
        |(a, ball)| {
            let pose = Pose::from_translation(ball.center()).inv_mul(&a.pose);
            intersection_test_ball_point_query(&pose, &Ball::new(ball.radius()), &a.cuboid).intersecting
        },
    );
}

fn capsules(criterion: &mut Criterion) {
    let capsules = scene(23, |random, a| {
        let start = a.obb.center() + random.vector() * 0.8;
        let capsule =
            Capsule::try_new(start, start + random.vector() * 0.8, random.between(0.05, 0.3)).expect("a capsule");
        (capsule, shape::Capsule::new(capsule.segment().start(), capsule.segment().end(), capsule.radius()))
    });
    compare(
        criterion,
        "obb_capsule overlaps",
        &capsules,
        2,
        |(a, (capsule, _))| a.obb.overlaps_capsule(capsule),
        |(a, (_, capsule))| intersection_test_support_map_support_map(&a.pose.inverse(), &a.cuboid, capsule),
    );
    compare(
        criterion,
        "obb_segment distance",
        &capsules,
        4,
        |(a, (capsule, _))| a.obb.distance_to_segment(&capsule.segment()) > 0.1,
        |(a, (_, capsule))| distance_support_map_support_map(&a.pose.inverse(), &a.cuboid, &capsule.segment) > 0.1,
    );
}

fn planes(criterion: &mut Criterion) {
    let planes = scene(24, |random, a| {
        Plane::try_from_point_normal(a.obb.center() + random.vector() * 0.5, random.direction()).expect("a plane")
    });
    compare(
        criterion,
        "obb_plane side",
        &planes,
        1,
        |(a, plane)| a.obb.side_of_plane(plane) != PlaneSide::Front,
        |(a, plane)| {
            let pose = Pose::from_translation(plane.normal() * plane.distance()).inv_mul(&a.pose);
            intersection_test_halfspace_support_map(&pose, &HalfSpace::new(plane.normal()), &a.cuboid)
        },
    );
}

fn triangles(criterion: &mut Criterion) {
    let triangles = scene(25, |random, a| {
        let mut corner = || a.obb.center() + random.vector() * 0.9;
        let (p, q, r) = (corner(), corner(), corner());
        (Triangle::try_new(p, q, r).expect("a triangle"), shape::Triangle::new(p, q, r))
    });
    compare(
        criterion,
        "obb_triangle overlaps",
        &triangles,
        2,
        |(a, (triangle, _))| a.obb.overlaps_triangle(triangle),
        |(a, (_, triangle))| intersection_test_cuboid_triangle(&a.pose.inverse(), &a.cuboid, triangle),
    );
}

fn frusta(criterion: &mut Criterion) {
    let frusta = scene(26, |random, a| {
        let (turn, place) = (random.rotation(), a.obb.center() + random.vector() * 3.0);
        let corners: [Vec3; 8] = core::array::from_fn(|k| {
            let side = |bit: usize| if k & bit == 0 { -1.0 } else { 1.0 };
            let spread = if k & 4 == 0 { 0.1 } else { 2.0 };
            place + turn * Vec3::new(side(1) * spread, side(2) * spread * 0.6, side(4) * 2.0)
        });
        let frustum = Frustum::try_from_corners(corners).expect("a frustum");
        (frustum, ConvexPolyhedron::from_convex_hull(&corners).expect("a solid"))
    });
    compare(
        criterion,
        "obb_frustum overlaps",
        &frusta,
        2,
        |(a, (frustum, _))| a.obb.overlaps_frustum(frustum),
        |(a, (_, frustum))| intersection_test_support_map_support_map(&a.pose.inverse(), &a.cuboid, frustum),
    );
}

criterion_group!(benches, points_and_balls, capsules, planes, triangles, frusta);
criterion_main!(benches);
