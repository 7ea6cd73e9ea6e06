//! Characters that leave, and components that are taken off.

use crate::stage::{Stage, is_posed};
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxBinding, HitboxBodies};
use bevy_transform::components::Transform;

#[test]
fn touches_end_when_a_character_is_despawned() {
    let mut stage = Stage::new();
    let a = stage.spawn("runa", Transform::IDENTITY);
    let b = stage.spawn("bruno", Transform::from_xyz(0.2, 0.0, 0.0));
    stage.until_bound(&[a, b]);
    let joints = stage.world().get::<HitboxBinding>(b).unwrap().joints().to_vec();
    stage.app.update();
    let began = stage.sent().touches;
    assert!(!began.is_empty());
    stage.app.update();
    let held = stage.sent().touches;
    assert!(held.iter().all(|touch| touch.phase == HitboxTouchPhase::Persisted));

    stage.world().entity_mut(b).despawn();
    stage.app.update();
    let ended = stage.sent().touches;
    assert_eq!(ended.len(), held.len());
    for (ended, held) in ended.iter().zip(&held) {
        // Those that ended still say what they were.
        assert_eq!((&ended.own, &ended.other), (&held.own, &held.other));
        assert_eq!(ended.phase, HitboxTouchPhase::Ended);
        let of_b = if ended.own.entity == b { &ended.own } else { &ended.other };
        assert!(joints.contains(&of_b.joint));
    }
    assert_eq!(stage.world().resource::<HitboxBodies>().entities().collect::<Vec<_>>(), [a]);
    stage.app.update();
    assert!(stage.sent().touches.is_empty());
}

#[test]
fn hitboxes_that_are_taken_off_and_put_on_again_are_bound_again() {
    let mut stage = Stage::new();
    let a = stage.spawn("runa", Transform::IDENTITY);
    stage.until_bound(&[a]);
    let hitboxes = stage.world().entity_mut(a).take::<Hitboxes>().unwrap();
    stage.app.update();
    assert!(!is_posed(stage.world(), a));
    assert!(!stage.world().get::<HitboxBinding>(a).unwrap().is_bound());
    stage.world().entity_mut(a).insert(hitboxes);
    stage.until_bound(&[a]);
}

#[test]
fn a_crowd_comes_and_goes() {
    let mut stage = Stage::new();
    let mut last = Vec::new();
    for round in 0..5u8 {
        let roots: Vec<_> = (0..20u8)
            .map(|copy| {
                let place = Transform::from_xyz(0.4 * f32::from(copy), 0.0, f32::from(round));
                stage.spawn_clip(if copy % 2 == 0 { "runa" } else { "bruno" }, "walk", place)
            })
            .collect();
        for entity in std::mem::replace(&mut last, roots.clone()) {
            stage.world().entity_mut(entity).despawn();
        }
        stage.until_bound(&roots);
        assert_eq!(stage.world().resource::<HitboxBodies>().entities().count(), 20);
    }
}

#[test]
fn a_pose_that_fails_leaves_no_hitboxes() {
    let mut stage = Stage::new();
    let root = stage.spawn_clip("runa", "idle", Transform::IDENTITY);
    stage.until_bound(&[root]);
    let far = Transform::from_xyz(f32::NAN, 0.0, 0.0);
    for (name, pose, place) in [
        ("a clip", HitboxPose::looped("no such clip"), Transform::IDENTITY),
        ("a layer", HitboxPose::Layers(vec![HitboxLayer::blend("no such clip", 1.0)]), Transform::IDENTITY),
        ("a mask", HitboxPose::Layers(vec![HitboxLayer::blend("idle", 1.0).below("spine_99")]), Transform::IDENTITY),
        ("a place", HitboxPose::Rest, far),
        ("joints that are not there", HitboxPose::Joints, Transform::IDENTITY),
    ] {
        stage.sent();
        stage.world().entity_mut(root).insert((pose, place));
        stage.app.update();
        assert!(!is_posed(stage.world(), root), "{name}");
        // Joints that are not there yet are no failure, because a scene may come late.
        let failures = usize::from(!name.starts_with("joints"));
        assert_eq!(stage.sent().failures.len(), failures, "{name}");
        stage.app.update();
        assert!(!is_posed(stage.world(), root) && stage.sent().failures.is_empty(), "{name}");
        stage.world().entity_mut(root).insert((HitboxPose::Rest, Transform::IDENTITY));
        stage.app.update();
        assert!(is_posed(stage.world(), root), "{name}");
    }
    stage.world().entity_mut(root).remove::<HitboxPose>();
    stage.app.update();
    assert!(!is_posed(stage.world(), root), "without the component, nothing poses the character");
}
