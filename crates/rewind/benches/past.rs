//! The past of 1,000 characters of `assets/`, 1 per square meter, 64 ticks a second: recording a tick, rays at a moment
//! between two ticks, and 1,000 shots at 1,000 moments.
//!
//! The characters walk and turn, and each plays a clip. In the second world, every fourth character blends and adds clips in
//! layers.
//!
//! The peers keep the boxes of each tick in world space, as a programmer does it with parry3d. The first moves the colliders
//! of all bodies back to the moment for each shot, refits the tree of bodies, casts the ray, and restores the tree. The
//! second does the same at whole ticks, where it only exchanges lists. The third keeps a tree for each tick too. The last two
//! do less work than a moment between two ticks needs.

use geometry_core::Ray;
use glam::{Affine3A, Quat, Vec3};
use paired_timing::Turns;
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d::query::RayCast;
use parry3d::shape::Cuboid;
use rewind::{History, Moment, PastShot, Rules};
use runtime::{
    Bodies, BodyId, BodyRayHit, BodySettings, Character, ClipIndex, HitboxWorld, JointMask, LoopMode, PoseLayer,
    QueryFilter,
};
use skeleton::JointIndex;
use std::hint::black_box;
use std::sync::Arc;
use test_models::Random;

const BODIES: u64 = 1000;
const TICKS: u64 = 100;
const SHOTS: usize = 1000;
/// Ticks in [`Rules::max_back`], 0.25 seconds.
const BACK: u64 = 16;
const SECONDS: f32 = 1.0 / 64.0;

struct Walker {
    character: Arc<Character>,
    clip: ClipIndex,
    mask: JointMask,
    start: Vec3,
    velocity: Vec3,
    turning: f32,
    in_layers: bool,
}

struct Scene {
    walkers: Vec<Walker>,
    world: HitboxWorld,
    history: History,
    peer: Peer,
}

impl Scene {
    /// Plays and records all ticks.
    fn new(layers: bool) -> Self {
        let load = |name: &str| {
            let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
            Arc::new(Character::load(&std::fs::read(path).expect("the asset")).expect("a right character"))
        };
        let characters = ["runa", "bruno", "hound"].map(load);
        let mut random = Random::new(41);
        let side = (BODIES as f32).sqrt();
        let walkers = (0..BODIES).map(|id| {
            let character = Arc::clone(&characters[id as usize % characters.len()]);
            let middle = character.skeleton().len() as u16 / 2;
            Walker {
                clip: ClipIndex(random.below(character.clips().len()) as u32),
                mask: JointMask::new(&character, |joint| f32::from(u8::from(joint < JointIndex(middle)))),
                start: Vec3::new(random.between(0.0, side), 0.0, random.between(0.0, side)),
                velocity: Vec3::new(random.between(-4.0, 4.0), 0.0, random.between(-4.0, 4.0)),
                turning: random.between(-3.0, 3.0),
                in_layers: layers && id % 4 == 0,
                character,
            }
        });
        let mut scene = Self {
            walkers: walkers.collect(),
            world: HitboxWorld::new(),
            history: History::default(),
            peer: Peer::default(),
        };
        for (id, walker) in (0..).zip(&scene.walkers) {
            let character = Arc::clone(&walker.character);
            scene.world.insert(BodyId(id), character, BodySettings::default()).expect("a new id");
        }
        for tick in 0..TICKS {
            scene.pose(tick);
            scene.history.record(tick, &scene.world).expect("a newer tick");
            if tick + BACK + 1 >= TICKS {
                scene.peer.ticks.push(PeerTick::new(&scene.world));
            }
        }
        scene.peer.present = PeerTick::new(&scene.world);
        scene
    }

    fn pose(&mut self, tick: u64) {
        let Self { walkers, world, .. } = self;
        let time = tick as f32 * SECONDS;
        let pose = |id: BodyId, body: &mut runtime::BodyPoser<'_>| {
            let walker = &walkers[id.0 as usize];
            let angle = 0.5 * walker.turning * time;
            let turn = Quat::from_xyzw(0.0, libm::sinf(angle), 0.0, libm::cosf(angle));
            let place = Affine3A::from_rotation_translation(turn, walker.start + walker.velocity * (time - 1.5));
            let clip = &walker.character.clips()[walker.clip.index()];
            let seconds = |pace: f32| LoopMode::Loop.clip_time(clip, f64::from(time * pace + walker.start.x));
            if !walker.in_layers {
                return body.pose_from_clip(&place, walker.clip, seconds(1.0));
            }
            let layers = [
                PoseLayer::blend(ClipIndex(1), seconds(1.0), 1.0),
                PoseLayer::blend(walker.clip, seconds(1.2), 0.7).masked(&walker.mask),
                PoseLayer::add(walker.clip, seconds(0.7), 0.3),
            ];
            body.pose_from_layers(&place, &layers)
        };
        world.pose_each(pose).expect("finite poses");
        world.update();
    }
}

/// The boxes of all bodies at one tick, in world space.
#[derive(Clone, Default)]
struct PeerTick {
    boxes: Vec<(Pose, Cuboid)>,
    /// The first box of each body, and the number of all boxes.
    first: Vec<usize>,
    bounds: Vec<Aabb>,
    bvh: Bvh,
}

impl PeerTick {
    fn new(world: &HitboxWorld) -> Self {
        let mut tick = Self { first: vec![0], ..Self::default() };
        for body in world.bodies() {
            let mut around = Aabb::new_invalid();
            for one in body.posed().boxes() {
                let pose = Pose::from_parts(one.center, Quat::from_mat3(&one.axes).normalize());
                let cuboid = Cuboid::new(one.half_extents);
                around.merge(&cuboid.aabb(&pose));
                tick.boxes.push((pose, cuboid));
            }
            tick.first.push(tick.boxes.len());
            tick.bounds.push(around);
        }
        tick.bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &tick.bounds);
        tick
    }

    fn hits(&self, bvh: &Bvh, ray: &Ray) -> bool {
        let ray = parry3d::query::Ray::new(ray.origin(), ray.direction());
        let hit = bvh.cast_ray(&ray, f32::MAX, |leaf, best| {
            let boxes = &self.boxes[self.first[leaf as usize]..self.first[leaf as usize + 1]];
            boxes.iter().filter_map(|(pose, one)| one.cast_ray(pose, &ray, best, true)).min_by(f32::total_cmp)
        });
        hit.is_some()
    }
}

#[derive(Default)]
struct Peer {
    /// The last ticks, the oldest first.
    ticks: Vec<PeerTick>,
    present: PeerTick,
    /// Memory for colliders between two ticks.
    moved: PeerTick,
    workspace: BvhWorkspace,
}

impl Peer {
    fn tick(&self, moment: Moment) -> usize {
        (moment.tick + self.ticks.len() as u64 - TICKS) as usize
    }

    fn with_kept_tree(&self, shot: &PastShot<'_>) -> bool {
        let tick = &self.ticks[self.tick(shot.moment)];
        tick.hits(&tick.bvh, &shot.ray)
    }

    /// Moves all colliders back to the tick before the moment, casts the ray, and restores the tree.
    fn at_whole_tick(&mut self, shot: &PastShot<'_>) -> bool {
        let tick = self.tick(shot.moment);
        let Self { ticks, present, workspace, .. } = self;
        refit(&mut present.bvh, workspace, &ticks[tick].bounds);
        // Choosing the list of boxes copies none of them.
        let hits = ticks[tick].hits(&present.bvh, &shot.ray);
        refit(&mut present.bvh, workspace, &present.bounds);
        hits
    }

    /// Moves all colliders back to the moment, casts the ray, and restores the tree.
    fn at_moment(&mut self, shot: &PastShot<'_>) -> bool {
        let tick = self.tick(shot.moment);
        let Self { ticks, present, moved, workspace } = self;
        let (from, to, share) = (&ticks[tick], &ticks[tick + 1], shot.moment.fraction);
        moved.boxes.clear();
        moved.bounds.clear();
        moved.first.clone_from(&from.first);
        for body in from.first.windows(2) {
            let mut around = Aabb::new_invalid();
            for index in body[0]..body[1] {
                let ((a, cuboid), (b, _)) = (&from.boxes[index], &to.boxes[index]);
                let at = a.translation.lerp(b.translation, share);
                let pose = Pose::from_parts(at, a.rotation.lerp(b.rotation, share));
                around.merge(&cuboid.aabb(&pose));
                moved.boxes.push((pose, *cuboid));
            }
            moved.bounds.push(around);
        }
        refit(&mut present.bvh, workspace, &moved.bounds);
        let hits = moved.hits(&present.bvh, &shot.ray);
        refit(&mut present.bvh, workspace, &present.bounds);
        hits
    }
}

fn refit(bvh: &mut Bvh, workspace: &mut BvhWorkspace, bounds: &[Aabb]) {
    for (leaf, aabb) in (0..).zip(bounds) {
        bvh.insert_or_update_partially(*aabb, leaf, 0.0);
    }
    bvh.refit(workspace);
}

fn shots(count: usize, mut moment: impl FnMut(&mut Random) -> Moment) -> Vec<PastShot<'static>> {
    let mut random = Random::new(5);
    let side = (BODIES as f32).sqrt();
    let shot = |_| {
        let moment = moment(&mut random);
        let mut spot = || Vec3::new(random.between(0.0, side), random.between(0.3, 1.7), random.between(0.0, side));
        let (from, to) = (spot(), spot());
        let ray = Ray::try_new(from, (to - from).normalize()).expect("a direction");
        PastShot { moment, ray, max_time: None, filter: QueryFilter::default() }
    };
    (0..count).map(shot).collect()
}

fn recording(scene: &Scene, world: &str) {
    let (mut history, mut looked) = (scene.history.clone(), scene.history.clone());
    let mut copies = vec![HitboxWorld::new(); BACK as usize];
    let mut ticks: Vec<PeerTick> = scene.peer.ticks.clone();
    let miss = Ray::try_new(Vec3::Y * 100.0, Vec3::Y).expect("a direction");
    let (mut tick, mut tick_looked, mut copy, mut of_peer) = (TICKS, TICKS, 0, 0);
    let record = |history: &mut History, tick: &mut u64| {
        let recorded = history.record(*tick, &scene.world).expect("a newer tick");
        assert_eq!(recorded.bodies as u64, BODIES);
        *tick += 1;
    };
    // All memory grows before the clock starts.
    for _ in 0..2 * TICKS {
        record(&mut history, &mut tick);
        record(&mut looked, &mut tick_looked);
    }
    copies.iter_mut().for_each(|copy| copy.clone_from(&scene.world));
    let mut turns = Turns::new("past", format!("{world}: recording a tick of 1,000 bodies")).items(1.0, "tick");
    turns.peer("boxes in world space for parry3d, copied", || {
        let (place, now) = (of_peer % ticks.len(), &scene.peer.present);
        ticks[place].boxes.clone_from(&now.boxes);
        ticks[place].bounds.clone_from(&now.bounds);
        of_peer += 1;
        assert_eq!(black_box(&ticks[place]).bounds.len() as u64, BODIES);
    });
    turns.ours("a copy of the world", || {
        copies[copy % BACK as usize].clone_from(&scene.world);
        copy += 1;
    });
    turns.ours("record", || record(&mut history, &mut tick));
    turns.ours("record, and bounds before the tick", || {
        record(&mut looked, &mut tick_looked);
        let view = looked.at(Moment { tick: tick_looked - 2, fraction: 0.5 }).expect("a moment");
        assert!(!view.cast_ray_any(&miss, None, &QueryFilter::default()));
    });
    turns.run();
}

/// Casts rays in the present and in the past.
struct Rays<'a> {
    scene: &'a Scene,
    shots: &'a [PastShot<'a>],
    now: Vec<Option<BodyRayHit>>,
    then: Vec<Option<BodyRayHit>>,
}

impl<'a> Rays<'a> {
    fn new(scene: &'a Scene, shots: &'a [PastShot<'a>]) -> Self {
        let mut rays = Self { scene, shots, now: Vec::new(), then: Vec::new() };
        rays.now = shots.iter().map(|shot| rays.present(shot)).collect();
        rays.then = shots.iter().map(|shot| rays.past(shot)).collect();
        let differ = rays.then.iter().zip(&rays.now).filter(|(then, now)| then != now).count();
        assert!(rays.hits() > shots.len() / 2 && differ > shots.len() / 2, "{}, {differ}", rays.hits());
        rays
    }

    fn hits(&self) -> usize {
        self.then.iter().flatten().count()
    }

    fn present(&self, shot: &PastShot<'_>) -> Option<BodyRayHit> {
        self.scene.world.cast_ray(&shot.ray, None, &shot.filter)
    }

    /// A ray in a view of its own.
    fn past(&self, shot: &PastShot<'_>) -> Option<BodyRayHit> {
        self.scene.history.at(shot.moment).expect("a moment").cast_ray(&shot.ray, None, &shot.filter)
    }

    fn check(&self, count: usize) {
        // The peers round differently, and those at whole ticks see another moment.
        assert!(count.abs_diff(self.hits()) <= self.shots.len() / 50, "{count} and {}", self.hits());
    }

    /// Beside the present, and beside trees that are kept.
    fn beside_the_present(&self, case: String, are_together: bool) {
        let Self { scene, shots, now, then } = self;
        let mut found = Vec::new();
        let mut turns = Turns::new("past", case).items(shots.len() as f64, "ray");
        turns.peer("parry3d at whole ticks, a tree kept for each", || {
            self.check(shots.iter().filter(|shot| scene.peer.with_kept_tree(black_box(shot))).count());
        });
        turns.ours("in the present", || {
            assert!(shots.iter().zip(now).all(|(shot, expected)| self.present(black_box(shot)) == *expected));
        });
        if are_together {
            turns.ours("cast_rays", || {
                scene.history.cast_rays(black_box(shots), &Rules::default(), &mut found);
                assert!(found.iter().zip(then).all(|(hit, expected)| hit == &Ok(*expected)));
            });
        } else {
            turns.ours("a view for each ray", || {
                assert!(shots.iter().zip(then).all(|(shot, expected)| self.past(black_box(shot)) == *expected));
            });
        }
        turns.run();
    }

    /// Beside colliders that are moved back for each ray. This takes long, so there should be few rays.
    fn beside_moved_colliders(&self, case: &str) {
        let Self { scene, shots, then, .. } = self;
        let copy = || Peer { ticks: scene.peer.ticks.clone(), present: scene.peer.present.clone(), ..Peer::default() };
        let [mut whole, mut between] = [copy(), copy()];
        let mut turns = Turns::new("past", case).items(shots.len() as f64, "ray");
        turns.peer("parry3d, all bodies moved back", || {
            self.check(shots.iter().filter(|shot| between.at_moment(black_box(shot))).count());
        });
        turns.peer("parry3d, the same at whole ticks", || {
            self.check(shots.iter().filter(|shot| whole.at_whole_tick(black_box(shot))).count());
        });
        turns.ours("a view for each ray", || {
            assert!(shots.iter().zip(then).all(|(shot, expected)| self.past(black_box(shot)) == *expected));
        });
        turns.run();
    }
}

fn main() {
    let newest = TICKS - 1;
    let same = shots(256, |_| Moment { tick: newest - 9, fraction: 0.4 });
    let own = shots(SHOTS, |random| {
        let back = 15.5 * random.share_f64();
        Moment::at(newest as f64 - back).expect("after the start")
    });
    for (world, layers) in [("clips", false), ("a quarter in layers", true)] {
        let scene = Scene::new(layers);
        recording(&scene, world);
        let rays = Rays::new(&scene, &same);
        rays.beside_the_present(format!("{world}: a ray at a moment between two ticks"), false);
        Rays::new(&scene, &own).beside_the_present(format!("{world}: 1,000 shots at 1,000 moments"), true);
        if !layers {
            Rays::new(&scene, &own[..50]).beside_moved_colliders("clips: colliders moved back for each ray");
        }
    }
}
