//! Adds manual boxes and single options to the text of a settings file. Comments and everything else stay unchanged.

use crate::error::SettingsError;
use crate::motion_settings::MotionSettings;
use crate::settings::Settings;
use bone_fit::{BakeOption, HitboxRole, HitboxShape, LengthUnit, ManualBox, OptionKind};
use glam::Quat;
use std::collections::BTreeMap;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value};

/// The reason why a settings file could not be edited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The file already contains a mistake.
    #[error(transparent)]
    Wrong(#[from] SettingsError),
    /// The file defines the character or the joint in a form that cannot be extended, such as dotted keys.
    #[error(
        "the section [{section}] cannot be added, because the file already defines it in another form; write it there as a section"
    )]
    NoPlace {
        /// The section that cannot be added.
        section: String,
    },
    /// A section that stands below the section of the character sets the same key, so the change would have no effect.
    #[error(
        "the section [{later}] stands below [{section}] and overrides its {key}, so the change would have no effect; \
         move [{section}] below it, or change the value there"
    )]
    Overridden {
        /// The section of the character.
        section: String,
        /// The section that overrides it.
        later: String,
        /// The key that both sections set.
        key: String,
    },
    /// Another section gives boxes to the same joint of the character, so the new boxes would not replace them.
    #[error(
        "the section [{other}]{} also has boxes, to which the new boxes of [{section}] would be added; \
         delete the boxes of [{other}], or move them into [{section}]", of_file(*.is_above)
    )]
    OtherBoxes {
        /// The section of the character's joint.
        section: String,
        /// The section that has boxes, too.
        other: String,
        /// `true` if the other section is in a file of a parent folder.
        is_above: bool,
    },
    /// The character has no such joint.
    #[error("the character has no joint {joint:?}{hint}")]
    NoJoint {
        /// The joint.
        joint: String,
        /// The nearest joint, as a question at the end of a sentence; empty if there is none.
        hint: String,
    },
    /// A hitbox that no file can have.
    #[error("hitbox {number} of the joint {joint:?}: {problem}")]
    BadHitbox {
        /// The joint.
        joint: String,
        /// The place of the hitbox among those of the joint, counted from 0.
        number: usize,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The joint cannot have its fitted hitboxes again, because another section skips it.
    #[error(
        "the section [{other}]{} has `skip = true`, so the joint {joint:?} would get no fitted hitbox; delete the line there",
        of_file(*.is_above)
    )]
    SkippedElsewhere {
        /// The joint.
        joint: String,
        /// The section that skips it.
        other: String,
        /// `true` if the section is in a file of a parent folder.
        is_above: bool,
    },
    /// The file has no such attack or state, or only in a form that cannot be edited.
    #[error("the file has no {entry} of the clip {clip:?} as [[…clips.{clip:?}…]] or as a list; write it there first")]
    NoEntry {
        /// The clip.
        clip: String,
        /// The attack or the state, as `attack "jab"`.
        entry: String,
    },
    /// The file was edited in the meantime.
    #[error("the file has other windows of {entry} of the clip {clip:?} than the edit began with; nothing was written")]
    OtherWindows {
        /// The clip.
        clip: String,
        /// The attack or the state, as `attack "jab"`.
        entry: String,
    },
}

fn of_file(is_above: bool) -> &'static str {
    if is_above { " of a bonebox.toml in a parent folder" } else { "" }
}

/// Returns the text of the file with one option of a character, or of one of its joints, set to a value. The option is
/// written in the character's own section. If a section below it with a matching pattern sets the same option, the
/// character's own section moves to the end of the file, where it overrides the rest of the file.
///
/// `value` is a text as on the command line. It is written as a number if the option takes a number and it is a number,
/// otherwise as a string.
///
/// # Errors
/// Returns [`EditError`] if the file has a mistake or a form that cannot be extended, if the option or its value is
/// wrong, or if the change would have no effect because moving the section would change other settings.
pub fn with_option(
    text: &str,
    character: &str,
    joint: Option<&str>,
    key: &str,
    value: &str,
) -> Result<String, EditError> {
    // A pattern for joint names may be a number, too.
    let is_text = BakeOption::find(key).is_some_and(|row| row.kind == OptionKind::Patterns);
    let value = match (value.parse::<i64>(), value.parse::<f64>()) {
        _ if is_text => Value::from(value),
        (Ok(number), _) => Value::from(number),
        (_, Ok(number)) => Value::from(number),
        _ => Value::from(value),
    };
    let section = match joint {
        Some(joint) => format!("characters.{character:?}.joints.{joint:?}"),
        None => format!("characters.{character:?}"),
    };
    edited(text, character, &[(joint, key)], |document| {
        let no_place = || EditError::NoPlace { section: section.clone() };
        let characters = table(document.as_table_mut(), "characters", true).ok_or_else(no_place)?;
        let own = table(characters, character, joint.is_some()).ok_or_else(no_place)?;
        let section = match joint {
            Some(joint) => {
                let joints = table(own, "joints", true).ok_or_else(no_place)?;
                table(joints, joint, false).ok_or_else(no_place)?
            }
            None => own,
        };
        match section.get_mut(key).and_then(Item::as_value_mut) {
            // The comment after the old value is kept.
            Some(old) => {
                let decor = old.decor().clone();
                *old = value.clone();
                *old.decor_mut() = decor;
            }
            None => {
                section.insert(key, Item::Value(value.clone()));
            }
        }
        section.set_implicit(false);
        Ok(())
    })
}

/// The treatment of the fitted boxes of joints that get manual boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FittedBoxes {
    /// The joints have fitted boxes and manual boxes.
    Keep,
    /// The joints have only the manual boxes: `skip = true` is written.
    Skip,
}

/// Returns the text of the file with these manual boxes of one character, by joint name. They replace the boxes that
/// the file had for the same joints. `above` are the files of parent folders that also apply.
///
/// A reader of the text gets the same `f32` numbers, to the last bit.
///
/// # Errors
/// Returns [`EditError`] if the file has a mistake, or a form that cannot be extended, or if a section that is not the
/// character's own has boxes of the same joints.
pub fn with_boxes(
    above: &[&Settings],
    text: &str,
    character: &str,
    boxes: &BTreeMap<String, Vec<ManualBox>>,
    fitted: FittedBoxes,
) -> Result<String, EditError> {
    let settings = Settings::parse_layer(text)?;
    boxes.keys().try_for_each(|joint| refuse_boxes_of_other_sections(above, &settings, character, joint))?;
    let is_skipped = fitted == FittedBoxes::Skip;
    let keys: Vec<_> = boxes.keys().filter(|_| is_skipped).map(|joint| (Some(joint.as_str()), "skip")).collect();
    edited(text, character, &keys, |document| add_boxes(document, character, boxes, fitted))
}

/// Returns [`EditError::OtherBoxes`] if another section than the character's own has manual boxes of the joint.
pub(crate) fn refuse_boxes_of_other_sections(
    above: &[&Settings],
    settings: &Settings,
    character: &str,
    joint: &str,
) -> Result<(), EditError> {
    let own = settings.other_section_with_boxes(character, joint).map(|other| (other, false));
    let mut far = above.iter().filter_map(|file| Some((file.section_with_boxes(character, joint)?, true)));
    match own.or_else(|| far.next()) {
        Some((other, is_above)) => Err(EditError::OtherBoxes {
            section: format!("characters.{character:?}.joints.{joint:?}"),
            other,
            is_above,
        }),
        None => Ok(()),
    }
}

/// Returns the text of the file with one more entry of `motions` for a character, in the character's own section. An entry
/// with the same files is replaced. If the motions of the character are in another section so far, the own section gets all
/// of them, because its list replaces the other list.
///
/// # Errors
/// Returns [`EditError`] if the file has a mistake or a form that cannot be extended, or if a later section overrides the
/// motions of the character and its own section cannot be moved below it.
pub fn with_motion(text: &str, character: &str, motion: &MotionSettings) -> Result<String, EditError> {
    let known = Settings::parse_layer(text)?.for_character(character, &[]);
    let mut all = known.map(|settings| settings.motions).unwrap_or_default();
    all.retain(|one| one.files != motion.files);
    all.push(motion.clone());
    edited(text, character, &[(None, "motions")], |document| {
        let no_place = || EditError::NoPlace { section: format!("characters.{character:?}") };
        let characters = table(document.as_table_mut(), "characters", true).ok_or_else(no_place)?;
        let own = table(characters, character, false).ok_or_else(no_place)?;
        let mut list: Array = all.iter().map(motion_value).collect();
        // One entry a line.
        list.iter_mut().for_each(|entry| entry.decor_mut().set_prefix("\n    "));
        list.set_trailing("\n");
        list.set_trailing_comma(true);
        own.insert("motions", Item::Value(Value::Array(list)));
        own.set_implicit(false);
        Ok(())
    })
}

fn motion_value(motion: &MotionSettings) -> Value {
    let MotionSettings { files, clips, prefix, rename, from, to, by, bones, replace } = motion;
    let texts = |texts: &[String]| match texts {
        [one] => Value::from(one.as_str()),
        several => Value::Array(several.iter().map(String::as_str).collect()),
    };
    let pairs = |pairs: &[(String, String)]| -> Value {
        let pairs = pairs.iter().map(|(key, value)| (key.as_str(), Value::from(value.as_str())));
        Value::InlineTable(pairs.collect())
    };
    let mut table = InlineTable::new();
    table.insert("files", texts(files));
    if !clips.is_empty() {
        let clips: Vec<String> = clips.iter().map(|clip| clip.as_str().to_owned()).collect();
        table.insert("clips", texts(&clips));
    }
    if !prefix.is_empty() {
        table.insert("prefix", prefix.as_str().into());
    }
    if !rename.is_empty() {
        table.insert("rename", pairs(rename));
    }
    for (key, seconds) in [("from", from), ("to", to)] {
        if let Some(seconds) = seconds {
            table.insert(key, shortest(seconds).into());
        }
    }
    if let Some(by) = by {
        table.insert("by", by.keyword().into());
    }
    if !bones.is_empty() {
        table.insert("bones", pairs(bones));
    }
    if *replace {
        table.insert("replace", true.into());
    }
    match table.len() {
        1 => texts(files).as_str().map_or_else(|| Value::InlineTable(table.clone()), Value::from),
        _ => Value::InlineTable(table),
    }
}

/// Returns the text after a change to the section of one character. `keys` are the joints and the keys that the change
/// sets, and no later section may override them.
pub(crate) fn edited(
    text: &str,
    character: &str,
    keys: &[(Option<&str>, &str)],
    change: impl Fn(&mut DocumentMut) -> Result<(), EditError>,
) -> Result<String, EditError> {
    let overridden = |text: &str| -> Result<Option<EditError>, EditError> {
        let settings = Settings::parse_layer(text)?;
        let later = |&(joint, key)| Some((settings.overriding(character, joint, key)?, key));
        Ok(keys.iter().find_map(later).map(|(later, key)| EditError::Overridden {
            section: format!("characters.{character:?}"),
            later: format!("characters.{later:?}"),
            key: key.to_owned(),
        }))
    };
    let in_place = changed(text, character, &change)?;
    let Some(no_effect) = overridden(&in_place)? else { return Ok(in_place) };
    let moved = with_section_at_the_end(text, character).ok_or_else(|| no_effect.clone())?;
    let settings = |text: &str| Settings::parse_layer(text).ok()?.for_character(character, &[]).ok();
    if settings(&moved) != settings(text) {
        return Err(no_effect);
    }
    let at_the_end = changed(&moved, character, &change)?;
    match overridden(&at_the_end)? {
        Some(no_effect) => Err(no_effect),
        None => Ok(with_line_ends_of(text, at_the_end)),
    }
}

/// The text with the section of this character, and the sections of its joints, at the end. `None` if the file has them
/// in another form than sections.
fn with_section_at_the_end(text: &str, character: &str) -> Option<String> {
    let mut document = text.parse::<DocumentMut>().ok()?;
    let (key, own) = document.get_mut("characters")?.as_table_mut()?.remove_entry(character)?;
    let mut characters = Table::new();
    characters.set_implicit(true);
    characters.insert_formatted(&key, own);
    let mut end = DocumentMut::new();
    end.insert("characters", Item::Table(characters));
    let (rest, end) = (document.to_string(), end.to_string());
    Some(format!("{}\n\n{}", rest.trim_end_matches(['\r', '\n']), end.trim_start_matches(['\r', '\n'])))
}

/// Returns the text after a change to the section of one character. A new section is added at the end.
fn changed(
    text: &str,
    character: &str,
    change: &impl Fn(&mut DocumentMut) -> Result<(), EditError>,
) -> Result<String, EditError> {
    Settings::parse_layer(text)?;
    let mut document = match text.parse::<DocumentMut>() {
        Ok(document) => document,
        Err(error) => {
            let span = error.span().unwrap_or(0..0);
            return Err(SettingsError::at(text, span, error.message().to_owned()).into());
        }
    };
    // A mistake in the change itself is reported first.
    let mut sections = DocumentMut::new();
    change(&mut sections)?;
    Settings::parse_layer(&sections.to_string())?;
    let characters = document.get("characters").and_then(Item::as_table_like);
    if characters.is_none_or(|characters| !characters.contains_key(character)) {
        // New sections are added at the end of the file, after comments that no setting follows.
        let blank = if text.is_empty() || sections.is_empty() {
            ""
        } else if text.ends_with('\n') {
            "\n"
        } else {
            "\n\n"
        };
        let longer = format!("{text}{blank}{sections}");
        if Settings::parse_layer(&longer).is_ok() {
            return Ok(with_line_ends_of(text, longer));
        }
    }
    change(&mut document)?;
    let edited = document.to_string();
    // TOML cannot extend a section that is written as dotted keys.
    match Settings::parse_layer(&edited) {
        Ok(_) => Ok(with_line_ends_of(text, edited)),
        Err(_) => Err(EditError::NoPlace { section: format!("characters.{character:?}") }),
    }
}

/// Returns the edited text with the line ends of Windows if every line of the original text has them. toml_edit writes
/// the line ends of Unix.
pub(crate) fn with_line_ends_of(text: &str, edited: String) -> String {
    let (lines, of_windows) = (text.matches('\n').count(), text.matches("\r\n").count());
    if lines > 0 && lines == of_windows { edited.replace("\r\n", "\n").replace('\n', "\r\n") } else { edited }
}

/// Removes the manual boxes of a joint from the character's own section, and `skip`. A section without anything else goes
/// too, unless a comment stands above it.
pub(crate) fn remove_boxes(document: &mut DocumentMut, character: &str, joint: &str) -> Result<(), EditError> {
    let no_place = || EditError::NoPlace { section: format!("characters.{character:?}.joints.{joint:?}") };
    let mut names = ["characters", character, "joints", joint].into_iter();
    let mut section = document.as_table_mut();
    // A section that does not exist has nothing to remove.
    for name in names.by_ref() {
        if !section.contains_key(name) {
            return Ok(());
        }
        section = table(section, name, true).ok_or_else(no_place)?;
    }
    section.remove("skip");
    section.remove("boxes");
    remove_empty(document.as_table_mut(), &["characters", character, "joints", joint]);
    Ok(())
}

/// Removes the last of these nested sections if it is empty and has no comment, then the one around it, and so on.
fn remove_empty(parent: &mut Table, names: &[&str]) {
    let [name, inner @ ..] = names else { return };
    let Some(section) = parent.get_mut(name).and_then(Item::as_table_mut) else { return };
    remove_empty(section, inner);
    let comment =
        section.decor().prefix().and_then(|before| before.as_str()).is_some_and(|before| before.contains('#'));
    if section.is_empty() && !comment {
        parent.remove(name);
    }
}

pub(crate) fn add_boxes(
    document: &mut DocumentMut,
    character: &str,
    boxes: &BTreeMap<String, Vec<ManualBox>>,
    fitted: FittedBoxes,
) -> Result<(), EditError> {
    for (joint, boxes) in boxes {
        let no_place = || EditError::NoPlace { section: format!("characters.{character:?}.joints.{joint:?}") };
        let characters = table(document.as_table_mut(), "characters", true).ok_or_else(no_place)?;
        let own = table(characters, character, true).ok_or_else(no_place)?;
        let joints = table(own, "joints", true).ok_or_else(no_place)?;
        let section = table(joints, joint, false).ok_or_else(no_place)?;
        if fitted == FittedBoxes::Skip {
            section.insert("skip", Value::from(true).into());
        }
        let list: ArrayOfTables = boxes.iter().map(box_table).collect();
        match list.is_empty() {
            true => section.remove("boxes"),
            false => section.insert("boxes", Item::ArrayOfTables(list)),
        };
        let empty = section.iter().all(|(key, _)| key == "boxes");
        section.set_implicit(empty);
    }
    Ok(())
}

/// Returns the section with this name, and adds it if it does not exist. An inline table in braces becomes a section in
/// brackets.
fn table<'a>(parent: &'a mut Table, name: &str, implicit: bool) -> Option<&'a mut Table> {
    let item = parent.entry(name).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(implicit);
        Item::Table(table)
    });
    if let Item::Value(Value::InlineTable(inline)) = item {
        *item = Item::Table(std::mem::take(inline).into_table());
    }
    item.as_table_mut()
}

fn box_table(one: &ManualBox) -> Table {
    let mut table = Table::new();
    if one.shape != HitboxShape::Box {
        table.insert("shape", Value::from(one.shape.keyword()).into());
    }
    table.insert("center", numbers(&one.center.to_array()));
    table.insert("half_extents", numbers(&one.half_extents.to_array()));
    if one.orientation != Quat::IDENTITY {
        table.insert("orientation", numbers(&one.orientation.to_array()));
    }
    if one.role != HitboxRole::Hurt {
        table.insert("role", Value::from(one.role.keyword()).into());
    }
    if one.unit != LengthUnit::Meters {
        table.insert("unit", Value::from(one.unit.keyword()).into());
    }
    if !one.tags.is_empty() {
        table.insert("tags", Value::Array(one.tags.iter().map(String::as_str).collect::<Array>()).into());
    }
    table
}

/// The shortest decimal number that reads back to the same `f32`.
fn shortest(number: &f32) -> f64 {
    number.to_string().parse().unwrap_or_default()
}

fn numbers(numbers: &[f32]) -> Item {
    Value::Array(numbers.iter().map(shortest).collect::<Array>()).into()
}
