//! The surface that leaves the hitboxes.

use baked_format::Hitbox;
use bone_fit::BakeOptions;
use serde::Serialize;
use skinned_model::SkinnedModel;

/// The escape of one joint's surface from the boxes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Escape {
    /// The joint, by name.
    joint: String,
    /// The average share of its surface's area outside the boxes, over the poses in which coverage is measured.
    outside: f64,
    /// The escape, as a share of the character's height.
    distance: f64,
    /// The name of the clip; `None` at rest.
    clip: Option<String>,
    /// The time in seconds on the clip's own clock.
    time: f32,
    /// The position in model space.
    point: [f64; 3],
}

impl Escape {
    /// The escapes at all sample times, the farthest first, measured as the bake measures them.
    #[must_use]
    pub fn all(model: &SkinnedModel, boxes: &[Hitbox], options: &BakeOptions) -> Vec<Self> {
        let escapes = bone_fit::escapes_by_joint(model, boxes, options);
        escapes.iter().map(|escape| Self::new(model, escape)).collect()
    }

    pub(crate) fn new(model: &SkinnedModel, escape: &bone_fit::JointEscape) -> Self {
        Self {
            joint: model.skeleton.joint(escape.joint).name.clone(),
            outside: escape.outside,
            distance: escape.distance,
            clip: escape.at.clip.map(|clip| model.clips[clip.index()].name.clone()),
            time: escape.at.time,
            point: escape.point.to_array(),
        }
    }
}
