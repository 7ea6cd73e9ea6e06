//! `bonebox diff`: shows how a change of an asset affects its boxes, for code review.

mod attacks;
mod base;
mod boxes;
pub(crate) mod change;
mod clips;
pub(crate) mod compare;
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
use change::{Change, Kind};
use compare::compare;
use serde::Serialize;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The exit code if the bakes cannot be compared, as `cmp` and `git diff` have it.
pub(crate) const FAILED: u8 = 2;

/// The default of `--over`.
pub(crate) const DEFAULT_OVER: f64 = 0.01;

/// Arguments of `bonebox diff`.
#[derive(clap::Args, Debug)]
#[command(override_usage = "bonebox diff [OPTIONS] OLD NEW\n       bonebox diff [OPTIONS] --base REV [PATHS]...")]
pub(crate) struct Arguments {
    /// The earlier bake: a .bonebox file, or an asset to bake in memory
    #[arg(required_unless_present = "base")]
    old: Option<PathBuf>,
    /// The later bake: a .bonebox file, or an asset to bake in memory
    #[arg(required_unless_present = "base")]
    new: Option<PathBuf>,
    /// With --base, all paths are assets, or folders to search for .glb, .gltf, .vrm and .fbx [default: the working folder]
    #[arg(requires = "base")]
    paths: Vec<PathBuf>,
    /// Compare each character with its baked file at this revision of Git
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Folder that `bonebox bake --out-dir` wrote to [default: outputs are beside the assets]
    #[arg(long, value_name = "DIR", requires = "base")]
    baked: Option<PathBuf>,
    /// Print a summary for a pull request, the worst first
    #[arg(long, requires = "base")]
    markdown: bool,
    /// Write pictures before and after to DIR, for the summary
    #[arg(long, value_name = "DIR", requires = "markdown")]
    pictures: Option<PathBuf>,
    /// Address under which readers of the summary find the pictures [default: DIR of --pictures]
    #[arg(long, value_name = "URL", requires = "pictures")]
    pictures_url: Option<String>,
    /// Ignore the change of a box if no corner moved by more than this share of half the box's diagonal, 0 to 1, and of its
    /// figures of volume if they changed by at most this share; every other change is printed
    #[arg(long, value_name = "SHARE", default_value_t = DEFAULT_OVER)]
    over: f64,
    /// Print one JSON document
    #[arg(long, conflicts_with = "markdown")]
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
pub(crate) struct Side<'a> {
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
    if let Some(base) = &arguments.base {
        return base::run(arguments, base);
    }
    // Without a base, the command line has both.
    let (Some(old_path), Some(new_path)) = (&arguments.old, &arguments.new) else {
        anyhow::bail!("diff compares two bakes; name the earlier and the later one, or use --base REV");
    };
    let defaults = RequestedSettings::default();
    let (old, new) = (load_or_bake(old_path, &defaults)?, load_or_bake(new_path, &defaults)?);
    let changes = compare(&old, &new, over);
    is_read(match arguments.json {
        true => print_json(&Document {
            equal: changes.is_empty(),
            old: Side::new(old_path, &old),
            new: Side::new(new_path, &new),
            changes: &changes,
        }),
        false => print_lines(&mut std::io::stdout().lock(), &changes, &old, &new),
    })?;
    Ok(if changes.is_empty() { SUCCESS } else { FAILURE })
}

fn print_json(document: &impl Serialize) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout().lock(), "{}", serde_json::to_string_pretty(document)?)?)
}

fn print_lines(
    out: &mut impl std::io::Write,
    changes: &[Change],
    old: &BakedCharacter,
    new: &BakedCharacter,
) -> anyhow::Result<()> {
    for change in changes {
        writeln!(out, "{}", printable(&change.to_string()))?;
    }
    Ok(writeln!(out, "{}", summary(changes, old, new))?)
}

impl<'a> Side<'a> {
    pub(crate) fn new(path: &Path, character: &'a BakedCharacter) -> Self {
        Self {
            path: path.display().to_string(),
            name: &character.name,
            joints: character.skeleton.len(),
            boxes: character.boxes.len(),
            clips: character.clips.len(),
            volume: Figures::of_bake(character).volume,
        }
    }
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
