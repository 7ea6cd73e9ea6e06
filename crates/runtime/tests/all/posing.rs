//! Posing: posed boxes, errors of posing, and poses of clips.

use crate::characters::arm;
use baked_characters::baked_arm;
use glam::{Affine3A, Mat3, Quat, Vec3};
use runtime::{
    Bounds, Character, ClipIndex, ClipSampler, JointPair, LoopMode, PoseError, PoseLayer, PosedCharacter,
    overlapping_joints, overlaps,
};
use skeleton::JointIndex;

fn identity(character: &Character) -> Vec<Affine3A> {
    vec![Affine3A::IDENTITY; character.skeleton().len()]
}

fn touching(a: &PosedCharacter, b: &PosedCharacter) -> Vec<(u16, u16)> {
    let mut pairs = Vec::new();
    overlapping_joints(a, b, &mut pairs);
    assert_eq!(overlaps(a, b), !pairs.is_empty());
    pairs.iter().map(|JointPair { joint_a, joint_b }| (joint_a.0, joint_b.0)).collect()
}

#[test]
fn posed_boxes_hold_the_images_of_the_baked_ones() {
    let arm = arm("arm");
    let turn = Affine3A::from_rotation_translation(Quat::from_xyzw(0.1, 0.7, -0.2, 0.5).normalize(), Vec3::splat(3.0));
    let shear = Affine3A::from_mat3(Mat3::from_cols(Vec3::X, Vec3::new(0.7, 1.0, 0.2), Vec3::new(0.1, 0.0, 2.0)));
    for world_from_model in [Affine3A::IDENTITY, turn, turn * shear, Affine3A::from_scale(Vec3::new(-1.0, 2.0, 0.5))] {
        let mut posed = PosedCharacter::new();
        posed.pose_from_rest(&arm, &world_from_model).unwrap();
        for (posed_box, baked) in posed.boxes().zip(&arm.baked().boxes) {
            assert_eq!(posed_box.joint, baked.joint);
            let world_from_joint = world_from_model * Affine3A::from_translation(Vec3::Y * f32::from(baked.joint.0));
            for corner in 0..8 {
                let sign = |k: usize| if corner >> k & 1 == 1 { 1.0 } else { -1.0 };
                let local = baked.center + Vec3::new(sign(0), sign(1), sign(2)) * baked.half_extents;
                let point = world_from_joint.transform_point3(local);
                let inside = posed_box.axes.transpose() * (point - posed_box.center);
                assert!((inside.abs() - posed_box.half_extents).max_element() < 1e-5, "{world_from_model}");
                let Bounds { min, max } = posed.bounds();
                assert!(min.cmple(point + 1e-6).all() && max.cmpge(point - 1e-6).all());
            }
        }
    }
}

#[test]
fn boxes_that_only_touch_overlap() {
    let arm = arm("arm");
    let (mut a, mut b) = (PosedCharacter::new(), PosedCharacter::new());
    a.pose_from_rest(&arm, &Affine3A::IDENTITY).unwrap();
    b.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::new(0.6, 0.0, 0.0))).unwrap();
    assert_eq!(touching(&a, &b), [(1, 1), (1, 2), (2, 1), (2, 2)]);
    b.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::new(0.6001, 0.0, 0.0))).unwrap();
    assert_eq!(touching(&a, &b), []);
}

#[test]
fn several_boxes_of_a_joint_give_each_pair_once_and_sorted() {
    let mut baked = baked_arm("arm");
    let mut boxes = baked.boxes.clone();
    for one in &mut boxes {
        one.center.y += 0.25;
    }
    baked.boxes.extend(boxes);
    let arm = Character::from_baked(baked);
    let mut a = PosedCharacter::new();
    a.pose_from_rest(&arm, &Affine3A::IDENTITY).unwrap();
    assert_eq!(touching(&a, &a), [(1, 1), (1, 2), (2, 1), (2, 2)]);
}

#[test]
fn a_collapsed_joint_is_a_point_that_still_touches() {
    let arm = arm("arm");
    let mut matrices = identity(&arm);
    matrices[1] = Affine3A::from_scale(Vec3::ZERO);
    matrices[2] = Affine3A::from_scale(Vec3::ZERO) * Affine3A::from_translation(Vec3::X);
    let mut flat = PosedCharacter::new();
    flat.pose_from_world(&arm, &matrices).unwrap();
    assert!(flat.boxes().all(|one| one.center == Vec3::ZERO && one.half_extents == Vec3::ZERO && one.axes.is_finite()));
    assert_eq!(touching(&flat, &flat), [(1, 1), (1, 2), (2, 1), (2, 2)]);
    matrices[2] = Affine3A::from_scale(Vec3::ZERO);
    matrices[2].translation.x = 1e-20;
    flat.pose_from_world(&arm, &matrices).unwrap();
    assert_eq!(flat.boxes().len(), 2);
}

#[test]
fn matrices_that_are_not_finite_are_refused_and_touch_nothing() {
    let arm = arm("arm");
    for bad in [f32::NAN, f32::INFINITY, f32::MAX] {
        for column in 0..4 {
            let mut matrices = identity(&arm);
            let mut posed = PosedCharacter::new();
            posed.pose_from_world(&arm, &matrices).unwrap();
            match column {
                3 => matrices[2].translation.y = bad,
                _ => matrices[2].matrix3.col_mut(column).y = bad,
            }
            let result = posed.pose_from_world(&arm, &matrices);
            if bad == f32::MAX && result.is_ok() {
                continue; // large, but all of it can be counted
            }
            let expected = PoseError::OutOfRange { character: "arm".into(), joint: JointIndex(2), name: "fore".into() };
            assert_eq!(result, Err(expected));
            assert_eq!((posed.boxes().len(), posed.bounds()), (0, Bounds::EMPTY));
            assert_eq!(touching(&posed, &posed), []);
        }
    }
    // Matrices that no box depends on are not read.
    let mut matrices = identity(&arm);
    (matrices[0], matrices[3]) = (Affine3A::NAN, Affine3A::NAN);
    assert_eq!(PosedCharacter::new().pose_from_world(&arm, &matrices), Ok(()));
}

#[test]
fn errors_say_what_was_expected() {
    let arm = arm("arm");
    let short = PosedCharacter::new().pose_from_world(&arm, &[Affine3A::IDENTITY; 3]).unwrap_err();
    assert_eq!(short.to_string(), "\"arm\" has 4 joints, but 3 joint matrices were given; pass one matrix per joint");
    let clip = PosedCharacter::new()
        .pose_from_clip(&mut ClipSampler::new(), &arm, &Affine3A::IDENTITY, ClipIndex(1), 0.0)
        .unwrap_err();
    assert_eq!(clip.to_string(), "\"arm\" has no clip 1; pass an index below 1");
    let mut matrices = identity(&arm);
    matrices[1] = Affine3A::NAN;
    let nan = PosedCharacter::new().pose_from_world(&arm, &matrices).unwrap_err();
    assert_eq!(
        nan.to_string(),
        "\"arm\": the pose of joint 1 (\"upper\") is not finite, or beyond 1e12; look for a division by zero where its matrix is computed"
    );
}

#[test]
fn a_clip_moves_its_joints_and_what_hangs_below() {
    let arm = arm("arm");
    let wave = arm.find_clip("wave").unwrap();
    let (mut posed, mut sampler) = (PosedCharacter::new(), ClipSampler::new());
    posed.pose_from_clip(&mut sampler, &arm, &Affine3A::IDENTITY, wave, 1.0).unwrap();
    let boxes: Vec<_> = posed.boxes().collect();
    assert!(boxes[0].center.distance(Vec3::new(0.0, 1.5, 0.0)) < 1e-6);
    assert!(boxes[1].center.distance(Vec3::new(-0.5, 2.0, 0.0)) < 1e-6);
    // The sampler's matrices give the same pose.
    let matrices = sampler.sample(&arm, wave, 1.0).unwrap();
    let mut twin = PosedCharacter::new();
    twin.pose_from_model(&arm, &Affine3A::IDENTITY, matrices).unwrap();
    assert!(posed.boxes().eq(twin.boxes()));
    // Half way in a blend with the clip's start.
    let mut blend = PosedCharacter::new();
    let half = [PoseLayer::blend(wave, 0.0, 1.0), PoseLayer::blend(wave, 1.0, 0.5)];
    blend.pose_from_layers(&mut sampler, &arm, &Affine3A::IDENTITY, &half).unwrap();
    let eighth = blend.boxes().nth(1).unwrap();
    let (sin, cos) = (std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2);
    assert!(eighth.center.distance(Vec3::new(-0.5 * sin, 2.0 + 0.5 * cos, 0.0)) < 1e-5, "{}", eighth.center);
    assert_eq!(eighth.joint, JointIndex(2));
}

/// A server that runs for days plays a clip as smoothly as in its first minute.
#[test]
fn a_clip_that_loops_for_years_keeps_its_time() {
    let mut baked = baked_arm("arm");
    baked.clips[0].timelines[0] = vec![0.1, 0.5, 1.2]; // a length that is no f32
    let clip = &baked.clips[0];
    let length = f64::from(1.2f32) - f64::from(0.1f32);
    for days in [0.0, 1.0, 30.0, 3650.0] {
        let loops = (days * 86_400.0 / length).floor();
        for tick in 0..60u8 {
            let within = (f64::from(tick) + 0.5) / 60.0;
            let time = LoopMode::Loop.clip_time(clip, loops * length + within);
            assert!((f64::from(time) - f64::from(0.1f32) - within).abs() < 2e-7, "{tick} after {days} days: {time}");
        }
    }
}

#[test]
fn clips_that_start_late_loop_between_their_keys() {
    let mut baked = baked_arm("arm");
    baked.clips[0].timelines[0] = vec![10.0, 11.0, 12.0];
    let clip = &baked.clips[0];
    for (elapsed, once, looped) in [
        (-0.5, 10.0, 11.5),
        (0.0, 10.0, 10.0),
        (0.5, 10.5, 10.5),
        (2.0, 12.0, 10.0),
        (5.0, 12.0, 11.0),
        (f64::INFINITY, 12.0, 10.0),
    ] {
        assert_eq!(LoopMode::Once.clip_time(clip, elapsed), once, "{elapsed}");
        assert_eq!(LoopMode::Loop.clip_time(clip, elapsed), looped, "{elapsed}");
    }
}
