//! Facts about the bake: its source and options, its figures and its warnings.

use super::change::{Change, Fields, compare_lists, named, number, rounded};
use super::skeleton::joint_name;
use baked_format::{BakeWarning, BakedCharacter, Coverage, Source, WorstEscape};
use serde_json::Value;
use std::fmt::Write as _;

pub(super) fn compare_source(old: &Source, new: &Source) -> Option<Change> {
    let Source { file, blake3, generator } = old;
    let mut fields = Fields::default();
    fields.value("file", file.as_str(), new.file.as_str());
    fields.value("blake3", hex(blake3), hex(&new.blake3));
    fields.value("generator", generator.as_str(), new.generator.as_str());
    Change::changed("source", None, fields)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Returns the options that differ. A file leaves out options with their defaults.
pub(super) fn compare_options<'a>(
    old: &'a [(String, String)],
    new: &'a [(String, String)],
) -> impl Iterator<Item = Change> + use<'a> {
    let mut keys: Vec<&str> = old.iter().chain(new).map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    let value = |options: &'a [(String, String)], key: &str| {
        let found = options.iter().find(|(known, _)| known == key);
        found.map_or("default", |(_, value)| value.as_str())
    };
    keys.into_iter().filter_map(move |key| {
        let (before, after) = (value(old, key), value(new, key));
        let mut fields = Fields::default();
        match key {
            // The values are hashes.
            "overrides" if before != after => {
                fields.note("value", "the settings of joints, tags or manual boxes in bonebox.toml differ".into());
            }
            _ => fields.only_value("value", before, after),
        }
        Change::changed("option", Some(key), fields)
    })
}

pub(super) fn compare_coverage([old, new]: [&BakedCharacter; 2]) -> Option<Change> {
    let described = |coverage: &Coverage| format!("surface_clips {}", rounded(coverage.surface_clips.into(), 4));
    let compared = |before: &Coverage, after: &Coverage, fields: &mut Fields| {
        let Coverage { surface_rest, surface_clips, own_rest, own_clips, max_escape, every_sample_time, worst } =
            before;
        let mut figure = |field, before: f32, after: f32| fields.value(field, number(before), number(after));
        figure("surface_rest", *surface_rest, after.surface_rest);
        figure("surface_clips", *surface_clips, after.surface_clips);
        figure("own_rest", *own_rest, after.own_rest);
        figure("own_clips", *own_clips, after.own_clips);
        figure("max_escape", *max_escape, after.max_escape);
        fields.value("every_sample_time", *every_sample_time, after.every_sample_time);
        fields.value("worst", worst_place(old, worst.as_ref()), worst_place(new, after.worst.as_ref()));
    };
    Change::optional("coverage", [old.coverage.as_ref(), new.coverage.as_ref()], described, compared)
}

fn worst_place(character: &BakedCharacter, worst: Option<&WorstEscape>) -> Value {
    let Some(WorstEscape { joint, clip, time }) = worst else { return Value::Null };
    let joint = joint_name(character, *joint);
    let clip = clip.map(|clip| character.clips.get(clip.index()).map_or("?", |clip| clip.name.as_str()));
    let pose = clip.map_or_else(|| "at rest".into(), |clip| format!("in {clip}"));
    format!("at {joint} {pose} at {time} s").into()
}

/// Warnings are matched by their code and joint.
pub(super) fn compare_warnings(changes: &mut Vec<Change>, old: &[BakeWarning], new: &[BakeWarning]) {
    let described = |warning: &BakeWarning| warning.text.clone();
    let compared = |before: &BakeWarning, after: &BakeWarning, fields: &mut Fields| {
        let BakeWarning { code: _, joint: _, text } = before;
        fields.only_value("text", text.as_str(), after.text.as_str());
    };
    compare_lists(changes, "warning", [named(old, warning_name), named(new, warning_name)], described, compared);
}

fn warning_name(warning: &&BakeWarning) -> String {
    let BakeWarning { code, joint, text: _ } = warning;
    joint.as_ref().map_or_else(|| code.clone(), |joint| format!("{code} of {joint}"))
}
