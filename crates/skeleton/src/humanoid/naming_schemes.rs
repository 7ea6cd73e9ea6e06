//! The guess of the humanoid for made-up rigs with many naming schemes. Each bone must get its own joint or none.

use super::test_skeletons::placed;
use super::{HumanBone, Humanoid, HumanoidError};
use crate::Skeleton;
use glam::Vec3;
use std::collections::BTreeMap;

/// A human figure in a T-pose that faces +z. A row is a bone, the bone above, and the offset from it, for the left side.
const FIGURE: [(&str, &str, [f32; 3]); 17] = [
    ("hips", "", [0.0, 0.95, 0.0]),
    ("spine", "hips", [0.0, 0.12, 0.0]),
    ("chest", "spine", [0.0, 0.15, 0.0]),
    ("neck", "chest", [0.0, 0.25, 0.0]),
    ("head", "neck", [0.0, 0.1, 0.0]),
    ("shoulder", "chest", [0.05, 0.2, 0.0]),
    ("upperArm", "shoulder", [0.13, 0.0, 0.0]),
    ("lowerArm", "upperArm", [0.28, 0.0, 0.0]),
    ("hand", "lowerArm", [0.25, 0.0, 0.0]),
    ("thumbMetacarpal", "hand", [0.03, 0.0, 0.03]),
    ("thumbProximal", "thumbMetacarpal", [0.03, 0.0, 0.02]),
    ("indexProximal", "hand", [0.1, 0.0, 0.03]),
    ("ringProximal", "hand", [0.1, 0.0, -0.01]),
    ("upperLeg", "hips", [0.1, -0.05, 0.0]),
    ("lowerLeg", "upperLeg", [0.0, -0.42, 0.0]),
    ("foot", "lowerLeg", [0.0, -0.4, 0.0]),
    ("toes", "foot", [0.0, -0.06, 0.12]),
];

/// The names of the figure's bones in the order of [`FIGURE`]. `#` stands for the side. A name `-` leaves the bone out,
/// and its children hang below the bone above.
const SCHEMES: [(&str, &str); 16] = [
    (
        "Mixamo",
        "Hips Spine Spine1 Neck Head #Shoulder #Arm #ForeArm #Hand #HandThumb1 #HandThumb2 #HandIndex1 #HandRing1 #UpLeg #Leg #Foot #ToeBase",
    ),
    (
        "Rigify",
        "spine spine.001 spine.002 spine.004 spine.006 shoulder.# upper_arm.# forearm.# hand.# thumb.01.# thumb.02.# f_index.01.# f_ring.01.# thigh.# shin.# foot.# toe.#",
    ),
    (
        "Biped",
        "Bip01~Pelvis Bip01~Spine Bip01~Spine1 Bip01~Neck Bip01~Head Bip01~#~Clavicle Bip01~#~UpperArm Bip01~#~Forearm Bip01~#~Hand - - - - Bip01~#~Thigh Bip01~#~Calf Bip01~#~Foot Bip01~#~Toe0",
    ),
    (
        "Valve",
        "ValveBiped.Bip01_Pelvis ValveBiped.Bip01_Spine ValveBiped.Bip01_Spine1 ValveBiped.Bip01_Neck1 ValveBiped.Bip01_Head1 ValveBiped.Bip01_#_Clavicle ValveBiped.Bip01_#_UpperArm ValveBiped.Bip01_#_Forearm ValveBiped.Bip01_#_Hand - - - - ValveBiped.Bip01_#_Thigh ValveBiped.Bip01_#_Calf ValveBiped.Bip01_#_Foot ValveBiped.Bip01_#_Toe0",
    ),
    (
        "Unreal",
        "pelvis spine_01 spine_02 neck_01 head clavicle_# upperarm_# lowerarm_# hand_# thumb_01_# thumb_02_# index_01_# ring_01_# thigh_# calf_# foot_# ball_#",
    ),
    (
        "VRoid",
        "J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_Neck J_Bip_C_Head J_Bip_#_Shoulder J_Bip_#_UpperArm J_Bip_#_LowerArm J_Bip_#_Hand J_Bip_#_Thumb1 J_Bip_#_Thumb2 J_Bip_#_Index1 J_Bip_#_Ring1 J_Bip_#_UpperLeg J_Bip_#_LowerLeg J_Bip_#_Foot J_Bip_#_ToeBase",
    ),
    (
        "VRM",
        "hips spine chest neck head #Shoulder #UpperArm #LowerArm #Hand #ThumbMetacarpal #ThumbProximal #IndexProximal #RingProximal #UpperLeg #LowerLeg #Foot #Toes",
    ),
    (
        "Maya",
        "pelvis_jnt spine1_jnt spine2_jnt neck_jnt head_jnt #_clavicle_jnt #_shoulder_jnt #_elbow_jnt #_wrist_jnt #_thumb1_jnt #_thumb2_jnt #_index1_jnt #_ring1_jnt #_hip_jnt #_knee_jnt #_ankle_jnt #_ball_jnt",
    ),
    ("SMPL", "Pelvis Spine1 Spine2 Neck Head #_Collar #_Shoulder #_Elbow #_Wrist - - - - #_Hip #_Knee #_Ankle #_Foot"),
    (
        "DAZ",
        "hip abdomenLower chestUpper neckLower head #Collar #ShldrBend #ForearmBend #Hand #Thumb1 #Thumb2 #Index1 #Ring1 #ThighBend #Shin #Foot #Toe",
    ),
    (
        "numbered",
        "hips torso1 torso2 neck head collar.# arm1.# arm2.# hand.# thumb1.# thumb2.# index1.# ring1.# leg1.# leg2.# foot.# toes.#",
    ),
    (
        "words first",
        "Pelvis Abdomen Chest Neck Head Collarbone_# Upper_Arm_# Lower_Arm_# Hand_# Thumb_A_# Thumb_B_# Index_Finger_# Ring_Finger_# Upper_Leg_# Lower_Leg_# Foot_# Toe_#",
    ),
    (
        "side first",
        "Hips Spine Chest Neck Head #_Clav #_UpArm #_LowArm #_Hand #_Thumb_A #_Thumb_B #_Index_A #_Ring_A #_UpLeg #_LowLeg #_Foot #_Toes",
    ),
    (
        "palms",
        "Hips Spine Chest Neck Head Shoulder.# UpperArm.# LowerArm.# Palm.# Thumb1.# Thumb2.# Index1.# Ring1.# UpperLeg.# LowerLeg.# Foot.# Toes.#",
    ),
    ("MMD", "下半身 上半身 上半身2 首 頭 #肩 #腕 #ひじ #手首 #親指１ #親指２ #人指１ #薬指１ #足 #ひざ #足首 #つま先"),
    ("Chinese", "骨盆 脊椎 胸 脖子 头 #锁骨 #上臂 #前臂 #手 #拇指1 #拇指2 #食指1 #无名指1 #大腿 #小腿 #脚 #脚趾"),
];

/// The ways to write left and right.
const SIDES: [[&str; 2]; 7] =
    [["L", "R"], ["l", "r"], ["Left", "Right"], ["left", "right"], ["LEFT", "RIGHT"], ["Lf", "Rt"], ["左", "右"]];

/// What stands before and after every name.
const AROUND: [[&str; 2]; 10] = [
    ["", ""],
    ["mixamorig:", ""],
    ["mixamorig1:", ""],
    ["Armature|rig:", ""],
    ["char_", ""],
    ["robo_", ""],
    ["DEF-", ""],
    ["Rig1 ", ""],
    ["", "_jnt"],
    ["", "_bone_02"],
];

/// Joints that stand beside the real ones: the name's pattern, with `@` for the bone's own name, the bone, and whether
/// the joint hangs beside the bone (or below it). None of them may become a bone.
const DECOYS: [(&str, &str, bool); 9] = [
    ("@_twist", "lowerArm", true),
    ("@_twist_01", "upperArm", false),
    ("robo_@", "thumbMetacarpal", true),
    ("@_end", "hand", false),
    ("ik_@", "hand", true),
    ("@_ctrl", "foot", true),
    ("@_roll", "lowerLeg", true),
    ("MCH-@", "upperLeg", true),
    ("@_tip", "head", false),
];

/// A rig, and the joint of each of its bones.
struct Rig {
    skeleton: Skeleton,
    expected: BTreeMap<HumanBone, String>,
}

/// Makes a rig. `sides[0]` is the text for the side at +x, which is the figure's left.
fn rig(names: &str, sides: [&str; 2], [before, after]: [&str; 2], decoys: &[(&str, &str, bool)]) -> Rig {
    let names: Vec<String> = names.split(' ').map(|name| name.replace('~', " ")).collect();
    assert_eq!(names.len(), FIGURE.len());
    let mut joints: Vec<(String, Option<u16>, Vec3)> = vec![("root".to_owned(), None, Vec3::ZERO)];
    let mut expected = BTreeMap::new();
    let mut of_bone: BTreeMap<(String, usize), u16> = BTreeMap::new();
    for ((bone, above, offset), name) in FIGURE.into_iter().zip(&names) {
        let is_sided = name.contains('#');
        for side in 0..1 + usize::from(is_sided) {
            let find =
                |bone: &str| of_bone.get(&(bone.to_owned(), side)).or_else(|| of_bone.get(&(bone.to_owned(), 0)));
            let parent = find(above).copied().unwrap_or(0);
            if name == "-" {
                continue;
            }
            let inner = format!("{}{after}", name.replace('#', sides[side]));
            let name = format!("{before}{inner}");
            let mirrored = Vec3::new(if side == 0 { offset[0] } else { -offset[0] }, offset[1], offset[2]);
            let own = joints.len() as u16;
            of_bone.insert((bone.to_owned(), side), own);
            joints.push((name.clone(), Some(parent), mirrored));
            let vrm = match is_sided {
                false => bone.to_owned(),
                true => format!("{}{}{}", ["left", "right"][side], bone[..1].to_uppercase(), &bone[1..]),
            };
            expected.insert(HumanBone::from_name(&vrm).unwrap(), name.clone());
            for (pattern, _, is_beside) in decoys.iter().filter(|(_, of, _)| *of == bone) {
                // With the prefix `robo_` for all joints, nothing would tell this joint from the real one.
                if *pattern == "robo_@" && before == "robo_" {
                    continue;
                }
                let parent = if *is_beside { parent } else { own };
                joints.push((format!("{before}{}", pattern.replace('@', &inner)), Some(parent), mirrored * 0.5));
            }
        }
    }
    let joints: Vec<(&str, Option<u16>, Vec3)> = joints.iter().map(|(n, p, at)| (n.as_str(), *p, *at)).collect();
    Rig { skeleton: placed(&joints), expected }
}

/// The joints of the guessed bones that are wrong, and the number of bones that are right.
fn compare(rig: &Rig, humanoid: &Humanoid) -> (Vec<String>, usize) {
    let mut wrong = Vec::new();
    let mut right = 0;
    for (bone, joint) in humanoid.iter() {
        let found = &rig.skeleton.joint(joint).name;
        match rig.expected.get(&bone) {
            Some(expected) if expected == found => right += 1,
            expected => wrong.push(format!("{bone} is {found:?}, not {expected:?}")),
        }
    }
    (wrong, right)
}

/// All combinations that a rig of this scheme could have.
fn all_rigs(decoys: &[(&str, &str, bool)], mut visit: impl FnMut(&str, &str, Rig, Rig)) {
    for (scheme, names) in SCHEMES {
        for sides in SIDES {
            let is_cjk = !names.is_ascii();
            // In `LeftHand` and `lHand` the side is glued to a word that begins with a capital letter.
            if is_cjk != (sides[0] == "左") && !(is_cjk && sides[0] == "L") {
                continue;
            }
            for around in AROUND {
                let glued = names.contains("#H") && sides[0] == "LEFT";
                if glued || is_cjk && !["", "_jnt", "_bone_02"].contains(&around[1]) {
                    continue;
                }
                let what = format!("{scheme}, {sides:?}, {around:?}");
                let swapped = [sides[1], sides[0]];
                visit(scheme, &what, rig(names, sides, around, decoys), rig(names, swapped, around, decoys));
            }
        }
    }
}

#[test]
fn every_scheme_gives_the_right_bones_or_none() {
    for decoys in [&[][..], &DECOYS] {
        let (mut rigs, mut guessed, mut bones, mut expected) = (0, 0, 0, 0);
        let mut refused = BTreeMap::<String, String>::new();
        all_rigs(decoys, |scheme, what, rig, _| {
            rigs += 1;
            expected += rig.expected.len();
            match Humanoid::guess(&rig.skeleton) {
                Ok(humanoid) => {
                    let (wrong, right) = compare(&rig, &humanoid);
                    assert!(wrong.is_empty(), "{what}: {wrong:#?}");
                    (guessed, bones) = (guessed + 1, bones + right);
                }
                Err(error) => drop(refused.insert(what.to_owned(), format!("{scheme}: {error}"))),
            }
        });
        println!("{guessed} of {rigs} rigs, {bones} of {expected} bones; refused: {refused:#?}");
        assert!(rigs >= 200, "{rigs}");
        assert!(refused.is_empty());
    }
}

#[test]
fn labels_on_the_wrong_side_are_refused() {
    let mut rigs = 0;
    all_rigs(&[], |_, what, _, swapped| {
        rigs += 1;
        let error = Humanoid::guess(&swapped.skeleton).unwrap_err();
        assert!(matches!(error, HumanoidError::Refused { .. }), "{what}: {error}");
    });
    assert!(rigs >= 200, "{rigs}");
}

#[test]
fn a_palm_of_the_ring_finger_keeps_the_side_of_its_hand() {
    let names = SCHEMES.into_iter().find(|(scheme, _)| *scheme == "palms").unwrap().1;
    let palms = [("@I", "hand", true), ("@R", "hand", true)];
    let mut joints = rig(names, ["L", "R"], ["", ""], &palms).skeleton.joints().to_vec();
    for joint in &mut joints {
        joint.name =
            joint.name.replace("Palm.L", "PalmM.L").replace("PalmM.LR", "PalmR.L").replace("PalmM.LI", "PalmI.L");
        joint.name =
            joint.name.replace("Palm.R", "PalmM.R").replace("PalmM.RR", "PalmR.R").replace("PalmM.RI", "PalmI.R");
    }
    let skeleton = Skeleton::new(joints).unwrap();
    let humanoid = Humanoid::guess(&skeleton).unwrap();
    let name = |bone| skeleton.joint(humanoid.joint(bone).unwrap()).name.as_str();
    assert_eq!((name(HumanBone::LeftHand), name(HumanBone::RightHand)), ("PalmM.L", "PalmM.R"));
}

#[test]
fn the_joint_above_the_hand_is_the_lower_arm() {
    // `ForeArm` spreads the twist and carries no hand; the hand hangs below a joint with a name of its own.
    for (carrier, is_found) in [("Elbow.L", true), ("Antebrachium.L", true), ("UpperArm2.R", false)] {
        let mut joints =
            rig(SCHEMES[12].1, ["L", "R"], ["", ""], &[("Fore@", "lowerArm", true)]).skeleton.joints().to_vec();
        let at = joints.iter().position(|joint| joint.name == "L_LowArm").unwrap();
        joints[at].name = carrier.to_owned();
        let twist = joints.iter().position(|joint| joint.name == "ForeL_LowArm").unwrap();
        joints[twist].name = "L_ForeArm".to_owned();
        let skeleton = Skeleton::new(joints).unwrap();
        match Humanoid::guess(&skeleton) {
            Ok(humanoid) => {
                assert!(is_found, "{carrier}");
                assert_eq!(humanoid.joint(HumanBone::LeftLowerArm), skeleton.find(carrier), "{carrier}");
            }
            Err(error) => assert!(!is_found, "{carrier}: {error}"),
        }
    }
}

#[test]
fn the_reasons_are_given_for_each_bone() {
    let rig = rig(SCHEMES[0].1, ["Left", "Right"], ["", ""], &[]);
    let guesses = Humanoid::explain_guess(&rig.skeleton);
    let of = |bone: HumanBone| &guesses[bone.index()];
    use super::Certainty;
    assert_eq!(of(HumanBone::LeftHand).certainty, Certainty::Sure);
    assert_eq!(of(HumanBone::LeftHand).why, "its name fits, and it hangs below the lower part");
    assert_eq!((of(HumanBone::Jaw).certainty, of(HumanBone::Jaw).joint), (Certainty::Missing, None));
    for guess in &guesses {
        assert_eq!(guess.joint.is_some(), matches!(guess.certainty, Certainty::Sure | Certainty::Likely), "{guess:?}");
        assert_eq!(guess.why.is_empty(), guess.certainty == Certainty::Missing, "{guess:?}");
    }
}
