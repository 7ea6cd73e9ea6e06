//! The JSON schema of a settings file, with which editors complete and check it.

use crate::motion_settings::MotionMatch;
use crate::ragdoll_sections;
use crate::sections::{
    ATTACK_KEYS, BOX_KEYS, BOX_SHAPES, CHARACTER_KEYS, FILE_KEYS, JOINT_KEYS, MOTION_KEYS, PART_SET, ROOT, SHARED_KEYS,
    STATE_KEYS,
};
use crate::shared_settings::SharedScale;
use baked_format::limits::MAX_SECONDS;
use baked_format::{AttackKind, StateKind};
use bone_fit::{BakeOption, COORDINATE_LIMIT, HitboxRole, HitboxShape, LengthUnit, Limit, OptionKind, Range};
use serde_json::{Map, Value, json};
use skeleton::humanoid::HumanBone;

/// Returns the content of `bonebox.schema.json`: JSON schema draft 7, which TOML editors read (`#:schema FILE`).
///
/// The schema defines keys, kinds and ranges. It does not check whether characters, joints and the tags of sets exist;
/// a bake checks this.
///
/// # Panics
/// Never, because all keys of the schema are strings.
#[must_use]
pub fn schema() -> String {
    let mut file = section(&FILE_KEYS);
    file["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    file["title"] = "bonebox.toml".into();
    file["description"] = "The settings of bonebox for the characters in this folder and its subfolders".into();
    file["definitions"] = json!({
        "character": section(&CHARACTER_KEYS),
        "humanoid": humanoid(),
        "joint": joint(),
        "part": part(),
        "box": manual_box(),
        "limits": limits(),
        "clip": clip(),
        "windows": windows(),
        "texts": { "anyOf": [text(), { "type": "array", "items": text() }] },
    });
    let mut schema = serde_json::to_string_pretty(&file).expect("a tree of values is JSON");
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

/// The schema of the top of the file, or of a character's section.
fn section(others: &[&str]) -> Value {
    let options = BakeOption::ALL.iter().map(|row| (row.key.to_owned(), option(row)));
    let other = |key: &str| match key {
        "characters" => map_of(
            "character",
            "Settings of one character, by the name of its file without extension; * and ? are wildcards",
        ),
        "clips" => map_of("clip", "Attacks and states of hitboxes during one clip, by the clip's name"),
        "humanoid" => json!({ "$ref": "#/definitions/humanoid" }),
        "joints" => map_of("joint", "Settings of one joint, by its name"),
        "limits" => json!({ "$ref": "#/definitions/limits" }),
        "motions" => json!({
            "type": "array",
            "items": { "anyOf": [text(), motion()] },
            "description": "Clips from other files (.glb, .gltf, .vrm, .fbx, .bvh), relative to this file; * and ? are wildcards. \
                The list of a character replaces the list for all characters",
        }),
        "ragdoll" => ragdoll_sections::schema(),
        "shared" => json!({
            "type": "array",
            "items": shared(),
            "description": "Sets of characters that get the same hitboxes",
        }),
        ROOT => json!({
            "type": "boolean",
            "description": "true if the files of parent folders do not apply to the characters below this file [default: false]",
        }),
        "split" => json!({
            "type": "boolean",
            "description": "If an asset has several characters: whether each is baked to a file of its own, or all as one \
                [default: an error]",
        }),
        "sets" => {
            map_of("texts", "Names for groups of tags; a box with one of the tags also gets the set's name as a tag")
        }
        _ => map_of("texts", "Tags of boxes, by patterns for joint names; * and ? are wildcards"),
    };
    object(options.chain(others.iter().map(|key| ((*key).to_owned(), other(key)))).collect())
}

fn option(row: &BakeOption) -> Value {
    let mut option = kind(row.kind);
    if row.key == "parts" {
        let parts =
            bone_fit::part_tags().into_iter().map(|part| (part.to_owned(), json!({ "$ref": "#/definitions/part" })));
        let set = (PART_SET.to_owned(), kind(row.kind));
        option = json!({ "anyOf": [kind(row.kind), object(std::iter::once(set).chain(parts).collect())] });
    }
    option["description"] = format!("{}: {} [default: {}]", row.help(), row.kind.values(), row.default_text()).into();
    option
}

fn kind(of: OptionKind) -> Value {
    match of {
        OptionKind::Keywords(words) => json!({ "enum": words.iter().map(|one| one.keyword).collect::<Vec<_>>() }),
        OptionKind::KeywordsOrWhole(words, range) => {
            json!({ "anyOf": [kind(OptionKind::Keywords(words)), number("integer", &range)] })
        }
        OptionKind::Number(range) => number("number", &range),
        OptionKind::Whole(range) => number("integer", &range),
        OptionKind::Patterns => {
            let pattern = json!({ "type": "string", "pattern": "^[^,]*$" });
            json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": pattern }] })
        }
    }
}

fn number<T: Copy + Into<Value>>(kind: &str, range: &Range<T>) -> Value {
    let least = if range.above { "exclusiveMinimum" } else { "minimum" };
    let number = json!({ "type": kind, least: range.least.into(), "maximum": range.most.into() });
    if range.auto { json!({ "anyOf": [number, { "enum": ["auto"] }] }) } else { number }
}

fn limits() -> Value {
    let limit = |row: &Limit| {
        let mut limit = kind(row.kind);
        limit["description"] = format!("{}: {}", row.help(), row.kind.values()).into();
        (row.key.to_owned(), limit)
    };
    let mut limits = object(Limit::ALL.iter().map(limit).collect());
    limits["description"] = "A bake that breaks a limit fails and writes no file".into();
    limits
}

fn joint() -> Value {
    let options = BakeOption::ALL.iter().filter(|row| row.for_joints).map(|row| (row.key.to_owned(), option(row)));
    let other = |key: &&str| {
        let value = match *key {
            "skip" => json!({ "type": "boolean", "description": "Whether the joint gets no fitted box" }),
            "boxes" => json!({
                "type": "array",
                "items": { "$ref": "#/definitions/box" },
                "description": "Manual boxes in the joint's space, in addition to the fitted boxes",
            }),
            _ => json!({ "$ref": "#/definitions/texts" }),
        };
        ((*key).to_owned(), value)
    };
    object(options.chain(JOINT_KEYS.iter().map(other)).collect())
}

fn part() -> Value {
    let options = BakeOption::ALL.iter().filter(|row| row.for_parts).map(|row| (row.key.to_owned(), option(row)));
    object(options.collect())
}

fn clip() -> Value {
    let list = |item: Value, description: &str| json!({ "type": "array", "items": item, "description": description });
    object(Map::from_iter([
        ("attacks".to_owned(), list(attack(), "Hitboxes that attack during parts of the clip")),
        ("states".to_owned(), list(state(), "Hitboxes that are in a state during parts of the clip")),
    ]))
}

/// A window, or a list of windows.
fn windows() -> Value {
    let window = json!({ "type": "array", "items": { "type": "number", "minimum": 0 }, "minItems": 2, "maxItems": 2 });
    json!({ "anyOf": [window, { "type": "array", "items": window, "minItems": 1 }] })
}

fn attack() -> Value {
    let mut one = object(ATTACK_KEYS.iter().map(|key| ((*key).to_owned(), attack_key(key))).collect());
    one["required"] = json!(["name", "boxes"]);
    one
}

fn attack_key(key: &str) -> Value {
    let mut value = match key {
        "active" | "frames" => json!({ "$ref": "#/definitions/windows" }),
        "against" | "boxes" => json!({ "$ref": "#/definitions/texts" }),
        "data" => json!({ "type": "object" }),
        "kind" => json!({ "enum": AttackKind::ALL.map(AttackKind::keyword) }),
        "rank" => json!({ "type": "integer", "minimum": 0, "maximum": u16::MAX }),
        "rate" | "rehit" => json!({ "type": "number", "exclusiveMinimum": 0 }),
        "state" => json!({ "enum": StateKind::ALL.map(StateKind::keyword) }),
        "strength" => json!({ "type": "number", "minimum": 0 }),
        _ => text(),
    };
    value["description"] = match key {
        "active" => "When the hitboxes are active: seconds of the clip, from and to; several windows as a list",
        "against" => "The tags or sets of the hitboxes that the attack meets [default: all]",
        "boxes" => "The hitboxes: tags, sets, or patterns for joint names",
        "data" => "What the game needs to know; the run time passes it on as JSON",
        "frames" => "When the hitboxes are active: frames of the clip, counted from 0; needs rate",
        "group" => "Attacks of a swing with the same group strike a target once [default: the attack's name]",
        "kind" => "What the attack does [default: strike]",
        "name" => "The attack's name, unique in its clip",
        "rank" => "If two attacks of a group meet a target at once, the one with the lower rank strikes [default: 0]",
        "rate" => "The frames per second of `frames`",
        "rehit" => "Seconds until the group can strike the same target again [default: it strikes once]",
        "state" => "The state of the hitboxes",
        "strength" => "Attacks above 0 clash with each other; the stronger one goes on [default: 0]",
        _ => "",
    }
    .into();
    value
}

fn state() -> Value {
    let mut one = object(STATE_KEYS.iter().map(|key| ((*key).to_owned(), attack_key(key))).collect());
    one["required"] = json!(["state"]);
    one
}

fn motion() -> Value {
    let seconds = || json!({ "type": "number", "minimum": 0, "maximum": MAX_SECONDS });
    let property = |key: &&str| {
        let (mut value, description) = match *key {
            "bones" => {
                let bones = HumanBone::ALL.into_iter().map(|bone| (bone.name().to_owned(), text()));
                (object(bones.collect()), "Joints of the file, by the bones' names in VRM 1.0 [default: guessed]")
            }
            "by" => (
                json!({ "enum": MotionMatch::ALL.map(MotionMatch::keyword) }),
                "Whether joints with the same names get the same transforms, or both skeletons are humanoids [default: names \
                 if most names are the same, otherwise humanoid; for BVH files humanoid]",
            ),
            "clips" => (json!({ "$ref": "#/definitions/texts" }), "Patterns for the clips to take [default: all]"),
            "files" => (json!({ "$ref": "#/definitions/texts" }), "Paths relative to this file; * and ? are wildcards"),
            "from" => (seconds(), "Seconds of the clip at which it begins here [default: its start]"),
            "prefix" => (text(), "Text before the clips' names"),
            "rename" => (
                json!({ "type": "object", "additionalProperties": text() }),
                "New names of clips, by their names. The only clip of a file has the name of the file",
            ),
            "replace" => (
                json!({ "type": "boolean" }),
                "Whether a clip replaces a clip of the asset with the same name [default: false, an error]",
            ),
            _ => (seconds(), "Seconds of the clip at which it ends here [default: its end]"),
        };
        value["description"] = description.into();
        ((*key).to_owned(), value)
    };
    let mut one = object(MOTION_KEYS.iter().map(property).collect());
    one["required"] = json!(["files"]);
    one
}

fn shared() -> Value {
    let property = |key: &&str| {
        let (mut value, description) = match *key {
            "characters" => (
                json!({ "$ref": "#/definitions/texts" }),
                "The names of the characters' files without extension; * and ? are wildcards",
            ),
            "from" => (
                text(),
                "union: hitboxes that hold those of all characters; mean: their mean; or the name of the character whose \
                 hitboxes all get [default: union]",
            ),
            "name" => (text(), "The name of the set, unique in this file"),
            _ => (
                json!({ "enum": SharedScale::ALL.map(SharedScale::keyword) }),
                "Whether hitboxes are equal in joint space, or larger where the bone of a character is longer [default: none]",
            ),
        };
        value["description"] = description.into();
        ((*key).to_owned(), value)
    };
    let mut one = object(SHARED_KEYS.iter().map(property).collect());
    one["required"] = json!(["name", "characters"]);
    one
}

fn humanoid() -> Value {
    let bones = HumanBone::ALL.into_iter().map(|bone| (bone.name().to_owned(), text()));
    let description = "Joints of standard bones, by the bones' names in VRM 1.0. Other bones come from the VRM \
        extension or are guessed from joint names. With this section, or with true, a required bone without a joint is an \
        error. With false, the baked file has no humanoid";
    json!({ "anyOf": [{ "type": "boolean" }, object(bones.collect())], "description": description })
}

fn manual_box() -> Value {
    let numbers = |count: usize, least: f64, description: &str| {
        let number = json!({ "type": "number", "minimum": least, "maximum": COORDINATE_LIMIT });
        json!({
            "type": "array", "items": number, "minItems": count, "maxItems": count, "description": description
        })
    };
    let property = |key: &&str| {
        let value = match *key {
            "center" => numbers(3, -COORDINATE_LIMIT, "Center along the joint's axes, from the joint"),
            "half_extents" => numbers(3, 0.0, "Half extents along the box's own axes"),
            "orientation" => numbers(4, -COORDINATE_LIMIT, "Rotation joint_from_box as a quaternion x, y, z, w"),
            "rotation" => numbers(
                3,
                -COORDINATE_LIMIT,
                "Rotation joint_from_box in degrees about the joint's x, then y, then z axis",
            ),
            "role" => json!({
                "enum": HitboxRole::ALL.map(HitboxRole::keyword),
                "description": "What the box is for. Rays and shapes of a game see boxes of the role hurt, and others \
                    only if the game asks for them [default: hurt]",
            }),
            "shape" => json!({
                "enum": BOX_SHAPES.map(HitboxShape::keyword),
                "description": "Shape inside the box. The half extents of a capsule are its radius, half of its length with \
                    the caps, and its radius again; for a sphere, all three are its radius [default: box]",
            }),
            "unit" => json!({
                "enum": LengthUnit::ALL.map(LengthUnit::keyword),
                "description": "The unit of center and half_extents: meters of the character as it stands in its rest pose, \
                    or the unit of the joint's space [default: meters]",
            }),
            _ => json!({ "$ref": "#/definitions/texts" }),
        };
        ((*key).to_owned(), value)
    };
    let mut one = object(BOX_KEYS.iter().map(property).collect());
    one["required"] = json!(["center", "half_extents"]);
    one["not"] = json!({ "required": ["orientation", "rotation"] });
    one
}
