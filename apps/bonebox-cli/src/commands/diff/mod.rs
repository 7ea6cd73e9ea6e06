//! `bonebox diff`: shows how a change of an asset affects its boxes, for code review.

mod box_change;

use crate::commands::table;
use crate::wrong_argument::ensure_argument;
use asset_bake::{RequestedSettings, load_or_bake};
use baked_format::BakedCharacter;
use bone_fit::Figures;
use box_change::{BoxChange, Change, box_changes};
use skeleton::printable;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `bonebox diff`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The earlier bake: a .bonebox file, or an asset to bake in memory
    old: PathBuf,
    /// The later bake: a .bonebox file, or an asset to bake in memory
    new: PathBuf,
    /// Ignore the change of a box if no corner moved by more than this share of half the box's diagonal, 0 to 1; changes of
    /// tags are always printed
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    over: f64,
}

/// Prints every difference. The exit code is 1 if there is one.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let over = arguments.over;
    ensure_argument((0.0..=1.0).contains(&over), || {
        format!("--over is {over}, but must be from 0 to 1: a share of half the box's diagonal, so write 2 % as 0.02")
    })?;
    let defaults = RequestedSettings::default();
    let (old, new) = (load_or_bake(&arguments.old, &defaults)?, load_or_bake(&arguments.new, &defaults)?);
    let mut out = std::io::stdout().lock();
    let options = option_changes(&old, &new);
    for (key, before, after) in &options {
        if *key == "overrides" {
            // The values are hashes.
            writeln!(out, "option   {key}: the settings of joints, tags or manual boxes in bonebox.toml differ")?;
        } else {
            let [key, before, after] = [key, before, after].map(|text| printable(text));
            writeln!(out, "option   {key}: {before} -> {after}")?;
        }
    }
    let boxes = box_changes(&old, &new, arguments.over);
    for change in &boxes {
        writeln!(out, "{}", printable(&change.to_string()))?;
    }
    let parts = other_changes(&old, &new);
    for part in &parts {
        writeln!(out, "differs  {part}")?;
    }
    writeln!(out, "{}", summary(&boxes, &old, &new))?;
    Ok(if boxes.is_empty() && options.is_empty() && parts.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the parts of the file, apart from options and boxes, that differ. A new part of the file does not compile here
/// until it is compared.
fn other_changes(old: &BakedCharacter, new: &BakedCharacter) -> Vec<&'static str> {
    let BakedCharacter {
        name,
        source,
        algorithm_revision,
        options: _,
        skeleton,
        boxes: _,
        clips,
        coverage,
        warnings,
        humanoid,
        skin,
        envelopes,
    } = old;
    let parts = [
        ("name", *name == new.name),
        ("source", *source == new.source),
        ("revision of the algorithms", *algorithm_revision == new.algorithm_revision),
        ("skeleton", *skeleton == new.skeleton),
        ("clips", *clips == new.clips),
        ("coverage", *coverage == new.coverage),
        ("warnings", *warnings == new.warnings),
        ("humanoid", *humanoid == new.humanoid),
        ("skin", *skin == new.skin),
        ("envelopes", *envelopes == new.envelopes),
    ];
    parts.into_iter().filter(|(_, same)| !same).map(|(part, _)| part).collect()
}

/// Returns the options that differ: the key, and its value before and after.
fn option_changes<'a>(old: &'a BakedCharacter, new: &'a BakedCharacter) -> Vec<(&'a str, &'a str, &'a str)> {
    let value = |character: &'a BakedCharacter, key: &str| {
        let found = character.options.iter().find(|(known, _)| known == key);
        found.map_or("default", |(_, value)| value.as_str())
    };
    let mut keys: Vec<&str> = old.options.iter().chain(&new.options).map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    let both = keys.into_iter().map(|key| (key, value(old, key), value(new, key)));
    both.filter(|(_, before, after)| before != after).collect()
}

fn summary(changes: &[BoxChange], old: &BakedCharacter, new: &BakedCharacter) -> String {
    let count = |is: fn(&Change) -> bool| changes.iter().filter(|change| is(&change.change)).count();
    let volume = |character| Figures::of_bake(character).volume;
    format!(
        "{} added, {} removed, {} changed; {} boxes before, {} after; the volume is {} of the old volume",
        count(|change| *change == Change::Added),
        count(|change| *change == Change::Removed),
        count(|change| matches!(change, Change::Changed { .. })),
        old.boxes.len(),
        new.boxes.len(),
        table::percent(Some(volume(new) / volume(old))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_that_differs_is_named() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/runa.bonebox");
        let old = baked_format::read(&std::fs::read(path).unwrap()).unwrap();
        assert_eq!(other_changes(&old, &old), [""; 0]);
        let edits: [(&str, fn(&mut BakedCharacter)); 7] = [
            ("name", |one| one.name.push('a')),
            ("source", |one| one.source.blake3[0] ^= 1),
            ("revision of the algorithms", |one| one.algorithm_revision += 1),
            ("skeleton", |one| one.skeleton = skeleton::Skeleton::default()),
            ("clips", |one| one.clips.truncate(2)),
            ("coverage", |one| one.coverage = None),
            ("humanoid", |one| one.humanoid = None),
        ];
        for (part, edit) in edits {
            let mut new = old.clone();
            edit(&mut new);
            assert_eq!(other_changes(&old, &new), [part]);
        }
    }
}
