//! A table of hulls beside parry3d's, taken in turns so that a busy machine slows both alike.
//!
//! `cargo bench -p hull --bench beside_parry [-- NAME]`. For counts of instructions, which no neighbour disturbs:
//! `valgrind --tool=callgrind --toggle-collect='*HullBuilder*build*' TARGET/beside_parry-HASH NAME`, and
//! `--toggle-collect='*try_convex_hull*'` for parry's.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/corpus.rs"]
mod corpus;

use std::hint::black_box;
use std::time::{Duration, Instant};

use common::{Random, cylinder, grid, points, rounded_to_f32, turned};
use glam::DVec3;
use hull::HullBuilder;

fn main() {
    // Cargo adds a flag of its own.
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    println!("| set | bonebox, ms | parry, ms | parry / bonebox, medians | and minima |\n|---|---|---|---|---|");
    for (name, sets) in sets() {
        if only.as_ref().is_none_or(|only| *only == name) {
            row(&name, &sets, only.is_some());
        }
    }
}

fn sets() -> Vec<(String, Vec<Vec<DVec3>>)> {
    type Draw = fn(&mut Random) -> DVec3;
    let mut sets = Vec::new();
    if let Some(groups) = corpus::bone_groups() {
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

/// Takes turns for a second, or once where instructions are counted.
fn row(name: &str, sets: &[Vec<DVec3>], once: bool) {
    let singles: Vec<Vec<parry3d::math::Vector>> =
        sets.iter().map(|set| set.iter().map(|p| p.as_vec3()).collect()).collect();
    let mut builder = HullBuilder::new();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let start = Instant::now();
    while ours.is_empty() || !once && (ours.len() < 3 || start.elapsed() < Duration::from_secs(1)) {
        ours.push(milliseconds(|| {
            for set in sets {
                assert!(!black_box(builder.build(black_box(set)).expect("finite")).vertices().is_empty());
            }
        }));
        theirs.push(milliseconds(|| {
            for set in &singles {
                // A few groups are an error to parry, which it is quick to find.
                let _ = black_box(parry3d::transformation::try_convex_hull(black_box(set)));
            }
        }));
    }
    ours.sort_by(f64::total_cmp);
    theirs.sort_by(f64::total_cmp);
    let [our_median, their_median] = [&ours, &theirs].map(|times| times[times.len() / 2]);
    println!(
        "| {name} | {our_median:.4} | {their_median:.4} | {:.2} | {:.2} |",
        their_median / our_median,
        theirs[0] / ours[0]
    );
}

fn milliseconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e3
}
