//! Converts shapes of glTF physics extensions to boxes of the joints above them.

use super::Import;
use super::document::{Document, vector};
use anyhow::Context as _;
use bone_fit::ManualBox;
use glam::DVec3;
use serde_json::Value;

/// The extensions: the name on nodes, and the name of the extension of the document that holds the shapes.
const EXTENSIONS: [(&str, &str); 2] =
    [("KHR_physics_rigid_bodies", "KHR_implicit_shapes"), ("OMI_physics_body", "OMI_physics_shape")];

/// Returns true if a node has a trigger or a collider of one of the extensions.
pub(super) fn has_shape(node: &Value) -> bool {
    EXTENSIONS.iter().any(|(extension, _)| node["extensions"][extension].is_object())
}

/// Reads the boxes of the file's triggers and colliders.
pub(super) fn read(document: &Document<'_>) -> Import {
    let mut import = Import::default();
    for (node, value) in document.nodes().iter().enumerate() {
        for (extension, shapes) in EXTENSIONS {
            let body = &value["extensions"][extension];
            for part in ["collider", "trigger"] {
                if !body[part].is_object() || body[part]["nodes"].is_array() {
                    continue;
                }
                let name = document.shown_name(node);
                match manual_box(document, node, &body[part], shapes) {
                    Ok((joint, one, note)) => {
                        import.boxes.push((joint, one));
                        import.notes.extend(note.map(|note| format!("{name}: {note}")));
                    }
                    Err(error) => import.notes.push(format!("{name} is left out: {error:#}")),
                }
            }
        }
    }
    import
}

/// The joint's name, the box, and a note if the shape was changed.
fn manual_box(
    document: &Document<'_>,
    node: usize,
    part: &Value,
    shapes: &str,
) -> anyhow::Result<(String, ManualBox, Option<&'static str>)> {
    let geometry = if part["geometry"].is_object() { &part["geometry"] } else { part };
    let index = geometry["shape"].as_u64().context("its geometry is a mesh, and only shapes can become boxes")?;
    let shape = &document.json["extensions"][shapes]["shapes"][index as usize];
    let (half, note) = half_extents(shape)?;
    let (joint, placed) = document.place(node)?;
    let tags = document.nodes()[node]["extras"]["bonebox"]["tags"].as_array();
    let tags = tags.into_iter().flatten().filter_map(Value::as_str).filter(|tag| !tag.is_empty());
    let one = ManualBox {
        center: placed.translation.as_vec3(),
        half_extents: (half * placed.scale.abs()).as_vec3(),
        orientation: placed.rotation.as_quat(),
        tags: tags.map(str::to_owned).collect(),
    };
    Ok((joint.to_owned(), one, note))
}

/// The half extents of the shape, or of the smallest box around it along its axes. Also returns a note if the shape is
/// not a box.
fn half_extents(shape: &Value) -> anyhow::Result<(DVec3, Option<&'static str>)> {
    let kind = shape["type"].as_str().context("the file does not contain its shape")?;
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
        "box" => (vector(&values["size"], 1.0)? * 0.5, None),
        "sphere" => (DVec3::splat(number("radius", 0.5)), Some("the box around this sphere is used")),
        "capsule" => {
            let radius = radius();
            // If the height includes the round ends, the box is longer by both radii.
            (DVec3::new(radius, 0.5 * height() + radius, radius), Some("the box around this capsule is used"))
        }
        "cylinder" => {
            let radius = radius();
            (DVec3::new(radius, 0.5 * height(), radius), Some("the box around this cylinder is used"))
        }
        other => anyhow::bail!("a shape of the kind {other:?} cannot become a box"),
    };
    anyhow::ensure!(half.is_finite() && half.min_element() >= 0.0, "its size is negative or not finite");
    Ok((half, note))
}
