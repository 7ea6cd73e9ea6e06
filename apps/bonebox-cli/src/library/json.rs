//! What `bonebox diff --base --json` prints: the facts of the summary for programs. docs/library.md describes them.

use crate::commands::diff::Side;
use crate::commands::diff::change::Change;
use crate::library::findings::Broken;
use crate::library::survey::{Counts, Entry, Since, State, Survey};
use asset_bake::shown_path;
use baked_format::BakedCharacter;
use bone_fit::Figures;
use serde::Serialize;
use std::path::Path;

/// All characters, the worst first.
#[derive(Serialize)]
pub(crate) struct Document<'a> {
    /// True if every character can be compared and is unchanged.
    equal: bool,
    base: Option<Base<'a>>,
    summary: Counts,
    characters: Vec<Character<'a>>,
}

#[derive(Serialize)]
struct Base<'a> {
    revision: &'a str,
    commit: &'a str,
    has_baked_files: bool,
}

#[derive(Serialize)]
struct Character<'a> {
    path: String,
    /// The root of the character, if the file was split.
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<&'a str>,
    result: &'static str,
    old: Option<SideWithFigures<'a>>,
    new: Option<SideWithFigures<'a>>,
    changes: &'a [Change],
    broken_limits: Vec<BrokenLimit<'a>>,
    errors: Vec<&'a str>,
}

/// A side as `bonebox diff OLD NEW --json` has it, with the figures of the summary, which have the names of `bonebox bake --json`.
#[derive(Serialize)]
struct SideWithFigures<'a> {
    #[serde(flatten)]
    side: Side<'a>,
    surface_rest: Option<f32>,
    surface_clips: Option<f32>,
    max_escape: Option<f32>,
    every_sample_time: Option<bool>,
    warnings: usize,
    bytes: u64,
}

#[derive(Serialize)]
struct BrokenLimit<'a> {
    limit: &'static str,
    text: &'a str,
    file: Option<String>,
    line: Option<usize>,
}

impl<'a> Document<'a> {
    pub(crate) fn new(survey: &'a Survey) -> Self {
        let base = survey.base.as_ref().map(|base| Base {
            revision: &base.revision,
            commit: &base.commit,
            has_baked_files: !base.is_empty,
        });
        let equal = !survey.entries.iter().any(|entry| entry.differs() || entry.problem().is_some());
        Self { equal, base, summary: survey.counts(), characters: survey.entries.iter().map(Character::new).collect() }
    }
}

impl<'a> Character<'a> {
    fn new(entry: &'a Entry) -> Self {
        let Entry { path, target, state, since, .. } = entry;
        let target = target.as_ref();
        let result = match (state, since) {
            (State::Failed(_), _) => "failed",
            (_, Since::Unknown(_) | Since::Nothing) => "not_comparable",
            (_, Since::Added) => "added",
            (_, Since::Removed(_)) => "removed",
            (_, Since::Changed(..)) => "changed",
            (_, Since::Unchanged) => "unchanged",
        };
        let changes = match since {
            Since::Changed(_, changes) => changes.as_slice(),
            _ => &[],
        };
        let new = target.zip(entry.now());
        Self {
            path: target.map_or_else(|| path.clone(), |target| target.path.display().to_string()),
            root: target.and_then(|target| target.root.as_ref()).map(|root| root.name.as_str()),
            result,
            old: entry.old().map(|old| SideWithFigures::new(&old.path, &old.character, &old.figures, old.bytes)),
            new: new.map(|(target, now)| SideWithFigures::new(&target.path, &now.character, &now.figures, now.bytes)),
            changes,
            broken_limits: entry.broken().iter().map(BrokenLimit::new).collect(),
            errors: entry.problem().into_iter().collect(),
        }
    }
}

impl<'a> SideWithFigures<'a> {
    fn new(path: &Path, character: &'a BakedCharacter, figures: &Figures, bytes: u64) -> Self {
        // The number has as many digits as in the baked file.
        let single = |share: Option<f64>| share.map(|share| share as f32);
        Self {
            side: Side::new(path, character),
            surface_rest: single(figures.coverage_rest),
            surface_clips: single(figures.coverage_clips),
            max_escape: single(figures.largest_escape),
            every_sample_time: figures.largest_escape.map(|_| !figures.escape_is_at_least),
            warnings: figures.warnings,
            bytes,
        }
    }
}

impl<'a> BrokenLimit<'a> {
    fn new(broken: &'a Broken) -> Self {
        let Broken { limit, text, place } = broken;
        let place = place.as_ref();
        Self {
            limit: limit.key,
            text,
            file: place.map(|(file, _)| shown_path(file)),
            line: place.map(|(_, line)| *line),
        }
    }
}
