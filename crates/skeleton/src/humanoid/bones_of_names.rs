//! The bones that the names of joints mean without a skeleton.

use super::HumanBone;
use super::HumanBone as B;
use super::joint_words::{JointWords, Part, Side};

/// Returns the bone of a human figure that each name of a joint means, as in a list of hitboxes without a skeleton.
///
/// The function knows the names of the rigs of Valve (`ValveBiped.Bip01_Head1`), 3ds Max (`Bip01 L Calf`) and Unreal's mannequin
/// (`lowerarm_l`), and other names that use the same words. Their joints of the spine are more than the bones, so several
/// names may mean the same bone. The result is `None` for fingers, twist joints and names that mean no bone or may mean several.
///
/// ```
/// use skeleton::humanoid::{HumanBone, bones_of_names};
///
/// let bones = bones_of_names(&["ValveBiped.Bip01_Head1", "ValveBiped.Bip01_L_Forearm", "tail_01"]);
/// assert_eq!(bones, [Some(HumanBone::Head), Some(HumanBone::LeftLowerArm), None]);
/// ```
#[must_use]
pub fn bones_of_names(names: &[&str]) -> Vec<Option<HumanBone>> {
    let read: Vec<JointWords> = names.iter().map(|name| JointWords::read(name)).collect();
    let has = |part: Part, side: Option<Side>| read.iter().any(|one| one.part == Some(part) && one.side == side);
    // The spine of Unreal's mannequin has three joints, or five since version 5.
    let has_long_spine = names.iter().zip(&read).any(|(name, words)| {
        words.part == Some(Part::Torso) && !is_biped(words) && number(name).is_some_and(|number| number > 3)
    });
    let bone = |(name, words): (&&str, &JointWords)| {
        let side = words.side;
        let sided = |left, right| match side? {
            Side::Left => Some(left),
            Side::Right => Some(right),
        };
        let central = |bone| side.is_none().then_some(bone);
        match words.part? {
            Part::Hips => central(B::Hips),
            Part::Torso => central(torso(name, words, has_long_spine)?),
            Part::Neck => central(B::Neck),
            Part::Head => central(B::Head),
            Part::Jaw => central(B::Jaw),
            Part::Eye => sided(B::LeftEye, B::RightEye),
            Part::UpperLeg | Part::SideOfHips => sided(B::LeftUpperLeg, B::RightUpperLeg),
            Part::LowerLeg | Part::Knee => sided(B::LeftLowerLeg, B::RightLowerLeg),
            Part::Leg if has(Part::UpperLeg, side) => sided(B::LeftLowerLeg, B::RightLowerLeg),
            Part::Leg if has(Part::LowerLeg, side) => sided(B::LeftUpperLeg, B::RightUpperLeg),
            Part::Foot => sided(B::LeftFoot, B::RightFoot),
            Part::Toes => sided(B::LeftToes, B::RightToes),
            Part::Shoulder if has(Part::Clavicle, side) => sided(B::LeftUpperArm, B::RightUpperArm),
            Part::Clavicle | Part::Shoulder => sided(B::LeftShoulder, B::RightShoulder),
            Part::UpperArm => sided(B::LeftUpperArm, B::RightUpperArm),
            Part::LowerArm | Part::Elbow => sided(B::LeftLowerArm, B::RightLowerArm),
            Part::Arm if has(Part::UpperArm, side) => sided(B::LeftLowerArm, B::RightLowerArm),
            Part::Arm if has(Part::LowerArm, side) => sided(B::LeftUpperArm, B::RightUpperArm),
            Part::Hand | Part::Wrist => sided(B::LeftHand, B::RightHand),
            _ => None,
        }
    };
    names.iter().zip(&read).map(bone).collect()
}

/// The bone of a joint between hips and neck.
fn torso(name: &str, words: &JointWords, has_long_spine: bool) -> Option<HumanBone> {
    let has = |wanted: &str| words.words.iter().any(|word| word == wanted);
    if !has("spine") {
        let is_upper = has("upper") || has("upperchest");
        let is_chest = ["chest", "upperchest", "ribcage", "thorax"].into_iter().any(has);
        return Some(match is_chest {
            true if is_upper => B::UpperChest,
            true => B::Chest,
            false => B::Spine,
        });
    }
    // The joints of Valve's spine are Spine, Spine1, Spine2 and Spine4.
    Some(match (is_biped(words), number(name)) {
        (_, None) | (true, Some(0 | 1)) => B::Spine,
        (true, Some(2)) => B::Chest,
        (true, Some(_)) => B::UpperChest,
        (false, Some(number)) => match if has_long_spine { number.div_ceil(2) } else { number } {
            1 => B::Spine,
            2 => B::Chest,
            3 => B::UpperChest,
            _ => return None,
        },
    })
}

/// Returns `true` for the names of 3ds Max and of Valve, which came from it.
fn is_biped(words: &JointWords) -> bool {
    words.words.iter().any(|word| word == "bip")
}

/// The number at the end of a name.
fn number(name: &str) -> Option<u32> {
    let before = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    name[before.len()..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::humanoid::Humanoid;
    use crate::humanoid::test_skeletons::placed;
    use glam::Vec3;

    /// A whole rig: the torso from the hips up, and the joints of the left limbs, with `#` for the side.
    fn rig(torso: &[&str], [arm, leg]: [&[&str]; 2], sides: [&str; 2]) -> crate::Skeleton {
        let mut joints: Vec<(String, Option<u16>, Vec3)> = Vec::new();
        for (index, name) in torso.iter().enumerate() {
            let above = index.checked_sub(1).map(|above| above as u16);
            joints.push(((*name).to_owned(), above, Vec3::Y * if index == 0 { 1.0 } else { 0.1 }));
        }
        // The arms hang below the joint below the neck.
        let chest = torso.len() as u16 - 3;
        for (side, sign) in sides.into_iter().zip([1.0, -1.0]) {
            for (limb, from, step) in [(arm, chest, Vec3::new(0.2, 0.0, 0.0)), (leg, 0, Vec3::new(0.02, -0.3, 0.0))] {
                for (index, name) in limb.iter().enumerate() {
                    let above = if index == 0 { from } else { joints.len() as u16 - 1 };
                    joints.push((name.replace('#', side), Some(above), step * Vec3::new(sign, 1.0, 1.0)));
                }
            }
        }
        let joints: Vec<(&str, Option<u16>, Vec3)> = joints.iter().map(|(n, p, at)| (n.as_str(), *p, *at)).collect();
        placed(&joints)
    }

    /// The guess sees the whole skeleton. A joint between two bones belongs to the bone below it, and so does its name.
    #[test]
    fn names_of_whole_rigs_mean_the_bones_of_the_guess() {
        const VALVE: &str = "ValveBiped.Bip01_";
        let valve = |names: &str| -> Vec<String> { names.split(' ').map(|name| format!("{VALVE}{name}")).collect() };
        let plain = |names: &str| -> Vec<String> { names.split(' ').map(str::to_owned).collect() };
        let rigs = [
            (
                valve("Pelvis Spine Spine1 Spine2 Spine4 Neck1 Head1"),
                valve("#_Clavicle #_UpperArm #_Forearm #_Hand"),
                valve("#_Thigh #_Calf #_Foot #_Toe0"),
                ["L", "R"],
            ),
            (
                plain("pelvis spine_01 spine_02 spine_03 neck_01 head"),
                plain("clavicle_# upperarm_# lowerarm_# hand_#"),
                plain("thigh_# calf_# foot_# ball_#"),
                ["l", "r"],
            ),
            (
                plain("pelvis spine_01 spine_02 spine_03 spine_04 spine_05 neck_01 head"),
                plain("clavicle_# upperarm_# lowerarm_# hand_#"),
                plain("thigh_# calf_# foot_# ball_#"),
                ["l", "r"],
            ),
        ];
        for (torso, arm, leg, sides) in rigs {
            let [torso, arm, leg] =
                [&torso, &arm, &leg].map(|names| names.iter().map(String::as_str).collect::<Vec<_>>());
            let skeleton = rig(&torso, [&arm, &leg], sides);
            let names: Vec<&str> = skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
            let mut expected: Vec<Option<HumanBone>> = Vec::new();
            let humanoid = Humanoid::guess(&skeleton).unwrap();
            for (index, joint) in skeleton.joints().iter().enumerate() {
                let own = humanoid.bone(crate::JointIndex(index as u16));
                expected.push(own.or_else(|| expected[joint.parent?.index()]));
            }
            for ((name, found), expected) in names.iter().zip(bones_of_names(&names)).zip(expected) {
                assert_eq!(found, expected, "{name}");
            }
        }
    }

    #[test]
    fn names_that_may_mean_several_bones_mean_none() {
        let names =
            ["arm_l", "leg_r", "index_01_l", "lowerarm_twist_01_l", "root", "tail", "spine_07", "hand", "head_l", ""];
        assert_eq!(bones_of_names(&names), [None; 10]);
        let arms = bones_of_names(&["arm_l", "lowerarm_l", "arm_r", "upperarm_r"]);
        assert_eq!(arms, [B::LeftUpperArm, B::LeftLowerArm, B::RightLowerArm, B::RightUpperArm].map(Some));
        let torso = bones_of_names(&["Chest", "UpperChest", "upper_chest", "abdomen", "bip_spine_3", "shoulder.l"]);
        assert_eq!(torso, [B::Chest, B::UpperChest, B::UpperChest, B::Spine, B::UpperChest, B::LeftShoulder].map(Some));
    }
}
