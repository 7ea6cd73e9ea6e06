//! The name of the joint on the other side of the body.

/// Returns the name of the same joint on the other side of the body: `hand.r` for `hand.l`, `LeftArm` for `RightArm`,
/// `J_Bip_R_Hand` for `J_Bip_L_Hand`.
///
/// A side is the word left or right, or a single letter l or r that has no letter or digit next to it. The result keeps
/// upper and lower case. Returns `None` if the name has no side.
///
/// ```
/// use skeleton::mirrored_name;
///
/// assert_eq!(mirrored_name("mixamorig:LeftArm").as_deref(), Some("mixamorig:RightArm"));
/// assert_eq!(mirrored_name("skull"), None);
/// ```
#[must_use]
pub fn mirrored_name(name: &str) -> Option<String> {
    const WORDS: [(&str, &str); 6] = [
        ("left", "right"),
        ("Left", "Right"),
        ("LEFT", "RIGHT"),
        ("right", "left"),
        ("Right", "Left"),
        ("RIGHT", "LEFT"),
    ];
    for (from, to) in WORDS {
        if let Some(start) = name.find(from) {
            return Some(format!("{}{to}{}", &name[..start], &name[start + from.len()..]));
        }
    }
    let separates = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    let letters: Vec<char> = name.chars().collect();
    for (index, letter) in letters.iter().enumerate().rev() {
        let other = match letter {
            'l' => 'r',
            'r' => 'l',
            'L' => 'R',
            'R' => 'L',
            _ => continue,
        };
        let before = index.checked_sub(1).map(|index| letters[index]);
        if letters.len() > 1 && separates(before) && separates(letters.get(index + 1).copied()) {
            let mut swapped = letters.clone();
            swapped[index] = other;
            return Some(swapped.into_iter().collect());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_mirrored_in_both_directions() {
        for (left, right) in [
            ("hand.l", "hand.r"),
            ("LeftArm", "RightArm"),
            ("J_Bip_L_Hand", "J_Bip_R_Hand"),
            ("thigh_l", "thigh_r"),
            ("DEF-upper_arm.L.001", "DEF-upper_arm.R.001"),
        ] {
            assert_eq!(mirrored_name(left).as_deref(), Some(right));
            assert_eq!(mirrored_name(right).as_deref(), Some(left));
        }
        assert_eq!(mirrored_name("l"), None);
    }
}
