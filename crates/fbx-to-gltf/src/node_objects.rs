//! Writes the nodes.

use crate::FbxError;
use crate::glb::Glb;
use crate::meshes::Meshes;
use crate::nodes::{Nodes, Trs};
use serde_json::{Map, Value, json};
use ufbx::{Anim, ElementType};

/// Appends all nodes.
pub(crate) fn write(nodes: &Nodes<'_>, rest: &Anim, meshes: &Meshes, glb: &mut Glb) -> Result<(), FbxError> {
    for index in 0..nodes.list.len() {
        let mut object = Map::new();
        let name = nodes.name(index);
        if !name.is_empty() {
            object.insert("name".into(), name.as_str().into());
        }
        let Trs { translation, rotation, scale } = nodes.converted(index, &nodes.transform(index, rest, 0.0))?;
        if translation != [0.0; 3] {
            object.insert("translation".into(), json!(translation));
        }
        if rotation != [0.0, 0.0, 0.0, 1.0] {
            object.insert("rotation".into(), json!(rotation));
        }
        if scale != [1.0; 3] {
            object.insert("scale".into(), json!(scale));
        }
        let children: Vec<usize> = nodes.children(index).collect();
        if !children.is_empty() {
            object.insert("children".into(), json!(children));
        }
        if let Some(mesh) = meshes.of_node(index) {
            object.insert("mesh".into(), mesh.mesh.into());
            if let Some(skin) = mesh.skin {
                object.insert("skin".into(), skin.into());
            }
        }
        if let Some(levels) = coarser_levels(nodes, index) {
            object.insert("extensions".into(), json!({ "MSFT_lod": { "ids": levels } }));
        }
        glb.push("nodes", Value::Object(object), name.len() + 2 * children.len(), &|| nodes.place(index))?;
    }
    Ok(())
}

/// The coarser levels of detail of a node, if the node is the first level of a group.
fn coarser_levels(nodes: &Nodes<'_>, node: usize) -> Option<Vec<usize>> {
    let parent = nodes.parent(node)?;
    if nodes.list[parent].attrib_type != ElementType::LodGroup {
        return None;
    }
    let mut levels = nodes.children(parent);
    (levels.next() == Some(node)).then(|| levels.collect::<Vec<_>>()).filter(|levels| !levels.is_empty())
}
