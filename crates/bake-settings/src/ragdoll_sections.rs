//! The section of a ragdoll.

use crate::ragdoll_entry::RagdollEntry;
use crate::reader::{Key, Reader, Result, Value, in_order, number, wrong_kind};
use crate::sections::{PatternOf, PatternPlace, Section};
use baked_format::limits::MAX_MASS;
use bone_fit::RagdollJointSettings;
use serde_json::{Map, Value as Json, json};
use skeleton::NamePattern;
use std::ops::RangeInclusive;
use toml::de::DeValue;

/// The keys in the section of a ragdoll.
const RAGDOLL_KEYS: [&str; 5] = ["joints", "mass", "min_body", "share", "slack"];

/// The keys in the section of a joint of a ragdoll.
const JOINT_KEYS: [&str; 7] = ["body", "damping", "hinge", "mass", "stiffness", "swing", "twist"];

/// What a number may be.
struct Amount {
    range: RangeInclusive<f64>,
    /// `true` if the lowest number of the range is not allowed.
    above: bool,
    expected: &'static str,
    description: &'static str,
}

/// What the numbers of a ragdoll and of its joints may be.
fn amount(key: &str) -> Option<Amount> {
    let most = f64::from(MAX_MASS);
    let (range, above, expected, description) = match key {
        "mass" => (0.0..=most, true, "kilograms above 0", "The mass in kilograms"),
        "min_body" => (
            0.0..=1.0,
            false,
            "a share of the height from 0 to 1",
            "A joint gets a body if its hitboxes are at least this long, as a share of the height; with parts, every part is a body \
             [default: 0.06]",
        ),
        "share" => (
            0.5..=1.0,
            false,
            "a share from 0.5 to 1",
            "The share of the clips' poses that the limits hold [default: 0.995]",
        ),
        "slack" => {
            (0.0..=180.0, false, "degrees from 0 to 180", "Degrees that are added to limits from clips [default: 5]")
        }
        "twist" => (
            0.0..=180.0,
            false,
            "degrees from 0 to 180",
            "The largest twist to both sides of the middle, in degrees; of a hinge, the largest turn",
        ),
        "stiffness" => (
            0.0..=most,
            false,
            "a number of at least 0",
            "The torque towards the middle of the range, in N m for each radian [default: 0]",
        ),
        "damping" => (
            0.0..=most,
            false,
            "a number of at least 0",
            "The torque against a turn, in N m for each radian per second [default: by mass and size]",
        ),
        _ => return None,
    };
    Some(Amount { range, above, expected, description })
}

impl Reader<'_> {
    /// Reads `ragdoll = true`, `false` or a section, and adds its patterns to those of the outer section.
    pub(crate) fn ragdoll(
        &self,
        section: &mut Section,
        key: Key<'_, '_>,
        value: Value<'_, '_>,
    ) -> Result<RagdollEntry> {
        let mut ragdoll = RagdollEntry { is_wanted: true, ..RagdollEntry::default() };
        let table = match value.get_ref() {
            DeValue::Boolean(is_wanted) => return Ok(RagdollEntry { is_wanted: *is_wanted, ..ragdoll }),
            DeValue::Table(table) => table,
            other => return self.error(value.span(), wrong_kind(key, other, "true, false, or a section [ragdoll]")),
        };
        for (key, value) in in_order(table) {
            match key.get_ref().as_ref() {
                "joints" => {
                    for (name, value) in in_order(self.table(key, value)?) {
                        let pattern = NamePattern::new(name.get_ref().as_ref());
                        section.patterns.push(PatternPlace {
                            pattern: pattern.clone(),
                            of: PatternOf::Joints,
                            span: name.span(),
                        });
                        ragdoll.joints.push((pattern, self.ragdoll_joint(name, value)?));
                    }
                }
                "mass" => ragdoll.mass = Some(self.amount(key, value)?),
                "min_body" => ragdoll.min_body = Some(self.amount(key, value)?),
                "share" => ragdoll.share = Some(self.amount(key, value)?),
                "slack" => ragdoll.slack = Some(self.amount(key, value)?),
                _ => return self.unknown(key, "a ragdoll has no key", RAGDOLL_KEYS, Some(&RAGDOLL_KEYS)),
            }
        }
        Ok(ragdoll)
    }

    fn ragdoll_joint(&self, name: Key<'_, '_>, value: Value<'_, '_>) -> Result<RagdollJointSettings> {
        let mut joint = RagdollJointSettings::default();
        let mut swing_at = None;
        for (key, value) in in_order(self.table(name, value)?) {
            match key.get_ref().as_ref() {
                "body" => joint.body = Some(self.boolean(key, value)?),
                "hinge" => joint.hinge = Some(self.boolean(key, value)?),
                "mass" => joint.mass = Some(self.amount(key, value)?),
                "twist" => joint.twist = Some(self.amount(key, value)?),
                "stiffness" => joint.stiffness = Some(self.amount(key, value)?),
                "damping" => joint.damping = Some(self.amount(key, value)?),
                "swing" => {
                    joint.swing = Some(self.swing(key, value)?);
                    swing_at = Some(key.span());
                }
                _ => return self.unknown(key, "a joint of a ragdoll has no key", JOINT_KEYS, Some(&JOINT_KEYS)),
            }
        }
        match swing_at {
            Some(span) if joint.hinge == Some(true) => {
                self.error(span, "a hinge has no swing; remove `swing`, and write `twist` for its largest turn")
            }
            _ => Ok(joint),
        }
    }

    /// Reads one angle for both axes, or two angles.
    fn swing(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<[f64; 2]> {
        let expected = "degrees from 0 to 180: one number, or a list of two";
        let angle = |value: Value<'_, '_>| number(value.get_ref()).filter(|angle| (0.0..=180.0).contains(angle));
        let found = match value.get_ref() {
            DeValue::Array(list) if list.len() == 2 => list.iter().map(angle).collect::<Option<Vec<_>>>(),
            DeValue::Array(_) => None,
            _ => angle(value).map(|one| vec![one; 2]),
        };
        match found.as_deref() {
            Some(&[y, z]) => Ok([y, z]),
            _ => self.wrong(key, value, expected),
        }
    }

    fn amount(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<f64> {
        let Some(Amount { range, above, expected, .. }) = amount(key.get_ref()) else {
            return self.wrong(key, value, "a number");
        };
        match number(value.get_ref()).filter(|found| range.contains(found) && !(above && found == range.start())) {
            Some(found) => Ok(found),
            None => self.wrong(key, value, expected),
        }
    }
}

/// The schema of the section.
pub(crate) fn schema() -> Json {
    let number = |key: &str| match amount(key) {
        Some(Amount { range, above, description, .. }) => {
            let least = if above { "exclusiveMinimum" } else { "minimum" };
            json!({ "type": "number", least: range.start(), "maximum": range.end(), "description": description })
        }
        None => Json::Null,
    };
    let angle = json!({ "type": "number", "minimum": 0, "maximum": 180 });
    let joint = |key: &&str| {
        let value = match *key {
            "body" => json!({
                "type": "boolean",
                "description": "Whether the joint gets a body; without one, its hitboxes belong to the body above [default: by size]",
            }),
            "hinge" => json!({
                "type": "boolean",
                "description": "Whether the joint turns about one axis only [default: if it does so in the clips]",
            }),
            "swing" => json!({
                "anyOf": [angle, { "type": "array", "items": angle, "minItems": 2, "maxItems": 2 }],
                "description": "The largest swing to both sides of the middle, in degrees: for both axes, or for each",
            }),
            key => number(key),
        };
        ((*key).to_owned(), value)
    };
    let joint = json!({
        "type": "object",
        "properties": JOINT_KEYS.iter().map(joint).collect::<Map<String, Json>>(),
        "additionalProperties": false,
    });
    let joints = json!({
        "type": "object",
        "additionalProperties": joint,
        "description": "Bodies and constraints of single joints, by patterns for joint names; * and ? are wildcards",
    });
    let property = |key: &&str| ((*key).to_owned(), if *key == "joints" { joints.clone() } else { number(key) });
    let section = json!({
        "type": "object",
        "properties": RAGDOLL_KEYS.iter().map(property).collect::<Map<String, Json>>(),
        "additionalProperties": false,
    });
    json!({
        "anyOf": [{ "type": "boolean" }, section],
        "description": "Whether the bake makes a ragdoll, or its settings [default: false]",
    })
}
