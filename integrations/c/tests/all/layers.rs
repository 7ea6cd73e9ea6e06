//! Pose layers and joint masks. The golden scene of layers compares their bits with the run time's.

use crate::door::{
    OwnCharacter, OwnMask, OwnPose, OwnWorld, assert_failed, asset, call, find_clip, find_joint, hitboxes, insert,
    matrix,
};
use bonebox_c::*;
use glam::{Affine3A, Vec3};
use std::ptr::null;

fn layer(clip: u32, seconds: f32, weight: f32) -> BoneboxPoseLayer {
    BoneboxPoseLayer { clip, seconds, weight, mode: BoneboxLayerMode::Blend as u32, mask: null() }
}

fn pose(pose: &OwnPose, character: &OwnCharacter, layers: &[BoneboxPoseLayer]) -> Result<(), crate::door::Failed> {
    let (here, count) = (matrix(&Affine3A::IDENTITY), layers.len());
    call(|error| unsafe { bonebox_pose_from_layers(pose.0, character.0, &here, layers.as_ptr(), count, error) })
}

fn pose_from_clip(character: &OwnCharacter, clip: u32, seconds: f32) -> OwnPose {
    let (pose, here) = (OwnPose::new(), matrix(&Affine3A::IDENTITY));
    call(|error| unsafe { bonebox_pose_from_clip(pose.0, character.0, &here, clip, seconds, error) }).unwrap();
    pose
}

fn center(pose: &OwnPose, joint: u16) -> Vec3 {
    hitboxes(pose).iter().find(|one| one.joint == joint).unwrap().center.into()
}

#[test]
fn layers_blend_add_and_leave_masked_joints_alone() {
    let runa = asset("runa");
    let (jab, idle) = (find_clip(&runa, "jab"), find_clip(&runa, "idle"));
    let (hand, foot) = (find_joint(&runa, "hand_l"), find_joint(&runa, "foot_l"));
    let layered = OwnPose::new();
    let [idle_pose, jab_pose] = [pose_from_clip(&runa, idle, 0.2), pose_from_clip(&runa, jab, 0.3)];

    pose(&layered, &runa, &[layer(jab, 0.3, 1.0)]).unwrap();
    assert_eq!(hitboxes(&layered), hitboxes(&jab_pose), "one full layer is the clip");
    pose(&layered, &runa, &[]).unwrap();
    let rest = OwnPose::new();
    let here = matrix(&Affine3A::IDENTITY);
    call(|error| unsafe { bonebox_pose_from_rest(rest.0, runa.0, &here, error) }).unwrap();
    for (a, b) in hitboxes(&layered).iter().zip(&hitboxes(&rest)) {
        assert!((Vec3::from(a.center) - Vec3::from(b.center)).length() < 1e-5, "no layer is the rest pose");
    }

    let arm = OwnMask::below(&runa, find_joint(&runa, "clavicle_l")).unwrap();
    let punch = BoneboxPoseLayer { mask: arm.0, ..layer(jab, 0.3, 1.0) };
    pose(&layered, &runa, &[layer(idle, 0.2, 1.0), punch]).unwrap();
    assert_eq!(center(&layered, foot), center(&idle_pose, foot), "the mask leaves the foot alone");
    let moved = (center(&layered, hand) - center(&idle_pose, hand)).length();
    assert!(moved > 0.1, "the arm jabs by {moved} m");

    let breath = BoneboxPoseLayer { mode: BoneboxLayerMode::Add as u32, ..layer(jab, 0.3, 0.0) };
    pose(&layered, &runa, &[layer(idle, 0.2, 1.0), breath]).unwrap();
    let unmoved = center(&layered, hand);
    pose(&layered, &runa, &[layer(idle, 0.2, 1.0), BoneboxPoseLayer { weight: 1.0, ..breath }]).unwrap();
    assert!((center(&layered, hand) - unmoved).length() > 0.1 && (unmoved - center(&idle_pose, hand)).length() < 1e-5);

    let world = OwnWorld::new();
    insert(&world, 1, &runa);
    let layers = [layer(idle, 0.2, 1.0), BoneboxPoseLayer { weight: 1.0, ..breath }];
    let of_body = |body, layers: &[BoneboxPoseLayer]| BoneboxLayerPose {
        body,
        world_from_model: here,
        layers: layers.as_ptr(),
        layer_count: layers.len(),
    };
    let poses = [of_body(9, &layers), of_body(1, &layers)];
    let refused = call(|error| unsafe { bonebox_world_pose_from_layers(world.0, poses.as_ptr(), 2, error) });
    assert_failed(refused, BoneboxResult::NoBody, "body 9");
    let of_world = OwnPose::new();
    call(|error| unsafe { bonebox_world_get_pose(world.0, 1, of_world.0, error) }).unwrap();
    assert_eq!(hitboxes(&of_world), hitboxes(&layered), "the pose after the refused one is applied");
}

#[test]
fn layers_and_masks_that_are_refused() {
    use BoneboxResult::{InvalidArgument, NotFound, NullPointer, PoseRefused, WrongCharacter};
    let (runa, bruno, posed) = (asset("runa"), asset("bruno"), OwnPose::new());
    assert_failed(OwnMask::below(&runa, 999), NotFound, "no joint 999");
    assert_failed(OwnMask::new(&runa, &[1.0; 7]), InvalidArgument, "\"runa\" has 53 joints, but 7 weights were given");
    pose(&posed, &runa, &[layer(0, 0.0, 1.0)]).unwrap();
    let odd = BoneboxPoseLayer { mode: 2, ..layer(0, 0.0, 0.5) };
    assert_failed(pose(&posed, &runa, &[layer(0, 0.0, 1.0), odd]), InvalidArgument, "the mode of layer 1 is 2");
    assert!(!unsafe { bonebox_pose_is_posed(posed.0) }, "a refused pose has no hitboxes");
    assert_failed(pose(&posed, &runa, &[layer(999, 0.0, 0.5)]), NotFound, "no clip 999");
    assert_failed(pose(&posed, &runa, &[layer(0, f32::NAN, 0.5)]), PoseRefused, "not a number");
    assert_failed(pose(&posed, &runa, &[layer(0, 0.0, f32::NAN)]), PoseRefused, "not a number");
    let of_bruno = OwnMask::below(&bruno, 0).unwrap();
    let masked = BoneboxPoseLayer { mask: of_bruno.0, ..layer(0, 0.0, 0.5) };
    assert_failed(pose(&posed, &runa, &[masked]), WrongCharacter, "the joint mask is of \"bruno\"");
    let here = matrix(&Affine3A::IDENTITY);
    let missing = call(|error| unsafe { bonebox_pose_from_layers(posed.0, runa.0, &here, null(), 1, error) });
    assert_failed(missing, NullPointer, "`layers` is NULL");
    pose(&posed, &runa, &[layer(0, 0.0, 1.0)]).expect("a pose after refused ones");
}
