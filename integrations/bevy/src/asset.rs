//! A `.bonebox` file as an asset.

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, LoadContext};
use bevy_reflect::TypePath;
use bonebox::Character;
use bonebox::format::BakedCharacter;
use std::sync::Arc;

/// A baked character as an asset: hitboxes, skeleton and clips.
///
/// Clones share the character. When the file changes and the asset server watches files, every entity with
/// [`Hitboxes`](crate::Hitboxes) of this asset is bound anew.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct Bonebox {
    character: Arc<Character>,
    labels: Arc<Labels>,
}

/// Names and tags that answers contain, shared by all answers.
#[derive(Debug)]
struct Labels {
    /// The name of each joint, by joint of the skeleton.
    joint_names: Vec<Arc<str>>,
    /// `true` for each joint that has a hitbox, by joint of the skeleton.
    has_hitbox: Vec<bool>,
    /// The tags of each hitbox, by hitbox.
    tags: Vec<Arc<[String]>>,
}

impl Bonebox {
    /// Makes an asset from a character that is already in memory.
    #[must_use]
    pub fn new(character: Character) -> Self {
        let mut has_hitbox = vec![false; character.skeleton().len()];
        character.hitboxes().for_each(|hitbox| has_hitbox[hitbox.joint.index()] = true);
        let labels = Labels {
            joint_names: character.skeleton().joints().iter().map(|joint| joint.name.as_str().into()).collect(),
            has_hitbox,
            tags: character.hitboxes().map(|hitbox| hitbox.tags.into()).collect(),
        };
        Self { character: Arc::new(character), labels: Arc::new(labels) }
    }

    /// Makes an asset from the data of a bake, see [`Character::from_baked`].
    ///
    /// # Panics
    /// If a hitbox names a joint that the skeleton does not have. Data that was read from a file never does.
    #[must_use]
    pub fn from_baked(baked: BakedCharacter) -> Self {
        Self::new(Character::from_baked(baked))
    }

    /// The character: joints, clips, tags.
    #[must_use]
    pub fn character(&self) -> &Arc<Character> {
        &self.character
    }

    /// Returns the name of a joint of the skeleton.
    pub(crate) fn joint_name(&self, joint: usize) -> &Arc<str> {
        &self.labels.joint_names[joint]
    }

    /// Returns `true` if a joint of the skeleton has a hitbox, so that a pose needs the joint's matrix.
    pub(crate) fn has_hitbox(&self, joint: usize) -> bool {
        self.labels.has_hitbox[joint]
    }

    /// Returns the tags of a hitbox.
    pub(crate) fn tags(&self, hitbox: usize) -> &Arc<[String]> {
        &self.labels.tags[hitbox]
    }
}

/// Loads `.bonebox` files.
#[derive(TypePath, Clone, Copy, Debug, Default)]
pub struct BoneboxLoader;

/// The reason why a `.bonebox` file was not loaded. The asset server logs this error with the file's path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoneboxLoadError {
    /// The bytes could not be read.
    #[error("the file could not be read: {0}")]
    Io(#[from] std::io::Error),
    /// The bytes are not a baked character, or have a version that this library does not read.
    #[error(transparent)]
    Format(#[from] bonebox::LoadError),
}

impl AssetLoader for BoneboxLoader {
    type Asset = Bonebox;
    type Settings = ();
    type Error = BoneboxLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        _load_context: &mut LoadContext<'_>,
    ) -> Result<Bonebox, BoneboxLoadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(Bonebox::new(Character::load(&bytes)?))
    }

    fn extensions(&self) -> &[&str] {
        &["bonebox"]
    }
}
