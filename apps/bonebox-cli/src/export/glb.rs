//! Boxes into the glTF they were baked from, as child nodes of their joints.
//!
//! Rules that all the forms share: shapes are centred at their node, so every box has a node of its own with the box's centre
//! and orientation in joint space; sizes are full, above zero, and in the scene's unit, with the inverse of the joint's scale
//! on the node; every number is written; extensions are used, never required; what is ours is in `extras`.

use super::capsule::{Capsule, CapsulePolicy};
use super::container::Container;
use super::json_text::{Edits, Span, scan};
use super::{Export, Target};
use anyhow::Context as _;
use baked_format::{BakedCharacter, Hitbox};
use geometry_core::portable;
use glam::{Affine3A, Vec3};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Share of the character's longest box below which a shape's size is raised: formats demand sizes above zero.
const LEAST_SIZE: f32 = 1e-4;

/// The source with the boxes in it.
pub(super) fn extend(
    character: &BakedCharacter,
    source: &[u8],
    target: Target,
    policy: CapsulePolicy,
) -> anyhow::Result<Export> {
    let container = Container::open(source)?;
    let root = scan(container.json).context("the asset's JSON cannot be edited")?;
    let mut writer = Writer::new(&container, &root);
    let (boxes, mut warnings) = shapes(character);
    let there = earlier_boxes(&root);
    if there > 0 {
        warnings.push(format!(
            "the asset has {there} boxes of an earlier export, which stay beside the new ones; export the original instead"
        ));
    }
    match target {
        Target::Khr => writer.khr(&boxes)?,
        Target::Vrm => writer.vrm(&boxes, policy)?,
        Target::Wire => writer.wire(&boxes)?,
        _ => writer.omi(&boxes)?,
    }
    let binary = std::mem::take(&mut writer.binary);
    let json = writer.finish()?;
    Ok(Export { bytes: container.with_json(&json, &binary)?, warnings })
}

/// How many nodes and colliders of the document are boxes of ours.
fn earlier_boxes(root: &Span) -> usize {
    let nodes = root.get("nodes");
    let colliders = root.get("extensions").and_then(|all| all.get("VRMC_springBone")?.get("colliders"));
    let all = [nodes, colliders].into_iter().flatten().flat_map(Span::elements);
    all.filter(|element| element.get("extras").and_then(|extras| extras.get("bonebox")?.get("box")).is_some()).count()
}

/// A box ready to be written.
struct Shape<'a> {
    baked: &'a Hitbox,
    name: String,
    joint: &'a str,
    node: u32,
    /// The joint's scale at rest.
    scale: f32,
    /// Full, above zero, in the scene's unit.
    size: Vec3,
    index: usize,
}

fn shapes(character: &BakedCharacter) -> (Vec<Shape<'_>>, Vec<String>) {
    let skeleton = &character.skeleton;
    let mut model_from_joint = vec![Affine3A::IDENTITY; skeleton.len()];
    skeleton.model_from_joints(&skeleton.rest_pose(), &mut model_from_joint);
    let mut warnings = Vec::new();
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut shapes: Vec<Shape<'_>> = Vec::new();
    for (index, baked) in character.boxes.iter().enumerate() {
        let joint = skeleton.joint(baked.joint);
        let number = numbers.entry(&joint.name).or_default();
        *number += 1;
        let name = if *number == 1 { format!("bb:{}", joint.name) } else { format!("bb:{} ({number})", joint.name) };
        let (scale, even) = uniform_scale(&model_from_joint[baked.joint.index()]);
        if !even && *number == 1 {
            warnings.push(format!(
                "joint {:?} is scaled unevenly at rest: engines that scale shapes with their node will show another box",
                joint.name
            ));
        }
        let size = baked.half_extents * (2.0 * scale);
        shapes.push(Shape { baked, name, joint: &joint.name, node: joint.node.0, scale, size, index });
    }
    let least = LEAST_SIZE * shapes.iter().map(|shape| shape.size.max_element()).fold(f32::MIN_POSITIVE, f32::max);
    for shape in &mut shapes {
        shape.size = shape.size.max(Vec3::splat(least));
    }
    (shapes, warnings)
}

/// The cube root of the volume's change, and whether the matrix is a turn with that scale. A collapsed joint counts as unscaled.
fn uniform_scale(matrix: &Affine3A) -> (f32, bool) {
    let (linear, _) = portable::affine_parts(matrix);
    let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
    let scale = libm::cbrtf(x.cross(y).dot(z).abs());
    if !(scale.is_normal()) {
        return (1.0, false);
    }
    let tolerance = 1e-3 * scale * scale;
    let even = [x, y, z].iter().all(|axis| (axis.length_squared() - scale * scale).abs() <= tolerance)
        && [x.dot(y), y.dot(z), z.dot(x)].iter().all(|dot| dot.abs() <= tolerance);
    (scale, even)
}

impl Shape<'_> {
    fn extras(&self) -> Value {
        json!({ "bonebox": { "joint": self.joint, "tags": self.baked.tags, "box": self.index } })
    }

    /// Its node, without extensions.
    fn node(&self) -> Value {
        json!({
            "name": self.name,
            "translation": floats(&self.baked.center.to_array()),
            "rotation": floats(&self.baked.orientation.to_array()),
            "scale": floats(&[1.0 / self.scale; 3]),
            "extras": self.extras(),
        })
    }

    fn shape(&self) -> Value {
        json!({ "type": "box", "box": { "size": floats(&self.size.to_array()) } })
    }
}

/// Numbers as the shortest decimals that read back to the same `f32`.
fn floats(numbers: &[f32]) -> Value {
    let shortest = |number: &f32| number.to_string().parse::<f64>().unwrap_or_default();
    numbers.iter().map(shortest).collect::<Vec<f64>>().into()
}

/// The edits of a document.
struct Writer<'a> {
    root: &'a Span,
    container: &'a Container<'a>,
    edits: Edits,
    /// What is appended to a .glb's binary chunk.
    binary: Vec<u8>,
    /// New children of existing nodes.
    children: BTreeMap<u32, Vec<usize>>,
    /// Lists that the document lacks at its top: their elements, by key.
    lists: BTreeMap<&'static str, Vec<Value>>,
    /// Extensions at the top that it lacks, by name.
    extensions: BTreeMap<&'static str, Value>,
}

impl<'a> Writer<'a> {
    fn new(container: &'a Container<'a>, root: &'a Span) -> Self {
        let (edits, binary) = (Edits::default(), Vec::new());
        let (children, lists, extensions) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { root, container, edits, binary, children, lists, extensions }
    }

    fn omi(&mut self, boxes: &[Shape<'_>]) -> anyhow::Result<()> {
        let shapes = boxes.iter().map(Shape::shape).collect();
        let first = self.extension_list("OMI_physics_shape", &[("shapes", shapes)])?[0];
        let filters = vec![json!({ "collisionSystems": ["hurtbox"], "collideWithSystems": ["hitbox"] })];
        let filter = self.extension_list("OMI_physics_body", &[("collisionFilters", filters)])?[0];
        self.nodes(boxes, |shape| {
            let trigger = json!({ "shape": first + shape.index, "collisionFilter": filter });
            json!({ "OMI_physics_body": { "trigger": trigger } })
        })
    }

    fn khr(&mut self, boxes: &[Shape<'_>]) -> anyhow::Result<()> {
        let shapes = boxes.iter().map(|shape| {
            let mut value = shape.shape();
            value["name"] = shape.name.clone().into();
            value
        });
        let first = self.extension_list("KHR_implicit_shapes", &[("shapes", shapes.collect())])?[0];
        let filters =
            vec![json!({ "name": "hurtbox", "collisionSystems": ["hurtbox"], "collideWithSystems": ["hitbox"] })];
        let filter = self.extension_list("KHR_physics_rigid_bodies", &[("collisionFilters", filters)])?[0];
        self.nodes(boxes, |shape| {
            let trigger = json!({ "geometry": { "shape": first + shape.index }, "collisionFilter": filter });
            json!({ "KHR_physics_rigid_bodies": { "trigger": trigger } })
        })
    }

    /// Colliders name the joint itself, so no nodes are added. What is there stays and keeps its numbers.
    fn vrm(&mut self, boxes: &[Shape<'_>], policy: CapsulePolicy) -> anyhow::Result<()> {
        let collider = |shape: &Shape<'_>| {
            let Hitbox { center, half_extents, orientation, .. } = *shape.baked;
            let Capsule { head, tail, radius } = Capsule::of_box(center, half_extents, orientation, policy);
            let [radius] = [floats(&[radius * shape.scale])[0].clone()];
            let (offset, tail) = (floats(&head.to_array()), floats(&tail.to_array()));
            let form = json!({ "capsule": { "offset": offset, "radius": radius, "tail": tail } });
            json!({ "node": shape.node, "shape": form, "extras": shape.extras() })
        };
        let extension = self.root.get("extensions").and_then(|all| all.get("VRMC_springBone"));
        let there = extension.and_then(|extension| extension.get("colliders"));
        let first = there.map_or(0, |colliders| colliders.elements().len());
        let all: Vec<usize> = (first..first + boxes.len()).collect();
        let group = json!({ "name": "bonebox", "colliders": all });
        let colliders = boxes.iter().map(collider).collect();
        let lists = [("colliders", colliders), ("colliderGroups", vec![group])];
        self.extension_list("VRMC_springBone", &lists)?;
        Ok(())
    }

    /// A cube of lines for each colour, scaled to each box by its node.
    fn wire(&mut self, boxes: &[Shape<'_>]) -> anyhow::Result<()> {
        let (buffer, start) = self.embed(&wire::bytes());
        let views = wire::VIEWS.map(|[offset, length, target]| {
            json!({ "buffer": buffer, "byteOffset": start + offset, "byteLength": length, "target": target })
        });
        let view = self.append_list("bufferViews", views.to_vec());
        let corners = json!({
            "bufferView": view, "componentType": 5126, "count": 8, "type": "VEC3", "min": [-1, -1, -1], "max": [1, 1, 1]
        });
        let edges = json!({ "bufferView": view + 1, "componentType": 5121, "count": 24, "type": "SCALAR" });
        let accessor = self.append_list("accessors", vec![corners, edges]);
        let materials = wire::COLORS.map(|color| {
            let color: Vec<f64> = color.iter().copied().chain([1.0]).collect();
            json!({
                "name": "bonebox", "emissiveFactor": color[..3],
                "pbrMetallicRoughness": { "baseColorFactor": color, "metallicFactor": 0, "roughnessFactor": 1 }
            })
        });
        let material = self.append_list("materials", materials.to_vec());
        let mesh = |color| {
            let attributes = json!({ "POSITION": accessor });
            let primitive =
                json!({ "attributes": attributes, "indices": accessor + 1, "material": material + color, "mode": 1 });
            json!({ "name": "bb:box", "primitives": [primitive] })
        };
        let meshes = (0..wire::COLORS.len()).map(mesh).collect();
        let mesh = self.append_list("meshes", meshes);
        let node = |shape: &Shape<'_>| {
            let mut node = shape.node();
            node["scale"] = floats(&(shape.size / (2.0 * shape.scale)).to_array());
            node["mesh"] = (mesh + shape.node as usize % wire::COLORS.len()).into();
            node
        };
        self.child_nodes(boxes, boxes.iter().map(node).collect())
    }

    /// Puts bytes into the document: behind those of a .glb, else into a buffer of their own. Gives the buffer's index and
    /// where in it they begin.
    fn embed(&mut self, bytes: &[u8]) -> (usize, usize) {
        let first = self.root.get("buffers").and_then(|buffers| buffers.elements().first());
        // A .glb's binary chunk is its first buffer's, where that one names no other place.
        let own = first.filter(|buffer| buffer.get("uri").is_none()).and_then(|buffer| buffer.get("byteLength"));
        match (first, own, self.container.binary()) {
            (_, Some(length), Some(binary)) if binary.len() % 4 == 0 => {
                self.edits.replace(length, (binary.len() + bytes.len()).to_string());
                self.binary = bytes.to_vec();
                (0, binary.len())
            }
            (None, _, None) if self.container.is_glb() => {
                self.binary = bytes.to_vec();
                (self.append_list("buffers", vec![json!({ "byteLength": bytes.len() })]), 0)
            }
            _ => {
                let uri = format!("data:application/octet-stream;base64,{}", wire::base64(bytes));
                (self.append_list("buffers", vec![json!({ "uri": uri, "byteLength": bytes.len() })]), 0)
            }
        }
    }

    /// One child node per box, with these extensions.
    fn nodes(&mut self, boxes: &[Shape<'_>], extensions: impl Fn(&Shape<'_>) -> Value) -> anyhow::Result<()> {
        let node = |shape: &Shape<'_>| {
            let mut node = shape.node();
            node["extensions"] = extensions(shape);
            node
        };
        self.child_nodes(boxes, boxes.iter().map(node).collect())
    }

    fn child_nodes(&mut self, boxes: &[Shape<'_>], nodes: Vec<Value>) -> anyhow::Result<()> {
        let first = self.append_list("nodes", nodes);
        for shape in boxes {
            self.children.entry(shape.node).or_default().push(first + shape.index);
        }
        Ok(())
    }

    /// Appends to lists of a document-level extension, which is made where it is not there, and notes that it is used.
    /// Gives the index of the first new element of each list.
    fn extension_list(
        &mut self,
        extension: &'static str,
        lists: &[(&'static str, Vec<Value>)],
    ) -> anyhow::Result<Vec<usize>> {
        let quoted = json!(extension).to_string();
        let used = self.root.get("extensionsUsed").map(Span::elements).unwrap_or_default();
        if !used.iter().any(|used| self.container.json[used.range.clone()] == quoted) {
            self.append_list("extensionsUsed", vec![json!(extension)]);
        }
        let there = self.root.get("extensions").and_then(|extensions| extensions.get(extension));
        let Some(there) = there else {
            let members = lists.iter().map(|(key, items)| ((*key).to_owned(), items.clone().into()));
            let mut value: serde_json::Map<String, Value> = members.collect();
            if extension.starts_with("VRMC_") {
                value.insert("specVersion".into(), "1.0".into());
            }
            self.extensions.insert(extension, value.into());
            return Ok(vec![0; lists.len()]);
        };
        let append = |(key, items): &(&str, Vec<Value>)| match there.get(key) {
            Some(list) => {
                self.edits.append(list, &elements(items));
                list.elements().len()
            }
            None => {
                self.edits.append(there, &format!("{}:[{}]", json!(key), elements(items)));
                0
            }
        };
        Ok(lists.iter().map(append).collect())
    }

    /// Appends to a list at the top of the document; gives the index of the first new element.
    fn append_list(&mut self, key: &'static str, items: Vec<Value>) -> usize {
        if let Some(list) = self.root.get(key) {
            self.edits.append(list, &elements(&items));
            return list.elements().len();
        }
        let list = self.lists.entry(key).or_default();
        let first = list.len();
        list.extend(items);
        first
    }

    fn finish(mut self) -> anyhow::Result<String> {
        let nodes = self.root.get("nodes").context("the asset has no nodes")?.elements();
        for (node, children) in &self.children {
            let node = nodes.get(*node as usize).context("the asset has fewer nodes than the bake says")?;
            let children: Vec<Value> = children.iter().map(|&child| child.into()).collect();
            match node.get("children") {
                Some(list) => self.edits.append(list, &elements(&children)),
                None => self.edits.append(node, &format!("\"children\":[{}]", elements(&children))),
            }
        }
        for (key, items) in &self.lists {
            self.edits.append(self.root, &format!("{}:[{}]", json!(key), elements(items)));
        }
        let members = self.extensions.iter().map(|(name, value)| format!("{}:{value}", json!(name)));
        let members = members.collect::<Vec<_>>().join(",");
        match self.root.get("extensions") {
            _ if members.is_empty() => {}
            Some(extensions) => self.edits.append(extensions, &members),
            None => self.edits.append(self.root, &format!("\"extensions\":{{{members}}}")),
        }
        Ok(self.edits.apply(self.container.json))
    }
}

fn elements(items: &[Value]) -> String {
    items.iter().map(Value::to_string).collect::<Vec<_>>().join(",")
}

/// What the wire boxes are made of.
mod wire {
    /// Colours of the boxes, by joint: bright, far apart, readable on light and dark.
    pub(super) const COLORS: [[f64; 3]; 8] = [
        [0.90, 0.22, 0.21],
        [0.12, 0.53, 0.90],
        [0.26, 0.63, 0.28],
        [0.98, 0.55, 0.00],
        [0.56, 0.27, 0.68],
        [0.00, 0.67, 0.69],
        [0.85, 0.11, 0.38],
        [0.55, 0.43, 0.39],
    ];

    /// Offset, length and target of both views.
    pub(super) const VIEWS: [[usize; 3]; 2] = [[0, 96, 34962], [96, 24, 34963]];

    /// The cube from -1 to 1: its 8 corners of three floats, then the 24 one-byte indices of its twelve edges.
    pub(super) fn bytes() -> Vec<u8> {
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

    /// RFC 4648, section 4; the length here is a multiple of three.
    pub(super) fn base64(bytes: &[u8]) -> String {
        const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for three in bytes.chunks_exact(3) {
            let bits = u32::from_be_bytes([0, three[0], three[1], three[2]]);
            for shift in [18, 12, 6, 0] {
                text.push(char::from(ALPHABET[(bits >> shift & 63) as usize]));
            }
        }
        text
    }
}
