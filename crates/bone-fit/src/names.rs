//! Patterns for joint names, and names that mirror each other.

/// Whether a name matches a pattern: `*` is any run of characters, `?` any one; case does not matter.
///
/// ```
/// use bone_fit::matches;
///
/// assert!(matches("*finger*", "LeftFinger1"));
/// assert!(matches("spine.???", "Spine.001") && !matches("spine", "spine.001"));
/// ```
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.to_lowercase().chars().collect();
    let name: Vec<char> = name.to_lowercase().chars().collect();
    // Where the last star was and how much it has taken: going back there is all the going back there is.
    let (mut at, mut next, mut star) = (0, 0, None);
    while at < name.len() {
        match pattern.get(next) {
            Some('*') => {
                star = Some((next, at));
                next += 1;
            }
            Some(&letter) if letter == '?' || letter == name[at] => {
                at += 1;
                next += 1;
            }
            _ => {
                let Some((position, taken)) = star else { return false };
                star = Some((position, taken + 1));
                (next, at) = (position + 1, taken + 1);
            }
        }
    }
    pattern[next..].iter().all(|letter| *letter == '*')
}

/// Whether a name matches any pattern of a list that is separated by commas.
#[must_use]
pub fn matches_any(patterns: &str, name: &str) -> bool {
    patterns.split(',').map(str::trim).any(|pattern| !pattern.is_empty() && matches(pattern, name))
}

/// The same name on the other side: `hand.l` and `hand.r`, `LeftArm` and `RightArm`, `J_Bip_L_Hand` and `J_Bip_R_Hand`.
///
/// A side is the word left or right, or the letter l or r between separators or at an end next to one; the case is
/// kept. `None` where the name has no side.
#[must_use]
pub fn mirrored(name: &str) -> Option<String> {
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
    let separator = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
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
        if letters.len() > 1 && separator(before) && separator(letters.get(index + 1).copied()) {
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
    fn stars_and_question_marks() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("a*b*c", "AxxbybC", true),
            ("a*b*c", "axxbyb", false),
            ("?", "", false),
            ("*.l", "hand.l.l", true),
            ("hand", "hand", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
        assert!(matches_any("*finger*, toe?", "toe1") && !matches_any("", "toe1") && !matches_any(" , ", ""));
    }

    #[test]
    fn a_long_name_does_not_take_long() {
        assert!(!matches(&"*a".repeat(50), &"a".repeat(40)));
    }

    #[test]
    fn mirrors_both_ways() {
        for (left, right) in [
            ("hand.l", "hand.r"),
            ("LeftArm", "RightArm"),
            ("J_Bip_L_Hand", "J_Bip_R_Hand"),
            ("thigh_l", "thigh_r"),
            ("DEF-upper_arm.L.001", "DEF-upper_arm.R.001"),
        ] {
            assert_eq!(mirrored(left).as_deref(), Some(right));
            assert_eq!(mirrored(right).as_deref(), Some(left));
        }
        assert_eq!(mirrored("skull"), None);
        assert_eq!(mirrored("l"), None);
    }
}
