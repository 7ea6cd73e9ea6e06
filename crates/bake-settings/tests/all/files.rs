//! Several files apply to a character, the outermost first.

use bake_settings::{
    ClipEntry, EditError, JointEdit, Settings, file_of_entry, joined_texts, nearest_text, with_hitboxes,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn parsed(texts: &[&str]) -> Vec<Settings> {
    Settings::parse_texts(&joined_texts(texts.iter().copied())).unwrap()
}

/// The settings of a character as text, with tags in the order in which they apply.
fn said(texts: &[&str], name: &str) -> String {
    let files = parsed(texts);
    let files: Vec<&Settings> = files.iter().collect();
    format!("{:?}", Settings::for_character_in(&files, name, &[]).unwrap())
}

#[test]
fn every_section_of_a_nearer_file_overrides_every_section_of_a_farther_one() {
    let outer = "margin = 0.1\nkeep = 0.9\n[limits]\nmost_escape = 0.1\n[characters.knight]\nmargin = 0.2\n\
        [characters.knight.joints.head]\nmargin = 0.3\nskip = true\n";
    let of = |texts: &[&str], name: &str| {
        let files = parsed(texts);
        let files: Vec<&Settings> = files.iter().collect();
        Settings::for_character_in(&files, name, &[]).unwrap()
    };
    let near = of(&[outer, "margin = 0.05\n[limits]\nmost_escape = 0.2\n"], "knight");
    assert_eq!((near.options.margin, near.options.keep, near.limits.most_escape), (0.05, 0.9, Some(0.2)));
    assert_eq!(near.overrides.joints["head"].options["margin"], "0.3");
    assert!(near.overrides.joints["head"].skip);
    let near = of(&[outer, "[joints.head]\nskip = false\n"], "knight");
    assert_eq!((near.options.margin, near.overrides.joints["head"].skip), (0.2, false));
    let preset = of(&[outer, "preset = \"tight\""], "knight");
    assert_eq!((preset.options.margin, preset.limits.most_escape), (0.0, Some(0.1)), "a preset replaces all options");
}

#[test]
fn a_root_ends_the_search_and_a_single_file_is_as_before() {
    let (outer, inner) = ("margin = 0.1\n[tags]\nhand = \"strike\"\n", "root = true\nkeep = 0.5\n");
    assert_eq!(said(&[outer, inner], "knight"), said(&[inner], "knight"));
    assert_eq!(
        said(&[inner, outer], "knight"),
        said(&["keep = 0.5\nmargin = 0.1\n[tags]\nhand = \"strike\"\n"], "knight")
    );
    let single = Settings::parse(outer).unwrap().for_character("knight", &[]).unwrap();
    assert_eq!(said(&[outer], "knight"), format!("{single:?}"));
    assert!(Settings::parse("[characters.knight]\nroot = true").is_err(), "root is at the top of a file");
}

#[test]
fn a_set_may_use_the_tags_of_the_files_above_it() {
    let (outer, inner) = ("[tags]\nhand = \"strike\"\n", "[sets]\nhurt = [\"strike\"]\n");
    assert!(said(&[outer, inner], "knight").contains("hurt"));
    insta::assert_snapshot!(Settings::parse(inner).unwrap_err(), @r#"
    2:9: no joint or box of this file has the tag "strike"
      2 | hurt = ["strike"]
        |         ^^^^^^^^
    "#);
    let wrong = Settings::parse_texts(&joined_texts([outer, "[sets]\nhurt = [\"strikes\"]\n"])).unwrap_err();
    insta::assert_snapshot!(wrong, @r#"
    2:9: no joint or box of this file or of one above it has the tag "strikes"; did you mean "strike"?
      2 | hurt = ["strikes"]
        |         ^^^^^^^^^
    "#);
}

#[test]
fn an_entry_of_a_clip_is_found_in_its_file() {
    let state =
        |to: f32| format!("[[clips.jab.states]]\nstate = \"invulnerable\"\nboxes = \"head\"\nactive = [0, {to}]\n");
    let attack = "[[clips.jab.attacks]]\nname = \"a\"\nboxes = \"head\"\nactive = [0, 1]\n";
    let (outer, inner) =
        ([state(0.5), state(0.6), attack.to_owned()].concat(), [state(0.7), attack.to_owned()].concat());
    let files = parsed(&[&outer, &inner]);
    let files: Vec<&Settings> = files.iter().collect();
    let of_state = |number| file_of_entry(&files, "knight", "jab", ClipEntry::State(number));
    assert_eq!(
        [0, 1, 2, 3].map(of_state),
        [Some((0, ClipEntry::State(0))), Some((0, ClipEntry::State(1))), Some((1, ClipEntry::State(0))), None]
    );
    let attack = ClipEntry::Attack("a");
    assert_eq!(file_of_entry(&files, "knight", "jab", attack), Some((1, attack)));
    assert_eq!(file_of_entry(&files[..1], "knight", "jab", attack), Some((0, attack)));
    assert_eq!(file_of_entry(&files, "knight", "kick", attack), None);
}

#[test]
fn an_edit_names_a_file_above_that_would_undo_it() {
    let edit = |above: &str, edit: JointEdit| {
        let above = Settings::parse(above).unwrap();
        with_hitboxes(&[&above], "", "runa", &crate::hitboxes::RUNA, &BTreeMap::from([("head".to_owned(), edit)]))
    };
    let boxes = "[joints.head]\nboxes = [{ center = [0, 0, 0], half_extents = [1, 1, 1] }]\n";
    let error = edit(boxes, JointEdit::Hitboxes(Vec::new())).unwrap_err();
    assert!(matches!(error, EditError::OtherBoxes { is_above: true, .. }), "{error}");
    let error = edit("[characters.\"ru*\".joints.head]\nskip = true", JointEdit::Fitted).unwrap_err();
    insta::assert_snapshot!(error, @r#"the section [characters."ru*".joints."head"] of a bonebox.toml in a parent folder has `skip = true`, so the joint "head" would get no fitted hitbox; delete the line there"#);
    assert!(edit("[joints.head]\nskip = true", JointEdit::Hitboxes(Vec::new())).is_ok());
    assert_eq!(nearest_text(&joined_texts(["a = 1", "b = 2"])), "b = 2");
}

/// The content of a section, as lines `key = value` at its top and as whole sections below it.
#[derive(Clone, Debug, Default)]
struct Content {
    top: Vec<(&'static str, String)>,
    /// The path of each section, and its lines.
    sections: Vec<(&'static str, Vec<String>)>,
}

/// A file: the content for all characters, and that of characters by pattern.
#[derive(Clone, Debug)]
struct File {
    is_root: bool,
    everyone: Content,
    characters: Vec<(&'static str, Content)>,
}

impl Content {
    fn text(&self, path: &str) -> String {
        let mut text: String = self.top.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        for (section, lines) in &self.sections {
            let (open, close) = if section.starts_with("clips") { ("[[", "]]") } else { ("[", "]") };
            text += &format!("{open}{path}{section}{close}\n{}\n", lines.join("\n"));
        }
        text
    }
}

impl File {
    fn text(&self) -> String {
        let mut text = if self.is_root { "root = true\n".to_owned() } else { String::new() };
        text += &self.everyone.text("");
        for (pattern, content) in &self.characters {
            text += &format!("[characters.{pattern:?}]\n{}", content.text(&format!("characters.{pattern:?}.")));
        }
        text
    }
}

/// The slow twin: one file with the same sections in the order in which they apply. More stars make another name of the same
/// pattern.
fn one_file(files: &[File]) -> String {
    let last_root = files.iter().rposition(|file| file.is_root).unwrap_or(0);
    let mut text = String::new();
    for (number, file) in files[last_root..].iter().enumerate() {
        let stars = "*".repeat(number + 1);
        let everyone = std::iter::once(("", &file.everyone));
        for (pattern, content) in everyone.chain(file.characters.iter().map(|(pattern, content)| (*pattern, content))) {
            let pattern = format!("{pattern}{stars}");
            text += &format!("[characters.{pattern:?}]\n{}", content.text(&format!("characters.{pattern:?}.")));
        }
    }
    text
}

fn content() -> impl Strategy<Value = Content> {
    let number = (0..9u8).prop_map(|number| format!("0.0{number}"));
    let word = |words: &'static [&'static str]| prop::sample::select(words).prop_map(|word| format!("{word:?}"));
    let some = |strategy: BoxedStrategy<String>| prop::option::weighted(0.4, strategy);
    let top = (
        some(word(&["tight", "cover", "always"]).boxed()),
        some(number.clone().boxed()),
        some(word(&["*arm*", "head"]).boxed()),
        some(prop::sample::select(&["\"humanoid\"", "6"][..]).prop_map(str::to_owned).boxed()),
        some(prop::sample::select(&["true", "false"][..]).prop_map(str::to_owned).boxed()),
        some(
            prop::sample::select(&["[]", "[\"a.bvh\"]", "[\"b/*.glb\", { files = \"c.bvh\", prefix = \"x\" }]"][..])
                .prop_map(str::to_owned)
                .boxed(),
        ),
        some(prop::sample::select(&["true", "false"][..]).prop_map(str::to_owned).boxed()),
    );
    let top = top.prop_map(|(preset, margin, exclude, parts, split, motions, ragdoll)| {
        let keys = [
            ("preset", preset),
            ("margin", margin),
            ("exclude", exclude),
            ("parts", parts),
            ("split", split),
            ("motions", motions),
            ("ragdoll", ragdoll),
        ];
        keys.into_iter().filter_map(|(key, value)| Some((key, value?))).collect::<Vec<_>>()
    });
    let section = (0..10usize, number.clone()).prop_map(|(kind, number)| match kind {
        0 => ("limits", vec![format!("most_escape = {number}")]),
        1 => ("tags", vec![format!("\"*hand*\" = \"strike{}\"", &number[3..]), "head = \"head\"".to_owned()]),
        2 => ("sets", vec![format!("hurt{} = \"t\"", &number[3..])]),
        3 => ("joints.head", vec![format!("margin = {number}"), "tags = \"t\"".to_owned()]),
        4 => ("joints.head", vec!["preset = \"cover\"".to_owned(), "skip = true".to_owned()]),
        5 => ("joints.arm", vec![format!("boxes = [{{ center = [0, {number}, 0], half_extents = [1, 1, 1] }}]")]),
        6 => (
            "clips.jab.attacks",
            vec![
                format!("name = \"a{}\"", &number[3..]),
                "boxes = \"head\"".into(),
                format!("active = [0, 1{number}]"),
            ],
        ),
        7 => (
            "clips.jab.states",
            vec!["state = \"invulnerable\"".into(), "boxes = \"t\"".into(), format!("active = [0, 1{number}]")],
        ),
        8 => ("humanoid", vec![format!("leftHand = \"hand{}\"", &number[3..])]),
        _ => ("ragdoll.joints", vec![format!("\"*arm*\" = {{ mass = 1{number} }}")]),
    });
    (top, prop::collection::vec(section, 0..6)).prop_map(|(mut top, sections)| {
        let mut content = Content::default();
        for (path, lines) in sections {
            // A section stands once in a file, and so does the name of an attack.
            let is_same = |(other, others): &(&str, Vec<String>)| {
                *other == path && (!path.starts_with("clips") || path.ends_with("attacks") && others[0] == lines[0])
            };
            if !content.sections.iter().any(is_same) {
                content.sections.push((path, lines));
            }
        }
        // A section cannot be a value, too.
        top.retain(|(key, _)| content.sections.iter().all(|(path, _)| !path.starts_with(key)));
        Content { top, ..content }
    })
}

fn file() -> impl Strategy<Value = File> {
    let patterns = prop::sample::subsequence(&["kn*", "knight", "troll", "t*"][..], 0..4);
    let characters = patterns
        .prop_flat_map(|patterns| patterns.into_iter().map(|pattern| (Just(pattern), content())).collect::<Vec<_>>());
    // Every set has the tag "t", so some joint of each file has it.
    let tagged = |mut file: File| {
        let lines = vec!["tags = \"t\"".to_owned()];
        file.everyone.sections.push(("joints.t", lines));
        file
    };
    (prop::bool::weighted(0.2), content(), characters)
        .prop_map(move |(is_root, everyone, characters)| tagged(File { is_root, everyone, characters }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Files that apply together give every character the settings of one file with all their sections in order.
    #[test]
    fn files_apply_as_one_file_with_their_sections_in_order(files in prop::collection::vec(file(), 1..5)) {
        let texts: Vec<String> = files.iter().map(File::text).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let twin = one_file(&files);
        for name in ["knight", "knave", "troll", "runa"] {
            prop_assert_eq!(said(&texts, name), said(&[&twin], name), "{}", twin);
        }
    }

    /// The settings that are listed for a character, written into one file, are its settings.
    #[test]
    fn the_listed_settings_are_those_that_apply(files in prop::collection::vec(file(), 1..4)) {
        let texts: Vec<String> = files.iter().map(File::text).collect();
        let parsed = parsed(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let parsed: Vec<&Settings> = parsed.iter().collect();
        for name in ["knight", "troll", "runa"] {
            let listed = Settings::placed_settings(&parsed, name);
            let mut text = String::new();
            for one in listed.iter().filter(|one| one.section.is_empty()) {
                text += &format!("{} = {}\n", one.key, one.value);
            }
            for one in listed.iter().filter(|one| !one.section.is_empty()) {
                let path: Vec<String> = one.section.iter().chain([&one.key]).map(|name| format!("{name:?}")).collect();
                text += &format!("{} = {}\n", path.join("."), one.value);
            }
            let again = Settings::parse_layer(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
            let [own, again] = [
                Settings::for_character_in(&parsed, name, &[]).unwrap(),
                again.for_character(name, &[]).unwrap(),
            ];
            let tags = |settings: &bake_settings::CharacterSettings| {
                let tags = settings.overrides.tags.iter();
                let mut tags: Vec<String> =
                    tags.flat_map(|(pattern, tags)| tags.iter().map(move |tag| format!("{pattern:?} {tag}"))).collect();
                tags.sort();
                tags
            };
            prop_assert_eq!(tags(&own), tags(&again));
            let ragdoll = |settings: &bake_settings::CharacterSettings| {
                // The last entry of a pattern has every field that this test sets.
                settings.overrides.ragdoll.as_ref().map(|one| (one.mass, one.joints.last().cloned()))
            };
            prop_assert_eq!(ragdoll(&own), ragdoll(&again), "{}", text);
            let without = |mut settings: bake_settings::CharacterSettings| {
                settings.overrides.tags.clear();
                settings.overrides.ragdoll = None;
                format!("{settings:?}")
            };
            prop_assert_eq!(without(own), without(again), "{}", text);
            for one in &listed {
                prop_assert!(!one.places.is_empty());
                for place in &one.places {
                    let line = parsed[place.file].text().lines().nth(place.line - 1).unwrap_or_default();
                    let is_there = line.contains(one.key.as_str()) || one.key == "set" && line.contains("parts");
                    prop_assert!(is_there, "{:?} is not in {:?}", one, line);
                }
            }
        }
    }
}
