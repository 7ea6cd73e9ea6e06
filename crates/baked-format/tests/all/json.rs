//! The text twin: names, order, numbers, and that it is JSON of its schema whatever the names are.
#![cfg(feature = "json")]
use crate::support::{self, schema};
use baked_format::{BakedCharacter, to_json};
use proptest::prelude::*;
use serde_json::Value;
use skeleton::{Joint, Skeleton};

#[test]
fn json_of_a_made_up_character() {
    insta::assert_snapshot!(to_json(&support::scout()));
}

#[test]
fn json_of_attacks_and_states() {
    let json = to_json(&support::boxer());
    let from = json.find("  \"attacks\"").unwrap();
    insta::assert_snapshot!(&json[from..]);
}

#[test]
fn json_of_a_ragdoll() {
    let json = to_json(&support::faller());
    let from = json.find("  \"bodies\"").unwrap();
    insta::assert_snapshot!(&json[from..]);
}

#[test]
fn json_of_morph_targets() {
    let json = to_json(&support::mime());
    let from = json.find("  \"morph_targets\"").unwrap();
    insta::assert_snapshot!(&json[from..]);
}

#[test]
fn json_of_the_least_there_can_be() {
    insta::assert_snapshot!(to_json(&support::nobody()));
}

#[test]
fn numbers_are_the_shortest_that_read_back() {
    let mut character = support::scout();
    let numbers = [0.1f32, 1.0 / 3.0, 16_777_216.0, 1e-40, -1e12, f32::MIN_POSITIVE];
    character.boxes[0].center = glam::Vec3::new(numbers[0], numbers[1], numbers[2]);
    character.boxes[1].center = glam::Vec3::new(numbers[3], numbers[4], numbers[5]);
    let json = to_json(&character);
    assert!(json.contains("\"center\": [0.1, 0.33333334, 16777216.0]"), "{json}");
    let value: Value = serde_json::from_str(&json).unwrap();
    let read_back = |index: usize| -> Vec<f32> {
        let center = value["boxes"][index]["center"].as_array().unwrap();
        center.iter().map(|number| number.to_string().parse().unwrap()).collect()
    };
    assert_eq!([read_back(0), read_back(1)].concat(), numbers);
}

#[test]
fn any_name_stays_well_formed() {
    for name in ["x".repeat(10_000), "\0".repeat(10_000), "\"\\\n\u{7f}\u{2028}</script>😀".repeat(500)] {
        let mut character = support::nobody();
        character.name = name.clone();
        character.skeleton = Skeleton::new(vec![Joint { name: name.clone(), ..Joint::default() }]).unwrap();
        character.options = vec![(name.clone(), name.clone())];
        let value: Value = serde_json::from_str(&to_json(&character)).unwrap();
        assert_eq!(value["name"], name);
        assert_eq!(value["joints"][0]["name"], name);
        assert_eq!(value["options"][&name], name);
    }
}

/// What does not pass `validate` has a text all the same: people want to see what is wrong.
#[test]
fn a_character_that_is_not_valid_is_well_formed() {
    let mut character = support::scout();
    character.boxes[0].center.x = f32::NAN;
    character.boxes[1].half_extents.y = f32::INFINITY;
    character.boxes[2].joint = skeleton::JointIndex(77);
    let value: Value = serde_json::from_str(&to_json(&character)).unwrap();
    assert_eq!(value["boxes"][0]["center"][0], Value::Null);
    assert_eq!(value["boxes"][1]["volume"], Value::Null);
    assert_eq!(value["boxes"][2]["joint"], Value::Null);
}

#[test]
fn one_box_a_line() {
    let json = to_json(&support::scout());
    let lines: Vec<_> = json.lines().filter(|line| line.contains("\"half_extents\"")).collect();
    assert_eq!(lines.len(), 3);
    let one: Value = serde_json::from_str(lines[1].trim().trim_end_matches(',')).unwrap();
    assert_eq!(one["joint"], "head");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_character_follows_the_schema(character in support::arbitrary::character()) {
        follows_schema(&character);
    }
}

#[test]
fn made_up_characters_follow_the_schema() {
    for character in [
        support::scout(),
        support::nobody(),
        support::crowd_member(3, 2),
        support::shapes(),
        support::boxer(),
        support::faller(),
        support::mime(),
    ] {
        follows_schema(&character);
    }
}

fn follows_schema(character: &BakedCharacter) {
    let schema: Value = serde_json::from_str(include_str!("../../schema/bonebox.schema.json")).unwrap();
    let json = to_json(character);
    let value: Value = serde_json::from_str(&json).unwrap();
    let found = schema::problems(&schema, &value);
    assert!(found.is_empty(), "{found:#?}\n{json}");
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let schema: Value = serde_json::from_str(include_str!("../../schema/bonebox.schema.json")).unwrap();
    let good: Value = serde_json::from_str(&to_json(&support::scout())).unwrap();
    assert_eq!(schema::problems(&schema, &good), Vec::<String>::new());
    for (pointer, wrong) in [
        ("/format", Value::from("boxbone")),
        ("/boxes/0/center", serde_json::json!([0.0, 1.0])),
        ("/boxes/0/shape", Value::from("torus")),
        ("/boxes/1/vertices", Value::from(-1)),
        ("/joints/0/parent", Value::from("hips")),
        ("/coverage/surface_rest", Value::from(1.5)),
        ("/warnings/0/code", Value::from("Flat Group")),
        ("/source/blake3", Value::from("00")),
        ("/clips/0", serde_json::json!({ "name": "Wave", "channels": 1, "numbers": 3 })),
        ("/clips/0", serde_json::json!({ "name": "Wave", "seconds": 1.0, "channels": 1, "numbers": 3, "frames": 3 })),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = wrong;
        assert_eq!(schema::problems(&schema, &bad).len(), 1, "{pointer}");
    }
}
