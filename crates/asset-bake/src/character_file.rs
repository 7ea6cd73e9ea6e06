//! Opens a character from an asset, which can be baked, or from a baked file.

use crate::asset::{Asset, import_hashed};
use crate::asset_settings::AssetSettings;
use crate::find::is_baked_file;
use crate::stamp::Stamp;
use crate::{AssetError, RequestedSettings};
use baked_format::BakedCharacter;
use bone_fit::BakeObserver;
use skinned_model::{ResolveUri, SkinnedModel};
use std::fs;
use std::path::{Path, PathBuf};

/// A character that was opened from a path: an asset, which can be baked, or a baked file.
#[derive(Debug)]
pub enum CharacterFile {
    /// An asset with its buffers. It can be baked with any settings.
    Asset {
        /// The path of the asset.
        path: PathBuf,
        /// The BLAKE3 hash of all bytes read.
        blake3: [u8; 32],
        /// The imported model.
        model: Box<SkinnedModel>,
    },
    /// A `.bonebox` file, which has hitboxes but no surface.
    Baked(Box<BakedCharacter>),
}

impl CharacterFile {
    /// Opens an asset with all its buffers, or a baked file.
    ///
    /// # Errors
    /// Returns [`AssetError`] with the path if the file cannot be read or imported.
    pub fn open(path: &Path) -> Result<Self, AssetError> {
        if is_baked_file(path) {
            let bytes = Stamp::of_file(path).and_then(|_| fs::read(path)).map_err(AssetError::file("read", path))?;
            let baked = baked_format::read(&bytes).map_err(AssetError::of_asset(path))?;
            return Ok(Self::Baked(Box::new(baked)));
        }
        let (model, blake3) = Asset::open(path)?.import().map_err(AssetError::of_asset(path))?;
        Ok(Self::Asset { path: path.to_owned(), blake3, model: Box::new(model) })
    }

    /// Opens an asset or a baked file that is in memory.
    ///
    /// - `file` is the file's name, such as `runa.glb`; the ending `.bonebox` means a baked file.
    /// - `buffers` returns the other files that the asset names; [`skinned_model::NoExternalFiles`] refuses them.
    ///
    /// # Errors
    /// Returns [`AssetError`] with the file's name if the bytes cannot be imported.
    pub fn of_bytes(bytes: &[u8], file: &str, buffers: &dyn ResolveUri) -> Result<Self, AssetError> {
        let path = Path::new(file);
        if is_baked_file(path) {
            let baked = baked_format::read(bytes).map_err(AssetError::of_asset(path))?;
            return Ok(Self::Baked(Box::new(baked)));
        }
        let (model, blake3) = import_hashed(bytes, buffers, |bytes, buffers| {
            skinned_model::import_ignoring(bytes, buffers, &gltf_export::is_exported_box)
        });
        let model = Box::new(model.map_err(AssetError::of_asset(path))?);
        Ok(Self::Asset { path: path.to_owned(), blake3, model })
    }

    /// Returns the baked character. An asset is baked with the settings that apply to it now; a baked file is returned
    /// unchanged.
    ///
    /// # Errors
    /// Returns [`AssetError`] if the settings are wrong or the bake fails (see [`bone_fit::BakeError`]).
    pub fn bake(&self, requested: &RequestedSettings) -> Result<BakedCharacter, AssetError> {
        self.bake_observed(requested, &())
    }

    /// Bakes as [`CharacterFile::bake`] does. The observer receives the progress and may cancel the bake.
    ///
    /// # Errors
    /// Returns the errors of [`CharacterFile::bake`], and [`bone_fit::BakeError::Canceled`].
    pub fn bake_observed(
        &self,
        requested: &RequestedSettings,
        observer: &dyn BakeObserver,
    ) -> Result<BakedCharacter, AssetError> {
        match self {
            Self::Asset { path, .. } => self.bake_with(&requested.for_asset(path)?, observer),
            Self::Baked(baked) => Ok((**baked).clone()),
        }
    }

    /// Bakes an asset with these settings; a baked file is returned unchanged. The observer receives the progress and may
    /// cancel the bake; `&()` does neither.
    ///
    /// # Errors
    /// Returns [`AssetError`] with the asset's path if the settings are wrong or the bake fails.
    pub fn bake_with(
        &self,
        settings: &AssetSettings,
        observer: &dyn BakeObserver,
    ) -> Result<BakedCharacter, AssetError> {
        match self {
            Self::Asset { path, blake3, model } => {
                let file = path.file_name().unwrap_or_default().to_string_lossy();
                let bake = settings.bake_observed(model, &file, *blake3, observer);
                Ok(bake.map_err(AssetError::of_asset(path))?.character)
            }
            Self::Baked(baked) => Ok((**baked).clone()),
        }
    }

    /// The imported model; `None` for a baked file.
    #[must_use]
    pub fn model(&self) -> Option<&SkinnedModel> {
        match self {
            Self::Asset { model, .. } => Some(model),
            Self::Baked(_) => None,
        }
    }
}

/// Loads a baked file, or bakes an asset in memory. It writes no file.
///
/// # Errors
/// Returns the errors of [`CharacterFile::open`] and [`CharacterFile::bake`].
pub fn load_or_bake(path: &Path, requested: &RequestedSettings) -> Result<BakedCharacter, AssetError> {
    match CharacterFile::open(path)? {
        CharacterFile::Baked(baked) => Ok(*baked),
        asset => asset.bake(requested),
    }
}
