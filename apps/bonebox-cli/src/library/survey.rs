//! The state of each character now and at a base.

use crate::commands::bake::progress::Progress;
use crate::commands::diff::change::Change;
use crate::commands::diff::compare::compare;
use crate::commands::table::plural;
use crate::library::findings::{Broken, broken_limits};
use crate::library::git::{Base, baked};
use crate::terminal::eprint_line;
use anyhow::ensure;
use asset_bake::{
    AssetResult, BakeOutcome, BakeRequest, BakeTarget, RequestedSettings, SettingsFiles, bake_assets, printable_path,
};
use baked_format::BakedCharacter;
use bone_fit::Figures;
use rayon::prelude::*;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What to look at.
pub(crate) struct Request<'a> {
    /// Assets, and folders that are searched for assets.
    pub(crate) paths: Vec<PathBuf>,
    /// The folder that `bonebox bake --out-dir` wrote to; `None` for outputs beside the assets.
    pub(crate) baked: Option<PathBuf>,
    pub(crate) settings: &'a RequestedSettings,
    /// The revision to compare with.
    pub(crate) base: Option<&'a str>,
    /// As `bonebox diff --over`.
    pub(crate) over: f64,
}

/// All characters, the worst first.
pub(crate) struct Survey {
    pub(crate) entries: Vec<Entry>,
    /// The base; `None` without one.
    pub(crate) base: Option<BaseName>,
}

/// The revision of the base as it was named, and its commit.
pub(crate) struct BaseName {
    pub(crate) revision: String,
    /// The full name of the commit.
    pub(crate) commit: String,
    /// True if the base has no baked file at all below the paths.
    pub(crate) is_empty: bool,
}

/// One character.
pub(crate) struct Entry {
    /// 16 hexadecimal digits that belong to the path, for names of files.
    pub(crate) key: String,
    pub(crate) name: String,
    /// The path of the asset for people; that of the baked file for a character that only the base has.
    pub(crate) path: String,
    /// The character to bake; `None` if only the base has it.
    pub(crate) target: Option<BakeTarget>,
    pub(crate) state: State,
    pub(crate) since: Since,
}

/// The state of a character now.
pub(crate) enum State {
    Baked(Box<Now>),
    /// The reason why the character cannot be baked.
    Failed(String),
    /// Only the base has the character.
    Removed,
}

/// A baked character.
pub(crate) struct Now {
    pub(crate) character: BakedCharacter,
    pub(crate) figures: Figures,
    /// The size of the file `NAME.bonebox`.
    pub(crate) bytes: u64,
    pub(crate) broken: Vec<Broken>,
}

/// The difference from the base.
pub(crate) enum Since {
    /// No base was given, or neither side can be compared.
    Nothing,
    Added,
    Removed(Box<Old>),
    Unchanged,
    Changed(Box<Old>, Vec<Change>),
    /// The baked file of the base cannot be read, for this reason.
    Unknown(String),
}

/// The baked file of the base.
pub(crate) struct Old {
    /// The path in the checkout.
    pub(crate) path: PathBuf,
    pub(crate) character: BakedCharacter,
    pub(crate) figures: Figures,
    pub(crate) bytes: u64,
}

impl Old {
    fn read(path: &Path, bytes: &[u8]) -> anyhow::Result<Self> {
        let character = baked(path, bytes)?;
        let figures = Figures::of_bake(&character);
        Ok(Self { path: path.to_owned(), figures, bytes: bytes.len() as u64, character })
    }
}

impl BaseName {
    /// The first letters of the commit's name, for people.
    pub(crate) fn short(&self) -> &str {
        self.commit.get(..10).unwrap_or(&self.commit)
    }
}

/// The numbers of characters by what happened to them. A character outside its limits also has one of the other words.
#[derive(Serialize)]
pub(crate) struct Counts {
    pub(crate) characters: usize,
    pub(crate) failed: usize,
    /// Outside their limits.
    pub(crate) refused: usize,
    pub(crate) changed: usize,
    pub(crate) added: usize,
    pub(crate) removed: usize,
    pub(crate) not_comparable: usize,
    pub(crate) unchanged: usize,
}

impl Survey {
    /// Bakes the characters in memory, or reads their outputs if these are up to date, and compares them with the base.
    ///
    /// # Errors
    /// Returns an error if the settings are wrong, there is no asset, or the base cannot be read.
    pub(crate) fn take(request: &Request<'_>) -> anyhow::Result<Self> {
        let bake = BakeRequest {
            paths: request.paths.clone(),
            out_dir: request.baked.clone(),
            in_memory: true,
            settings: request.settings.clone(),
            ..BakeRequest::default()
        };
        let progress = Progress::new(false, true, None);
        let run = bake_assets(&bake, &progress);
        progress.clear();
        let results = run?.results;
        let mut base = match request.base {
            Some(revision) => Some(Base::open(revision, &places(&bake, &results))?),
            None => None,
        };
        ensure!(
            !results.is_empty() || base.as_ref().is_some_and(|base| base.paths().next().is_some()),
            crate::terminal::NO_ASSETS
        );
        let targets: Vec<PathBuf> = results.iter().map(|row| row.target.path.clone()).collect();
        let settings = SettingsFiles::open(&bake.settings, &targets)?;
        let (mut seen, mut with_base) = (BTreeSet::new(), Vec::new());
        for row in results {
            let old = match &mut base {
                Some(base) => {
                    let path = base.inside(&bake.outputs(&row.target).binary)?;
                    let old = base.bytes(&path);
                    seen.insert(path.clone());
                    Some((path, old))
                }
                None => None,
            };
            with_base.push((row, old));
        }
        let entries = with_base.into_par_iter().map(|(row, old)| Entry::new(row, old, &settings, request.over));
        let mut entries: Vec<Entry> = entries.collect();
        if let Some(base) = &mut base {
            let other: Vec<PathBuf> = base.paths().filter(|path| !seen.contains(*path)).cloned().collect();
            // A file that is still there was not made from an asset of these paths, or its asset is gone and the file is not.
            let (kept, gone): (Vec<_>, Vec<_>) = other.into_iter().partition(|path| base.is_there(path));
            if let [first, ..] = &kept[..] {
                let (files, first) = (plural(kept.len(), "baked file", "baked files"), printable_path(first));
                eprint_line!("note: {files} without an asset not compared (such as {first})");
            }
            for path in gone {
                let old = base.bytes(&path).and_then(|bytes| Old::read(&path, &bytes.unwrap_or_default()));
                entries.push(Entry::removed(&path, old));
            }
        }
        entries.sort_by(worst_first);
        let base = base.zip(request.base).map(|(base, revision)| BaseName {
            revision: revision.to_owned(),
            commit: base.commit.clone(),
            is_empty: base.paths().next().is_none(),
        });
        Ok(Self { entries, base })
    }

    /// The numbers of characters by what happened to them.
    pub(crate) fn counts(&self) -> Counts {
        let count = |is: &dyn Fn(&Entry) -> bool| self.entries.iter().filter(|entry| is(entry)).count();
        let since = |is: fn(&Since) -> bool| count(&|entry| is(&entry.since));
        Counts {
            characters: self.entries.len(),
            failed: count(&|entry| matches!(entry.state, State::Failed(_))),
            refused: count(&|entry| !entry.broken().is_empty()),
            changed: since(|since| matches!(since, Since::Changed(..))),
            added: since(|since| matches!(since, Since::Added)),
            removed: since(|since| matches!(since, Since::Removed(_))),
            not_comparable: since(|since| matches!(since, Since::Unknown(_))),
            unchanged: since(|since| matches!(since, Since::Unchanged)),
        }
    }
}

/// Where the outputs of the request are: its folders, and the outputs of files that it names.
fn places(bake: &BakeRequest, results: &[AssetResult]) -> Vec<PathBuf> {
    if let Some(folder) = &bake.out_dir {
        return vec![folder.clone()];
    }
    let (files, mut places): (Vec<PathBuf>, Vec<PathBuf>) =
        bake.paths.iter().cloned().partition(|path| results.iter().any(|row| row.target.path == *path));
    let named = results.iter().filter(|row| files.contains(&row.target.path));
    places.extend(named.map(|row| bake.outputs(&row.target).binary));
    places
}

impl Entry {
    fn new(
        row: AssetResult,
        old: Option<(PathBuf, anyhow::Result<Option<Vec<u8>>>)>,
        settings: &SettingsFiles<'_>,
        over: f64,
    ) -> Self {
        let AssetResult { target, outcome, .. } = row;
        let (path, name) = (target.shown(), target.name.clone());
        let key = key(&path);
        let made = |character| match baked_now(character, &target, settings) {
            Ok(made) => made,
            // A name may have letters that no baked file has.
            Err(error) => (State::Failed(format!("{error:#}")), Vec::new()),
        };
        let (state, fresh) = match outcome {
            BakeOutcome::Failed(error) => (State::Failed(error.with_causes()), Vec::new()),
            BakeOutcome::Baked(character) => made(*character),
            BakeOutcome::Stored(one) | BakeOutcome::Unchanged(one) | BakeOutcome::Refused(one, _) => made(*one),
        };
        let since = match (old, &state) {
            (None, _) => Since::Nothing,
            (Some((_, Err(error))), _) => Since::Unknown(format!("{error:#}")),
            (Some((_, Ok(None))), State::Baked(_)) => Since::Added,
            (Some((_, Ok(None))), _) => Since::Nothing,
            (Some((_, Ok(Some(bytes)))), State::Baked(_)) if bytes == fresh => Since::Unchanged,
            (Some((path, Ok(Some(bytes)))), state) => match (Old::read(&path, &bytes), state) {
                (Err(error), _) => Since::Unknown(format!("{error:#}")),
                (Ok(old), State::Baked(now)) => match compare(&old.character, &now.character, over) {
                    changes if changes.is_empty() => Since::Unchanged,
                    changes => Since::Changed(Box::new(old), changes),
                },
                (Ok(_), _) => Since::Nothing,
            },
        };
        Self { key, name, path, target: Some(target), state, since }
    }

    fn removed(path: &Path, old: anyhow::Result<Old>) -> Self {
        let shown = printable_path(path);
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let since = match old {
            Ok(old) => Since::Removed(Box::new(old)),
            Err(error) => Since::Unknown(format!("{error:#}")),
        };
        Self { key: key(&shown), name, path: shown, target: None, state: State::Removed, since }
    }

    /// The baked character; `None` if there is none now.
    pub(crate) fn now(&self) -> Option<&Now> {
        match &self.state {
            State::Baked(now) => Some(now),
            State::Failed(_) | State::Removed => None,
        }
    }

    /// The baked file of the base, if it was read and differs.
    pub(crate) fn old(&self) -> Option<&Old> {
        match &self.since {
            Since::Removed(old) | Since::Changed(old, _) => Some(old),
            _ => None,
        }
    }

    /// The reason why the character cannot be baked or compared.
    pub(crate) fn problem(&self) -> Option<&str> {
        match (&self.state, &self.since) {
            (State::Failed(problem), _) | (_, Since::Unknown(problem)) => Some(problem),
            _ => None,
        }
    }

    /// The limits that the character breaks.
    pub(crate) fn broken(&self) -> &[Broken] {
        self.now().map_or(&[], |now| &now.broken)
    }

    /// True if the base and now differ.
    pub(crate) fn differs(&self) -> bool {
        matches!(self.since, Since::Added | Since::Removed(_) | Since::Changed(..))
    }

    /// The class of the worst thing about the character, the worst class first, and how bad it is within the class.
    fn severity(&self) -> (u8, f64) {
        match (&self.state, &self.since) {
            (State::Failed(_), _) => (0, 0.0),
            (State::Baked(now), _) if !now.broken.is_empty() => (1, now.broken.len() as f64),
            (State::Baked(now), Since::Changed(old, changes)) => {
                let (lost, grown) =
                    (lost_coverage(&old.figures, &now.figures), grown_escape(&old.figures, &now.figures));
                match () {
                    () if lost > 0.0 => (2, lost),
                    () if grown > 0.0 => (3, grown),
                    () => (4, changes.len() as f64),
                }
            }
            (_, Since::Unknown(_)) => (5, 0.0),
            (_, Since::Added) => (6, 0.0),
            (_, Since::Removed(_)) => (7, 0.0),
            (State::Baked(now), _) => (8, now.figures.warnings as f64),
            (State::Removed, _) => (7, 0.0),
        }
    }
}

/// Differences of a share below this are not visible in the figures, which have tenths of a percent.
const VISIBLE: f64 = 0.0005;

/// The larger loss of coverage at rest and over clips, as a share of the surface; 0 if less than is visible was lost.
pub(crate) fn lost_coverage(old: &Figures, new: &Figures) -> f64 {
    let lost = |old: Option<f64>, new: Option<f64>| old.zip(new).map_or(0.0, |(old, new)| old - new);
    let most = lost(old.coverage_rest, new.coverage_rest).max(lost(old.coverage_clips, new.coverage_clips));
    if most >= VISIBLE { most } else { 0.0 }
}

/// The growth of the largest escape, as a share of the height; 0 if it grew by less than is visible.
pub(crate) fn grown_escape(old: &Figures, new: &Figures) -> f64 {
    let grown = old.largest_escape.zip(new.largest_escape).map_or(0.0, |(old, new)| new - old);
    if grown >= VISIBLE { grown } else { 0.0 }
}

fn worst_first(a: &Entry, b: &Entry) -> Ordering {
    let ((class, amount), (other, other_amount)) = (a.severity(), b.severity());
    class.cmp(&other).then(other_amount.total_cmp(&amount)).then_with(|| a.path.cmp(&b.path))
}

/// The state of a baked character, and the bytes of its file.
fn baked_now(
    character: BakedCharacter,
    target: &BakeTarget,
    settings: &SettingsFiles<'_>,
) -> anyhow::Result<(State, Vec<u8>)> {
    let bytes = baked_format::write(&character)?;
    let broken = broken_limits(&settings.for_target(target)?, &character);
    let figures = Figures::of_bake(&character);
    let now = Now { figures, bytes: bytes.len() as u64, broken, character };
    Ok((State::Baked(Box::new(now)), bytes))
}

fn key(path: &str) -> String {
    blake3::hash(path.as_bytes()).to_hex()[..16].to_owned()
}
