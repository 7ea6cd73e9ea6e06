//! A server's whole tick: 1,000 characters of `assets/` play their clips at 60 Hz, 1 per square meter; what touches and
//! what has changed since the last tick; 50 shots at heads and torsos, and 50 weapons that move by 0.4 m.
//!
//! The peer is what a careful programmer writes with parry3d: a `Bvh` of characters that is refitted, boxes culled by the
//! bounds of the other character before pairs of boxes are tested, and a sorted list of touches that is merged with that of
//! the last tick. parry3d has no sampler of clips, so the peer samples with this crate's [`ClipSampler`]. The ratio is
//! therefore about collision alone.
//!
//! Time flows on from tick to tick: it goes forward for a second and back again, so no clip jumps but where it loops.

mod common;

use geometry_core::{Obb, Ray};
use glam::{Affine3A, Mat3, Quat, Vec3};
use paired_timing::Turns;
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d::query::details::intersection_test_cuboid_cuboid;
use parry3d::query::{RayCast, ShapeCastOptions, cast_shapes};
use parry3d::shape::Cuboid;
use runtime::{
    BodyCastHit, BodyId, BodySettings, Character, ClipIndex, ClipSampler, HitboxWorld, LoopMode, QueryFilter,
    TouchPhase,
};
use std::cmp::Ordering;
use std::hint::black_box;
use std::sync::Arc;
use test_models::Random;

const BODIES: usize = 1000;
/// The number of ticks after which everything repeats: a second forward and a second back.
const TICKS: usize = 120;
const QUERIES: usize = 50;
const TAGS: [&str; 2] = ["head", "torso"];

struct Fighter {
    character: usize,
    clip: ClipIndex,
    started: f32,
    world_from_model: Affine3A,
}

struct Scene {
    characters: Vec<Arc<Character>>,
    fighters: Vec<Fighter>,
    rays: Vec<Ray>,
    /// Each weapon's first pose, and its translation to the last pose.
    weapons: Vec<(Obb, Vec3)>,
}

impl Scene {
    fn new() -> Self {
        let load = |name: &str| {
            let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
            Arc::new(Character::load(&std::fs::read(path).expect("the asset")).expect("a right character"))
        };
        let characters: Vec<_> = ["runa", "bruno", "hound"].map(load).into();
        let mut random = Random::new(31);
        let side = (BODIES as f32).sqrt();
        let fighters = (0..BODIES).map(|index| {
            let character = index % characters.len();
            let clips = characters[character].clips().len() as f32;
            let turn = Quat::from_xyzw(0.0, random.between(-1.0, 1.0), 0.0, 0.5).normalize();
            let spot = Vec3::new(random.between(0.0, side), 0.0, random.between(0.0, side));
            Fighter {
                character,
                clip: ClipIndex(random.between(0.0, clips - 0.01) as u32),
                started: random.between(0.0, 4.0),
                world_from_model: Affine3A::from_rotation_translation(turn, spot),
            }
        });
        let fighters: Vec<Fighter> = fighters.collect();
        let mut spot = || Vec3::new(random.between(0.0, side), random.between(0.4, 1.6), random.between(0.0, side));
        let rays = (0..QUERIES).map(|_| {
            let (from, to) = (spot(), spot());
            Ray::try_new(from, (to - from).normalize()).expect("a direction")
        });
        let rays = rays.collect();
        let weapons = (0..QUERIES).map(|_| {
            let turn = Quat::from_xyzw(spot().x, spot().y, spot().z, 9.0).normalize();
            let way = (spot() - spot()).normalize() * 0.4;
            (Obb::from_orientation(spot(), Vec3::new(0.02, 0.45, 0.03), turn), way)
        });
        let weapons = weapons.collect();
        Self { characters, fighters, rays, weapons }
    }

    fn seconds(&self, fighter: &Fighter, tick: usize) -> f32 {
        let clip = &self.characters[fighter.character].clips()[fighter.clip.index()];
        let phase = tick % TICKS;
        LoopMode::Loop.clip_time(clip, (fighter.started + phase.min(TICKS - phase) as f32 / 60.0).into())
    }
}

/// The numbers of one tick: touches, changes of touches, shots that hit, bodies hit by weapons.
type Found = [usize; 4];

struct Ours<'a> {
    scene: &'a Scene,
    world: HitboxWorld,
    hits: Vec<BodyCastHit>,
    tick: usize,
}

impl<'a> Ours<'a> {
    fn new(scene: &'a Scene) -> Self {
        let mut world = HitboxWorld::new();
        for (id, fighter) in (0..).zip(&scene.fighters) {
            let character = Arc::clone(&scene.characters[fighter.character]);
            world.insert(BodyId(id), character, BodySettings::default()).expect("a new id");
        }
        Self { scene, world, hits: Vec::new(), tick: 0 }
    }

    fn step(&mut self) -> Found {
        let Self { scene, world, hits, tick } = self;
        world
            .pose_each(|id, body| {
                let fighter = &scene.fighters[id.0 as usize];
                body.pose_from_clip(&fighter.world_from_model, fighter.clip, scene.seconds(fighter, *tick))
            })
            .expect("finite poses");
        *tick += 1;
        world.update();
        let changes = world.events().iter().filter(|event| event.phase != TouchPhase::Persisted).count();
        let filter = QueryFilter { tags: &TAGS, ..QueryFilter::default() };
        let shots = scene.rays.iter().filter(|ray| world.cast_ray(ray, None, &filter).is_some()).count();
        let mut struck = 0;
        for (weapon, way) in &scene.weapons {
            let end = Obb::new(weapon.center() + *way, weapon.half_extents(), weapon.axes());
            world.cast_shape_all(weapon, &end, None, &QueryFilter::default(), hits);
            struck += hits.len();
        }
        [world.touches().len(), changes, shots, struck]
    }
}

/// A box of a character: its place, its size and its bounds in world space.
type PeerBox = (Pose, Cuboid, Aabb);

struct Peer<'a> {
    scene: &'a Scene,
    /// `true` for each box that has one of the tags, by character and box.
    has_tag: Vec<Vec<bool>>,
    sampler: ClipSampler,
    bodies: Vec<Vec<PeerBox>>,
    /// The bounds of each body.
    around: Vec<Aabb>,
    bvh: Bvh,
    workspace: BvhWorkspace,
    /// The boxes of two bodies that reach into the bounds of the other body.
    near: [Vec<u32>; 2],
    /// The touches of each pair of bodies, in the order in which the tree finds pairs: bodies, and a part of `unsorted`.
    pairs: Vec<([u32; 2], [usize; 2])>,
    unsorted: Vec<[u32; 2]>,
    touches: Vec<[u32; 4]>,
    before: Vec<[u32; 4]>,
    tick: usize,
}

impl<'a> Peer<'a> {
    fn new(scene: &'a Scene) -> Self {
        let has_tag = |character: &Arc<Character>| {
            character.hitboxes().map(|one| one.tags.iter().any(|tag| TAGS.contains(&tag.as_str()))).collect()
        };
        let body = |fighter: &Fighter| {
            let boxes = &scene.characters[fighter.character].baked().boxes;
            boxes.iter().map(|one| (Pose::IDENTITY, Cuboid::new(one.half_extents), Aabb::new_invalid())).collect()
        };
        let mut peer = Self {
            scene,
            has_tag: scene.characters.iter().map(has_tag).collect(),
            sampler: ClipSampler::new(),
            bodies: scene.fighters.iter().map(body).collect(),
            around: vec![Aabb::new_invalid(); scene.fighters.len()],
            bvh: Bvh::default(),
            workspace: BvhWorkspace::default(),
            near: [Vec::new(), Vec::new()],
            pairs: Vec::new(),
            unsorted: Vec::new(),
            touches: Vec::new(),
            before: Vec::new(),
            tick: 0,
        };
        peer.pose();
        peer.tick = 0;
        peer.bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &peer.around);
        peer
    }

    fn pose(&mut self) {
        let Self { scene, sampler, bodies, around, tick, .. } = self;
        for ((body, around), fighter) in bodies.iter_mut().zip(around).zip(&scene.fighters) {
            let character = &scene.characters[fighter.character];
            let sampled = sampler.sample(character, fighter.clip, scene.seconds(fighter, *tick));
            let model_from_joint = sampled.expect("a clip of the character");
            *around = Aabb::new_invalid();
            for ((world, cuboid, aabb), one) in body.iter_mut().zip(&character.baked().boxes) {
                let joint = fighter.world_from_model * model_from_joint[one.joint.index()];
                let rotation = Quat::from_mat3(&Mat3::from(joint.matrix3)) * one.orientation;
                *world = Pose::from_parts(joint.transform_point3(one.center), rotation);
                *aabb = cuboid.aabb(world);
                around.merge(aabb);
            }
        }
        *tick += 1;
    }

    /// Finds all touches, sorted by bodies and boxes.
    fn find_touches(&mut self) {
        let Self { bodies, around, bvh, workspace, near, pairs, unsorted, touches, .. } = self;
        pairs.clear();
        unsorted.clear();
        bvh.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
            let [a, b] = [a.min(b), a.max(b)];
            let [boxes_a, boxes_b] = [a, b].map(|body| &bodies[body as usize]);
            near_boxes(boxes_a, &around[b as usize], &mut near[0]);
            near_boxes(boxes_b, &around[a as usize], &mut near[1]);
            let start = unsorted.len();
            for &box_a in &near[0] {
                let (pose_a, cuboid_a, aabb_a) = &boxes_a[box_a as usize];
                for &box_b in &near[1] {
                    let (pose_b, cuboid_b, aabb_b) = &boxes_b[box_b as usize];
                    if aabb_a.intersects(aabb_b)
                        && intersection_test_cuboid_cuboid(&pose_a.inv_mul(pose_b), cuboid_a, cuboid_b)
                    {
                        unsorted.push([box_a, box_b]);
                    }
                }
            }
            if unsorted.len() > start {
                pairs.push(([a, b], [start, unsorted.len()]));
            }
        });
        pairs.sort_unstable();
        touches.clear();
        for &([a, b], [start, end]) in &*pairs {
            touches.extend(unsorted[start..end].iter().map(|&[box_a, box_b]| [a, b, box_a, box_b]));
        }
    }

    fn step(&mut self) -> Found {
        self.pose();
        for (leaf, aabb) in (0..).zip(&self.around) {
            self.bvh.insert_or_update_partially(*aabb, leaf, 0.0);
        }
        self.bvh.refit(&mut self.workspace);
        std::mem::swap(&mut self.touches, &mut self.before);
        self.find_touches();
        let Self { scene, has_tag, bodies, bvh, touches, before, .. } = self;
        let changes = count_changes(before, touches);
        let shot = |ray: &&Ray| {
            let ray = parry3d::query::Ray::new(ray.origin(), ray.direction());
            let hit = bvh.cast_ray(&ray, f32::MAX, |leaf, best| {
                let boxes = bodies[leaf as usize].iter().zip(&has_tag[scene.fighters[leaf as usize].character]);
                let tagged = boxes.filter(|(_, has_tag)| **has_tag);
                let times = tagged.filter_map(|((pose, cuboid, _), _)| cuboid.cast_ray(pose, &ray, best, true));
                times.min_by(f32::total_cmp)
            });
            hit.is_some()
        };
        let shots = scene.rays.iter().filter(shot).count();
        let mut struck = 0;
        for (weapon, way) in &scene.weapons {
            let pose = Pose::from_parts(weapon.center(), Quat::from_mat3(&weapon.axes()));
            let cuboid = Cuboid::new(weapon.half_extents());
            let start = cuboid.aabb(&pose);
            let swept = Aabb::new(start.mins.min(start.mins + *way), start.maxs.max(start.maxs + *way));
            for leaf in bvh.intersect_aabb(&swept) {
                for (other, box_of_other, aabb) in &bodies[leaf as usize] {
                    let options = ShapeCastOptions::with_max_time_of_impact(1.0);
                    let still = parry3d::math::Vector::ZERO;
                    struck += usize::from(
                        swept.intersects(aabb)
                            && cast_shapes(&pose, *way, &cuboid, other, still, box_of_other, options)
                                .is_ok_and(|hit| hit.is_some()),
                    );
                }
            }
        }
        [touches.len(), changes, shots, struck]
    }
}

/// The boxes whose bounds reach into the bounds of another body.
fn near_boxes(boxes: &[PeerBox], bounds: &Aabb, near: &mut Vec<u32>) {
    near.clear();
    near.extend((0..).zip(boxes).filter(|(_, (_, _, aabb))| aabb.intersects(bounds)).map(|(index, _)| index));
}

/// The number of items that only one of two sorted lists has.
fn count_changes(mut before: &[[u32; 4]], mut now: &[[u32; 4]]) -> usize {
    let mut changes = 0;
    while let (Some(old), Some(new)) = (before.first(), now.first()) {
        let order = old.cmp(new);
        changes += usize::from(order != Ordering::Equal);
        before = &before[usize::from(order != Ordering::Greater)..];
        now = &now[usize::from(order != Ordering::Less)..];
    }
    changes + before.len() + now.len()
}

fn main() {
    let scene = Scene::new();
    let (mut ours, mut peer) = (Ours::new(&scene), Peer::new(&scene));
    let mut expected = Vec::new();
    // The first period warms up; its first tick begins all touches.
    for tick in 0..2 * TICKS {
        let (found, of_peer) = (ours.step(), peer.step());
        // The two round differently, and ours finds weapons that pass within a ten-thousandth of a box.
        for (found, of_peer) in found.iter().zip(of_peer) {
            assert!(found.abs_diff(of_peer) <= 3 + of_peer / 100, "tick {tick}: {found} and {of_peer}");
        }
        let [touches, changes, shots, struck] = found;
        assert!(touches > 1000 && changes > 10 && shots > 10 && struck > 5, "{found:?}");
        if tick >= TICKS {
            expected.push([found, of_peer]);
        }
    }
    let mean = |index: usize| expected.iter().map(|[ours, _]| ours[index]).sum::<usize>() / TICKS;
    let means = [0, 1, 2, 3].map(mean);
    println!("means of {TICKS} ticks: touches, changes, shots that hit, boxes struck by weapons: {means:?}");
    let mut turns = Turns::new("tick", "1,000 characters, one tick");
    turns.peer("parry3d behind bounds, clips sampled as ours", || {
        let tick = peer.tick % TICKS;
        assert_eq!(peer.step(), black_box(expected[tick][1]));
    });
    turns.ours("HitboxWorld", || {
        let tick = ours.tick % TICKS;
        assert_eq!(ours.step(), black_box(expected[tick][0]));
    });
    turns.run();
}
