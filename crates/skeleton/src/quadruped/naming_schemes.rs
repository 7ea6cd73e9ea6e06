//! The guess of the parts for made-up animals with many naming schemes. Each joint must get its own part or none.

use super::{Quadruped, QuadrupedError, QuadrupedPart as P};
use crate::humanoid::{kaykit, placed};
use crate::{Joint, JointIndex, LocalTransform, Skeleton, Trs};
use glam::{Quat, Vec3};
use std::time::Instant;

/// A dog that faces +z. A row is a joint, the joint above, the offset from it for the left side, and the part. The parts of legs
/// are those of the left side.
const FIGURE: [(&str, &str, [f32; 3], P); 19] = [
    ("hips", "", [0.0, 0.6, -0.4], P::Torso),
    ("belly", "hips", [0.0, 0.02, 0.3], P::Torso),
    ("chest", "belly", [0.0, 0.0, 0.3], P::Torso),
    ("neck", "chest", [0.0, 0.08, 0.15], P::Neck),
    ("head", "neck", [0.0, 0.15, 0.15], P::Head),
    ("ear", "head", [0.06, 0.08, -0.02], P::Head),
    ("jaw", "head", [0.0, -0.03, 0.05], P::Head),
    ("shoulder", "chest", [0.08, 0.0, 0.02], P::FrontLeftLeg),
    ("upperFront", "shoulder", [0.03, -0.12, 0.0], P::FrontLeftLeg),
    ("lowerFront", "upperFront", [0.0, -0.2, -0.05], P::FrontLeftLeg),
    ("frontPaw", "lowerFront", [0.0, -0.25, 0.05], P::FrontLeftLeg),
    ("thigh", "hips", [0.1, -0.03, -0.02], P::HindLeftLeg),
    ("shin", "thigh", [0.0, -0.25, 0.08], P::HindLeftLeg),
    ("pastern", "shin", [0.0, -0.15, -0.12], P::HindLeftLeg),
    ("hindPaw", "pastern", [0.0, -0.13, 0.05], P::HindLeftLeg),
    ("tail1", "hips", [0.0, 0.04, -0.08], P::Tail),
    ("tail2", "tail1", [0.0, -0.02, -0.12], P::Tail),
    ("tail3", "tail2", [0.0, -0.05, -0.12], P::Tail),
    ("tail4", "tail3", [0.0, -0.05, -0.1], P::Tail),
];

/// The names of the figure's joints in the order of [`FIGURE`]. `#` stands for the side.
const SCHEMES: [(&str, &str); 8] = [
    (
        "words",
        "hips spine_01 chest neck_01 head ear_# jaw shoulder_# upperarm_# forearm_# front_paw_# thigh_# shin_# hind_pastern_# hind_paw_# tail_01 tail_02 tail_03 tail_04",
    ),
    (
        "a human's names",
        "b_Hip_01 b_Spine01_02 b_Spine02_03 b_Neck_04 b_Head_05 b_#Ear_06 b_Jaw_07 b_#Shoulder_08 b_#UpperArm_09 b_#ForeArm_10 b_#Hand_11 b_#Leg01_12 b_#Leg02_13 b_#Foot01_14 b_#Foot02_15 b_Tail01_16 b_Tail02_17 b_Tail03_18 b_Tail04_19",
    ),
    (
        "front and back",
        "Back Torso Torso2 Neck1 Head Ear1.# Jaw FrontShoulder.# FrontUpperLeg.# FrontLowerLeg.# FF.# BackShoulder.# BackLeg.# BackLowerLeg.# FFB.# Tail1 Tail2 Tail3 Tail4",
    ),
    (
        "Biped",
        "Bip01~Pelvis Bip01~Spine Bip01~Spine1 Bip01~Neck Bip01~Head Bone_Ear_# Bone_Jaw Bip01~#~Clavicle Bip01~#~UpperArm Bip01~#~Forearm Bip01~#~Hand Bip01~#~Thigh Bip01~#~Calf Bip01~#~HorseLink Bip01~#~Foot Bip01~Tail Bip01~Tail1 Bip01~Tail2 Bip01~Tail3",
    ),
    (
        "fore and hind",
        "pelvis lumbar thorax cervical skull #_pinna mandible #_scapula #_humerus #_foreleg #_forepaw #_femur #_tibia #_hindpastern #_hindpaw tail_a tail_b tail_c tail_d",
    ),
    (
        "letters and numbers",
        "hips spine chest neck head earA# jaw leg1# leg2# leg3# leg4# legA# legB# legC# legD# tail1 tail2 tail3 tail4",
    ),
    (
        "no name of the tail",
        "hips spine chest neck head ear_# jaw shoulder_# foreleg_# forepaw_# foretoe_# thigh_# shin_# hock_# hindtoe_# brush1 brush2 brush3 brush4",
    ),
    (
        "numbers",
        "Bone Bone.001 Bone.002 Bone.003 Head Bone.004.# Bone.005 Bone.006.# Bone.007.# Bone.008.# Bone.009.# Bone.010.# Bone.011.# Bone.012.# Bone.013.# Tail Tail.001 Tail.002 Tail.003",
    ),
];

/// Joints that a guess must not take for a part of the body: name, joint above or the root, offset.
const DECOYS: [(&str, &str, [f32; 3]); 7] = [
    ("PoleTarget_front_@", "root", [0.11, 0.5, 1.6]),
    ("PoleTarget_back_@", "root", [0.11, 0.5, -1.6]),
    ("foot_ctrl_@", "root", [0.9, 0.0, 0.0]),
    ("wing_@", "chest", [0.1, 0.1, 0.0]),
    ("coattail", "chest", [0.0, 0.1, 0.0]),
    ("tail_ik_target", "root", [0.0, 0.9, -1.6]),
    ("saddle", "belly", [0.0, 0.15, 0.0]),
];

struct Rig {
    skeleton: Skeleton,
    expected: Vec<Option<P>>,
}

fn mirrored(part: P) -> P {
    match part {
        P::FrontLeftLeg => P::FrontRightLeg,
        P::HindLeftLeg => P::HindRightLeg,
        other => other,
    }
}

/// The figure with these names and words for left and right, turned about the vertical axis by degrees, and with decoys.
fn rig(names: &str, sides: [&str; 2], degrees: f32, decoys: &[(&str, &str, [f32; 3])]) -> Rig {
    let half = 0.5 * f64::from(degrees).to_radians();
    let turn = Quat::from_xyzw(0.0, libm::sin(half) as f32, 0.0, libm::cos(half) as f32);
    let names: Vec<&str> = names.split(' ').collect();
    let mut joints: Vec<(String, Option<u16>, Vec3)> = vec![("root".into(), None, Vec3::ZERO)];
    let mut expected = vec![None];
    // The joint of each row of the figure, left and right.
    let mut rows: Vec<[u16; 2]> = Vec::new();
    let has_sides = |name: &str, x: f32| name.contains(['#', '@']) || x != 0.0;
    for ((_, above, offset, part), name) in FIGURE.iter().zip(&names) {
        let above = FIGURE.iter().position(|row| row.0 == *above);
        let mut added = [0; 2];
        for side in 0..if has_sides(name, offset[0]) { 2 } else { 1 } {
            let mirror = if side == 0 { 1.0 } else { -1.0 };
            let at = turn * Vec3::new(mirror * offset[0], offset[1], offset[2]);
            added[side] = joints.len() as u16;
            joints.push((
                name.replace('#', sides[side]).replace('~', " "),
                Some(above.map_or(0, |row| rows[row][side])),
                at,
            ));
            expected.push(Some(if side == 0 { *part } else { mirrored(*part) }));
        }
        if !has_sides(name, offset[0]) {
            added[1] = added[0];
        }
        rows.push(added);
    }
    for (name, above, offset) in decoys {
        let above = FIGURE.iter().position(|row| row.0 == *above);
        for side in 0..if has_sides(name, offset[0]) { 2 } else { 1 } {
            let mirror = if side == 0 { 1.0 } else { -1.0 };
            let at = turn * Vec3::new(mirror * offset[0], offset[1], offset[2]);
            joints.push((name.replace('@', sides[side]), Some(above.map_or(0, |row| rows[row][side])), at));
            expected.push(None);
        }
    }
    let joints: Vec<(&str, Option<u16>, Vec3)> =
        joints.iter().map(|(name, parent, at)| (name.as_str(), *parent, *at)).collect();
    Rig { skeleton: placed(&joints), expected }
}

fn parts(skeleton: &Skeleton) -> Result<Vec<Option<P>>, QuadrupedError> {
    let quadruped = Quadruped::guess(skeleton)?;
    Ok((0..skeleton.len()).map(|joint| quadruped.part(JointIndex(joint as u16))).collect())
}

const SIDES: [[&str; 2]; 3] = [["L", "R"], ["Left", "Right"], ["l", "r"]];

/// Words that are no sides, so that the rest pose alone tells them.
const NO_SIDES: [&str; 2] = ["one", "two"];

/// Calls `visit` with every scheme, in several directions, with other words for the sides, with and without decoys.
fn all_rigs(
    all_sides: impl IntoIterator<Item = [&'static str; 2]> + Clone,
    mut visit: impl FnMut(&str, &str, [&str; 2], f32, &[(&str, &str, [f32; 3])]),
) {
    for (scheme, names) in SCHEMES {
        for sides in all_sides.clone() {
            for degrees in [0.0, 90.0, 180.0, 217.0] {
                for decoys in [&[][..], &DECOYS] {
                    visit(scheme, names, sides, degrees, decoys);
                }
            }
        }
    }
}

/// The names of the neck and of the torso tell which joint is which; without these names, the neck is a part of the torso.
#[test]
fn every_scheme_gives_the_right_parts_or_none() {
    let (mut rigs, mut found, mut known) = (0, 0, 0);
    all_rigs(SIDES.into_iter().chain([NO_SIDES]), |scheme, names, sides, degrees, decoys| {
        let rig = rig(names, sides, degrees, decoys);
        let parts = parts(&rig.skeleton).unwrap_or_else(|error| panic!("{scheme} {sides:?} {degrees}: {error}"));
        for ((joint, part), expected) in rig.skeleton.joints().iter().zip(&parts).zip(&rig.expected) {
            let is_unnamed_neck =
                *expected == Some(P::Neck) && *part == Some(P::Torso) && !joint.name.to_lowercase().contains("neck");
            let is_right = part == expected || is_unnamed_neck;
            assert!(is_right, "{scheme} {sides:?} {degrees}: {} is {part:?}, not {expected:?}", joint.name);
            known += usize::from(expected.is_some());
            found += usize::from(part.is_some());
        }
        rigs += 1;
    });
    assert_eq!(rigs, 256);
    assert_eq!(found, known, "every joint of the figure has a part");
}

#[test]
fn names_of_the_wrong_side_are_refused() {
    all_rigs(SIDES, |scheme, names, [left, right], degrees, decoys| {
        let error = parts(&rig(names, [right, left], degrees, decoys).skeleton).err();
        assert!(matches!(error, Some(QuadrupedError::Side { .. })), "{scheme} {left} {degrees}: {error:?}");
    });
}

#[test]
fn names_of_the_other_pair_are_refused() {
    let swapped = |name: &str| match name {
        _ if name.contains("Front") => name.replace("Front", "Back"),
        _ if name.starts_with("Back") && name.len() > 4 => name.replace("Back", "Front"),
        _ => name.to_owned(),
    };
    let of = |scheme: usize, change: &dyn Fn(&str) -> String| {
        let names: Vec<String> = SCHEMES[scheme].1.split(' ').map(change).collect();
        parts(&rig(&names.join(" "), ["L", "R"], 0.0, &[]).skeleton)
    };
    assert!(of(2, &str::to_owned).is_ok());
    let error = of(2, &swapped).unwrap_err();
    assert_eq!(error, QuadrupedError::Pair { joint: "BackShoulder.L".into() });
    // No animal has arms behind.
    let error = of(0, &|name| name.replace("thigh", "upperarm2")).unwrap_err();
    assert_eq!(error, QuadrupedError::Pair { joint: "upperarm2_L".into() });
}

#[test]
fn other_figures_are_refused() {
    let names = SCHEMES[0].1;
    let with = |decoys: &[(&str, &str, [f32; 3])]| parts(&rig(names, ["L", "R"], 0.0, decoys).skeleton);
    let human = parts(&kaykit());
    assert!(matches!(human, Err(QuadrupedError::Upright | QuadrupedError::Legs { .. })), "{human:?}");
    // A centaur has arms, and a beetle has six legs.
    let arms = with(&[("arm_@", "chest", [0.3, 0.1, 0.1])]);
    assert_eq!(arms, Err(QuadrupedError::OtherLimb { joint: "arm_L".into() }));
    let mut beetle = rig(names, ["L", "R"], 0.0, &[("leg_@", "belly", [0.1, 0.0, 0.0])]).skeleton.joints().to_vec();
    let of_leg: Vec<usize> = (0..beetle.len()).filter(|&joint| beetle[joint].name.starts_with("leg_")).collect();
    for leg in of_leg {
        let mut foot = beetle[leg].clone();
        foot.name = foot.name.replace("leg", "end");
        foot.parent = Some(JointIndex(leg as u16));
        foot.rest = LocalTransform::Trs(Trs { translation: Vec3::new(0.0, -0.55, 0.0), ..Trs::IDENTITY });
        beetle.push(foot);
    }
    assert_eq!(parts(&Skeleton::new(beetle).unwrap()), Err(QuadrupedError::Legs { pairs: 3 }));
    // One leg is bent far up.
    let change = |change: &dyn Fn(&mut Joint)| {
        let mut joints = rig(names, ["L", "R"], 0.0, &[]).skeleton.joints().to_vec();
        joints.iter_mut().for_each(change);
        parts(&Skeleton::new(joints).unwrap())
    };
    let moved = |joint: &mut Joint, by: Vec3| {
        if let LocalTransform::Trs(trs) = &mut joint.rest {
            trs.translation += by;
        }
    };
    let bent = change(&|joint| {
        if joint.name == "shin_L" {
            moved(joint, Vec3::Y)
        }
    });
    assert_eq!(bent, Err(QuadrupedError::Legs { pairs: 1 }));
    let between = change(&|joint| {
        if joint.name == "head" {
            moved(joint, Vec3::new(0.0, 0.0, -0.5))
        }
    });
    assert_eq!(between, Err(QuadrupedError::Order));
    let apart = change(&|joint| {
        if joint.name == "spine_01" {
            joint.parent = None;
            moved(joint, Vec3::new(0.0, 0.6, -0.4));
        }
    });
    assert_eq!(apart, Err(QuadrupedError::Apart));
    assert_eq!(change(&|joint| joint.name = joint.name.replace("head", "nose")), Err(QuadrupedError::NoHead));
    assert_eq!(change(&|joint| joint.rest = LocalTransform::Trs(Trs::IDENTITY)), Err(QuadrupedError::NoRestPose));
}

/// Quaternius' animals have their feet beside the legs, as targets of inverse kinematics.
#[test]
fn a_foot_beside_its_leg_belongs_to_the_leg() {
    let feet = [("IKFront@", "root", [0.11, 0.02, 0.25]), ("IKBack@", "root", [0.1, 0.01, -0.4])];
    let names = SCHEMES[2].1;
    let mut rig = rig(names, ["L", "R"], 0.0, &feet);
    let expected = [P::FrontLeftLeg, P::FrontRightLeg, P::HindLeftLeg, P::HindRightLeg];
    let first = rig.expected.len() - 4;
    rig.expected[first..].copy_from_slice(&expected.map(Some));
    assert_eq!(parts(&rig.skeleton).unwrap(), rig.expected);
}

#[test]
fn many_joints_take_no_long_time() {
    let spines: Vec<(String, Option<u16>, Vec3)> = (0..20_000)
        .map(|number| {
            let side = if number % 2 == 0 { 0.2 } else { -0.2 };
            (format!("tail{number}"), Some(1), Vec3::new(side, -0.1, -0.5))
        })
        .collect();
    let mut rig = rig(SCHEMES[0].1, ["L", "R"], 0.0, &[]).skeleton.joints().to_vec();
    let more = placed(
        &[("root", None, Vec3::ZERO), ("hips", Some(0), Vec3::ZERO)]
            .into_iter()
            .chain(spines.iter().map(|(name, parent, at)| (name.as_str(), *parent, *at)))
            .collect::<Vec<_>>(),
    );
    rig.extend(more.joints()[2..].iter().cloned());
    let begin = Instant::now();
    let _ = parts(&Skeleton::new(rig).unwrap());
    assert!(begin.elapsed().as_secs() < 5);
}
