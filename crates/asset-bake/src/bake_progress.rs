//! The results of single assets, and the progress of a run.

use crate::AssetError;
use crate::target::BakeTarget;
use baked_format::BakedCharacter;
use bone_fit::BakeStep;
use std::time::Duration;

/// The result of one asset.
#[derive(Debug)]
pub enum BakeOutcome {
    /// The outputs were written, `check` found them equal to a fresh bake, or the character was baked in memory.
    Baked(Box<BakedCharacter>),
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
            Self::Baked(character)
            | Self::Stored(character)
            | Self::Unchanged(character)
            | Self::Refused(character, _) => Some(character),
            Self::Failed(_) => None,
        }
    }

    pub(crate) fn character_mut(&mut self) -> Option<&mut BakedCharacter> {
        match self {
            Self::Baked(character)
            | Self::Stored(character)
            | Self::Unchanged(character)
            | Self::Refused(character, _) => Some(character),
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
