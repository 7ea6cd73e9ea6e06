//! The two output files of a bake: their paths, their content, and the outputs of an earlier bake.

use crate::asset::Asset;
use crate::settings_files::{AssetSettings, OVERRIDES};
use crate::{AssetError, GENERATOR, replace_file};
use baked_format::BakedCharacter;
use std::collections::BTreeSet;
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

    /// Returns the earlier bake of the asset if it was made with the same settings; its source bytes may differ.
    /// Returns `None` if a file cannot be read, or if the two files do not belong to one bake of this version of
    /// bonebox.
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
pub(crate) struct OutputBytes<'a> {
    character: &'a BakedCharacter,
    binary: Vec<u8>,
    json: Vec<u8>,
}

impl<'a> OutputBytes<'a> {
    pub(crate) fn encode(character: &'a BakedCharacter) -> Result<Self, AssetError> {
        let (binary, json) = (baked_format::write(character)?, baked_format::to_json(character).into_bytes());
        Ok(Self { character, binary, json })
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
                let differences = self.option_differences(paths);
                return Err(AssetError::OutputDiffers { path: path.clone(), differences });
            }
        }
        Ok(())
    }

    /// Returns one text for each option whose value in the baked file on disk differs from its value in this content.
    /// Returns no text if the file cannot be read.
    fn option_differences(&self, paths: &OutputPaths) -> Vec<String> {
        let found = fs::read(&paths.binary).ok().and_then(|bytes| baked_format::read(&bytes).ok());
        let Some(found) = found else { return Vec::new() };
        let [old, fresh] = [&found.options, &self.character.options];
        let value = |options: &[(String, String)], key: &str| {
            let found = options.iter().find(|(known, _)| known == key);
            found.map_or_else(|| format!("the default of {key}"), |(_, value)| format!("{key} = {value}"))
        };
        let keys: BTreeSet<&str> = old.iter().chain(fresh).map(|(key, _)| key.as_str()).collect();
        let differing = keys.into_iter().map(|key| (key, value(old, key), value(fresh, key)));
        let told = |(key, old, fresh): (&str, String, String)| match key {
            // The values are hashes.
            OVERRIDES => "the settings of joints, tags or manual boxes in bonebox.toml".to_owned(),
            _ => format!("the file has {old}, the fresh bake {fresh}"),
        };
        differing.filter(|(_, old, fresh)| old != fresh).map(told).collect()
    }
}
