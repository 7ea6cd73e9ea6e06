//! The JSON schema of a settings file, so that editors complete and check it.

use crate::parse::{BOX, CHARACTER, EVERYONE, JOINT, LIMITS};
use bone_fit::{BakeOptions, COORDINATE_LIMIT, JointOverride, OptionKind};
use serde_json::{Map, Value, json};

/// What the checked-in schema holds, to the byte: JSON schema draft 7, as TOML editors read it (`#:schema FILE`).
///
/// It knows keys, kinds and ranges; that characters, joints and the tags of sets are there, only a bake knows.
///
/// # Panics
/// Never: all its keys are strings.
#[must_use]
pub fn schema() -> String {
    let mut everyone = section(&EVERYONE);
    everyone["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    everyone["title"] = "bonebox.toml".into();
    everyone["description"] = "How bonebox bakes the characters in this folder and below".into();
    everyone["definitions"] = json!({
        "character": section(&CHARACTER),
        "joint": joint(),
        "box": hand_box(),
        "limits": limits(),
        "texts": { "anyOf": [text(), { "type": "array", "items": text() }] },
    });
    let mut schema = serde_json::to_string_pretty(&everyone).expect("a tree of values is JSON");
    schema.push('\n');
    schema
}

fn text() -> Value {
    json!({ "type": "string", "minLength": 1 })
}

fn object(properties: Map<String, Value>) -> Value {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn map_of(definition: &str, description: &str) -> Value {
    let values = json!({ "$ref": format!("#/definitions/{definition}") });
    json!({ "type": "object", "additionalProperties": values, "description": description })
}

/// The top of the file, or a character's.
fn section(others: &[&str]) -> Value {
    let options = BakeOptions::HELP.iter().map(|help| (help.key.to_owned(), option(help.key)));
    let other = |key: &str| match key {
        "characters" => map_of("character", "One character's own, by its file's name without ending; * and ? are wild"),
        "joints" => map_of("joint", "One joint's own, by its name"),
        "limits" => json!({ "$ref": "#/definitions/limits" }),
        "sets" => map_of("texts", "Names for groups of tags; a box with any of the tags has the set's name as a tag"),
        _ => map_of("texts", "Tags of boxes, by patterns for joint names; * and ? are wild"),
    };
    object(options.chain(others.iter().map(|key| ((*key).to_owned(), other(key)))).collect())
}

fn option(key: &str) -> Value {
    let Some(help) = BakeOptions::HELP.iter().find(|help| help.key == key) else { return Value::Bool(false) };
    let or_auto =
        |auto: bool, number: Value| if auto { json!({ "anyOf": [number, { "enum": ["auto"] }] }) } else { number };
    let mut option = match help.kind {
        OptionKind::Word(words) => json!({ "enum": words }),
        // The least number above 0 is no number that a person should read.
        OptionKind::Number { least: f64::MIN_POSITIVE, most, auto } => {
            or_auto(auto, json!({ "type": "number", "exclusiveMinimum": 0, "maximum": most }))
        }
        OptionKind::Number { least, most, auto } => {
            or_auto(auto, json!({ "type": "number", "minimum": least, "maximum": most }))
        }
        OptionKind::Whole { least, most, auto } => {
            or_auto(auto, json!({ "type": "integer", "minimum": least, "maximum": most }))
        }
        OptionKind::Patterns => {
            let pattern = json!({ "type": "string", "pattern": "^[^,]*$" });
            json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": pattern }] })
        }
    };
    option["description"] = format!("{}: {}", help.text, help.values).into();
    option
}

fn limits() -> Value {
    let limit = |key: &&str| {
        let (most, text) = match *key {
            "least_surface_rest" => (1.0, "The least share of the surface inside at rest"),
            "least_surface_clips" => (1.0, "The least share of the surface inside over the clips"),
            "most_escape" => (1e6, "The farthest that the surface may get from all boxes, as a share of the height"),
            _ => (1e6, "The most volume of all boxes, over that of the smallest ones"),
        };
        ((*key).to_owned(), json!({ "type": "number", "minimum": 0, "maximum": most, "description": text }))
    };
    let mut limits = object(LIMITS.iter().map(limit).collect());
    limits["description"] = "A bake that breaks one of these fails and writes nothing".into();
    limits
}

fn joint() -> Value {
    let options = JointOverride::KEYS.iter().map(|key| ((*key).to_owned(), option(key)));
    let other = |key: &&str| {
        let value = match *key {
            "skip" => json!({ "type": "boolean", "description": "Whether it gets no fitted box" }),
            "boxes" => json!({
                "type": "array",
                "items": { "$ref": "#/definitions/box" },
                "description": "Boxes made by hand, in the joint's space, beside the fitted ones",
            }),
            _ => json!({ "$ref": "#/definitions/texts" }),
        };
        ((*key).to_owned(), value)
    };
    object(options.chain(JOINT.iter().map(other)).collect())
}

fn hand_box() -> Value {
    let numbers = |count: usize, least: f64, description: &str| {
        let number = json!({ "type": "number", "minimum": least, "maximum": COORDINATE_LIMIT });
        json!({
            "type": "array", "items": number, "minItems": count, "maxItems": count, "description": description
        })
    };
    let property = |key: &&str| {
        let value = match *key {
            "center" => numbers(3, -COORDINATE_LIMIT, "In the joint's space"),
            "half_extents" => numbers(3, 0.0, "Along the box's own axes"),
            "orientation" => numbers(4, -COORDINATE_LIMIT, "Joint from box, x y z w"),
            _ => json!({ "$ref": "#/definitions/texts" }),
        };
        ((*key).to_owned(), value)
    };
    let mut one = object(BOX.iter().map(property).collect());
    one["required"] = json!(["center", "half_extents"]);
    one
}
