//! A character in memory, from an asset or from a baked file.

use crate::bake::GENERATOR;
use crate::settings::Asked;
use crate::source::Asset;
use anyhow::Context as _;
use baked_format::BakedCharacter;
use skinned_model::SkinnedModel;
use std::fs;
use std::path::{Path, PathBuf};

/// What a path holds.
pub(crate) enum Imported {
    /// An asset, which can be baked in any way.
    Asset { path: PathBuf, source: baked_format::Source, model: Box<SkinnedModel> },
    /// A .bonebox file, which is as it is and has no surface.
    Baked(Box<BakedCharacter>),
}

impl Imported {
    /// Reads an asset with all its buffers, or a baked file.
    ///
    /// # Errors
    /// What the file system, the importer or the reader says, with the path.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let is_baked = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bonebox"));
        if is_baked {
            let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            let baked = baked_format::read(&bytes).with_context(|| path.display().to_string())?;
            return Ok(Self::Baked(Box::new(baked)));
        }
        let asset = Asset::open(path)?;
        let (model, blake3) = asset.import().with_context(|| path.display().to_string())?;
        let source = baked_format::Source { file: asset.file.clone(), blake3, generator: GENERATOR.into() };
        Ok(Self::Asset { path: path.to_owned(), source, model: Box::new(model) })
    }

    /// Its boxes, with the settings that bear on it now; a baked file has its own.
    ///
    /// # Errors
    /// Settings that are wrong; see [`bone_fit::BakeError`].
    pub(crate) fn bake(&self, asked: &Asked) -> anyhow::Result<BakedCharacter> {
        match self {
            Self::Asset { path, source, model } => {
                let bake = asked.plan(path)?.bake(model, source.clone());
                Ok(bake.with_context(|| path.display().to_string())?.character)
            }
            Self::Baked(baked) => Ok((**baked).clone()),
        }
    }
}
