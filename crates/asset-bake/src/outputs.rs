//! The two output files of a bake: their paths, their content, and the outputs of an earlier bake.

use crate::asset::Asset;
use crate::asset_settings::{AssetSettings, HITBOX_SET, HITBOX_SET_VOLUME, MOTIONS, OVERRIDES, SHARED};
use crate::atomic_file::FinishedFile;
use crate::target::BakeTarget;
use crate::{AssetError, GENERATOR};
use baked_format::BakedCharacter;
use bone_fit::ALGORITHM_REVISION;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The key in [`BakedCharacter::options`] for the name of the clip that `bonebox import-motion` added.
const ADDED_CLIP: &str = "added_clip";

/// The name of the clip that was added to the asset's own clips, or `None`. A bake of the asset would remove this clip.
#[must_use]
pub fn added_clip(character: &BakedCharacter) -> Option<&str> {
    character.options.iter().find(|(key, _)| key == ADDED_CLIP).map(|(_, name)| name.as_str())
}

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
        // Not the name of the character, because a file name may have bytes that are no letters.
        Self::of_name(asset, asset.file_stem().unwrap_or_default().to_owned(), out_dir)
    }

    /// The outputs of a character, beside its asset or in `out_dir`.
    #[must_use]
    pub fn of_target(target: &BakeTarget, out_dir: Option<&Path>) -> Self {
        match target.root {
            None => Self::of_asset(&target.path, out_dir),
            Some(_) => Self::of_name(&target.path, target.name.clone().into(), out_dir),
        }
    }

    fn of_name(asset: &Path, mut name: OsString, out_dir: Option<&Path>) -> Self {
        let folder = out_dir.or(asset.parent()).unwrap_or(Path::new(""));
        name.push(".bonebox");
        Self::of_binary(folder.join(name))
    }

    /// The outputs whose binary file has this path.
    #[must_use]
    pub fn of_binary(binary: PathBuf) -> Self {
        let mut json = binary.clone().into_os_string();
        json.push(".json");
        Self { binary, json: json.into() }
    }

    /// Writes both files of a bake.
    ///
    /// # Errors
    /// Returns [`AssetError::AddedClip`] if the outputs have a clip that the bake would remove. Returns other errors of
    /// [`AssetError`] if the files cannot be written.
    pub fn write(&self, character: &BakedCharacter) -> Result<(), AssetError> {
        if let Some(stored) = self.stored() {
            self.check_added_clip(&stored, added_clip(character))?;
        }
        OutputBytes::encode(character)?.write(self)
    }

    /// Writes a character with a clip that is not in its asset. The files record the name of the clip, so that a bake
    /// of the asset does not remove the clip unasked.
    ///
    /// # Errors
    /// Returns [`AssetError::AddedClip`] if the outputs have another added clip and `force` is `false`. Returns other
    /// errors of [`AssetError`] if the files cannot be written.
    pub fn write_with_added_clip(
        &self,
        mut character: BakedCharacter,
        clip: &str,
        force: bool,
    ) -> Result<BakedCharacter, AssetError> {
        if !force && let Some(stored) = self.stored() {
            self.check_added_clip(&stored, Some(clip))?;
        }
        character.options.push((ADDED_CLIP.into(), clip.to_owned()));
        character.options.sort();
        OutputBytes::encode(&character)?.write(self)?;
        Ok(character)
    }

    /// The paths of both outputs: the binary file, then the JSON file.
    #[must_use]
    pub fn both(&self) -> [&Path; 2] {
        [&self.binary, &self.json]
    }

    /// The character in the binary file. `None` if the file cannot be read.
    pub(crate) fn stored(&self) -> Option<Box<BakedCharacter>> {
        Some(Box::new(baked_format::read(&fs::read(&self.binary).ok()?).ok()?))
    }

    /// Fails if `stored` has an added clip with another name than `kept`.
    pub(crate) fn check_added_clip(&self, stored: &BakedCharacter, kept: Option<&str>) -> Result<(), AssetError> {
        match added_clip(stored).filter(|&clip| Some(clip) != kept) {
            Some(clip) => Err(AssetError::AddedClip { output: self.binary.clone(), clip: clip.to_owned() }),
            None => Ok(()),
        }
    }

    /// Returns true if `stored` was made from the asset with the same settings; its source bytes may differ. Returns
    /// false if the two files do not belong to one bake by this version of bonebox with these algorithms.
    pub(crate) fn is_bake_of(&self, stored: &BakedCharacter, settings: &AssetSettings, asset: &Asset) -> bool {
        settings.made(stored)
            && stored.source.generator == GENERATOR
            && stored.algorithm_revision == ALGORITHM_REVISION
            && stored.source.file == asset.file
            && fs::read(&self.json).is_ok_and(|json| json == baked_format::to_json(stored).as_bytes())
    }
}

/// The content of a bake's two files.
pub(crate) struct OutputBytes {
    pub(crate) binary: Vec<u8>,
    json: Vec<u8>,
}

impl OutputBytes {
    pub(crate) fn encode(character: &BakedCharacter) -> Result<Self, AssetError> {
        let (binary, json) = (baked_format::write(character)?, baked_format::to_json(character).into_bytes());
        Ok(Self { binary, json })
    }

    pub(crate) fn write(&self, paths: &OutputPaths) -> Result<(), AssetError> {
        // Both files are complete before the first one is replaced, so that a full disk leaves both old files.
        let binary = FinishedFile::write(&paths.binary, &self.binary)?;
        let json = FinishedFile::write(&paths.json, &self.json)?;
        binary.flush()?;
        json.flush()?;
        binary.replace()?;
        json.replace()
    }

    /// Fails if a file on disk differs from this content, which is that of `fresh`.
    pub(crate) fn check(&self, paths: &OutputPaths, fresh: &BakedCharacter) -> Result<(), AssetError> {
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
                let differences = differences(paths, fresh);
                return Err(AssetError::OutputDiffers { path: path.clone(), differences });
            }
        }
        Ok(())
    }
}

/// Returns one text for each cause that makes the baked file on disk differ from a fresh bake: another program,
/// other algorithms, another source, and each option with another value. Returns no text if the file cannot be read.
fn differences(paths: &OutputPaths, fresh: &BakedCharacter) -> Vec<String> {
    let found = fs::read(&paths.binary).ok().and_then(|bytes| baked_format::read(&bytes).ok());
    let Some(found) = found else { return Vec::new() };
    let old = &found;
    let by = |character: &BakedCharacter| character.source.generator.clone();
    let revision = |character: &BakedCharacter| format!("revision {} of the algorithms", character.algorithm_revision);
    let pairs = [by, revision].map(|told| (told(old), told(fresh)));
    let differing = pairs.into_iter().filter(|(old, fresh)| old != fresh);
    let mut told: Vec<String> =
        differing.map(|(old, fresh)| format!("the file was baked by {old}, the fresh bake by {fresh}")).collect();
    if old.source.blake3 != fresh.source.blake3 {
        told.push("the source has changed since the bake".to_owned());
    }
    told.extend(option_differences(old, fresh));
    told
}

fn option_differences(old: &BakedCharacter, fresh: &BakedCharacter) -> Vec<String> {
    let [old, fresh] = [&old.options, &fresh.options];
    let value = |options: &[(String, String)], key: &str| {
        let found = options.iter().find(|(known, _)| known == key);
        found.map_or_else(|| format!("the default of {key}"), |(_, value)| format!("{key} = {value}"))
    };
    let keys: BTreeSet<&str> = old.iter().chain(fresh).map(|(key, _)| key.as_str()).collect();
    let differing = keys.into_iter().map(|key| (key, value(old, key), value(fresh, key)));
    let told = |(key, old, fresh): (&str, String, String)| match key {
        // The values are hashes.
        OVERRIDES => "the settings of joints, tags or manual boxes in bonebox.toml".to_owned(),
        MOTIONS => "the motions in bonebox.toml".to_owned(),
        SHARED => "a character or the settings of its shared hitboxes".to_owned(),
        HITBOX_SET | HITBOX_SET_VOLUME => "the shared hitboxes".to_owned(),
        _ => format!("the file has {old}, the fresh bake {fresh}"),
    };
    differing.filter(|(_, old, fresh)| old != fresh).map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BakeOutcome, BakeRequest, bake_assets};
    use std::path::Path;

    fn outcome(folder: &Path, check: bool) -> BakeOutcome {
        let request = BakeRequest { paths: vec![folder.to_owned()], check, ..BakeRequest::default() };
        bake_assets(&request, &()).unwrap().results.remove(0).outcome
    }

    /// Changes the outputs as if another program had written them.
    fn edit(paths: &OutputPaths, edit: impl FnOnce(&mut BakedCharacter)) {
        let mut character = baked_format::read(&fs::read(&paths.binary).unwrap()).unwrap();
        edit(&mut character);
        OutputBytes::encode(&character).unwrap().write(paths).unwrap();
    }

    #[test]
    fn a_file_of_other_algorithms_is_baked_again() {
        let folder = tempfile::tempdir().unwrap();
        let asset = folder.path().join("limb.glb");
        fs::write(&asset, test_models::box_limb().to_glb()).unwrap();
        assert!(matches!(outcome(folder.path(), false), BakeOutcome::Baked(_)));
        let paths = OutputPaths::of_asset(&asset, None);
        let fresh = fs::read(&paths.binary).unwrap();
        assert!(matches!(outcome(folder.path(), false), BakeOutcome::Unchanged(_)));
        let told = format!(
            "the file was baked by revision {} of the algorithms, the fresh bake by revision {ALGORITHM_REVISION} of",
            ALGORITHM_REVISION - 1
        );
        edit(&paths, |character| character.algorithm_revision -= 1);
        let BakeOutcome::Failed(error) = outcome(folder.path(), true) else { panic!("--check accepts the file") };
        assert!(error.to_string().contains(&told), "{error}");
        assert!(matches!(outcome(folder.path(), false), BakeOutcome::Baked(_)));
        assert!(fs::read(&paths.binary).unwrap() == fresh);
    }

    #[test]
    fn a_check_names_every_cause() {
        let folder = tempfile::tempdir().unwrap();
        let asset = folder.path().join("limb.glb");
        fs::write(&asset, test_models::box_limb().to_glb()).unwrap();
        outcome(folder.path(), false);
        edit(&OutputPaths::of_asset(&asset, None), |character| {
            character.source.generator = "bonebox 0.0.1".into();
            character.source.blake3[0] ^= 1;
            character.options.retain(|(key, _)| key != "fit");
        });
        let BakeOutcome::Failed(error) = outcome(folder.path(), true) else { panic!("--check accepts the file") };
        let error = error.to_string();
        for told in ["by bonebox 0.0.1, the fresh bake by bonebox", "the source has changed", "the default of fit"] {
            assert!(error.contains(told), "{told}: {error}");
        }
    }
}
