//! The hitboxes of a character for some options.

use crate::color;
use crate::escape::Escape;
use asset_bake::SharedFigures;
use baked_format::{BakedCharacter, BodyShape, BodySolid};
use bone_fit::{Figures, hitboxes_in_meters};
use glam::Affine3A;
use runtime::{Character, PosedCharacter};
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The boxes of a character for some options.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Bake {
    /// NAME.bonebox.json, as `bonebox bake` writes it.
    #[cfg_attr(test, ts(type = "Baked"))]
    bake: Box<RawValue>,
    /// The color of each joint as `#rrggbb`, as in pictures.
    colors: Vec<String>,
    /// The part of the body that each joint belongs to, such as `torso`, from its name or the tags of its first box.
    parts: Vec<String>,
    /// The bounds of the boxes at rest, in model space.
    bounds: Bounds,
    /// The full extents of each hitbox along its own axes, in meters of the character at rest.
    sizes: Vec<[f64; 3]>,
    /// The shapes of each body of the ragdoll; empty without a ragdoll.
    body_shapes: Vec<Vec<BodyShapeData>>,
    /// The sum of the hitboxes' volumes at rest, in model units cubed.
    volume: f64,
    /// The presets that the settings give to single joints.
    pub joint_presets: BTreeMap<String, String>,
    /// The limits that the bake breaks, one sentence each.
    pub broken: Vec<String>,
    /// The settings file that applies to the asset; `None` if there is none, or in a report.
    pub settings: Option<String>,
    /// The hitboxes that the character has in common with others; `None` if it shares none.
    pub shared: Option<Shared>,
}

/// The hitboxes that a character has in common with others, and these others.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "SharedFigures"))]
pub struct Shared {
    /// The name of the set in the settings file.
    set: String,
    /// The volume of all hitboxes at rest, divided by that of the hitboxes that the character would have alone; `None` if these
    /// have no volume.
    volume_ratio: Option<f64>,
    /// The characters of the set on the page, by number, and with this character.
    pub members: Vec<usize>,
    /// The names of the characters of the set that are not on the page.
    pub absent: Vec<String>,
}

impl Shared {
    /// The figures of a bake; `None` if it shares no hitboxes.
    #[must_use]
    pub fn of_bake(baked: &BakedCharacter) -> Option<Self> {
        let SharedFigures { set, volume_ratio, .. } = SharedFigures::of_bake(baked)?;
        Some(Self { set: set.to_owned(), volume_ratio, members: Vec::new(), absent: Vec::new() })
    }
}

/// An axis-aligned box in model space.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Bounds {
    min: [f32; 3],
    max: [f32; 3],
}

impl Bake {
    /// The hitboxes of a baked character. The fields that depend on settings are empty.
    ///
    /// # Errors
    /// Returns an error if the rest pose is not finite, or if a shape of the ragdoll is too large.
    pub fn new(baked: &BakedCharacter) -> anyhow::Result<Self> {
        let bake = RawValue::from_string(baked_format::to_json(baked))?;
        let colors = (0..baked.skeleton.len()).map(|joint| color::of_joint(joint).to_hex()).collect();
        let character = Character::from_baked(baked.clone());
        let mut posed = PosedCharacter::new();
        posed.pose_from_rest(&character, &Affine3A::IDENTITY)?;
        let bounds = posed.bounds();
        let volume = Figures::of_bake(baked).volume;
        let bodies = baked.ragdoll.iter().flat_map(|ragdoll| &ragdoll.bodies);
        let body_shapes = bodies.map(|body| Ok(baked.body_shapes(body)?.iter().map(BodyShapeData::from).collect()));
        // The bounds of a character without boxes are infinite, which JSON cannot represent.
        let finite = |v: glam::Vec3| if v.is_finite() { v.to_array() } else { [0.0; 3] };
        Ok(Self {
            bake,
            colors,
            parts: parts(baked),
            bounds: Bounds { min: finite(bounds.min), max: finite(bounds.max) },
            sizes: hitboxes_in_meters(baked).into_iter().map(|[_, half]| (2.0 * half).to_array()).collect(),
            body_shapes: body_shapes.collect::<anyhow::Result<_>>()?,
            volume,
            joint_presets: BTreeMap::new(),
            broken: Vec::new(),
            settings: None,
            shared: Shared::of_bake(baked),
        })
    }

    /// `true` if the character has a ragdoll.
    #[must_use]
    pub fn has_ragdoll(&self) -> bool {
        !self.body_shapes.is_empty()
    }
}

/// A shape of a rigid body in the space of the body, in meters. About its center, it is a box with half extents, a capsule
/// along y, a sphere with a radius, or a hull with vertices.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "BodyShape"))]
struct BodyShapeData {
    center: [f32; 3],
    rotation: [f32; 4],
    #[serde(flatten)]
    solid: SolidData,
}

/// A solid about its center.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, ts(rename = "BodySolid"))]
enum SolidData {
    /// The half extents.
    Box([f32; 3]),
    /// A capsule along y.
    Capsule { half_length: f32, radius: f32 },
    /// The radius.
    Sphere(f32),
    /// The vertices.
    Hull(Vec<[f32; 3]>),
}

impl From<&BodyShape> for BodyShapeData {
    fn from(shape: &BodyShape) -> Self {
        let solid = match &shape.solid {
            BodySolid::Box(half) => SolidData::Box(half.to_array()),
            BodySolid::Capsule { half_length, radius } => {
                SolidData::Capsule { half_length: *half_length, radius: *radius }
            }
            BodySolid::Sphere(radius) => SolidData::Sphere(*radius),
            BodySolid::Hull(hull) => SolidData::Hull(hull.vertices.iter().map(|vertex| vertex.to_array()).collect()),
        };
        Self { center: shape.center.to_array(), rotation: shape.rotation.to_array(), solid }
    }
}

/// Returns the part of the body of each joint, which is the first of these that exists:
///
/// 1. the tag that the joint's name suggests, if the joint's first box has this tag
/// 2. the first tag of the joint's first box
/// 3. the tag that the joint's name suggests
/// 4. the joint's name
fn parts(baked: &BakedCharacter) -> Vec<String> {
    let joints = baked.skeleton.joints().iter().enumerate();
    let tags_of = |joint: usize| baked.boxes.iter().find(|one| one.joint.index() == joint).map(|one| &one.tags);
    let part = |(joint, data): (usize, &skeleton::Joint)| {
        let guessed = bake_settings::guess_tag(&data.name);
        // Names of sets, such as `hurt`, are tags too, and may come first.
        let own =
            tags_of(joint).and_then(|tags| tags.iter().find(|tag| guessed.as_ref() == Some(*tag)).or(tags.first()));
        own.cloned().or(guessed).unwrap_or_else(|| data.name.clone())
    };
    joints.map(part).collect()
}

/// A bake in a report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Kept {
    /// The number of the character.
    pub id: usize,
    /// The preset; `None` for the options of the command line.
    pub preset: Option<String>,
    /// The hitboxes.
    pub bake: Bake,
    /// The surface that leaves the hitboxes, the farthest first.
    pub escapes: Vec<Escape>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use bone_fit::BakeOptions;

    /// A scale of the root is not in the half extents of the file, which are in the space of each joint.
    #[test]
    fn sizes_are_those_of_the_world_whatever_the_scale_of_the_joints() {
        let sizes = |scale: f64| {
            let mut man = test_models::box_man().to_gltf();
            man.json["nodes"][0]["scale"] = serde_json::json!([scale, scale, scale]);
            let model = skinned_model::import(&man.to_glb(), &skinned_model::NoExternalFiles).unwrap();
            let source = baked_format::Source { file: String::new(), blake3: [0; 32], generator: String::new() };
            let baked = bone_fit::bake(&model, "man", source, &BakeOptions::default()).unwrap().character;
            Bake::new(&baked).unwrap().sizes.concat()
        };
        for scale in [0.01, 100.0] {
            for (one, scaled) in sizes(1.0).into_iter().zip(sizes(scale)) {
                assert!((scaled - scale * one).abs() < 1e-5 * scale, "{scaled} {one}");
            }
        }
    }
}
