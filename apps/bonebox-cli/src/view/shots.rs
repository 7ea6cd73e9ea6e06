//! Explained shots for the page, from a file of `History::explain`.

use crate::explanations::{ANSWERS, answer, read_explanations};
use crate::view::studio::Studio;
use anyhow::Context as _;
use asset_bake::printable_path;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use glam::{Affine3A, DAffine3, DMat3};
use page_answers::Query;
use rewind::{Explanation, NearestHitbox, ShotRay};
use runtime::{Animation, Character, ClipSampler, PoseRecipe};
use serde::Serialize;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

/// The most shots that the page lists.
const MOST_SHOTS: usize = 5_000;

/// A file with an explanation in each line. It is read again for each question, so that new lines appear.
#[derive(Debug)]
pub(crate) struct Shots {
    file: PathBuf,
}

#[derive(Serialize)]
struct ListedShots {
    file: String,
    shots: Vec<ListedShot>,
    /// The number of further shots in the file.
    more: usize,
}

#[derive(Serialize)]
struct ListedShot {
    /// The line of the file, counted from 1.
    line: usize,
    answer: &'static str,
    target: u64,
    sentence: String,
    /// The name of the target's character.
    character: Option<String>,
    /// The number of this character on the page; `None` if the page does not have it.
    id: Option<usize>,
}

/// What the page draws of a shot.
#[derive(Serialize)]
struct ShownShot {
    line: usize,
    ray: Option<ShotRay>,
    nearest: Option<NearestHitbox>,
    /// The poses of the target at the moment that was used, and at the newest tick.
    then: Option<ShownPose>,
    now: Option<ShownPose>,
    /// The reason why something is not drawn.
    problem: Option<String>,
}

#[derive(Serialize)]
struct ShownPose {
    /// World from model: three columns of the linear part and the translation.
    place: [f32; 12],
    /// Parent from joint of each joint, 12 numbers each, in base64.
    joints: String,
}

impl Shots {
    /// Reads the file once, for its mistakes.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or for the first line that is no explanation.
    pub(crate) fn open(file: PathBuf) -> anyhow::Result<Self> {
        let shots = Self { file };
        shots.each(|_, _| Ok(()))?;
        Ok(shots)
    }

    fn each(&self, each: impl FnMut(usize, Explanation) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let name = printable_path(&self.file).to_string();
        let file = File::open(&self.file).with_context(|| format!("cannot read {name}"))?;
        read_explanations(&name, &mut BufReader::new(file), each)
    }

    /// The list of shots as JSON.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or for the first line that is no explanation.
    pub(crate) fn list(&self, studio: &Studio) -> anyhow::Result<String> {
        let (mut shots, mut more) = (Vec::new(), 0);
        self.each(|line, explanation| {
            if shots.len() == MOST_SHOTS {
                more += 1;
                return Ok(());
            }
            let id = explanation.character.as_deref().and_then(|name| studio.find(name));
            shots.push(ListedShot {
                line,
                answer: ANSWERS[answer(&explanation.verdict)],
                target: explanation.target.0,
                sentence: explanation.to_string(),
                character: explanation.character,
                id,
            });
            Ok(())
        })?;
        Ok(serde_json::to_string(&ListedShots { file: printable_path(&self.file).to_string(), shots, more })?)
    }

    /// The shot of the line in the query, as JSON.
    ///
    /// # Errors
    /// Returns an error if the file has no such line, or its character cannot be baked.
    pub(crate) fn shot(&self, studio: &Studio, query: &Query) -> anyhow::Result<String> {
        let wanted = query.get("line").and_then(|text| text.parse::<usize>().ok()).context("line must be a number")?;
        let mut found = None;
        self.each(|line, explanation| {
            if line == wanted {
                found = Some(explanation);
            }
            Ok(())
        })?;
        let shot = found.with_context(|| format!("the file has no shot in line {wanted} any more; reload the page"))?;
        let mut shown =
            ShownShot { line: wanted, ray: shot.ray, nearest: shot.nearest, then: None, now: None, problem: None };
        match shot.character.as_deref().map(|name| (name, studio.find(name))) {
            None if shown.ray.is_none() => {
                shown.problem = Some("an earlier version wrote this line, without the ray and the poses".into());
            }
            None => {}
            Some((name, None)) => {
                shown.problem =
                    Some(format!("the target is {name:?}; add this character to the files of bonebox view"));
            }
            Some((_, Some(id))) => {
                let character = Character::from_baked((*studio.baked(id, studio.requested())?).clone());
                let mut posed = |recipe: Option<PoseRecipe>| match recipe.map(|recipe| pose(&character, &recipe)) {
                    Some(Ok(pose)) => Some(pose),
                    Some(Err(error)) => {
                        shown.problem = Some(format!("{error:#}"));
                        None
                    }
                    None => None,
                };
                let (then, now) = (posed(shot.then), posed(shot.now));
                (shown.then, shown.now) = (then, now);
            }
        }
        Ok(serde_json::to_string(&shown)?)
    }
}

/// The joints of a character in a recipe's pose.
///
/// # Errors
/// Returns an error if the recipe does not fit the character, which may have been baked anew since.
fn pose(character: &Character, recipe: &PoseRecipe) -> anyhow::Result<ShownPose> {
    let mut sampler = ClipSampler::new();
    let other =
        || format!("the pose does not fit {}, which has other clips or joints than in the game", character.name());
    let model_from_joint = match &recipe.animation {
        Animation::Rest => character.rest_matrices(),
        Animation::Clip { clip, seconds } => sampler.sample(character, *clip, *seconds).with_context(other)?,
        Animation::Layers(layers) => sampler.sample_layers(character, layers).with_context(other)?,
        Animation::Joints(joints) => joints,
    };
    let skeleton = character.skeleton();
    anyhow::ensure!(model_from_joint.len() == skeleton.len(), other());
    let joints = skeleton.joints().iter().zip(model_from_joint).flat_map(|(joint, matrix)| {
        let parent = joint.parent.map_or(Affine3A::IDENTITY, |parent| model_from_joint[parent.index()]);
        parent_from_joint(&parent, matrix).to_cols_array()
    });
    let bytes: Vec<u8> = joints.flat_map(|number| (number as f32).to_le_bytes()).collect();
    Ok(ShownPose { place: recipe.place.to_cols_array(), joints: BASE64_STANDARD.encode(bytes) })
}

/// A parent without extent along an axis has no inverse; then its joints are drawn at the parent.
fn parent_from_joint(parent: &Affine3A, joint: &Affine3A) -> DAffine3 {
    let double = |matrix: &Affine3A| DAffine3 {
        matrix3: DMat3::from_cols_array(&matrix.matrix3.to_cols_array().map(f64::from)),
        translation: matrix.translation.as_dvec3(),
    };
    let found = double(parent).inverse() * double(joint);
    if found.is_finite() { found } else { DAffine3::IDENTITY }
}
