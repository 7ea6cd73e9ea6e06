//! The plugin in a fixed schedule, and poses that need no joints.

use crate::stage::{Stage, character};
use bevy_app::FixedUpdate;
use bevy_bonebox::bonebox::{ClipSampler, PosedCharacter};
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxBinding, HitboxBodies, HitboxError};
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;

/// Counts ticks and poses everybody by them.
#[derive(Resource, Default)]
struct Tick(u16);

fn advance(mut tick: ResMut<Tick>, mut poses: Query<&mut HitboxPose>) {
    for mut pose in &mut poses {
        pose.set_seconds(f64::from(tick.0) / 64.0);
    }
    tick.0 += 1;
}

#[test]
fn clips_in_a_fixed_schedule_are_posed_at_the_time_of_the_tick() {
    let mut stage = Stage::with(BoneboxPlugin::in_schedule(FixedUpdate));
    stage.app.init_resource::<Tick>().add_systems(FixedUpdate, advance.before(HitboxSystems::Bind));
    let cart = stage.world().spawn(Transform::from_xyz(0.0, 0.0, 7.0)).id();
    let root = stage.spawn_clip("runa", "jab", Transform::from_xyz(2.0, 0.0, 0.0));
    stage.world().entity_mut(root).insert(ChildOf(cart));
    stage.until_bound(&[root]);
    let runa = character("runa");
    let jab = runa.find_clip("jab").unwrap();
    let (mut posed, mut sampler) = (PosedCharacter::new(), ClipSampler::new());
    for step in 0..30u8 {
        // The place of this tick, not of the last frame's propagation.
        let place = Transform::from_xyz(2.0, 0.0, f32::from(step));
        *stage.world().get_mut::<Transform>(root).unwrap() = place;
        stage.app.update();
        let seconds = f64::from(stage.world().resource::<Tick>().0 - 1) / 64.0;
        let time = bevy_bonebox::bonebox::LoopMode::Loop.clip_time(&runa.clips()[jab.index()], seconds);
        let world_from_model = (Transform::from_xyz(0.0, 0.0, 7.0) * place).compute_affine();
        posed.pose_from_clip(&mut sampler, &runa, &world_from_model, jab, time).unwrap();
        let bodies = stage.world().resource::<HitboxBodies>();
        assert!(bodies.posed(root).map(|(_, posed)| posed).eq(posed.boxes()), "step {step}");
    }
}

#[test]
fn an_unknown_clip_is_a_failure_that_lists_the_clips() {
    let mut stage = Stage::new();
    let root = stage.spawn_clip("runa", "cartwheel", Transform::IDENTITY);
    stage.until("a failure", |world| world.get::<HitboxBinding>(root).unwrap().problem().is_some());
    let failures = stage.sent().failures;
    assert!(matches!(&failures[0].error, HitboxError::NoClip { clip, .. } if clip == "cartwheel"));
    assert!(failures[0].error.to_string().ends_with(
        "has no clip \"cartwheel\"; its clips: \"idle\", \"walk\", \"guard\", \"jab\", \"roundhouse_kick\", \"hit\""
    ));
    *stage.world().get_mut::<HitboxPose>(root).unwrap() = HitboxPose::once("jab");
    stage.until_bound(&[root]);
    assert_eq!(stage.world().get::<HitboxBinding>(root).unwrap().problem(), None);
}

#[test]
fn a_pose_that_is_not_finite_is_a_failure_until_it_is() {
    let mut stage = Stage::new();
    let root = stage.spawn_clip("runa", "idle", Transform::IDENTITY);
    stage.until_bound(&[root]);
    for (bad, place) in [(f64::NAN, 0.0), (0.0, f32::NAN)] {
        stage.world().get_mut::<HitboxPose>(root).unwrap().set_seconds(bad);
        stage.world().get_mut::<Transform>(root).unwrap().translation.x = place;
        stage.app.update();
        stage.app.update();
        let failures = stage.sent().failures;
        assert_eq!(failures.len(), 1, "{failures:?}");
        assert!(matches!(failures[0].error, HitboxError::Pose(_)));
        assert_eq!(stage.world().resource::<HitboxBodies>().posed(root).count(), 0);
        stage.world().get_mut::<HitboxPose>(root).unwrap().set_seconds(0.0);
        stage.world().get_mut::<Transform>(root).unwrap().translation.x = 0.0;
        stage.until_bound(&[root]);
    }
}

#[test]
fn a_character_changes_from_a_clip_to_its_joints_and_back() {
    let mut stage = Stage::new();
    let root = stage.spawn("runa", Transform::IDENTITY);
    *stage.world().get_mut::<HitboxPose>(root).unwrap() = HitboxPose::once("guard");
    stage.until_bound(&[root]);
    let first = |stage: &mut Stage| stage.world().resource::<HitboxBodies>().posed(root).nth(7).unwrap().1.center;
    let by_clip = first(&mut stage);
    *stage.world().get_mut::<HitboxPose>(root).unwrap() = HitboxPose::Joints;
    stage.app.update();
    let by_joints = first(&mut stage); // the scene is in its rest pose
    assert!((by_clip - by_joints).length() > 0.01);
    *stage.world().get_mut::<HitboxPose>(root).unwrap() = HitboxPose::Rest;
    stage.app.update();
    assert!((first(&mut stage) - by_joints).length() < 1e-5);
}
