//! Prints the output of `bonebox bake --json`, one object per line. docs/command-line.md describes the objects.

use super::rows::{Outcome, Row};
use crate::commands::skin_size::SkinSize;
use asset_bake::{AssetResult, BakeOutcome, BakeRequest, BakeTarget, Shard, SharedFigures};
use bone_fit::{Figures, Poses};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    Started { shard: String, files: Vec<String>, other_shards: usize },
    File(Box<FileLine<'a>>),
    Summary(Summary),
    Watching { files: usize },
    Error { error: String },
}

#[derive(Serialize)]
struct FileLine<'a> {
    path: String,
    /// The root of the character, if the file was split.
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<&'a str>,
    result: &'static str,
    seconds: f64,
    outputs: Vec<String>,
    character: Option<Character>,
    warnings: Vec<Warning<'a>>,
    errors: &'a [String],
}

#[derive(Serialize)]
struct Character {
    joints: usize,
    boxes: usize,
    vertices: u64,
    clips: usize,
    poses: Option<&'static str>,
    fill: Option<f64>,
    surface_rest: Option<f32>,
    surface_clips: Option<f32>,
    own_rest: Option<f32>,
    own_clips: Option<f32>,
    max_escape: Option<f32>,
    every_sample_time: Option<bool>,
    skin: Option<Skin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shared: Option<Shared>,
}

#[derive(Serialize)]
struct Shared {
    set: String,
    id: String,
    volume_ratio: Option<f64>,
}

#[derive(Serialize)]
struct Skin {
    bytes: usize,
    vertices: usize,
    bytes_per_vertex: f64,
}

#[derive(Serialize)]
struct Warning<'a> {
    code: &'a str,
    text: &'a str,
}

#[derive(Default, Serialize)]
struct Summary {
    baked: usize,
    /// Written from the store.
    stored: usize,
    unchanged: usize,
    refused: usize,
    failed: usize,
    /// The exports of bonebox in the searched folders. They were not baked.
    ignored_exports: Vec<String>,
    /// The files of other 3D formats in the searched folders. They were not baked.
    other_formats: Vec<String>,
    /// The files without a skin in the searched folders that only give motions. They were not baked.
    motion_files: Vec<String>,
    /// The files and folders that a .gitignore or a .boneboxignore leaves out. They were not baked.
    ignored: Vec<String>,
    /// The files that were not started, because another one failed before and --fail-fast is set.
    not_started: Vec<String>,
    /// The number of characters in other shards.
    other_shards: usize,
    seconds: f64,
}

/// What a run did not bake.
pub(super) struct LeftOut<'a> {
    pub(super) ignored_exports: &'a [PathBuf],
    pub(super) other_formats: &'a [PathBuf],
    pub(super) motion_files: &'a [PathBuf],
    pub(super) ignored: &'a [PathBuf],
    pub(super) not_started: &'a [PathBuf],
    pub(super) other_shards: usize,
}

/// Prints what a share of the work consists of, so that a report that ends too early says what is missing.
pub(super) fn print_started(shard: Shard, targets: &[BakeTarget], other_shards: usize) -> anyhow::Result<()> {
    let files: BTreeSet<_> = targets.iter().map(|target| target.path.display().to_string()).collect();
    print_line(&Line::Started { shard: shard.to_string(), files: files.into_iter().collect(), other_shards })
}

/// The line of a result, which [`print_text`] prints.
pub(super) fn text_of(request: &BakeRequest, result: &AssetResult, errors: &[String]) -> anyhow::Result<String> {
    Ok(serde_json::to_string(&Line::File(Box::new(file_line(request, result, errors))))?)
}

pub(super) fn print_text(line: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

/// Prints the summary of all rows.
pub(super) fn print_summary(rows: &[Row], left_out: LeftOut<'_>, took: Duration) -> anyhow::Result<()> {
    let paths = |paths: &[PathBuf]| paths.iter().map(|path| path.display().to_string()).collect();
    let mut summary = Summary {
        ignored_exports: paths(left_out.ignored_exports),
        other_formats: paths(left_out.other_formats),
        motion_files: paths(left_out.motion_files),
        ignored: paths(left_out.ignored),
        not_started: paths(left_out.not_started),
        other_shards: left_out.other_shards,
        seconds: took.as_secs_f64(),
        ..Summary::default()
    };
    for row in rows {
        *match row.outcome {
            Outcome::Baked => &mut summary.baked,
            Outcome::Stored => &mut summary.stored,
            Outcome::Unchanged => &mut summary.unchanged,
            Outcome::Refused => &mut summary.refused,
            Outcome::Failed => &mut summary.failed,
        } += 1;
    }
    print_line(&Line::Summary(summary))
}

/// Prints an error that belongs to no single file. If it cannot be printed, the program exits with the error itself.
pub(super) fn print_error(error: &anyhow::Error) {
    let _ = print_line(&Line::Error { error: format!("{error:#}") });
}

pub(super) fn print_watching(files: usize) -> anyhow::Result<()> {
    print_line(&Line::Watching { files })
}

fn print_line(line: &Line<'_>) -> anyhow::Result<()> {
    print_text(&serde_json::to_string(line)?)
}

fn file_line<'a>(request: &BakeRequest, row: &'a AssetResult, errors: &'a [String]) -> FileLine<'a> {
    let character = row.outcome.character();
    let of_character = character.map(Figures::of_bake).map(|figures| Character {
        joints: figures.joints,
        boxes: figures.boxes,
        vertices: figures.vertices,
        clips: figures.clips,
        poses: figures.poses.map(Poses::keyword),
        fill: figures.fill,
        // The number has as many digits as in the baked file.
        surface_rest: figures.coverage_rest.map(|share| share as f32),
        surface_clips: figures.coverage_clips.map(|share| share as f32),
        own_rest: figures.own_coverage_rest.map(|share| share as f32),
        own_clips: figures.own_coverage_clips.map(|share| share as f32),
        max_escape: figures.largest_escape.map(|share| share as f32),
        every_sample_time: figures.largest_escape.map(|_| !figures.escape_is_at_least),
        // A character that was baked can be written, so there is no error to print.
        skin: character.and_then(|character| SkinSize::measure(character).ok().flatten()).map(|size| Skin {
            bytes: size.bytes,
            vertices: size.vertices,
            bytes_per_vertex: (10.0 * size.bytes_per_vertex()).round() / 10.0,
        }),
        shared: character.and_then(SharedFigures::of_bake).map(|SharedFigures { set, id, volume_ratio }| Shared {
            set: set.to_owned(),
            id: id.to_owned(),
            volume_ratio,
        }),
    });
    let is_there = matches!(row.outcome, BakeOutcome::Baked(_) | BakeOutcome::Stored(_) | BakeOutcome::Unchanged(_));
    let outputs = request.outputs(&row.target);
    let outputs = outputs.both().into_iter().filter(|_| is_there);
    let warnings = character.map(|character| character.warnings.as_slice()).unwrap_or_default();
    FileLine {
        path: row.target.path.display().to_string(),
        root: row.target.root.as_ref().map(|root| root.name.as_str()),
        result: Outcome::of(&row.outcome).word(),
        seconds: row.took.as_secs_f64(),
        outputs: outputs.map(|path| path.display().to_string()).collect(),
        character: of_character,
        warnings: warnings.iter().map(|warning| Warning { code: &warning.code, text: &warning.text }).collect(),
        errors,
    }
}
