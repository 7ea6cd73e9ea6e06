//! Poses by clips in layers are those of the run time, and masks and clips that do not exist are failures.

use crate::stage::{Stage, character};
use bevy_asset::Assets;
use bevy_bonebox::bonebox::glam::Affine3A;
use bevy_bonebox::bonebox::{ClipSampler, JointMask, PoseLayer, PosedCharacter, PosedHitbox};
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxBinding, HitboxBodies};
use bevy_ecs::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};

fn hitboxes(stage: &mut Stage, root: Entity) -> Vec<PosedHitbox> {
    stage.world().resource::<HitboxBodies>().posed(root).map(|(_, posed)| posed).collect()
}

#[test]
fn layers_pose_as_the_run_time_does() {
    let mut stage = Stage::new();
    let root = stage.spawn_clip("runa", "idle", Transform::from_xyz(1.0, 0.0, -2.0));
    stage.until_bound(&[root]);
    let runa = character("runa");
    let clip = |name| runa.find_clip(name).unwrap();
    let find = |name| runa.skeleton().find(name).unwrap();
    let arm = [(find("upperarm_l"), 0.5), (find("lowerarm_l"), 1.0)];
    let weight = |joint| arm.iter().find(|one| one.0 == joint).map_or(0.0, |one| one.1);
    let (upper_body, of_arm) = (JointMask::below(&runa, find("spine_01")).unwrap(), JointMask::new(&runa, weight));
    let mut sampler = ClipSampler::new();
    for seconds in [0.1, 0.3] {
        let arm = arm.map(|(joint, weight)| (runa.joint_name(joint).to_owned(), weight)).to_vec();
        let layers = vec![
            HitboxLayer::blend("walk", 1.0).at(seconds.into()),
            HitboxLayer::blend("jab", 0.75).at(seconds.into()).below("spine_01"),
            HitboxLayer { mask: HitboxMask::Joints(arm), ..HitboxLayer::add("idle", 0.5).at(seconds.into()) },
        ];
        stage.world().entity_mut(root).insert(HitboxPose::Layers(layers));
        stage.app.update();
        let mut expected = PosedCharacter::new();
        let place: Affine3A = stage.world().get::<GlobalTransform>(root).unwrap().affine();
        let layers = [
            PoseLayer::blend(clip("walk"), seconds, 1.0),
            PoseLayer::blend(clip("jab"), seconds, 0.75).masked(&upper_body),
            PoseLayer::add(clip("idle"), seconds, 0.5).masked(&of_arm),
        ];
        expected.pose_from_layers(&mut sampler, &runa, &place, &layers).unwrap();
        assert_eq!(hitboxes(&mut stage, root), expected.boxes().collect::<Vec<_>>());
    }
}

#[test]
fn a_looped_layer_starts_again() {
    let mut stage = Stage::new();
    let root = stage.spawn_clip("runa", "walk", Transform::IDENTITY);
    stage.until_bound(&[root]);
    let seconds = character("runa").clips()[character("runa").find_clip("walk").unwrap().index()].seconds();
    let mut at = |layer: HitboxLayer| {
        stage.world().entity_mut(root).insert(HitboxPose::Layers(vec![layer]));
        stage.app.update();
        hitboxes(&mut stage, root)
    };
    let walk = |now| HitboxLayer::blend("walk", 1.0).at(now);
    let start = at(walk(0.25));
    assert_ne!(at(walk(0.25 + f64::from(seconds))), start, "a clip that is not looped holds its last pose");
    let again = at(walk(0.25 + f64::from(seconds)).looped());
    for (one, other) in again.iter().zip(&start) {
        assert!((one.center - other.center).length() < 1e-4, "{one:?} {other:?}");
    }
}

#[test]
fn a_mask_of_a_joint_that_does_not_exist_is_a_failure() {
    let mut stage = Stage::new();
    let root = stage.spawn_clip("runa", "idle", Transform::IDENTITY);
    stage.until_bound(&[root]);
    stage.sent();
    let layers = |layer: HitboxLayer| HitboxPose::Layers(vec![HitboxLayer::blend("idle", 1.0), layer]);
    for (layer, message) in [
        (HitboxLayer::blend("jab", 1.0).below("spine_99"), "has no joint \"spine_99\""),
        (HitboxLayer::blend("jump kick", 1.0), "has no clip \"jump kick\""),
        (HitboxLayer::blend("jab", f32::NAN).below("spine_01"), "not a number"),
    ] {
        stage.world().entity_mut(root).insert(layers(layer));
        stage.app.update();
        stage.app.update();
        let failures = stage.sent().failures;
        assert_eq!(failures.len(), 1, "{message}");
        assert!(failures[0].error.to_string().contains(message), "{}", failures[0].error);
    }
    stage.world().entity_mut(root).insert(layers(HitboxLayer::blend("jab", 1.0).below("spine_01")));
    stage.app.update();
    assert_eq!(stage.world().get::<HitboxBinding>(root).unwrap().problem(), None);
}

#[test]
fn an_asset_with_some_of_the_hitboxes() {
    let mut stage = Stage::new();
    let root = stage.spawn_clip("runa", "idle", Transform::IDENTITY);
    stage.until_bound(&[root]);
    let asset = stage.world().resource::<HitboxBodies>().asset(root).unwrap().clone();
    let heads = asset.character().boxes_with_tag("head").unwrap();
    let far = asset.with_only_boxes("runa, far away", &heads).unwrap();
    assert!(far.with_only_boxes("farther", &heads).is_err(), "a set of the whole character");
    let whole = hitboxes(&mut stage, root);
    let far = stage.world().resource_mut::<Assets<Bonebox>>().add(far);
    stage.world().entity_mut(root).insert(Hitboxes(far));
    stage.until("fewer hitboxes", |world| {
        (1..whole.len()).contains(&world.resource::<HitboxBodies>().posed(root).count())
    });
    let limited = hitboxes(&mut stage, root);
    let of_set: Vec<_> = whole.iter().filter(|one| heads.contains(one.index)).collect();
    assert_eq!(limited.len(), of_set.len());
    for (one, same) in limited.iter().zip(of_set) {
        assert_eq!(
            (one.joint, one.center, one.half_extents, one.axes),
            (same.joint, same.center, same.half_extents, same.axes)
        );
    }
}
