//! Times tests of rectangles in the plane, together with parry2d's.

mod common;

use common::{COUNT, compare};
use criterion::{Criterion, criterion_group, criterion_main};
use geometry_core::plane::{Marquee, MarqueeEdges, MarqueeMode, Obb2, Ray2};
use glam::Vec2;
use parry2d::math::Pose;
use parry2d::query::details::intersection_test_cuboid_cuboid;
use parry2d::query::{PointQuery, RayCast, sat};
use parry2d::shape::Cuboid;
use test_models::Random;

type Rectangle = (Obb2, Pose, Cuboid);

fn rectangle(random: &mut Random, reach: f32) -> Rectangle {
    let center = random.vector().truncate() * reach;
    let half = Vec2::new(random.between(0.1, 1.0), random.between(0.1, 1.0));
    let angle = random.between(-3.0, 3.0);
    (Obb2::new(center, half, angle), Pose::new(center, angle), Cuboid::new(half))
}

fn overlaps(criterion: &mut Criterion) {
    let mut random = Random::new(51);
    for (scene, reach) in [("half", 0.8), ("far", 6.0)] {
        let pairs: Vec<(Rectangle, Rectangle)> =
            (0..COUNT).map(|_| (rectangle(&mut random, reach), rectangle(&mut random, reach))).collect();
        let ours = |(a, b): &(Rectangle, Rectangle)| a.0.overlaps(&b.0);
        let theirs = |(a, b): &(Rectangle, Rectangle)| intersection_test_cuboid_cuboid(&a.1.inv_mul(&b.1), &a.2, &b.2);
        compare(criterion, &format!("obb2_obb2 overlaps {scene}"), &pairs, 1, ours, theirs);
    }
}

fn rays(criterion: &mut Criterion) {
    let mut random = Random::new(52);
    let shots: Vec<(Rectangle, Ray2, parry2d::query::Ray)> = (0..COUNT)
        .map(|_| {
            let target = rectangle(&mut random, 3.0);
            let origin = random.vector().truncate() * 4.0;
            let direction = target.0.center() + random.vector().truncate() - origin;
            let ray = Ray2::try_new(origin, direction).expect("a ray");
            (target, ray, parry2d::query::Ray::new(origin, direction))
        })
        .collect();
    type Shot = (Rectangle, Ray2, parry2d::query::Ray);
    let ours = |(a, ray, _): &Shot| a.0.cast_ray(ray, 10.0).is_some_and(|hit| hit.entry < 5.0);
    let theirs = |(a, _, ray): &Shot| {
        a.2.cast_ray_and_get_normal(&a.1, ray, 10.0, true).is_some_and(|hit| hit.time_of_impact < 5.0)
    };
    compare(criterion, "obb2_ray cast", &shots, 1, ours, theirs);
}

fn selection(criterion: &mut Criterion) {
    let mut random = Random::new(53);
    let rectangles: Vec<Rectangle> = (0..COUNT).map(|_| rectangle(&mut random, 5.0)).collect();
    let drag = Marquee::try_drag(Vec2::new(3.0, 2.0), Vec2::new(-2.0, -3.0)).expect("finite");
    let (pose, cuboid) = (Pose::from_translation(drag.area().center()), Cuboid::new(drag.area().size() * 0.5));
    let ours = |a: &Rectangle| drag.selects(&a.0, MarqueeMode::Touch, MarqueeEdges::Closed);
    let theirs = |a: &Rectangle| intersection_test_cuboid_cuboid(&pose.inv_mul(&a.1), &cuboid, &a.2);
    compare(criterion, "marquee touch", &rectangles, 1, ours, theirs);
}

fn points(criterion: &mut Criterion) {
    let mut random = Random::new(54);
    let points: Vec<(Rectangle, Vec2)> = (0..COUNT)
        .map(|_| {
            let near = rectangle(&mut random, 3.0);
            let point = near.0.center() + random.vector().truncate() * 1.2;
            (near, point)
        })
        .collect();
    type Pair = (Rectangle, Vec2);
    let (ours, theirs) = (|(a, p): &Pair| a.0.contains(*p), |(a, p): &Pair| a.2.contains_point(&a.1, *p));
    compare(criterion, "obb2 contains", &points, 1, ours, theirs);
    let ours = |(a, p): &Pair| a.0.closest_point(*p).x > 0.0;
    let theirs = |(a, p): &Pair| a.2.project_point(&a.1, *p, true).point.x > 0.0;
    compare(criterion, "obb2 closest_point", &points, 1, ours, theirs);
    let ours = |(a, p): &Pair| a.0.distance(*p) > 0.1;
    let theirs = |(a, p): &Pair| a.2.distance_to_point(&a.1, *p, true) > 0.1;
    compare(criterion, "obb2 distance", &points, 1, ours, theirs);
    let ours = |(a, p): &Pair| a.0.overlaps_segment(*p, Vec2::ONE);
    let theirs = |(a, p): &Pair| a.2.intersects_ray(&a.1, &parry2d::query::Ray::new(*p, Vec2::ONE - *p), 1.0);
    compare(criterion, "obb2_segment overlaps", &points, 1, ours, theirs);
}

/// Times the minimum translation of rectangles that overlap.
fn ways_out(criterion: &mut Criterion) {
    let mut random = Random::new(55);
    let pairs: Vec<(Rectangle, Rectangle)> =
        (0..COUNT).map(|_| (rectangle(&mut random, 0.8), rectangle(&mut random, 0.8))).collect();
    let ours = |(a, b): &(Rectangle, Rectangle)| a.0.minimum_translation(&b.0).is_some_and(|way| way.length() > 0.2);
    // parry has no public function for this; its contacts use these two functions.
    let theirs = |(a, b): &(Rectangle, Rectangle)| {
        let (ab, ba) = (a.1.inv_mul(&b.1), b.1.inv_mul(&a.1));
        let gap_a = sat::cuboid_cuboid_find_local_separating_normal_oneway(&a.2, &b.2, &ab).0;
        let gap_b = sat::cuboid_cuboid_find_local_separating_normal_oneway(&b.2, &a.2, &ba).0;
        gap_a.max(gap_b) < -0.2
    };
    compare(criterion, "obb2_obb2 minimum_translation", &pairs, 2, ours, theirs);
}

criterion_group!(benches, overlaps, rays, selection, points, ways_out);
criterion_main!(benches);
