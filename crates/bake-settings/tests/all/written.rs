//! Tests of written texts: the schema, a first file, and imported boxes.

use bake_settings::{Character, FittedBoxes, NewCharacter, Settings, init, schema, with_boxes, with_option};
use bone_fit::{BakeOption, BakeOptions, HitboxRole, HitboxShape, LengthUnit, ManualBox, OptionKind};
use glam::{Quat, Vec3};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;
use toml::de::{DeTable, DeValue};

fn example() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("example.toml")).unwrap()
}

/// A settings file as JSON, which editors check against the schema.
fn as_json(text: &str) -> Value {
    fn value(found: &DeValue<'_>) -> Value {
        match found {
            DeValue::String(text) => json!(text),
            DeValue::Integer(whole) => json!(i64::from_str_radix(whole.as_str(), whole.radix()).unwrap()),
            DeValue::Float(float) => json!(float.as_str().parse::<f64>().unwrap()),
            DeValue::Boolean(said) => json!(said),
            DeValue::Datetime(date) => json!(date.to_string()),
            DeValue::Array(all) => all.iter().map(|one| value(one.get_ref())).collect(),
            DeValue::Table(all) => table(all),
        }
    }
    fn table(found: &DeTable<'_>) -> Value {
        Value::Object(found.iter().map(|(key, one)| (key.get_ref().to_string(), value(one.get_ref()))).collect())
    }
    table(DeTable::parse(text).unwrap().get_ref())
}

/// Validates against the part of JSON schema that our schema uses. Any other keyword is an error.
fn valid(root: &Value, schema: &Value, found: &Value) -> bool {
    let number = |value: &Value| value.as_f64().unwrap();
    schema.as_object().unwrap().iter().all(|(keyword, rule)| match keyword.as_str() {
        "$schema" | "title" | "description" | "definitions" => true,
        "$ref" => valid(root, root.pointer(rule.as_str().unwrap().trim_start_matches('#')).unwrap(), found),
        "anyOf" => rule.as_array().unwrap().iter().any(|one| valid(root, one, found)),
        "not" => !valid(root, rule, found),
        "enum" => rule.as_array().unwrap().contains(found),
        "type" => match rule.as_str().unwrap() {
            "object" => found.is_object(),
            "array" => found.is_array(),
            "string" => found.is_string(),
            "boolean" => found.is_boolean(),
            "integer" => found.is_i64() || found.is_u64(),
            "number" => found.is_number(),
            other => panic!("type {other}"),
        },
        "minimum" => !found.is_number() || number(found) >= number(rule),
        "exclusiveMinimum" => !found.is_number() || number(found) > number(rule),
        "maximum" => !found.is_number() || number(found) <= number(rule),
        "minLength" => found.as_str().is_none_or(|text| text.chars().count() as f64 >= number(rule)),
        "pattern" => {
            assert_eq!(rule, "^[^,]*$");
            found.as_str().is_none_or(|text| !text.contains(','))
        }
        "minItems" => found.as_array().is_none_or(|all| all.len() as f64 >= number(rule)),
        "maxItems" => found.as_array().is_none_or(|all| all.len() as f64 <= number(rule)),
        "items" => found.as_array().is_none_or(|all| all.iter().all(|one| valid(root, rule, one))),
        "required" => found
            .as_object()
            .is_none_or(|all| rule.as_array().unwrap().iter().all(|key| all.contains_key(key.as_str().unwrap()))),
        "properties" => found.as_object().is_none_or(|all| {
            let known = rule.as_object().unwrap();
            all.iter().all(|(key, one)| known.get(key).is_none_or(|rule| valid(root, rule, one)))
        }),
        "additionalProperties" => found.as_object().is_none_or(|all| {
            let known = schema.get("properties").and_then(Value::as_object);
            let others = all.iter().filter(|(key, _)| known.is_none_or(|known| !known.contains_key(*key)));
            others.into_iter().all(|(_, one)| rule.as_bool().unwrap_or_else(|| valid(root, rule, one)))
        }),
        other => panic!("the schema has the keyword {other:?}, which this test does not know"),
    })
}

fn in_schema(text: &str) -> bool {
    static ROOT: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(&schema()).unwrap());
    valid(&ROOT, &ROOT, &as_json(text))
}

#[test]
fn the_schema_is_checked_in() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("bonebox.schema.json");
    if std::env::var_os("BONEBOX_SCHEMA").is_some() {
        std::fs::write(&path, schema()).unwrap();
    }
    let there = std::fs::read_to_string(path).unwrap();
    assert!(there == schema(), "`BONEBOX_SCHEMA=write cargo test -p bonebox-bake-settings` writes it again");
}

#[test]
fn the_example_is_read_and_in_the_schema() {
    Settings::parse(&example()).unwrap();
    assert!(in_schema(&example()));
}

/// The reader and the schema agree about every option and every kind of value, at the top and for a joint.
#[test]
fn the_schema_cannot_drift_from_the_reader() {
    let values = [
        "true",
        "0",
        "1",
        "-1",
        "2",
        "1000",
        "1001",
        "0.05",
        "0.5",
        "1.5",
        "-0.5",
        "1e9",
        "20000.5",
        "1073741825",
        "\"auto\"",
        "\"\"",
        "\"0.5\"",
        "\"on\"",
        "\"off\"",
        "\"*hand*\"",
        "\"a,b\"",
        "[]",
        "[\"a\"]",
        "[\"a\", 1]",
        "[\"a,b\"]",
        "[1, 2, 3]",
        "[1, 2, 3, 4]",
        "[-1, 0, 1]",
        "{}",
        "{ a = \"b\" }",
        "{ a = [\"b\", \"\"] }",
        "{ a = {} }",
        "{ a = 1 }",
        "{ a = { skip = true } }",
        "{ a = { skip = 1 } }",
        "{ a = { margin = 0.5 } }",
        "{ a = { preset = \"tight\" } }",
        "{ most_escape = 2 }",
        "{ least_surface_rest = 2 }",
        "{ most = 2 }",
        "[{ center = [0, 0, 0], half_extents = [1, 1, 1] }]",
        "[{ center = [0, 0, 0] }]",
        "[{ center = [0, 0, 0], half_extents = [1, 1, -1] }]",
        "[{ center = [0, 0, 2e12], half_extents = [1, 1, 1] }]",
        "[{ center = [0, 0, 0], half_extents = [1, 1, 1], orientation = [0, 0, 0, 1], tags = \"a\" }]",
        "[{ center = [0, 0, 0], half_extents = [1, 1, 1], other = 1 }]",
        "[{ center = [0, 0, 0], half_extents = [1, 1, 1], shape = \"sphere\" }]",
        "[{ center = [0, 0, 0], half_extents = [1, 2, 1], shape = \"capsule\" }]",
        "[{ center = [0, 0, 0], half_extents = [1, 1, 1], shape = \"hull\" }]",
        "[{ center = [0, 0, 0], half_extents = [1, 1, 1], rotation = [0, 90, 0] }]",
        "[{ center = [0, 0, 0], half_extents = [1, 1, 1], rotation = [0, 90] }]",
        "[{ center = [0, 0, 0], half_extents = [1, 1, 1], rotation = [0, 90, 0], orientation = [0, 0, 0, 1] }]",
        "[{ files = \"a.glb\", clips = \"walk*\", prefix = \"m_\", from = 0.5, to = 2 }, \"b.bvh\"]",
        "[{ files = [\"a.glb\", 1] }]",
        "[{ prefix = \"a\" }]",
        "[{ files = \"a.glb\", prefix = \"\" }]",
        "[{ files = \"a.glb\", from = -1 }]",
        "[{ files = \"a.glb\", by = \"names\", rename = { a = \"b\" }, bones = { leftHand = \"c\" } }]",
        "[{ files = \"a.glb\", by = \"name\" }]",
        "[{ files = \"a.glb\", rename = { a = 1 } }]",
        "[{ files = \"a.glb\", bones = { leftFist = \"c\" } }]",
        "[{ files = \"a.glb\", replace = 1 }]",
        "{ set = \"humanoid\", head = { shape = \"sphere\" }, \"arm.left\" = {} }",
        "{ set = 6 }",
        "{ set = \"b\" }",
        "{ haed = {} }",
        "{ head = { keep = 1 } }",
        "{ head = { shape = \"ball\" } }",
    ];
    let words = BakeOption::ALL.iter().flat_map(|row| match row.kind {
        OptionKind::Keywords(words) | OptionKind::KeywordsOrWhole(words, _) => words,
        _ => &[],
    });
    let words = words.map(|one| format!("{:?}", one.keyword));
    let values: Vec<String> = values.into_iter().map(str::to_owned).chain(words).collect();
    let others = ["limits", "tags", "sets", "joints", "characters", "boxes", "skip", "split", "motions", "nonsense"];
    let keys: Vec<&str> = BakeOption::ALL.iter().map(|row| row.key).chain(others).collect();
    // Some joint must have the tags of a set, which a schema cannot require.
    let given = "[characters.someone.tags]\n\"*\" = [\"b\"]\n";
    let (mut good, mut bad) = (0, 0);
    for place in ["", "characters.a.", "joints.a.", "characters.a.joints.b.", "parts.head."] {
        for key in &keys {
            if place.is_empty() && *key == "characters" {
                continue;
            }
            for value in &values {
                let text = format!("{place}{key} = {value}\n{given}");
                let read = Settings::parse(&text);
                assert_eq!(in_schema(&text), read.is_ok(), "{text}{read:?}");
                *if read.is_ok() { &mut good } else { &mut bad } += 1;
            }
        }
    }
    assert!(good > 500 && bad > 500, "{good} {bad}");
}

fn characters() -> Vec<NewCharacter> {
    let character = |name: &str, joints: &[&str], tags: &[&str]| NewCharacter {
        character: Character {
            name: name.into(),
            joints: joints.iter().map(|joint| (*joint).into()).collect(),
            surfaces: Vec::new(),
        },
        is_humanoid: tags.contains(&"hips"),
        part_tags: tags.iter().map(|tag| (*tag).into()).collect(),
    };
    vec![
        character("hound", &["pelvis", "spine_01", "spine_02", "head", "index_01_l", "index_02_l", "tail.1"], &[]),
        character(
            "bitmoji",
            &["mixamorig:Hips", "mixamorig:LeftHand", "mixamorig:Head"],
            &["hand.left", "head", "hips"],
        ),
        character("runa", &["pelvis", "head", "hand_l"], &["hand.left", "head", "hips"]),
        character("the \"blob\"", &["b_01", "b_02"], &[]),
        character("horse", &["pelvis", "arm_l", "head"], &["head", "leg.front.left", "torso"]),
    ]
}

#[test]
fn a_first_file_is_read_and_in_the_schema() {
    let text = init(&characters(), "./bonebox.schema.json");
    insta::assert_snapshot!(text);
    let settings = Settings::parse(&text).unwrap();
    settings.check_characters(["runa", "hound", "the \"blob\"", "horse"]).unwrap();
    let runa = settings.for_character("runa", &[]).unwrap();
    let options = |words: &[(&str, &str)]| BakeOptions::from_entries(words.iter().copied()).unwrap();
    let humanoid = options(&[("preset", "cover"), ("parts", "humanoid")]);
    assert_eq!(runa.options, humanoid, "a first file sets no other option");
    for animal in ["hound", "horse"] {
        let animal = settings.for_character(animal, &[]).unwrap();
        assert_eq!(animal.options, options(&[("preset", "cover"), ("parts", "18")]));
    }
    // Animals alone: no tag is guessed for one whose parts have tags, so its front legs are no arms.
    let animals = characters().into_iter().filter(|one| !one.is_humanoid && one.character.name.starts_with('h'));
    let of_animals = init(&animals.collect::<Vec<_>>(), "x");
    let given = "# The parts of horse have tags already: head, leg.front.left, torso.\n[tags]\n";
    assert!(of_animals.contains(given), "{of_animals}");
    assert!(of_animals.contains("\"tail.1\" = \"tail\"\n") && !of_animals.contains("arm_l"), "{of_animals}");
    // Sets may use the tags of animals.
    let kick = Settings::parse("parts = 18\n[sets]\nkick = [\"leg.hind.left\", \"leg.hind.right\"]").unwrap();
    assert_eq!(kick.for_character("horse", &[]).unwrap().overrides.sets["kick"].len(), 2);
    assert!(in_schema(&text));
    // The lines after # are also valid settings, and give the default options below the preset.
    let is_setting = |line: &str| line.starts_with('[') || line.split(' ').nth(1) == Some("=");
    let uncommented = text.lines().map(|line| line.strip_prefix("# ").filter(|line| is_setting(line)).unwrap_or(line));
    let uncommented = uncommented.collect::<Vec<_>>().join("\n");
    assert!(in_schema(&uncommented), "{uncommented}");
    let settings = Settings::parse(&uncommented).unwrap();
    assert_eq!(settings.for_character("runa", &[]).unwrap().options, humanoid);
    assert!(settings.for_character("runa", &[]).unwrap().limits.most_escape.is_some());
    let boxes: usize =
        settings.for_character("bitmoji", &[]).unwrap().overrides.joints.values().map(|one| one.boxes.len()).sum();
    assert_eq!(boxes, 1);
    Settings::parse(&init(&[], "x")).unwrap();
}

/// A settings file has no control characters outside of strings, not even in comments.
#[test]
fn a_first_file_is_read_whatever_the_names_contain() {
    let names = ["a\nb0", "a\r\nb1", "head\u{1b}[31m", "\"arm\"\n", "'\u{7f}", "\"\"\"", "", "hand\\"];
    let joints: Vec<String> = names.iter().map(|&name| name.into()).collect();
    for name in names {
        let character = |name: &str, part_tags: Vec<String>| NewCharacter {
            character: Character { name: name.into(), joints: joints.clone(), surfaces: Vec::new() },
            is_humanoid: !part_tags.is_empty(),
            part_tags,
        };
        // Alone, and beside a humanoid, where it has a section of its own.
        let characters = [character(name, Vec::new()), character("runa", vec!["head".to_owned()])];
        for some in [&characters[..1], &characters] {
            first_file_is_read(name, &init(some, "x"));
        }
    }
}

/// Parses a first file for this character, once as it is and once with all its options.
fn first_file_is_read(name: &str, text: &str) {
    let read = |text: &str| Settings::parse(text).unwrap_or_else(|error| panic!("{name:?}: {error}"));
    read(text).for_character(name, &[]).unwrap();
    let is_setting = |line: &str| line.starts_with('[') || line.split(' ').nth(1) == Some("=");
    let uncommented = text.lines().map(|line| line.strip_prefix("# ").filter(|line| is_setting(line)).unwrap_or(line));
    let settings = read(&uncommented.collect::<Vec<_>>().join("\n"));
    let boxes = |name: &str| -> usize {
        let joints = settings.for_character(name, &[]).unwrap().overrides.joints;
        joints.values().map(|one| one.boxes.len()).sum()
    };
    assert_eq!(boxes(name) + boxes("runa"), 1, "{name:?}");
}

#[test]
fn boxes_are_added_and_the_rest_of_the_file_stays() {
    let hand = |x: f32| ManualBox {
        shape: if x == 2.0 { HitboxShape::Sphere } else { HitboxShape::Box },
        center: Vec3::new(x, 0.1, -0.0),
        half_extents: Vec3::splat(0.25),
        orientation: Quat::IDENTITY,
        tags: vec!["glove".into()],
        role: HitboxRole::Hurt,
        unit: LengthUnit::Meters,
    };
    let boxes: BTreeMap<String, Vec<ManualBox>> =
        [("hand_l".into(), vec![hand(1.0), hand(2.0)]), ("mixamorig:Head".into(), vec![hand(3.0)])].into();
    let text = "# ours\nmargin = 0.01 # a bit\n\n[characters.runa] # her\nkeep = 0.9\njoints.hand_l.tags = \"left\"\n\n\
                [[characters.runa.joints.hand_r.boxes]]\ncenter = [0, 0, 0]\nhalf_extents = [1, 1, 1]\n";
    let once = with_boxes(&[], text, "runa", &boxes, FittedBoxes::Skip).unwrap();
    insta::assert_snapshot!(once);
    assert_eq!(
        with_boxes(&[], &once, "runa", &boxes, FittedBoxes::Skip).unwrap(),
        once,
        "adding the same boxes again changes nothing"
    );
    assert_eq!(with_boxes(&[], "", "a b", &boxes, FittedBoxes::Keep).unwrap().matches("[[").count(), 3);
    let inline = with_boxes(&[], "characters = { runa = { margin = 0 } }", "runa", &boxes, FittedBoxes::Keep).unwrap();
    assert_eq!(
        Settings::parse(&inline).unwrap().for_character("runa", &[]).unwrap().overrides.joints.len(),
        2,
        "{inline}"
    );
    assert!(with_boxes(&[], "presett = 1", "runa", &boxes, FittedBoxes::Skip).is_err());
}

#[test]
fn one_option_is_set_and_the_rest_of_the_file_stays() {
    let set = |text: &str, joint, key, value| with_option(text, "runa", joint, key, value).unwrap();
    assert_eq!(set("", None, "preset", "cover"), "[characters.runa]\npreset = \"cover\"\n");
    let head = "# ours\nmargin = 0.01 # a bit\n";
    let added = set(head, Some("mixamorig:Head"), "margin", "0.5");
    assert_eq!(added, format!("{head}\n[characters.runa.joints.\"mixamorig:Head\"]\nmargin = 0.5\n"));
    let changed = set(&added.replace("0.5", "0.5 # a hat"), Some("mixamorig:Head"), "margin", "0.25");
    assert!(changed.contains("margin = 0.25 # a hat\n") && changed.starts_with(head), "{changed}");
    let inline = set("characters = { runa = { joints = { head = { skip = true } } } }", Some("head"), "margin", "1");
    assert!(inline.contains("skip = true") && inline.contains("margin = 1"), "{inline}");
    assert_eq!(set("", None, "exclude", "12"), "[characters.runa]\nexclude = \"12\"\n", "a joint may be named 12");
    assert!(with_option("", "runa", None, "presett", "cover").is_err(), "the option does not exist");
    assert!(with_option("", "runa", Some("head"), "margin", "much").is_err(), "the value is wrong");
}

/// The values of an option of runa, and of its head.
fn values_of(text: &str, key: &str) -> (Option<String>, Option<String>) {
    let settings = Settings::parse(text).unwrap().for_character("runa", &[]).unwrap();
    let of_runa = settings.options.entries().into_iter().find(|(known, _)| known == key).map(|(_, value)| value);
    let of_head = settings.overrides.joints.get("head").and_then(|head| head.options.get(key).cloned());
    (of_runa, of_head)
}

#[test]
fn a_set_option_has_an_effect_whatever_stands_below() {
    let own = "[characters.runa] # hers\nfit = \"pca\"\n[characters.runa.joints.head]\nmax_boxes = 2\n";
    for (joint, below) in [
        (None, "[characters.\"r*\"]\nmargin = 0.01\n"),
        (None, "[characters.Runa]\nmargin = 0.01\n[characters.\"*\".joints.head]\nmargin = 0.02\n"),
        (Some("head"), "[characters.\"*\".joints.head]\nmargin = 0.01\n"),
        (Some("head"), "[characters.\"*\".joints.head]\npreset = \"recipe\"\n[characters.bruno]\nmargin = 1\n"),
    ] {
        for text in [format!("{own}\n{below}"), format!("# ours\nmargin = 0.03\n\n{own}\n{below}# the end")] {
            for text in [text.replace('\n', "\r\n"), text] {
                let edited = with_option(&text, "runa", joint, "margin", "0.5");
                let moves = !below.contains("preset");
                let Ok(edited) = edited else {
                    assert!(!moves, "{text}");
                    continue;
                };
                assert!(moves, "the section moves only if everything else stays: {edited}");
                let (of_runa, of_head) = values_of(&edited, "margin");
                assert_eq!(if joint.is_none() { of_runa } else { of_head }, Some("0.5".to_owned()), "{edited}");
                for kept in ["# hers", "max_boxes = 2", below.lines().next().unwrap()] {
                    assert!(edited.contains(kept), "{kept}: {edited}");
                }
                assert_eq!(
                    edited.matches("\r\n").count(),
                    if text.contains('\r') { edited.lines().count() } else { 0 }
                );
            }
        }
    }
}

#[test]
fn an_option_that_could_have_no_effect_is_refused() {
    let refusal = |text: &str, joint, key, value| with_option(text, "runa", joint, key, value).unwrap_err().to_string();
    let text = "[characters.runa]\nfit = \"pca\"\n[characters.\"*\"]\nfit = \"vertex-pca\"\nmargin = 0.1\n";
    assert_eq!(
        refusal(text, None, "margin", "0.2"),
        "the section [characters.\"*\"] stands below [characters.\"runa\"] and overrides its margin, so the change \
         would have no effect; move [characters.\"runa\"] below it, or change the value there"
    );
    let boxes = [("head".to_owned(), Vec::new())].into();
    let text =
        "[characters.runa.joints.head]\nmargin = 0.1\n[characters.\"*\".joints.head]\nskip = false\nmargin = 0.2\n";
    assert!(with_boxes(&[], text, "runa", &boxes, FittedBoxes::Skip).unwrap_err().to_string().contains("skip"));
    assert!(with_boxes(&[], text, "runa", &boxes, FittedBoxes::Keep).is_ok());
}

#[test]
fn boxes_that_would_be_added_to_those_of_another_section_are_refused() {
    let boxes = [("head".to_owned(), Vec::new())].into();
    let list = "boxes = [{ center = [0, 0, 0], half_extents = [1, 1, 1] }]\n";
    let edit = |section: &str| with_boxes(&[], &format!("[{section}]\n{list}"), "runa", &boxes, FittedBoxes::Keep);
    assert_eq!(
        edit("joints.head").unwrap_err().to_string(),
        "the section [joints.\"head\"] also has boxes, to which the new boxes of [characters.\"runa\".joints.\"head\"] \
         would be added; delete the boxes of [joints.\"head\"], or move them into [characters.\"runa\".joints.\"head\"]"
    );
    let error = edit("characters.\"r*\".joints.head").unwrap_err().to_string();
    assert!(error.contains("[characters.\"r*\".joints.\"head\"] also has boxes"), "{error}");
    for other in ["characters.runa.joints.head", "characters.bruno.joints.head", "joints.hand"] {
        edit(other).expect("other characters, other joints, and boxes that are replaced");
    }
}

/// A file with the line ends of Windows keeps them, in lines that were there and in new ones.
#[test]
fn an_edit_keeps_the_line_ends() {
    let unix = "# ours\nmargin = 0.01 # all\n\n[characters.runa]\nfit = \"pca\" # hers\n";
    for (character, joint) in [("runa", None), ("runa", Some("head")), ("bruno", None)] {
        let edit = |text: &str| with_option(text, character, joint, "margin", "0.02").unwrap();
        assert_eq!(edit(&unix.replace('\n', "\r\n")), edit(unix).replace('\n', "\r\n"));
        assert!(!edit(unix).contains('\r'));
    }
}

fn hand_box() -> impl Strategy<Value = ManualBox> {
    let coordinate = || prop_oneof![-10.0_f32..10.0, proptest::num::f32::NORMAL.prop_map(|x| x % 1e12), Just(-0.0)];
    let vector = || [coordinate(), coordinate(), coordinate()];
    let tags = proptest::collection::vec("[a-z.\"\u{e9}\n]{1,5}", 0..3);
    let shape = prop_oneof![Just(HitboxShape::Box), Just(HitboxShape::Capsule), Just(HitboxShape::Sphere)];
    (vector(), vector(), vector(), 0.1_f32..1.0, tags, shape).prop_map(|(center, half, [x, y, z], w, tags, shape)| {
        let half = Vec3::from(half).abs();
        let half_extents = match shape {
            HitboxShape::Capsule => Vec3::new(half.x, half.x.max(half.y), half.x),
            HitboxShape::Sphere => Vec3::splat(half.x),
            HitboxShape::Box | HitboxShape::Hull => half,
        };
        ManualBox {
            shape,
            center: center.into(),
            half_extents,
            orientation: Quat::from_xyzw(x, y, z, w),
            tags,
            role: HitboxRole::Hurt,
            unit: LengthUnit::Meters,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn boxes_read_back_to_the_last_bit(
        name in "[a-z*?. \"]{0,8}",
        joints in proptest::collection::btree_map("\\PC{0,6}", proptest::collection::vec(hand_box(), 1..3), 0..4),
    ) {
        let text = with_boxes(&[], "# a comment\n", &name, &joints, FittedBoxes::Skip).unwrap();
        let read = Settings::parse(&text).unwrap().for_character(&name, &[]).unwrap().overrides;
        prop_assert!(text.starts_with("# a comment\n") || joints.is_empty(), "{text}");
        prop_assert_eq!(read.joints.len(), joints.len());
        for (joint, boxes) in &joints {
            let bits = |one: &ManualBox| {
                let numbers = [one.center.to_array(), one.half_extents.to_array()].concat();
                let numbers: Vec<u32> = numbers.into_iter().chain(one.orientation.to_array()).map(f32::to_bits).collect();
                (one.shape, numbers, one.tags.clone())
            };
            let found = &read.joints[joint];
            prop_assert!(found.skip);
            prop_assert_eq!(found.boxes.iter().map(bits).collect::<Vec<_>>(), boxes.iter().map(bits).collect::<Vec<_>>());
        }
    }
}

/// The README's example can be read and gives the settings that its text describes.
#[test]
fn the_readme_has_an_example_that_is_read() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let example = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(in_schema(example));
    let settings = Settings::parse(example).unwrap();
    let (runa, other) = (settings.for_character("runa", &[]).unwrap(), settings.for_character("bruno", &[]).unwrap());
    assert_eq!((runa.options.preset.keyword(), other.options.preset.keyword()), ("tight", "tight"));
    assert!(runa.overrides.joints.contains_key("head") && !other.overrides.joints.contains_key("head"));
    assert!(runa.limits.least_surface_clips.is_some() && runa.overrides.tags.len() == 1);
}
