//! A clone saves a world, `clone_from` rolls it back, and continuous bodies need no call in each tick.

use crate::characters::{arm, figure};
use glam::{Affine3A, Vec3};
use runtime::{BodyId, BodySettings, ClipIndex, CollisionLayers, HitboxWorld, QueryFilter, TouchPhase};
use std::sync::Arc;

/// A crowd of 40 bodies with everything that a body can have: teams, layers, disabled hitboxes, motions, tracked
/// joints.
pub(super) fn crowd() -> HitboxWorld {
    let figure = Arc::new(figure("figure"));
    let mut world = HitboxWorld::new();
    for id in 0..40u64 {
        let settings = BodySettings {
            team: id.is_multiple_of(5).then_some(1),
            self_touches: id.is_multiple_of(7),
            continuous: id.is_multiple_of(2),
            ..BodySettings::default()
        };
        world.insert(BodyId(id), Arc::clone(&figure), settings).unwrap();
        let hands = figure.boxes_with_tag("hand").unwrap();
        if id.is_multiple_of(3) {
            world.set_box_layers(BodyId(id), &hands, CollisionLayers { memberships: 2, mask: 1 }).unwrap();
        }
        if id.is_multiple_of(4) {
            world.set_boxes_enabled(BodyId(id), &hands, false).unwrap();
        }
        world.track_joints(BodyId(id), &["head"]).unwrap();
    }
    world
}

/// A tick in which bodies move, and one leaves and comes back.
pub(super) fn pose(world: &mut HitboxWorld, tick: u32) {
    let removed = BodyId(u64::from(tick * 7 % 40));
    let body = world.remove(removed).unwrap();
    world.insert(removed, Arc::clone(body.character()), body.settings()).unwrap();
    world
        .pose_all(|id, body| {
            let angle = 0.37 * id.0 as f32 + 0.05 * tick as f32;
            let place = Vec3::new(angle % 6.0, 0.0, (angle * 1.7) % 3.0);
            body.pose_from_clip(&Affine3A::from_translation(place), ClipIndex(1), (0.03 * tick as f32).fract())
        })
        .unwrap();
}

/// The answers of all queries without arguments.
pub(super) fn answers(world: &HitboxWorld) -> impl PartialEq + std::fmt::Debug + use<> {
    let mut hits = Vec::new();
    world.sweep_all(None, &QueryFilter::default(), &mut hits);
    let heads: Vec<_> = world.bodies().map(|body| body.world_from_joint("head")).collect();
    (world.touches().to_vec(), world.events().to_vec(), hits, heads)
}

#[test]
fn rolling_back_gives_the_same_future() {
    let mut world = crowd();
    let mut saved = HitboxWorld::new();
    let mut history = Vec::new();
    for tick in 0..12 {
        if tick == 4 {
            saved.clone_from(&world);
        }
        pose(&mut world, tick);
        world.update();
        history.push(answers(&world));
    }
    assert!(world.events().iter().any(|event| event.phase == TouchPhase::Persisted));
    for _ in 0..2 {
        world.clone_from(&saved);
        for tick in 4..12 {
            pose(&mut world, tick);
            world.update();
            assert_eq!(answers(&world), history[tick as usize], "tick {tick}");
        }
    }
}

#[test]
fn continuous_bodies_move_from_the_last_update_without_a_call() {
    let arm = Arc::new(arm("arm"));
    let mut world = HitboxWorld::new();
    for (id, continuous) in [(1, true), (2, false)] {
        let settings = BodySettings { continuous, ..BodySettings::default() };
        world.insert(BodyId(id), Arc::clone(&arm), settings).unwrap();
    }
    let at = |x: f32| Affine3A::from_translation(Vec3::X * x);
    world.pose_from_rest(BodyId(2), &Affine3A::IDENTITY).unwrap();
    world.pose_from_rest(BodyId(1), &at(-20.0)).unwrap();
    world.update();
    assert!(!world.sweep_any(None, &QueryFilter::default()), "the first pose is no motion");
    world.pose_from_rest(BodyId(1), &at(-5.0)).unwrap();
    world.pose_from_rest(BodyId(1), &at(20.0)).unwrap(); // twice in one tick: still from -20
    world.update();
    let hit = world.sweep(None, &QueryFilter::default()).unwrap();
    assert!((hit.time - 19.4 / 40.0).abs() < 1e-3, "{}", hit.time);
    world.update();
    assert!(!world.sweep_any(None, &QueryFilter::default()), "who is not posed stands still");
    world.pose_from_rest(BodyId(1), &at(-20.0)).unwrap();
    world.update();
    assert!(world.sweep_any(None, &QueryFilter::default()));
    // A setting that is switched off and on.
    world.set_settings(BodyId(1), BodySettings::default()).unwrap();
    world.pose_from_rest(BodyId(1), &at(20.0)).unwrap();
    world.update();
    assert!(!world.sweep_any(None, &QueryFilter::default()));
    world.set_settings(BodyId(1), BodySettings { continuous: true, ..BodySettings::default() }).unwrap();
    world.pose_from_rest(BodyId(1), &at(-20.0)).unwrap();
    world.update();
    assert!(world.sweep_any(None, &QueryFilter::default()));
}

#[test]
fn a_teleport_is_no_motion() {
    let arm = Arc::new(arm("arm"));
    let at = |x: f32| Affine3A::from_translation(Vec3::X * x);
    for continuous in [false, true] {
        let mut world = HitboxWorld::new();
        for id in [1, 2] {
            let settings = BodySettings { continuous, ..BodySettings::default() };
            world.insert(BodyId(id), Arc::clone(&arm), settings).unwrap();
        }
        world.pose_from_rest(BodyId(2), &Affine3A::IDENTITY).unwrap();
        world.pose_from_rest(BodyId(1), &at(-20.0)).unwrap();
        world.update();
        let mut teleport = |with_reset: bool, x: f32| {
            if !continuous {
                world.start_motion();
            }
            world.pose_from_rest(BodyId(1), &at(x)).unwrap();
            if with_reset {
                world.reset_motion(BodyId(1)).unwrap();
            }
            let before = world.sweep_any(None, &QueryFilter::default());
            world.update();
            assert_eq!(before, world.sweep_any(None, &QueryFilter::default()));
            before
        };
        assert!(teleport(false, 20.0), "sweeps across the map without a reset");
        assert!(!teleport(true, -20.0));
        assert!(teleport(false, 20.0), "and moves again afterwards");
    }
}

#[test]
fn posing_all_is_posing_each() {
    let (mut all, mut each) = (crowd(), crowd());
    let pose = |id: BodyId, body: &mut runtime::BodyPoser<'_>| {
        let seconds = if id.0 % 16 == 9 { f32::NAN } else { 0.1 };
        body.pose_from_clip(&Affine3A::from_translation(Vec3::X * id.0 as f32), ClipIndex(1), seconds)
    };
    let errors = [all.pose_all(pose).unwrap_err(), each.pose_each(pose).unwrap_err()];
    assert_eq!(errors[0], errors[1]);
    assert!(errors[0].to_string().starts_with("body 9: "), "{}", errors[0]);
    let unposed = |world: &HitboxWorld| world.unposed_bodies().map(|body| body.id().0).collect::<Vec<_>>();
    assert_eq!(unposed(&all), [9, 25]);
    for (a, b) in all.bodies().zip(each.bodies()) {
        assert!(a.posed().boxes().eq(b.posed().boxes()));
    }
}
