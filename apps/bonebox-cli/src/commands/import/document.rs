//! The nodes of a glTF document, read from its JSON: their names, their transforms, and the joints above them.

use anyhow::Context as _;
use baked_format::HitboxRole;
use glam::{DMat3, DQuat, DVec3};
use gltf_container::Container;
use serde_json::Value;
use skeleton::Skeleton;
use std::collections::BTreeMap;

/// A document, and the joints that an importer found in it.
pub(super) struct Document<'a> {
    /// The whole document.
    pub(super) json: Value,
    parents: BTreeMap<usize, usize>,
    /// The names of the joints, by node index.
    joints: BTreeMap<usize, &'a str>,
}

/// The translation, rotation and scale of a node relative to a joint above it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    pub(super) scale: DVec3,
}

impl<'a> Document<'a> {
    /// Reads a .glb or .gltf file. `skeleton` is the skeleton that was imported from the file.
    pub(super) fn read(file: &[u8], skeleton: &'a Skeleton) -> anyhow::Result<Self> {
        let json: Value = serde_json::from_slice(Container::open(file)?.json)?;
        let parents = parents(json["nodes"].as_array().map(Vec::as_slice).unwrap_or_default());
        let joints = skeleton.joints().iter().map(|joint| (joint.node.0 as usize, joint.name.as_str())).collect();
        Ok(Self { json, parents, joints })
    }

    pub(super) fn nodes(&self) -> &[Value] {
        self.json["nodes"].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    /// The name of a node in messages.
    pub(super) fn shown_name(&self, node: usize) -> String {
        let name = self.nodes()[node]["name"].as_str();
        name.map_or_else(|| format!("node {node}"), |name| format!("node {name:?}"))
    }

    /// The nearest joint at or above a node, and the placement of the node in that joint's space.
    pub(super) fn place(&self, node: usize) -> anyhow::Result<(&str, Placement)> {
        let (mut at, mut way) = (node, Vec::new());
        while !self.joints.contains_key(&at) {
            way.push(at);
            anyhow::ensure!(way.len() <= self.nodes().len(), "the nodes above it form a cycle");
            at = *self.parents.get(&at).context("it is not below a joint")?;
        }
        let mut placed = Placement { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };
        for &below in way.iter().rev() {
            let scale = placed.scale;
            let even = (scale - DVec3::splat(scale.x)).abs().max_element() <= 1e-6 * scale.x.abs();
            anyhow::ensure!(even, "a node above it has a non-uniform scale, which shears its shape");
            let local = local(&self.nodes()[below])?;
            placed = Placement {
                translation: placed.translation + placed.rotation * (scale * local.translation),
                rotation: placed.rotation * local.rotation,
                scale: scale * local.scale,
            };
        }
        Ok((self.joints[&at], placed))
    }
}

/// The parent of each node that is a child.
fn parents(nodes: &[Value]) -> BTreeMap<usize, usize> {
    let children = |node: &Value| node["children"].as_array().cloned().unwrap_or_default();
    let of_node = |(parent, node): (usize, &Value)| {
        children(node).into_iter().filter_map(move |child| Some((child.as_u64()? as usize, parent)))
    };
    nodes.iter().enumerate().flat_map(of_node).collect()
}

/// The role in the `extras` of a box that an export wrote; `hurt` without one.
pub(super) fn role_of(ours: &Value) -> HitboxRole {
    let named = |role: &HitboxRole| ours["role"] == role.keyword();
    HitboxRole::ALL.into_iter().find(named).unwrap_or_default()
}

/// Reads three numbers of a list, or the default if there is no list.
pub(super) fn vector(value: &Value, default: f64) -> anyhow::Result<DVec3> {
    let Some(list) = value.as_array() else { return Ok(DVec3::splat(default)) };
    let numbers: Vec<f64> = list.iter().filter_map(Value::as_f64).collect();
    <[f64; 3]>::try_from(numbers).map(DVec3::from).ok().context("expected three numbers")
}

/// The node's own transform.
fn local(node: &Value) -> anyhow::Result<Placement> {
    if let Some(matrix) = node["matrix"].as_array() {
        let numbers: Vec<f64> = matrix.iter().filter_map(Value::as_f64).collect();
        anyhow::ensure!(numbers.len() == 16, "expected a matrix with 16 numbers");
        let column = |index: usize| DVec3::from_slice(&numbers[4 * index..4 * index + 3]);
        let columns = [column(0), column(1), column(2)];
        let mut scale = DVec3::from(columns.map(DVec3::length));
        anyhow::ensure!(scale.min_element() > 0.0, "a matrix above it has a scale of zero");
        if columns[0].cross(columns[1]).dot(columns[2]) < 0.0 {
            scale.x = -scale.x;
        }
        let [x, y, z] = [columns[0] / scale.x, columns[1] / scale.y, columns[2] / scale.z];
        let skew = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
        anyhow::ensure!(skew <= 1e-5, "a matrix above it shears");
        let rotation = DQuat::from_mat3(&DMat3::from_cols(x, y, z));
        return Ok(Placement { translation: column(3), rotation, scale });
    }
    let rotation = match node["rotation"].as_array() {
        Some(list) => {
            let numbers: Vec<f64> = list.iter().filter_map(Value::as_f64).collect();
            let numbers = <[f64; 4]>::try_from(numbers).ok().context("expected a rotation with four numbers")?;
            DQuat::from_array(numbers)
        }
        None => DQuat::IDENTITY,
    };
    Ok(Placement { translation: vector(&node["translation"], 0.0)?, rotation, scale: vector(&node["scale"], 1.0)? })
}
