//! Clips in layers, and the joints that a layer affects.

use crate::HitboxError;
use crate::joint_binding::nearest_joints;
use bevy_reflect::prelude::*;
use bonebox::skeleton::JointIndex;
use bonebox::{Character, JointMask, LayerMode};

/// One clip at one time, applied to the pose of the layers before it, in
/// [`HitboxPose::Layers`](crate::HitboxPose::Layers).
///
/// To mix clips by weights whose sum is 1, give each layer its weight divided by the sum of its own weight and the weights
/// of all layers before it.
///
/// ```
/// use bevy_bonebox::prelude::*;
///
/// // The upper body jabs while the legs walk, and the whole body breathes.
/// let pose = HitboxPose::Layers(vec![
///     HitboxLayer::blend("walk", 1.0).at(0.4).looped(),
///     HitboxLayer::blend("jab", 1.0).at(0.1).below("spine_01"),
///     HitboxLayer::add("idle", 0.5).at(0.4).looped(),
/// ]);
/// # let _ = pose;
/// ```
#[derive(Reflect, Clone, Debug, PartialEq)]
#[reflect(Clone, Debug, PartialEq)]
pub struct HitboxLayer {
    /// The clip's name.
    pub clip: String,
    /// The time since the clip started, in seconds; your game advances it.
    pub seconds: f64,
    /// `true` if the clip starts again after its last key; `false` if it holds its last pose.
    pub looped: bool,
    /// The weight of the layer, from 0 to 1; a number outside is clamped.
    pub weight: f32,
    /// The effect on the pose of the layers before it.
    pub mode: HitboxLayerMode,
    /// The joints that the layer affects.
    pub mask: HitboxMask,
}

/// The effect of a layer on the pose of the layers before it.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[reflect(Clone, Debug, PartialEq, Hash, Default)]
pub enum HitboxLayerMode {
    /// The pose moves toward the clip's pose.
    #[default]
    Blend,
    /// The difference between the clip's pose and the clip's first pose is added to the pose: for a breath, a recoil or a
    /// lean.
    Add,
}

/// The joints that a layer affects. The plugin makes a mask again only when it changes.
#[derive(Reflect, Clone, Debug, PartialEq, Default)]
#[reflect(Clone, Debug, PartialEq, Default)]
pub enum HitboxMask {
    /// All joints.
    #[default]
    All,
    /// The joint with this name and all its descendants.
    Below(String),
    /// The joints with these names, each with a weight from 0 to 1 by which the layer's weight is multiplied. The other
    /// joints have weight 0.
    Joints(Vec<(String, f32)>),
}

impl HitboxLayer {
    /// A layer that blends all joints, at the start of its clip.
    #[must_use]
    pub fn blend(clip: impl Into<String>, weight: f32) -> Self {
        let (mode, mask) = (HitboxLayerMode::Blend, HitboxMask::All);
        Self { clip: clip.into(), seconds: 0.0, looped: false, weight, mode, mask }
    }

    /// A layer that adds to all joints, at the start of its clip.
    #[must_use]
    pub fn add(clip: impl Into<String>, weight: f32) -> Self {
        Self { mode: HitboxLayerMode::Add, ..Self::blend(clip, weight) }
    }

    /// Returns the same layer at another time, in seconds since the clip started.
    #[must_use]
    pub fn at(self, seconds: f64) -> Self {
        Self { seconds, ..self }
    }

    /// Returns the same layer with a clip that starts again after its last key.
    #[must_use]
    pub fn looped(self) -> Self {
        Self { looped: true, ..self }
    }

    /// Returns the same layer for a joint and all its descendants.
    #[must_use]
    pub fn below(self, joint: impl Into<String>) -> Self {
        Self { mask: HitboxMask::Below(joint.into()), ..self }
    }
}

impl From<HitboxLayerMode> for LayerMode {
    fn from(mode: HitboxLayerMode) -> Self {
        match mode {
            HitboxLayerMode::Blend => Self::Blend,
            HitboxLayerMode::Add => Self::Add,
        }
    }
}

impl HitboxMask {
    /// Makes the run time's mask; `None` for all joints.
    ///
    /// # Errors
    /// Returns an error if the character has no joint with one of the names.
    pub(crate) fn make(&self, character: &Character) -> Result<Option<JointMask>, HitboxError> {
        let find = |name: &str| {
            character.skeleton().find(name).ok_or_else(|| HitboxError::NoMaskJoint {
                character: character.name().into(),
                joint: name.into(),
                nearest: nearest_joints(name, character),
            })
        };
        match self {
            Self::All => Ok(None),
            Self::Below(joint) => Ok(Some(JointMask::below(character, find(joint)?)?)),
            Self::Joints(weights) => {
                let mut by_joint = vec![0.0; character.skeleton().len()];
                for (name, weight) in weights {
                    by_joint[find(name)?.index()] = *weight;
                }
                Ok(Some(JointMask::new(character, |joint: JointIndex| by_joint[joint.index()])))
            }
        }
    }
}
