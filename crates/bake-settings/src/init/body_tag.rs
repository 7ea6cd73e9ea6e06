//! Guesses the part of the body that a joint belongs to from its name.

use skeleton::humanoid::words_of;

/// The tag for a joint's part of the body, such as `head` or `arm.left`. `None` if the name has no known word.
///
/// Names are split into words at separators, digits and capitals. A side is the word left or right, or its first
/// letter.
#[must_use]
pub fn guess_tag(name: &str) -> Option<String> {
    let words = words_of(name);
    let part = words.iter().find_map(|word| part_of(word)).or_else(|| {
        let pairs = words.windows(2).map(|pair| pair.concat());
        pairs.into_iter().find_map(|word| part_of(&word))
    })?;
    let side = words.iter().find_map(|word| match word.as_str() {
        "l" | "left" => Some(".left"),
        "r" | "right" => Some(".right"),
        _ => None,
    });
    Some(format!("{part}{}", side.unwrap_or_default()))
}

fn part_of(word: &str) -> Option<&'static str> {
    Some(match word {
        "head" | "skull" | "jaw" | "face" | "eye" | "eyes" | "ear" | "snout" | "muzzle" | "beak" | "horn"
        | "antler" => "head",
        "neck" => "neck",
        "hips" | "hip" | "pelvis" | "spine" | "chest" | "upperchest" | "torso" | "abdomen" | "body" | "belly" => {
            "torso"
        }
        "shoulder" | "clavicle" | "arm" | "upperarm" | "forearm" | "lowerarm" | "elbow" => "arm",
        "hand" | "wrist" | "palm" | "thumb" | "index" | "middle" | "ring" | "pinky" | "little" | "finger"
        | "fingers" => "hand",
        "thigh" | "leg" | "foreleg" | "hindleg" | "hock" | "pastern" | "cannon" | "stifle" | "femur" | "tibia"
        | "upleg" | "upperleg" | "lowerleg" | "shin" | "calf" | "knee" => "leg",
        "foot" | "paw" | "hoof" | "claw" | "talon" | "toe" | "toes" | "toebase" | "ball" | "ankle" => "foot",
        "tail" => "tail",
        "wing" => "wing",
        "fin" | "flipper" => "fin",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joint_names_of_common_rigs_get_tags() {
        for (name, tag) in [
            ("mixamorig:Hips", "torso"),
            ("mixamorig:LeftUpLeg", "leg.left"),
            ("mixamorig:RightHandThumb1", "hand.right"),
            ("J_Bip_R_LowerArm", "arm.right"),
            ("J_Bip_C_UpperChest", "torso"),
            ("leftLowerLeg", "leg.left"),
            ("upperarm_l", "arm.left"),
            ("ball_r", "foot.right"),
            ("spine_01", "torso"),
            ("DEF-upper_arm.L.001", "arm.left"),
            ("DEF-shin.R", "leg.right"),
            ("lowerarm.r", "arm.right"),
            ("toes.l", "foot.left"),
            ("Head", "head"),
            ("front_paw_l", "foot.left"),
            ("hind_pastern_r", "leg.right"),
            ("Bip001 L Hindleg", "leg.left"),
            ("RightFrontHoof", "foot.right"),
        ] {
            assert_eq!(guess_tag(name).as_deref(), Some(tag), "{name}");
        }
        assert_eq!((guess_tag("root"), guess_tag(""), guess_tag("bone_12")), (None, None, None));
    }
}
