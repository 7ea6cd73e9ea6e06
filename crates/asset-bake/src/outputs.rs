//! The two output files of a bake: their paths, their content, and the outputs of an earlier bake.

use crate::asset::Asset;
use crate::settings_files::AssetSettings;
use crate::{AssetError, GENERATOR, replace_file};
use baked_format::BakedCharacter;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The paths of a bake's two files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputPaths {
    /// The path of NAME.bonebox.
    pub binary: PathBuf,
    /// The path of NAME.bonebox.json.
    pub json: PathBuf,
}

impl OutputPaths {
    /// The outputs of an asset, beside the asset or in `out_dir`.
    #[must_use]
    pub fn of_asset(asset: &Path, out_dir: Option<&Path>) -> Self {
        let folder = out_dir.or(asset.parent()).unwrap_or(Path::new(""));
        let mut name = asset.file_stem().unwrap_or_default().to_owned();
        name.push(".bonebox");
        let binary = folder.join(name);
        let mut json = binary.clone().into_os_string();
        json.push(".json");
        Self { binary, json: json.into() }
    }

    /// The paths of both outputs: the binary file, then the JSON file.
    #[must_use]
    pub fn both(&self) -> [&Path; 2] {
        [&self.binary, &self.json]
    }

    /// The earlier bake of the asset, if it was made with the same settings; its source bytes may differ. If anything
    /// about the files is unusual, there is no earlier bake.
    pub(crate) fn earlier_bake(&self, settings: &AssetSettings, asset: &Asset) -> Option<Box<BakedCharacter>> {
        let character = baked_format::read(&fs::read(&self.binary).ok()?).ok()?;
        let same = settings.made(&character)
            && character.source.generator == GENERATOR
            && character.source.file == asset.file
            && fs::read(&self.json).ok()? == baked_format::to_json(&character).as_bytes();
        same.then(|| Box::new(character))
    }
}

/// The content of a bake's two files.
pub(crate) struct OutputBytes {
    binary: Vec<u8>,
    json: Vec<u8>,
}

impl OutputBytes {
    pub(crate) fn encode(character: &BakedCharacter) -> Result<Self, AssetError> {
        Ok(Self { binary: baked_format::write(character)?, json: baked_format::to_json(character).into_bytes() })
    }

    pub(crate) fn write(&self, paths: &OutputPaths) -> Result<(), AssetError> {
        replace_file(&paths.binary, &self.binary)?;
        replace_file(&paths.json, &self.json)
    }

    /// Fails if a file on disk differs from this content.
    pub(crate) fn check(&self, paths: &OutputPaths) -> Result<(), AssetError> {
        for (path, expected) in [(&paths.binary, &self.binary), (&paths.json, &self.json)] {
            let found = fs::read(path).map_err(|source| match source.kind() {
                io::ErrorKind::NotFound => AssetError::OutputMissing { path: path.clone() },
                _ => AssetError::File { action: "read", path: path.clone(), source },
            })?;
            // Only the JSON file is text; a carriage return is no part of it.
            if path == &paths.json
                && found.iter().filter(|&&byte| byte != b'\r').eq(expected.iter())
                && found != *expected
            {
                return Err(AssetError::LineEndingsDiffer { path: path.clone() });
            }
            if found != *expected {
                return Err(AssetError::OutputDiffers { path: path.clone() });
            }
        }
        Ok(())
    }
}
