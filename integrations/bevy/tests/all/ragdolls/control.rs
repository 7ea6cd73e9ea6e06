//! Limp limbs, the way back, and wrong use.

use super::*;

/// Runa plays a clip by the joints of her scene.
fn animate(stage: &mut Stage, root: Entity, seconds: f32) {
    let character = &runa().0;
    stage.animate(root, character, character.find_clip("walk").unwrap(), seconds);
}

fn scene(stage: &mut Stage, root: Entity) -> Vec<Transform> {
    joints(stage, root).into_iter().map(|joint| *stage.world().get::<Transform>(joint).unwrap()).collect()
}

/// An arm falls while the rest plays its clip, then all falls, and then all goes back.
pub(super) fn an_arm_hangs_limp_and_comes_back<E: Engine>() {
    let mut stage = stage::<E>(BoneboxPlugin::default());
    let root = spawn(&mut stage, Transform::from_xyz(0.0, 1.0, 0.0));
    let character = &runa().0;
    let arm = ["upperarm_l", "lowerarm_l", "hand_l"].map(|name| character.skeleton().find(name).unwrap());
    let clip = &character.clips()[character.find_clip("walk").unwrap().index()];
    let mut seconds = 0.0;
    let mut tick = |stage: &mut Stage| {
        seconds += TICK;
        let mut local = character.skeleton().rest_pose();
        clip.sample(clip.start() + seconds % 1.0, &mut local);
        animate(stage, root, seconds % 1.0);
        stage.app.update();
        local
    };
    tick(&mut stage);
    set(&mut stage, root, Ragdoll::limp(["upperarm_l"]));
    let mut local = tick(&mut stage);
    for _ in 0..128 {
        local = tick(&mut stage);
    }
    let (rig, now) = places(&mut stage, root).unwrap();
    let of_arm = |index: usize| arm.contains(&rig.bodies()[index].joint);
    let bodies = stage.world().get::<RagdollState>(root).unwrap().bodies().to_vec();
    for (index, body) in bodies.iter().enumerate() {
        let body = stage.world().get::<RagdollBody>(*body).unwrap();
        let off = body.place.position.distance(body.target.position);
        assert_eq!(body.is_limp, of_arm(index));
        // Bodies that are held are where the animation had them a tick ago.
        assert!(off < if body.is_limp { 1.0 } else { 0.1 }, "{index}: {off}");
    }
    let elbow = now[arm_body(&rig, arm[1])].position;
    let shoulder = now[arm_body(&rig, arm[0])].position;
    assert!(elbow.y < shoulder.y - 0.5 * elbow.distance(shoulder), "the arm hangs: {shoulder} {elbow}");
    assert!(held(&rig, &now).0 < 0.03 * height(), "{:?}", held(&rig, &now));
    // The joints of the rest are as the clip has them, to the last bit.
    let under = |mut joint: usize| loop {
        if joint == arm[0].index() {
            break true;
        }
        match character.skeleton().joints()[joint].parent {
            Some(parent) => joint = parent.index(),
            None => break false,
        }
    };
    for (index, (found, expected)) in scene(&mut stage, root).iter().zip(&local).enumerate() {
        assert_eq!(*found == transform(expected), !under(index), "joint {index}");
    }

    set(&mut stage, root, Ragdoll::Falling);
    for _ in 0..32 {
        tick(&mut stage);
    }
    let (_, fallen) = places(&mut stage, root).unwrap();
    assert!(fallen[0].position.y < now[0].position.y - 0.5, "{} {}", fallen[0].position, now[0].position);

    set(&mut stage, root, Ragdoll::Animated { seconds: 0.5 });
    let hips = joints(&mut stage, root)[rig.bodies()[0].joint.index()];
    let mut last = fallen[0].position.y;
    for step in 0..34u8 {
        local = tick(&mut stage);
        assert!(places(&mut stage, root).is_none());
        let now = stage.world().get::<GlobalTransform>(hips).unwrap().translation().y;
        let jump = (now - last).abs();
        assert!(jump < 0.1, "step {step}: the hips jump by {jump} m");
        last = now;
    }
    assert!(!stage.world().get::<RagdollState>(root).unwrap().is_returning());
    assert_eq!(scene(&mut stage, root), local.iter().map(transform).collect::<Vec<_>>());
    let mut posed = PosedCharacter::new();
    let matrices: Vec<Affine3A> = joints(&mut stage, root)
        .iter()
        .map(|joint| stage.world().get::<GlobalTransform>(*joint).unwrap().affine())
        .collect();
    posed.pose_from_world(character, &matrices).unwrap();
    let found: Vec<_> = stage.world().resource::<HitboxBodies>().posed(root).map(|(_, posed)| posed).collect();
    assert!(found.into_iter().eq(posed.boxes()));
}

fn arm_body(rig: &RagdollRig, joint: bevy_bonebox::bonebox::skeleton::JointIndex) -> usize {
    rig.body_of_joint(joint).unwrap()
}

/// Nothing is left of a ragdoll whose character is gone, is not wanted any more, or is in its animation again.
pub(super) fn bodies_go_with_the_character<E: Engine>() {
    let mut stage = stage::<E>(BoneboxPlugin::default());
    E::floor(stage.world());
    for _ in 0..3 {
        stage.app.update();
    }
    let count = |stage: &mut Stage| {
        let mut all = stage.world().query::<Entity>();
        all.iter(stage.app.world()).count()
    };
    let before = count(&mut stage);
    for way in 0..4 {
        let root = spawn(&mut stage, Transform::from_xyz(0.0, 1.0, 0.0));
        let standing = count(&mut stage);
        let rest = scene(&mut stage, root);
        set(&mut stage, root, Ragdoll::Falling);
        for _ in 0..60 {
            stage.app.update();
        }
        assert!(count(&mut stage) > standing);
        assert_ne!(scene(&mut stage, root), rest);
        match way {
            0 => stage.world().entity_mut(root).despawn(),
            1 => drop(stage.world().entity_mut(root).remove::<Ragdoll>()),
            2 => set(&mut stage, root, Ragdoll::Animated { seconds: 0.0 }),
            _ => drop(stage.world().entity_mut(root).remove::<Hitboxes>()),
        }
        for _ in 0..3 {
            stage.app.update();
        }
        if way > 0 {
            assert_eq!(count(&mut stage), standing, "{way}");
            if way < 3 {
                assert_eq!(scene(&mut stage, root), rest, "{way}: joints that nothing animates are back");
            }
            stage.world().entity_mut(root).despawn();
        }
        stage.app.update();
        assert_eq!(count(&mut stage), before, "{way}");
    }
}

/// Wrong use is reported once, with its cure, and the animation plays on.
pub(super) fn wrong_use_is_reported_once<E: Engine>() {
    let mut stage = stage::<E>(BoneboxPlugin::default());
    stage.folder.insert_asset(Path::new("plain.bonebox"), asset_bytes("runa.bonebox"));
    let handle = stage.load("plain.bonebox");
    let plain = stage.world().spawn((Hitboxes(handle), HitboxPose::looped("walk"), Ragdoll::Falling)).id();
    stage.until_bound(&[plain]);
    let failures = |stage: &mut Stage| {
        (0..5).for_each(|_| stage.app.update());
        let failures = stage.sent().failures;
        assert_eq!(failures.len(), 1, "{failures:?}");
        failures[0].error.to_string()
    };
    assert!(failures(&mut stage).contains("`ragdoll = true` in bonebox.toml"));
    stage.world().entity_mut(plain).despawn();

    let root = spawn(&mut stage, Transform::IDENTITY);
    set(&mut stage, root, Ragdoll::limp(["uperarm_l"]));
    assert!(failures(&mut stage).contains("\"upperarm_l\""));
    set(&mut stage, root, Ragdoll::limp(["upperarm_l"]));
    stage.world().get_mut::<Transform>(root).unwrap().scale = Vec3::new(1.0, 2.0, 1.0);
    assert!(failures(&mut stage).contains("the same scale above 0 on all axes"));
    assert_eq!(stage.world().resource::<HitboxBodies>().posed(root).count(), runa().0.box_count());
    stage.world().get_mut::<Transform>(root).unwrap().scale = Vec3::ONE;
    stage.app.update();
    assert!(places(&mut stage, root).is_some());
}

#[test]
fn a_ragdoll_without_an_engine_is_a_failure() {
    let mut stage = Stage::new();
    stage.folder.insert_asset(Path::new("runa.bonebox"), runa().1.clone());
    let root = spawn(&mut stage, Transform::IDENTITY);
    set(&mut stage, root, Ragdoll::Falling);
    (0..3).for_each(|_| stage.app.update());
    let failures = stage.sent().failures;
    assert!(matches!(&failures[..], [one] if one.error == HitboxError::NoRagdollEngine), "{failures:?}");
}
