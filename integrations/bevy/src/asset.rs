//! A `.bonebox` file as an asset.

use crate::HitboxError;
use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, LoadContext};
use bevy_reflect::TypePath;
use bonebox::format::{BakedCharacter, SkinMesh};
use bonebox::{BoxSet, Character, ClipIndex, LoopMode, OtherBoxes};
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
    /// `true` for each joint whose matrix a pose reads, by joint of the skeleton.
    is_needed: Vec<bool>,
    /// The tags of each hitbox, by hitbox.
    tags: Vec<Arc<[String]>>,
}

impl Bonebox {
    /// Makes an asset from a character that is already in memory.
    #[must_use]
    pub fn new(character: Character) -> Self {
        let baked = character.baked();
        let of_hitboxes = baked.boxes.iter().map(|hitbox| hitbox.joint);
        let of_skin = baked.skin.iter().flat_map(|skin| &skin.bindings).map(|binding| binding.joint);
        let movers = baked.envelopes.iter().flat_map(|envelope| &envelope.movers).map(|mover| mover.joint);
        let mut is_needed = vec![false; character.skeleton().len()];
        of_hitboxes.chain(of_skin).chain(movers).for_each(|joint| is_needed[joint.index()] = true);
        let labels = Labels {
            joint_names: character.skeleton().joints().iter().map(|joint| joint.name.as_str().into()).collect(),
            is_needed,
            tags: character.hitboxes().map(|hitbox| hitbox.tags.into()).collect(),
        };
        Self { character: Arc::new(character), labels: Arc::new(labels) }
    }

    /// Makes an asset from the data of a bake, see [`Character::from_baked`].
    ///
    /// # Panics
    /// If a hitbox names a joint that the skeleton does not have. Data that was read from a file has no such hitbox.
    #[must_use]
    pub fn from_baked(baked: BakedCharacter) -> Self {
        Self::new(Character::from_baked(baked))
    }

    /// The character: joints, clips, tags.
    #[must_use]
    pub fn character(&self) -> &Arc<Character> {
        &self.character
    }

    /// Returns the index of a clip, and the time on its own clock when `seconds` have passed since it was started.
    ///
    /// # Errors
    /// Returns an error if the character has no clip with this name.
    pub(crate) fn clip_time(&self, clip: &str, seconds: f64, looped: bool) -> Result<(ClipIndex, f32), HitboxError> {
        let character = &self.character;
        let Some(index) = character.find_clip(clip) else {
            let known = character.clips().iter().map(|clip| clip.name.clone()).collect();
            return Err(HitboxError::NoClip { character: character.name().into(), clip: clip.into(), known });
        };
        let mode = if looped { LoopMode::Loop } else { LoopMode::Once };
        Ok((index, mode.clip_time(&character.clips()[index.index()], seconds)))
    }

    /// Returns the name of a joint of the skeleton.
    pub(crate) fn joint_name(&self, joint: usize) -> &Arc<str> {
        &self.labels.joint_names[joint]
    }

    /// Makes an asset that has only the hitboxes of a set, with the same skeleton and the same clips: for characters that
    /// are far away, or for queries that need only heads. See [`Character::with_only_boxes`].
    ///
    /// To use the asset, add it to `Assets<Bonebox>` and put its handle into [`Hitboxes`](crate::Hitboxes). The touches of
    /// the character's other hitboxes then end.
    ///
    /// # Errors
    /// Returns an error if the set is of another character.
    pub fn with_only_boxes(&self, name: &str, boxes: &BoxSet) -> Result<Self, OtherBoxes> {
        Ok(Self::new(self.character.with_only_boxes(name, boxes)?))
    }

    /// Returns the mesh of a source triangle of the skin, and the triangle's number in that mesh; `None` if the character
    /// was baked without its skin, or the source has no triangle with this number.
    #[must_use]
    pub fn source_of(&self, source_triangle: u32) -> Option<(&SkinMesh, u32)> {
        let skin = self.character.baked().skin.as_ref()?;
        let (mesh, triangle) = skin.source_of(source_triangle)?;
        Some((skin.meshes.get(mesh)?, triangle))
    }

    /// Returns `true` if a pose needs the matrix of a joint of the skeleton: the joint has a hitbox, or it moves the skin
    /// or the surface of a hitbox.
    pub(crate) fn is_needed(&self, joint: usize) -> bool {
        self.labels.is_needed[joint]
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
