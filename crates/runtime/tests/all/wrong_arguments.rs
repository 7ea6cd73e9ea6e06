//! Wrong arguments give an error that names the wrong one, or the answer that the documentation promises.

use crate::characters::{arm, tube};
use baked_characters::{baked_arm, baked_figure_for_any_pose, baked_tube, with_hulls};
use geometry_core::{Ray, Sphere};
use glam::{Affine3A, Vec3};
use runtime::kernels::Kernel;
use runtime::{
    BodyId, BodyMotion, BodySettings, BoxIndex, Character, ClipIndex, ClipSampler, CollisionLayers, HitboxWorld,
    JointMap, JointMask, PoseError, PoseLayer, PosedCharacter, QueryFilter, RayBuffers, RayQuery,
};
use skeleton::JointIndex;
use std::sync::Arc;

const HERE: Affine3A = Affine3A::IDENTITY;

/// Another bake of [`arm`]: the same name, and other hitboxes.
fn arm_baked_again() -> Character {
    let mut baked = baked_arm("arm");
    baked.boxes.iter_mut().for_each(|one| one.half_extents.y *= 2.0);
    Character::from_baked(baked)
}

#[test]
fn another_bake_of_the_same_name_is_called_another_bake() {
    let (old, new) = (arm("arm"), arm_baked_again());
    let (mut of_old, mut of_new) = (PosedCharacter::new(), PosedCharacter::new());
    of_old.pose_from_rest(&old, &HERE).unwrap();
    of_new.pose_from_rest(&new, &HERE).unwrap();
    let error = of_old.clone().update_joints(&new, new.rest_matrices(), &[]).unwrap_err();
    let expected = "the posed boxes are those of another bake of \"arm\"; pose all of \"arm\" first";
    assert_eq!(error.to_string(), expected);

    let names = || old.skeleton().joints().iter().map(|joint| &joint.name);
    let error = JointMap::new(&old, names()).unwrap().fill(&new, new.rest_matrices(), &mut Vec::new()).unwrap_err();
    let expected = "the joint map is of another bake of \"arm\"; make a map for the \"arm\" that is posed";
    assert_eq!(error.to_string(), expected);

    let mask = JointMask::below(&old, JointIndex(1)).unwrap();
    let layer = PoseLayer::blend(ClipIndex(0), 0.0, 0.5).masked(&mask);
    let error = ClipSampler::new().sample_layers(&new, &[layer]).unwrap_err();
    let expected = "the joint mask is of another bake of \"arm\"; make a mask from the \"arm\" that is posed";
    assert_eq!(error.to_string(), expected);

    let error = new.with_only_boxes("few", &old.all_boxes()).unwrap_err();
    let expected =
        "the set holds hitboxes of another bake of \"arm\"; make the set from the \"arm\" that it is used with";
    assert_eq!(error.to_string(), expected);

    let mut world = HitboxWorld::new();
    world.insert(BodyId(1), Arc::new(new), BodySettings::default()).unwrap();
    let error = world.set_boxes_enabled(BodyId(1), &old.all_boxes(), false).unwrap_err();
    let expected = "body 1 has the character \"arm\", but the set holds hitboxes of another bake of \"arm\"; make the set from the body's own character";
    assert_eq!(error.to_string(), expected);

    let error = BodyMotion::new(&of_old, &of_new).unwrap_err();
    let expected =
        "a body cannot move from a pose of \"arm\" to a pose of another bake of \"arm\"; pose the same character twice";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_missing_pose_is_called_a_missing_pose() {
    let (arm, unposed) = (Arc::new(arm("arm")), PosedCharacter::new());
    let mut posed = PosedCharacter::new();
    posed.pose_from_rest(&arm, &HERE).unwrap();
    let expected = "there is no pose of \"arm\" yet, or the last pose failed; pose all of \"arm\" first";
    let error = unposed.clone().update_joints(&arm, arm.rest_matrices(), &[]).unwrap_err();
    assert_eq!(error.to_string(), expected);
    let mut world = HitboxWorld::new();
    world.insert(BodyId(1), Arc::clone(&arm), BodySettings::default()).unwrap();
    let error = world.pose_one(BodyId(1), |body| body.copy_pose(&unposed)).unwrap_err();
    assert_eq!(error.to_string(), format!("body 1: {expected}"));
    let motion = |from, to| BodyMotion::new(from, to).unwrap_err().to_string();
    let text = |from, to| format!("a body cannot move from {from} to {to}; pose the same character twice");
    assert_eq!(motion(&unposed, &unposed), text("a missing pose", "a missing pose"));
    assert_eq!(motion(&posed, &unposed), text("a pose of \"arm\"", "a missing pose"));
    assert_eq!(motion(&unposed, &posed), text("a missing pose", "a pose of \"arm\""));
}

#[test]
fn a_place_in_the_world_that_is_not_finite_is_named_and_not_a_joint() {
    let characters = [
        arm("arm"),
        tube("tube"),
        Character::from_baked(baked_figure_for_any_pose("any pose")),
        Character::from_baked(with_hulls(baked_arm("hulls"))),
    ];
    let mut sampler = ClipSampler::new();
    for character in &characters {
        let name = character.name();
        let expected = format!(
            "{name:?}: `world_from_model` is not finite, or has a number beyond 1e12; look for a division by zero where the place \
             of the body is computed"
        );
        for bad in [f32::NAN, f32::INFINITY, 1e13] {
            let place = Affine3A::from_translation(Vec3::new(0.0, bad, 0.0));
            let mut posed = PosedCharacter::new();
            posed.track_skin(true);
            let refused = posed.pose_from_rest(character, &place).unwrap_err();
            assert_eq!(refused.to_string(), expected);
            assert!(!posed.is_posed());
            let refused = posed.pose_from_clip(&mut sampler, character, &place, ClipIndex(0), 0.0).unwrap_err();
            assert_eq!(refused.to_string(), expected);
        }
        // A joint's own matrix is still blamed on the joint.
        let mut matrices = character.rest_matrices().to_vec();
        let joint = character.hitboxes().next().unwrap().joint;
        matrices[joint.index()].translation.x = f32::NAN;
        let refused = PosedCharacter::new().pose_from_model(character, &HERE, &matrices).unwrap_err();
        assert!(matches!(refused, PoseError::OutOfRange { joint: found, .. } if found == joint), "{refused}");
    }
    // A tracked joint without a hitbox.
    let arm = &characters[0];
    let mut posed = PosedCharacter::new();
    posed.track_joints(&[JointIndex(3)]);
    let mut matrices = arm.rest_matrices().to_vec();
    matrices[3] = Affine3A::NAN;
    let refused = posed.pose_from_model(arm, &HERE, &matrices).unwrap_err();
    assert!(matches!(refused, PoseError::OutOfRange { joint: JointIndex(3), .. }), "{refused}");
}

#[test]
fn no_answers_are_left_after_an_exact_query_that_fails() {
    let (tube, all) = (Arc::new(tube("tube")), QueryFilter::default());
    let mut world = HitboxWorld::new();
    for id in 0..3 {
        world.insert(BodyId(id), Arc::clone(&tube), BodySettings::default()).unwrap();
        world.track_skin(BodyId(id), true).unwrap();
        world.pose_from_rest(BodyId(id), &Affine3A::from_translation(Vec3::X * 0.1 * id as f32)).unwrap();
    }
    world.update();
    let around = Sphere::try_new(Vec3::new(0.0, 1.5, 0.0), 1.0).unwrap();
    let middle = Vec3::new(0.1, 1.5, 0.0);
    let (mut touches, mut overlaps, mut inside) = (Vec::new(), Vec::new(), Vec::new());
    world.exact_touches(&all, &mut touches).unwrap();
    world.exact_shape_overlaps(&around, &all, &mut overlaps).unwrap();
    world.bodies_containing(middle, &all, &mut inside).unwrap();
    assert!(!touches.is_empty() && !overlaps.is_empty() && !inside.is_empty());

    world.track_skin(BodyId(2), false).unwrap();
    #[cfg(feature = "rayon")]
    {
        let mut touches = touches.clone();
        world.exact_touches_parallel(&all, &mut touches).unwrap_err();
        assert_eq!(touches, []);
    }
    world.exact_touches(&all, &mut touches).unwrap_err();
    world.exact_shape_overlaps(&around, &all, &mut overlaps).unwrap_err();
    world.bodies_containing(middle, &all, &mut inside).unwrap_err();
    assert_eq!((touches, overlaps, inside), (vec![], vec![], vec![]));
}

#[test]
fn joints_and_hitboxes_that_do_not_exist_are_an_error_or_the_documented_answer() {
    let character = Arc::new(Character::from_baked(baked_tube("tube")));
    let count = character.skeleton().len();
    let matrices = vec![HERE; count];
    for nowhere in [JointIndex(count as u16), JointIndex(u16::MAX)] {
        let expected = format!("\"tube\" has no joint {nowhere}; pass an index below {count}");
        let mut posed = PosedCharacter::new();
        posed.track_skin(true);
        posed.pose_from_world(&character, &matrices).unwrap();
        let error = posed.update_joints(&character, &matrices, &[JointIndex(1), nowhere]).unwrap_err();
        assert_eq!((error.to_string(), posed.is_posed()), (expected.clone(), false));
        assert_eq!(JointMask::below(&character, nowhere).unwrap_err().to_string(), expected);
        assert!(character.boxes_of_joint(nowhere).is_empty());
        assert_eq!(posed.world_from_joint(nowhere), None);
    }
    let mut world = HitboxWorld::new();
    world.insert(BodyId(1), Arc::clone(&character), BodySettings::default()).unwrap();
    world.pose_from_rest(BodyId(1), &HERE).unwrap();
    let nowhere = BoxIndex(character.box_count() as u16);
    for box_layers in [false, true] {
        if box_layers {
            let layers = CollisionLayers::default();
            world.set_box_layers(BodyId(1), &character.all_boxes(), layers).unwrap();
        }
        let body = world.body(BodyId(1)).unwrap();
        assert_eq!(body.layers_of_box(nowhere), CollisionLayers::NONE);
        assert_eq!(body.posed_hitbox(nowhere), None);
    }
}

#[test]
fn a_time_limit_that_is_negative_or_no_number_hits_nothing() {
    let tube = Arc::new(tube("tube"));
    let all = QueryFilter::default();
    let from_outside = Ray::try_new(Vec3::new(-5.0, 1.5, 0.0), Vec3::X).unwrap();
    let from_inside = Ray::try_new(Vec3::new(0.0, 1.5, 0.0), Vec3::X).unwrap();
    for kernel in Kernel::available() {
        let mut world = HitboxWorld::with_kernel(kernel);
        world.insert(BodyId(1), Arc::clone(&tube), BodySettings::default()).unwrap();
        world.track_skin(BodyId(1), true).unwrap();
        world.pose_from_rest(BodyId(1), &HERE).unwrap();
        world.update();
        let mut posed = world.body(BodyId(1)).unwrap().posed().clone();
        for ray in [from_outside, from_inside] {
            for limit in [f32::NAN, -1.0, f32::NEG_INFINITY] {
                let (mut hits, mut of_body, mut of_rays) = (Vec::new(), Vec::new(), Vec::new());
                world.cast_ray_all(&ray, limit, &all, &mut hits);
                posed.cast_ray_all(&ray, limit, &mut of_body);
                let query = RayQuery { max_time: Some(limit), ..RayQuery::new(ray) };
                world.cast_rays(&[query], &mut RayBuffers::default(), &mut of_rays);
                assert_eq!((hits.len(), of_body.len(), &of_rays[..]), (0, 0, &[None][..]), "{limit}");
                assert_eq!((world.cast_ray(&ray, limit, &all), posed.cast_ray(&ray, limit)), (None, None));
                assert!(!world.cast_ray_any(&ray, limit, &all) && !posed.cast_ray_any(&ray, limit));
                assert_eq!(world.exact_ray(&ray, limit, &all).unwrap(), None);
                assert_eq!(posed.exact_ray(&ray, limit).unwrap(), None);
            }
        }
        assert!(world.cast_ray(&from_outside, f32::INFINITY, &all).is_some());
    }
}

#[test]
fn the_times_of_the_slowest_ray_are_finite() {
    let characters = [arm("arm"), tube("tube"), Character::from_baked(with_hulls(baked_arm("hulls")))];
    for character in &characters {
        for far in [-10.0, -1e12] {
            let origin = Vec3::new(far, 0.0, 0.0);
            let [slow, plain] = [1e-25, 1.0].map(|speed| Ray::try_new(origin, Vec3::X * speed).unwrap());
            let mut posed = PosedCharacter::new();
            posed.pose_from_rest(character, &Affine3A::from_translation(Vec3::NEG_Y * 1.5)).unwrap();
            let (slow_hit, hit) = (posed.cast_ray(&slow, None).unwrap(), posed.cast_ray(&plain, None).unwrap());
            assert_eq!(slow_hit.joint, hit.joint);
            assert!(slow_hit.entry.is_finite() && slow_hit.exit.is_finite());
            assert!(slow.at(slow_hit.entry).distance(plain.at(hit.entry)) <= 1e-6 * far.abs());
        }
    }
    assert!(Ray::try_new(Vec3::ZERO, Vec3::X * 1e-26).is_err());
}
