//! The attacks and the states that an asset has in the `extras` of its animations.

use crate::error::SettingsError;
use crate::reader::{MOST_BYTES, Reader};
use crate::sections::Section;
use bone_fit::{AttackSettings, StateSettings};
use serde_json::Value;
use toml::de::DeTable;
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table};

/// What an animation's `extras.bonebox` says about its clip.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ClipExtras {
    /// The attacks, in the order of the file.
    pub attacks: Vec<AttackSettings>,
    /// The states, in the order of the file.
    pub states: Vec<StateSettings>,
}

/// A mistake in an animation's `extras.bonebox`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("extras.bonebox of the animation {clip:?}, as TOML:{problem}")]
pub struct ClipExtrasError {
    /// The name of the clip.
    pub clip: String,
    /// The mistake, with its line and column in the TOML text.
    pub problem: SettingsError,
}

/// Reads the member `bonebox` of an animation's `extras`. `extras` is a JSON text; if it has no such member, the result
/// is empty.
///
/// The member is an object with the keys of a section `[clips.NAME]`, or such a section as a TOML text, because a text
/// is all that an artist can type into a custom property of a Blender action.
///
/// # Errors
/// Returns [`ClipExtrasError`] for the first mistake. An object is shown as the TOML that says the same.
pub fn clip_extras(clip: &str, extras: &str) -> Result<ClipExtras, ClipExtrasError> {
    let member = match serde_json::from_str(extras) {
        Ok(Value::Object(mut members)) => members.remove("bonebox"),
        _ => None,
    };
    let Some(member) = member else { return Ok(ClipExtras::default()) };
    let section = section(clip, &member).map_err(|problem| ClipExtrasError { clip: clip.to_owned(), problem })?;
    Ok(ClipExtras {
        attacks: section.attacks.into_iter().map(|entry| entry.settings).collect(),
        states: section.states.into_iter().map(|entry| entry.settings).collect(),
    })
}

fn section(clip: &str, member: &Value) -> Result<Section, SettingsError> {
    let text = match member {
        Value::String(text) => text.clone(),
        Value::Object(members) => {
            let mut document = DocumentMut::new();
            for (key, value) in members {
                document.insert(key, item(value).map_err(|problem| SettingsError::at(key, 0..key.len(), problem))?);
            }
            document.to_string()
        }
        other => {
            let text = other.to_string();
            let problem = "expected an object with the keys attacks and states, or the same as a TOML text";
            return Err(SettingsError::at(&text, 0..text.len(), problem));
        }
    };
    if text.len() > MOST_BYTES {
        let problem = format!("the text has {} bytes, but may have at most {MOST_BYTES}", text.len());
        return Err(SettingsError::at(&text, 0..0, problem));
    }
    let table = DeTable::parse(&text).map_err(|error| {
        let problem = format!("this line is not valid TOML: {}", error.message());
        SettingsError::at(&text, error.span().unwrap_or(0..0), problem)
    })?;
    let mut section = Section::default();
    Reader { text: &text }.clip(&mut section, clip, table.get_ref())?;
    Ok(section)
}

/// A list of objects is written as sections, so that an error can show the line of one value.
fn item(value: &Value) -> Result<Item, &'static str> {
    match value {
        Value::Array(list) if !list.is_empty() && list.iter().all(Value::is_object) => {
            let mut tables = ArrayOfTables::new();
            for members in list.iter().filter_map(Value::as_object) {
                let mut table = Table::new();
                for (key, value) in members {
                    table.insert(key, Item::Value(inline(value)?));
                }
                tables.push(table);
            }
            Ok(Item::ArrayOfTables(tables))
        }
        other => Ok(Item::Value(inline(other)?)),
    }
}

fn inline(value: &Value) -> Result<toml_edit::Value, &'static str> {
    Ok(match value {
        Value::Null => return Err("it contains a null, which says nothing; remove it"),
        Value::Bool(is_true) => (*is_true).into(),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => whole.into(),
            (None, Some(number)) => number.into(),
            (None, None) => return Err("it contains a number that is out of range"),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(list) => toml_edit::Value::Array(list.iter().map(inline).collect::<Result<_, &str>>()?),
        Value::Object(members) => {
            let mut table = InlineTable::new();
            for (key, value) in members {
                table.insert(key, inline(value)?);
            }
            toml_edit::Value::InlineTable(table)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    const TOML: &str = r#"
        [[attacks]]
        name = "fist"
        boxes = "hand.left"
        active = [0.15, 0.35]
        strength = 2
        data = { damage = 5, "odd \" key" = [1.5, true, "é\n"] }
        [[states]]
        state = "guard"
        frames = [[3, 6], [9, 12]]
        rate = 30
    "#;

    const JSON: &str = r#"{"attacks": [{"name": "fist", "boxes": "hand.left", "active": [0.15, 0.35], "strength": 2,
        "data": {"damage": 5, "odd \" key": [1.5, true, "é\n"]}}],
        "states": [{"state": "guard", "frames": [[3, 6], [9, 12]], "rate": 30}]}"#;

    /// The same section, as an object, as a text, and in a settings file.
    #[test]
    fn extras_say_what_a_settings_file_says() {
        let object = clip_extras("jab", &format!(r#"{{"other": 1, "bonebox": {JSON}}}"#)).unwrap();
        let text = clip_extras("jab", &serde_json::json!({ "bonebox": TOML }).to_string()).unwrap();
        let file = TOML.replace("[[", "[[clips.jab.").replace("clips.jab.3, 6]", "3, 6]");
        let overrides = Settings::parse(&file).unwrap().for_character("", &[]).unwrap().overrides;
        assert_eq!((overrides.attacks.len(), overrides.states.len()), (1, 1));
        for extras in [object, text] {
            assert_eq!((&extras.attacks, &extras.states), (&overrides.attacks, &overrides.states));
        }
    }

    #[test]
    fn extras_of_other_programs_are_left_alone() {
        for extras in ["null", "3", "{}", r#"{"blender": {"attacks": 1}}"#, r#"["bonebox"]"#, "no JSON"] {
            assert_eq!(clip_extras("jab", extras).unwrap(), ClipExtras::default(), "{extras}");
        }
    }

    #[test]
    fn mistakes_show_their_line() {
        let error = |member: &str| clip_extras("jab", &format!(r#"{{"bonebox": {member}}}"#)).unwrap_err().to_string();
        let all = [
            r#"{"attacks": [{"name": "fist", "boxes": "hand.left", "active": [0.35, 0.15]}]}"#,
            r#"{"atacks": []}"#,
            r#"{"attacks": [{"name": "fist", "boxes": "hand.left", "active": [0, 1], "data": {"damage": null}}]}"#,
            r#"{"attacks": [{"name": "fist", "boxes": "hand.left", "active": [0, 1], "rank": 1.0}]}"#,
            r#"{"states": {"state": "guard"}}"#,
            r#""[[attacks]]\nname = fist""#,
            "7",
            "[]",
        ];
        insta::assert_snapshot!(all.map(error).join("\n"));
    }
}
