//! Parses the JSON part with the `gltf` crate's types, object by object, and leaves out everything that does not change
//! geometry.
//!
//! The parser reads only the names of materials, and skips textures, images, cameras and samplers, so that errors in them cannot stop an import.
//! Scenes and animation channels have types of their own, because `gltf`'s types require members that glTF 2.0 lets a
//! file leave out (`scene.nodes`, `target.node`). Nodes are converted to a small form while they are parsed: `{}` takes
//! three bytes of JSON, and a third of a kilobyte as [`gltf::json::Node`].

mod levels;
pub(crate) mod structure;
pub(crate) mod extensions;
pub(crate) mod view_compression;
pub(crate) mod element_size;

use crate::error::ImportError;
use crate::quote::object;
use gltf::json;
use gltf::json::validation::Checked;
use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::fmt;

/// A glTF document whose indices are not checked yet.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Document {
    asset: json::Asset,
    #[serde(default)]
    pub(crate) extensions_used: Vec<String>,
    #[serde(default)]
    pub(crate) extensions_required: Vec<String>,
    /// The scene to show first. An import reads all nodes and does not use this member, but it must be a number.
    #[serde(default, rename = "scene")]
    _scene: Option<u32>,
    #[serde(default)]
    pub(crate) scenes: Vec<Scene>,
    #[serde(default)]
    pub(crate) nodes: Nodes,
    #[serde(default)]
    pub(crate) meshes: Vec<json::Mesh>,
    #[serde(default)]
    pub(crate) skins: Vec<json::Skin>,
    #[serde(default)]
    pub(crate) animations: Vec<Animation>,
    #[serde(default)]
    pub(crate) accessors: Vec<json::Accessor>,
    #[serde(default)]
    pub(crate) buffer_views: Vec<json::buffer::View>,
    #[serde(default)]
    pub(crate) buffers: Vec<json::Buffer>,
    /// The extensions as JSON text. Only [`crate::character::humanoid`] reads them.
    #[serde(default)]
    pub(crate) extensions: Option<Box<RawValue>>,
    #[serde(default)]
    materials: Option<Box<RawValue>>,
    /// The name of each material. The list is empty if the materials cannot be read.
    #[serde(skip)]
    pub(crate) material_names: Vec<Option<String>>,
    /// The nodes that `MSFT_lod` lists as coarser levels of detail of other nodes, and all nodes below them.
    #[serde(skip)]
    pub(crate) coarser_nodes: BTreeSet<u32>,
}

#[derive(Deserialize)]
pub(crate) struct Scene {
    #[serde(default)]
    pub(crate) nodes: Vec<u32>,
    #[serde(default, rename = "name")]
    _name: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Animation {
    pub(crate) name: Option<String>,
    pub(crate) channels: Vec<Channel>,
    pub(crate) samplers: Vec<json::animation::Sampler>,
    /// The JSON text of `extras`, which only the caller reads.
    #[serde(default)]
    pub(crate) extras: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
pub(crate) struct Channel {
    pub(crate) sampler: u32,
    pub(crate) target: Target,
}

#[derive(Deserialize)]
pub(crate) struct Target {
    /// The animated node. If it is missing, an extension says what is animated.
    pub(crate) node: Option<u32>,
    pub(crate) path: Checked<json::animation::Property>,
}

/// The members of a node that the importer needs.
pub(crate) struct Node {
    pub(crate) name: Option<Box<str>>,
    pub(crate) children: Box<[u32]>,
    pub(crate) mesh: Option<u32>,
    pub(crate) skin: Option<u32>,
    /// The JSON text of `extras`, kept for nodes with a mesh and no skin. The caller may ignore such a node because of
    /// its `extras`.
    pub(crate) extras: Option<Box<str>>,
    /// The weights of the mesh's morph targets.
    pub(crate) weights: Option<Box<[f32]>>,
    /// The node's transform; `None` for the identity.
    pub(crate) transform: Option<Box<NodeTransform>>,
}

/// The transform as in the file, unchecked.
#[derive(Clone, Copy)]
pub(crate) enum NodeTransform {
    /// A matrix in column order.
    Matrix([f32; 16]),
    Trs {
        translation: [f32; 3],
        rotation: [f32; 4],
        scale: [f32; 3],
    },
}

impl From<json::Node> for Node {
    fn from(node: json::Node) -> Self {
        let may_be_ignored = node.mesh.is_some() && node.skin.is_none();
        let extras = node.extras.filter(|_| may_be_ignored).map(|extras| extras.get().into());
        let transform = match node.matrix {
            Some(matrix) => Some(NodeTransform::Matrix(matrix)),
            None if node.translation.is_none() && node.rotation.is_none() && node.scale.is_none() => None,
            None => Some(NodeTransform::Trs {
                translation: node.translation.unwrap_or([0.0; 3]),
                rotation: node.rotation.unwrap_or_default().0,
                scale: node.scale.unwrap_or([1.0; 3]),
            }),
        };
        Self {
            extras,
            name: node.name.map(String::into_boxed_str),
            children: node.children.unwrap_or_default().iter().map(|child| child.value() as u32).collect(),
            mesh: node.mesh.map(|mesh| mesh.value() as u32),
            skin: node.skin.map(|skin| skin.value() as u32),
            weights: node.weights.map(Vec::into_boxed_slice),
            transform: transform.map(Box::new),
        }
    }
}

/// The list of all nodes.
#[derive(Default)]
pub(crate) struct Nodes(pub(crate) Vec<Node>);

impl<'de> Deserialize<'de> for Nodes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Nodes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of nodes")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Nodes, A::Error> {
                let mut nodes = Vec::new();
                while let Some(node) = list.next_element::<json::Node>()? {
                    nodes.push(node.into());
                }
                Ok(Nodes(nodes))
            }
        }
        deserializer.deserialize_seq(Each)
    }
}

impl Document {
    /// Parses the JSON and checks the version. Indices are not checked yet.
    pub(crate) fn parse(json: &[u8]) -> Result<Self, ImportError> {
        check_depth(json)?;
        let mut document: Self = serde_json::from_slice(json).map_err(|error| unreadable(json, &error))?;
        let json::Asset { version, min_version, .. } = &document.asset;
        let least = min_version.as_ref().filter(|least| *least != "2.0");
        if let Some(version) = least.or(Some(version).filter(|version| !version.starts_with("2."))) {
            return Err(ImportError::Version { found: crate::quote::quoted(version) });
        }
        document.material_names = material_names(document.materials.take().as_deref());
        document.coarser_nodes = levels::coarser_nodes(&document, json);
        Ok(document)
    }

    pub(crate) fn node_place(&self, index: usize) -> String {
        object("node", index, self.nodes.0.get(index).and_then(|node| node.name.as_deref()))
    }

    pub(crate) fn mesh_place(&self, index: usize) -> String {
        object("mesh", index, self.meshes.get(index).and_then(|mesh| mesh.name.as_deref()))
    }

    pub(crate) fn skin_place(&self, index: usize) -> String {
        object("skin", index, self.skins.get(index).and_then(|skin| skin.name.as_deref()))
    }

    pub(crate) fn animation_place(&self, index: usize) -> String {
        object("animation", index, self.animations.get(index).and_then(|animation| animation.name.as_deref()))
    }

    pub(crate) fn accessor_place(&self, index: usize) -> String {
        object("accessor", index, self.accessors.get(index).and_then(|accessor| accessor.name.as_deref()))
    }

    pub(crate) fn view_place(&self, index: usize) -> String {
        object("bufferView", index, self.buffer_views.get(index).and_then(|view| view.name.as_deref()))
    }

    pub(crate) fn buffer_place(&self, index: usize) -> String {
        object("buffer", index, self.buffers.get(index).and_then(|buffer| buffer.name.as_deref()))
    }
}

/// The names of materials; an empty list if they cannot be read, because no import needs them.
fn material_names(materials: Option<&RawValue>) -> Vec<Option<String>> {
    #[derive(Deserialize)]
    struct Material {
        name: Option<String>,
    }
    let materials = materials.and_then(|json| serde_json::from_str::<Vec<Material>>(json.get()).ok());
    materials.unwrap_or_default().into_iter().map(|material| material.name).collect()
}

/// Checks the nesting depth. serde_json stops at 128 levels when it builds a value, but skips unknown members of any
/// depth.
fn check_depth(json: &[u8]) -> Result<(), ImportError> {
    const DEEPEST: usize = 128;
    let (mut depth, mut in_string, mut escaped, mut line, mut line_start) = (0usize, false, false, 1, 0);
    for (at, &byte) in json.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'\n' => (line, line_start) = (line + 1, at + 1),
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            let problem = format!("lists and objects are nested more than {DEEPEST} levels deep");
            return Err(ImportError::Json { line, column: at + 1 - line_start, problem });
        }
    }
    Ok(())
}

/// Makes the error for JSON that is not a glTF 2.0 document. In glTF 1.0 every list is an object, but the version can
/// be read.
fn unreadable(json: &[u8], error: &serde_json::Error) -> ImportError {
    #[derive(Deserialize)]
    struct Versioned {
        asset: json::Asset,
    }
    match serde_json::from_slice(json) {
        Ok(Versioned { asset }) if !asset.version.starts_with("2.") => {
            ImportError::Version { found: crate::quote::quoted(&asset.version) }
        }
        _ => ImportError::Json { line: error.line(), column: error.column(), problem: problem_without_position(error) },
    }
}

/// Removes the position from the end of serde_json's message, because the error has its own fields for the position.
fn problem_without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    let text = &text[..end];
    match text.char_indices().nth(200) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text.to_owned(),
    }
}
