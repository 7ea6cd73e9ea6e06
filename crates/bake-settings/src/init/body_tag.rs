//! The part of the body that a joint belongs to, guessed from its name.

/// The tag of a joint's part of the body, like `head` or `arm.left`; `None` where the name says nothing.
///
/// Names are cut into words at separators, digits and capitals; a side is left or right or their first letters.
pub(crate) fn guess_tag(name: &str) -> Option<String> {
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

/// Lower-case words; a prefix up to a colon is left out.
fn words_of(name: &str) -> Vec<String> {
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

fn part_of(word: &str) -> Option<&'static str> {
    Some(match word {
        "head" | "skull" | "jaw" | "face" | "eye" | "eyes" | "ear" => "head",
        "neck" => "neck",
        "hips" | "hip" | "pelvis" | "spine" | "chest" | "upperchest" | "torso" | "abdomen" | "body" | "belly" => {
            "torso"
        }
        "shoulder" | "clavicle" | "arm" | "upperarm" | "forearm" | "lowerarm" | "elbow" => "arm",
        "hand" | "wrist" | "palm" | "thumb" | "index" | "middle" | "ring" | "pinky" | "little" | "finger"
        | "fingers" => "hand",
        "thigh" | "leg" | "upleg" | "upperleg" | "lowerleg" | "shin" | "calf" | "knee" => "leg",
        "foot" | "toe" | "toes" | "toebase" | "ball" | "ankle" => "foot",
        "tail" => "tail",
        "wing" => "wing",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_rigs_are_understood() {
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
        ] {
            assert_eq!(guess_tag(name).as_deref(), Some(tag), "{name}");
        }
        assert_eq!((guess_tag("root"), guess_tag(""), guess_tag("bone_12")), (None, None, None));
    }
}
