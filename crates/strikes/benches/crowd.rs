//! 1,000 characters of `assets/`, 1 per square meter, 60 ticks a second. 200 of them swing all the time: Runa jabs and kicks
//! again and again. One item is a tick.
//!
//! The peer is what a game does in each tick anyway: it poses all bodies, and updates the world, with all touches.

use glam::{Affine3A, Vec3};
use paired_timing::Turns;
use rewind::{History, HistorySettings};
use runtime::{BodyId, BodySettings, Character, ClipIndex, HitboxWorld, LoopMode};
use std::hint::black_box;
use std::sync::Arc;
use strikes::{StrikeRules, Strikes, Swing};
use test_models::Random;

const BODIES: u64 = 1000;
const TICKS: u64 = 120;
const SECONDS: f64 = 1.0 / 60.0;

struct Fighter {
    character: Arc<Character>,
    clip: ClipIndex,
    start: Vec3,
    velocity: Vec3,
    swings: bool,
}

fn fighters() -> Vec<Fighter> {
    let load = |name: &str| {
        let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
        Arc::new(Character::load(&std::fs::read(path).expect("the asset")).expect("a right character"))
    };
    let (runa, bruno) = (load("runa"), load("bruno"));
    let mut random = Random::new(5);
    let side = (BODIES as f32).sqrt();
    (0..BODIES)
        .map(|id| {
            let swings = id % 5 == 0;
            let (character, clips) = match id % 5 {
                0 => (&runa, ["jab", "roundhouse_kick"]),
                1 | 2 => (&runa, ["idle", "walk"]),
                _ => (&bruno, ["idle", "walk"]),
            };
            character.prepare_clips();
            let clip = character.find_clip(clips[random.below(2)]).expect("a clip of the asset");
            let start = Vec3::new(random.between(0.0, side), 0.0, random.between(0.0, side));
            let velocity = Vec3::new(random.signed(), 0.0, random.signed());
            Fighter { character: Arc::clone(character), clip, start, velocity, swings }
        })
        .collect()
}

fn pose(fighters: &[Fighter], world: &mut HitboxWorld, tick: u64) {
    let time = tick as f64 * SECONDS;
    for (id, fighter) in (0..).zip(fighters) {
        let place = Affine3A::from_translation(fighter.start + fighter.velocity * time as f32);
        let seconds = LoopMode::Loop.clip_time(&fighter.character.clips()[fighter.clip.index()], time);
        world.pose_from_clip(BodyId(id), &place, fighter.clip, seconds).expect("a right pose");
    }
}

fn main() {
    let fighters = fighters();
    let mut world = HitboxWorld::new();
    for (id, fighter) in (0..).zip(&fighters) {
        world.insert(BodyId(id), Arc::clone(&fighter.character), BodySettings::default()).expect("a new body");
    }
    let mut history = History::new(HistorySettings { ticks: TICKS as usize + 1, tick_seconds: SECONDS });
    for tick in 0..=TICKS {
        pose(&fighters, &mut world, tick);
        world.update();
        history.record(tick, &world).expect("the next tick");
    }
    let (mut all, mut found) = (Vec::new(), 0);
    let mut swing = || {
        found = 0;
        // Each fighter begins a new swing every second, about the length of a clip.
        for start in (0..TICKS).step_by(60) {
            let mut swings = Strikes::new();
            for (id, fighter) in (0..).zip(&fighters).filter(|(_, fighter)| fighter.swings) {
                let clip = &fighter.character.clips()[fighter.clip.index()];
                let seconds = LoopMode::Loop.clip_time(clip, start as f64 * SECONDS);
                let swing = Swing { loops: true, seconds, ..Swing::new(BodyId(id), 0, fighter.clip) };
                swings.begin(swing).expect("a new swing");
            }
            assert_eq!(swings.swings().len(), 200);
            for tick in start..start + 60 {
                swings.advance(&history, [tick, tick + 1], &StrikeRules::default(), &mut all).expect("all ticks");
                found += all.len();
            }
        }
        found
    };
    let strikes = swing();
    println!("{strikes} strikes in {TICKS} ticks");
    assert!(strikes > 100, "{strikes} strikes");

    let mut turns = Turns::new("crowd", "1,000 fighters, 200 swing").items(TICKS as f64, "tick");
    turns.peer("pose and update", || {
        for tick in 0..TICKS {
            pose(&fighters, &mut world, tick);
            world.update();
            black_box(world.touches());
        }
    });
    turns.ours("strikes", || {
        black_box(swing());
    });
    turns.run();
}
