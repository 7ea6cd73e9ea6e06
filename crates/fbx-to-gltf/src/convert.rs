//! Converts a file, object by object.

use crate::finding::{Finding, quoted};
use crate::glb::Glb;
use crate::meshes::Meshes;
use crate::nodes::Nodes;
use crate::{FbxError, clips, load, node_objects};
use ufbx::{Scene, SkinningMethod, WarningType};

/// A converted file.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// The bytes of the .glb.
    pub glb: Vec<u8>,
    /// What was left out or repaired.
    pub findings: Vec<Finding>,
}

/// Converts the bytes of an FBX file, binary or text, to a .glb with its nodes, skins, meshes, blend shapes and clips.
///
/// # Errors
/// Returns [`FbxError`] if the file is damaged, or needs more memory or time than its size allows.
pub fn to_glb(bytes: &[u8]) -> Result<Converted, FbxError> {
    let scene = load::load(bytes)?;
    let mut findings = Vec::new();
    find(&scene, &mut findings);
    let mut glb = Glb::for_file(bytes.len());
    let nodes = Nodes::of_scene(&scene);
    let mut meshes = Meshes::default();
    for node in 0..nodes.list.len() {
        meshes.add_node(&nodes, node, &mut glb, &mut findings)?;
    }
    for material in &scene.materials {
        let name: &str = &material.element.name;
        let place = || "the names of its materials".to_owned();
        glb.push("materials", serde_json::json!({ "name": name }), name.len(), &place)?;
    }
    let rest = load::rest(&scene)?;
    node_objects::write(&nodes, &rest, &meshes, &mut glb)?;
    clips::write(&scene, &nodes, &meshes, bytes.len(), &mut glb, &mut findings)?;
    Ok(Converted { glb: glb.finish(nodes.top())?, findings })
}

/// Adds findings about the whole file.
fn find(scene: &Scene, findings: &mut Vec<Finding>) {
    for warning in &scene.metadata.warnings {
        // glTF has no materials or textures of this crate, and a link between objects that nobody uses changes nothing.
        if matches!(warning.type_, WarningType::BadVertexWAttribute | WarningType::BadBase64Content) {
            continue;
        }
        let times = if warning.count > 1 { format!(" ({} times)", warning.count) } else { String::new() };
        let about = match scene.elements.as_ref().get(warning.element_id as usize) {
            Some(element) => format!(" at {}", quoted(&element.name)),
            None => String::new(),
        };
        let text = format!("the FBX file has an error that was repaired{about}: {}{times}", warning.description);
        findings.push(Finding { code: "fbx-repaired", text });
    }
    for skin in &scene.skin_deformers {
        if matches!(skin.skinning_method, SkinningMethod::DualQuaternion | SkinningMethod::BlendedDqLinear) {
            let text = format!(
                "skin {}: it blends dual quaternions; the hitboxes are those of linear blending, which differ where joints twist",
                quoted(&skin.element.name)
            );
            findings.push(Finding { code: "fbx-dual-quaternion", text });
        }
    }
    let surfaces = scene.nurbs_surfaces.count + scene.procedural_geometries.count;
    for (count, what, cure) in [
        (surfaces, "surfaces that are no polygons", "convert them to polygons in the modeling program"),
        (scene.cache_deformers.count, "geometry caches", "the vertices move with their bones alone"),
        (scene.constraints.count, "constraints", "bake the animation before you export it, if it depends on them"),
    ] {
        if count > 0 {
            findings.push(Finding { code: "fbx-left-out", text: format!("{count} {what} are left out; {cure}") });
        }
    }
}
