//! Measures ticks of animated crowds: posing, broad phase and narrow phase of characters with 24 boxes each, in ns per
//! character and tick. The peer is parry3d's `Bvh`, which is refitted in each tick, with parry's test of cuboids on the
//! leaves. Both sides get joint matrices in model space and a place for each character. Then the bench measures how the
//! cost of a character grows with the number of characters, and what it costs to pose bodies that share poses.

mod common;
#[path = "common/scene.rs"]
mod scene;

use glam::{Affine3A, Mat3, Quat, Vec3};
use paired_timing::Turns;
use parry3d::bounding_volume::Aabb;
use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d::query::details::intersection_test_cuboid_cuboid;
use parry3d::shape::Cuboid;
use runtime::{
    BodyId, BodyPoser, BodySettings, Character, ClipIndex, ClipSampler, HitboxWorld, LoopMode, PosedCharacter, Touch,
};
use scene::{Ours, Scene, TICKS};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

/// parry3d with a tree that has one leaf per character. The tree finds the pairs of characters whose bounds overlap, and
/// parry tests all of their boxes whose bounds overlap.
struct Parry<'a> {
    scene: &'a Scene,
    bodies: Vec<Vec<(Pose, Cuboid, Aabb)>>,
    bvh: Bvh,
    workspace: BvhWorkspace,
    tick: usize,
}

impl<'a> Parry<'a> {
    fn new(scene: &'a Scene) -> Self {
        let boxes = &scene.character.baked().boxes;
        let body =
            || boxes.iter().map(|one| (Pose::IDENTITY, Cuboid::new(one.half_extents), Aabb::new_invalid())).collect();
        let bodies = scene.places[0].iter().map(|_| body()).collect();
        let mut parry = Self { scene, bodies, bvh: Bvh::default(), workspace: BvhWorkspace::default(), tick: 0 };
        let leaves = parry.pose();
        parry.bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        parry
    }

    fn pose(&mut self) -> Vec<Aabb> {
        let inputs = self.scene.inputs(self.tick);
        self.tick += 1;
        let baked = &self.scene.character.baked().boxes;
        let bodies = self.bodies.iter_mut().zip(inputs);
        bodies
            .map(|(body, (place, pose))| {
                let mut around = Aabb::new_invalid();
                for ((world, cuboid, aabb), one) in body.iter_mut().zip(baked) {
                    let joint = *place * pose[one.joint.index()];
                    let rotation = Quat::from_mat3(&Mat3::from(joint.matrix3)) * one.orientation;
                    *world = Pose::from_parts(joint.transform_point3(one.center), rotation);
                    *aabb = cuboid.aabb(world);
                    around.mins = around.mins.min(aabb.mins);
                    around.maxs = around.maxs.max(aabb.maxs);
                }
                around
            })
            .collect()
    }

    fn step(&mut self) -> usize {
        for (leaf, aabb) in self.pose().into_iter().enumerate() {
            self.bvh.insert_or_update_partially(aabb, leaf as u32, 0.0);
        }
        self.bvh.refit(&mut self.workspace);
        let mut touches = 0;
        let bodies = &self.bodies;
        self.bvh.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| {
            for (pose_a, cuboid_a, aabb_a) in &bodies[a as usize] {
                for (pose_b, cuboid_b, aabb_b) in &bodies[b as usize] {
                    let near = parry3d::bounding_volume::BoundingVolume::intersects(aabb_a, aabb_b);
                    if near && intersection_test_cuboid_cuboid(&pose_a.inv_mul(pose_b), cuboid_a, cuboid_b) {
                        touches += 1;
                    }
                }
            }
        });
        touches
    }
}

/// parry3d with a tree that has one leaf per box: 24 leaves for each character.
struct ParryBoxes<'a>(Parry<'a>, Bvh);

impl<'a> ParryBoxes<'a> {
    fn new(scene: &'a Scene) -> Self {
        let parry = Parry::new(scene);
        let leaves: Vec<Aabb> = parry.bodies.iter().flatten().map(|one| one.2).collect();
        let bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        Self(parry, bvh)
    }

    fn step(&mut self) -> usize {
        let Self(parry, bvh) = self;
        parry.pose();
        for (leaf, one) in parry.bodies.iter().flatten().enumerate() {
            bvh.insert_or_update_partially(one.2, leaf as u32, 0.0);
        }
        bvh.refit(&mut parry.workspace);
        let mut touches = 0;
        let bodies = &parry.bodies;
        bvh.traverse_bvtt_single_tree::<false>(&mut parry.workspace, &mut |a, b| {
            let (a, b) = (a as usize, b as usize);
            if a / 24 != b / 24 {
                let (a, b) = (&bodies[a / 24][a % 24], &bodies[b / 24][b % 24]);
                touches += usize::from(intersection_test_cuboid_cuboid(&a.0.inv_mul(&b.0), &a.1, &b.1));
            }
        });
        touches
    }
}

/// Measures our crowds alone. One tick of 10,000 characters runs beside ten ticks of 1,000 characters.
fn growth(layout: &str) {
    let (few, many) = (Scene::new(layout, 1000), Scene::new(layout, 10_000));
    let (mut few, mut many) = (Ours::new(&few), Ours::new(&many));
    for _ in 0..TICKS {
        few.step();
        many.step();
    }
    let mut turns = Turns::new("crowd", format!("growth, {layout}")).items(10_000.0, "character and tick");
    turns.ours("10,000 characters", || assert!(many.step() > 0));
    turns.ours("1,000 characters, ten ticks", || (0..10).for_each(|_| assert!(few.step() > 0)));
    turns.run();
}

/// One tick in which one of ten characters is posed anew, as a server does with characters that are far from everyone.
/// Prints how the cost of a character grows from 1,000 to 100,000 characters, and their memory.
fn mostly_still() {
    const COUNTS: [usize; 2] = [1000, 100_000];
    let scenes = COUNTS.map(|count| Scene::new("1 per 4 m2", count));
    let crowds = [0, 1].map(|size| {
        let (mut crowd, used) = allocation_counter::of(|| Ours::new(&scenes[size]));
        let (_, grown) = allocation_counter::of(|| (0..TICKS).for_each(|_| assert!(crowd.step() > 0)));
        let bytes = (used.kept + grown.kept) as f64 / COUNTS[size] as f64;
        println!("\n1 per 4 m2, {} characters: {bytes:.0} bytes a character", COUNTS[size]);
        crowd
    });
    let least = [const { Cell::new(f64::INFINITY) }; 2];
    let [mut few, mut many] = crowds;
    let tick = |crowd: &mut Ours<'_>, size: usize, ticks: usize| {
        let start = Instant::now();
        (0..ticks).for_each(|_| assert!(crowd.step_some(10) > 0));
        let nanoseconds = start.elapsed().as_secs_f64() * 1e9 / (COUNTS[size] * ticks) as f64;
        least[size].set(least[size].get().min(nanoseconds));
    };
    let case = "1 per 4 m2, 1 of 10 posed anew";
    let mut turns = Turns::new("crowd", case).items(COUNTS[1] as f64, "character and tick");
    turns.ours("100,000 characters", || tick(&mut many, 1, 1));
    turns.ours("1,000 characters, 100 ticks", || tick(&mut few, 0, COUNTS[1] / COUNTS[0]));
    turns.run();
    let growth = least[1].get() / least[0].get();
    let of_n_log_n = (COUNTS[1] as f64).ln() / (COUNTS[0] as f64).ln();
    println!("    a character costs {growth:.2} times as much; by n log n {of_n_log_n:.2} times");
}

/// Poses 1,000 bodies of one character with one clip. 1, 10 or 100 bodies at different places play the clip at the same time.
fn shared_poses() {
    const BODIES: usize = 1000;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/runa.bonebox");
    let runa = Arc::new(Character::load(&std::fs::read(path).expect("the asset")).expect("a right character"));
    runa.prepare_clips();
    let place = |body: usize| Affine3A::from_translation(Vec3::new((body % 32) as f32, 0.0, (body / 32) as f32));
    // The bodies that share a pose are spread over the world, and no tick has the times of the one before.
    let time = |tick: usize, body: usize, share: usize| {
        let seconds = (body % (BODIES / share)) as f64 * 0.011 + tick as f64 / 60.0;
        LoopMode::Loop.clip_time(&runa.clips()[0], seconds)
    };
    let world = || {
        let mut world = HitboxWorld::new();
        for id in 0..BODIES as u64 {
            world.insert(BodyId(id), Arc::clone(&runa), BodySettings::default()).expect("a new id");
        }
        world.pose_each(|id, body| body.pose_from_rest(&place(id.0 as usize))).expect("finite poses");
        // Bounds overlap, so the boxes are computed with the pose from now on.
        world.update();
        world
    };
    let (mut sampler, mut tick_alone) = (ClipSampler::new(), 0);
    let mut alone = vec![PosedCharacter::new(); BODIES];
    let case = "1,000 bodies play one clip, posing";
    let mut turns = Turns::new("crowd", case).items(BODIES as f64, "body");
    for share in [1, 10, 100] {
        let (mut world, mut tick) = (world(), 0);
        let runa = &runa;
        turns.ours(format!("each pose is that of {share}"), move || {
            tick += 1;
            let pose = |id: BodyId, body: &mut BodyPoser<'_>| {
                let body_index = id.0 as usize;
                body.pose_from_clip(&place(body_index), ClipIndex(0), time(tick, body_index, share))
            };
            world.pose_each(pose).expect("finite poses");
            assert!(world.body(BodyId(999)).is_some_and(|body| body.posed().boxes().len() == runa.box_count()));
        });
    }
    turns.ours("without a world", || {
        tick_alone += 1;
        for (body, posed) in alone.iter_mut().enumerate() {
            let seconds = time(tick_alone, body, 1);
            posed.pose_from_clip(&mut sampler, &runa, &place(body), ClipIndex(0), seconds).expect("a finite pose");
        }
    });
    turns.run();
}

fn main() {
    shared_poses();
    for layout in ["1 per m2", "1 per 4 m2", "line-up, 0.8 m apart", "all in one place"] {
        for count in [10, 100, 1000, 10_000] {
            if layout == "all in one place" && count > 100 {
                continue;
            }
            let scene = Scene::new(layout, count);
            let (mut ours, mut posing) = (Ours::new(&scene), Ours::new(&scene));
            let (mut bodies, mut boxes) = (Parry::new(&scene), ParryBoxes::new(&scene));
            // The trees were built from the poses of the first tick, so all sides start with the second tick.
            ours.tick = 1;
            let mut expected = [[0; 2]; TICKS];
            for tick in (1..=TICKS).map(|tick| tick % TICKS) {
                let (a, b, c) = (ours.step(), bodies.step(), boxes.step());
                assert!(a.abs_diff(b) <= 1 + a / 500 && b == c, "{a} touches, parry has {b} and {c}");
                expected[tick] = [a, b];
            }
            println!("\n{layout}, {count} characters: {} touches", ours.world.touches().len());
            let case = format!("{layout}, {count} characters");
            let mut turns = Turns::new("crowd", case).items(count as f64, "character and tick");
            turns.peer("parry3d Bvh of characters", || {
                let tick = bodies.tick % TICKS;
                assert_eq!(bodies.step(), expected[tick][1]);
            });
            turns.peer("parry3d Bvh of boxes", || {
                let tick = boxes.0.tick % TICKS;
                assert_eq!(boxes.step(), expected[tick][1]);
            });
            turns.ours("HitboxWorld", || {
                let tick = ours.tick % TICKS;
                assert_eq!(ours.step(), expected[tick][0]);
            });
            turns.ours("posing alone", || posing.pose());
            turns.run();
        }
    }
    ["1 per m2", "1 per 4 m2"].into_iter().for_each(growth);
    mostly_still();
    println!("\nbytes: PosedCharacter {}, Touch {}", size_of::<PosedCharacter>(), size_of::<Touch>());
}
