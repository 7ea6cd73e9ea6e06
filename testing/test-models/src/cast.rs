//! Several characters in one file.

use crate::{Character, Gltf};
use serde_json::{Value, json};

/// Puts characters into one file, each below a root node of its own. `cast` has the name of each root, which may be empty,
/// and its character. The clips keep their names.
///
/// The nodes of a character are in the order of [`Character::to_gltf`], and its root follows them.
///
/// # Panics
/// Never, because the documents of characters have all lists that this function changes.
#[must_use]
pub fn in_one_file(cast: &[(&str, &Character)]) -> Gltf {
    let mut all = Gltf::new();
    for (root, character) in cast {
        append(&mut all, character.to_gltf(), root);
    }
    all
}

fn append(all: &mut Gltf, other: Gltf, root: &str) {
    let count = |list: &str| all.json[list].as_array().map_or(0, Vec::len);
    let [views, accessors, meshes, skins, nodes] = ["bufferViews", "accessors", "meshes", "skins", "nodes"].map(count);
    all.bin.resize(all.bin.len().next_multiple_of(4), 0);
    let offset = all.bin.len();
    all.bin.extend(&other.bin);
    let own = |list: &str| other.json[list].as_array().cloned().unwrap_or_default();
    for mut view in own("bufferViews") {
        shift(&mut view["byteOffset"], offset);
        all.push("bufferViews", view);
    }
    for mut accessor in own("accessors") {
        shift(&mut accessor["bufferView"], views);
        all.push("accessors", accessor);
    }
    for mut mesh in own("meshes") {
        for primitive in mesh["primitives"].as_array_mut().expect("a list") {
            shift(&mut primitive["indices"], accessors);
            let attributes = primitive["attributes"].as_object_mut().expect("an object");
            attributes.values_mut().for_each(|accessor| shift(accessor, accessors));
        }
        all.push("meshes", mesh);
    }
    for mut skin in own("skins") {
        shift(&mut skin["inverseBindMatrices"], accessors);
        shift_all(&mut skin["joints"], nodes);
        all.push("skins", skin);
    }
    for mut node in own("nodes") {
        for (key, by) in [("mesh", meshes), ("skin", skins)] {
            if node.get(key).is_some() {
                shift(&mut node[key], by);
            }
        }
        if node.get("children").is_some() {
            shift_all(&mut node["children"], nodes);
        }
        all.push("nodes", node);
    }
    for mut animation in own("animations") {
        for sampler in animation["samplers"].as_array_mut().expect("a list") {
            shift(&mut sampler["input"], accessors);
            shift(&mut sampler["output"], accessors);
        }
        for channel in animation["channels"].as_array_mut().expect("a list") {
            shift(&mut channel["target"]["node"], nodes);
        }
        all.push("animations", animation);
    }
    let mut children = other.json["scenes"][0]["nodes"].clone();
    shift_all(&mut children, nodes);
    let root = all.push("nodes", json!({ "name": root, "children": children }));
    if all.json["scenes"].is_null() {
        all.push("scenes", json!({ "nodes": [] }));
    }
    all.json["scenes"][0]["nodes"].as_array_mut().expect("a list").push(json!(root));
}

fn shift(index: &mut Value, by: usize) {
    *index = json!(index.as_u64().expect("an index") as usize + by);
}

fn shift_all(list: &mut Value, by: usize) {
    list.as_array_mut().expect("a list").iter_mut().for_each(|index| shift(index, by));
}
