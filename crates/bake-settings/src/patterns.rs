//! Finds patterns for joint names that match no joint.
//!
//! A section often applies to several characters, and a pattern of the section may be meant for only some of them. So a
//! pattern is a mistake only if it matches no joint of any character that its section applies to.

use crate::init::Character;
use crate::sections::{PatternOf, PatternPlace, Section};
use bone_fit::nearest_name;
use skeleton::NamePattern;
use skeleton::humanoid::words_of;

/// The largest number of joint names in an error.
const MOST_LISTED: usize = 3;

/// The section's first pattern that matches nothing of these characters.
pub(crate) fn first_unmatched<'a>(section: &'a Section, characters: &[&Character]) -> Option<&'a PatternPlace> {
    section.patterns.iter().find(|place| !matches_any(&place.pattern, place.of, characters))
}

/// Returns true if a pattern matches a name of one of these characters.
pub(crate) fn matches_any(pattern: &NamePattern, of: PatternOf, characters: &[&Character]) -> bool {
    names_of(of, characters).any(|name| pattern.matches(name))
}

fn names_of<'a>(of: PatternOf, characters: &[&'a Character]) -> impl Iterator<Item = &'a str> {
    let names = |character: &&'a Character| {
        let surfaces = if of == PatternOf::Skin { character.surfaces.as_slice() } else { &[] };
        character.joints.iter().chain(surfaces).map(String::as_str)
    };
    characters.iter().flat_map(names).collect::<Vec<_>>().into_iter()
}

/// The message for a pattern that matches no name of these characters, with the nearest names.
pub(crate) fn problem_of(pattern: &NamePattern, of: PatternOf, characters: &[&Character]) -> String {
    let (what, nearest) = match of {
        PatternOf::Joints => ("joint", "nearest joint name"),
        PatternOf::Skin => ("joint, mesh, node or material", "nearest name"),
    };
    let name = pattern.as_str();
    if name == "preset" || bone_fit::BakeOption::find(name).is_some() {
        return format!(
            "no joint is named {name:?}, which is an option; move its line above the first section of the file"
        );
    }
    let near: Vec<String> =
        nearest_names(pattern, names_of(of, characters)).iter().map(|name| format!("{name:?}")).collect();
    let near = match near.as_slice() {
        [] => {
            "; `bonebox inspect` lists the joint names; if the pattern is for a character in another folder, delete it"
                .to_owned()
        }
        [one] => format!("; the {nearest} is {one}"),
        several => format!("; the {nearest}s are {}", several.join(", ")),
    };
    match characters {
        [one] => format!("the pattern {:?} matches no {what} of the character {:?}{near}", pattern.as_str(), one.name),
        several => {
            format!("the pattern {:?} matches no {what} of any of {} characters{near}", pattern.as_str(), several.len())
        }
    }
}

/// The joints whose name, or a word of it, is most similar to the letters of the pattern; at most [`MOST_LISTED`].
fn nearest_names<'a>(pattern: &NamePattern, joints: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
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
