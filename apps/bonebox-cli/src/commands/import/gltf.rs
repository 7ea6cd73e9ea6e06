//! Shapes of glTF physics extensions, as boxes of the joints above them.

use super::Import;
use anyhow::Context as _;
use bone_fit::ManualBox;
use glam::{DMat3, DQuat, DVec3};
use gltf_export::json_text;
use serde_json::Value;
use skeleton::Skeleton;
use std::collections::BTreeMap;

/// The extensions: their name on nodes, and where their shapes are.
const EXTENSIONS: [(&str, &str); 2] =
    [("KHR_physics_rigid_bodies", "KHR_implicit_shapes"), ("OMI_physics_body", "OMI_physics_shape")];

/// Boxes of the file's triggers and colliders.
pub(super) fn read(bytes: &[u8], skeleton: &Skeleton) -> anyhow::Result<Import> {
    let json: Value = serde_json::from_str(json_text(bytes)?)?;
    let nodes = json["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let joints = skeleton.joints().iter().map(|joint| (joint.node.0 as usize, joint.name.as_str())).collect();
    let reader = Reader { json: &json, nodes, parents: parents(nodes), joints };
    let mut import = Import::default();
    for (node, value) in nodes.iter().enumerate() {
        for (extension, shapes) in EXTENSIONS {
            let body = &value["extensions"][extension];
            for part in ["collider", "trigger"] {
                if !body[part].is_object() || body[part]["nodes"].is_array() {
                    continue;
                }
                match reader.hand_box(node, &body[part], shapes) {
                    Ok((joint, one, note)) => {
                        import.boxes.push((joint, one));
                        import.notes.extend(note.map(|note| format!("{}: {note}", reader.name(node))));
                    }
                    Err(error) => import.notes.push(format!("{} is left out: {error:#}", reader.name(node))),
                }
            }
        }
    }
    anyhow::ensure!(
        !import.boxes.is_empty() || !import.notes.is_empty(),
        "no node has a shape of KHR_physics_rigid_bodies or OMI_physics_body"
    );
    Ok(import)
}

struct Reader<'a> {
    json: &'a Value,
    nodes: &'a [Value],
    parents: BTreeMap<usize, usize>,
    /// Names of joints by node.
    joints: BTreeMap<usize, &'a str>,
}

/// Each child's parent.
fn parents(nodes: &[Value]) -> BTreeMap<usize, usize> {
    let children = |node: &Value| node["children"].as_array().cloned().unwrap_or_default();
    let of_node = |(parent, node): (usize, &Value)| {
        children(node).into_iter().filter_map(move |child| Some((child.as_u64()? as usize, parent)))
    };
    nodes.iter().enumerate().flat_map(of_node).collect()
}

/// Translation, turn and scale of a node below another.
#[derive(Clone, Copy, Debug)]
struct Placed {
    translation: DVec3,
    rotation: DQuat,
    scale: DVec3,
}

impl Reader<'_> {
    fn name(&self, node: usize) -> String {
        let name = self.nodes[node]["name"].as_str();
        name.map_or_else(|| format!("node {node}"), |name| format!("node {name:?}"))
    }

    /// The joint's name, the box, and what to say about it.
    fn hand_box(
        &self,
        node: usize,
        part: &Value,
        shapes: &str,
    ) -> anyhow::Result<(String, ManualBox, Option<&'static str>)> {
        let geometry = if part["geometry"].is_object() { &part["geometry"] } else { part };
        let index = geometry["shape"].as_u64().context("its geometry is a mesh; only shapes become boxes")?;
        let shape = &self.json["extensions"][shapes]["shapes"][index as usize];
        let (half, note) = half_extents(shape)?;
        let (joint, placed) = self.place(node)?;
        let tags = self.nodes[node]["extras"]["bonebox"]["tags"].as_array();
        let tags = tags.into_iter().flatten().filter_map(Value::as_str).filter(|tag| !tag.is_empty());
        let one = ManualBox {
            center: placed.translation.as_vec3(),
            half_extents: (half * placed.scale.abs()).as_vec3(),
            orientation: placed.rotation.as_quat(),
            tags: tags.map(str::to_owned).collect(),
        };
        Ok((joint.to_owned(), one, note))
    }

    /// The nearest joint at or above a node, and where the node is in its space.
    fn place(&self, node: usize) -> anyhow::Result<(&str, Placed)> {
        let (mut at, mut way) = (node, Vec::new());
        while !self.joints.contains_key(&at) {
            way.push(at);
            anyhow::ensure!(way.len() <= self.nodes.len(), "the nodes above it are a ring");
            at = *self.parents.get(&at).context("no joint is above it")?;
        }
        let mut placed = Placed { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };
        for &below in way.iter().rev() {
            let scale = placed.scale;
            let even = (scale - DVec3::splat(scale.x)).abs().max_element() <= 1e-6 * scale.x.abs();
            anyhow::ensure!(even, "a node above it is scaled unevenly, which shears its shape");
            let local = local(&self.nodes[below])?;
            placed = Placed {
                translation: placed.translation + placed.rotation * (scale * local.translation),
                rotation: placed.rotation * local.rotation,
                scale: scale * local.scale,
            };
        }
        Ok((self.joints[&at], placed))
    }
}

/// Half extents of the shape or of the smallest box around it that has its axes.
fn half_extents(shape: &Value) -> anyhow::Result<(DVec3, Option<&'static str>)> {
    let kind = shape["type"].as_str().context("its shape is not in the file")?;
    let values = &shape[kind];
    let number = |key: &str, default: f64| values[key].as_f64().unwrap_or(default);
    let radius = || {
        let single = number("radius", 0.0);
        let (bottom, top) = (number("radiusBottom", single), number("radiusTop", single));
        let given = ["radius", "radiusBottom", "radiusTop"].iter().any(|key| values[*key].is_number());
        if given { bottom.max(top) } else { 0.5 }
    };
    let height = || number("height", 1.0);
    let (half, note) = match kind {
        "box" => (0.5 * vector(&values["size"], 1.0)?, None),
        "sphere" => (DVec3::splat(number("radius", 0.5)), Some("a sphere; the box around it is taken")),
        "capsule" => {
            let radius = radius();
            // Where the height counts the ends too, the box is longer by them.
            (DVec3::new(radius, 0.5 * height() + radius, radius), Some("a capsule; the box around it is taken"))
        }
        "cylinder" => {
            let radius = radius();
            (DVec3::new(radius, 0.5 * height(), radius), Some("a cylinder; the box around it is taken"))
        }
        other => anyhow::bail!("a shape of the kind {other:?} cannot become a box"),
    };
    anyhow::ensure!(half.is_finite() && half.min_element() >= 0.0, "its size is no size");
    Ok((half, note))
}

fn vector(value: &Value, default: f64) -> anyhow::Result<DVec3> {
    let Some(list) = value.as_array() else { return Ok(DVec3::splat(default)) };
    let numbers: Vec<f64> = list.iter().filter_map(Value::as_f64).collect();
    <[f64; 3]>::try_from(numbers).map(DVec3::from).ok().context("three numbers were expected")
}

/// A node's own transform.
fn local(node: &Value) -> anyhow::Result<Placed> {
    if let Some(matrix) = node["matrix"].as_array() {
        let numbers: Vec<f64> = matrix.iter().filter_map(Value::as_f64).collect();
        anyhow::ensure!(numbers.len() == 16, "a matrix has 16 numbers");
        let column = |index: usize| DVec3::from_slice(&numbers[4 * index..4 * index + 3]);
        let columns = [column(0), column(1), column(2)];
        let mut scale = DVec3::from(columns.map(DVec3::length));
        anyhow::ensure!(scale.min_element() > 0.0, "a matrix above it has no volume");
        if columns[0].cross(columns[1]).dot(columns[2]) < 0.0 {
            scale.x = -scale.x;
        }
        let [x, y, z] = [columns[0] / scale.x, columns[1] / scale.y, columns[2] / scale.z];
        let skew = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
        anyhow::ensure!(skew <= 1e-5, "a matrix above it shears");
        let rotation = DQuat::from_mat3(&DMat3::from_cols(x, y, z));
        return Ok(Placed { translation: column(3), rotation, scale });
    }
    let rotation = match node["rotation"].as_array() {
        Some(list) => {
            let numbers: Vec<f64> = list.iter().filter_map(Value::as_f64).collect();
            let numbers = <[f64; 4]>::try_from(numbers).ok().context("a rotation has four numbers")?;
            DQuat::from_array(numbers)
        }
        None => DQuat::IDENTITY,
    };
    Ok(Placed { translation: vector(&node["translation"], 0.0)?, rotation, scale: vector(&node["scale"], 1.0)? })
}
