//! Pose layers: blends, additions, and joint masks.

use crate::character::hitbox_table::HitboxTable;
use crate::kernels::layout::{LANES, Row};
use crate::{Character, ClipIndex, PoseError};
use skeleton::JointIndex;
use std::sync::Arc;

/// The effect of a [`PoseLayer`] on the pose of the layers before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LayerMode {
    /// The pose moves toward the clip's pose.
    #[default]
    Blend,
    /// The difference between the clip's pose and the clip's pose at `Clip::start` is added to the pose, for example
    /// for a breath, a recoil or a lean.
    Add,
}

/// One clip at one time, applied to the pose of the layers before it. See [`crate::ClipSampler::sample_layers`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PoseLayer {
    /// The clip that the layer plays.
    pub clip: ClipIndex,
    /// The time in seconds on the clip's own clock, clamped to each channel's keys.
    pub seconds: f32,
    /// The weight of the layer, from 0 to 1; a number outside this range is clamped.
    pub weight: f32,
    /// The mode of the layer: blend or add.
    pub mode: LayerMode,
    /// A weight for each joint, multiplied by `weight`; `None` applies `weight` to all joints.
    pub mask: Option<JointMask>,
}

impl PoseLayer {
    /// A layer that blends all joints.
    #[must_use]
    pub fn blend(clip: ClipIndex, seconds: f32, weight: f32) -> Self {
        Self { clip, seconds, weight, mode: LayerMode::Blend, mask: None }
    }

    /// A layer that adds to all joints.
    #[must_use]
    pub fn add(clip: ClipIndex, seconds: f32, weight: f32) -> Self {
        Self { mode: LayerMode::Add, ..Self::blend(clip, seconds, weight) }
    }

    /// Returns the same layer with a joint mask. The layer shares the memory of the mask.
    #[must_use]
    pub fn masked(self, mask: &JointMask) -> Self {
        Self { mask: Some(mask.clone()), ..self }
    }

    /// Returns `true` if the two layers have the same effect to the last bit: their numbers have the same bits, and they
    /// share the memory of their mask.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let numbers = |one: &Self| (one.clip, one.seconds.to_bits(), one.weight.to_bits(), one.mode);
        let mask = |one: &Self| one.mask.as_ref().map(JointMask::address);
        numbers(self) == numbers(other) && mask(self) == mask(other)
    }
}

/// A weight from 0 to 1 for each joint of one character, by which a [`PoseLayer`] affects that joint. A clone shares the
/// memory of the weights.
///
/// Make all masks once, when you load the character. A layer does not change the local pose of a joint with weight 0,
/// not even in the last bit.
#[derive(Clone, Debug)]
pub struct JointMask(Arc<Weights>);

#[derive(Debug)]
struct Weights {
    character: Arc<str>,
    /// The weights by joint index.
    of_joints: Vec<f32>,
    /// The character, and the weights in lanes by joint place; `None` for a mask that was read from a saved pose.
    prepared: Option<(Arc<HitboxTable>, Vec<Row>)>,
}

impl JointMask {
    /// A mask with the weight that the function `weight` returns for each joint. Numbers outside 0 to 1 are clamped,
    /// and NaN becomes 0.
    #[must_use]
    pub fn new(character: &Character, weight: impl Fn(JointIndex) -> f32) -> Self {
        let joints = (0..character.skeleton().len()).map(|joint| JointIndex(joint as u16));
        let of_joints: Vec<f32> = joints.map(|joint| clamped(weight(joint))).collect();
        let count = character.places.count(true);
        let mut rows = Vec::new();
        set_rows(character, &of_joints, count.div_ceil(LANES), 1.0, &mut rows);
        let prepared = Some((Arc::clone(&character.hitboxes), rows));
        Self(Arc::new(Weights { character: Arc::clone(&character.hitboxes.name), of_joints, prepared }))
    }

    /// A mask with weight 1 for a joint and all its descendants, and weight 0 for the other joints: for example the
    /// upper body from the spine, or an arm from the shoulder.
    ///
    /// # Errors
    /// Returns [`PoseError::NoJoint`] if the character has no joint with this index.
    pub fn below(character: &Character, joint: JointIndex) -> Result<Self, PoseError> {
        let joints = character.skeleton().joints();
        if joint.index() >= joints.len() {
            return Err(PoseError::no_joint(&character.hitboxes, joint));
        }
        let mut is_below = vec![false; joints.len()];
        for index in joint.index()..joints.len() {
            let parent = joints[index].parent;
            is_below[index] = index == joint.index() || parent.is_some_and(|parent| is_below[parent.index()]);
        }
        Ok(Self::new(character, |joint| f32::from(u8::from(is_below[joint.index()]))))
    }

    /// The address of the weights.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// The name of the character that the mask belongs to.
    #[must_use]
    pub fn character_name(&self) -> &str {
        &self.0.character
    }
}

/// Two masks are equal if their characters have the same name and their weights are equal.
impl PartialEq for JointMask {
    fn eq(&self, other: &Self) -> bool {
        let (one, other) = (&self.0, &other.0);
        Arc::ptr_eq(one, other) || (one.character == other.character && one.of_joints == other.of_joints)
    }
}

/// A mask is saved as the name of its character and the weight of each joint.
#[cfg(feature = "serde")]
impl serde::Serialize for JointMask {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&*self.0.character, &self.0.of_joints).serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for JointMask {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (character, mut of_joints) = <(String, Vec<f32>)>::deserialize(deserializer)?;
        of_joints.iter_mut().for_each(|weight| *weight = clamped(*weight));
        Ok(Self(Arc::new(Weights { character: character.into(), of_joints, prepared: None })))
    }
}

fn clamped(weight: f32) -> f32 {
    if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) }
}

/// Sets the rows to the weights in lanes, by joint place.
fn set_rows(character: &Character, of_joints: &[f32], count: usize, weight: f32, rows: &mut Vec<Row>) {
    rows.resize(count, [0.0; LANES]);
    let places = character.places.joints((count * LANES).min(of_joints.len()));
    for (place, &joint) in places.iter().enumerate() {
        rows[place / LANES][place % LANES] = of_joints[joint.index()] * weight;
    }
}

impl PoseLayer {
    /// The weight of each lane.
    pub(crate) fn lane_weights(
        &self,
        character: &Character,
        rows: &mut Vec<Row>,
        count: usize,
    ) -> Result<(), PoseError> {
        if self.weight.is_nan() {
            return Err(PoseError::not_a_number(&character.hitboxes, self.clip));
        }
        let weight = self.weight.clamp(0.0, 1.0);
        rows.clear();
        let Some(JointMask(mask)) = &self.mask else {
            rows.resize(count, [weight; LANES]);
            return Ok(());
        };
        match &mask.prepared {
            Some((hitboxes, of_places)) if hitboxes.is_same(&character.hitboxes) => {
                rows.extend(of_places[..count].iter().map(|row| row.map(|of_joint| of_joint * weight)));
            }
            None if mask.character == character.hitboxes.name && mask.of_joints.len() == character.skeleton().len() => {
                set_rows(character, &mask.of_joints, count, weight, rows);
            }
            _ => {
                let (expected, found) = (Arc::clone(&character.hitboxes.name), Arc::clone(&mask.character));
                return Err(PoseError::OtherMask { expected, found });
            }
        }
        Ok(())
    }
}
