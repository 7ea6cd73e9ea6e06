//! Times tests of two oriented boxes: overlap, overlap with a cache, and separation, together with parry's.

mod common;

use common::{Both, assert_alike, compare, count, group, pairs};
use criterion::{Criterion, criterion_group, criterion_main};
use geometry_core::SatCache;
use glam::Quat;
use parry3d::query::details::intersection_test_cuboid_cuboid;
use parry3d::query::sat;
use std::hint::black_box;

type Pair = (Both, Both);

fn ours((a, b): &Pair) -> bool {
    a.obb.overlaps(&b.obb)
}

fn parry((a, b): &Pair) -> bool {
    intersection_test_cuboid_cuboid(&a.pose.inv_mul(&b.pose), &a.cuboid, &b.cuboid)
}

/// Boxes with parallel axes, as in a level. Their edge axes vanish, so the second stage has to decide.
fn in_line() -> Vec<Pair> {
    let mut all = pairs(5, 0.0, 1.2);
    for (a, b) in &mut all {
        *b = Both::new(b.obb.center(), b.obb.half_extents(), a.pose.rotation * Quat::from_xyzw(0.5, 0.5, 0.5, 0.5));
    }
    all
}

fn overlaps(criterion: &mut Criterion) {
    let scenes = [
        ("half", pairs(1, 0.0, 1.2)),
        ("near", pairs(2, 0.7, 1.0)),
        ("far", pairs(3, 1.5, 5.0)),
        ("hit", pairs(4, 0.0, 0.3)),
        ("in line", in_line()),
    ];
    for (scene, pairs) in &scenes {
        assert_alike(count(pairs, ours), count(pairs, parry), 1);
        let mut group = group(criterion, &format!("obb_obb overlaps {scene}"));
        group.bench_function("ours", |b| b.iter(|| count(black_box(pairs), ours)));
        group.bench_function("at once", |b| b.iter(|| count(black_box(pairs), |(a, b)| a.obb.may_overlap(&b.obb))));
        group.bench_function("cached", |b| {
            let mut caches = vec![SatCache::NEW; pairs.len()];
            b.iter(|| {
                let mut touching = 0;
                for ((a, b), cache) in black_box(pairs).iter().zip(&mut caches) {
                    touching += usize::from(a.obb.overlaps_cached(&b.obb, cache));
                }
                touching
            });
        });
        group.bench_function("parry", |b| b.iter(|| count(black_box(pairs), parry)));
        group.finish();
    }
}

fn separation(criterion: &mut Criterion) {
    let pairs = pairs(6, 0.0, 0.5);
    let depth = |(a, b): &Pair| a.obb.separation(&b.obb).depth() > 0.1;
    // parry has no public function for this; its contacts use these three functions.
    let theirs = |(a, b): &Pair| {
        let (ab, ba) = (a.pose.inv_mul(&b.pose), b.pose.inv_mul(&a.pose));
        let faces_a = sat::cuboid_cuboid_find_local_separating_normal_oneway(&a.cuboid, &b.cuboid, &ab).0;
        let faces_b = sat::cuboid_cuboid_find_local_separating_normal_oneway(&b.cuboid, &a.cuboid, &ba).0;
        let edges = sat::cuboid_cuboid_find_local_separating_edge_twoway(&a.cuboid, &b.cuboid, &ab).0;
        faces_a.max(faces_b).max(edges) < -0.1
    };
    compare(criterion, "obb_obb separation", &pairs, 2, depth, theirs);
}

criterion_group!(benches, overlaps, separation);
criterion_main!(benches);
