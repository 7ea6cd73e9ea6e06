//! Bakes all assets of a request in parallel.

#[cfg(test)]
mod tests;

use crate::asset::Asset;
use crate::atomic_file::{behind_links, folder_of, remove_abandoned_files};
use crate::bake_key::BakeKey;
use crate::find::{FoundAssets, Search, search};
use crate::in_order::map_in_order;
use crate::outputs::{OutputBytes, OutputPaths};
use crate::place::Places;
use crate::settings_files::SettingsFiles;
use crate::shard::Shard;
use crate::store::{Store, StoreInRun, StoreUse};
use crate::target::BakeTarget;
use crate::{AssetError, RequestedSettings};
use baked_format::BakedCharacter;
use bone_fit::{Bake, BakeError, BakeObserver, BakeStep};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The assets to bake, and the settings of the bake.
#[derive(Clone, Debug, Default)]
pub struct BakeRequest {
    /// Files, and folders that are searched for assets.
    pub paths: Vec<PathBuf>,
    /// The folder for all outputs; `None` writes each output beside its asset. It gets the subfolders of the folders in `paths`:
    /// the outputs of `paths/a/b.glb` are in `out_dir/a`.
    pub out_dir: Option<PathBuf>,
    /// If `true`, all outputs are in `out_dir` itself.
    pub flat: bool,
    /// The share of the work that this run does; `None` for all of it.
    pub shard: Option<Shard>,
    /// The results of earlier bakes, of this machine or of others; `None` for no store. A check does not use it.
    pub store: Option<Store>,
    /// If `true`, no character is started after one has failed.
    pub fail_fast: bool,
    /// The longest time for one character. A longer bake fails with [`AssetError::TooSlow`] at its next step; the others go on.
    /// Characters that share hitboxes are fitted before this time begins.
    pub most_time: Option<Duration>,
    /// If `true`, write nothing, and compare the existing outputs with a fresh bake.
    pub check: bool,
    /// If `true`, write no output: unchanged outputs are read, and all other characters are baked in memory. The results have
    /// the warnings that the files would have.
    pub in_memory: bool,
    /// If `true`, bake assets again even if they have not changed, and replace outputs with added clips.
    pub force: bool,
    /// If `true`, bake each of several characters in an asset to files of its own.
    pub split: bool,
    /// The options, and the settings file that applies.
    pub settings: RequestedSettings,
}

impl BakeRequest {
    /// The paths of a character's outputs.
    #[must_use]
    pub fn outputs(&self, target: &BakeTarget) -> OutputPaths {
        let folder = self.out_dir.as_ref().map(|out_dir| match self.in_tree(&target.path).parent() {
            Some(subfolder) if !self.flat => out_dir.join(subfolder),
            _ => out_dir.clone(),
        });
        OutputPaths::of_target(target, folder.as_deref())
    }

    /// The path of an asset, counted from the folder of the request that contains it. Only the file name of an asset that the
    /// request names itself.
    pub(crate) fn in_tree(&self, asset: &Path) -> PathBuf {
        let below = |root: &PathBuf| asset.strip_prefix(root).ok().filter(|below| !below.as_os_str().is_empty());
        let named = || Path::new(asset.file_name().unwrap_or_default());
        // The outer one of nested folders counts.
        let below = self.paths.iter().filter_map(below).max_by_key(|below| below.components().count());
        below.unwrap_or_else(named).to_owned()
    }
}

/// The result of one asset.
#[derive(Debug)]
pub enum BakeOutcome {
    /// The outputs were written, `check` found them equal to a fresh bake, or the character was baked in memory.
    Baked(Box<Bake>),
    /// The outputs were written from the result of an earlier bake in the store.
    Stored(Box<BakedCharacter>),
    /// The outputs exist already, from the same bytes with the same settings.
    Unchanged(Box<BakedCharacter>),
    /// The bake broke limits, so no file was written. The list has one sentence for each broken limit. Earlier outputs
    /// are unchanged.
    Refused(Box<BakedCharacter>, Vec<String>),
    /// The asset could not be baked. Earlier outputs are unchanged.
    Failed(AssetError),
}

impl BakeOutcome {
    /// The baked character, even if it was not written; `None` if the bake failed.
    #[must_use]
    pub fn character(&self) -> Option<&BakedCharacter> {
        match self {
            Self::Baked(bake) => Some(&bake.character),
            Self::Stored(character) | Self::Unchanged(character) | Self::Refused(character, _) => Some(character),
            Self::Failed(_) => None,
        }
    }

    fn character_mut(&mut self) -> Option<&mut BakedCharacter> {
        match self {
            Self::Baked(bake) => Some(&mut bake.character),
            Self::Stored(character) | Self::Unchanged(character) | Self::Refused(character, _) => Some(character),
            Self::Failed(_) => None,
        }
    }
}

/// A character and its result.
#[derive(Debug)]
pub struct AssetResult {
    /// The asset, or the character in it. If a path of the request cannot be read, this has that path.
    pub target: BakeTarget,
    /// The result of the bake of this character.
    pub outcome: BakeOutcome,
    /// The time for reading, fitting and writing.
    pub took: Duration,
}

/// The results of a run. [`bake_each`] keeps less of each result than an [`AssetResult`].
#[derive(Debug)]
pub struct BakeRun<R = AssetResult> {
    /// One result for each asset, or for each character of an asset that is split, sorted by path.
    pub results: Vec<R>,
    /// The use of the store; `None` without a store.
    pub store: Option<StoreUse>,
    /// The number of characters that belong to other shares of the work.
    pub other_shards: usize,
    /// Characters that were not started, because another one failed and the request stops then. Sorted by path.
    pub not_started: Vec<BakeTarget>,
    /// Exports of bonebox in the searched folders. They were not baked.
    pub ignored_exports: Vec<PathBuf>,
    /// Files of other 3D formats in the searched folders ([`FoundAssets::other_formats`]). They were not baked.
    pub other_formats: Vec<PathBuf>,
    /// Files and folders that a `.gitignore` or a `.boneboxignore` leaves out ([`FoundAssets::ignored`]). They were not baked.
    pub ignored: Vec<PathBuf>,
    /// Files without a skin in the searched folders that the `motions` of a settings file name. They are no characters.
    pub motion_files: Vec<PathBuf>,
}

/// The stage of the work on an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BakeStage {
    /// Reading and checking the asset and its buffers.
    Reading,
    /// Fitting boxes and measuring them.
    Fitting,
    /// Writing or comparing the outputs.
    Writing,
}

impl BakeStage {
    /// Returns the label of the stage in messages.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Fitting => "fitting",
            Self::Writing => "writing",
        }
    }
}

/// Receives the progress of a run, possibly from several threads at the same time. `()` ignores it.
pub trait BakeProgress: Sync {
    /// Called once with all characters that will be baked, sorted by path, and the number of those in other shares of the work.
    fn assets_found(&self, _targets: &[BakeTarget], _other_shards: usize) {}
    /// Called when the work on a character enters a stage.
    fn stage_entered(&self, _target: &BakeTarget, _stage: BakeStage) {}
    /// Called when the fit of a character starts a step.
    fn step_started(&self, _target: &BakeTarget, _step: BakeStep) {}
    /// Called when a character is finished. Characters finish in no fixed order.
    fn asset_finished(&self, _result: &AssetResult) {}
}

impl BakeProgress for () {}

/// Passes the steps of one character's fit to the progress of the run.
struct StepsOfTarget<'a> {
    target: &'a BakeTarget,
    progress: &'a dyn BakeProgress,
    deadline: Option<Instant>,
}

impl BakeObserver for StepsOfTarget<'_> {
    fn step_started(&self, step: BakeStep) {
        self.progress.step_started(self.target, step);
    }

    fn is_canceled(&self) -> bool {
        is_past(self.deadline)
    }
}

fn is_past(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() > deadline)
}

/// Bakes every asset of the request in parallel. An error in one file does not stop the bake of the other files. If a
/// path of the request does not exist, or a folder cannot be listed, the run has a result for it with the error.
///
/// # Errors
/// Returns [`AssetError`] if the settings are wrong or the output folder cannot be made. The error of a single asset is
/// in its result.
pub fn bake_assets(request: &BakeRequest, progress: &dyn BakeProgress) -> Result<BakeRun, AssetError> {
    bake_each(request, progress, |result| result, |result| result)
}

/// Bakes as [`bake_assets`] does, and keeps less of each result: the memory for 10,000 characters is hardly more than for the
/// largest few.
///
/// `shorten` is called on several threads, as soon as a character is finished. `take` is called with what `shorten` returns: one
/// after the other, sorted by path, each as soon as those before it are there. The results of the run are what `take` returns.
///
/// # Errors
/// Returns the errors of [`bake_assets`].
pub fn bake_each<R: Send, K: Send>(
    request: &BakeRequest,
    progress: &dyn BakeProgress,
    shorten: impl Fn(AssetResult) -> R + Sync,
    mut take: impl FnMut(R) -> K + Send,
) -> Result<BakeRun<K>, AssetError> {
    let Search { found, unreadable } = search(&request.paths);
    let FoundAssets { assets: mut paths, exports, other_formats, ignored, folders: _ } = found;
    let settings = SettingsFiles::open(&request.settings, &paths)?;
    let motion_files = only_motions(request, &settings, &mut paths);
    let settings = settings.requiring_patterns_to_match(&paths);
    let mut targets = targets(request, &settings, &paths)?;
    let other_shards = match request.shard {
        Some(shard) => shard.keep(&mut targets, &settings, |path| request.in_tree(path)),
        None => 0,
    };
    targets.sort();
    progress.assets_found(&targets, other_shards);
    if !request.check && !request.in_memory {
        prepare_folders(request, &targets)?;
    }
    prepare_shared(request, &settings, &targets);
    let rivals = same_outputs(request, &targets);
    let store = request.store.as_ref().filter(|_| !request.check).map(StoreInRun::new);
    let has_failed = AtomicBool::new(false);
    let fit = |target: &BakeTarget| match rivals.get(target) {
        Some(other) => Err(AssetError::SameOutput { other: other.shown(), output: request.outputs(target).binary }),
        None => bake_target(request, &settings, store.as_ref(), target, progress),
    };
    // Writes the outputs of a fit.
    let finish = |target: BakeTarget, fitted: Result<Unwritten<'_>, AssetError>, start: Instant| {
        let written = fitted.and_then(|unwritten| {
            if unwritten.outputs.is_some() {
                progress.stage_entered(&target, BakeStage::Writing);
            }
            unwritten.write(request)
        });
        let mut outcome = written.unwrap_or_else(BakeOutcome::Failed);
        if !request.in_memory
            && let (Some(character), Ok(settings)) = (outcome.character_mut(), settings.for_target(&target))
        {
            character.warnings = settings.warnings_to_tell(character);
        }
        if matches!(outcome, BakeOutcome::Failed(_) | BakeOutcome::Refused(..)) {
            has_failed.store(true, Ordering::Relaxed);
        }
        AssetResult { outcome, target, took: start.elapsed() }
    };
    let (finish, shorten, has_failed) = (&finish, &shorten, &has_failed);
    let work = |(target, unreadable): (BakeTarget, Option<AssetError>)| {
        let start = Instant::now();
        let is_left = unreadable.is_none() && request.fail_fast && has_failed.load(Ordering::Relaxed);
        let fitted = if is_left || unreadable.is_some() { None } else { Some(fit(&target)) };
        // Before the next character starts; `finish` also finds outputs that cannot be written.
        if fitted.as_ref().is_some_and(|fitted| fitted.as_ref().map_or(true, Unwritten::is_refused)) {
            has_failed.store(true, Ordering::Relaxed);
        }
        move || {
            let result = match (fitted, unreadable) {
                (Some(fitted), _) => finish(target, fitted, start),
                (None, Some(error)) => {
                    AssetResult { target, outcome: BakeOutcome::Failed(error), took: Duration::ZERO }
                }
                (None, None) => return Err(target),
            };
            progress.asset_finished(&result);
            Ok(shorten(result))
        }
    };
    let unreadable = unreadable.into_iter().map(|(path, error)| (BakeTarget::whole(&path), Some(error)));
    let mut items: Vec<_> = targets.into_iter().map(|target| (target, None)).chain(unreadable).collect();
    items.sort_by(|(a, _), (b, _)| a.cmp(b));
    let taken = map_in_order(items, work, |result: Result<R, BakeTarget>| result.map(&mut take));
    let (mut results, mut not_started) = (Vec::new(), Vec::new());
    for one in taken {
        match one {
            Ok(result) => results.push(result),
            Err(target) => not_started.push(target),
        }
    }
    let store = store.map(|store| store.usage());
    Ok(BakeRun {
        results,
        store,
        other_shards,
        not_started,
        ignored_exports: exports,
        other_formats,
        ignored,
        motion_files,
    })
}

/// A character and the key of its bake.
pub type TargetKey = (BakeTarget, Result<BakeKey, AssetError>);

/// The key of each character of the request, sorted by path: what a store would name its bake. This reads the characters and bakes
/// nothing.
///
/// # Errors
/// Returns [`AssetError`] if the settings are wrong. The error of a single asset is in its result.
pub fn bake_keys(request: &BakeRequest) -> Result<Vec<TargetKey>, AssetError> {
    let Search { found, unreadable } = search(&request.paths);
    let mut paths = found.assets;
    let settings = SettingsFiles::open(&request.settings, &paths)?;
    only_motions(request, &settings, &mut paths);
    let targets = targets(request, &settings, &paths)?;
    let key = |target: &BakeTarget| {
        let (settings, asset) = (settings.for_target(target)?, Asset::open(&target.path)?);
        let (model, blake3) = asset.import_part(target.root.as_ref())?;
        let source = settings.read_motions()?.hash_after(blake3);
        settings.bake_key(&model, &asset.file, target, source)
    };
    let mut keys: Vec<_> =
        targets.into_par_iter().map(|target| (key(&target), target)).map(|(key, target)| (target, key)).collect();
    keys.extend(unreadable.into_iter().map(|(path, error)| (BakeTarget::whole(&path), Err(error))));
    keys.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(keys)
}

/// Removes files that only give motions to characters: they were found in a folder, `motions` of a settings file names
/// them, and they have no skin. Returns the removed files.
pub(crate) fn only_motions(
    request: &BakeRequest,
    settings: &SettingsFiles<'_>,
    paths: &mut Vec<PathBuf>,
) -> Vec<PathBuf> {
    let mut places = Places::default();
    let motions: BTreeSet<PathBuf> = settings.motion_files().iter().map(|path| places.of(path)).collect();
    let mut is_motion = |path: &PathBuf| {
        !request.paths.contains(path)
            && motions.contains(&places.of(path))
            && Asset::open(path).is_ok_and(|asset| !skinned_model::has_skinned_mesh(asset.bytes()))
    };
    let (motions, rest) = std::mem::take(paths).into_iter().partition(|path| is_motion(path));
    *paths = rest;
    motions
}

/// The characters to bake: each asset, or each character of an asset that is split.
pub(crate) fn targets(
    request: &BakeRequest,
    settings: &SettingsFiles<'_>,
    paths: &[PathBuf],
) -> Result<Vec<BakeTarget>, AssetError> {
    let of_path = |path: &PathBuf| match request.split || settings.for_asset(path)?.is_split() {
        true => Ok(BakeTarget::each(path)),
        false => Ok(vec![BakeTarget::whole(path)]),
    };
    let targets: Result<Vec<Vec<BakeTarget>>, AssetError> = paths.par_iter().map(of_path).collect();
    Ok(targets?.concat())
}

/// Makes the shared hitboxes of all characters that have to be baked, before the bakes run in parallel: each bake would
/// make them itself.
fn prepare_shared(request: &BakeRequest, settings: &SettingsFiles<'_>, targets: &[BakeTarget]) {
    for target in targets {
        let Ok(settings) = settings.for_target(target) else { continue };
        let is_unchanged = || {
            let (outputs, asset) = (request.outputs(target), Asset::open(&target.path).ok()?);
            Some(outputs.is_bake_of(&*outputs.stored()?, &settings, &asset))
        };
        if settings.is_shared() && (request.check || request.force || is_unchanged() != Some(true)) {
            settings.prepare_shared();
        }
    }
}

/// Creates the output folder, and removes the temporary files of processes that were killed.
fn prepare_folders(request: &BakeRequest, targets: &[BakeTarget]) -> Result<(), AssetError> {
    let outputs: Vec<OutputPaths> = targets.iter().map(|target| request.outputs(target)).collect();
    if let Some(folder) = &request.out_dir {
        let subfolders = outputs.iter().filter_map(|one| one.binary.parent());
        for folder in subfolders.chain([folder.as_path()]).collect::<BTreeSet<&Path>>() {
            fs::create_dir_all(folder).map_err(AssetError::file("create the folder", folder))?;
        }
    }
    let files = outputs.iter().flat_map(OutputPaths::both).filter_map(|file| behind_links(file).ok());
    let folders: BTreeSet<PathBuf> = files.map(|file| folder_of(&file).to_owned()).collect();
    folders.iter().for_each(|folder| remove_abandoned_files(folder));
    Ok(())
}

/// The characters whose outputs are also those of another character, each with one such other character.
fn same_outputs(request: &BakeRequest, targets: &[BakeTarget]) -> BTreeMap<BakeTarget, BakeTarget> {
    let mut places = Places::default();
    let mut by_place: BTreeMap<PathBuf, Vec<&BakeTarget>> = BTreeMap::new();
    for target in targets {
        let output = request.outputs(target).binary;
        // A link whose target cannot be found has an output of its own. Writing it gives the error.
        let place = places.of(&behind_links(&output).unwrap_or(output));
        by_place.entry(place).or_default().push(target);
    }
    let rivals = by_place.values().filter_map(|rivals| match rivals[..] {
        [first, second, ..] => Some(rivals.iter().map(move |&target| {
            let other = if target == first { second } else { first };
            (target.clone(), other.clone())
        })),
        _ => None,
    });
    rivals.flatten().collect()
}

/// An outcome, and what is still to be written for it.
struct Unwritten<'a> {
    outcome: BakeOutcome,
    bytes: Option<OutputBytes>,
    /// The outputs to write or, for a check, to compare with `bytes`.
    outputs: Option<OutputPaths>,
    /// The entry of the store that gets the bytes.
    entry: Option<(&'a StoreInRun, BakeKey)>,
}

impl From<BakeOutcome> for Unwritten<'_> {
    fn from(outcome: BakeOutcome) -> Self {
        Self { outcome, bytes: None, outputs: None, entry: None }
    }
}

impl Unwritten<'_> {
    fn is_refused(&self) -> bool {
        matches!(self.outcome, BakeOutcome::Refused(..))
    }

    fn write(self, request: &BakeRequest) -> Result<BakeOutcome, AssetError> {
        let Self { outcome, bytes, outputs, entry } = self;
        if let (Some((store, key)), Some(bytes)) = (entry, &bytes) {
            store.add(&key, &bytes.binary, request.force);
        }
        match (outputs, bytes, outcome.character()) {
            (Some(outputs), Some(bytes), Some(fresh)) if request.check => bytes.check(&outputs, fresh)?,
            (Some(outputs), Some(bytes), _) => bytes.write(&outputs)?,
            _ => {}
        }
        Ok(outcome)
    }
}

fn bake_target<'a>(
    request: &BakeRequest,
    settings: &SettingsFiles<'_>,
    store: Option<&'a StoreInRun>,
    target: &BakeTarget,
    progress: &dyn BakeProgress,
) -> Result<Unwritten<'a>, AssetError> {
    // A time without end is no limit.
    let deadline = request.most_time.and_then(|most| Instant::now().checked_add(most));
    let settings = settings.for_target(target)?;
    progress.stage_entered(target, BakeStage::Reading);
    let asset = Asset::open(&target.path)?;
    let outputs = request.outputs(target);
    let unchanged = |earlier: Box<BakedCharacter>| match settings.limits().broken(&earlier) {
        broken if broken.is_empty() => Ok(BakeOutcome::Unchanged(earlier).into()),
        broken => Ok(BakeOutcome::Refused(earlier, broken).into()),
    };
    let stored = if request.force { None } else { outputs.stored() };
    if let Some(stored) = &stored {
        outputs.check_added_clip(stored, None)?;
    }
    let earlier = stored.filter(|stored| !request.check && outputs.is_bake_of(stored, &settings, &asset));
    // If an asset names no other files, its hash is known without an import.
    let earlier = match earlier {
        Some(earlier) if earlier.source.blake3 == asset.own_hash() => return unchanged(earlier),
        earlier => earlier,
    };
    let (model, blake3) = asset.import_part(target.root.as_ref())?;
    let motions = settings.read_motions()?;
    if let Some(earlier) = earlier.filter(|earlier| earlier.source.blake3 == motions.hash_after(blake3)) {
        return unchanged(earlier);
    }
    let stored = match store {
        Some(store) => Some((store, settings.bake_key(&model, &asset.file, target, motions.hash_after(blake3))?)),
        None => None,
    };
    let outputs = (!request.in_memory).then_some(outputs);
    let found = stored.as_ref().filter(|_| !request.force).and_then(|(store, key)| store.find(key));
    if let Some(character) = found {
        let broken = settings.limits().broken(&character);
        if !broken.is_empty() {
            return Ok(BakeOutcome::Refused(character, broken).into());
        }
        let bytes = Some(OutputBytes::encode(&character)?);
        return Ok(Unwritten { outcome: BakeOutcome::Stored(character), bytes, outputs, entry: None });
    }
    progress.stage_entered(target, BakeStage::Fitting);
    let steps = StepsOfTarget { target, progress, deadline };
    let bake = settings.bake_with(&motions, &model, &asset.file, blake3, &steps);
    let bake = bake.map_err(|error| match (error, request.most_time) {
        (AssetError::Bake(BakeError::Canceled), Some(most)) => AssetError::TooSlow { most },
        (error, _) => error,
    })?;
    let bytes = Some(OutputBytes::encode(&bake.character)?);
    let broken = settings.limits().broken(&bake.character);
    Ok(match broken.is_empty() {
        true => Unwritten { outcome: BakeOutcome::Baked(Box::new(bake)), bytes, outputs, entry: stored },
        false => Unwritten {
            outcome: BakeOutcome::Refused(Box::new(bake.character), broken),
            bytes,
            outputs: None,
            entry: stored,
        },
    })
}
