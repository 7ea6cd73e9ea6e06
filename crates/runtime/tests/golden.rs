//! Runs a scene of 200 characters for 600 ticks and three further scenes for 40 ticks, asks every kind of question, and
//! compares the sums of the answers with a file for each scene. The sums are the same for every kernel, thread count, order of insertion, build and machine.
//!
//! `BONEBOX_GOLDEN=write` writes the four files anew. Each kernel, thread count and order runs the first 40 ticks of the first
//! scene; `BONEBOX_GOLDEN=all` makes them run all 600 (docs/reliability.md has the command).

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use baked_characters::golden_scenes::layers::{LayerMask, UPPER_BODY, baked_layered_figure, joint_weight, layers};
use baked_characters::golden_scenes::scene::{BODIES, KINDS, Random, STEP, Sum, TOLERANCE, place};
use baked_characters::{baked_figure, baked_figure_for_any_pose, with_hulls};
use baked_format::BakedCharacter;
use geometry_core::{Capsule, Obb, Ray, Sphere};
use glam::Vec3;
use runtime::kernels::Kernel;
use runtime::{
    BodyId, BodyMotion, BodyRayHit, BodySettings, BodyShapeOverlap, Character, ClipIndex, ClipSampler, CollisionLayers,
    HitboxWorld, JointMask, LayerMode, PoseLayer, QueryFilter, SweepHit, contacts, distance, sweep_all,
};
use skeleton::JointIndex;
use std::fmt::Write;
use std::sync::Arc;

const TICKS: u32 = 600;
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/scene.txt");
/// The sums after [`STEP`] ticks of a scene whose boxes are computed from envelopes.
const GOLDEN_ANY_POSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/any_pose.txt");
/// The sums after [`STEP`] ticks of a scene with hulls, boxes, capsules and spheres.
const GOLDEN_HULLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/hulls.txt");
/// The sums after [`STEP`] ticks of a scene whose bodies are posed by layers.
const GOLDEN_LAYERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/layers.txt");

fn pose(world: &mut HitboxWorld, tick: u32) {
    world
        .pose_each(|id, body| {
            let (world_from_model, time) = place(id.0, tick);
            body.pose_from_clip(&world_from_model, ClipIndex(1), time)
        })
        .unwrap();
}

fn pose_in_layers(world: &mut HitboxWorld, tick: u32) {
    let character = Arc::clone(world.bodies().next().unwrap().character());
    let upper_body = JointMask::below(&character, JointIndex(UPPER_BODY)).unwrap();
    let by_joint = JointMask::new(&character, |joint| joint_weight(joint.0));
    world
        .pose_each(|id, body| {
            let (world_from_model, layers) = layers(id.0, tick);
            let layers = layers.map(|(clip, seconds, weight, is_added, mask)| PoseLayer {
                clip: ClipIndex(clip),
                seconds,
                weight,
                mode: if is_added { LayerMode::Add } else { LayerMode::Blend },
                mask: match mask {
                    LayerMask::None => None,
                    LayerMask::Below => Some(upper_body.clone()),
                    LayerMask::ByJoint => Some(by_joint.clone()),
                },
            });
            body.pose_from_layers(&world_from_model, &layers)
        })
        .unwrap();
}

/// The sums of all answers, by kind of query.
struct Sums([Sum; 7]);

impl Sums {
    fn ask(&mut self, world: &HitboxWorld, random: &mut Random) {
        let Self([events, contact_sums, rays, shapes, distances, sweeps, weapons]) = self;
        for event in world.events() {
            let touch = event.touch;
            let joints = [touch.joint_a, touch.joint_b].map(|joint| u64::from(joint.0));
            [touch.body_a.0, touch.body_b.0, joints[0], joints[1], event.phase as u64]
                .into_iter()
                .for_each(|word| events.add(word));
            events.answer();
        }
        let mut pairs: Vec<_> = world.touches().iter().map(|touch| [touch.body_a, touch.body_b]).collect();
        pairs.dedup();
        let body = |id: BodyId| world.body(id).unwrap();
        let mut found = Vec::new();
        for [a, b] in pairs.iter().copied().filter(|[a, b]| (a.0 + b.0).is_multiple_of(16)) {
            contacts(body(a).posed(), body(b).posed(), &mut found);
            for contact in &found {
                contact_sums.add(u64::from(contact.box_a.0) << 16 | u64::from(contact.box_b.0));
                contact_sums.number(contact.depth);
                contact_sums.vector(contact.direction);
                contact.points().iter().for_each(|&point| contact_sums.vector(point));
                contact_sums.answer();
            }
        }
        let any = &QueryFilter::default();
        let mut hits = Vec::new();
        for _ in 0..4 {
            let ray = Ray::try_new(random.spot(), random.vector().normalize()).unwrap();
            let mut hit = |hit: &BodyRayHit| {
                rays.add(hit.body.0 << 16 | u64::from(hit.box_index.0));
                [hit.entry, hit.exit].into_iter().for_each(|time| rays.number(time));
                rays.vector(hit.normal.unwrap_or_default());
                rays.answer();
            };
            world.cast_ray_all(&ray, 6.0, any, &mut hits);
            hits.iter().for_each(&mut hit);
            let first = world.cast_ray(&ray, 6.0, any);
            first.iter().for_each(&mut hit);
            assert_eq!(first, hits.first().copied());
            assert_eq!(world.cast_ray_any(&ray, 6.0, any), first.is_some());
        }
        let ball = Sphere::try_new(random.spot(), 0.6).unwrap();
        let staff = Capsule::try_new(random.spot(), random.spot(), 0.1).unwrap();
        let mut boxes = Vec::new();
        let mut overlapped = |boxes: &[BodyShapeOverlap]| {
            for one in boxes {
                shapes.add(one.body.0 << 16 | u64::from(one.box_index.0));
                shapes.answer();
            }
        };
        world.overlapping_boxes(&ball, any, &mut boxes);
        overlapped(&boxes);
        world.overlapping_boxes(&staff, any, &mut boxes);
        overlapped(&boxes);
        let blade =
            |random: &mut Random| Obb::from_orientation(random.spot(), Vec3::new(0.03, 0.6, 0.05), random.turn());
        let (from, to) = (blade(random), blade(random));
        let mut trail = Vec::new();
        world.cast_shape_all(&from, &to, TOLERANCE, any, &mut trail);
        for hit in &trail {
            weapons.add(hit.body.0 << 16 | u64::from(hit.box_index.0));
            weapons.number(hit.time);
            weapons.vector(hit.direction);
            weapons.answer();
        }
        for _ in 0..2 {
            let [a, b] = [0; 2].map(|_| BodyId((random.share() * BODIES as f32) as u64));
            if let Some(nearest) = distance(body(a).posed(), body(b).posed(), 5.0) {
                distances.add(u64::from(nearest.joint_a.0) << 16 | u64::from(nearest.joint_b.0));
                distances.number(nearest.distance);
                distances.vector(nearest.point_a);
                distances.vector(nearest.point_b);
                distances.answer();
            }
        }
        // A motion of its own: half a second of one touching pair.
        let hit = |sweeps: &mut Sum, hit: &SweepHit| {
            sweeps.add(u64::from(hit.joint_a.0) << 16 | u64::from(hit.joint_b.0));
            sweeps.number(hit.time);
            sweeps.vector(hit.direction);
            sweeps.answer();
        };
        if let Some(&[a, b]) = pairs.get((random.share() * pairs.len() as f32) as usize) {
            let mut sampler = ClipSampler::new();
            let (mut a_next, mut b_next) = (body(a).posed().clone(), body(b).posed().clone());
            for (id, next) in [(a, &mut a_next), (b, &mut b_next)] {
                let (place, time) = place(id.0, (random.share() * 600.0) as u32);
                next.pose_from_clip(&mut sampler, body(id).character(), &place, ClipIndex(1), time).unwrap();
            }
            let mut hits = Vec::new();
            let motions =
                [(a, &a_next), (b, &b_next)].map(|(id, next)| BodyMotion::new(body(id).posed(), next).unwrap());
            sweep_all(&motions[0], &motions[1], TOLERANCE, &mut hits);
            hits.iter().for_each(|one| hit(sweeps, one));
        }
        if let Some(first) = world.sweep(TOLERANCE, any) {
            sweeps.add(first.body_a.0 << 32 | first.body_b.0);
            hit(sweeps, &first.answer);
        }
    }

    fn line(&self, tick: u32) -> String {
        let mut line = format!("{tick:>4}");
        for (kind, sum) in KINDS.iter().zip(&self.0) {
            write!(line, "  {kind} {:>7} {:016x}", sum.1, sum.0).unwrap();
        }
        line
    }
}

/// A line for every [`STEP`] ticks.
fn run(
    world: HitboxWorld,
    ids: impl Iterator<Item = u64>,
    ticks: u32,
    update: impl Fn(&mut HitboxWorld),
) -> Vec<String> {
    run_with(baked_figure("figure"), pose, world, ids, ticks, update)
}

fn run_with(
    baked: BakedCharacter,
    pose: impl Fn(&mut HitboxWorld, u32),
    mut world: HitboxWorld,
    ids: impl Iterator<Item = u64>,
    ticks: u32,
    update: impl Fn(&mut HitboxWorld),
) -> Vec<String> {
    let character = Arc::new(Character::from_baked(baked));
    for id in ids {
        let team = (id.is_multiple_of(5)).then_some(1);
        let settings = BodySettings { team, self_touches: id.is_multiple_of(7), ..BodySettings::default() };
        world.insert(BodyId(id), Arc::clone(&character), settings).unwrap();
        if id.is_multiple_of(3) {
            let hands = character.boxes_with_tag("hand").unwrap();
            world.set_box_layers(BodyId(id), &hands, CollisionLayers { memberships: 2, mask: 1 }).unwrap();
        }
    }
    let mut sums = Sums([const { Sum::EMPTY }; 7]);
    let mut random = Random(99);
    let mut lines = Vec::new();
    for tick in 0..ticks {
        // Every eighth tick is one motion from the last, so that sweeps of all against all are among the answers.
        if tick % 8 == 7 {
            world.start_motion();
        }
        pose(&mut world, tick);
        update(&mut world);
        sums.ask(&world, &mut random);
        if (tick + 1) % STEP == 0 {
            lines.push(sums.line(tick + 1));
        }
    }
    lines
}

fn golden(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().filter(|line| !line.starts_with('#')).map(Into::into).collect()
}

fn mode() -> String {
    std::env::var("BONEBOX_GOLDEN").unwrap_or_default()
}

/// The number of ticks that the variants run.
fn some_ticks() -> u32 {
    if mode() == "all" { TICKS } else { STEP }
}

#[track_caller]
fn assert_golden(lines: &[String], what: &str) {
    assert_golden_of(GOLDEN, lines, what);
}

#[track_caller]
fn assert_golden_of(path: &str, lines: &[String], what: &str) {
    let golden = golden(path);
    for (found, expected) in lines.iter().zip(&golden) {
        assert_eq!(found, expected, "{what}");
    }
    assert!(!lines.is_empty() && lines.len() <= golden.len(), "{path} ends too early");
}

fn write_golden(path: &str, lines: &[String]) {
    let head = "# After so many ticks, of each kind of question: how many answers, and the FNV-1a sum of all.\n";
    std::fs::write(path, format!("{head}{}\n", lines.join("\n"))).unwrap();
}

#[test]
fn all_answers_of_600_ticks() {
    let lines = run(HitboxWorld::new(), 0..BODIES, TICKS, HitboxWorld::update);
    if mode() == "write" {
        write_golden(GOLDEN, &lines);
    }
    assert_golden(&lines, "this build");
    assert_eq!(lines.len() as u32, TICKS / STEP);
}

#[test]
fn in_any_order_of_insertion() {
    let shuffled = (0..BODIES).map(|i| i * 77 % BODIES);
    assert_golden(&run(HitboxWorld::new(), shuffled, some_ticks(), HitboxWorld::update), "shuffled");
}

/// Each kernel poses, tests and answers everything.
#[test]
fn with_every_kernel() {
    for kernel in Kernel::available() {
        let lines = run(HitboxWorld::with_kernel(kernel), 0..BODIES, some_ticks(), HitboxWorld::update);
        assert_golden(&lines, &format!("{kernel:?}"));
    }
}

/// Boxes that follow from envelopes in each pose.
#[test]
fn boxes_for_any_pose_with_every_kernel() {
    assert_every_kernel(GOLDEN_ANY_POSE, |world| {
        run_with(baked_figure_for_any_pose("figure"), pose, world, 0..BODIES, STEP, HitboxWorld::update)
    });
}

/// Hitboxes of all shapes, half of them hulls.
#[test]
fn hulls_with_every_kernel() {
    assert_every_kernel(GOLDEN_HULLS, |world| {
        run_with(with_hulls(baked_figure("figure")), pose, world, 0..BODIES, STEP, HitboxWorld::update)
    });
}

/// Bodies that are posed by blended and added layers with joint masks.
#[test]
fn pose_layers_with_every_kernel() {
    assert_every_kernel(GOLDEN_LAYERS, |world| {
        run_with(baked_layered_figure("figure"), pose_in_layers, world, 0..BODIES, STEP, HitboxWorld::update)
    });
}

fn assert_every_kernel(path: &str, run: impl Fn(HitboxWorld) -> Vec<String>) {
    if mode() == "write" {
        write_golden(path, &run(HitboxWorld::new()));
    }
    for kernel in Kernel::available() {
        assert_golden_of(path, &run(HitboxWorld::with_kernel(kernel)), &format!("{kernel:?}"));
    }
}

#[cfg(feature = "rayon")]
#[test]
fn on_1_2_and_8_threads() {
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let lines = run(HitboxWorld::new(), 0..BODIES, some_ticks(), |world| pool.install(|| world.update_parallel()));
        assert_golden(&lines, &format!("{threads} threads"));
    }
}
