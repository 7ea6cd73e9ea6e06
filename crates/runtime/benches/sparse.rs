//! A tick of a sparse world: 1,000 characters of `assets/` play their clips at 60 Hz, 1 per 100 square meters, the world is
//! updated, and 50 shots of up to 100 m are cast. Nobody asks about most characters.
//!
//! The second case poses characters without a world, as a measure of the machine.

use geometry_core::Ray;
use glam::{Affine3A, Quat, Vec3};
use paired_timing::Turns;
use runtime::{
    BodyId, BodySettings, Character, ClipIndex, ClipSampler, HitboxWorld, LoopMode, PosedCharacter, QueryFilter,
};
use std::hint::black_box;
use std::sync::Arc;
use test_models::Random;

const BODIES: u64 = 1000;
const RAYS: usize = 50;
/// The length of a ray, in meters.
const REACH: f32 = 100.0;
/// The number of ticks after which everything repeats: a second forward and a second back.
const TICKS: usize = 120;

struct Fighter {
    character: Arc<Character>,
    clip: ClipIndex,
    started: f64,
    world_from_model: Affine3A,
}

impl Fighter {
    fn seconds(&self, tick: usize) -> f32 {
        let phase = tick % TICKS;
        let elapsed = self.started + phase.min(TICKS - phase) as f64 / 60.0;
        LoopMode::Loop.clip_time(&self.character.clips()[self.clip.index()], elapsed)
    }
}

fn fighters(random: &mut Random) -> Vec<Fighter> {
    let load = |name: &str| {
        let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
        let character = Character::load(&std::fs::read(path).expect("the asset")).expect("a right character");
        character.prepare_clips();
        Arc::new(character)
    };
    let characters = ["runa", "bruno", "hound"].map(load);
    let fighter = |id: u64| {
        let character = Arc::clone(&characters[id as usize % characters.len()]);
        let clip = ClipIndex(random.below(character.clips().len()) as u32);
        let turn = Quat::from_xyzw(0.0, random.between(-1.0, 1.0), 0.0, 0.5).normalize();
        let world_from_model = Affine3A::from_rotation_translation(turn, spot(random, 0.0));
        Fighter { character, clip, started: random.between(0.0, 4.0).into(), world_from_model }
    };
    (0..BODIES).map(fighter).collect()
}

fn spot(random: &mut Random, height: f32) -> Vec3 {
    let side = (BODIES as f32 * 100.0).sqrt();
    Vec3::new(random.between(0.0, side), height, random.between(0.0, side))
}

struct Sparse {
    fighters: Vec<Fighter>,
    rays: Vec<Ray>,
    world: HitboxWorld,
    tick: usize,
}

impl Sparse {
    fn new() -> Self {
        let mut random = Random::new(17);
        let fighters = fighters(&mut random);
        let ray = |_| {
            let way = Vec3::new(random.between(-1.0, 1.0), random.between(-0.02, 0.02), random.between(-1.0, 1.0));
            Ray::try_new(spot(&mut random, 1.2), way.normalize()).expect("a direction")
        };
        let rays = (0..RAYS).map(ray).collect();
        let mut world = HitboxWorld::new();
        for (id, fighter) in (0..).zip(&fighters) {
            world.insert(BodyId(id), Arc::clone(&fighter.character), BodySettings::default()).expect("a new id");
        }
        Self { fighters, rays, world, tick: 0 }
    }

    fn step(&mut self) -> [usize; 2] {
        let Self { fighters, rays, world, tick } = self;
        world
            .pose_each(|id, body| {
                let fighter = &fighters[id.0 as usize];
                body.pose_from_clip(&fighter.world_from_model, fighter.clip, fighter.seconds(*tick))
            })
            .expect("finite poses");
        *tick += 1;
        world.update();
        let hits = rays.iter().filter(|ray| world.cast_ray(ray, REACH, &QueryFilter::default()).is_some()).count();
        [world.touches().len(), hits]
    }
}

fn main() {
    let mut sparse = Sparse::new();
    let expected: Vec<[usize; 2]> = (0..TICKS).map(|_| sparse.step()).collect();
    assert!(expected.iter().all(|[_, hits]| *hits > 5), "{expected:?}");
    let fighters = fighters(&mut Random::new(17));
    let (mut sampler, mut posed) = (ClipSampler::new(), PosedCharacter::new());
    let mut turns = Turns::new("sparse", "1,000 characters, 1 per 100 square meters").items(1.0, "tick");
    turns.ours("pose, update and 50 rays", || {
        let tick = sparse.tick % TICKS;
        assert_eq!(sparse.step(), black_box(expected[tick]));
    });
    turns.ours("posing alone, without a world", || {
        for fighter in &fighters {
            let (place, seconds) = (&fighter.world_from_model, fighter.seconds(0));
            posed
                .pose_from_clip(&mut sampler, &fighter.character, place, fighter.clip, seconds)
                .expect("a finite pose");
        }
    });
    turns.run();
}
