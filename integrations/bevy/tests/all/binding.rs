//! Joints are found by name below their own root, and errors say which are not.

use crate::stage::{Stage, character, is_posed, spawn_joints};
use bevy_bonebox::bonebox::PosedCharacter;
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxBinding, HitboxBodies, HitboxError};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::{GlobalTransform, Transform};

/// The hitboxes of a root, by index.
fn boxes(world: &World, root: Entity) -> Vec<bevy_bonebox::bonebox::PosedHitbox> {
    world.resource::<HitboxBodies>().posed(root).map(|(_, posed)| posed).collect()
}

#[test]
fn hitboxes_follow_the_joints() {
    let mut stage = Stage::new();
    let place = Transform::from_xyz(3.0, 1.0, -2.0).with_rotation(Quat::from_rotation_y(0.7));
    let root = stage.spawn("runa", place);
    stage.until_bound(&[root]);
    let runa = character("runa");
    let kick = runa.find_clip("roundhouse_kick").unwrap();
    let mut from_clip = PosedCharacter::new();
    let mut sampler = bevy_bonebox::bonebox::ClipSampler::new();
    for tick in 0..20 {
        let seconds = 0.05 * f32::from(tick as u8);
        stage.animate(root, &runa, kick, seconds);
        stage.app.update();

        // To the last bit what the run time makes of the joints' global transforms.
        let joints = stage.world().get::<HitboxBinding>(root).unwrap().joints().to_vec();
        let matrices: Vec<_> =
            joints.iter().map(|joint| stage.world().get::<GlobalTransform>(joint.unwrap()).unwrap().affine()).collect();
        let mut by_joints = PosedCharacter::new();
        by_joints.pose_from_world(&runa, &matrices).unwrap();
        assert!(boxes(stage.world(), root).into_iter().eq(by_joints.boxes()));

        // Bevy propagates transforms in its own arithmetic, so that a clip sampled by the run time differs by rounding.
        let time = runa.clips()[kick.index()].start() + seconds;
        from_clip.pose_from_clip(&mut sampler, &runa, &place.compute_affine(), kick, time).unwrap();
        for (ours, clip) in boxes(stage.world(), root).iter().zip(from_clip.boxes()) {
            assert!((ours.center - clip.center).length() < 1e-5, "{tick}: {ours:?} {clip:?}");
            assert!((ours.half_extents - clip.half_extents).length() < 1e-5);
        }
    }
}

#[test]
fn copies_keep_to_their_own_joints() {
    let mut stage = Stage::new();
    let roots: Vec<Entity> =
        (0..5u8).map(|copy| stage.spawn("runa", Transform::from_xyz(10.0 * f32::from(copy), 0.0, 0.0))).collect();
    stage.until_bound(&roots);
    let first = boxes(stage.world(), roots[0]);
    for (copy, &root) in (0..5u8).zip(&roots) {
        let offset = Vec3::X * 10.0 * f32::from(copy);
        for (one, other) in first.iter().zip(boxes(stage.world(), root)) {
            assert!((one.center + offset - other.center).length() < 1e-5);
        }
        let binding = stage.world().get::<HitboxBinding>(root).unwrap().clone();
        let mut above = binding.joints()[0].unwrap();
        while let Some(parent) = stage.world().get::<ChildOf>(above) {
            above = parent.parent();
        }
        assert_eq!(above, root);
    }
}

#[test]
fn a_rider_keeps_its_joints_and_the_mount_its_own() {
    let mut stage = Stage::new();
    let mount = stage.spawn("runa", Transform::from_xyz(1.0, 0.0, 0.0));
    stage.until_bound(&[mount]);
    let hand = stage.world().get::<HitboxBinding>(mount).unwrap().joints()[1].unwrap();
    let rider = stage.spawn("runa", Transform::from_xyz(0.0, 2.0, 0.0));
    stage.world().entity_mut(rider).insert(ChildOf(hand));
    stage.until_bound(&[rider]);
    // The mount is bound anew, with a rider below.
    let handle = stage.load("runa.bonebox");
    stage.world().entity_mut(mount).remove::<Hitboxes>();
    stage.world().entity_mut(mount).insert(Hitboxes(handle));
    stage.until_bound(&[mount, rider]);
    let joints = |stage: &mut Stage, root| stage.world().get::<HitboxBinding>(root).unwrap().joints().to_vec();
    let (of_mount, of_rider) = (joints(&mut stage, mount), joints(&mut stage, rider));
    assert!(of_mount.iter().all(|joint| joint.is_some() && !of_rider.contains(joint)));
    assert!(stage.sent().failures.is_empty());
}

#[test]
fn a_missing_joint_is_named_with_the_nearest_and_found_once_it_is_there() {
    let mut stage = Stage::new();
    let root = stage.spawn("runa", Transform::IDENTITY);
    let renamed = {
        let mut names = stage.world().query::<(Entity, &Name)>();
        let world = stage.app.world();
        names.iter(world).find(|(_, name)| name.as_str() == "hand_l").unwrap().0
    };
    stage.world().entity_mut(renamed).insert(Name::new("Hand.L"));
    stage.until("a failure", |world| world.get::<HitboxBinding>(root).unwrap().problem().is_some());
    for _ in 0..5 {
        stage.app.update();
    }
    let failures = stage.sent().failures;
    assert_eq!(failures.len(), 1, "sent once: {failures:?}");
    assert_eq!(failures[0].entity, root);
    let HitboxError::NoJoint { joint, more, nearest, .. } = &failures[0].error else { panic!("{:?}", failures[0]) };
    assert_eq!((joint.as_str(), *more, nearest[0].as_str()), ("hand_l", 0, "Hand.L"));
    assert_eq!(
        failures[0].error.to_string(),
        "the scene has no joint \"hand_l\", which \"runa\" needs for its hitboxes, its skin or `track_joints` (the nearest names below the root: \"Hand.L\", \
         \"hand_r\", \"calf_l\"); bake the hitboxes from the file of the scene, or pose them by `HitboxPose::Clip`"
    );
    assert!(!is_posed(stage.world(), root));

    stage.world().entity_mut(renamed).insert(Name::new("hand_l"));
    stage.until_bound(&[root]);
    assert_eq!(stage.world().get::<HitboxBinding>(root).unwrap().problem(), None);
}

#[test]
fn nodes_that_share_a_name_are_told_apart_by_their_parents() {
    let mut stage = Stage::new();
    let root = stage.spawn("runa", Transform::IDENTITY);
    // A weapon's node has the name of a joint.
    let weapon = {
        let mut names = stage.world().query::<(Entity, &Name)>();
        let head = names.iter(stage.app.world()).find(|(_, name)| name.as_str() == "head").unwrap().0;
        stage.world().spawn((Name::new("hand_l"), Transform::IDENTITY, ChildOf(head))).id()
    };
    stage.until_bound(&[root]);
    assert!(!stage.world().get::<HitboxBinding>(root).unwrap().joints().contains(&Some(weapon)));
}

#[test]
fn nodes_that_nothing_tells_apart_are_an_error() {
    let mut stage = Stage::new();
    let root = stage.spawn("runa", Transform::IDENTITY);
    let mut names = stage.world().query::<(Entity, &Name, &ChildOf)>();
    let parent = names.iter(stage.app.world()).find(|(_, name, _)| name.as_str() == "hand_l").unwrap().2.parent();
    stage.world().spawn((Name::new("hand_l"), Transform::IDENTITY, ChildOf(parent)));
    stage.until("a failure", |world| world.get::<HitboxBinding>(root).unwrap().problem().is_some());
    let failures = stage.sent().failures;
    assert!(matches!(&failures[0].error, HitboxError::AmbiguousJoint { joint, count: 2, .. } if joint == "hand_l"));
}

#[test]
fn nodes_without_a_name_are_found_by_the_number_that_bevy_gives_them() {
    let mut stage = Stage::new();
    let bytes = crate::stage::changed("runa", |baked| {
        let mut joints = baked.skeleton.joints().to_vec();
        let hand = joints.iter().position(|joint| joint.name == "hand_l").unwrap();
        joints[hand].name = format!("node_{}", joints[hand].node.0);
        baked.skeleton = bevy_bonebox::bonebox::skeleton::Skeleton::new(joints).unwrap();
    });
    stage.folder.insert_asset(std::path::Path::new("runa.bonebox"), bytes);
    let root = stage.spawn("runa", Transform::IDENTITY);
    let mut names = stage.world().query::<(Entity, &Name)>();
    let hand = names.iter(stage.app.world()).find(|(_, name)| name.as_str() == "hand_l").unwrap().0;
    let runa = character("runa");
    let node = runa.skeleton().joint(runa.skeleton().find("hand_l").unwrap()).node.0;
    stage.world().entity_mut(hand).insert(Name::new(format!("GltfNode{node}")));
    stage.until_bound(&[root]);
    assert!(stage.world().get::<HitboxBinding>(root).unwrap().joints().contains(&Some(hand)));
}

#[test]
fn a_scene_that_comes_late_or_is_replaced_is_bound_when_it_is_there() {
    let mut stage = Stage::new();
    let handle = stage.load("runa.bonebox");
    let root = stage.world().spawn(Hitboxes(handle)).id();
    for _ in 0..50 {
        stage.app.update();
    }
    assert!(!is_posed(stage.world(), root));
    let old = spawn_joints(stage.world(), root, &character("runa"));
    stage.until_bound(&[root]);

    let scene = stage.world().get::<Children>(root).unwrap()[0];
    stage.world().entity_mut(scene).despawn();
    for _ in 0..3 {
        stage.app.update();
        assert!(!is_posed(stage.world(), root), "the old scene leaves no hitboxes");
    }
    let new = spawn_joints(stage.world(), root, &character("runa"));
    stage.until("the new joints are bound", |world| {
        let binding = world.get::<HitboxBinding>(root).unwrap();
        binding.is_bound() && binding.joints().iter().flatten().eq(&new)
    });
    stage.until_bound(&[root]);
    assert_ne!(old, new);
    assert!(stage.sent().failures.is_empty());
}
