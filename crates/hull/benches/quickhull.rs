//! Times our hulls of clouds, of degenerate sets and of real bone groups: `cargo bench -p bonebox-hull --bench
//! quickhull`. Use it to see what a change did. The bench `hulls` compares with parry3d.
//!
//! The bench proves every hull before it times it. Where parry3d's hull is correct, the bench compares the volumes.
#![allow(missing_docs, reason = "criterion's macros write undocumented functions")]

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/corpus.rs"]
mod real;

use common::{Random, cylinder, grid, hull_of, parry_hull, points, rounded_to_f32, turned, volume_of};
use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use hull::HullBuilder;
use std::hint::black_box;
use std::time::Duration;

fn measure(criterion: &mut Criterion, group: &str, name: &str, sets: &[Vec<DVec3>]) {
    let mut benches = criterion.benchmark_group(group);
    benches.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    if sets[0].len() >= 10_000 {
        benches.sample_size(10);
    } else {
        benches.sample_size(30);
    }
    let mut builder = HullBuilder::new();
    benches.bench_function(name, |bencher| {
        bencher.iter(|| {
            for set in sets {
                black_box(builder.build(black_box(set)).expect("finite"));
            }
        });
    });
    benches.finish();
}

fn clouds(criterion: &mut Criterion) {
    type Draw = fn(&mut Random) -> DVec3;
    let kinds: [(&str, Draw); 3] = [("ball", Random::in_ball), ("sphere", Random::on_sphere), ("box", Random::in_box)];
    for (kind, draw) in kinds {
        for count in [100, 1000, 10_000, 100_000] {
            let set = rounded_to_f32(&points(count, count as u64, draw));
            let ours = hull_of(&set).volume();
            if count < 100_000 {
                let (vertices, triangles) = parry_hull(&set).expect("parry builds it");
                let theirs = volume_of(&vertices, &triangles);
                assert!((ours - theirs).abs() < 1e-5 * ours, "{kind} {count}: {ours} and {theirs}");
            }
            measure(criterion, kind, &count.to_string(), &[set]);
        }
    }
}

/// Sets where most triples of points are coplanar, either exactly or up to rounding.
fn degenerate(criterion: &mut Criterion) {
    let cube = grid(20);
    assert_eq!(hull_of(&cube).vertices().len(), 8);
    measure(criterion, "degenerate", "grid of 20", &[cube]);
    let rings = turned(&cylinder(64, 20));
    assert!(hull_of(&rings).vertices().len() >= 128);
    measure(criterion, "degenerate", "turned cylinder", &[rings]);
}

fn bone_groups(criterion: &mut Criterion) {
    if corpus::find().is_none() {
        println!("bone groups: not measured, because the corpus of real characters is missing");
        return;
    }
    let groups = real::bone_groups();
    // The file `RecursiveSkeletons` tests recursion: hundreds of its joints share one flat mesh.
    let groups = groups.into_iter().filter(|(name, _)| !name.starts_with("RecursiveSkeletons"));
    let groups: Vec<Vec<DVec3>> = groups.map(|(_, points)| points).collect();
    let (mut vertices, mut count) = (0, 0);
    for points in &groups {
        vertices += hull_of(points).vertices().len();
        count += points.len();
    }
    println!("{} groups, {count} points, {vertices} of them hull vertices", groups.len());
    measure(criterion, "bone groups", "all", &groups);
}

criterion_group!(benches, bone_groups, degenerate, clouds);
criterion_main!(benches);
