//! Boxes as meshes of lines: one cube for each color, scaled to each box by its node.

use crate::document_writer::DocumentWriter;
use crate::shape::{Shape, floats};
use crate::wire_armature;
use baked_format::BakedCharacter;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Colors of the boxes, by joint, as linear RGB: bright, different, and visible on light and dark backgrounds.
const COLORS: [[f64; 3]; 8] = [
    [0.90, 0.22, 0.21],
    [0.12, 0.53, 0.90],
    [0.26, 0.63, 0.28],
    [0.98, 0.55, 0.00],
    [0.56, 0.27, 0.68],
    [0.00, 0.67, 0.69],
    [0.85, 0.11, 0.38],
    [0.55, 0.43, 0.39],
];

/// Offset, length and target of the two buffer views: corners, then edges.
const VIEWS: [[usize; 3]; 2] = [[0, 96, 34962], [96, 24, 34963]];

/// Writes the meshes, and one child node of its joint for each box. The cube goes from -1 to 1, so a node's scale is the
/// box's half extents. Each node remembers its hitbox, its joint and the options of the bake, because other tools keep the `extras`
/// of nodes and drop those of the asset. `document` is the document as JSON.
pub(crate) fn write(
    writer: &mut DocumentWriter<'_>,
    boxes: &[Shape<'_>],
    character: &BakedCharacter,
    document: &Value,
) {
    let options: BTreeMap<&str, &str> =
        character.options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let model_from_joint = character.skeleton.rest_matrices();
    let exported = |shape: &Shape<'_>| {
        let rest = model_from_joint[shape.baked.joint.index()].to_cols_array();
        json!({
            "shape": shape.baked.shape.keyword(),
            "center": floats(&shape.baked.center.to_array()),
            "half_extents": floats(&shape.baked.half_extents.to_array()),
            "orientation": floats(&shape.baked.orientation.to_array()),
            // The columns of the joint's model_from_joint matrix at rest, without the last row.
            "rest": floats(&rest),
            "boxes_of_joint": boxes.iter().filter(|other| other.baked.joint == shape.baked.joint).count(),
            "boxes": boxes.len(),
        })
    };
    let (buffer, start) = writer.embed(&cube());
    let views = VIEWS.map(|[offset, length, target]| {
        json!({ "buffer": buffer, "byteOffset": start + offset, "byteLength": length, "target": target })
    });
    let view = writer.append_list("bufferViews", views.to_vec());
    let corners = json!({
        "bufferView": view, "componentType": 5126, "count": 8, "type": "VEC3", "min": [-1, -1, -1], "max": [1, 1, 1]
    });
    let edges = json!({ "bufferView": view + 1, "componentType": 5121, "count": 24, "type": "SCALAR" });
    let accessor = writer.append_list("accessors", vec![corners, edges]);
    let materials = COLORS.map(|color| {
        let color: Vec<f64> = color.iter().copied().chain([1.0]).collect();
        json!({
            "name": "bonebox", "emissiveFactor": color[..3],
            "pbrMetallicRoughness": { "baseColorFactor": color, "metallicFactor": 0, "roughnessFactor": 1 }
        })
    });
    let material = writer.append_list("materials", materials.to_vec());
    let mesh = |color| {
        let attributes = json!({ "POSITION": accessor });
        let primitive =
            json!({ "attributes": attributes, "indices": accessor + 1, "material": material + color, "mode": 1 });
        json!({ "name": "bb:box", "primitives": [primitive] })
    };
    let meshes = (0..COLORS.len()).map(mesh).collect();
    let mesh = writer.append_list("meshes", meshes);
    let node = |shape: &Shape<'_>| {
        let mut node = shape.node();
        node["scale"] = floats(&(shape.size / (2.0 * shape.scale)).to_array());
        // Tells a reader that the scale is the box's half extents, even if another tool has dropped the mesh.
        node["extras"]["bonebox"]["form"] = "wire".into();
        node["extras"]["bonebox"]["options"] = json!(options);
        node["extras"]["bonebox"]["exported"] = exported(shape);
        node["mesh"] = (mesh + shape.node as usize % COLORS.len()).into();
        node
    };
    let armatures = wire_armature::unscaled(writer, document, writer.next_node() + boxes.len());
    let added = boxes.iter().map(|shape| (shape.node, node(shape))).chain(armatures);
    let (parents, nodes): (Vec<u32>, Vec<Value>) = added.unzip();
    writer.child_nodes(parents, nodes);
}

/// Returns the cube's 8 corners of three floats, then the 24 one-byte indices of its twelve edges.
fn cube() -> Vec<u8> {
    let mut bytes = Vec::with_capacity(96 + 24);
    for corner in 0..8_u8 {
        for axis in 0..3 {
            let coordinate: f32 = if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
            bytes.extend_from_slice(&coordinate.to_le_bytes());
        }
    }
    for corner in 0..8_u8 {
        let upward = (0..3).map(|axis| 1 << axis).filter(|bit| corner & bit == 0);
        bytes.extend(upward.flat_map(|bit| [corner, corner | bit]));
    }
    bytes
}
