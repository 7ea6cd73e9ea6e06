//! Changes the times of an attack or a state in the text of a settings file.

use crate::clip_entry::{ClipEntry, EntryPlace};
use crate::edit::{EditError, with_line_ends_of};
use crate::error::SettingsError;
use crate::settings::Settings;
use baked_format::Window;
use toml_edit::{DocumentMut, Item, TableLike, Value};

/// Numbers that differ by less are the same, in seconds.
const SAME: f32 = 1e-6;

/// Returns the text of the file with other windows of an attack or a state of a character, and the pattern of the section
/// that has them: `None` for the section of all characters. Other characters may have the same section. A file with frames
/// gets frames. Comments and everything else stay unchanged.
///
/// `before` are the windows that the edit began with, in seconds of the clip. `after` are as many windows.
///
/// # Errors
/// Returns [`EditError`] if the file has a mistake, does not have the attack or the state, or has windows other than
/// `before`, and if the new windows are not in order.
pub fn with_windows(
    text: &str,
    character: &str,
    clip: &str,
    entry: ClipEntry<'_>,
    [before, after]: [&[Window]; 2],
) -> Result<(String, Option<String>), EditError> {
    let settings = Settings::parse_layer(text)?;
    let no_entry = || EditError::NoEntry { clip: clip.to_owned(), entry: entry.shown() };
    let place = settings.place_of_entry(character, clip, entry).ok_or_else(no_entry)?;
    if !are_same(place.active, before) || before.len() != after.len() {
        return Err(EditError::OtherWindows { clip: clip.to_owned(), entry: entry.shown() });
    }
    let mut document = text
        .parse::<DocumentMut>()
        .map_err(|error| SettingsError::at(text, error.span().unwrap_or(0..0), error.message().to_owned()))?;
    change(&mut document, clip, entry, place, after).ok_or_else(no_entry)?;
    let edited = with_line_ends_of(text, document.to_string());
    // The reader checks the new windows, and must find them at the same place.
    let written = Settings::parse_layer(&edited)?;
    match written.place_of_entry(character, clip, entry) {
        Some(found) if found.active.len() == after.len() => Ok((edited, place.pattern.map(str::to_owned))),
        _ => Err(no_entry()),
    }
}

/// The file that has an attack or a state of a character, as an index, and the entry as that file counts it. The files are in
/// the order of [`Settings::for_character_in`]. `None` if no file has it.
#[must_use]
pub fn file_of_entry<'e>(
    files: &[&Settings],
    character: &str,
    clip: &str,
    entry: ClipEntry<'e>,
) -> Option<(usize, ClipEntry<'e>)> {
    let has = |index: usize, entry| files[index].place_of_entry(character, clip, entry).is_some();
    match entry {
        ClipEntry::Attack(_) => (0..files.len()).rev().find(|&index| has(index, entry)).map(|index| (index, entry)),
        ClipEntry::State(number) => {
            let mut before = 0;
            for index in 0..files.len() {
                if has(index, ClipEntry::State(number - before)) {
                    return Some((index, ClipEntry::State(number - before)));
                }
                before += (0..number - before).take_while(|&number| has(index, ClipEntry::State(number))).count();
            }
            None
        }
    }
}

fn are_same(one: &[Window], other: &[Window]) -> bool {
    let is_same = |(a, b): (&Window, &Window)| (a.from - b.from).abs() < SAME && (a.to - b.to).abs() < SAME;
    one.len() == other.len() && one.iter().zip(other).all(is_same)
}

/// Changes the numbers of the windows where they stand. `None` if the document has the entry in no form that can be edited.
fn change(
    document: &mut DocumentMut,
    clip: &str,
    entry: ClipEntry<'_>,
    place: EntryPlace<'_>,
    after: &[Window],
) -> Option<()> {
    let mut section: &mut dyn TableLike = document.as_table_mut();
    if let Some(pattern) = place.pattern {
        section = below(below(section, "characters")?, pattern)?;
    }
    let list = match entry {
        ClipEntry::Attack(_) => "attacks",
        ClipEntry::State(_) => "states",
    };
    let entry: &mut dyn TableLike = match below(below(section, "clips")?, clip)?.get_mut(list)? {
        Item::ArrayOfTables(tables) => tables.get_mut(place.index)?,
        Item::Value(Value::Array(values)) => values.get_mut(place.index)?.as_inline_table_mut()?,
        _ => return None,
    };
    let rate = entry.get("rate").and_then(Item::as_value).and_then(as_number);
    let (key, per_second) = if entry.contains_key("frames") { ("frames", rate?) } else { ("active", 1.0) };
    let windows = entry.get_mut(key)?.as_array_mut()?;
    let is_list = windows.iter().any(Value::is_array);
    for (index, (window, old)) in after.iter().zip(place.active).enumerate() {
        let pair = if is_list { windows.get_mut(index)?.as_array_mut()? } else { &mut *windows };
        for (side, [new, old]) in [[window.from, old.from], [window.to, old.to]].into_iter().enumerate() {
            if (new - old).abs() >= SAME {
                let number = pair.get_mut(side)?;
                let decor = number.decor().clone();
                *number = written(new, per_second);
                *number.decor_mut() = decor;
            }
        }
    }
    Some(())
}

fn below<'t>(table: &'t mut dyn TableLike, key: &str) -> Option<&'t mut dyn TableLike> {
    table.get_mut(key)?.as_table_like_mut()
}

fn as_number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|number| number as f64))
}

/// A time as it is written: the shortest decimal number of seconds that reads back to the same `f32`, or a number of frames.
/// Times within a thousandth of a frame are at the frame.
fn written(seconds: f32, per_second: f64) -> Value {
    const PARTS: f64 = 1000.0;
    let shortest: f64 = seconds.to_string().parse().unwrap_or_default();
    if per_second == 1.0 {
        return Value::from(shortest);
    }
    let frames = shortest * per_second;
    if (frames - frames.round()).abs() < 1.0 / PARTS {
        return Value::from(frames.round() as i64);
    }
    Value::from((frames * PARTS).round() / PARTS)
}
