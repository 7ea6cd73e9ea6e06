//! Poses as small values: the numbers that a pose is computed from.

use crate::pose::clone_in_place::clone_in_place;
use crate::{ClipIndex, PoseLayer};
use glam::Affine3A;

/// What a pose is computed from: a place, and an animation. A few numbers that a game can store, compare and send, in
/// place of the hitboxes. The same recipe of the same character gives the same hitboxes to the last bit, on every
/// machine.
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use runtime::{Animation, BodyId, BodySettings, Character, HitboxWorld, PoseRecipe};
/// use std::sync::Arc;
///
/// let arm = Arc::new(Character::load(&std::fs::read("tests/data/arm.bonebox")?)?);
/// let mut world = HitboxWorld::new();
/// world.insert(BodyId(1), Arc::clone(&arm), BodySettings::default())?;
/// let wave = arm.find_clip("wave").unwrap();
/// let recipe = PoseRecipe {
///     place: Affine3A::from_translation(Vec3::X),
///     animation: Animation::Clip { clip: wave, seconds: 0.5 },
/// };
/// world.pose(BodyId(1), &recipe)?;
/// assert_eq!(world.body(BodyId(1)).unwrap().recipe().map(|recipe| recipe.to_owned()), Some(recipe));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PoseRecipe {
    /// The place of the character: `world_from_model`.
    #[cfg_attr(feature = "serde", serde(with = "columns"))]
    pub place: Affine3A,
    /// The animation at this place.
    pub animation: Animation,
}

/// The animation of a [`PoseRecipe`].
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Animation {
    /// The rest pose.
    #[default]
    Rest,
    /// A clip at one time.
    Clip {
        /// The clip.
        clip: ClipIndex,
        /// The time in seconds on the clip's own clock, clamped to each channel's keys.
        seconds: f32,
    },
    /// Clips in layers, see [`ClipSampler::sample_layers`](crate::ClipSampler::sample_layers).
    Layers(Vec<PoseLayer>),
    /// The game's own matrices: `model_from_joint`, one for each joint of the skeleton.
    #[cfg_attr(feature = "serde", serde(with = "lists_of_columns"))]
    Joints(Vec<Affine3A>),
}

/// A [`PoseRecipe`] that borrows its layers and matrices. Functions that pose take it, so a caller that keeps them in
/// memory of its own copies nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseRecipeRef<'a> {
    /// The place of the character: `world_from_model`.
    pub place: Affine3A,
    /// The animation at this place.
    pub animation: AnimationRef<'a>,
}

/// An [`Animation`] that borrows its layers and matrices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnimationRef<'a> {
    /// See [`Animation::Rest`].
    Rest,
    /// See [`Animation::Clip`].
    Clip {
        /// The clip.
        clip: ClipIndex,
        /// The time in seconds on the clip's own clock.
        seconds: f32,
    },
    /// See [`Animation::Layers`].
    Layers(&'a [PoseLayer]),
    /// See [`Animation::Joints`].
    Joints(&'a [Affine3A]),
}

impl PoseRecipeRef<'_> {
    /// The recipe with its own layers and matrices.
    #[must_use]
    pub fn to_owned(&self) -> PoseRecipe {
        let animation = match self.animation {
            AnimationRef::Rest => Animation::Rest,
            AnimationRef::Clip { clip, seconds } => Animation::Clip { clip, seconds },
            AnimationRef::Layers(layers) => Animation::Layers(layers.to_vec()),
            AnimationRef::Joints(joints) => Animation::Joints(joints.to_vec()),
        };
        PoseRecipe { place: self.place, animation }
    }
}

impl<'a> From<&'a PoseRecipe> for PoseRecipeRef<'a> {
    fn from(recipe: &'a PoseRecipe) -> Self {
        let animation = match &recipe.animation {
            Animation::Rest => AnimationRef::Rest,
            &Animation::Clip { clip, seconds } => AnimationRef::Clip { clip, seconds },
            Animation::Layers(layers) => AnimationRef::Layers(layers),
            Animation::Joints(joints) => AnimationRef::Joints(joints),
        };
        Self { place: recipe.place, animation }
    }
}

/// What a body's present pose was computed from. A new pose reuses the memory.
#[derive(Debug)]
pub(crate) struct KeptRecipe {
    /// The place by columns. A matrix would be aligned, and make the body larger.
    place: [f32; 12],
    animation: Kept,
    /// The lists, for the poses that have any.
    lists: Option<Box<Lists>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kept {
    /// No pose, or one of which nothing is kept.
    Nothing,
    Rest,
    Clip {
        clip: ClipIndex,
        seconds: f32,
    },
    Layers,
    OwnJoints,
}

#[derive(Debug, Default)]
struct Lists {
    layers: Vec<PoseLayer>,
    own_joints: Vec<Affine3A>,
}

clone_in_place!(KeptRecipe { place, animation, lists });
clone_in_place!(Lists { layers, own_joints });

impl Default for KeptRecipe {
    fn default() -> Self {
        Self { place: [0.0; 12], animation: Kept::Nothing, lists: None }
    }
}

impl KeptRecipe {
    pub(crate) fn get(&self) -> Option<PoseRecipeRef<'_>> {
        let animation = match (self.animation, &self.lists) {
            (Kept::Rest, _) => AnimationRef::Rest,
            (Kept::Clip { clip, seconds }, _) => AnimationRef::Clip { clip, seconds },
            (Kept::Layers, Some(lists)) => AnimationRef::Layers(&lists.layers),
            _ => return None,
        };
        Some(PoseRecipeRef { place: Affine3A::from_cols_array(&self.place), animation })
    }

    /// The matrices of a body that was posed with them; otherwise none.
    pub(crate) fn own_joints(&self) -> &[Affine3A] {
        match (self.animation, &self.lists) {
            (Kept::OwnJoints, Some(lists)) => &lists.own_joints,
            _ => &[],
        }
    }

    /// Keeps a recipe; `None` for a pose that no recipe without matrices gives.
    #[inline]
    pub(crate) fn set(&mut self, recipe: Option<PoseRecipeRef<'_>>) {
        let Some(recipe) = recipe else {
            self.animation = Kept::Nothing;
            return;
        };
        self.place = recipe.place.to_cols_array();
        self.animation = match recipe.animation {
            AnimationRef::Rest => Kept::Rest,
            AnimationRef::Clip { clip, seconds } => Kept::Clip { clip, seconds },
            AnimationRef::Layers(layers) => {
                let kept = &mut self.lists.get_or_insert_default().layers;
                kept.clear();
                kept.extend_from_slice(layers);
                Kept::Layers
            }
            AnimationRef::Joints(_) => Kept::Nothing,
        };
    }

    /// Keeps matrices in place of a recipe.
    pub(crate) fn set_own_joints(&mut self, joints: impl Iterator<Item = Affine3A>) {
        let kept = &mut self.lists.get_or_insert_default().own_joints;
        kept.clear();
        kept.extend(joints);
        self.animation = if kept.is_empty() { Kept::Nothing } else { Kept::OwnJoints };
    }

    /// Changes some of the matrices of a body that was posed with them before `set` forgot it.
    pub(crate) fn change_own_joints(&mut self, change: impl FnOnce(&mut [Affine3A])) {
        if let Some(lists) = &mut self.lists {
            change(&mut lists.own_joints);
            self.animation = Kept::OwnJoints;
        }
    }
}

#[cfg(feature = "serde")]
mod columns {
    use glam::Affine3A;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(matrix: &Affine3A, serializer: S) -> Result<S::Ok, S::Error> {
        matrix.to_cols_array().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Affine3A, D::Error> {
        Ok(Affine3A::from_cols_array(&<[f32; 12]>::deserialize(deserializer)?))
    }
}

#[cfg(feature = "serde")]
mod lists_of_columns {
    use glam::Affine3A;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(matrices: &[Affine3A], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(matrices.iter().map(Affine3A::to_cols_array))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Affine3A>, D::Error> {
        let matrices = Vec::<[f32; 12]>::deserialize(deserializer)?;
        Ok(matrices.iter().map(Affine3A::from_cols_array).collect())
    }
}
