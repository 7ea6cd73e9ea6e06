//! The first settings file of a folder.

use bone_fit::{BakeOptions, OptionKind, Rig, guess_rig, guess_tag, matches};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use toml_edit::{Key, Value};

/// A character that a settings file is written for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Character {
    /// Its file's name without ending.
    pub name: String,
    /// Of the joints that can have boxes.
    pub joints: Vec<String>,
}

/// A commented settings file: every option as it is anyway, tags and sets guessed from the joints' names, and a
/// character's section to begin with. `schema` is the path of the JSON schema as seen from the file.
#[must_use]
pub fn init(characters: &[Character], schema: &str) -> String {
    let mut text = format!(
        "#:schema {schema}\n\
         # Settings of bonebox for the characters in this folder and below. Options behind # are as they are anyway.\n\
         # Options of the command line come over this file. Found here:\n"
    );
    for character in characters {
        line(&mut text, &format!("#   {}: {}", character.name, rig_in_words(&character.joints)));
    }
    options(&mut text);
    text.push_str(LIMITS);
    let tags = guessed_tags(characters);
    text.push_str(
        "\n# What a game calls the boxes, by joint name; * stands for any run of letters, ? for any one.\n[tags]\n",
    );
    for (pattern, tag) in &tags {
        line(&mut text, &format!("{} = {}", key(pattern), quoted(tag)));
    }
    sets(&mut text, &tags.values().map(String::as_str).collect());
    if let Some(character) = characters.first() {
        single(&mut text, character);
    }
    text
}

const LIMITS: &str = "
# A bake that breaks a limit fails and writes nothing.
# [limits]
# least_surface_rest = 0.95   # share of the surface inside the boxes at rest
# least_surface_clips = 0.9   # the same over all clips
# most_escape = 0.05          # how far the surface gets from all boxes, as a share of the height
# most_volume_ratio = 1.5     # volume of all boxes over that of the smallest ones
";

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// A key as TOML has it, quoted where it must be.
fn key(name: &str) -> String {
    Key::new(name).display_repr().into_owned()
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn rig_in_words(joints: &[String]) -> &'static str {
    match guess_rig(joints.iter().map(String::as_str)) {
        Some(Rig::Mixamo) => "joint names as Mixamo has them",
        Some(Rig::Vrm) => "joint names as VRM has them",
        Some(Rig::Unreal) => "joint names as Unreal has them",
        Some(Rig::Rigify) => "joint names as Rigify has them",
        Some(Rig::KayKit) => "joint names as KayKit has them",
        None => "joint names of its own",
    }
}

fn options(text: &mut String) {
    let default = BakeOptions::default();
    let preset = |help: &&bone_fit::OptionHelp| help.key == "preset";
    text.push('\n');
    for help in BakeOptions::HELP.iter().filter(preset).chain(BakeOptions::HELP.iter().filter(|help| !preset(help))) {
        let value = default.get(help.key).unwrap_or_default();
        let number = !matches!(help.kind, OptionKind::Word(_) | OptionKind::Patterns) && value != "auto";
        let value = if number { value } else { quoted(&value) };
        let mark = if help.key == "preset" { "" } else { "# " };
        let assignment = format!("{mark}{} = {value}", help.key);
        let _ = writeln!(text, "{assignment:<30}# {}: {}", help.text, help.values);
    }
}

/// Tags by joint names in which digits may stand for each other: `index_0?_l`.
fn guessed_tags(characters: &[Character]) -> BTreeMap<String, String> {
    let names: BTreeSet<&str> = characters.iter().flat_map(|one| &one.joints).map(String::as_str).collect();
    let mut tags = BTreeMap::new();
    for name in &names {
        let Some(tag) = guess_tag(name) else { continue };
        let pattern: String = name.chars().map(|letter| if letter.is_ascii_digit() { '?' } else { letter }).collect();
        let others = || names.iter().filter(|other| matches(&pattern, other));
        let shared = others().count() > 1 && others().all(|other| guess_tag(other).as_ref() == Some(&tag));
        tags.insert(if shared { pattern } else { (*name).to_owned() }, tag);
    }
    tags
}

/// Sets that most games want, of the tags that there are.
fn sets(text: &mut String, tags: &BTreeSet<&str>) {
    let list = |parts: &[&str]| {
        let part_of = |tag: &str| parts.is_empty() || parts.contains(&tag.split('.').next().unwrap_or_default());
        tags.iter().filter(|tag| part_of(tag)).map(|tag| quoted(tag)).collect::<Vec<_>>().join(", ")
    };
    text.push_str(
        "\n# Names for groups of tags: a box with any of the tags has the set's name as a tag too.\n[sets]\n",
    );
    for (name, parts) in [("hurt", &[][..]), ("guard", &["arm", "hand"]), ("strike", &["hand", "foot"])] {
        let list = list(parts);
        if !list.is_empty() {
            line(text, &format!("{name} = [{list}]"));
        }
    }
}

/// A character's section, to begin with.
fn single(text: &mut String, character: &Character) {
    let section = format!("characters.{}", key(&character.name));
    let hand = character.joints.iter().find(|name| guess_tag(name).is_some_and(|tag| tag.starts_with("hand")));
    let joint = hand.or(character.joints.first()).map_or_else(|| "NAME".into(), |name| key(name));
    let _ = write!(
        text,
        "\n# What holds for one character only; * and ? work in its name too, and limits, tags and sets here as well.\n\
         # [{section}]\n\
         # preset = \"cover\"          # sets all options anew, also those at the top of this file\n\
         #\n\
         # [{section}.joints.{joint}]\n\
         # margin = 0.005             # of the options fit, keep, margin, max_boxes, min_thickness, objective\n\
         # skip = true                # no fitted box\n\
         # tags = [\"glove\"]\n\
         #\n\
         # A box made by hand, in the joint's space; bakes keep it.\n\
         # [[{section}.joints.{joint}.boxes]]\n\
         # center = [0.0, 0.1, 0.0]\n\
         # half_extents = [0.05, 0.1, 0.02]\n\
         # orientation = [0.0, 0.0, 0.0, 1.0]\n\
         # tags = [\"thumb\"]\n"
    );
}
