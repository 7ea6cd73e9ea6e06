//! The figures of hitboxes that the page edits.

use crate::edits::Edits;
use crate::escape::Escape;
use anyhow::Context as _;
use baked_format::BakedCharacter;
use bone_fit::{BakeOptions, measure_boxes, measure_joints};
use serde::{Deserialize, Serialize};
use skeleton::JointIndex;
use skinned_model::SkinnedModel;
use std::collections::BTreeMap;

/// Asks for the figures of a character with edited hitboxes.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MeasureQuery {
    /// The number of the character.
    pub(crate) id: usize,
    /// The options of the bake, as in a question.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<BTreeMap<String, String>>"))]
    pub(crate) options: BTreeMap<String, String>,
    edits: Edits,
    /// The joints whose skin is measured, by name; `None` for all skin.
    joints: Option<Vec<String>>,
}

/// The figures of a character with edited hitboxes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Measured {
    /// The figures of all skin; `None` if only some joints were measured.
    coverage: Option<CoverageData>,
    joints: Vec<FiguresData>,
}

/// The figures of all skin, with the names that they have in a baked file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "MeasuredCoverage"))]
struct CoverageData {
    surface_rest: f64,
    surface_clips: f64,
    own_rest: f64,
    own_clips: f64,
    max_escape: f64,
    every_sample_time: bool,
}

/// The skin of one joint with edited hitboxes, over the rest pose and all clips.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "JointFigures"))]
struct FiguresData {
    joint: String,
    /// The share of its skin inside any hitbox, 0 to 1.
    inside: f64,
    /// The share of its skin inside its own hitboxes, 0 to 1.
    own: f64,
    /// Where its skin is farthest outside; `None` if it leaves no hitbox.
    escape: Option<Escape>,
}

impl Measured {
    /// Measures the skin of a model with the hitboxes of its bake and the edits of the query, as the bake measures it.
    ///
    /// # Errors
    /// Returns an error if the character has no such joint, or if a hitbox is not finite.
    pub fn new(
        model: &SkinnedModel,
        baked: &BakedCharacter,
        options: &BakeOptions,
        query: &MeasureQuery,
    ) -> anyhow::Result<Self> {
        let boxes = query.edits.applied_to(baked)?;
        let joint =
            |name: &String| model.skeleton.find(name).with_context(|| format!("the character has no joint {name:?}"));
        let joints: Option<Vec<JointIndex>> =
            query.joints.as_ref().map(|names| names.iter().map(joint).collect()).transpose()?;
        let coverage = joints.is_none().then(|| measure_boxes(model, &boxes, options)).map(|found| CoverageData {
            surface_rest: found.surface_rest,
            surface_clips: found.surface_clips,
            own_rest: found.own_rest,
            own_clips: found.own_clips,
            max_escape: found.max_escape,
            every_sample_time: found.every_sample_time,
        });
        let figures = measure_joints(model, &boxes, options, joints.as_deref());
        let figures = figures.iter().map(|found| FiguresData {
            joint: model.skeleton.joint(found.joint).name.clone(),
            inside: found.inside,
            own: found.own,
            escape: found.escape.as_ref().map(|escape| Escape::new(model, escape)),
        });
        Ok(Self { coverage, joints: figures.collect() })
    }
}
