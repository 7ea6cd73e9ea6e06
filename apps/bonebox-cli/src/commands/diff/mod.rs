//! `bonebox diff`: shows how a change of an asset affects its boxes, for code review.

mod attacks;
mod boxes;
mod change;
mod clips;
mod envelopes;
mod facts;
mod skeleton;
mod ragdoll;
mod skin;
#[cfg(test)]
mod every_field;

use crate::commands::table;
use crate::exit_code::{FAILURE, SUCCESS};
use crate::terminal::is_read;
use crate::wrong_argument::ensure_argument;
use ::skeleton::printable;
use asset_bake::{RequestedSettings, load_or_bake};
use baked_format::BakedCharacter;
use bone_fit::Figures;
use change::{Change, Fields, Kind};
use serde::Serialize;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The exit code if the bakes cannot be compared, as `cmp` and `git diff` have it.
pub(crate) const FAILED: u8 = 2;

/// Arguments of `bonebox diff`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The earlier bake: a .bonebox file, or an asset to bake in memory
    old: PathBuf,
    /// The later bake: a .bonebox file, or an asset to bake in memory
    new: PathBuf,
    /// Ignore the change of a box if no corner moved by more than this share of half the box's diagonal, 0 to 1, and of its
    /// figures of volume if they changed by at most this share; every other change is printed
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    over: f64,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    equal: bool,
    old: Side<'a>,
    new: Side<'a>,
    changes: &'a [Change],
}

/// One of the two bakes.
#[derive(Serialize)]
struct Side<'a> {
    path: String,
    name: &'a str,
    boxes: usize,
    clips: usize,
    joints: usize,
    volume: f64,
}

/// What `--json` prints if the bakes cannot be compared.
#[derive(Serialize)]
struct Failure {
    error: String,
}

/// Prints every difference. The exit code is 0 if there is none, and 1 if there is one. An error exits with [`FAILED`].
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    compare_files(arguments).inspect_err(|error| {
        if arguments.json {
            // If this cannot be printed either, the program exits with the error itself.
            let _ = print_json(&Failure { error: format!("{error:#}") });
        }
    })
}

fn compare_files(arguments: &Arguments) -> anyhow::Result<u8> {
    let over = arguments.over;
    ensure_argument((0.0..=1.0).contains(&over), || {
        format!("--over is {over}, but must be from 0 to 1: a share of half the box's diagonal, so write 2 % as 0.02")
    })?;
    let defaults = RequestedSettings::default();
    let (old, new) = (load_or_bake(&arguments.old, &defaults)?, load_or_bake(&arguments.new, &defaults)?);
    let changes = compare(&old, &new, over);
    is_read(match arguments.json {
        true => print_json(&Document {
            equal: changes.is_empty(),
            old: side(&arguments.old, &old),
            new: side(&arguments.new, &new),
            changes: &changes,
        }),
        false => print_lines(&changes, &old, &new),
    })?;
    Ok(if changes.is_empty() { SUCCESS } else { FAILURE })
}

fn print_json(document: &impl Serialize) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout().lock(), "{}", serde_json::to_string_pretty(document)?)?)
}

fn print_lines(changes: &[Change], old: &BakedCharacter, new: &BakedCharacter) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for change in changes {
        writeln!(out, "{}", printable(&change.to_string()))?;
    }
    Ok(writeln!(out, "{}", summary(changes, old, new))?)
}

fn side<'a>(path: &Path, character: &'a BakedCharacter) -> Side<'a> {
    Side {
        path: path.display().to_string(),
        name: &character.name,
        joints: character.skeleton.len(),
        boxes: character.boxes.len(),
        clips: character.clips.len(),
        volume: Figures::of_bake(character).volume,
    }
}

/// Returns everything that differs. A new field of the file does not compile here, or in the module of its struct, until it
/// is compared.
fn compare(old: &BakedCharacter, new: &BakedCharacter, over: f64) -> Vec<Change> {
    let BakedCharacter {
        name,
        source,
        algorithm_revision,
        options,
        skeleton: _,
        boxes: _,
        clips: _,
        coverage: _,
        warnings,
        humanoid: _,
        skin: _,
        envelopes: _,
        attacks: _,
        states: _,
        ragdoll: _,
    } = old;
    let (sides, mut changes) = ([old, new], Vec::new());
    let mut fields = Fields::default();
    fields.value("name", name.as_str(), new.name.as_str());
    fields.value("algorithm_revision", *algorithm_revision, new.algorithm_revision);
    changes.extend(Change::changed("character", None, fields));
    changes.extend(facts::compare_source(source, &new.source));
    changes.extend(facts::compare_options(options, &new.options));
    skeleton::compare_joints(&mut changes, sides);
    changes.extend(skeleton::compare_humanoids(sides));
    boxes::compare_boxes(&mut changes, sides, over);
    envelopes::compare_envelopes(&mut changes, sides);
    clips::compare_clips(&mut changes, sides);
    skin::compare_skins(&mut changes, sides);
    attacks::compare_attacks(&mut changes, sides);
    attacks::compare_states(&mut changes, sides);
    ragdoll::compare_ragdolls(&mut changes, sides);
    changes.extend(facts::compare_coverage(sides));
    facts::compare_warnings(&mut changes, warnings, &new.warnings);
    changes
}

fn summary(changes: &[Change], old: &BakedCharacter, new: &BakedCharacter) -> String {
    let count = |kind| changes.iter().filter(|change| change.kind == kind).count();
    let volume = |character| Figures::of_bake(character).volume;
    format!(
        "{} added, {} removed, {} changed; {} boxes before, {} after; the volume is {} of the old volume",
        count(Kind::Added),
        count(Kind::Removed),
        count(Kind::Changed),
        old.boxes.len(),
        new.boxes.len(),
        table::percent(Some(volume(new) / volume(old))),
    )
}
