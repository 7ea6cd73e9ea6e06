//! Made-up shapes for the benches, the same in every run, and shared settings.
#![allow(dead_code, reason = "each bench uses a part")]

use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};
use geometry_core::Obb;
use glam::{Quat, Vec3};
use paired_timing::Turns;
use parry3d::math::Pose;
use parry3d::shape::Cuboid;
use std::hint::black_box;
use std::time::Duration;
use test_models::Random;

/// The number of shapes or pairs in one iteration.
pub(crate) const COUNT: usize = 1024;

/// Returns the turn by an angle in radians about a unit vector.
pub(crate) fn turn(axis: Vec3, angle: f32) -> Quat {
    let (sin, cos) = libm::sincosf(angle * 0.5);
    Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// One box as this crate's type and as parry's.
#[derive(Clone, Copy)]
pub(crate) struct Both {
    pub(crate) obb: Obb,
    pub(crate) pose: Pose,
    pub(crate) cuboid: Cuboid,
}

impl Both {
    pub(crate) fn new(center: Vec3, half: Vec3, orientation: Quat) -> Self {
        let obb = Obb::from_orientation(center, half, orientation);
        Self { obb, pose: Pose::from_parts(center, orientation), cuboid: Cuboid::new(half) }
    }

    /// Returns a box about as large as a limb: half extents from 0.05 to 0.5.
    pub(crate) fn random(random: &mut Random, center: Vec3) -> Self {
        let mut side = || random.between(0.05, 0.5);
        let half = Vec3::new(side(), side(), side());
        let orientation = random.rotation();
        Self::new(center, half, orientation)
    }
}

/// Makes pairs of boxes. The second center is moved in a random direction by `low` to `high` times the half diagonals.
pub(crate) fn pairs(seed: u64, low: f32, high: f32) -> Vec<(Both, Both)> {
    let mut random = Random::new(seed);
    let center = random.vector() * 10.0;
    (0..COUNT)
        .map(|_| {
            let a = Both::random(&mut random, center);
            let b = Both::random(&mut random, Vec3::ZERO);
            let reach = a.obb.half_extents().length() + b.obb.half_extents().length();
            let center = a.obb.center() + random.direction() * (reach * random.between(low, high));
            let orientation = b.pose.rotation;
            (a, Both::new(center, b.obb.half_extents(), orientation))
        })
        .collect()
}

/// A criterion group for this crate and parry, with throughput per shape.
pub(crate) fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(COUNT as u64));
    group.sample_size(30).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(600));
    group
}

/// The number of items that pass a test. The benches assert that both libraries count nearly the same number.
pub(crate) fn count<T>(items: &[T], test: impl Fn(&T) -> bool) -> usize {
    items.iter().filter(|item| test(item)).count()
}

/// Asserts that both libraries gave the same answers, except for at most `at_most` close calls.
pub(crate) fn assert_alike(ours: usize, theirs: usize, at_most: usize) {
    assert!(ours.abs_diff(theirs) <= at_most, "{ours} and {theirs}");
}

/// Times our test and parry's test on the same shapes, after asserting that both agree. Criterion times them one after
/// the other; a paired run times them in turns, and the records take their ratios from it.
pub(crate) fn compare<T>(
    criterion: &mut Criterion,
    name: &str,
    shapes: &[T],
    close_calls: usize,
    ours: impl Fn(&T) -> bool,
    theirs: impl Fn(&T) -> bool,
) {
    assert_alike(count(shapes, &ours), count(shapes, &theirs), close_calls);
    let mut group = group(criterion, name);
    group.bench_function("ours", |b| b.iter(|| count(black_box(shapes), &ours)));
    group.bench_function("parry", |b| b.iter(|| count(black_box(shapes), &theirs)));
    group.finish();
    let mut turns = Turns::new("geometry-core", name).items(COUNT as f64, "test");
    turns.peer("parry", || {
        black_box(count(black_box(shapes), &theirs));
    });
    turns.ours("ours", || {
        black_box(count(black_box(shapes), &ours));
    });
    turns.run();
}
