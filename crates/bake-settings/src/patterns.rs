//! Finds patterns for joint names that match no joint.
//!
//! A section often applies to several characters, and a pattern of the section may be meant for only some of them. So a
//! pattern is a mistake only if it matches no joint of any character that its section applies to.

use crate::init::Character;
use crate::sections::{PatternPlace, Section};
use bone_fit::nearest_name;
use skeleton::NamePattern;
use skeleton::humanoid::words_of;

/// The largest number of joint names in an error.
const MOST_LISTED: usize = 3;

/// The section's first pattern that matches no joint of these characters.
pub(crate) fn first_unmatched<'a>(section: &'a Section, characters: &[&Character]) -> Option<&'a PatternPlace> {
    section.patterns.iter().find(|place| !matches_any_joint(&place.pattern, characters))
}

/// Returns true if a pattern matches a joint of one of these characters.
pub(crate) fn matches_any_joint(pattern: &NamePattern, characters: &[&Character]) -> bool {
    characters.iter().flat_map(|character| &character.joints).any(|joint| pattern.matches(joint))
}

/// The message for a pattern that matches no joint of these characters, with the nearest joint names.
pub(crate) fn problem_of(pattern: &NamePattern, characters: &[&Character]) -> String {
    let joints = characters.iter().flat_map(|character| &character.joints).map(String::as_str);
    let name = pattern.as_str();
    if name == "preset" || bone_fit::BakeOption::find(name).is_some() {
        return format!(
            "no joint is named {name:?}, which is an option; move its line above the first section of the file"
        );
    }
    let near: Vec<String> = nearest_joints(pattern, joints).iter().map(|name| format!("{name:?}")).collect();
    let near = match near.as_slice() {
        [] => {
            "; `bonebox inspect` lists the joint names; if the pattern is for a character in another folder, delete it"
                .to_owned()
        }
        [one] => format!("; the nearest joint name is {one}"),
        several => format!("; the nearest joint names are {}", several.join(", ")),
    };
    match characters {
        [one] => format!("the pattern {:?} matches no joint of the character {:?}{near}", pattern.as_str(), one.name),
        several => {
            format!("the pattern {:?} matches no joint of any of {} characters{near}", pattern.as_str(), several.len())
        }
    }
}

/// The joints whose name, or a word of it, is most similar to the letters of the pattern; at most [`MOST_LISTED`].
fn nearest_joints<'a>(pattern: &NamePattern, joints: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let letters = pattern.as_str().trim_matches(|letter: char| !letter.is_alphanumeric());
    let mut candidates: Vec<(String, &str)> = Vec::new();
    for joint in joints {
        let words = words_of(joint);
        candidates.push((joint.to_owned(), joint));
        let whole = words.concat();
        candidates.extend(words.into_iter().filter(|word| word.len() > 1).map(|word| (word, joint)));
        candidates.push((whole, joint));
    }
    let Some(nearest) = nearest_name(letters, candidates.iter().map(|(word, _)| word.as_str())) else {
        return Vec::new();
    };
    let mut found: Vec<&str> = Vec::new();
    for (word, joint) in &candidates {
        if word == nearest && !found.contains(joint) && found.len() < MOST_LISTED {
            found.push(joint);
        }
    }
    found
}
