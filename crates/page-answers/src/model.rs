//! What the page draws of a character: its skeleton, its clips and its surface.

use baked_format::BakedCharacter;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use glam::Affine3A;
use serde::Serialize;
use skeleton::{Clip, Interpolation, LocalTransform, Property, Skeleton};
use skinned_model::{Attachment, SkinnedMesh, SkinnedModel};

/// The skeleton, the clips and the surface of a character.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Model {
    joints: Vec<JointData>,
    /// The transform of each joint at rest.
    rest: Vec<RestData>,
    clips: Vec<ClipData>,
    meshes: Vec<MeshData>,
    attachments: Vec<AttachmentData>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct JointData {
    name: String,
    /// The parent, an index into `joints`; `None` for a root.
    parent: Option<u16>,
    /// `true` if skin is bound to the joint.
    skinned: bool,
}

/// The transform from joint space to the parent's space: translation, rotation and scale, or a matrix of 12 numbers, column
/// by column.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
#[cfg_attr(test, ts(rename = "Rest"))]
enum RestData {
    Trs { t: [f32; 3], r: [f32; 4], s: [f32; 3] },
    Matrix { m: [f32; 12] },
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ClipData {
    name: String,
    /// The time of the first key, in seconds on the clip's own clock.
    start: f32,
    /// The duration, in seconds.
    seconds: f32,
    /// The times of keys, in seconds on the clip's own clock: 32-bit floats.
    timelines: Vec<Packed>,
    channels: Vec<ChannelData>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ChannelData {
    joint: u16,
    property: PropertyWord,
    interpolation: InterpolationWord,
    /// The times of the keys, an index into `timelines`.
    timeline: u32,
    /// The values of the keys: 32-bit floats.
    values: Packed,
}

/// The part of a joint's transform that a channel moves.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, ts(rename = "Property"))]
enum PropertyWord {
    Translation,
    Rotation,
    Scale,
}

/// The interpolation between two keys.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, ts(rename = "Interpolation"))]
enum InterpolationWord {
    Step,
    Linear,
    Cubic,
}

/// Little-endian numbers in base64.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Packed(String);

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct MeshData {
    name: String,
    /// The node of the file with this mesh.
    node: u32,
    /// The joint of each slot.
    joints: Vec<u16>,
    /// The transform from mesh space to joint space for each slot: 12 32-bit floats, column by column.
    binds: Packed,
    /// Three 32-bit floats for each vertex, in mesh space.
    positions: Packed,
    /// The slots of the four strongest influences of each vertex: 16-bit integers.
    slots: Packed,
    /// The weights of these influences, which sum to 1: 32-bit floats.
    weights: Packed,
    /// Three numbers of vertices for each triangle: 32-bit integers.
    triangles: Packed,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct AttachmentData {
    name: String,
    /// The node of the file with this mesh.
    node: u32,
    joint: u16,
    /// The transform from mesh space to joint space: 12 numbers, column by column.
    matrix: [f32; 12],
    /// Three 32-bit floats for each vertex, in mesh space.
    positions: Packed,
    /// Three numbers of vertices for each triangle: 32-bit integers.
    triangles: Packed,
}

impl Model {
    /// The joints and clips of a baked file, which has no surface.
    #[must_use]
    pub fn of_baked(baked: &BakedCharacter) -> Self {
        Self::new(&baked.skeleton, &baked.clips, &[], &[])
    }

    /// The joints, the clips and the surface of an asset.
    #[must_use]
    pub fn of_model(model: &SkinnedModel) -> Self {
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
                Property::Translation => PropertyWord::Translation,
                Property::Rotation => PropertyWord::Rotation,
                Property::Scale => PropertyWord::Scale,
            },
            interpolation: match channel.interpolation {
                Interpolation::Step => InterpolationWord::Step,
                Interpolation::Linear => InterpolationWord::Linear,
                Interpolation::CubicSpline => InterpolationWord::Cubic,
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
            slots: Packed::new(strongest.iter().flatten().flat_map(|(slot, _)| slot.to_le_bytes())),
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

impl Packed {
    fn new(bytes: impl Iterator<Item = u8>) -> Self {
        Self(BASE64_STANDARD.encode(bytes.collect::<Vec<_>>()))
    }
}

fn floats(numbers: impl Iterator<Item = f32>) -> Packed {
    Packed::new(numbers.flat_map(f32::to_le_bytes))
}

fn integers(numbers: impl Iterator<Item = u32>) -> Packed {
    Packed::new(numbers.flat_map(u32::to_le_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

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
