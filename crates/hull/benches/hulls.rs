//! Compares the time of our hulls with the time of parry3d's. Both libraries take turns within one run, so that a busy
//! machine slows both alike.
//!
//! `cargo bench -p bonebox-hull --bench hulls [-- NAME]`. The tests and the bench `quickhull` prove what a hull
//! contains. This bench only checks that the number of vertices is the same in each run. If a hull of parry3d leaves
//! out points or volume, the row of the table says so, because parry3d then did less work in its time.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/corpus.rs"]
mod bone_groups;

use common::{Random, cylinder, grid, hull_of, parry_hull, points, rounded_to_f32, turned, volume_of};
use glam::DVec3;
use hull::{HullBuilder, HullShape};
use paired_timing::Turns;
use std::hint::black_box;

fn main() {
    for (name, sets) in sets() {
        let singles: Vec<Vec<parry3d::math::Vector>> =
            sets.iter().map(|set| set.iter().map(|p| p.as_vec3()).collect()).collect();
        let mut builder = HullBuilder::new();
        let mut vertices = || {
            let hulls = sets.iter().map(|set| black_box(builder.build(black_box(set)).expect("finite points")));
            hulls.map(|hull| hull.vertices().len()).sum::<usize>()
        };
        // parry3d returns an error for a few groups, which takes less time than a hull.
        let theirs = || {
            let hulls = singles.iter().map(|set| black_box(parry3d::transformation::try_convex_hull(black_box(set))));
            hulls.filter(Result::is_ok).count()
        };
        let (expected, built) = (vertices(), theirs());
        let mut turns = Turns::new("hulls", name);
        turns.peer(format!("parry3d{}", defects(&sets)), || assert_eq!(theirs(), built));
        turns.ours("hull", || assert_eq!(vertices(), expected));
        turns.run();
    }
}

/// Returns the errors of parry3d's hulls of these sets, as text for the table; empty if all hulls are correct.
///
/// parry3d computes in single precision, so its hulls are compared with the exact hulls of points rounded to single
/// precision.
fn defects(sets: &[Vec<DVec3>]) -> String {
    /// A hull counts as correct when no point is farther outside than this share of its size, and it misses at most
    /// this share of its volume: 16 units in the last place of single precision.
    const RIGHT: f64 = 1e-6;
    let (mut failed, mut wrong, mut outside, mut missing) = (0, 0, 0.0f64, 0.0f64);
    for set in sets {
        let set = rounded_to_f32(set);
        let exact = hull_of(&set);
        let Ok((vertices, triangles)) = parry_hull(&set) else {
            failed += 1;
            continue;
        };
        let size = set.iter().fold(0.0f64, |most, &point| most.max((point - set[0]).abs().max_element()));
        let farthest = farthest_outside(&set, &vertices, &triangles) / size;
        let volume = match exact.shape() {
            HullShape::Solid => (1.0 - volume_of(&vertices, &triangles) / exact.volume()).abs(),
            _ => 0.0,
        };
        if farthest.max(volume) > RIGHT {
            (wrong, outside, missing) = (wrong + 1, outside.max(farthest), missing.max(volume));
        }
    }
    let several = sets.len() > 1;
    let mut words = String::new();
    if failed > 0 {
        words += &format!(", {failed} of {} sets are an error", sets.len());
    }
    if wrong > 0 {
        words += &if several { format!(", {wrong} hulls wrong, the worst by") } else { ", wrong by".to_owned() };
        words += &format!(" a point {outside:.0e} of the size outside and by {missing:.0e} of the volume");
    }
    words
}

/// The largest height of a point above the plane of a triangle, in the points' unit. Triangles too thin to define a
/// plane are left out.
///
/// For a large hull the function tries only some triangles, evenly spread, so the result is a lower bound.
fn farthest_outside(set: &[DVec3], vertices: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
    /// Twice a triangle's area, divided by its longest side squared. The normal of a thinner triangle is off by more
    /// than a thousandth.
    const THIN: f64 = 1e-4;
    /// The largest number of pairs of a point and a triangle that the function tries.
    const MOST_TESTS: usize = 50_000_000;
    let step = 1 + set.len() * triangles.len() / MOST_TESTS;
    let planes = triangles.iter().step_by(step).filter_map(|corners| {
        let [a, b, c] = corners.map(|corner| vertices[corner as usize]);
        let normal = (b - a).cross(c - a);
        let longest = (b - a).length_squared().max((c - a).length_squared()).max((c - b).length_squared());
        (normal.length() > THIN * longest).then(|| (a, normal.normalize()))
    });
    let above = |(at, normal): (DVec3, DVec3)| set.iter().map(|&point| normal.dot(point - at)).fold(0.0, f64::max);
    planes.map(above).fold(0.0, f64::max)
}

fn sets() -> Vec<(String, Vec<Vec<DVec3>>)> {
    type Draw = fn(&mut Random) -> DVec3;
    let mut sets = Vec::new();
    if corpus::find().is_some() {
        let groups = bone_groups::bone_groups();
        // The file `RecursiveSkeletons` tests recursion: hundreds of its joints share one flat mesh.
        let groups = groups.into_iter().filter(|(name, _)| !name.starts_with("RecursiveSkeletons"));
        sets.push(("bone groups".to_owned(), groups.map(|(_, points)| points).collect()));
    }
    let kinds: [(&str, Draw); 3] = [("ball", Random::in_ball), ("sphere", Random::on_sphere), ("box", Random::in_box)];
    for (kind, draw) in kinds {
        for count in [100, 1000, 10_000, 100_000] {
            sets.push((format!("{kind} {count}"), vec![rounded_to_f32(&points(count, count as u64, draw))]));
        }
    }
    sets.push(("grid of 20".to_owned(), vec![grid(20)]));
    sets.push(("turned cylinder 64 x 20".to_owned(), vec![turned(&cylinder(64, 20))]));
    let curve = |t: u32| DVec3::from([1, 2, 3].map(|power| (f64::from(t) / 5000.0).powi(power)));
    sets.push(("moment curve 5000".to_owned(), vec![(0..5000).map(curve).collect()]));
    sets
}
