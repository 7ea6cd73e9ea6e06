//! A posed character knows which character it belongs to, and poses that are not finite give an error.

use crate::characters::{arm, figure};
use baked_characters::baked_arm;
use glam::{Affine3A, Vec3};
use runtime::{
    BodyId, BodyMotion, BodySettings, Character, ClipIndex, ClipSampler, HitboxWorld, JointMap, JointMask, LoopMode,
    PoseError, PoseLayer, PosedCharacter, SampleJoints, WorldError,
};
use skeleton::{Joint, JointIndex, LocalTransform, Skeleton};
use std::sync::Arc;

/// A character with as many boxes, of the same joints, as [`arm`], but with longer boxes.
fn long_arm() -> Character {
    let mut baked = baked_arm("long arm");
    baked.boxes.iter_mut().for_each(|one| one.half_extents.y = 2.0);
    Character::from_baked(baked)
}

#[test]
fn a_pose_of_another_character_is_refused_even_with_as_many_boxes() {
    let (arm, long) = (arm("arm"), long_arm());
    let matrices = vec![Affine3A::IDENTITY; 4];
    let (mut of_arm, mut of_long) = (PosedCharacter::new(), PosedCharacter::new());
    of_arm.pose_from_world(&arm, &matrices).unwrap();
    of_long.pose_from_world(&long, &matrices).unwrap();
    let error = of_arm.clone().update_joints(&long, &matrices, &[JointIndex(1)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the posed boxes are those of \"arm\", not of \"long arm\"; pose all of \"long arm\" first"
    );
    let error = BodyMotion::new(&of_arm, &of_long).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a body cannot move from a pose of \"arm\" to a pose of \"long arm\"; pose the same character twice"
    );
    assert!(BodyMotion::new(&PosedCharacter::new(), &PosedCharacter::new()).is_err());
}

#[test]
fn the_same_asset_loaded_twice_is_the_same_character() {
    let bytes = baked_format::write(&baked_arm("arm")).unwrap();
    let (first, second) = (Character::load(&bytes).unwrap(), Character::load(&bytes).unwrap());
    let (mut from, mut to) = (PosedCharacter::new(), PosedCharacter::new());
    from.pose_from_rest(&first, &Affine3A::IDENTITY).unwrap();
    to.pose_from_rest(&second, &Affine3A::from_translation(Vec3::X)).unwrap();
    assert!(BodyMotion::new(&from, &to).is_ok());
    assert!(from.update_joints(&second, &[Affine3A::IDENTITY; 4], &[JointIndex(1)]).is_ok());
}

/// The finger, which is changed, has no hitbox.
#[test]
fn a_character_with_another_skeleton_is_another_character() {
    let arm = arm("arm");
    let change = |change: &dyn Fn(&mut Vec<Joint>)| {
        let mut baked = baked_arm("arm");
        let mut joints = baked.skeleton.joints().to_vec();
        change(&mut joints);
        baked.skeleton = Skeleton::new(joints).unwrap();
        Character::from_baked(baked)
    };
    let others = [
        change(&|joints| joints[3].rest = LocalTransform::Matrix(Affine3A::from_translation(Vec3::Y * 9.0))),
        change(&|joints| joints[3].name = "thumb".into()),
        change(&|joints| joints[3].parent = Some(JointIndex(0))),
    ];
    let names = || ["root", "upper", "fore"];
    let map = JointMap::new(&arm, names()).unwrap();
    let mask = JointMask::below(&arm, JointIndex(2)).unwrap();
    let matrices = [Affine3A::IDENTITY; 3];
    let layer = PoseLayer::blend(ClipIndex(0), 0.5, 0.5).masked(&mask);
    for other in others {
        assert_eq!(other.hitboxes().map(|one| one.baked.clone()).collect::<Vec<_>>(), baked_arm("arm").boxes);
        let error = map.fill(&other, &matrices, &mut Vec::new()).unwrap_err();
        assert!(matches!(error, PoseError::OtherJointMap { .. }), "{error}");
        let error = ClipSampler::new().sample_layers(&other, std::slice::from_ref(&layer)).unwrap_err();
        assert!(matches!(error, PoseError::OtherMask { .. }), "{error}");
        assert!(JointMap::new(&other, names()).unwrap().fill(&other, &matrices, &mut Vec::new()).is_ok());
    }
}

#[test]
fn joints_are_updated_only_with_matrices_that_are_finite() {
    let (arm, finger) = (arm("arm"), JointIndex(3));
    for wrong in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        let mut matrices = [Affine3A::IDENTITY; 4];
        let mut posed = PosedCharacter::new();
        posed.track_joints(&[finger]);
        posed.pose_from_world(&arm, &matrices).unwrap();
        matrices[3].translation.x = wrong;
        let error = posed.update_joints(&arm, &matrices, &[JointIndex(1), finger]).unwrap_err();
        assert_eq!(Err(error), posed.pose_from_world(&arm, &matrices), "as a whole pose");
        assert!(!posed.is_posed() && posed.world_from_joint(finger).is_none());
        // The matrix of a joint without a hitbox that is not tracked is not read.
        posed.track_joints(&[]);
        posed.pose_from_world(&arm, &[Affine3A::IDENTITY; 4]).unwrap();
        posed.update_joints(&arm, &matrices, &[JointIndex(1), finger]).unwrap();
    }
}

#[test]
fn a_body_is_only_ever_posed_as_its_own_character() {
    let (arm, figure) = (Arc::new(arm("arm")), figure("figure"));
    let mut world = HitboxWorld::new();
    world.insert(BodyId(1), Arc::clone(&arm), BodySettings::default()).unwrap();
    world.pose_from_rest(BodyId(1), &Affine3A::IDENTITY).unwrap();
    let mut other = PosedCharacter::new();
    let error = world.pose_one(BodyId(1), |body| body.copy_pose(&other)).unwrap_err();
    assert!(matches!(error, WorldError::Pose { error: PoseError::OtherCharacter { .. }, .. }));
    other.pose_from_rest(&figure, &Affine3A::IDENTITY).unwrap();
    world.pose_one(BodyId(1), |body| body.copy_pose(&other)).unwrap_err();
    assert_eq!(world.body(BodyId(1)).unwrap().posed().boxes().len(), 0, "a failed pose leaves no boxes");
    other.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::X)).unwrap();
    world.pose_one(BodyId(1), |body| body.copy_pose(&other)).unwrap();
    world.update();
    assert!(world.body(BodyId(1)).unwrap().posed().boxes().eq(other.boxes()));
}

#[test]
fn times_and_weights_that_are_no_numbers_are_refused() {
    let (arm, mut sampler) = (arm("arm"), ClipSampler::new());
    let wave = ClipIndex(0);
    assert!(matches!(sampler.sample(&arm, wave, f32::NAN), Err(PoseError::NotANumber { clip: ClipIndex(0), .. })));
    assert!(sampler.sample(&arm, wave, f32::INFINITY).is_ok(), "clamped to the last key");
    let elapsed = LoopMode::Loop.clip_time(&arm.clips()[0], f64::NAN);
    let mut posed = PosedCharacter::new();
    posed.pose_from_rest(&arm, &Affine3A::IDENTITY).unwrap();
    let error = posed.pose_from_clip(&mut sampler, &arm, &Affine3A::IDENTITY, wave, elapsed).unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"arm\": the time of clip 0, or the weight that the clip is blended with, is not a number; look for a division by zero where this number is computed"
    );
    assert!(!posed.is_posed(), "no pose is no miss");
}

#[test]
fn sockets_follow_the_clip_wherever_their_joints_are() {
    let (arm, mut sampler) = (Arc::new(arm("arm")), ClipSampler::new());
    let finger = arm.skeleton().find("finger").unwrap();
    sampler.set_joints(SampleJoints::All);
    let expected = sampler.sample(&arm, ClipIndex(0), 0.7).unwrap().to_vec();
    assert!(expected.iter().all(|matrix| matrix.is_finite()));
    sampler.set_joints(SampleJoints::These(vec![finger]));
    assert_eq!(sampler.sample(&arm, ClipIndex(0), 0.7).unwrap(), expected);
    sampler.set_joints(SampleJoints::These(vec![JointIndex(4)]));
    assert!(matches!(sampler.sample(&arm, ClipIndex(0), 0.7), Err(PoseError::NoJoint { count: 4, .. })));

    let mut world = HitboxWorld::new();
    for continuous in [false, true] {
        let (id, settings) = (BodyId(continuous.into()), BodySettings { continuous, ..BodySettings::default() });
        world.insert(id, Arc::clone(&arm), settings).unwrap();
        world.track_joints(id, &["finger"]).unwrap();
        assert_eq!(world.body(id).unwrap().world_from_joint("finger"), None, "no pose yet");
        for _ in 0..3 {
            world.pose_from_clip(id, &Affine3A::IDENTITY, ClipIndex(0), 0.7).unwrap();
            world.update();
            assert_eq!(world.body(id).unwrap().world_from_joint("finger"), Some(expected[finger.index()]));
            assert_eq!(world.body(id).unwrap().world_from_joint("root"), None, "not tracked");
        }
        world.pose_from_rest(id, &Affine3A::NAN).unwrap_err();
        assert_eq!(world.body(id).unwrap().world_from_joint("finger"), None, "no pose any more");
    }
    let error = world.track_joints(BodyId(0), &["muzzle"]).unwrap_err();
    assert_eq!(error.to_string(), "body 0: \"arm\" has no joint \"muzzle\"; `bonebox inspect --json` lists its joints");
}
