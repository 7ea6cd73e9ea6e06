//! The figure and the pose layers of the scene of layers.

use super::scene::place;
use crate::baked_figure;
use baked_format::BakedCharacter;
use glam::Affine3A;
use skeleton::{Channel, Clip, Interpolation, JointIndex, Property};

/// The spine, from which [`LayerMask::Below`] has weight 1.
pub const UPPER_BODY: u16 = 2;

/// The mask of a layer.
#[derive(Clone, Copy, Debug)]
pub enum LayerMask {
    /// All joints have weight 1.
    None,
    /// The joint [`UPPER_BODY`] and its descendants have weight 1, the others have weight 0.
    Below,
    /// The weights of [`joint_weight`].
    ByJoint,
}

/// One layer: the clip, the time in seconds, the weight, whether the layer adds, and the mask.
pub type SceneLayer = (u32, f32, f32, bool, LayerMask);

/// The weight of a joint in [`LayerMask::ByJoint`]: 0, 0.25, 0.5, 0.75 or 1.
#[must_use]
pub fn joint_weight(joint: u16) -> f32 {
    f32::from(joint % 5) * 0.25
}

/// The figure with a third clip, `breathe`, which moves the hips, scales the chest and turns an arm.
#[must_use]
pub fn baked_layered_figure(name: &str) -> BakedCharacter {
    let mut baked = baked_figure(name);
    let channel = |joint: u16, property: Property, values: &[f32]| Channel {
        joint: JointIndex(joint),
        property,
        interpolation: Interpolation::Linear,
        timeline: 0,
        values: values.to_vec(),
    };
    baked.clips.push(Clip {
        name: "breathe".into(),
        timelines: vec![vec![0.0, 0.5, 1.0]],
        channels: vec![
            channel(0, Property::Translation, &[0.0, 0.95, 0.0, 0.05, 0.98, -0.02, 0.0, 0.95, 0.0]),
            channel(3, Property::Scale, &[1.0, 1.0, 1.0, 1.125, 1.125, 1.125, 1.0, 1.0, 1.0]),
            channel(9, Property::Rotation, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0]),
        ],
    });
    baked
}

/// The place of a body at a tick, and its layers: a walk over an idle stance, another walk for the upper body, and a breath
/// and a walk that are added, with changing weights.
#[must_use]
pub fn layers(body: u64, tick: u32) -> (Affine3A, [SceneLayer; 5]) {
    let (place, time) = place(body, tick);
    let layers = [
        (0, time, 1.0, false, LayerMask::None),
        (1, time, 0.25 + 0.5 * time, false, LayerMask::None),
        (1, 1.0 - time, 0.6, false, LayerMask::Below),
        (2, time, 1.0 - 0.5 * time, true, LayerMask::None),
        (1, 0.5 * time, 0.4, true, LayerMask::ByJoint),
    ];
    (place, layers)
}
