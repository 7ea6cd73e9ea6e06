//! A figure of 24 boxes.

use baked_format::{BakedCharacter, Hitbox, HitboxRole, HitboxShape, Source};
use glam::{Quat, Vec3};
use skeleton::{Channel, Clip, Interpolation, Joint, JointIndex, LocalTransform, NodeIndex, Property, Skeleton, Trs};

/// Name, parent, offset from the parent, box center and half extents in the joint's space.
type Part = (&'static str, Option<u16>, [f32; 3], [f32; 3], [f32; 3]);

const TRUNK: [Part; 8] = [
    ("hips", None, [0.0, 0.95, 0.0], [0.0, 0.02, 0.0], [0.17, 0.11, 0.11]),
    ("belt", Some(0), [0.0, 0.08, 0.0], [0.0, 0.02, 0.0], [0.165, 0.05, 0.115]),
    ("spine", Some(0), [0.0, 0.12, 0.0], [0.0, 0.07, 0.0], [0.15, 0.09, 0.1]),
    ("chest", Some(2), [0.0, 0.15, 0.0], [0.0, 0.12, 0.01], [0.18, 0.15, 0.12]),
    ("neck", Some(3), [0.0, 0.27, 0.0], [0.0, 0.04, 0.01], [0.06, 0.06, 0.06]),
    ("head", Some(4), [0.0, 0.09, 0.0], [0.0, 0.11, 0.02], [0.08, 0.12, 0.1]),
    ("jaw", Some(5), [0.0, 0.0, 0.05], [0.0, 0.0, 0.03], [0.05, 0.04, 0.05]),
    ("pack", Some(3), [0.0, 0.1, -0.14], [0.0, 0.0, -0.05], [0.12, 0.16, 0.07]),
];

const SIDE: [Part; 8] = [
    ("shoulder", Some(3), [0.05, 0.2, 0.0], [0.06, 0.0, 0.0], [0.07, 0.06, 0.07]),
    ("arm", Some(8), [0.13, 0.0, 0.0], [0.0, -0.14, 0.0], [0.06, 0.16, 0.06]),
    ("forearm", Some(9), [0.0, -0.28, 0.0], [0.0, -0.12, 0.0], [0.045, 0.14, 0.05]),
    ("hand", Some(10), [0.0, -0.25, 0.0], [0.0, -0.09, 0.0], [0.03, 0.1, 0.05]),
    ("thigh", Some(0), [0.1, -0.05, 0.0], [0.0, -0.2, 0.0], [0.09, 0.23, 0.1]),
    ("shin", Some(12), [0.0, -0.42, 0.0], [0.0, -0.19, -0.01], [0.06, 0.22, 0.07]),
    ("foot", Some(13), [0.0, -0.4, 0.0], [0.0, -0.04, 0.05], [0.05, 0.05, 0.1]),
    ("toes", Some(14), [0.0, -0.06, 0.12], [0.0, 0.0, 0.04], [0.05, 0.025, 0.06]),
];

/// A unit quaternion with the same bits on every machine: glam's own differ between SSE2 and NEON.
#[must_use]
pub fn unit(x: f32, y: f32, z: f32, w: f32) -> Quat {
    let length = ((x * x + z * z) + (y * y + w * w)).sqrt();
    Quat::from_xyzw(x / length, y / length, z / length, w / length)
}

/// 24 joints with a box each, 1.75 tall, Y up, facing +Z, with the clips `idle` and `walk` of a second each.
///
/// # Panics
/// Never: the figure is valid.
#[must_use]
pub fn baked_figure(name: &str) -> BakedCharacter {
    let (mut joints, mut boxes) = (Vec::new(), Vec::new());
    let mut add = |(part, parent, offset, center, half): Part, mirror: f32, suffix: &str, shift: u16| {
        let sided = |v: [f32; 3]| Vec3::new(v[0] * mirror, v[1], v[2]);
        let parent = parent.map(|parent| JointIndex(if parent < 8 { parent } else { parent + shift }));
        let rest = LocalTransform::Trs(Trs { translation: sided(offset), ..Trs::IDENTITY });
        let index = joints.len() as u16;
        let name = format!("{part}{suffix}");
        joints.push(Joint { name, node: NodeIndex(u32::from(index)), parent, rest, skinned: true });
        boxes.push(Hitbox {
            joint: JointIndex(index),
            shape: HitboxShape::Box,
            role: HitboxRole::Hurt,
            tags: vec![part.into()],
            center: sided(center),
            half_extents: half.into(),
            orientation: unit(0.02 * mirror, 0.01, 0.03, 1.0),
            vertices: 8,
            hull_vertices: 8,
            hull_volume: 8.0 * half[0] * half[1] * half[2],
            min_volume: None,
            hull: None,
        });
    };
    TRUNK.into_iter().for_each(|part| add(part, 1.0, "", 0));
    SIDE.into_iter().for_each(|part| add(part, 1.0, ".l", 0));
    SIDE.into_iter().for_each(|part| add(part, -1.0, ".r", 8));
    BakedCharacter {
        name: name.into(),
        source: Source { file: "figure.glb".into(), blake3: [0; 32], generator: "by hand".into() },
        algorithm_revision: 0,
        options: Vec::new(),
        skeleton: Skeleton::new(joints).expect("parents come first"),
        boxes,
        clips: vec![swing("idle", 0.05), swing("walk", 0.6)],
        coverage: None,
        warnings: Vec::new(),
        humanoid: None,
        skin: None,
        envelopes: Vec::new(),
        attacks: Vec::new(),
        states: Vec::new(),
        ragdoll: None,
    }
}

/// Arms and legs swing about x against each other, the trunk turns a little about y; four keys and back to the first.
fn swing(name: &str, reach: f32) -> Clip {
    let turn = |axis: usize, amount: f32| {
        let mut q = [0.0, 0.0, 0.0, 1.0];
        q[axis] = amount * reach;
        unit(q[0], q[1], q[2], q[3]).to_array()
    };
    let amounts = [(2, 1, 0.1), (9, 0, 0.7), (10, 0, -0.4), (12, 0, -0.6), (13, 0, 0.5)];
    let right = [(17, 0, -0.7), (18, 0, -0.4), (20, 0, 0.6), (21, 0, 0.5)];
    let channels = amounts.into_iter().chain(right).map(|(joint, axis, amount): (u16, usize, f32)| Channel {
        joint: JointIndex(joint),
        property: Property::Rotation,
        interpolation: Interpolation::Linear,
        timeline: 0,
        values: [0.0, 1.0, 0.0, -1.0, 0.0].iter().flat_map(|phase| turn(axis, amount * phase)).collect(),
    });
    Clip { name: name.into(), timelines: vec![vec![0.0, 0.25, 0.5, 0.75, 1.0]], channels: channels.collect() }
}
