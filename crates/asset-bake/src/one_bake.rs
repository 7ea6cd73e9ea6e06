//! Bakes one character of a request.

use crate::AssetError;
use crate::asset::Asset;
use crate::bake_key::BakeKey;
use crate::bake_progress::{BakeOutcome, BakeProgress, BakeStage};
use crate::bake_request::BakeRequest;
use crate::outputs::OutputBytes;
use crate::settings_files::SettingsFiles;
use crate::store::StoreInRun;
use crate::target::BakeTarget;
use baked_format::BakedCharacter;
use bone_fit::{BakeObserver, BakeStep};

/// Passes the steps of one character's fit to the progress of the run.
struct StepsOfTarget<'a> {
    target: &'a BakeTarget,
    progress: &'a dyn BakeProgress,
}

impl BakeObserver for StepsOfTarget<'_> {
    fn step_started(&self, step: BakeStep) {
        self.progress.step_started(self.target, step);
    }
}

/// An outcome, and what is still to be written for it.
pub(crate) struct Unwritten {
    pub(crate) outcome: BakeOutcome,
    /// `None` if neither the outputs nor the store get anything.
    bytes: Option<OutputBytes>,
    /// The key of the store's entry that gets the bytes; `None` if the store gets nothing.
    pub(crate) key: Option<BakeKey>,
}

impl Unwritten {
    pub(crate) fn new(outcome: BakeOutcome, key: Option<BakeKey>) -> Result<Self, AssetError> {
        let is_written = key.is_some() || matches!(outcome, BakeOutcome::Baked(_) | BakeOutcome::Stored(_));
        let bytes = outcome.character().filter(|_| is_written).map(OutputBytes::encode).transpose()?;
        Ok(Self { outcome, bytes, key })
    }

    pub(crate) fn is_refused(&self) -> bool {
        matches!(self.outcome, BakeOutcome::Refused(..))
    }

    /// Writes the outputs or, for a check, compares them, and adds the result to the store.
    pub(crate) fn write(
        self,
        request: &BakeRequest,
        store: Option<&StoreInRun>,
        target: &BakeTarget,
        progress: &dyn BakeProgress,
    ) -> Result<BakeOutcome, AssetError> {
        let Self { outcome, bytes, key } = self;
        let Some(bytes) = bytes else { return Ok(outcome) };
        if let (Some(store), Some(key)) = (store, key) {
            store.add(&key, &bytes.binary, request.force);
        }
        if let BakeOutcome::Baked(fresh) | BakeOutcome::Stored(fresh) = &outcome
            && !request.in_memory
        {
            progress.stage_entered(target, BakeStage::Writing);
            let outputs = request.outputs(target);
            if request.check { bytes.check(&outputs, fresh) } else { bytes.write(&outputs) }?;
        }
        Ok(outcome)
    }
}

/// Bakes a character, or finds its result in the outputs or in the store. Writes nothing.
pub(crate) fn bake_target(
    request: &BakeRequest,
    settings: &SettingsFiles<'_>,
    store: Option<&StoreInRun>,
    target: &BakeTarget,
    progress: &dyn BakeProgress,
) -> Result<Unwritten, AssetError> {
    let settings = settings.for_target(target)?;
    progress.stage_entered(target, BakeStage::Reading);
    let asset = Asset::open(&target.path)?;
    let outputs = request.outputs(target);
    let in_limits = |character: Box<BakedCharacter>, good: fn(Box<BakedCharacter>) -> BakeOutcome| match settings
        .limits()
        .broken(&character)
    {
        broken if broken.is_empty() => good(character),
        broken => BakeOutcome::Refused(character, broken),
    };
    let unchanged = |earlier| Unwritten::new(in_limits(earlier, BakeOutcome::Unchanged), None);
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
    let key = match store {
        Some(_) => Some(settings.bake_key(&model, &asset.file, target, motions.hash_after(blake3))?),
        None => None,
    };
    let found = store.zip(key).filter(|_| !request.force).and_then(|(store, key)| store.find(&key));
    if let Some(character) = found {
        return Unwritten::new(in_limits(character, BakeOutcome::Stored), None);
    }
    progress.stage_entered(target, BakeStage::Fitting);
    let steps = StepsOfTarget { target, progress };
    let bake = settings.bake_with(&motions, &model, &asset.file, blake3, &steps)?;
    Unwritten::new(in_limits(Box::new(bake.character), BakeOutcome::Baked), key)
}
