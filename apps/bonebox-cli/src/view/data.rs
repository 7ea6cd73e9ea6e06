//! The answers to the page, as JSON. `apps/viewer/src/data/types.ts` has the same types.

use crate::draw;
use asset_bake::SharedFigures;
use baked_format::{BakedCharacter, BodyShape, BodySolid, Hitbox};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bone_fit::{BakeOptions, Figures, hitboxes_in_meters};
use glam::Affine3A;
use runtime::{Character, PosedCharacter};
use serde::Serialize;
use serde_json::value::RawValue;
use skeleton::{Clip, Interpolation, LocalTransform, Property, Skeleton};
use skinned_model::{Attachment, SkinnedMesh, SkinnedModel};
use std::collections::BTreeMap;

/// The boxes of a character for some options.
#[derive(Serialize)]
pub(crate) struct Bake {
    /// NAME.bonebox.json, as `bonebox bake` writes it.
    bake: Box<RawValue>,
    /// The color of each joint as `#rrggbb`, as in pictures.
    colors: Vec<String>,
    /// The part of the body of each joint, see [`parts`].
    parts: Vec<String>,
    bounds: Bounds,
    /// The full extents of each hitbox along its own axes, in meters of the character at rest.
    sizes: Vec<[f64; 3]>,
    /// The shapes of each body of the ragdoll; empty without a ragdoll.
    body_shapes: Vec<Vec<BodyShapeData>>,
    /// The sum of the hitboxes' volumes at rest, in model units cubed.
    volume: f64,
    /// The presets that the settings give to single joints.
    pub(crate) joint_presets: BTreeMap<String, String>,
    /// The limits that the bake breaks, one sentence each.
    pub(crate) broken: Vec<String>,
    /// The settings file that applies to the asset.
    pub(crate) settings: Option<String>,
    /// The hitboxes that the character has in common with others; `None` if it shares none.
    pub(crate) shared: Option<Shared>,
}

/// The hitboxes that a character has in common with others, and these others.
#[derive(Serialize)]
pub(crate) struct Shared {
    /// The name of the set in the settings file.
    set: String,
    /// The volume of all hitboxes at rest, divided by that of the hitboxes that the character would have alone; `None` if these
    /// have no volume.
    volume_ratio: Option<f64>,
    /// The characters of the set on the page, by number, and with this character.
    pub(crate) members: Vec<usize>,
    /// The names of the characters of the set that are not on the page.
    pub(crate) absent: Vec<String>,
}

impl Shared {
    /// The figures of a bake; `None` if it shares no hitboxes.
    pub(crate) fn of_bake(baked: &BakedCharacter) -> Option<Self> {
        let SharedFigures { set, volume_ratio, .. } = SharedFigures::of_bake(baked)?;
        Some(Self { set: set.to_owned(), volume_ratio, members: Vec::new(), absent: Vec::new() })
    }
}

/// The bounds of the boxes at rest, in model space.
#[derive(Serialize)]
struct Bounds {
    min: [f32; 3],
    max: [f32; 3],
}

impl Bake {
    /// # Errors
    /// Returns an error if the rest pose is not finite, or if a shape of the ragdoll is too large.
    pub(crate) fn new(baked: &BakedCharacter) -> anyhow::Result<Self> {
        let bake = RawValue::from_string(baked_format::to_json(baked))?;
        let colors = (0..baked.skeleton.len()).map(|joint| draw::joint_color(joint).to_hex()).collect();
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

    pub(crate) fn has_ragdoll(&self) -> bool {
        !self.body_shapes.is_empty()
    }
}

/// A shape of a rigid body in the space of the body, in meters.
#[derive(Serialize)]
struct BodyShapeData {
    center: [f32; 3],
    rotation: [f32; 4],
    #[serde(flatten)]
    solid: SolidData,
}

/// A solid about its center.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
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

/// The escape of one joint's surface from the boxes.
#[derive(Clone, Serialize)]
pub(crate) struct Escape {
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
    pub(crate) fn all(model: &SkinnedModel, boxes: &[Hitbox], options: &BakeOptions) -> Vec<Self> {
        let escapes = bone_fit::escapes_by_joint(model, boxes, options);
        let named = |escape: &bone_fit::JointEscape| Self {
            joint: model.skeleton.joint(escape.joint).name.clone(),
            outside: escape.outside,
            distance: escape.distance,
            clip: escape.at.clip.map(|clip| model.clips[clip.index()].name.clone()),
            time: escape.at.time,
            point: escape.point.to_array(),
        };
        escapes.iter().map(named).collect()
    }
}

/// A bake in a report.
#[derive(Serialize)]
pub(crate) struct Kept {
    pub(crate) id: usize,
    /// The preset; `None` for the options of the command line.
    pub(crate) preset: Option<String>,
    pub(crate) bake: Bake,
    pub(crate) escapes: Vec<Escape>,
}

/// The skeleton, the clips and the surface of a character.
#[derive(Serialize)]
pub(crate) struct Model {
    joints: Vec<JointData>,
    rest: Vec<RestData>,
    clips: Vec<ClipData>,
    meshes: Vec<MeshData>,
    attachments: Vec<AttachmentData>,
}

#[derive(Serialize)]
struct JointData {
    name: String,
    parent: Option<u16>,
    skinned: bool,
}

/// `parent_from_joint` of each joint.
#[derive(Serialize)]
#[serde(untagged)]
enum RestData {
    Trs { t: [f32; 3], r: [f32; 4], s: [f32; 3] },
    Matrix { m: [f32; 12] },
}

#[derive(Serialize)]
struct ClipData {
    name: String,
    start: f32,
    seconds: f32,
    timelines: Vec<String>,
    channels: Vec<ChannelData>,
}

#[derive(Serialize)]
struct ChannelData {
    joint: u16,
    property: &'static str,
    interpolation: &'static str,
    timeline: u32,
    values: String,
}

#[derive(Serialize)]
struct MeshData {
    name: String,
    /// The node of the file with this mesh.
    node: u32,
    joints: Vec<u16>,
    binds: String,
    positions: String,
    slots: String,
    weights: String,
    triangles: String,
}

#[derive(Serialize)]
struct AttachmentData {
    name: String,
    /// The node of the file with this mesh.
    node: u32,
    joint: u16,
    matrix: [f32; 12],
    positions: String,
    triangles: String,
}

impl Model {
    /// The joints and clips of a baked file, which has no surface.
    pub(crate) fn of_baked(baked: &BakedCharacter) -> Self {
        Self::new(&baked.skeleton, &baked.clips, &[], &[])
    }

    pub(crate) fn of_model(model: &SkinnedModel) -> Self {
        Self::new(&model.skeleton, &model.clips, &model.meshes, &model.attachments)
    }

    fn new(skeleton: &Skeleton, clips: &[Clip], meshes: &[SkinnedMesh], attachments: &[Attachment]) -> Self {
        let joints = skeleton.joints().iter();
        Self {
            joints: joints.clone().map(JointData::from).collect(),
            rest: joints.map(|joint| RestData::from(&joint.rest)).collect(),
            clips: clips.iter().map(ClipData::from).collect(),
            meshes: meshes.iter().map(MeshData::from).collect(),
            attachments: attachments.iter().map(AttachmentData::from).collect(),
        }
    }
}

impl From<&skeleton::Joint> for JointData {
    fn from(joint: &skeleton::Joint) -> Self {
        let parent = joint.parent.map(|parent| parent.0);
        Self { name: joint.name.clone(), parent, skinned: joint.skinned }
    }
}

impl From<&LocalTransform> for RestData {
    fn from(rest: &LocalTransform) -> Self {
        match rest {
            LocalTransform::Trs(trs) => {
                Self::Trs { t: trs.translation.to_array(), r: trs.rotation.to_array(), s: trs.scale.to_array() }
            }
            LocalTransform::Matrix(matrix) => Self::Matrix { m: matrix.to_cols_array() },
        }
    }
}

impl From<&Clip> for ClipData {
    fn from(clip: &Clip) -> Self {
        let channels = clip.channels.iter().map(|channel| ChannelData {
            joint: channel.joint.0,
            property: match channel.property {
                Property::Translation => "translation",
                Property::Rotation => "rotation",
                Property::Scale => "scale",
            },
            interpolation: match channel.interpolation {
                Interpolation::Step => "step",
                Interpolation::Linear => "linear",
                Interpolation::CubicSpline => "cubic",
            },
            timeline: channel.timeline,
            values: floats(channel.values.iter().copied()),
        });
        Self {
            name: clip.name.clone(),
            start: clip.start(),
            seconds: clip.seconds(),
            timelines: clip.timelines.iter().map(|times| floats(times.iter().copied())).collect(),
            channels: channels.collect(),
        }
    }
}

impl From<&SkinnedMesh> for MeshData {
    fn from(mesh: &SkinnedMesh) -> Self {
        let strongest: Vec<[(u16, f32); 4]> = (0..mesh.positions.len()).map(|vertex| strongest(mesh, vertex)).collect();
        // A vertex without weights has no position, so its triangles are left out, as in pictures.
        let is_bound = |&corner: &u32| strongest[corner as usize].iter().any(|(_, weight)| *weight > 0.0);
        let triangles = mesh.triangles.iter().filter(|triangle| triangle.iter().all(is_bound));
        Self {
            name: mesh.name.clone(),
            node: mesh.node.0,
            joints: mesh.joints.iter().map(|joint| joint.0).collect(),
            binds: floats(mesh.joint_from_mesh.iter().flat_map(Affine3A::to_cols_array)),
            positions: floats(mesh.positions.iter().flat_map(|point| point.to_array())),
            slots: BASE64_STANDARD
                .encode(strongest.iter().flatten().flat_map(|(slot, _)| slot.to_le_bytes()).collect::<Vec<_>>()),
            weights: floats(strongest.iter().flatten().map(|(_, weight)| *weight)),
            triangles: integers(triangles.flatten().copied()),
        }
    }
}

/// The four largest weights, normalized to sum to 1, and their slots. A graphics card can use four.
fn strongest(mesh: &SkinnedMesh, vertex: usize) -> [(u16, f32); 4] {
    let (slots, weights) = mesh.influences.of(vertex);
    let mut all: Vec<(u16, f32)> = slots.iter().copied().zip(weights.iter().copied()).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all.resize(4, (0, 0.0));
    let sum: f32 = all.iter().map(|(_, weight)| weight).sum();
    let share = if sum > 0.0 { 1.0 / sum } else { 0.0 };
    std::array::from_fn(|i| (all[i].0, all[i].1 * share))
}

impl From<&Attachment> for AttachmentData {
    fn from(attachment: &Attachment) -> Self {
        Self {
            name: attachment.name.clone(),
            node: attachment.node.0,
            joint: attachment.joint.0,
            matrix: attachment.joint_from_mesh.to_cols_array(),
            positions: floats(attachment.positions.iter().flat_map(|point| point.to_array())),
            triangles: integers(attachment.triangles.iter().flatten().copied()),
        }
    }
}

fn floats(numbers: impl Iterator<Item = f32>) -> String {
    BASE64_STANDARD.encode(numbers.flat_map(f32::to_le_bytes).collect::<Vec<_>>())
}

fn integers(numbers: impl Iterator<Item = u32>) -> String {
    BASE64_STANDARD.encode(numbers.flat_map(u32::to_le_bytes).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn the_largest_weights_come_first_and_sum_to_one() {
        let glb = test_models::box_man().to_glb();
        let model = skinned_model::import(&glb, &skinned_model::NoExternalFiles).unwrap();
        let mut mesh = model.meshes[0].clone();
        let row = mesh.influences.per_vertex;
        mesh.influences.slots[..4].copy_from_slice(&[3, 1, 2, 0]);
        mesh.influences.weights[..4].copy_from_slice(&[0.1, 0.5, 0.2, 0.0]);
        let found = strongest(&mesh, 0);
        assert_eq!(found.map(|(slot, _)| slot)[..3], [1, 2, 3], "{row} a row");
        assert!((found.iter().map(|(_, weight)| weight).sum::<f32>() - 1.0).abs() < 1e-6);
        mesh.influences.weights[..row].fill(0.0);
        assert_eq!(strongest(&mesh, 0).map(|(_, weight)| weight), [0.0; 4]);
    }
}
