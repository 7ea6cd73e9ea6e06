//! Baking all assets of a request, in parallel.

use crate::asset::Asset;
use crate::atomic_file::{folder_of, remove_abandoned_files};
use crate::find::{FoundAssets, find_assets_and_exports};
use crate::outputs::{OutputBytes, OutputPaths};
use crate::settings_files::SettingsFiles;
use crate::{AssetError, RequestedSettings};
use baked_format::BakedCharacter;
use bone_fit::{Bake, BakeObserver, BakeStep};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What to bake, and how.
#[derive(Clone, Debug, Default)]
pub struct BakeRequest {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// The folder for all outputs; `None` puts each beside its source.
    pub out_dir: Option<PathBuf>,
    /// Write nothing, and compare the outputs with a fresh bake.
    pub check: bool,
    /// Bake unchanged assets again.
    pub force: bool,
    /// How boxes are made.
    pub settings: RequestedSettings,
}

impl BakeRequest {
    /// Returns where the outputs of an asset go.
    #[must_use]
    pub fn outputs(&self, asset: &Path) -> OutputPaths {
        OutputPaths::of_asset(asset, self.out_dir.as_deref())
    }
}

/// What became of an asset.
#[derive(Debug)]
pub enum BakeOutcome {
    /// The outputs were written, or `check` found them correct.
    Baked(Box<Bake>),
    /// The outputs were baked before from the same bytes with the same settings.
    Unchanged(Box<BakedCharacter>),
    /// The boxes break limits of the settings, a sentence for each; earlier outputs are unchanged.
    Refused(Box<BakedCharacter>, Vec<String>),
    /// The asset could not be baked; earlier outputs are unchanged.
    Failed(AssetError),
}

impl BakeOutcome {
    /// The boxes, also those that were not written; `None` where the bake failed.
    #[must_use]
    pub fn character(&self) -> Option<&BakedCharacter> {
        match self {
            Self::Baked(bake) => Some(&bake.character),
            Self::Unchanged(character) | Self::Refused(character, _) => Some(character),
            Self::Failed(_) => None,
        }
    }

    fn character_mut(&mut self) -> Option<&mut BakedCharacter> {
        match self {
            Self::Baked(bake) => Some(&mut bake.character),
            Self::Unchanged(character) | Self::Refused(character, _) => Some(character),
            Self::Failed(_) => None,
        }
    }
}

/// An asset and what became of it.
#[derive(Debug)]
pub struct AssetResult {
    /// The asset.
    pub path: PathBuf,
    /// What became of it.
    pub outcome: BakeOutcome,
    /// How long reading, fitting and writing took.
    pub took: Duration,
}

/// What a run did.
#[derive(Debug)]
pub struct BakeRun {
    /// One result for each asset, sorted by path.
    pub results: Vec<AssetResult>,
    /// Exports of bonebox in the searched folders, which were not baked.
    pub ignored_exports: Vec<PathBuf>,
}

/// The stage that the work on an asset has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BakeStage {
    /// The asset and its buffers are read and checked.
    Reading,
    /// Boxes are fitted and measured.
    Fitting,
    /// The outputs are written, or compared.
    Writing,
}

impl BakeStage {
    /// Returns the stage in one word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Fitting => "fitting",
            Self::Writing => "writing",
        }
    }
}

/// Receives the progress of a run, from several threads at once. `()` ignores it.
pub trait BakeProgress: Sync {
    /// These assets will be baked.
    fn assets_found(&self, _assets: &[PathBuf]) {}
    /// The work on an asset has reached a stage.
    fn stage_entered(&self, _asset: &Path, _stage: BakeStage) {}
    /// The fit of an asset has reached a step.
    fn step_started(&self, _asset: &Path, _step: BakeStep) {}
    /// An asset is finished; assets finish in no fixed order.
    fn asset_finished(&self, _result: &AssetResult) {}
}

impl BakeProgress for () {}

/// Tells the progress of a run which step the fit of one asset has reached.
struct StepsOfAsset<'a> {
    asset: &'a Path,
    progress: &'a dyn BakeProgress,
}

impl BakeObserver for StepsOfAsset<'_> {
    fn step_started(&self, step: BakeStep) {
        self.progress.step_started(self.asset, step);
    }
}

/// Bakes every asset of the request in parallel. One bad file does not stop the others.
///
/// # Errors
/// Paths that do not exist, and settings that are wrong. What goes wrong with one asset is in its result.
pub fn bake_assets(request: &BakeRequest, progress: &dyn BakeProgress) -> Result<BakeRun, AssetError> {
    let FoundAssets { assets: paths, exports } = find_assets_and_exports(&request.paths)?;
    let settings = SettingsFiles::open(&request.settings, &paths)?.requiring_patterns_to_match(&paths);
    progress.assets_found(&paths);
    if !request.check {
        prepare_folders(request, &paths)?;
    }
    let shadowed = same_outputs(request, &paths);
    let results = paths.into_par_iter().map(|path| {
        let start = Instant::now();
        let outcome = match shadowed.get(&path) {
            Some(first) => Err(AssetError::SameOutput { first: first.clone(), output: request.outputs(&path).binary }),
            None => bake_asset(request, &settings, &path, progress),
        };
        let mut outcome = outcome.unwrap_or_else(BakeOutcome::Failed);
        if let (Some(character), Ok(settings)) = (outcome.character_mut(), settings.for_asset(&path)) {
            settings.add_places(&mut character.warnings);
        }
        let result = AssetResult { outcome, path, took: start.elapsed() };
        progress.asset_finished(&result);
        result
    });
    Ok(BakeRun { results: results.collect(), ignored_exports: exports })
}

/// Makes the output folder and removes the temporary files of writers that were killed.
fn prepare_folders(request: &BakeRequest, paths: &[PathBuf]) -> Result<(), AssetError> {
    if let Some(folder) = &request.out_dir {
        fs::create_dir_all(folder).map_err(AssetError::file("make the folder", folder))?;
    }
    let outputs: Vec<OutputPaths> = paths.iter().map(|path| request.outputs(path)).collect();
    let folders: BTreeSet<&Path> = outputs.iter().map(|output| folder_of(&output.binary)).collect();
    folders.into_iter().for_each(remove_abandoned_files);
    Ok(())
}

/// Assets whose output is that of an earlier asset, with the earlier asset.
fn same_outputs(request: &BakeRequest, paths: &[PathBuf]) -> BTreeMap<PathBuf, PathBuf> {
    let mut first: BTreeMap<PathBuf, &PathBuf> = BTreeMap::new();
    let mut shadowed = BTreeMap::new();
    for path in paths {
        let earlier = *first.entry(request.outputs(path).binary).or_insert(path);
        if earlier != path {
            shadowed.insert(path.clone(), earlier.clone());
        }
    }
    shadowed
}

fn bake_asset(
    request: &BakeRequest,
    settings: &SettingsFiles<'_>,
    path: &Path,
    progress: &dyn BakeProgress,
) -> Result<BakeOutcome, AssetError> {
    let settings = settings.for_asset(path)?;
    progress.stage_entered(path, BakeStage::Reading);
    let asset = Asset::open(path)?;
    let outputs = request.outputs(path);
    let unchanged = |earlier: Box<BakedCharacter>| match settings.limits().broken(&earlier) {
        broken if broken.is_empty() => Ok(BakeOutcome::Unchanged(earlier)),
        broken => Ok(BakeOutcome::Refused(earlier, broken)),
    };
    let bakes_anyway = request.check || request.force;
    let earlier = if bakes_anyway { None } else { outputs.earlier_bake(&settings, &asset) };
    // An asset without files beside it need not be imported to know its hash.
    let earlier = match earlier {
        Some(earlier) if earlier.source.blake3 == asset.own_hash() => return unchanged(earlier),
        earlier => earlier,
    };
    let (model, blake3) = asset.import()?;
    if let Some(earlier) = earlier.filter(|earlier| earlier.source.blake3 == blake3) {
        return unchanged(earlier);
    }
    progress.stage_entered(path, BakeStage::Fitting);
    let bake = settings.bake_observed(&model, &asset.file, blake3, &StepsOfAsset { asset: path, progress })?;
    let broken = settings.limits().broken(&bake.character);
    if !broken.is_empty() {
        return Ok(BakeOutcome::Refused(Box::new(bake.character), broken));
    }
    progress.stage_entered(path, BakeStage::Writing);
    let bytes = OutputBytes::encode(&bake.character)?;
    if request.check {
        bytes.check(&outputs)?
    } else {
        bytes.write(&outputs)?
    }
    Ok(BakeOutcome::Baked(Box::new(bake)))
}
