//! Compares guessed humanoids with lists that were written by hand from the joints' names, hierarchy and motion.

use crate::figure::asset;
use mocap::{HumanBone, Humanoid, HumanoidError, ReferencePose, Rig};
use skeleton::{Joint, JointIndex, LocalTransform, NodeIndex, Skeleton, Trs};
use skinned_model::{NoExternalFiles, import};
use std::collections::BTreeMap;

/// The bones and joints of both sides. `{}` stands for the letters of the side, and `*` for the number of each finger.
fn by_hand(list: &str, sides: [&str; 2]) -> BTreeMap<&'static str, String> {
    let mut expected = BTreeMap::new();
    let bone = |name: &str| HumanBone::from_name(name).unwrap_or_else(|| panic!("{name} is no bone")).name();
    for pair in list.split_whitespace() {
        let (name, joint) = pair.split_once('=').unwrap();
        if !joint.contains("{}") {
            expected.insert(bone(name), joint.replace('~', " "));
            continue;
        }
        for (side, letters) in ["left", "right"].into_iter().zip(sides) {
            let name = format!("{side}{}{}", name[..1].to_uppercase(), &name[1..]);
            expected.insert(bone(&name), joint.replace("{}", letters).replace('~', " "));
        }
    }
    expected
}

/// The three joints of each finger, written as `pattern` with `@` for the finger and `#` for 1, 2 and 3.
fn fingers(pattern: &str, names: [&str; 5]) -> String {
    let bones = [
        ["thumbMetacarpal", "thumbProximal", "thumbDistal"],
        ["indexProximal", "indexIntermediate", "indexDistal"],
        ["middleProximal", "middleIntermediate", "middleDistal"],
        ["ringProximal", "ringIntermediate", "ringDistal"],
        ["littleProximal", "littleIntermediate", "littleDistal"],
    ];
    let mut list = String::new();
    for (bones, name) in bones.into_iter().zip(names) {
        for (number, bone) in (1..).zip(bones) {
            list += &format!(" {bone}={}", pattern.replace('@', name).replace('#', &number.to_string()));
        }
    }
    list
}

/// Asserts that every bone has the expected joint, and returns the number of bones.
fn check(name: &str, skeleton: &Skeleton, expected: &BTreeMap<&'static str, String>) -> usize {
    let humanoid = Humanoid::guess(skeleton).unwrap_or_else(|error| panic!("{name}: {error}"));
    let guessed: BTreeMap<&str, String> =
        humanoid.iter().map(|(bone, joint)| (bone.name(), skeleton.joint(joint).name.clone())).collect();
    assert_eq!(&guessed, expected, "{name}");
    guessed.len()
}

const GAME_ENGINE: &str = "hips=pelvis spine=spine_01 chest=spine_02 upperChest=spine_03 neck=neck_01 head=head
    upperLeg=thigh_{} lowerLeg=calf_{} foot=foot_{} toes=ball_{}
    shoulder=clavicle_{} upperArm=upperarm_{} lowerArm=lowerarm_{} hand=hand_{}";
const FINGERS: [&str; 5] = ["thumb", "index", "middle", "ring", "pinky"];

#[test]
fn the_authored_humans() {
    let list = GAME_ENGINE.to_owned() + &fingers("@_0#_{}", FINGERS);
    for name in ["runa", "bruno"] {
        let skeleton = asset(name).skeleton;
        assert_eq!(check(name, &skeleton, &by_hand(&list, ["l", "r"])), 52, "all joints except the root");
        let humanoid = Humanoid::guess(&skeleton).unwrap();
        Rig::new(&skeleton, &humanoid, ReferencePose::default_for(&humanoid)).unwrap();
    }
    // A hound has paws, not feet and hands.
    let error = Humanoid::guess(&asset("hound").skeleton).unwrap_err();
    assert!(matches!(error, HumanoidError::Missing { bone: HumanBone::LeftFoot, .. }), "{error}");
}

mod corpus {
    use super::*;

    #[test]
    #[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
    fn every_humanoid_of_the_corpus() {
        let corpus = ::corpus::folder();
        let kaykit = "hips=hips spine=spine chest=chest head=head
            upperArm=upperarm.{} lowerArm=lowerarm.{} hand=hand.{}
            upperLeg=upperleg.{} lowerLeg=lowerleg.{} foot=foot.{} toes=toes.{}";
        let quaternius = "hips=Hips spine=Abdomen chest=Torso upperChest=Chest neck=Neck head=Head
            shoulder=Shoulder.{} upperArm=UpperArm.{} lowerArm=LowerArm.{} hand=Hand.{}
            upperLeg=UpperLeg.{} lowerLeg=LowerLeg.{} foot=Foot.{}";
        let adventurer = quaternius.to_owned() + &fingers("@#.{}", ["Thumb", "Index", "Middle", "Ring", "Pinky"]);
        // This robot's chest is below the root and its hips are below the chest. Its fingers have numbers, and only
        // thumbs have names.
        let gdbot = "hips=hips spine=torso neck=neck head=head
            upperArm=upperarm.{} lowerArm=lowerarm.{} hand=hand.{} thumbMetacarpal=thumb_1.{} thumbProximal=thumb_2.{}
            upperLeg=upperleg.{} lowerLeg=lowerleg.{} foot=foot.{}";
        // This robot has three palms and no hand. The middle palm carries the middle finger.
        let robot = "hips=Hips spine=Abdomen chest=Torso neck=Neck head=Head
            shoulder=Shoulder.{} upperArm=UpperArm.{} lowerArm=LowerArm.{} hand=Palm2.{}
            thumbMetacarpal=Thumb.{} thumbProximal=Thumb2.{} indexProximal=Index.{} indexIntermediate=Index2.{}
            middleProximal=Middle1.{} middleIntermediate=Middle2.{} ringProximal=Ring1.{} ringIntermediate=Ring2.{}
            upperLeg=UpperLeg.{} lowerLeg=LowerLeg.{} foot=Foot.{}";
        let (small, large) = (["l", "r"], ["L", "R"]);
        let mut bones = 0;
        for (file, list, sides) in [
            ("kaykit/Knight.glb", kaykit, small),
            ("kaykit/Mage.glb", kaykit, small),
            ("kaykit/Barbarian.glb", kaykit, small),
            ("kaykit/Rogue.glb", kaykit, small),
            ("quaternius/cyberpunk_pack__Character.glb", quaternius, large),
            ("quaternius/modular_women__Adventurer.glb", &adventurer, large),
            ("gdquest/gdbot.glb", gdbot, large),
            ("robot/RobotExpressive.glb", robot, large),
        ] {
            let bytes = std::fs::read(corpus.join(file)).unwrap();
            let skeleton = import(&bytes, &NoExternalFiles).unwrap().skeleton;
            let count = check(file, &skeleton, &by_hand(list, sides));
            println!("{file}: {count} bones");
            bones += count;
            let humanoid = Humanoid::guess(&skeleton).unwrap();
            Rig::new(&skeleton, &humanoid, ReferencePose::TPose).unwrap_or_else(|error| panic!("{file}: {error}"));
        }
        println!("{bones} bones");
        // Joints without names, a robot without arms, and animals give no humanoid. Fox.glb has the joint names of a
        // human, but stands on four feet.
        for file in [
            "khronos/Fox.glb",
            "khronos/cesium_man.gltf",
            "quaternius/cyberpunk_pack__Enemy_Large.glb",
            "quaternius/animals_pack__Horse.glb",
            "quaternius/easy_enemies_pack__Spider.glb",
        ] {
            let bytes = std::fs::read(corpus.join(file)).unwrap();
            let skeleton = import(&bytes, &NoExternalFiles).unwrap().skeleton;
            let error = Humanoid::guess(&skeleton).unwrap_err();
            println!("{file}: {error}");
        }
    }
}

/// Makes joints from `name<parent`, parents first. A `~` stands for a space.
fn named(list: &str) -> Skeleton {
    let mut joints: Vec<Joint> = Vec::new();
    for word in list.split_whitespace() {
        let (name, parent) = word.split_once('<').unwrap_or((word, ""));
        let (name, parent) = (name.replace('~', " "), parent.replace('~', " "));
        let above = joints.iter().position(|joint| joint.name == parent);
        assert!(above.is_some() || parent.is_empty(), "{word}");
        joints.push(Joint {
            name,
            node: NodeIndex(0),
            parent: above.map(|above| JointIndex(above as u16)),
            rest: LocalTransform::Trs(Trs::IDENTITY),
            skinned: true,
        });
    }
    Skeleton::new(joints).unwrap()
}

/// Repeats a list for both sides where it contains `{}`.
fn both(list: &str, sides: [&str; 2]) -> String {
    let words = list.split_whitespace();
    words
        .flat_map(|word| match word.contains("{}") {
            true => sides.iter().map(|side| word.replace("{}", side)).collect(),
            false => vec![word.to_owned()],
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// Three or more joints of five fingers in a chain below a hand; the pattern is that of [`fingers`].
fn finger_chains(pattern: &str, names: [&str; 5], hand: &str, last: usize) -> String {
    let mut list = String::new();
    for name in names {
        let mut above = hand.to_owned();
        for number in 1..=last {
            let joint = pattern.replace('@', name).replace('#', &number.to_string());
            list += &format!(" {joint}<{above}");
            above = joint;
        }
    }
    list
}

#[test]
fn rigs_are_recognized_by_their_joint_names() {
    let mixamo = "mixamorig:Hips mixamorig:Spine<mixamorig:Hips mixamorig:Spine1<mixamorig:Spine
        mixamorig:Spine2<mixamorig:Spine1 mixamorig:Neck<mixamorig:Spine2 mixamorig:Head<mixamorig:Neck
        mixamorig:HeadTop_End<mixamorig:Head mixamorig:{}Eye<mixamorig:Head
        mixamorig:{}Shoulder<mixamorig:Spine2 mixamorig:{}Arm<mixamorig:{}Shoulder mixamorig:{}ForeArm<mixamorig:{}Arm
        mixamorig:{}Hand<mixamorig:{}ForeArm mixamorig:{}UpLeg<mixamorig:Hips mixamorig:{}Leg<mixamorig:{}UpLeg
        mixamorig:{}Foot<mixamorig:{}Leg mixamorig:{}ToeBase<mixamorig:{}Foot mixamorig:{}Toe_End<mixamorig:{}ToeBase"
        .to_owned()
        + &finger_chains("mixamorig:{}Hand@#", ["Thumb", "Index", "Middle", "Ring", "Pinky"], "mixamorig:{}Hand", 4);
    let mixamo_bones = "hips=mixamorig:Hips spine=mixamorig:Spine chest=mixamorig:Spine1 upperChest=mixamorig:Spine2
        neck=mixamorig:Neck head=mixamorig:Head eye=mixamorig:{}Eye
        shoulder=mixamorig:{}Shoulder upperArm=mixamorig:{}Arm lowerArm=mixamorig:{}ForeArm hand=mixamorig:{}Hand
        upperLeg=mixamorig:{}UpLeg lowerLeg=mixamorig:{}Leg foot=mixamorig:{}Foot toes=mixamorig:{}ToeBase"
        .to_owned()
        + &fingers("mixamorig:{}Hand@#", ["Thumb", "Index", "Middle", "Ring", "Pinky"]);

    let unreal =
        "root pelvis<root spine_01<pelvis spine_02<spine_01 spine_03<spine_02 spine_04<spine_03 spine_05<spine_04
        neck_01<spine_05 neck_02<neck_01 head<neck_02 clavicle_{}<spine_05 upperarm_{}<clavicle_{}
        upperarm_twist_01_{}<upperarm_{} lowerarm_{}<upperarm_{} lowerarm_twist_01_{}<lowerarm_{} hand_{}<lowerarm_{}
        index_metacarpal_{}<hand_{} thigh_{}<pelvis thigh_twist_01_{}<thigh_{} calf_{}<thigh_{} foot_{}<calf_{}
        ball_{}<foot_{} ik_foot_root<root ik_foot_{}<ik_foot_root ik_hand_root<root ik_hand_gun<ik_hand_root
        ik_hand_{}<ik_hand_gun"
            .to_owned()
            + &finger_chains("@_0#_{}", FINGERS, "hand_{}", 3);
    let unreal_bones =
        GAME_ENGINE.replace("spine_03", "spine_05").replace("spine_02", "spine_03") + &fingers("@_0#_{}", FINGERS);

    let rigify = "DEF-spine DEF-pelvis.{}<DEF-spine DEF-spine.001<DEF-spine DEF-spine.002<DEF-spine.001
        DEF-spine.003<DEF-spine.002 DEF-spine.004<DEF-spine.003 DEF-spine.005<DEF-spine.004 DEF-spine.006<DEF-spine.005
        DEF-breast.{}<DEF-spine.003 DEF-shoulder.{}<DEF-spine.003 DEF-upper_arm.{}<DEF-shoulder.{}
        DEF-upper_arm.{}.001<DEF-upper_arm.{} DEF-forearm.{}<DEF-upper_arm.{}.001 DEF-forearm.{}.001<DEF-forearm.{}
        DEF-hand.{}<DEF-forearm.{}.001 DEF-palm.01.{}<DEF-hand.{} DEF-thigh.{}<DEF-spine DEF-thigh.{}.001<DEF-thigh.{}
        DEF-shin.{}<DEF-thigh.{}.001 DEF-shin.{}.001<DEF-shin.{} DEF-foot.{}<DEF-shin.{}.001 DEF-toe.{}<DEF-foot.{}"
        .to_owned()
        + &finger_chains("DEF-@.0#.{}", ["thumb", "f_index", "f_middle", "f_ring", "f_pinky"], "DEF-hand.{}", 3);
    let rigify_bones =
        "hips=DEF-spine spine=DEF-spine.001 chest=DEF-spine.002 upperChest=DEF-spine.003 neck=DEF-spine.004
        head=DEF-spine.006 shoulder=DEF-shoulder.{} upperArm=DEF-upper_arm.{} lowerArm=DEF-forearm.{} hand=DEF-hand.{}
        upperLeg=DEF-thigh.{} lowerLeg=DEF-shin.{} foot=DEF-foot.{} toes=DEF-toe.{}"
            .to_owned()
            + &fingers("DEF-@.0#.{}", ["thumb", "f_index", "f_middle", "f_ring", "f_pinky"]);

    let vroid = "Root J_Bip_C_Hips<Root J_Bip_C_Spine<J_Bip_C_Hips J_Bip_C_Chest<J_Bip_C_Spine
        J_Bip_C_UpperChest<J_Bip_C_Chest J_Bip_C_Neck<J_Bip_C_UpperChest J_Bip_C_Head<J_Bip_C_Neck
        J_Adj_{}_FaceEye<J_Bip_C_Head J_Bip_{}_Shoulder<J_Bip_C_UpperChest J_Bip_{}_UpperArm<J_Bip_{}_Shoulder
        J_Bip_{}_LowerArm<J_Bip_{}_UpperArm J_Bip_{}_Hand<J_Bip_{}_LowerArm J_Bip_{}_UpperLeg<J_Bip_C_Hips
        J_Bip_{}_LowerLeg<J_Bip_{}_UpperLeg J_Bip_{}_Foot<J_Bip_{}_LowerLeg J_Bip_{}_ToeBase<J_Bip_{}_Foot
        J_Sec_{}_Bust1<J_Bip_C_UpperChest"
        .to_owned()
        + &finger_chains("J_Bip_{}_@#", ["Thumb", "Index", "Middle", "Ring", "Little"], "J_Bip_{}_Hand", 3);
    let vroid_bones = "hips=J_Bip_C_Hips spine=J_Bip_C_Spine chest=J_Bip_C_Chest upperChest=J_Bip_C_UpperChest
        neck=J_Bip_C_Neck head=J_Bip_C_Head eye=J_Adj_{}_FaceEye shoulder=J_Bip_{}_Shoulder upperArm=J_Bip_{}_UpperArm
        lowerArm=J_Bip_{}_LowerArm hand=J_Bip_{}_Hand upperLeg=J_Bip_{}_UpperLeg lowerLeg=J_Bip_{}_LowerLeg
        foot=J_Bip_{}_Foot toes=J_Bip_{}_ToeBase"
        .to_owned()
        + &fingers("J_Bip_{}_@#", ["Thumb", "Index", "Middle", "Ring", "Little"]);

    let cmu = "Hips LHipJoint<Hips LeftUpLeg<LHipJoint LeftLeg<LeftUpLeg LeftFoot<LeftLeg LeftToeBase<LeftFoot
        RHipJoint<Hips RightUpLeg<RHipJoint RightLeg<RightUpLeg RightFoot<RightLeg RightToeBase<RightFoot
        LowerBack<Hips Spine<LowerBack Spine1<Spine Neck<Spine1 Neck1<Neck Head<Neck1
        LeftShoulder<Spine1 LeftArm<LeftShoulder LeftForeArm<LeftArm LeftHand<LeftForeArm LeftFingerBase<LeftHand
        LeftHandIndex1<LeftFingerBase LThumb<LeftHand RightShoulder<Spine1 RightArm<RightShoulder
        RightForeArm<RightArm RightHand<RightForeArm RightFingerBase<RightHand RightHandIndex1<RightFingerBase
        RThumb<RightHand";
    let cmu_bones = "hips=Hips spine=LowerBack chest=Spine upperChest=Spine1 neck=Neck head=Head
        shoulder={}Shoulder upperArm={}Arm lowerArm={}ForeArm hand={}Hand indexProximal={}HandIndex1
        upperLeg={}UpLeg lowerLeg={}Leg foot={}Foot toes={}ToeBase leftThumbMetacarpal=LThumb rightThumbMetacarpal=RThumb";

    let biped = "Bip01 Bip01~Pelvis<Bip01 Bip01~Spine<Bip01~Pelvis Bip01~Spine1<Bip01~Spine Bip01~Neck<Bip01~Spine1
        Bip01~Head<Bip01~Neck Bip01~{}~Clavicle<Bip01~Neck Bip01~{}~UpperArm<Bip01~{}~Clavicle
        Bip01~{}~Forearm<Bip01~{}~UpperArm Bip01~{}~Hand<Bip01~{}~Forearm Bip01~{}~Thigh<Bip01~Spine
        Bip01~{}~Calf<Bip01~{}~Thigh Bip01~{}~Foot<Bip01~{}~Calf Bip01~{}~Toe0<Bip01~{}~Foot Bip01~{}~Toe0Nub<Bip01~{}~Toe0";
    let biped_bones = "hips=Bip01~Pelvis spine=Bip01~Spine chest=Bip01~Spine1 neck=Bip01~Neck head=Bip01~Head
        shoulder=Bip01~{}~Clavicle upperArm=Bip01~{}~UpperArm lowerArm=Bip01~{}~Forearm hand=Bip01~{}~Hand
        upperLeg=Bip01~{}~Thigh lowerLeg=Bip01~{}~Calf foot=Bip01~{}~Foot toes=Bip01~{}~Toe0";

    let words = ["Left", "Right"];
    for (name, joints, bones, sides) in [
        ("Mixamo", mixamo.as_str(), mixamo_bones.as_str(), words),
        ("Unreal", &unreal, &unreal_bones, ["l", "r"]),
        ("Rigify", &rigify, &rigify_bones, ["L", "R"]),
        ("VRoid", &vroid, &vroid_bones, ["L", "R"]),
        ("CMU", cmu, cmu_bones, words),
        ("Biped", biped, biped_bones, ["L", "R"]),
    ] {
        let count = check(name, &named(&both(joints, sides)), &by_hand(bones, sides));
        println!("{name}: {count} bones");
    }
}
