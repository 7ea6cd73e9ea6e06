//! Writes a [`Character`] as binary glTF 2.0.

use crate::character::{Character, Motion, RigidMesh, Surface};
use crate::turn;
use glam::{DQuat, DVec3};
use serde_json::{Value, json};

/// The number of influences that a vertex keeps.
const KEPT_INFLUENCES: usize = 4;
/// A rotation key that differs from its neighbors by less than this in every quaternion component does not count as
/// movement.
const STILL: f64 = 1e-6;

const FLOAT: u32 = 5126;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_BYTE: u32 = 5121;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// Returns the bytes of the file. They are the same for the same character on every machine.
#[must_use]
pub fn write(character: &Character) -> Vec<u8> {
    let mut file = File::default();
    let joint_count = character.rig.joints.len();
    let mesh_node = joint_count + character.attachments.len();

    let last = character.colors.len() - 1;
    let parts: Vec<Value> = (0..=last).filter_map(|material| file.surface(&character.surface, material)).collect();
    let mut meshes = vec![json!({ "name": character.name, "primitives": parts })];
    for attachment in &character.attachments {
        let primitive = file.rigid(attachment, last);
        meshes.push(json!({ "name": attachment.name, "primitives": [primitive] }));
    }
    let inverse_bind = file.inverse_bind_matrices(character);
    let animations: Vec<Value> = character.motions.iter().map(|motion| file.motion(character, motion)).collect();
    let mut nodes = joint_nodes(character);
    nodes.push(json!({ "name": format!("{} body", character.name), "mesh": 0, "skin": 0 }));

    let document = json!({
        "asset": { "version": "2.0", "generator": "bonebox author-assets", "copyright": character.copyright },
        "scene": 0,
        "scenes": [{ "nodes": [0, mesh_node] }],
        "nodes": nodes,
        "meshes": meshes,
        "skins": [{ "joints": (0..joint_count).collect::<Vec<_>>(), "skeleton": 0, "inverseBindMatrices": inverse_bind }],
        "animations": animations,
        "materials": materials(character),
        "accessors": file.accessors,
        "bufferViews": file.views,
        "buffers": [{ "byteLength": file.bytes.len() }],
    });
    container(&document, file.bytes)
}

fn materials(character: &Character) -> Value {
    let matte = |&[r, g, b]: &[f64; 3]| json!({ "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.85 } });
    character.colors.iter().map(matte).collect()
}

/// The nodes: first the joints in rig order, then one node for each attachment.
fn joint_nodes(character: &Character) -> Vec<Value> {
    let rig = &character.rig;
    let attached = |joint: usize| {
        let first = rig.joints.len();
        let below = character.attachments.iter().enumerate().filter(move |(_, a)| a.joint == joint);
        below.map(move |(index, _)| first + index)
    };
    let mut nodes = Vec::new();
    for (index, (rotation, translation)) in rig.rest().locals(rig).into_iter().enumerate() {
        let below = (0..rig.joints.len()).filter(|&child| rig.joints[child].parent == Some(index));
        let children: Vec<usize> = below.chain(attached(index)).collect();
        let mut node = json!({ "name": rig.joints[index].name });
        place(&mut node, rotation, translation);
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        nodes.push(node);
    }
    for (index, attachment) in character.attachments.iter().enumerate() {
        let joint = &rig.joints[attachment.joint];
        let joint_from_model = joint.frame.transpose();
        let mut node = json!({ "name": attachment.name, "mesh": 1 + index });
        let rotation = turn::quaternion(&(joint_from_model * attachment.frame));
        place(&mut node, rotation, joint_from_model * (attachment.origin - joint.head));
        nodes.push(node);
    }
    nodes
}

fn place(node: &mut Value, rotation: DQuat, translation: DVec3) {
    if translation != DVec3::ZERO {
        node["translation"] = json!(single(translation));
    }
    if rotation != DQuat::IDENTITY {
        node["rotation"] = json!(unit(rotation));
    }
}

fn single(v: DVec3) -> [f32; 3] {
    v.as_vec3().to_array()
}

/// The components as `f32`. Adding 0 turns a negative zero into a positive zero.
fn unit(q: DQuat) -> [f32; 4] {
    q.to_array().map(|component| component as f32 + 0.0)
}

/// The binary part of the file, and the JSON lists that describe it.
#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl File {
    /// Appends a buffer view and returns its index.
    fn view(&mut self, data: impl IntoIterator<Item = u8>, target: Option<u32>) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(data);
        let mut view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": self.bytes.len() - offset });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn positions(&mut self, positions: &[DVec3]) -> usize {
        let rows: Vec<[f32; 3]> = positions.iter().map(|&p| single(p)).collect();
        let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for row in &rows {
            for axis in 0..3 {
                min[axis] = min[axis].min(row[axis]);
                max[axis] = max[axis].max(row[axis]);
            }
        }
        let view = self.view(rows.iter().flatten().flat_map(|x| x.to_le_bytes()), Some(ARRAY_BUFFER));
        self.accessor(json!({ "bufferView": view, "componentType": FLOAT, "count": rows.len(), "type": "VEC3",
            "min": min, "max": max }))
    }

    fn indices(&mut self, triangles: &[[u32; 3]]) -> usize {
        let corner =
            |corner: &u32| u16::try_from(*corner).expect("characters have fewer than 65536 vertices").to_le_bytes();
        let view = self.view(triangles.iter().flatten().flat_map(corner), Some(ELEMENT_ARRAY_BUFFER));
        self.accessor(json!({ "bufferView": view, "componentType": UNSIGNED_SHORT, "count": triangles.len() * 3,
            "type": "SCALAR" }))
    }

    /// Writes the triangles of one material as a primitive with its own vertices. Returns `None` if there are no such
    /// triangles.
    fn surface(&mut self, surface: &Surface, material: usize) -> Option<Value> {
        let mut kept = vec![None; surface.positions.len()];
        let chosen = surface.triangles.iter().zip(&surface.materials).filter(|(_, of)| **of == material);
        let triangles: Vec<[u32; 3]> = chosen.map(|(triangle, _)| *triangle).collect();
        for &corner in triangles.iter().flatten() {
            kept[corner as usize] = Some(0);
        }
        let vertices: Vec<usize> = (0..kept.len()).filter(|&vertex| kept[vertex].is_some()).collect();
        for (new, &old) in vertices.iter().enumerate() {
            kept[old] = Some(new as u32);
        }
        let triangles: Vec<[u32; 3]> =
            triangles.iter().map(|triangle| triangle.map(|corner| kept[corner as usize].unwrap_or_default())).collect();
        if triangles.is_empty() {
            return None;
        }
        let rows: Vec<([u8; 4], [u8; 4])> =
            vertices.iter().map(|&vertex| packed_influences(&surface.influences[vertex])).collect();
        let positions: Vec<DVec3> = vertices.iter().map(|&vertex| surface.positions[vertex]).collect();
        let positions = self.positions(&positions);
        let mut bytes = |data: Vec<u8>, normalized: bool| {
            let view = self.view(data, Some(ARRAY_BUFFER));
            let mut accessor =
                json!({ "bufferView": view, "componentType": UNSIGNED_BYTE, "count": rows.len(), "type": "VEC4" });
            if normalized {
                accessor["normalized"] = json!(true);
            }
            self.accessor(accessor)
        };
        let joints = bytes(rows.iter().flat_map(|row| row.0).collect(), false);
        let weights = bytes(rows.iter().flat_map(|row| row.1).collect(), true);
        let indices = self.indices(&triangles);
        Some(json!({ "attributes": { "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights },
            "indices": indices, "material": material }))
    }

    fn rigid(&mut self, mesh: &RigidMesh, material: usize) -> Value {
        let positions = self.positions(&mesh.positions);
        let indices = self.indices(&mesh.triangles);
        json!({ "attributes": { "POSITION": positions }, "indices": indices, "material": material })
    }

    fn inverse_bind_matrices(&mut self, character: &Character) -> usize {
        let joints = &character.rig.joints;
        let matrix = |joint: &crate::character::RigJoint| {
            let linear = joint.frame.transpose();
            let [x, y, z] = linear.to_cols_array_2d();
            let moved = linear * -joint.head;
            [
                [x[0], x[1], x[2], 0.0],
                [y[0], y[1], y[2], 0.0],
                [z[0], z[1], z[2], 0.0],
                [moved.x, moved.y, moved.z, 1.0],
            ]
        };
        let numbers: Vec<f32> = joints.iter().flat_map(|j| matrix(j).concat()).map(|x| x as f32 + 0.0).collect();
        let view = self.view(numbers.iter().flat_map(|x| x.to_le_bytes()), None);
        self.accessor(json!({ "bufferView": view, "componentType": FLOAT, "count": joints.len(), "type": "MAT4" }))
    }

    /// Writes one animation: a rotation channel for every joint that leaves its rest rotation, and a translation
    /// channel for each child of the root that moves. A channel that never changes has one key.
    fn motion(&mut self, character: &Character, motion: &Motion) -> Value {
        let rig = &character.rig;
        let rest = rig.rest().locals(rig);
        let frames: Vec<Vec<(DQuat, DVec3)>> = motion.postures.iter().map(|posture| posture.locals(rig)).collect();
        let times: Vec<f32> = (0..frames.len()).map(|frame| (frame as f64 / motion.rate) as f32).collect();

        let first_view = self.views.len();
        let mut data = Vec::new();
        // The accessors of all key times and of the first key time alone. Each is written when a channel first needs
        // it.
        let mut inputs = [None; 2];
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        for (joint, &(rest_rotation, rest_translation)) in rest.iter().enumerate() {
            let rotations = continuous(frames.iter().map(|frame| frame[joint].0));
            let tracks = [
                (
                    "rotation",
                    "VEC4",
                    rotations.iter().map(|q| q.to_array().to_vec()).collect::<Vec<_>>(),
                    rest_rotation.to_array().to_vec(),
                ),
                (
                    "translation",
                    "VEC3",
                    frames.iter().map(|frame| frame[joint].1.to_array().to_vec()).collect(),
                    rest_translation.to_array().to_vec(),
                ),
            ];
            for (path, kind, keys, at_rest) in tracks {
                let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < STILL);
                let still = keys.iter().all(|key| near(key, &keys[0]));
                if still && near(&keys[0], &at_rest) {
                    continue;
                }
                let kept = if still { 1 } else { keys.len() };
                let offset = data.len();
                data.extend(keys[..kept].iter().flatten().flat_map(|&x| (x as f32 + 0.0).to_le_bytes()));
                let output = self
                    .accessor(json!({ "bufferView": first_view, "byteOffset": offset, "componentType": FLOAT,
                    "count": kept, "type": kind }));
                channels.push(json!({ "sampler": samplers.len(), "target": { "node": joint, "path": path } }));
                let input = match inputs[usize::from(still)] {
                    Some(input) => input,
                    None => self.times(first_view, &mut data, &times[..kept]),
                };
                inputs[usize::from(still)] = Some(input);
                samplers.push(json!({ "input": input, "output": output }));
            }
        }
        let view = self.view(data, None);
        debug_assert_eq!(view, first_view);
        json!({ "name": motion.name, "channels": channels, "samplers": samplers })
    }

    fn times(&mut self, view: usize, data: &mut Vec<u8>, times: &[f32]) -> usize {
        let offset = data.len();
        data.extend(times.iter().flat_map(|time| time.to_le_bytes()));
        self.accessor(json!({ "bufferView": view, "byteOffset": offset, "componentType": FLOAT, "count": times.len(),
            "type": "SCALAR", "min": [times[0]], "max": [times[times.len() - 1]] }))
    }
}

/// The same rotations, with signs chosen so that consecutive quaternions are close to each other.
fn continuous(rotations: impl Iterator<Item = DQuat>) -> Vec<DQuat> {
    let mut out: Vec<DQuat> = Vec::new();
    for rotation in rotations {
        let flip = out.last().is_some_and(|last| last.dot(rotation) < 0.0);
        out.push(if flip { -rotation } else { rotation });
    }
    out
}

/// The four largest influences as joints and weights that sum to 255, largest first. If weights are equal, the joint
/// with the lower index comes first.
fn packed_influences(row: &[(usize, f64)]) -> ([u8; 4], [u8; 4]) {
    let mut row: Vec<(usize, f64)> = row.to_vec();
    row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    row.truncate(KEPT_INFLUENCES);
    let total: f64 = row.iter().map(|&(_, weight)| weight).sum();
    let (mut joints, mut weights) = ([0_u8; 4], [0_u8; 4]);
    for (slot, &(joint, weight)) in row.iter().enumerate() {
        // Weights are rounded down, so that the largest gets the remainder and stays the largest.
        weights[slot] = (weight / total * 255.0) as u8;
        joints[slot] = u8::try_from(joint).expect("characters have fewer than 256 joints");
    }
    weights[0] += 255 - weights.iter().map(|&weight| u16::from(weight)).sum::<u16>() as u8;
    for slot in 0..4 {
        // A slot without weight has joint 0, as the specification advises.
        if weights[slot] == 0 {
            joints[slot] = 0;
        }
    }
    (joints, weights)
}

/// The container: header, JSON chunk, binary chunk.
fn container(document: &Value, binary: Vec<u8>) -> Vec<u8> {
    let mut text = String::new();
    sorted_json(document, &mut text);
    let mut text = text.into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let length = |bytes: usize| u32::try_from(bytes).expect("a character takes less than 4 GiB").to_le_bytes();
    let mut out = Vec::new();
    out.extend(b"glTF");
    out.extend(2_u32.to_le_bytes());
    out.extend(length(12 + 8 + text.len() + 8 + binary.len()));
    for (kind, chunk) in [(b"JSON", text), (b"BIN\0", binary)] {
        out.extend(length(chunk.len()));
        out.extend(kind);
        out.extend(chunk);
    }
    out
}

/// Writes JSON with the keys of every object sorted. The order of `serde_json` depends on a feature that any package of
/// a build may enable.
fn sorted_json(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|entry| entry.0);
            for (index, (key, value)) in entries.into_iter().enumerate() {
                out.push(if index == 0 { '{' } else { ',' });
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                sorted_json(value, out);
            }
            out.push_str(if map.is_empty() { "{}" } else { "}" });
        }
        Value::Array(list) => {
            out.push('[');
            for (index, value) in list.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                sorted_json(value, out);
            }
            out.push(']');
        }
        plain => out.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_weights_sum_to_one_and_keep_their_order() {
        let row = [(3, 0.2), (9, 0.3), (1, 0.1), (4, 0.3), (7, 0.0999), (8, 0.0001)];
        let (joints, weights) = packed_influences(&row);
        assert_eq!(joints, [4, 9, 3, 1]);
        assert_eq!(weights.iter().map(|&w| u32::from(w)).sum::<u32>(), 255);
        assert!(weights.is_sorted_by(|a, b| a >= b));
        assert_eq!(packed_influences(&[(5, 0.7)]), ([5, 0, 0, 0], [255, 0, 0, 0]));
        assert_eq!(packed_influences(&[(5, 1.0), (6, 0.001)]), ([5, 0, 0, 0], [255, 0, 0, 0]));
    }
}
