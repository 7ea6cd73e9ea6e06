//! A scene of 24 tubes with skins over 240 ticks, all that can be asked exactly, and the sums of the answers in a file: the same
//! for every kernel, thread count, build and machine.
//!
//! Each kernel and each number of threads runs the first 80 ticks, and all 240 with `BONEBOX_GOLDEN=all`. `BONEBOX_GOLDEN=write` writes
//! the file anew.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use baked_characters::baked_tube;
use baked_characters::golden_scenes::scene::{Random, STEP, Sum};
use baked_characters::golden_scenes::tubes::{TUBES, place, spot};
use geometry_core::{Capsule, Obb, Ray, Sphere};
use glam::Vec3;
use runtime::kernels::Kernel;
use runtime::{BodyId, BodySettings, Character, ClipIndex, HitboxWorld, QueryFilter, SkinTouch, WorldError};
use std::fmt::Write;
use std::sync::Arc;

const TICKS: u32 = 240;
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/exact.txt");
const KINDS: [&str; 5] = ["touches", "rays", "shapes", "distances", "insides"];

type Touches = fn(&mut HitboxWorld, &QueryFilter<'_>, &mut Vec<SkinTouch>) -> Result<(), WorldError>;

fn ask(sums: &mut [Sum; 5], world: &mut HitboxWorld, random: &mut Random, exact_touches: Touches) {
    let [touches, rays, shapes, distances, insides] = sums;
    let any = &QueryFilter::default();
    let mut found = Vec::new();
    exact_touches(world, any, &mut found).unwrap();
    for touch in &found {
        touches.add(touch.body_a.0 << 32 | touch.body_b.0);
        touches.add(u64::from(touch.joint_a.0) << 16 | u64::from(touch.joint_b.0));
        touches.add(u64::from(touch.source_triangle_a) << 32 | u64::from(touch.source_triangle_b));
        touches.vector(touch.point);
        touches.answer();
    }
    for _ in 0..8 {
        let from = spot(random);
        let ray = Ray::try_new(from, spot(random) - from).unwrap();
        if let Some(hit) = world.exact_ray(&ray, None, any).unwrap() {
            rays.add(hit.body.0 << 48 | u64::from(hit.joint.0) << 32 | u64::from(hit.source_triangle));
            rays.number(hit.time);
            rays.vector(hit.point);
            rays.vector(hit.normal);
            rays.vector(hit.barycentric.into());
            rays.answer();
        }
    }
    let ball = Sphere::try_new(spot(random), 0.3).unwrap();
    let staff = Capsule::try_new(spot(random), spot(random), 0.05).unwrap();
    let blade = Obb::from_orientation(spot(random), Vec3::new(0.03, 0.6, 0.05), random.turn());
    let mut overlapped = Vec::new();
    for shape in 0..3 {
        match shape {
            0 => world.exact_shape_overlaps(&ball, any, &mut overlapped).unwrap(),
            1 => world.exact_shape_overlaps(&staff, any, &mut overlapped).unwrap(),
            _ => world.exact_shape_overlaps(&blade, any, &mut overlapped).unwrap(),
        }
        for one in &overlapped {
            shapes.add(one.body.0 << 48 | u64::from(one.joint.0) << 32 | u64::from(one.source_triangle));
            shapes.answer();
        }
    }
    let first = (random.share() * TUBES as f32) as u64;
    let second = (first + 1 + (random.share() * (TUBES - 1) as f32) as u64) % TUBES;
    if let Some(nearest) = world.exact_distance(BodyId(first), BodyId(second), 3.0).unwrap() {
        distances.add(u64::from(nearest.source_triangle_a) << 32 | u64::from(nearest.source_triangle_b));
        distances.number(nearest.distance);
        distances.vector(nearest.point_a);
        distances.vector(nearest.point_b);
        distances.answer();
    }
    let mut inside = Vec::new();
    world.bodies_containing(spot(random), any, &mut inside).unwrap();
    for body in inside {
        insides.add(body.0);
        insides.answer();
    }
}

/// A line for every [`STEP`] ticks.
fn run(kernel: Kernel, ticks: u32, exact_touches: Touches) -> Vec<String> {
    let tube = Arc::new(Character::from_baked(baked_tube("tube")));
    let mut world = HitboxWorld::with_kernel(kernel);
    for id in 0..TUBES {
        world.insert(BodyId(id), Arc::clone(&tube), BodySettings::default()).unwrap();
        world.track_skin(BodyId(id), true).unwrap();
    }
    let mut random = Random(7);
    let mut sums = [const { Sum::EMPTY }; 5];
    let mut lines = Vec::new();
    for tick in 0..ticks {
        let pose = |id: BodyId| place(id.0, tick);
        world.pose_each(|id, body| body.pose_from_clip(&pose(id).0, ClipIndex(0), pose(id).1)).unwrap();
        world.update();
        ask(&mut sums, &mut world, &mut random, exact_touches);
        if (tick + 1) % STEP == 0 {
            let mut line = format!("{:>4}", tick + 1);
            for (kind, sum) in KINDS.iter().zip(&sums) {
                write!(line, "  {kind} {:>6} {:016x}", sum.1, sum.0).unwrap();
            }
            lines.push(line);
        }
    }
    lines
}

/// The ticks that each kernel and each number of threads runs.
fn ticks_of_a_variant() -> u32 {
    if std::env::var("BONEBOX_GOLDEN").is_ok_and(|mode| mode == "all") { TICKS } else { 2 * STEP }
}

#[track_caller]
fn assert_golden(lines: &[String], what: &str) {
    let text = std::fs::read_to_string(GOLDEN).unwrap_or_default();
    let golden: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(golden.len() as u32, TICKS / STEP, "{GOLDEN}");
    for (found, expected) in lines.iter().zip(golden) {
        assert_eq!(found, expected, "{what}");
    }
}

#[test]
fn all_exact_answers_of_240_ticks() {
    let lines = run(Kernel::best(), TICKS, HitboxWorld::exact_touches);
    if std::env::var("BONEBOX_GOLDEN").is_ok_and(|mode| mode == "write") {
        let head =
            "# After so many ticks, of each kind of exact question: how many answers, and the FNV-1a sum of all.\n";
        std::fs::write(GOLDEN, format!("{head}{}\n", lines.join("\n"))).unwrap();
    }
    assert_golden(&lines, "this build");
}

#[test]
fn with_every_kernel() {
    for kernel in Kernel::available() {
        assert_golden(&run(kernel, ticks_of_a_variant(), HitboxWorld::exact_touches), &format!("{kernel:?}"));
    }
}

#[cfg(feature = "rayon")]
#[test]
fn on_1_and_4_threads() {
    for threads in [1, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let lines = pool.install(|| run(Kernel::best(), ticks_of_a_variant(), HitboxWorld::exact_touches_parallel));
        assert_golden(&lines, &format!("{threads} threads"));
    }
}
