//! `HitboxQuery` gives the run time's answers, in Bevy's terms.

use crate::stage::{Stage, character, spawn_joints};
use bevy_bonebox::bonebox::{BodyId, ClipSampler, Obb, PosedCharacter, QueryFilter, QueryShape, Ray};
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxBinding, HitboxBodies, HitboxError};
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::{Dir3, Isometry3d, Vec3};
use bevy_shape::Ray3d;
use bevy_transform::components::{GlobalTransform, Transform};

/// Runa in the middle, Bruno behind her.
fn two() -> (Stage, Entity, Entity) {
    let mut stage = Stage::new();
    let a = stage.spawn("runa", Transform::IDENTITY);
    let b = stage.spawn("bruno", Transform::from_xyz(0.0, 0.0, 2.0));
    stage.until_bound(&[a, b]);
    (stage, a, b)
}

/// Asks in a system, as a game does.
fn ask<T: 'static>(stage: &mut Stage, question: impl Fn(&HitboxQuery<'_>) -> T + Send + Sync + 'static) -> T {
    stage.world().run_system_once(move |hitboxes: HitboxQuery<'_>| question(&hitboxes)).unwrap()
}

#[test]
fn rays_hit_what_the_run_time_says() {
    let (mut stage, a, b) = two();
    for height in [0.1, 0.5, 0.9, 1.2, 1.4, 1.6] {
        let ray = Ray3d::new(Vec3::new(0.02, height, -5.0), Dir3::Z);
        let hits =
            ask(&mut stage, move |hitboxes| hitboxes.cast_ray_all(ray, 100.0, &HitboxFilter::default()).unwrap());
        let world = stage.world().resource::<HitboxBodies>().world();
        let mut expected = Vec::new();
        let same = Ray::try_new(ray.origin, Vec3::Z).unwrap();
        world.cast_ray_all(&same, 100.0, &QueryFilter::default(), &mut expected);
        assert_eq!(hits.len(), expected.len());
        for (hit, expected) in hits.iter().zip(&expected) {
            assert_eq!(BodyId(hit.hitbox.entity.to_bits()), expected.body);
            assert_eq!(
                (hit.hitbox.box_index, hit.distance, hit.normal),
                (expected.box_index.0, expected.entry, expected.normal)
            );
            assert!((hit.point - same.at(expected.entry)).length() < 1e-6);
        }
        let first = ask(&mut stage, move |hitboxes| hitboxes.cast_ray(ray, 100.0, &HitboxFilter::default()).unwrap());
        assert_eq!(first.as_ref(), hits.first());
        let not_a =
            ask(&mut stage, move |hitboxes| hitboxes.cast_ray(ray, 100.0, &HitboxFilter::excluding(&[a])).unwrap());
        assert_eq!(not_a.as_ref(), hits.iter().find(|hit| hit.hitbox.entity == b));
        let none = ask(&mut stage, move |hitboxes| hitboxes.cast_ray(ray, 1.0, &HitboxFilter::default()).unwrap());
        assert_eq!(none, None);
    }
    let head = Ray3d::new(Vec3::new(0.0, 1.6, -5.0), Dir3::Z);
    let hit =
        ask(&mut stage, move |hitboxes| hitboxes.cast_ray(head, 100.0, &HitboxFilter::tagged(&["head"])).unwrap());
    let hit = hit.expect("a head").hitbox;
    assert_eq!((hit.entity, &*hit.joint_name, hit.has_tag("head")), (a, "head", true));
    let joints = stage.world().get::<HitboxBinding>(a).unwrap().joints().to_vec();
    assert!(joints.contains(&hit.joint));
}

fn overlaps(shape: &HitboxQueryShape, one: &Obb) -> bool {
    match shape {
        HitboxQueryShape::Sphere(shape) => shape.overlaps_box(one),
        HitboxQueryShape::Capsule(shape) => shape.overlaps_box(one),
        HitboxQueryShape::Cuboid(shape) => shape.overlaps_box(one),
    }
}

#[test]
fn shapes_find_what_they_overlap() {
    let (mut stage, a, b) = two();
    let shapes = [
        HitboxQueryShape::sphere(Vec3::new(0.0, 1.2, 1.0), 1.0).unwrap(),
        HitboxQueryShape::capsule(Vec3::new(0.0, 1.0, -0.5), Vec3::new(0.0, 1.0, 2.5), 0.1).unwrap(),
        HitboxQueryShape::cuboid(Isometry3d::from_translation(Vec3::new(0.0, 0.5, 1.0)), Vec3::new(0.5, 0.4, 1.0))
            .unwrap(),
    ];
    for shape in shapes {
        let found = ask(&mut stage, move |hitboxes| hitboxes.overlapping(&shape, &HitboxFilter::default()));
        assert!([a, b].iter().all(|root| found.iter().any(|one| one.entity == *root)), "{shape:?}");
        // One by one, over all hitboxes.
        let bodies = stage.world().resource::<HitboxBodies>();
        let mut expected: Vec<HitboxRef> = Vec::new();
        for root in bodies.entities() {
            for (name, posed) in bodies.posed(root) {
                if overlaps(&shape, &posed.obb()) {
                    expected.push(name);
                }
            }
        }
        assert_eq!(found, expected);
        let only_b = ask(&mut stage, move |hitboxes| hitboxes.overlapping(&shape, &HitboxFilter::excluding(&[a])));
        assert!(only_b.iter().all(|one| one.entity == b));
        assert!(ask(&mut stage, move |hitboxes| hitboxes.overlaps_any(&shape, &HitboxFilter::default())));
        assert!(!ask(&mut stage, move |hitboxes| hitboxes.overlaps_any(&shape, &HitboxFilter::excluding(&[a, b]))));
    }
}

#[test]
fn a_blade_hits_on_its_way() {
    let (mut stage, a, b) = two();
    let hits = ask(&mut stage, |hitboxes| {
        let blade = |z| {
            let place = Isometry3d::from_translation(Vec3::new(0.0, 1.2, z));
            HitboxQueryShape::cuboid(place, Vec3::new(0.3, 0.02, 0.05)).unwrap()
        };
        hitboxes.cast_shape_all(&blade(-3.0), &blade(5.0), &HitboxFilter::default()).unwrap()
    });
    assert_eq!(hits[0].hitbox.entity, a);
    assert!(hits.windows(2).all(|pair| pair[0].time <= pair[1].time));
    let first_of_b = hits.iter().find(|hit| hit.hitbox.entity == b).unwrap();
    assert!((0.5..0.7).contains(&first_of_b.time) && (first_of_b.point.z - 2.0).abs() < 0.3, "{first_of_b:?}");
}

#[test]
fn moving_shapes_hit_what_the_run_time_says() {
    let (mut stage, a, b) = two();
    let along = |z: f32| Vec3::new(0.0, 1.2, z);
    let sphere = |z| HitboxQueryShape::sphere(along(z), 0.1).unwrap();
    let staff = |z| HitboxQueryShape::capsule(along(z) - Vec3::X, along(z) + Vec3::X, 0.05).unwrap();
    let blade =
        |z| HitboxQueryShape::cuboid(Isometry3d::from_translation(along(z)), Vec3::new(0.3, 0.02, 0.05)).unwrap();
    for [from, to] in [[-3.0, 5.0].map(sphere), [-3.0, 5.0].map(staff), [-3.0, 5.0].map(blade)] {
        let hits =
            ask(&mut stage, move |hitboxes| hitboxes.cast_shape_all(&from, &to, &HitboxFilter::default()).unwrap());
        let world = stage.world().resource::<HitboxBodies>().world();
        let (mut expected, all) = (Vec::new(), QueryFilter::default());
        match (from, to) {
            (HitboxQueryShape::Sphere(from), HitboxQueryShape::Sphere(to)) => {
                world.cast_shape_all(&from, &to, None, &all, &mut expected);
            }
            (HitboxQueryShape::Capsule(from), HitboxQueryShape::Capsule(to)) => {
                world.cast_shape_all(&from, &to, None, &all, &mut expected);
            }
            (HitboxQueryShape::Cuboid(from), HitboxQueryShape::Cuboid(to)) => {
                world.cast_shape_all(&from, &to, None, &all, &mut expected);
            }
            _ => unreachable!(),
        }
        assert!(!hits.is_empty() && hits[0].hitbox.entity == a);
        assert_eq!(hits.len(), expected.len());
        for (hit, expected) in hits.iter().zip(&expected) {
            assert_eq!(BodyId(hit.hitbox.entity.to_bits()), expected.body);
            assert_eq!((hit.hitbox.box_index, hit.time), (expected.box_index.0, expected.time));
            assert_eq!(hit.direction, expected.direction);
        }
        let first = move |hitboxes: &HitboxQuery<'_>| hitboxes.cast_shape(&from, &to, &HitboxFilter::default());
        assert_eq!(ask(&mut stage, first).unwrap().as_ref(), hits.first());
        let any = move |to| {
            move |hitboxes: &HitboxQuery<'_>| hitboxes.cast_shape_any(&from, &to, &HitboxFilter::default()).unwrap()
        };
        assert!(ask(&mut stage, any(to)) && !ask(&mut stage, any(from)));
        let of_each = [a, b].map(|one| {
            let only = HitboxFilter::only(one);
            let own: Vec<_> = hits.iter().filter(|hit| hit.hitbox.entity == one).cloned().collect();
            assert!(!own.is_empty());
            assert_eq!(ask(&mut stage, move |hitboxes| hitboxes.cast_shape_all(&from, &to, &only).unwrap()), own);
            let first = ask(&mut stage, move |hitboxes| hitboxes.cast_shape(&from, &to, &only).unwrap());
            assert_eq!(first.as_ref(), own.first());
            own.len()
        });
        assert_eq!(of_each.iter().sum::<usize>(), hits.len());
        let not_a = ask(&mut stage, move |hitboxes| hitboxes.cast_shape(&from, &to, &HitboxFilter::excluding(&[a])));
        assert_eq!(not_a.unwrap().as_ref(), hits.iter().find(|hit| hit.hitbox.entity != a));
    }
    let (from, to) = (sphere(-3.0), staff(5.0));
    let error =
        ask(&mut stage, move |hitboxes| hitboxes.cast_shape_all(&from, &to, &HitboxFilter::default()).unwrap_err());
    assert!(error.to_string().contains("two kinds of shape"), "{error}");
}

#[test]
fn a_sweep_finds_who_ran_through_whom() {
    let (mut stage, a, b) = two();
    for root in [a, b] {
        stage.world().entity_mut(root).insert(HitboxSettings { continuous: true, ..HitboxSettings::default() });
    }
    for x in [-20.0, 20.0] {
        stage.world().get_mut::<Transform>(b).unwrap().translation = Vec3::new(x, 0.0, 0.0);
        stage.app.update();
    }
    let (first, second) = (a.min(b), a.max(b));
    assert!(stage.world().resource::<HitboxBodies>().world().touches().is_empty());
    let hits = ask(&mut stage, |hitboxes| hitboxes.sweep_all(&HitboxFilter::default()));
    assert!(!hits.is_empty());
    let first_hit = ask(&mut stage, |hitboxes| hitboxes.sweep(&HitboxFilter::default())).unwrap();
    assert!(hits.contains(&first_hit) && hits.iter().all(|hit| first_hit.time <= hit.time));
    assert!(ask(&mut stage, |hitboxes| hitboxes.sweep_any(&HitboxFilter::default())));
    for hit in hits {
        assert_eq!((hit.a.entity.to_bits(), hit.b.entity.to_bits()), (first.to_bits(), second.to_bits()));
        assert!((0.4..0.6).contains(&hit.time) && hit.point.x.abs() < 1.5, "{hit:?}");
    }
    stage.app.update();
    assert!(ask(&mut stage, |hitboxes| hitboxes.sweep_all(&HitboxFilter::default())).is_empty());
    assert!(!ask(&mut stage, |hitboxes| hitboxes.sweep_any(&HitboxFilter::default())));
}

#[test]
fn a_teleported_character_is_not_swept_through_others() {
    let (mut stage, a, b) = two();
    let settings = |continuous| HitboxSettings { continuous, ..HitboxSettings::default() };
    stage.world().entity_mut(a).insert(settings(true));
    let swept = |stage: &mut Stage, x: f32, continuous: bool| {
        stage.world().get_mut::<Transform>(b).unwrap().translation = Vec3::new(x, 0.0, 0.0);
        stage.world().entity_mut(b).insert(settings(continuous));
        stage.app.update();
        !ask(stage, |hitboxes| hitboxes.sweep_all(&HitboxFilter::default())).is_empty()
    };
    swept(&mut stage, -20.0, true);
    assert!(swept(&mut stage, 20.0, true), "a motion between two ticks");
    assert!(!swept(&mut stage, -20.0, false), "a teleport");
    assert!(!swept(&mut stage, -21.0, true), "the next tick");
    assert!(swept(&mut stage, 20.0, true), "a motion again");
}

#[test]
fn a_contact_says_how_deep_a_touch_is() {
    let (mut stage, _, b) = two();
    stage.world().get_mut::<Transform>(b).unwrap().translation = Vec3::X * 0.2;
    stage.app.update();
    let touches = stage.sent().touches;
    let depths = |stage: &mut Stage| -> Vec<f32> {
        let touches = touches.clone();
        ask(stage, move |hitboxes| touches.iter().map(|touch| hitboxes.contact(touch).unwrap().depth).collect())
    };
    assert!(depths(&mut stage).iter().any(|&depth| depth > 0.0));
    stage.world().get_mut::<Transform>(b).unwrap().translation = Vec3::X * 50.0;
    stage.app.update();
    assert!(depths(&mut stage).iter().all(|&depth| depth == 0.0), "hitboxes that are apart have the depth 0");
    stage.sent();
    stage.world().get_mut::<Transform>(b).unwrap().translation = Vec3::X * 0.2;
    stage.app.update();
    assert!(stage.world().despawn(b));
    stage.app.update();
    for touch in stage.sent().touches {
        assert!(ask(&mut stage, move |hitboxes| hitboxes.contact(&touch)).is_none());
    }
}

#[test]
fn tracked_joints_have_the_matrices_of_the_pose() {
    let mut stage = Stage::new();
    let tracks = |joint: &str| HitboxSettings { track_joints: vec![joint.into()], ..HitboxSettings::default() };
    let place = Transform::from_xyz(1.0, 0.0, -2.0);
    let by_clip = stage.spawn_clip("runa", "jab", place);
    let by_joints = stage.spawn("runa", place);
    for root in [by_clip, by_joints] {
        stage.world().entity_mut(root).insert(tracks("hand_l"));
    }
    stage.until_bound(&[by_clip, by_joints]);
    stage.world().get_mut::<HitboxPose>(by_clip).unwrap().set_seconds(0.3);
    stage.app.update();
    let mut matrix = |root, joint| ask(&mut stage, move |hitboxes| hitboxes.world_from_joint(root, joint));
    let (clip, scene) = (matrix(by_clip, "hand_l"), matrix(by_joints, "hand_l"));
    assert_eq!(matrix(by_clip, "hand_r"), None);

    let runa = character("runa");
    let (jab, hand) = (runa.find_clip("jab").unwrap(), runa.skeleton().find("hand_l").unwrap());
    let mut expected = PosedCharacter::new();
    expected.track_joints(&[hand]);
    let time = runa.clips()[jab.index()].start() + 0.3;
    expected.pose_from_clip(&mut ClipSampler::new(), &runa, &place.compute_affine(), jab, time).unwrap();
    assert_eq!(clip, expected.world_from_joint(hand));
    let entity = stage.world().get::<HitboxBinding>(by_joints).unwrap().joints()[hand.index()].unwrap();
    assert_eq!(scene, Some(stage.world().get::<GlobalTransform>(entity).unwrap().affine()));

    stage.sent();
    stage.world().entity_mut(by_clip).insert(HitboxSettings { team: Some(1), ..tracks("hand_left") });
    stage.app.update();
    let failures = stage.sent().failures;
    assert_eq!(
        failures[0].error.to_string(),
        "\"runa\" has no joint \"hand_left\", which `track_joints` names; the nearest names: \"hand_l\", \"hand_r\", \"calf_l\""
    );
    let body = BodyId(by_clip.to_bits());
    let team = stage.world().resource::<HitboxBodies>().world().body(body).unwrap().settings().team;
    assert_eq!(team, None, "settings with a mistake are not applied in part");
}

#[test]
fn a_scene_without_a_tracked_joint_is_a_failure() {
    let mut stage = Stage::new();
    let runa = character("runa");
    let head = runa.boxes_with_tag("head").unwrap();
    let asset = Bonebox::new(runa.with_only_boxes("runa, far away", &head).unwrap());
    let handle = stage.world().resource_mut::<bevy_asset::Assets<Bonebox>>().add(asset);
    let root = stage.world().spawn(Hitboxes(handle)).id();
    let joints = spawn_joints(stage.world(), root, &runa);
    stage.until_bound(&[root]);
    // The hand moves no hitbox of this character, so it may be missing until a setting tracks it.
    let hand = runa.skeleton().find("hand_l").unwrap();
    stage.world().despawn(joints[hand.index()]);
    stage.app.update();
    assert!(stage.sent().failures.is_empty());
    let settings = HitboxSettings { track_joints: vec!["hand_l".into()], ..HitboxSettings::default() };
    stage.world().entity_mut(root).insert(settings);
    stage.app.update();
    let failures = stage.sent().failures;
    assert!(matches!(&failures[0].error, HitboxError::NoJoint { joint, .. } if joint == "hand_l"), "{failures:?}");
}

#[test]
fn rays_and_shapes_that_are_not_finite_are_errors() {
    let (mut stage, ..) = two();
    let ray = Ray3d::new(Vec3::NAN, Dir3::Z);
    let error = ask(&mut stage, move |hitboxes| hitboxes.cast_ray(ray, 1.0, &HitboxFilter::default()).unwrap_err());
    assert!(error.to_string().starts_with("the ray of a hitbox query is invalid: "), "{error}");
    let error = HitboxQueryShape::sphere(Vec3::ZERO, -1.0).unwrap_err();
    assert!(error.to_string().starts_with("the sphere of a hitbox query is invalid: "), "{error}");
    let nowhere = Isometry3d::from_translation(Vec3::INFINITY);
    assert!(HitboxQueryShape::cuboid(nowhere, Vec3::ONE).is_err());
}
