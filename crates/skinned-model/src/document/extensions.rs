//! The glTF extensions that an import understands or may ignore.
//!
//! An extension in `extensionsRequired` that is not in this table is refused, because it may change any number that the
//! importer reads. An extension that is only in `extensionsUsed` may be ignored by definition (glTF 2.0, section 3.12).

use crate::document::Document;
use crate::error::ImportError;
use crate::warnings::Warnings;

/// The importer's treatment of an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Policy {
    /// The importer reads it.
    Read,
    /// It does not change where skinned vertices are.
    Harmless,
    /// It shows or moves meshes in a way that the importer leaves out, with a warning.
    LeftOut,
    /// The importer knows it, but this build cannot read it.
    #[cfg_attr(all(feature = "draco", feature = "meshopt"), allow(dead_code, reason = "every known one is read"))]
    Refused(&'static str, &'static str),
}

use Policy::{Harmless, LeftOut, Read};

#[cfg(feature = "draco")]
const DRACO: Policy = Read;
#[cfg(not(feature = "draco"))]
const DRACO: Policy = Policy::Refused(
    "this build has no Draco decoder",
    "enable the feature `draco`, or export without Draco compression",
);

#[cfg(feature = "meshopt")]
const MESHOPT: Policy = Read;
#[cfg(not(feature = "meshopt"))]
const MESHOPT: Policy = Policy::Refused(
    "this build has no meshopt decoder",
    "enable the feature `meshopt`, or export without meshopt compression",
);

/// The names of extensions. A name that ends in `*` stands for all names with that beginning.
const TABLE: &[(&str, Policy)] = &[
    ("KHR_mesh_quantization", Read),
    ("KHR_draco_mesh_compression", DRACO),
    ("EXT_meshopt_compression", MESHOPT),
    ("KHR_meshopt_compression", MESHOPT),
    // Extensions that show a mesh many times, hide or swap it. The importer reads each mesh once, with its node's
    // transform.
    ("EXT_mesh_gpu_instancing", LeftOut),
    ("KHR_node_visibility", LeftOut),
    // The importer marks the coarser levels of detail.
    ("MSFT_lod", Read),
    // Extensions that animate other things than nodes: materials, lights, cameras, visibility.
    ("KHR_animation_pointer", LeftOut),
    // Extensions that add data to ordinary nodes and meshes: humanoid names, spring bones, expressions.
    ("VRM", Harmless),
    ("VRMC_*", Harmless),
    // Extensions that change how surfaces look.
    ("KHR_materials_*", Harmless),
    ("EXT_materials_*", Harmless),
    ("MSFT_materials_*", Harmless),
    ("ADOBE_materials_*", Harmless),
    ("NV_materials_mdl", Harmless),
    ("KHR_techniques_webgl", Harmless),
    ("KHR_texture_*", Harmless),
    ("EXT_texture_*", Harmless),
    ("MSFT_texture_*", Harmless),
    ("MSFT_packing_*", Harmless),
    ("KHR_lights_*", Harmless),
    ("EXT_lights_*", Harmless),
    ("KHR_environment_map", Harmless),
    ("CESIUM_primitive_outline", Harmless),
    ("EXT_backend_*", Harmless),
    // Extensions for behavior, sound and metadata.
    ("KHR_physics_*", Harmless),
    ("KHR_implicit_shapes", Harmless),
    ("KHR_collision_shapes", Harmless),
    ("KHR_rigid_bodies", Harmless),
    ("KHR_audio_*", Harmless),
    ("KHR_interactivity", Harmless),
    ("KHR_node_hoverability", Harmless),
    ("KHR_node_selectability", Harmless),
    ("KHR_xmp", Harmless),
    ("KHR_xmp_json_ld", Harmless),
    ("KHR_accessor_float64", Policy::Refused("64-bit accessors are not read", "export with 32-bit numbers")),
    ("MSFT_audio_emitter", Harmless),
    ("MSFT_physics", Harmless),
    ("OMI_*", Harmless),
    ("MX_*", Harmless),
    ("GODOT_single_root", Harmless),
    ("AGI_*", Harmless),
    ("GRIFFEL_bim_data", Harmless),
    ("EXT_mesh_features", Harmless),
    ("EXT_mesh_manifold", Harmless),
    ("EXT_instance_features", Harmless),
    ("EXT_structural_metadata", Harmless),
    ("EXT_feature_metadata", Harmless),
];

fn policy(name: &str) -> Option<Policy> {
    let matches = |pattern: &str| match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == pattern,
    };
    TABLE.iter().find(|(pattern, _)| matches(pattern)).map(|&(_, policy)| policy)
}

/// Refuses extensions that the document requires and the importer cannot read, and warns about those that it leaves
/// out.
pub(crate) fn check(document: &Document, warnings: &mut Warnings) -> Result<(), ImportError> {
    for name in &document.extensions_required {
        let (reason, cure) = match policy(name) {
            Some(Policy::Refused(reason, cure)) => (reason, cure),
            None => ("it may change geometry in an unknown way", "export without it"),
            Some(_) => continue,
        };
        return Err(ImportError::Extension { name: crate::quote::short(name), reason, cure });
    }
    let mut named: Vec<&String> = document.extensions_used.iter().chain(&document.extensions_required).collect();
    named.sort_unstable();
    named.dedup();
    for name in named.into_iter().filter(|name| policy(name) == Some(LeftOut)) {
        let text = format!("the extension {name} is left out; every mesh is read once, with its node and skin");
        warnings.add("ignored-extension", None, text);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_beginnings_and_whole_names() {
        assert_eq!(policy("KHR_materials_clearcoat"), Some(Harmless));
        assert_eq!(policy("VRMC_springBone"), Some(Harmless));
        assert_eq!(policy("VRM"), Some(Harmless));
        assert_eq!(policy("VRM2"), None);
        assert_eq!(policy("KHR_mesh_quantization"), Some(Read));
        assert_eq!(policy("ACME_warp"), None);
    }
}
