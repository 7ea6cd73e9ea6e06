//! Writes the first settings file of a folder.

mod body_tag;
mod rig;

pub use body_tag::guess_tag;
use bone_fit::{BakeOption, BakeOptions, Limit, OptionKind, Preset};
use rig::rig_name;
use skeleton::{NamePattern, printable};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use toml_edit::{Key, Value};

/// A character that a settings file is written for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Character {
    /// The name of its file without extension.
    pub name: String,
    /// The names of the joints that get boxes.
    pub joints: Vec<String>,
    /// The names of its meshes, their nodes and their materials, which patterns of `ignore` may match too.
    pub surfaces: Vec<String>,
}

/// A character whose first settings file is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCharacter {
    /// Its name, and the joints that get boxes with `parts = "humanoid"`.
    pub character: Character,
    /// `true` if it has the parts of a human figure; others have a number of parts.
    pub is_humanoid: bool,
    /// The tags that its boxes have with these parts; empty if the bake does not know what the parts are.
    pub part_tags: Vec<String>,
}

/// The number of parts of a character that is no humanoid.
const PARTS_OF_ANIMALS: usize = 18;

/// Returns a commented settings file. It contains the preset `cover`, parts, every other option with the value of the
/// preset, tags and sets, and the start of one character's section. `schema` is the path of the JSON schema relative to the
/// settings file.
///
/// A character that is no humanoid has a number of parts. If the parts have no tags, tags are guessed from the joints' names. If
/// other characters are humanoids, both stand in a section of its own.
#[must_use]
pub fn init(characters: &[NewCharacter], schema: &str) -> String {
    let mut text = format!(
        "#:schema {schema}\n\
         # Settings of bonebox for the characters in this folder and below.\n\
         # A line that starts with # has no effect; options in such lines show the values of the preset.\n\
         # Options of the command line override this file.\n\
         # Characters found here:\n"
    );
    for NewCharacter { character, .. } in characters {
        let rig = match rig_name(character.joints.iter().map(String::as_str)) {
            Some(rig) => format!("joint names of {rig}"),
            None => "joint names of an unknown tool".to_owned(),
        };
        line(&mut text, &format!("#   {}: {rig}", printable(&character.name)));
    }
    let (humanoids, others): (Vec<_>, Vec<_>) = characters.iter().partition(|one| one.is_humanoid);
    let part_tags: BTreeSet<&str> = characters.iter().flat_map(|one| &one.part_tags).map(String::as_str).collect();
    let has_humanoids = !humanoids.is_empty();
    options(
        &mut text,
        &if has_humanoids || characters.is_empty() { quoted("humanoid") } else { PARTS_OF_ANIMALS.to_string() },
    );
    limits(&mut text);
    let guessed: Vec<&Character> =
        others.iter().filter(|one| one.part_tags.is_empty()).map(|one| &one.character).collect();
    let tags: BTreeSet<String> = guessed.iter().flat_map(|one| guessed_tags(&[one]).into_values()).collect();
    text.push_str(
        "\n# Tags of boxes for your game, by joint name; * matches any number of characters, ? any single character.\n",
    );
    if has_humanoids {
        given(&mut text, "humanoids", &humanoids);
    } else {
        others.iter().for_each(|other| given(&mut text, &printable(&other.character.name), &[other]));
    }
    text.push_str("[tags]\n");
    if !has_humanoids {
        tags_of(&mut text, &guessed);
    }
    sets(&mut text, &part_tags.iter().copied().chain(tags.iter().map(String::as_str)).collect());
    if has_humanoids {
        for other in &others {
            let section = format!("characters.{}", key(&other.character.name));
            let _ = write!(
                text,
                "\n# No humanoid, so the bake chooses the parts.\n[{section}]\nparts = {PARTS_OF_ANIMALS}\n"
            );
            if other.part_tags.is_empty() {
                let _ = write!(text, "\n[{section}.tags]\n");
                tags_of(&mut text, &[&other.character]);
            } else {
                given(&mut text, &printable(&other.character.name), &[other]);
            }
        }
    }
    // A section of another character may stand above, and no section may stand in a file twice.
    if let Some(one) = humanoids.first().copied().or(characters.first()) {
        single(&mut text, &one.character);
    }
    text
}

/// Lists the tags that the parts of characters have.
fn given(text: &mut String, whose: &str, characters: &[&NewCharacter]) {
    let tags: BTreeSet<&str> = characters.iter().flat_map(|one| &one.part_tags).map(String::as_str).collect();
    if !tags.is_empty() {
        let tags: Vec<&str> = tags.into_iter().collect();
        line(text, &format!("# The parts of {whose} have tags already: {}.", tags.join(", ")));
    }
}

/// Writes the guessed tags of characters, and lists the joints that get none.
fn tags_of(text: &mut String, characters: &[&Character]) {
    for (pattern, tag) in guessed_tags(characters) {
        line(text, &format!("{} = {}", key(&pattern), quoted(&tag)));
    }
    untagged(text, characters);
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// A TOML key, in quotes if it needs them.
fn key(name: &str) -> String {
    Key::new(name).display_repr().into_owned()
}

/// A TOML key in quotes. It has one line: unlike values, keys have no form with several lines.
fn quoted_key(name: &str) -> String {
    let key = key(name);
    if key.starts_with(['"', '\'']) { key } else { format!("\"{key}\"") }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Writes the preset and the parts, and every other option of the table with the value of the preset, under the headings of the table.
fn options(text: &mut String, parts: &str) {
    let default = BakeOptions::preset(Preset::Cover);
    let mut section = "";
    for row in BakeOption::ALL {
        if row.section != section {
            section = row.section;
            let _ = writeln!(text, "\n# {section}.");
        }
        let value = default.get(row.key).unwrap_or_default();
        let is_number = matches!(row.kind, OptionKind::Number(_) | OptionKind::Whole(_)) && value != "auto";
        let value = if is_number { value } else { quoted(&value) };
        let (mark, value) = match row.key {
            "preset" => ("", value),
            "parts" => ("", parts.to_owned()),
            _ => ("# ", value),
        };
        let assignment = format!("{mark}{} = {value}", row.key);
        let _ = writeln!(text, "{assignment:<30}# {} [{}]", row.help(), row.kind.values());
    }
}

fn limits(text: &mut String) {
    text.push_str("\n# No limit applies unless you write one. A bake that breaks a limit fails and writes no file. The numbers are examples:\n\
         # take the figures of your bake and leave a little room.\n# [limits]\n");
    for row in Limit::ALL {
        let assignment = format!("# {} = {}", row.key, row.suggested);
        let _ = writeln!(text, "{assignment:<30}# {} [{}]", row.help(), row.kind.values());
    }
}

/// Lists the joints that get no tag, by character.
fn untagged(text: &mut String, characters: &[&Character]) {
    for character in characters {
        let joints = untagged_joints(character);
        if !joints.is_empty() {
            let names: Vec<String> = joints.iter().map(|name| quoted_key(name)).collect();
            line(text, &format!("# Without a tag in {}: {}", printable(&character.name), names.join(", ")));
        }
    }
}

/// The joints of a character whose names mean no part of the body. The first settings file gives them no tag, unless
/// its parts have tags.
#[must_use]
pub fn untagged_joints(character: &Character) -> Vec<&str> {
    character.joints.iter().map(String::as_str).filter(|name| guess_tag(name).is_none()).collect()
}

/// The guessed tags by joint name. A `?` replaces digits that differ, as in `index_0?_l`.
fn guessed_tags(characters: &[&Character]) -> BTreeMap<String, String> {
    let names: BTreeSet<&str> = characters.iter().flat_map(|one| &one.joints).map(String::as_str).collect();
    let mut tags = BTreeMap::new();
    for name in &names {
        let Some(tag) = guess_tag(name) else { continue };
        let pattern: String = name.chars().map(|letter| if letter.is_ascii_digit() { '?' } else { letter }).collect();
        let matching = NamePattern::new(&pattern);
        let others = || names.iter().filter(|other| matching.matches(other));
        let shared = others().count() > 1 && others().all(|other| guess_tag(other).as_ref() == Some(&tag));
        tags.insert(if shared { pattern } else { (*name).to_owned() }, tag);
    }
    tags
}

/// Writes the sets that most games need, from the tags that exist.
fn sets(text: &mut String, tags: &BTreeSet<&str>) {
    let list = |parts: &[&str]| {
        let part_of = |tag: &str| parts.is_empty() || parts.contains(&tag.split('.').next().unwrap_or_default());
        tags.iter().filter(|tag| part_of(tag)).map(|tag| quoted(tag)).collect::<Vec<_>>().join(", ")
    };
    text.push_str(
        "\n# Names for groups of tags: a box with one of the tags also gets the set's name as a tag.\n[sets]\n",
    );
    for (name, parts) in [("hurt", &[][..]), ("guard", &["arm", "hand"]), ("strike", &["hand", "foot"])] {
        let list = list(parts);
        if !list.is_empty() {
            line(text, &format!("{name} = [{list}]"));
        }
    }
}

/// Writes the start of a character's section, commented out.
fn single(text: &mut String, character: &Character) {
    let section = format!("characters.{}", key(&character.name));
    let hand = character.joints.iter().find(|name| guess_tag(name).is_some_and(|tag| tag.starts_with("hand")));
    let joint = hand.or(character.joints.first()).map_or_else(|| "NAME".into(), |name| key(name));
    let joint_options = BakeOption::joint_keys().collect::<Vec<_>>().join(", ");
    let _ = write!(
        text,
        "\n# Settings of one character; its name may contain * and ?, and it may have limits, tags and sets too.\n\
         # [{section}]\n\
         # preset = \"always\"         # replaces all options at the top of this file\n\
         #\n\
         # [{section}.joints.{joint}]\n\
         # margin = 0.005             # options of a joint: {joint_options}\n\
         # skip = true                # no fitted box\n\
         # tags = [\"glove\"]\n\
         #\n\
         # A manual box in the joint's space and unit; bakes keep it.\n\
         # [[{section}.joints.{joint}.boxes]]\n\
         # center = [0.0, 0.1, 0.0]\n\
         # half_extents = [0.05, 0.1, 0.02]\n\
         # rotation = [0, 90, 0]      # degrees about the joint's x, then y, then z axis\n\
         # tags = [\"thumb\"]\n"
    );
}
