//! Poses of a client's own interpolation function.

use crate::model::{LONG, Questions};
use crate::scene::Scene;
use glam::{Affine3A, Vec3};
use rewind::{Between, History, Interpolation, Moment, MomentKind, Rules};
use runtime::{Animation, BodyId, BodySettings, Character, ClipIndex, HitboxWorld, PoseRecipe, QueryFilter};
use std::sync::Arc;

fn own<'r>(pose: &'r (dyn Fn(&Between<'_>) -> PoseRecipe + Sync), margin: f32) -> Rules<'r> {
    Rules { interpolation: Interpolation::Own { pose, margin }, ..LONG }
}

/// A client that hops to the next pose after a third of the way, and draws it a little higher.
fn hop(between: &Between<'_>) -> PoseRecipe {
    let shown = if between.share < 1.0 / 3.0 { between.from } else { between.to };
    let mut recipe = shown.to_owned();
    recipe.place.translation.y += 0.25;
    recipe
}

/// A view with a function of the client answers as a loop over bodies that are posed by the same recipe, with any margin
/// that is large enough.
#[test]
fn the_answers_are_those_of_the_client() {
    let mut posed = 0;
    for seed in 0..30 {
        let mut scene = Scene::new(seed, 14);
        let mut history = History::default();
        let mut worlds: Vec<HitboxWorld> = Vec::new();
        for tick in 0..6 {
            scene.step();
            history.record(tick, &scene.world).unwrap();
            worlds.push(scene.world.clone());
        }
        let moment = Moment { tick: scene.random.below(5) as u64, fraction: *scene.random.pick(&[0.2, 0.5, 0.9]) };
        let [from, to] = [0, 1].map(|after| &worlds[moment.tick as usize + after]);
        let shown = if moment.fraction < 1.0 / 3.0 { from } else { to };
        // Each body is taken from the tick that the function chooses, and lifted.
        let view = history.at_with(moment, &own(&hop, f32::INFINITY)).unwrap();
        let lifted = Affine3A::from_translation(Vec3::Y * 0.25);
        for id in view.ids().filter(|&id| view.kind(id) == Some(MomentKind::Interpolated)) {
            let then = shown.body(id).unwrap();
            let always = !then.character().baked().envelopes.is_empty();
            for (found, expected) in view.body(id).unwrap().posed().boxes().zip(then.posed().boxes()) {
                let rounding = if always && !then.own_joints().is_empty() { 1e-3 } else { 2e-5 };
                let center = lifted.transform_point3(expected.center);
                assert!((found.center - center).length() < rounding, "seed {seed}, {id}: {found:?} {expected:?}");
                posed += 1;
            }
        }
        assert_eq!(view.refused().pose_failed, 0);
        // The lifted poses reach at most 0.25 beyond those of both ticks.
        for margin in [0.26, 5.0] {
            let rules = own(&hop, margin);
            let new = || history.at_with(moment, &rules).unwrap();
            let questions = Questions::new(&mut scene.random);
            let all = QueryFilter::default();
            let loop_view = history.at_with(moment, &own(&hop, f32::INFINITY)).map(|view| {
                let bodies: Vec<_> = view.ids().filter_map(|id| view.body(id)).collect();
                questions.ask_each(&bodies, &all)
            });
            let asked = new();
            assert_eq!(questions.ask(&asked, &all), loop_view.unwrap(), "seed {seed}, margin {margin}");
            assert_eq!(asked.refused(), rewind::Refused::default());
        }
    }
    assert!(posed > 2_000, "{posed}");
}

/// Poses that cannot be, and poses beyond the margin, are counted and not shown.
#[test]
fn a_wrong_pose_is_refused() {
    let arm = Arc::new(Character::from_baked(baked_characters::baked_arm("arm")));
    let id = BodyId(1);
    let mut world = HitboxWorld::new();
    world.insert(id, Arc::clone(&arm), BodySettings::default()).unwrap();
    let mut history = History::default();
    for tick in 0..3_u8 {
        world.pose_from_rest(id, &Affine3A::from_translation(Vec3::X * f32::from(tick))).unwrap();
        history.record(tick.into(), &world).unwrap();
    }
    let moment = Moment { tick: 1, fraction: 0.5 };
    let at = |x: f32| {
        move |_: &Between<'_>| PoseRecipe { place: Affine3A::from_translation(Vec3::X * x), animation: Animation::Rest }
    };
    let refused = |pose: &(dyn Fn(&Between<'_>) -> PoseRecipe + Sync), margin| {
        let rules = own(pose, margin);
        let view = history.at_with(moment, &rules).unwrap();
        let body = view.body(id).is_some();
        (body, view.refused().pose_failed, view.refused().out_of_margin)
    };
    assert_eq!(refused(&at(1.5), 0.0), (true, 0, 0));
    assert_eq!(refused(&at(f32::NAN), f32::INFINITY), (false, 1, 0));
    assert_eq!(refused(&at(4.0), 1.9), (false, 0, 1));
    assert_eq!(refused(&at(4.0), 2.1), (true, 0, 0));
    assert_eq!(refused(&at(2.5), f32::NAN), (false, 0, 1));
    assert_eq!(refused(&at(2.5), -1.0), (false, 0, 1));
    let no_clip = |_: &Between<'_>| PoseRecipe {
        place: Affine3A::IDENTITY,
        animation: Animation::Clip { clip: ClipIndex(99), seconds: 0.0 },
    };
    assert_eq!(refused(&no_clip, 9.0), (false, 1, 0));
    let joints = |_: &Between<'_>| PoseRecipe { place: Affine3A::IDENTITY, animation: Animation::Joints(Vec::new()) };
    assert_eq!(refused(&joints, 9.0), (false, 1, 0));
    // At a tick, and in the middle of a teleport, the function is not called.
    let panics = |_: &Between<'_>| -> PoseRecipe { panic!("asked") };
    let exact = own(&panics, 9.0);
    assert!(history.at_with(Moment::of_tick(1), &exact).unwrap().body(id).is_some());
    let far = Rules { teleport_distance: 0.5, ..exact };
    let view = history.at_with(moment, &far).unwrap();
    assert_eq!((view.body(id).is_some(), view.kind(id)), (true, Some(MomentKind::Cut)));
}
