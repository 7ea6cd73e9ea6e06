//! Times boxes fitted around points: by principal axes in space (feature `fit`) together with parry's, and in the
//! plane, where parry has no such function.

mod common;

use common::group;
use criterion::{Criterion, criterion_group, criterion_main};
use geometry_core::Obb;
use geometry_core::plane::Obb2;
use glam::{Vec2, Vec3};
use std::hint::black_box;
use test_models::Random;

fn space(criterion: &mut Criterion) {
    let mut random = Random::new(61);
    let turn = random.rotation();
    let points: Vec<Vec3> = (0..common::COUNT).map(|_| turn * (random.vector() * Vec3::new(3.0, 2.0, 1.0))).collect();
    let (ours, theirs) = (Obb::try_from_points(&points).expect("a box"), parry3d::utils::obb(&points));
    let volume = theirs.1.half_extents.element_product() * 8.0;
    assert!((ours.volume() / volume - 1.0).abs() < 1e-3, "{} {volume}", ours.volume());
    let mut group = group(criterion, "obb from_points");
    group.bench_function("ours", |b| b.iter(|| Obb::try_from_points(black_box(&points))));
    group.bench_function("parry", |b| b.iter(|| parry3d::utils::obb(black_box(&points))));
    group.finish();
}

fn plane(criterion: &mut Criterion) {
    let mut random = Random::new(62);
    let points: Vec<Vec2> = (0..common::COUNT).map(|_| random.vector().truncate() * Vec2::new(3.0, 1.0)).collect();
    let (pca, least) = (Obb2::try_from_points_pca(&points), Obb2::try_from_points_min_area(&points));
    assert!(least.expect("a rectangle").area() <= pca.expect("a rectangle").area());
    let mut group = group(criterion, "obb2 from_points");
    group.bench_function("pca", |b| b.iter(|| Obb2::try_from_points_pca(black_box(&points))));
    group.bench_function("min area", |b| b.iter(|| Obb2::try_from_points_min_area(black_box(&points))));
    group.finish();
}

criterion_group!(benches, space, plane);
criterion_main!(benches);
