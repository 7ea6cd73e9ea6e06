//! Reads a joint's name: the part of the body, the side, and whether the joint spreads a twist.

/// A part of the body that a joint's name can mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    Hips,
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
    Foot,
    Toes,
    Shoulder,
    UpperArm,
    /// A word such as `arm`. It means the lower arm if another joint is called upper arm. Otherwise the first such
    /// joint is the upper arm, and the second the lower arm.
    Arm,
    LowerArm,
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
    pub(crate) side: Option<Side>,
    /// `true` if the name contains a word for a joint that spreads a twist along a limb.
    pub(crate) is_twist: bool,
}

/// Words that mark helper joints, which are not bones: targets of inverse kinematics, ends of chains, sockets.
const HELPERS: [&str; 22] = [
    "ik",
    "fk",
    "ctrl",
    "control",
    "target",
    "pole",
    "slot",
    "handslot",
    "socket",
    "end",
    "nub",
    "tip",
    "weapon",
    "gun",
    "fake",
    "scale",
    "helper",
    "dummy",
    "metacarpal",
    "joint",
    "hipjoint",
    "breast",
];

impl JointWords {
    /// Reads a joint's name. A name without known words gives no part and no side.
    #[must_use]
    pub fn read(name: &str) -> Self {
        let mut words = words_of(name);
        let mut side = None;
        words.retain(|word| {
            let found = side_word(word);
            side = side.or(found);
            found.is_none()
        });
        for word in &mut words {
            // Some CMU files have names such as LThumb and RHipJoint.
            if side.is_none()
                && let Some((first, rest)) = word.split_at_checked(1)
                && (part_of(rest).is_some() || rest == "hip" || rest == "hipjoint")
                && part_of(word).is_none()
                && let Some(found) = side_word(first)
            {
                side = Some(found);
                *word = rest.to_owned();
            }
        }
        let has = |wanted: &str| words.iter().any(|word| word == wanted);
        let is_twist = has("twist") || has("roll");
        let is_helper = is_twist || HELPERS.iter().any(|helper| has(helper));
        let mut part = if is_helper { None } else { find_part(&words) };
        // Hips have no side. `DEF-pelvis.L` and `LHip` are helper joints beside the hips.
        if part == Some(Part::Hips) && side.is_some() {
            part = None;
        }
        Self { words, part, side, is_twist }
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
        "l" | "left" => Some(Side::Left),
        "r" | "right" => Some(Side::Right),
        _ => None,
    }
}

/// The most specific part that a word or a pair of neighboring words means: `LeftHandThumb1` is a thumb, not a hand.
fn find_part(words: &[String]) -> Option<Part> {
    let pairs = words.windows(2).map(|pair| pair.concat());
    let singles = words.iter().cloned();
    let found = pairs.chain(singles).filter_map(|word| part_of(&word));
    let rank = |part: &Part| match part {
        Part::Thumb | Part::Index | Part::Middle | Part::Ring | Part::Little | Part::Eye => 0,
        Part::Leg | Part::Arm | Part::Hand | Part::Head => 2,
        _ => 1,
    };
    found.min_by_key(rank)
}

fn part_of(word: &str) -> Option<Part> {
    Some(match word {
        "hips" | "hip" | "pelvis" => Part::Hips,
        "spine" | "chest" | "upperchest" | "torso" | "abdomen" | "belly" | "lowerback" | "waist" => Part::Torso,
        "neck" => Part::Neck,
        "head" | "skull" => Part::Head,
        "eye" => Part::Eye,
        "jaw" => Part::Jaw,
        "thigh" | "upleg" | "upperleg" | "femur" => Part::UpperLeg,
        "leg" => Part::Leg,
        "shin" | "calf" | "lowerleg" | "foreleg" | "tibia" => Part::LowerLeg,
        "foot" | "ankle" => Part::Foot,
        "toe" | "toes" | "toebase" | "ball" => Part::Toes,
        "shoulder" | "clavicle" | "collar" | "collarbone" => Part::Shoulder,
        "upperarm" | "uparm" => Part::UpperArm,
        "arm" => Part::Arm,
        "forearm" | "lowerarm" => Part::LowerArm,
        "hand" | "fist" => Part::Hand,
        "wrist" => Part::Wrist,
        "palm" => Part::Palm,
        "thumb" => Part::Thumb,
        "index" | "indexfinger" => Part::Index,
        "middle" | "middlefinger" => Part::Middle,
        "ring" | "ringfinger" => Part::Ring,
        "pinky" | "pinkie" | "little" | "littlefinger" => Part::Little,
        _ => return None,
    })
}

/// Splits a joint's name into words in lower case. A word ends at any character that is not a letter, and before a
/// capital that follows a lower-case letter. A prefix up to a colon is left out.
///
/// ```
/// assert_eq!(skeleton::humanoid::words_of("mixamorig:LeftUpLeg_01"), ["left", "up", "leg"]);
/// ```
#[must_use]
pub fn words_of(name: &str) -> Vec<String> {
    let name = name.rsplit(':').next().unwrap_or(name);
    let mut words: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let starts = letter.is_uppercase() && !before.is_uppercase();
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
            ("DEF-pelvis.L", None, Some(Left)),
            ("clavicle_r", Some(Shoulder), Some(Right)),
            ("upperarm_twist_01_l", None, Some(Left)),
            ("thumb_metacarpal_l", None, Some(Left)),
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
            ("", None, None),
        ] {
            let read = JointWords::read(name);
            assert_eq!((read.part, read.side), (part, side), "{name}");
        }
        assert!(JointWords::read("lowerarm_twist_02_r").is_twist);
    }
}
