//! Retargets a clip of one authored character to another and back, through VMC packets and BVH text, and compares with
//! plain matrices.

use crate::figure::{Figure, HANDS_AND_FEET, angle, through_vmc};
use glam::{DMat3, DQuat, DVec3, Quat, Vec3};
use mocap::bvh::Motion;
use mocap::{HipsMotion, HumanBone, HumanPose, Humanoid, ReferencePose, Rig, RigError};
use skeleton::{Joint, JointIndex, LocalTransform, NodeIndex, Skeleton, Trs};

const CLIPS: [&str; 6] = ["idle", "walk", "guard", "jab", "roundhouse_kick", "hit"];

/// The times of a clip at 10 Hz, in seconds.
fn times(figure: &Figure, clip: &str) -> Vec<f32> {
    let seconds = figure.clip(clip).seconds();
    (0..=(10.0 * seconds) as usize).map(|tick| 0.1 * tick as f32).collect()
}

/// The largest difference of world rotations in degrees, and of the positions of hands and feet as a share of the
/// height.
fn differences(figure: &Figure, a: &[LocalTransform], b: &[LocalTransform]) -> (f64, f64) {
    let (a, b) = (figure.model(a), figure.model(b));
    let (mut turned, mut moved) = (0.0_f64, 0.0_f64);
    for (bone, joint) in figure.humanoid.iter() {
        let (a, b) = (&a[joint.index()], &b[joint.index()]);
        turned = turned.max(angle(&a.0, &b.0));
        if HANDS_AND_FEET.contains(&bone) {
            moved = moved.max((a.1 - b.1).length() / figure.height());
        }
    }
    (turned, moved)
}

#[test]
fn a_clip_to_itself_gives_the_same_pose() {
    let mut runa = Figure::new("runa");
    for clip in CLIPS {
        for time in times(&runa, clip) {
            let local = runa.sample(clip, time);
            let pose = runa.read(&local);
            let again = runa.write(&pose);
            for (joint, (a, b)) in runa.model(&local).iter().zip(runa.model(&again)).enumerate() {
                let difference = (a.0 - b.0).to_cols_array().into_iter().chain((a.1 - b.1).to_array());
                let worst = difference.fold(0.0_f64, |worst, one| worst.max(one.abs()));
                assert!(worst < 1e-5, "{clip} at {time}: joint {joint} differs by {worst}");
            }
        }
    }
}

#[test]
fn a_clip_through_vmc_to_another_character_and_back_is_the_same() {
    let (mut runa, mut bruno) = (Figure::new("runa"), Figure::new("bruno"));
    let (mut turned, mut moved) = (0.0_f64, 0.0_f64);
    for clip in CLIPS {
        for time in times(&runa, clip) {
            let local = runa.sample(clip, time);
            let there = through_vmc(&runa.read(&local), &runa.rig);
            let on_bruno = bruno.write(&there);
            let back = through_vmc(&bruno.read(&on_bruno), &bruno.rig);
            let again = runa.write(&back);
            let (degrees, share) = differences(&runa, &local, &again);
            (turned, moved) = (turned.max(degrees), moved.max(share));
        }
    }
    println!("VMC there and back: {turned:.6} degrees, {:.6} % of the height", 100.0 * moved);
    assert!(turned < 0.01 && moved < 0.01, "{turned} degrees, {moved} of the height");
}

#[test]
fn a_clip_through_bvh_to_another_character_and_back_is_the_same() {
    let (mut runa, mut bruno) = (Figure::new("runa"), Figure::new("bruno"));
    let (mut turned, mut moved) = (0.0_f64, 0.0_f64);
    for clip in CLIPS {
        let rate = 10.0;
        let there = Motion::sample(&runa.skeleton, runa.clip(clip), rate).unwrap();
        let there = Motion::parse(there.to_text().as_bytes()).unwrap();
        let mut recorded = Figure::of(there.skeleton(), vec![], ReferencePose::TPose);
        // Bruno's own clip, made from the recording.
        let mut local = recorded.skeleton.rest_pose();
        let mut bruno_frames = Vec::new();
        for frame in 0..there.frame_count() {
            there.pose(frame, &mut local);
            bruno_frames.push(bruno.write(&recorded.read(&local)));
        }
        let back = clip_of(&bruno.skeleton, &bruno_frames, rate);
        let back = Motion::sample(&bruno.skeleton, &back, rate).unwrap();
        let back = Motion::parse(back.to_text().as_bytes()).unwrap();
        assert_eq!(back.frame_count(), there.frame_count());
        let mut recorded = Figure::of(back.skeleton(), vec![], ReferencePose::TPose);
        for (frame, time) in times(&runa, clip).into_iter().enumerate() {
            back.pose(frame, &mut local);
            let again = runa.write(&recorded.read(&local));
            let (degrees, share) = differences(&runa, &runa.sample(clip, time), &again);
            (turned, moved) = (turned.max(degrees), moved.max(share));
        }
    }
    println!("BVH there and back: {turned:.6} degrees, {:.6} % of the height", 100.0 * moved);
    assert!(turned < 0.01 && moved < 0.01, "{turned} degrees, {moved} of the height");
}

/// Makes a clip from local transforms, frame by frame.
fn clip_of(skeleton: &Skeleton, frames: &[Vec<LocalTransform>], rate: f32) -> skeleton::Clip {
    use skeleton::{Channel, Interpolation, Property};
    let mut channels = Vec::new();
    for joint in 0..skeleton.len() {
        let trs = |frame: &Vec<LocalTransform>| match frame[joint] {
            LocalTransform::Trs(trs) => trs,
            LocalTransform::Matrix(_) => panic!("no matrices"),
        };
        let mut add = |property, values| {
            let joint = JointIndex(joint as u16);
            channels.push(Channel { joint, property, interpolation: Interpolation::Linear, timeline: 0, values });
        };
        add(Property::Translation, frames.iter().flat_map(|frame| trs(frame).translation.to_array()).collect());
        add(Property::Rotation, frames.iter().flat_map(|frame| trs(frame).rotation.to_array()).collect());
    }
    let times = (0..frames.len()).map(|frame| frame as f32 / rate).collect();
    skeleton::Clip { name: "clip".into(), timelines: vec![times], channels }
}

/// On the second character, every bone must have the rotation from its T-pose that it has on the first character, and
/// the position that these rotations give with the second character's own bones.
#[test]
fn the_other_character_takes_the_same_pose_with_its_own_bones() {
    let (mut runa, mut bruno) = (Figure::new("runa"), Figure::new("bruno"));
    let t_pose = HumanPose::T_POSE;
    let [runa_t, bruno_t] = [&mut runa, &mut bruno].map(|figure| {
        let local = figure.write(&t_pose);
        figure.model(&local)
    });
    let mut farthest = 0.0_f64;
    for clip in CLIPS {
        for time in times(&runa, clip) {
            let local = runa.sample(clip, time);
            let pose = through_vmc(&runa.read(&local), &runa.rig);
            let on_bruno = bruno.write(&pose);
            let (on_runa, on_bruno) = (runa.model(&local), bruno.model(&on_bruno));
            let joints = |bone| Some((runa.humanoid.joint(bone)?.index(), bruno.humanoid.joint(bone)?.index()));
            for bone in HumanBone::ALL {
                let Some((r, b)) = joints(bone) else { continue };
                let [turned_r, turned_b] =
                    [on_runa[r].0 * runa_t[r].0.transpose(), on_bruno[b].0 * bruno_t[b].0.transpose()];
                let degrees = angle(&turned_r, &turned_b);
                assert!(degrees < 0.01, "{clip} at {time}: {bone} is {degrees} degrees off");
                // The position relative to the parent bone: Bruno's bone, turned by Runa's rotation.
                let mut above = bone.parent();
                while above.is_some_and(|above| joints(above).is_none()) {
                    above = above.and_then(HumanBone::parent);
                }
                let Some((r_above, b_above)) = above.and_then(joints) else { continue };
                let turned = on_runa[r_above].0 * runa_t[r_above].0.transpose();
                let expected = on_bruno[b_above].1 + turned * (bruno_t[b].1 - bruno_t[b_above].1);
                let share = (on_bruno[b].1 - expected).length() / bruno.height();
                farthest = farthest.max(share);
                assert!(share < 0.01, "{clip} at {time}: {bone} is {share} of the height off");
            }
            // The position of the hips, scaled by the height of the hips above the ankles.
            let hips = joints(HumanBone::Hips).unwrap();
            let scale = bruno.rig.hip_height() / runa.rig.hip_height();
            let expected = on_runa[hips.0].1 * scale;
            assert!((on_bruno[hips.1].1 - expected).length() < 1e-4 * bruno.height(), "{clip} at {time}");
        }
    }
    println!("positions on the other character: {:.6} % of the height", 100.0 * farthest);
}

#[test]
fn the_reference_pose_is_a_t_pose() {
    for name in ["runa", "bruno"] {
        let mut figure = Figure::new(name);
        let local = figure.write(&HumanPose::T_POSE);
        let model = figure.model(&local);
        let place = |bone| model[figure.humanoid.joint(bone).unwrap().index()].1;
        use HumanBone::*;
        for (from, to, aim) in [
            (LeftUpperArm, LeftHand, DVec3::X),
            (RightUpperArm, RightHand, DVec3::NEG_X),
            (LeftUpperLeg, LeftFoot, DVec3::NEG_Y),
            (RightUpperLeg, RightFoot, DVec3::NEG_Y),
        ] {
            let along = (place(to) - place(from)).normalize();
            assert!((along - aim).length() < 1e-4, "{name}: {from} points to {along}");
        }
        let at_rest = figure.model(&figure.skeleton.rest_pose());
        let foot = figure.humanoid.joint(LeftFoot).unwrap().index();
        assert!(angle(&model[foot].0, &at_rest[foot].0) < 1e-3, "feet keep their direction");
    }
}

#[test]
fn a_figure_that_faces_elsewhere_or_stands_on_z_gives_the_same_pose() {
    let mut runa = Figure::new("runa");
    let local = runa.sample("jab", 0.3);
    let expected = runa.read(&local);
    for turn in [Quat::from_rotation_y(std::f32::consts::PI), Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)] {
        let mut joints = runa.skeleton.joints().to_vec();
        let scaled = |local: LocalTransform| match local {
            LocalTransform::Trs(trs) => LocalTransform::Trs(Trs {
                translation: turn * (trs.translation * 100.0),
                rotation: (turn * trs.rotation).normalize(),
                scale: Vec3::splat(100.0),
            }),
            LocalTransform::Matrix(_) => panic!("no matrices"),
        };
        joints[0].rest = scaled(joints[0].rest);
        let mut turned = Figure::of(Skeleton::new(joints).unwrap(), vec![], ReferencePose::TPose);
        let mut turned_local = local.clone();
        turned_local[0] = scaled(turned_local[0]);
        let pose = turned.read(&turned_local);
        for bone in HumanBone::ALL {
            let degrees = pose.rotation(bone).angle_between(expected.rotation(bone)).to_degrees();
            assert!(degrees < 0.01, "{turn}: {bone} is {degrees} degrees off");
        }
        let [a, b] = [&pose, &expected]
            .map(|pose| pose.hips_motion().unwrap().position / pose.hips_motion().unwrap().hip_height.unwrap());
        assert!((a - b).length() < 1e-4, "{a} {b}");
        let again = turned.write(&pose);
        let degrees = runa.humanoid.iter().map(|(_, joint)| {
            let rotation = |local: &LocalTransform| match local {
                LocalTransform::Trs(trs) => trs.rotation.as_dquat().normalize(),
                LocalTransform::Matrix(_) => DQuat::IDENTITY,
            };
            rotation(&again[joint.index()]).angle_between(rotation(&turned_local[joint.index()])).to_degrees()
        });
        assert!(degrees.fold(0.0, f64::max) < 0.01);
    }
}

/// The rotations of chest and neck must reach the arms and the head if the figure has no chest and neck joints.
#[test]
fn missing_bones_pass_their_rotation_on() {
    let mut runa = Figure::new("runa");
    let list: Vec<(&str, &str)> = runa
        .humanoid
        .iter()
        .filter(|(bone, _)| !matches!(bone, HumanBone::Chest | HumanBone::UpperChest | HumanBone::Neck))
        .map(|(bone, joint)| (bone.name(), runa.skeleton.joint(joint).name.as_str()))
        .collect();
    let few = Humanoid::from_names(&runa.skeleton, list).unwrap();
    let mut few_rig = Rig::new(&runa.skeleton, &few, ReferencePose::TPose).unwrap();
    let mut pose = HumanPose::T_POSE;
    for (bone, axis) in [(HumanBone::Chest, DVec3::X), (HumanBone::UpperChest, DVec3::Y), (HumanBone::Neck, DVec3::Z)] {
        pose.set_rotation(bone, DQuat::from_axis_angle(axis, 0.4));
    }
    let full = runa.write(&pose);
    let full = runa.model(&full);
    let mut local = runa.skeleton.rest_pose();
    few_rig.local_from_human_pose(&pose, &mut local);
    let passed = runa.model(&local);
    for bone in [HumanBone::Head, HumanBone::LeftHand, HumanBone::RightShoulder, HumanBone::Hips] {
        let joint = runa.humanoid.joint(bone).unwrap().index();
        let degrees = angle(&full[joint].0, &passed[joint].0);
        assert!(degrees < 0.001, "{bone} is {degrees} degrees off");
    }
    assert!(angle(&full[runa.humanoid.joint(HumanBone::Head).unwrap().index()].0, &DMat3::IDENTITY) > 20.0);
}

/// A figure with a T-pose as its rest pose, and joints that the test adds.
fn small_figure(extra: &[(&str, &str, Vec3)]) -> Skeleton {
    let v = Vec3::new;
    let mut joints =
        vec![("hips", "", v(0.0, 1.0, 0.0)), ("spine", "hips", v(0.0, 0.2, 0.0)), ("head", "spine", v(0.0, 0.4, 0.0))];
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let name = |part: &str| &*Box::leak(format!("{part}_{side}").into_boxed_str());
        joints.extend([
            (name("upperarm"), "spine", v(0.2 * x, 0.2, 0.0)),
            (name("lowerarm"), name("upperarm"), v(0.3 * x, 0.0, 0.0)),
            (name("hand"), name("lowerarm"), v(0.4 * x, 0.0, 0.0)),
            (name("thigh"), "hips", v(0.1 * x, 0.0, 0.0)),
            (name("calf"), name("thigh"), v(0.0, -0.45, 0.0)),
            (name("foot"), name("calf"), v(0.0, -0.45, 0.0)),
        ]);
    }
    joints.extend(extra);
    let find = |name: &str| joints.iter().position(|joint| joint.0 == name);
    let joint = |&(name, parent, translation): &(&str, &str, Vec3)| Joint {
        name: name.into(),
        node: NodeIndex(0),
        parent: find(parent).map(|parent| JointIndex(parent as u16)),
        rest: LocalTransform::Trs(Trs { translation, ..Trs::IDENTITY }),
        skinned: true,
    };
    Skeleton::new(joints.iter().map(joint).collect()).unwrap()
}

#[test]
fn twist_joints_take_their_share() {
    let extra = [
        ("lowerarm_twist_01_l", "lowerarm_l", Vec3::new(0.3, 0.0, 0.0)),
        ("upperarm_twist_01_l", "upperarm_l", Vec3::new(0.1, 0.0, 0.0)),
        ("lowerarm_sleeve_l", "lowerarm_l", Vec3::new(0.3, 0.0, 0.0)),
    ];
    let mut figure = Figure::of(small_figure(&extra), vec![], ReferencePose::TPose);
    let mut pose = HumanPose::T_POSE;
    let twist = |degrees: f64| DQuat::from_axis_angle(DVec3::X, degrees.to_radians());
    let bend = DQuat::from_axis_angle(DVec3::Z, 0.5);
    // The hand is twisted by 80 degrees about the forearm, and the wrist is bent.
    pose.set_rotation(HumanBone::LeftHand, bend * twist(80.0));
    pose.set_rotation(HumanBone::LeftUpperArm, bend * twist(60.0));
    let local = figure.write(&pose);
    let angle_of = |name: &str| {
        let LocalTransform::Trs(trs) = local[figure.skeleton.find(name).unwrap().index()] else {
            panic!("no matrices")
        };
        let q = trs.rotation;
        (2.0 * q.x.atan2(q.w)).to_degrees()
    };
    // The joints are at three quarters of the forearm and at a third of the upper arm.
    assert!((angle_of("lowerarm_twist_01_l") - 60.0).abs() < 0.01, "{}", angle_of("lowerarm_twist_01_l"));
    assert!((angle_of("upperarm_twist_01_l") + 40.0).abs() < 0.01, "{}", angle_of("upperarm_twist_01_l"));
    assert_eq!(angle_of("lowerarm_sleeve_l"), 0.0);
}

/// Feet below the root joint, as in rigs with inverse kinematics, must follow the legs.
#[test]
fn feet_outside_the_leg_chain_follow_the_legs() {
    let plain = small_figure(&[]);
    let mut joints = plain.joints().to_vec();
    for joint in joints.iter_mut().filter(|joint| joint.name.starts_with("foot")) {
        let x = if joint.name.ends_with('l') { 0.1 } else { -0.1 };
        joint.parent = None;
        joint.rest = LocalTransform::Trs(Trs { translation: Vec3::new(x, 0.1, 0.0), ..Trs::IDENTITY });
    }
    let mut plain = Figure::of(plain, vec![], ReferencePose::TPose);
    let mut beside = Figure::of(Skeleton::new(joints).unwrap(), vec![], ReferencePose::TPose);
    let mut pose = HumanPose::T_POSE;
    pose.set_rotation(HumanBone::LeftUpperLeg, DQuat::from_axis_angle(DVec3::X, -1.0));
    pose.set_rotation(HumanBone::LeftLowerLeg, DQuat::from_axis_angle(DVec3::X, 0.7));
    pose.set_hips_motion(Some(HipsMotion { position: DVec3::new(0.3, 0.9, -0.2), hip_height: None }));
    let [a, b] = [&mut plain, &mut beside].map(|figure| {
        let local = figure.write(&pose);
        let model = figure.model(&local);
        model[figure.humanoid.joint(HumanBone::LeftFoot).unwrap().index()]
    });
    assert!((a.1 - b.1).length() < 1e-6 && angle(&a.0, &b.0) < 1e-3, "{a:?} {b:?}");
    assert!((a.1 - DVec3::new(0.1, 0.1, 0.0)).length() > 0.3, "the foot has moved");
}

#[test]
fn figures_without_left_or_up_are_refused() {
    let figure = small_figure(&[]);
    let at_the_origin = |joint: &Joint| Joint { rest: LocalTransform::Trs(Trs::IDENTITY), ..joint.clone() };
    let flat = figure.joints().iter().map(at_the_origin);
    let flat = Skeleton::new(flat.collect()).unwrap();
    let humanoid = Humanoid::guess(&flat).unwrap();
    let error = Rig::new(&flat, &humanoid, ReferencePose::Rest).unwrap_err();
    assert!(matches!(error, RigError::Shapeless { .. }), "{error}");
    let mut mirrored = small_figure(&[]).joints().to_vec();
    mirrored[0].rest = LocalTransform::Trs(Trs { scale: Vec3::new(-1.0, 1.0, 1.0), ..Trs::IDENTITY });
    let mirrored = Skeleton::new(mirrored).unwrap();
    let error = Rig::new(&mirrored, &humanoid, ReferencePose::Rest).unwrap_err();
    assert!(matches!(error, RigError::Mirrored { .. }), "{error}");
    let few = Skeleton::new(mirrored.joints()[..3].to_vec()).unwrap();
    assert!(matches!(Rig::new(&few, &humanoid, ReferencePose::Rest), Err(RigError::OtherSkeleton { .. })));
}
