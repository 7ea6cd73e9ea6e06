//! Hulls beside parry3d's, taken in turns so that a busy machine slows both alike.
//!
//! `cargo bench -p hull --bench hulls [-- NAME]`. What a hull holds is proven by the tests and by the bench
//! `quickhull`; here the number of its vertices must come out the same each time.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/corpus.rs"]
mod bone_groups;

use common::{Random, cylinder, grid, points, rounded_to_f32, turned};
use glam::DVec3;
use hull::HullBuilder;
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
        // A few groups are an error to parry, which it is quick to find.
        let theirs = || {
            let hulls = singles.iter().map(|set| black_box(parry3d::transformation::try_convex_hull(black_box(set))));
            hulls.filter(Result::is_ok).count()
        };
        let (expected, built) = (vertices(), theirs());
        let mut turns = Turns::new("hulls", name);
        turns.peer("parry3d", || assert_eq!(theirs(), built));
        turns.ours("hull", || assert_eq!(vertices(), expected));
        turns.run();
    }
}

fn sets() -> Vec<(String, Vec<Vec<DVec3>>)> {
    type Draw = fn(&mut Random) -> DVec3;
    let mut sets = Vec::new();
    if corpus::find().is_some() {
        let groups = bone_groups::bone_groups();
        // One file of the corpus tests recursion: hundreds of joints that share one flat mesh.
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
