//! Reads a joint's name: the part of the body, the side, and whether the joint spreads a twist.

use crate::Skeleton;
use std::collections::{HashMap, HashSet};

/// A part of the body that a joint's name can mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    Hips,
    /// A hip with a side. It is the upper leg if no joint is called a leg.
    SideOfHips,
    /// Any joint between hips and neck.
    Torso,
    Neck,
    Head,
    Eye,
    Jaw,
    UpperLeg,
    /// A word such as `leg`. It means the lower leg if another joint is called upper leg. Otherwise the first such
    /// joint is the upper leg, and the second the lower leg.
    Leg,
    LowerLeg,
    /// The lower leg, if no joint above the foot is called a lower leg.
    Knee,
    Foot,
    Toes,
    /// The collarbone, or the upper arm if another joint is called a clavicle or collar.
    Shoulder,
    Clavicle,
    UpperArm,
    /// A word such as `arm`. It means the lower arm if another joint is called upper arm. Otherwise the first such
    /// joint is the upper arm, and the second the lower arm.
    Arm,
    LowerArm,
    /// The lower arm, if no joint between upper arm and hand is called a lower arm.
    Elbow,
    Hand,
    /// The hand, if no joint is called a hand.
    Wrist,
    /// The hand, if no joint is called a hand or a wrist. There may be several palms.
    Palm,
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
}

/// A side of the character's own body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// The meaning of one joint's name: a part of the body and a side, or a helper joint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointWords {
    /// The words of the name in lower case, without numbers and sides.
    pub(crate) words: Vec<String>,
    pub(crate) part: Option<Part>,
    /// The part that the name has without the words for helper joints: `ik_hand_l` is about a hand, but is no hand.
    pub(crate) about: Option<Part>,
    pub(crate) side: Option<Side>,
    /// `true` if the name has words for both sides, as `PalmR.L` (the palm of the ring finger of the left hand).
    pub(crate) has_both_sides: bool,
    /// The number of words that tell neither the part nor the side.
    pub(crate) extras: usize,
    /// `true` if the name contains a word for a joint that spreads a twist along a limb.
    pub(crate) is_twist: bool,
    /// `true` if the name contains a word for a joint that is no bone.
    pub(crate) is_helper: bool,
    /// `true` for Rigify's joints that move the skin (`DEF-hand.L`).
    pub(crate) is_deform: bool,
}

/// Words that mark joints which are no bones: controls, targets of inverse kinematics, ends of chains, sockets, items.
const HELPERS: &[&str] = &[
    "ik",
    "ｉｋ",
    "fk",
    "ctrl",
    "ctl",
    "control",
    "controller",
    "target",
    "pole",
    "master",
    "mch",
    "org",
    "tweak",
    "parent",
    "vis",
    "wgt",
    "widget",
    "switch",
    "offset",
    "space",
    "pivot",
    "aim",
    "slot",
    "handslot",
    "socket",
    "end",
    "nub",
    "tip",
    "leaf",
    "site",
    "goal",
    "effector",
    "null",
    "locator",
    "attach",
    "attachment",
    "hold",
    "holder",
    "prop",
    "item",
    "weapon",
    "gun",
    "sword",
    "shield",
    "bow",
    "arrow",
    "fake",
    "scale",
    "helper",
    "dummy",
    "joint",
    "hipjoint",
    "breast",
    "bust",
    "robo",
    "robot",
    "mirror",
    "copy",
    "phys",
    "physics",
    "collider",
    "armor",
    "armour",
    "pad",
    "plate",
    "guard",
    "cuff",
    "sleeve",
    "glove",
    "strap",
    "belt",
    "cloth",
    "skirt",
    "cape",
    "hair",
    "hat",
    "helmet",
    "mask",
    "muscle",
    "deltoid",
    "pec",
    "corrective",
    "volume",
    "fix",
    "lid",
    "brow",
    "lash",
    "ear",
    "wing",
    "tail",
];

impl JointWords {
    /// Reads a joint's name. A name without known words gives no part and no side.
    #[must_use]
    pub fn read(name: &str) -> Self {
        Self::read_beside(name, &HashSet::new())
    }

    /// Reads the name of each joint. Words that most names of the skeleton share, such as a prefix, mean nothing.
    pub(crate) fn read_all(skeleton: &Skeleton) -> Vec<Self> {
        let names = || skeleton.joints().iter().map(|joint| joint.name.as_str());
        let mut counts: HashMap<String, usize> = HashMap::new();
        for name in names() {
            let words: HashSet<String> = words_of(name).into_iter().collect();
            words.into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
        }
        let is_shared = |word: &str, count: usize| {
            count * 5 > skeleton.len() * 3 && count >= 8 && side_word(word).is_none() && part_of(word).is_none()
        };
        let shared = counts.into_iter().filter(|(word, count)| is_shared(word, *count)).map(|(word, _)| word).collect();
        names().map(|name| Self::read_beside(name, &shared)).collect()
    }

    fn read_beside(name: &str, shared: &HashSet<String>) -> Self {
        let mut words = words_of(name);
        let is_deform = words.first().is_some_and(|word| word == "def");
        words.retain(|word| !shared.contains(word) && word != "def");
        let mut sides: Vec<Side> = Vec::new();
        words.retain(|word| {
            let found = side_word(word);
            sides.extend(found);
            found.is_none()
        });
        for word in &mut words {
            // Names such as lthigh, rightfoot and 左腕 have no space between the side and the part.
            if part_of(word).is_none()
                && let Some((side, rest)) = side_prefix(word)
                && (part_of(rest).is_some() || rest == "hipjoint" || !word.is_ascii())
            {
                sides.push(side);
                *word = rest.to_owned();
            }
        }
        words.retain(|word| !word.is_empty());
        let side = sides.first().copied();
        let has_both_sides = sides.iter().any(|&one| Some(one) != side);
        let has = |wanted: &str| words.iter().any(|word| word == wanted);
        let is_twist = ["twist", "roll", "twst"].into_iter().any(has) || words.iter().any(|word| word.contains('捩'));
        let is_helper = is_twist || HELPERS.iter().any(|helper| has(helper));
        let (about, used) = find_part(&words).map_or((None, 0), |(part, used)| (Some(part), used));
        // Hips have no side. `DEF-pelvis.L` is a helper joint beside the hips, but SMPL's `L_Hip` is an upper leg.
        let about = match about {
            Some(Part::Hips) if side.is_some() => Some(Part::SideOfHips),
            about => about,
        };
        // Only the thumb's metacarpal bone is a standard bone.
        let is_inside_palm = has("metacarpal") && about != Some(Part::Thumb);
        let part = about.filter(|_| !is_helper && !is_inside_palm);
        let extras = words.len() - used;
        Self { words, part, about, side, has_both_sides, extras, is_twist, is_helper, is_deform }
    }
}

impl JointWords {
    /// Returns `true` if the joint spreads a twist along the limb whose joint has the name `limb`. Such a joint has a
    /// name with a word for twist (`lowerarm_twist_01_l`), or the limb's name with a number (`DEF-forearm.L.001`).
    #[must_use]
    pub fn is_twist_of(&self, limb: &Self) -> bool {
        self.is_twist || self.words == limb.words && self.side == limb.side
    }
}

fn side_word(word: &str) -> Option<Side> {
    match word {
        "l" | "left" | "lf" | "lft" | "左" => Some(Side::Left),
        "r" | "right" | "rt" | "rgt" | "右" => Some(Side::Right),
        _ => None,
    }
}

/// The side that a word begins with, and the rest of the word.
fn side_prefix(word: &str) -> Option<(Side, &str)> {
    let sides = [
        ("left", Side::Left),
        ("right", Side::Right),
        ("左", Side::Left),
        ("右", Side::Right),
        ("l", Side::Left),
        ("r", Side::Right),
    ];
    sides.into_iter().find_map(|(prefix, side)| Some((side, word.strip_prefix(prefix)?)))
}

/// The most specific part that a word or a pair of neighboring words means, and the number of its words:
/// `LeftHandThumb1` is a thumb, not a hand.
fn find_part(words: &[String]) -> Option<(Part, usize)> {
    let pairs = words.windows(2).filter_map(|pair| Some((part_of(&pair.concat())?, 2)));
    let singles = words.iter().filter_map(|word| Some((part_of(word)?, 1)));
    let rank = |(part, _): &(Part, usize)| match part {
        Part::Thumb | Part::Index | Part::Middle | Part::Ring | Part::Little | Part::Eye => 0,
        Part::Leg | Part::Arm | Part::Hand | Part::Head => 2,
        _ => 1,
    };
    pairs.chain(singles).min_by_key(rank)
}

fn part_of(word: &str) -> Option<Part> {
    Some(match word {
        "hips" | "hip" | "pelvis" | "下半身" | "骨盆" | "骨盤" | "臀部" | "髋" => Part::Hips,
        "spine" | "chest" | "upperchest" | "torso" | "abdomen" | "belly" | "lowerback" | "waist" | "stomach"
        | "ribcage" | "thorax" | "上半身" | "脊椎" | "脊柱" | "胸" | "胸部" | "上胸" | "腹" | "腹部" | "腰"
        | "腰部" => Part::Torso,
        "neck" | "首" | "脖子" | "颈" | "脖" | "颈部" => Part::Neck,
        "head" | "skull" | "頭" | "头" | "头部" => Part::Head,
        "eye" | "目" | "眼" | "眼睛" => Part::Eye,
        "jaw" | "下颌" => Part::Jaw,
        "thigh" | "upleg" | "upperleg" | "femur" | "大腿" | "太もも" => Part::UpperLeg,
        "leg" | "足" | "腿" => Part::Leg,
        "shin" | "calf" | "lowerleg" | "lowleg" | "foreleg" | "tibia" | "小腿" | "すね" => Part::LowerLeg,
        "knee" | "ひざ" | "膝" | "膝盖" => Part::Knee,
        "foot" | "ankle" | "足首" | "脚" | "脚踝" => Part::Foot,
        "toe" | "toes" | "toebase" | "ball" | "つま先" | "足先" | "脚趾" | "脚尖" => Part::Toes,
        "shoulder" | "肩" | "肩膀" => Part::Shoulder,
        "clavicle" | "clav" | "collar" | "collarbone" | "锁骨" | "鎖骨" => Part::Clavicle,
        "upperarm" | "uparm" | "shldr" | "humerus" | "上臂" | "上腕" | "大臂" => Part::UpperArm,
        "arm" | "腕" | "手臂" | "胳膊" => Part::Arm,
        "forearm" | "lowerarm" | "lowarm" | "前臂" | "小臂" | "前腕" | "下臂" => Part::LowerArm,
        "elbow" | "ひじ" | "肘" | "手肘" => Part::Elbow,
        "hand" | "fist" | "手" | "手掌" => Part::Hand,
        "wrist" | "手首" | "手腕" => Part::Wrist,
        "palm" => Part::Palm,
        "thumb" | "親指" | "拇指" | "大拇指" => Part::Thumb,
        "index" | "indexfinger" | "人指" | "人差指" | "食指" => Part::Index,
        "middle" | "middlefinger" | "中指" => Part::Middle,
        "ring" | "ringfinger" | "薬指" | "无名指" => Part::Ring,
        "pinky" | "pinkie" | "little" | "littlefinger" | "小指" => Part::Little,
        _ => return None,
    })
}

/// Splits a joint's name into words in lower case. A word ends at any character that is not a letter, before a capital
/// that follows a lower-case letter, and before the last of several capitals if a lower-case letter follows. A prefix
/// up to a colon is left out.
///
/// ```
/// use skeleton::humanoid::words_of;
///
/// assert_eq!(words_of("mixamorig:LeftUpLeg_01"), ["left", "up", "leg"]);
/// assert_eq!(words_of("LUpperArm"), ["l", "upper", "arm"]);
/// ```
#[must_use]
pub fn words_of(name: &str) -> Vec<String> {
    let name = name.rsplit(':').next().unwrap_or(name);
    let mut words: Vec<String> = vec![String::new()];
    let mut before = ' ';
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_last_capital = letters.peek().is_some_and(|next| next.is_lowercase());
        let starts = letter.is_uppercase() && (!before.is_uppercase() || is_last_capital);
        if (starts || !letter.is_alphabetic()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_common_rigs() {
        use Part::*;
        use Side::*;
        for (name, part, side) in [
            ("mixamorig:LeftForeArm", Some(LowerArm), Some(Left)),
            ("mixamorig:LeftHandThumb1", Some(Thumb), Some(Left)),
            ("mixamorig:RightUpLeg", Some(UpperLeg), Some(Right)),
            ("mixamorig:HeadTop_End", None, None),
            ("J_Bip_L_UpperArm", Some(UpperArm), Some(Left)),
            ("J_Bip_C_UpperChest", Some(Torso), None),
            ("DEF-f_ring.02.R", Some(Ring), Some(Right)),
            ("DEF-upper_arm.L.001", Some(UpperArm), Some(Left)),
            ("DEF-pelvis.L", Some(SideOfHips), Some(Left)),
            ("clavicle_r", Some(Clavicle), Some(Right)),
            ("upperarm_twist_01_l", None, Some(Left)),
            ("thumb_metacarpal_l", Some(Thumb), Some(Left)),
            ("index_metacarpal_l", None, Some(Left)),
            ("LThumb", Some(Thumb), Some(Left)),
            ("LHipJoint", None, Some(Left)),
            ("RightToeBase", Some(Toes), Some(Right)),
            ("handslot.l", None, Some(Left)),
            ("control-toe-roll.l", None, Some(Left)),
            ("Bip01 R Calf", Some(LowerLeg), Some(Right)),
            ("ring_01_l", Some(Ring), Some(Left)),
            ("LeftEye", Some(Eye), Some(Left)),
            ("LowerBack", Some(Torso), None),
            ("leftUpperLeg", Some(UpperLeg), Some(Left)),
            ("Rig", None, None),
            ("Bip001LUpperArm", Some(UpperArm), Some(Left)),
            ("rThighBend", Some(UpperLeg), Some(Right)),
            ("rightfoot", Some(Foot), Some(Right)),
            ("左腕", Some(Arm), Some(Left)),
            ("右足首", Some(Foot), Some(Right)),
            ("左手捩", None, Some(Left)),
            ("左足ＩＫ", None, Some(Left)),
            ("左小腿", Some(LowerLeg), Some(Left)),
            ("robo_thumb.L", None, Some(Left)),
            ("", None, None),
        ] {
            let read = JointWords::read(name);
            assert_eq!((read.part, read.side), (part, side), "{name}");
        }
        assert!(JointWords::read("lowerarm_twist_02_r").is_twist);
    }
}
