//! Clips in layers, one over the other: blends, additions, and masks of joints.

use crate::character::HitboxTable;
use crate::kernels::layout::{LANES, Row};
use crate::{Character, ClipIndex, PoseError};
use skeleton::JointIndex;
use std::sync::Arc;

/// What a [`PoseLayer`] does with the pose below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LayerMode {
    /// The pose moves toward the clip's pose.
    #[default]
    Blend,
    /// The pose takes over what the clip changes of its own first pose, the one at `Clip::start`: a breath, a recoil, a lean.
    Add,
}

/// One clip at one time, over the layers before it. See [`crate::ClipSampler::sample_layers`].
#[derive(Clone, Copy, Debug)]
pub struct PoseLayer<'a> {
    /// The clip.
    pub clip: ClipIndex,
    /// The time in seconds on the clip's own clock, clamped to each channel's keys.
    pub seconds: f32,
    /// How much of the layer there is, from 0 to 1; numbers outside are clamped.
    pub weight: f32,
    /// Whether the layer blends or adds.
    pub mode: LayerMode,
    /// Weights of single joints, which `weight` is multiplied by; `None` for all joints alike.
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

    /// The same layer, with a mask of joints.
    #[must_use]
    pub fn masked(self, mask: &'a JointMask) -> Self {
        Self { mask: Some(mask), ..self }
    }
}

/// A weight from 0 to 1 for each joint of one character: which joints a [`PoseLayer`] reaches, and how far.
///
/// Make the masks that a game needs when it loads the character. A joint of weight 0 keeps its local pose to the bit.
#[derive(Clone, Debug)]
pub struct JointMask {
    hitboxes: Arc<HitboxTable>,
    /// By place of the joint in lanes.
    rows: Vec<Row>,
}

impl JointMask {
    /// A mask of the weight that `weight` gives for each joint; numbers outside 0 to 1 are clamped, and NaN is 0.
    #[must_use]
    pub fn new(character: &Character, weight: impl Fn(JointIndex) -> f32) -> Self {
        let places = &character.places;
        let count = places.count(true);
        let mut rows = vec![[0.0; LANES]; count.div_ceil(LANES)];
        for (place, (joint, _)) in places.joints(count).enumerate() {
            let weight = weight(joint);
            rows[place / LANES][place % LANES] = if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) };
        }
        Self { hitboxes: Arc::clone(&character.hitboxes), rows }
    }

    /// A mask of weight 1 for a joint and all joints below it, and 0 for the others: the upper body from its spine, an arm from its
    /// shoulder.
    ///
    /// # Errors
    /// [`PoseError::NoJoint`] if the character has no such joint.
    pub fn below(character: &Character, joint: JointIndex) -> Result<Self, PoseError> {
        let joints = character.skeleton().joints();
        if joint.index() >= joints.len() {
            return Err(PoseError::no_joint(character, joint));
        }
        let mut is_below = vec![false; joints.len()];
        for index in joint.index()..joints.len() {
            let parent = joints[index].parent;
            is_below[index] = index == joint.index() || parent.is_some_and(|parent| is_below[parent.index()]);
        }
        Ok(Self::new(character, |joint| f32::from(u8::from(is_below[joint.index()]))))
    }

    /// The name of the character whose joints these are.
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
            return Err(PoseError::not_a_number(character, self.clip));
        }
        let weight = self.weight.clamp(0.0, 1.0);
        rows.clear();
        match self.mask {
            None => rows.resize(count, [weight; LANES]),
            Some(mask) if mask.hitboxes.is_same(&character.hitboxes) => {
                rows.extend(mask.rows[..count].iter().map(|row| row.map(|of_joint| of_joint * weight)));
            }
            Some(mask) => return Err(PoseError::other_mask(character, &mask.hitboxes.name)),
        }
        Ok(())
    }
}
