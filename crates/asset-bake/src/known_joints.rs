//! The joint names of the characters that settings apply to. They are imported only if a pattern needs them.

use crate::asset::Asset;
use crate::find::{character_name, find_assets};
use bake_settings::Character;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Assets, and their joint names once they are needed.
///
/// A pattern that matches no joint of one character may be meant for another, so the error check needs the joints of
/// the other characters. Most patterns match, so most runs never import a model only for its joint names.
#[derive(Debug, Default)]
pub(crate) struct KnownJoints {
    assets: BTreeSet<PathBuf>,
    /// All assets in this folder and its subfolders count too.
    folder: Option<PathBuf>,
    characters: OnceLock<Option<Vec<Character>>>,
}

impl KnownJoints {
    pub(crate) fn of_assets(assets: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { assets: assets.into_iter().collect(), ..Self::default() }
    }

    pub(crate) fn below(self, folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()), ..self }
    }

    /// All characters with their joints. `None` if a model cannot be imported, because its joints are then unknown.
    pub(crate) fn characters(&self) -> Option<&[Character]> {
        let import = |path: &PathBuf| {
            let (model, _) = Asset::open(path).and_then(|asset| asset.import()).ok()?;
            Some(character(&character_name(path), &model.skeleton))
        };
        let import_all = || {
            let below = find_assets(self.folder.as_slice()).ok()?;
            // Several paths may name the same asset.
            let one_name = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
            let assets: BTreeSet<PathBuf> = self.assets.iter().chain(&below).map(one_name).collect();
            assets.iter().map(import).collect()
        };
        self.characters.get_or_init(import_all).as_deref()
    }
}

/// A character with the names of all its joints.
pub(crate) fn character(name: &str, skeleton: &skeleton::Skeleton) -> Character {
    Character { name: name.to_owned(), joints: skeleton.joints().iter().map(|joint| joint.name.clone()).collect() }
}
