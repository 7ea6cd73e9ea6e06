//! The examples, 120 ticks each, and what must come out of them.

#[allow(dead_code, reason = "the example's program uses it")]
#[path = "../../examples/common/mod.rs"]
mod common;
#[path = "../../examples/duel/game.rs"]
mod duel;
#[cfg(all(feature = "ragdoll", feature = "avian", feature = "bake"))]
#[path = "../../examples/ragdoll/game.rs"]
mod ragdoll;
#[path = "../../examples/server/game.rs"]
mod server;
#[path = "../../examples/shooter/game.rs"]
mod shooter;

use crate::stage::{asset_bytes, character};
use bevy_app::App;
use bevy_app::prelude::Plugin;
use bevy_bonebox::bonebox::{
    BodyId, BodySettings, Character, ClipSampler, HitboxWorld, LoopMode, PosedCharacter, Ray, TouchPhase,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An app that is to run for 120 ticks.
fn app(plugin: impl Plugin) -> App {
    let mut app = common::headless();
    #[cfg(feature = "debug")]
    app.add_plugins(bevy_gizmos::GizmoPlugin);
    app.add_plugins(plugin);
    app.finish();
    app.cleanup();
    app
}

/// Updates until the example is at its first tick.
fn until_first(app: &mut App, tick: impl Fn(&App) -> Option<u16>) {
    for _ in 0..5_000 {
        app.update();
        if tick(app).is_some() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("the characters never came");
}

/// The pairs of joints of each tick, as `bonebox duel --json` printed them.
fn duel_of_the_program() -> Vec<BTreeSet<(String, String)>> {
    let lines = include_str!("../duel.jsonl").lines();
    lines
        .map(|line| {
            let tick: serde_json::Value = serde_json::from_str(line).unwrap();
            let pairs = tick["pairs"].as_array().unwrap().iter();
            let name = |pair: &serde_json::Value, key: &str| pair[key].as_str().unwrap().to_owned();
            pairs.map(|pair| (name(pair, "a"), name(pair, "b"))).collect()
        })
        .collect()
}

#[test]
fn the_duel_lights_up_what_the_program_says() {
    let expected = duel_of_the_program();
    assert_eq!(expected.len(), 120);
    assert!(expected.iter().filter(|pairs| !pairs.is_empty()).count() > 10);
    let mut app = app(duel::DuelPlugin);
    let tick = |app: &App| app.world().resource::<duel::Round>().0;
    until_first(&mut app, tick);
    for (number, expected) in expected.iter().enumerate() {
        assert_eq!(tick(&app), Some(number as u16));
        let lit: BTreeSet<_> = app.world().resource::<duel::Lights>().0.keys().cloned().collect();
        assert_eq!(&lit, expected, "tick {number}");
        app.update();
    }
}

#[cfg(feature = "debug")]
#[test]
fn the_duel_shows_its_hitboxes_until_a_key_hides_them() {
    use bevy_asset::Assets;
    use bevy_gizmos::{GizmoAsset, GizmoHandles};
    use bevy_input::ButtonInput;
    use bevy_input::keyboard::KeyCode;
    use std::any::TypeId;

    let mut app = app(duel::DuelPlugin);
    until_first(&mut app, |app| app.world().resource::<duel::Round>().0);
    let boxes = character("runa").box_count() + character("bruno").box_count();
    let positions = |app: &App| {
        let handles = app.world().resource::<GizmoHandles>().handles();
        let handle = handles.get(&TypeId::of::<bevy_bonebox::HitboxGizmos>()).unwrap().clone()?;
        let asset = app.world().resource::<Assets<GizmoAsset>>().get(&handle).unwrap();
        Some(asset.buffer().buffer().list_positions.len())
    };
    // A box has twelve edges of two ends each.
    assert_eq!(positions(&app), Some(24 * boxes));
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::KeyH);
    app.update();
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().clear();
    // Fixed ticks come before `Update` in a frame, so that the key shows in the next.
    app.update();
    assert_eq!(positions(&app), None);
}

#[test]
fn the_shots_hit_what_the_run_time_says() {
    let mut app = app(shooter::ShooterPlugin);
    let tick = |app: &App| app.world().resource::<shooter::Match>().tick;
    until_first(&mut app, tick);
    while tick(&app) != Some(119) {
        app.update();
    }
    let shots = app.world().resource::<shooter::Match>().shots.clone();
    assert_eq!(shots.len(), 12);

    // The same targets without Bevy.
    let characters = ["bruno", "runa"].map(character);
    let (mut posed, mut sampler) = (PosedCharacter::new(), ClipSampler::new());
    for (number, shot) in (0..).zip(&shots) {
        assert_eq!(shot.tick, number * shooter::RELOAD);
        let ray = shooter::aim(number);
        let ray = Ray::try_new(ray.origin, *ray.direction).unwrap();
        let seconds = f64::from(shot.tick) / f64::from(shooter::HZ);
        let mut first: Option<(u8, String, f32)> = None;
        for target in 0..shooter::TARGETS {
            let character = &characters[usize::from(target % 2)];
            pose(&mut posed, &mut sampler, character, "walk", seconds, shooter::place(target));
            if let Some(hit) = posed.cast_ray(&ray, 100.0)
                && first.as_ref().is_none_or(|first| hit.entry < first.2)
            {
                first = Some((target, character.joint_name(hit.joint).to_owned(), hit.entry));
            }
        }
        assert_eq!(shot.hit, first, "shot {number}");
    }
    let who = shots.iter().map(|shot| shot.hit.as_ref().map(|(target, joint, _)| (*target, joint.as_str())));
    let expected = [
        Some((0, "neck_01")),
        Some((1, "spine_03")),
        None,
        Some((3, "head")),
        Some((4, "spine_02")),
        None,
        Some((0, "neck_01")),
        Some((1, "spine_03")),
        None,
        Some((3, "head")),
        Some((4, "spine_02")),
        Some((5, "thigh_r")),
    ];
    assert!(who.clone().eq(expected), "{:?}", who.collect::<Vec<_>>());
    assert_eq!(shots.iter().map(|shot| shot.damage).collect::<Vec<_>>()[..5], [15, 40, 0, 100, 40]);
}

fn pose(
    posed: &mut PosedCharacter,
    sampler: &mut ClipSampler,
    character: &Character,
    clip: &str,
    seconds: f64,
    place: bevy_transform::components::Transform,
) {
    let clip = character.find_clip(clip).unwrap();
    let time = LoopMode::Loop.clip_time(&character.clips()[clip.index()], seconds);
    posed.pose_from_clip(sampler, character, &place.compute_affine(), clip, time).unwrap();
}

#[test]
fn the_server_counts_the_touches_of_200_characters_as_the_run_time_does() {
    let mut app = app(server::ServerPlugin);
    let tick = |app: &App| app.world().resource::<server::Tick>().0;

    // The same crowd without Bevy.
    let load = |file| Arc::new(Character::load(&asset_bytes(file)).unwrap());
    let (runa, bruno) = (load("runa.bonebox"), load("bruno.bonebox"));
    let mut world = HitboxWorld::new();
    for number in 0..server::CHARACTERS {
        let character = if server::role(number).0 == "runa.bonebox" { &runa } else { &bruno };
        let settings = BodySettings { team: Some(u32::from(number / 20 % 2)), ..BodySettings::default() };
        world.insert(BodyId(number.into()), Arc::clone(character), settings).unwrap();
    }

    until_first(&mut app, tick);
    let mut most = 0;
    for now in 0..120u16 {
        assert_eq!(tick(&app), Some(now));
        world
            .pose_all(|id, body| {
                let number = id.0 as u16;
                let (_, clip, ahead) = server::role(number);
                let clip = body.character().find_clip(clip).unwrap();
                let seconds = f64::from(now) / f64::from(server::HZ) + ahead;
                let time = LoopMode::Loop.clip_time(&body.character().clips()[clip.index()], seconds);
                body.pose_from_clip(&server::place(number, now).compute_affine(), clip, time)
            })
            .unwrap();
        world.update();
        let count = |phase| world.events().iter().filter(|event| event.phase == phase).count();
        let report = *app.world().resource::<server::Report>();
        assert_eq!(report.touching, world.touches().len(), "tick {now}");
        if now > 0 {
            // Before the first tick nobody had been posed here.
            assert_eq!(
                (report.started, report.ended),
                (count(TouchPhase::Started), count(TouchPhase::Ended)),
                "tick {now}"
            );
        }
        most = most.max(report.touching);
        app.update();
    }
    assert!(most > 100, "{most}");
}

/// The hand of a limp arm hangs lower than on guard, all of Runa falls, and in the end she is on guard again.
#[cfg(all(feature = "ragdoll", feature = "avian", feature = "bake"))]
#[test]
fn runa_falls_and_gets_up() {
    let mut app = app(ragdoll::RagdollGame);
    let tick = |app: &App| app.world().resource::<ragdoll::Match>().tick;
    until_first(&mut app, tick);
    let mut heights = vec![app.world().resource::<ragdoll::Match>().heights];
    while tick(&app) != Some(ragdoll::TICKS) {
        app.update();
        heights.push(app.world().resource::<ragdoll::Match>().heights);
    }
    let [shot, fell, rose] = ragdoll::SHOTS.map(usize::from);
    let lowest = |from: usize, to: usize, part: usize| {
        heights[from..to].iter().map(|heights| heights[part]).fold(f32::INFINITY, f32::min)
    };
    assert!(lowest(0, fell, 0) > 1.4, "she stands");
    assert!(lowest(shot, fell, 1) < lowest(0, shot, 1) - 0.3, "the arm hangs");
    assert!(heights[rose][0] < 0.5, "she lies: {}", heights[rose][0]);
    for part in [0, 1] {
        assert!(heights[heights.len() - 1][part] > lowest(0, shot, part) - 0.01, "she is on guard");
    }
}
