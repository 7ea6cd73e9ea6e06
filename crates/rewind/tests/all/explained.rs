//! The poses in explanations of shots.

use crate::model::LONG;
use crate::scene::Scene;
use geometry_core::Ray;
use glam::{Affine3A, Vec3};
use rewind::{Explanation, History, Interpolation, Moment, MomentKind, PastShot, Rules};
use runtime::{Animation, BodyId, BodySettings, HitboxWorld, PoseRecipe, PosedCharacter, QueryFilter};

fn shot(moment: Moment) -> PastShot<'static> {
    let ray = Ray::try_new(Vec3::new(0.5, 1.0, 9.0), Vec3::new(0.0, 0.25, -2.0)).unwrap();
    PastShot { moment, ray, max_time: Some(7.0), filter: QueryFilter::default() }
}

/// Poses by the recipe of an explanation give the hitboxes of the view.
fn check(found: &PosedCharacter, expected: &PosedCharacter, has_matrices: bool) {
    assert_eq!(found.boxes().len(), expected.boxes().len());
    for (found, expected) in found.boxes().zip(expected.boxes()) {
        let most = if has_matrices { 1e-3 } else { 0.0 };
        assert!((found.center - expected.center).abs().max_element() <= most, "{found:?} {expected:?}");
        assert!((found.half_extents - expected.half_extents).abs().max_element() <= most, "{found:?} {expected:?}");
    }
}

/// Compares both poses, and returns whether the first has matrices and whether there is a second.
fn check_poses(world: &HitboxWorld, history: &History, explanation: &Explanation, id: BodyId) -> [bool; 2] {
    let view = history.at_with(explanation.shown, &LONG).unwrap();
    let (character, _) = view.character_of(id).unwrap();
    assert_eq!(explanation.character.as_deref(), Some(character.name()));
    let posed = |recipe: &PoseRecipe| {
        let mut world = HitboxWorld::new();
        world.insert(id, character.clone(), BodySettings::default()).unwrap();
        world.pose(id, recipe).unwrap();
        world.body(id).unwrap().posed().clone()
    };
    let then = explanation.then.as_ref().unwrap();
    let has_matrices = matches!(then.animation, Animation::Joints(_));
    check(&posed(then), view.body(id).unwrap().posed(), has_matrices);
    if let Some(now) = &explanation.now {
        check(&posed(now), world.body(id).unwrap().posed(), matches!(now.animation, Animation::Joints(_)));
    }
    [has_matrices, explanation.now.is_some()]
}

#[test]
fn the_poses_of_then_and_now_are_those_of_the_views() {
    let (mut with_clips, mut with_matrices, mut still_there) = (0, 0, 0);
    for seed in 0..40 {
        let mut scene = Scene::new(seed, 12);
        let mut history = History::default();
        for tick in 0..8 {
            for id in scene.step() {
                history.cut(id);
            }
            history.record(tick, &scene.world).unwrap();
        }
        for fraction in [0.0, 0.3, 0.75] {
            let moment = Moment { tick: scene.random.below(7) as u64, fraction };
            let view = history.at_with(moment, &LONG).unwrap();
            for id in view.ids() {
                let explanation = history.explain(&shot(moment), id, &LONG).unwrap();
                if view.body(id).is_none() {
                    assert!(explanation.then.is_none() && explanation.now.is_none());
                    continue;
                }
                let ray = explanation.ray.as_ref().unwrap();
                assert_eq!((ray.origin, ray.direction, ray.max_time), ([0.5, 1.0, 9.0], [0.0, 0.25, -2.0], Some(7.0)));
                let [has_matrices, is_there] = check_poses(&scene.world, &history, &explanation, id);
                if has_matrices {
                    with_matrices += 1
                } else {
                    with_clips += 1
                }
                still_there += usize::from(is_there);
            }
        }
    }
    assert!(with_clips > 200 && with_matrices > 50 && still_there > 200, "{with_clips} {with_matrices} {still_there}");
}

#[test]
fn the_pose_of_a_clients_own_function_is_that_of_the_function() {
    let mut scene = Scene::new(3, 12);
    let mut history = History::default();
    for tick in 0..4 {
        scene.step();
        history.record(tick, &scene.world).unwrap();
    }
    let lifted = |between: &rewind::Between<'_>| {
        let mut recipe = between.from.to_owned();
        recipe.place.translation.y += 0.5;
        recipe
    };
    let rules = Rules { interpolation: Interpolation::Own { pose: &lifted, margin: f32::INFINITY }, ..LONG };
    let moment = Moment { tick: 1, fraction: 0.5 };
    let view = history.at_with(moment, &rules).unwrap();
    let mut found = 0;
    for id in view.ids().filter(|&id| view.kind(id) == Some(MomentKind::Interpolated)) {
        let explanation = history.explain(&shot(moment), id, &rules).unwrap();
        let plain = history.explain(&shot(Moment::of_tick(1)), id, &LONG).unwrap().then.unwrap();
        if matches!(plain.animation, Animation::Joints(_)) {
            continue;
        }
        let then = explanation.then.unwrap();
        assert_eq!(then.animation, plain.animation);
        assert_eq!(then.place, Affine3A { translation: plain.place.translation + glam::Vec3A::Y * 0.5, ..plain.place });
        found += 1;
    }
    assert!(found > 2);
}

/// Lines of earlier versions have neither the ray nor poses.
#[cfg(feature = "serde")]
#[test]
fn earlier_lines_are_read() {
    let line = r#"{"target":7,"asked":{"tick":5,"fraction":0.5},"shown":{"tick":5,"fraction":0.5},"kind":"Interpolated","verdict":"Missed","nearest":null,"hits_at":[4]}"#;
    let read: Explanation = serde_json::from_str(line).unwrap();
    assert_eq!((read.ray, read.character, read.then, read.now), (None, None, None, None));
    let mut scene = Scene::new(5, 12);
    let mut history = History::default();
    for tick in 0..4 {
        scene.step();
        history.record(tick, &scene.world).unwrap();
    }
    let mut longest = 0;
    for id in history.at(Moment::of_tick(1)).unwrap().ids() {
        let explanation = history.explain(&shot(Moment { tick: 1, fraction: 0.5 }), id, &LONG).unwrap();
        let line = serde_json::to_string(&explanation).unwrap();
        assert_eq!(serde_json::from_str::<Explanation>(&line).unwrap(), explanation);
        if explanation.then.is_some_and(|then| matches!(then.animation, Animation::Clip { .. })) {
            longest = longest.max(line.len());
        }
    }
    assert!(longest > 0 && longest < 1600, "{longest} bytes");
}
