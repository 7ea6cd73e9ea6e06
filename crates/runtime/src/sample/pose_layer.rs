//! Pose layers: blends, additions, and joint masks.

use crate::character::hitbox_table::HitboxTable;
use crate::kernels::layout::{LANES, Row};
use crate::{Character, ClipIndex, PoseError};
use skeleton::JointIndex;
use std::sync::Arc;

/// The effect of a [`PoseLayer`] on the pose of the layers before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LayerMode {
    /// The pose moves toward the clip's pose.
    #[default]
    Blend,
    /// The difference between the clip's pose and the clip's pose at `Clip::start` is added to the pose, for example
    /// for a breath, a recoil or a lean.
    Add,
}

/// One clip at one time, applied to the pose of the layers before it. See [`crate::ClipSampler::sample_layers`].
#[derive(Clone, Copy, Debug)]
pub struct PoseLayer<'a> {
    /// The clip that the layer plays.
    pub clip: ClipIndex,
    /// The time in seconds on the clip's own clock, clamped to each channel's keys.
    pub seconds: f32,
    /// The weight of the layer, from 0 to 1; a number outside this range is clamped.
    pub weight: f32,
    /// The mode of the layer: blend or add.
    pub mode: LayerMode,
    /// A weight for each joint, multiplied by `weight`; `None` applies `weight` to all joints.
    pub mask: Option<&'a JointMask>,
}

impl<'a> PoseLayer<'a> {
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

    /// Returns the same layer with a joint mask.
    #[must_use]
    pub fn masked(self, mask: &'a JointMask) -> Self {
        Self { mask: Some(mask), ..self }
    }
}

/// A weight from 0 to 1 for each joint of one character, by which a [`PoseLayer`] affects that joint.
///
/// Make all masks once, when you load the character. A layer does not change the local pose of a joint with weight 0,
/// not even in the last bit.
#[derive(Clone, Debug)]
pub struct JointMask {
    hitboxes: Arc<HitboxTable>,
    /// The weights in lanes, by joint place.
    rows: Vec<Row>,
}

impl JointMask {
    /// A mask with the weight that the function `weight` returns for each joint. Numbers outside 0 to 1 are clamped,
    /// and NaN becomes 0.
    #[must_use]
    pub fn new(character: &Character, weight: impl Fn(JointIndex) -> f32) -> Self {
        let places = &character.places;
        let count = places.count(true);
        let mut rows = vec![[0.0; LANES]; count.div_ceil(LANES)];
        for (place, &joint) in places.joints(count).iter().enumerate() {
            let weight = weight(joint);
            rows[place / LANES][place % LANES] = if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) };
        }
        Self { hitboxes: Arc::clone(&character.hitboxes), rows }
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

    /// The name of the character that the mask belongs to.
    #[must_use]
    pub fn character_name(&self) -> &str {
        &self.hitboxes.name
    }
}

impl PoseLayer<'_> {
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
        match self.mask {
            None => rows.resize(count, [weight; LANES]),
            Some(mask) if mask.hitboxes.is_same(&character.hitboxes) => {
                rows.extend(mask.rows[..count].iter().map(|row| row.map(|of_joint| of_joint * weight)));
            }
            Some(mask) => return Err(PoseError::other_mask(&character.hitboxes, &mask.hitboxes.name)),
        }
        Ok(())
    }
}
