//! Bakes all assets of a request in parallel.

#[cfg(test)]
mod tests;

use crate::AssetError;
use crate::asset::Asset;
use crate::atomic_file::{behind_links, folder_of, remove_abandoned_files};
use crate::bake_key::BakeKey;
use crate::bake_progress::{AssetResult, BakeOutcome, BakeProgress};
use crate::bake_request::BakeRequest;
use crate::find::{FoundAssets, Search, search};
use crate::in_order::map_in_order;
use crate::one_bake::{Unwritten, bake_target};
use crate::outputs::OutputPaths;
use crate::place::Places;
use crate::settings_files::SettingsFiles;
use crate::store::{StoreInRun, StoreUse};
use crate::target::BakeTarget;
use crate::worker_pool::WorkerPool;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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
    let pool = request.workers.as_ref().map(|workers| WorkerPool::new(workers, &paths, targets.len()));
    if pool.is_none() {
        prepare_shared(request, &settings, &targets);
    }
    let rivals = same_outputs(request, &targets);
    let store = request.store.as_ref().filter(|_| !request.check).map(StoreInRun::new);
    let has_failed = AtomicBool::new(false);
    let fit = |target: &BakeTarget| match rivals.get(target) {
        Some(other) => Err(AssetError::SameOutput { other: other.shown(), output: request.outputs(target).binary }),
        None => match &pool {
            Some(pool) => pool.bake(store.as_ref(), target, progress),
            None => bake_target(request, &settings, store.as_ref(), target, progress),
        },
    };
    // Writes the outputs of a fit.
    let finish = |target: BakeTarget, fitted: Result<Unwritten, AssetError>, start: Instant| {
        let written = fitted.and_then(|unwritten| unwritten.write(request, store.as_ref(), &target, progress));
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
