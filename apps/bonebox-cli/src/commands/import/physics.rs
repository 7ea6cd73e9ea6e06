//! Converts shapes of glTF physics extensions to manual boxes of the joints above them.

use super::Import;
use super::document::{Document, role_of, vector};
use anyhow::Context as _;
use bake_settings::ManualShape;
use bone_fit::{HitboxShape, LengthUnit, ManualBox};
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

/// The joint's name, the hitbox, and a note if the shape was changed.
fn manual_box(
    document: &Document<'_>,
    node: usize,
    part: &Value,
    shapes: &str,
) -> anyhow::Result<(String, ManualBox, Option<String>)> {
    let geometry = if part["geometry"].is_object() { &part["geometry"] } else { part };
    let index = geometry["shape"].as_u64();
    let index =
        index.context("its geometry is a mesh, and only boxes, capsules, spheres and cylinders can be imported")?;
    let json = &document.json["extensions"][shapes]["shapes"][index as usize];
    let SizedShape { shape, half_extents, why_box } = SizedShape::read(json)?;
    anyhow::ensure!(
        half_extents.is_finite() && half_extents.min_element() >= 0.0,
        "its size is negative or not finite"
    );
    let (joint, placed) = document.place(node)?;
    let ours = &document.nodes()[node]["extras"]["bonebox"];
    let tags = ours["tags"].as_array();
    let tags = tags.into_iter().flatten().filter_map(Value::as_str).filter(|tag| !tag.is_empty());
    let exact = (half_extents * placed.scale.abs()).as_vec3();
    let nearest = ManualShape::nearest(shape, exact);
    let kind = json["type"].as_str().unwrap_or_default();
    let why_box = why_box.or(nearest.why_box);
    let one = ManualBox {
        shape: nearest.shape,
        center: placed.translation.as_vec3(),
        half_extents: nearest.half_extents,
        orientation: placed.rotation.as_quat(),
        tags: tags.map(str::to_owned).collect(),
        role: role_of(ours),
        unit: LengthUnit::Joint,
    };
    let note = why_box.map(|why| format!("the box around this {kind} is used, because {why}"));
    Ok((joint.to_owned(), one, note))
}

/// A shape of a file, before its node scales it.
struct SizedShape {
    shape: HitboxShape,
    /// The half extents of the smallest box around the shape along its axes.
    half_extents: DVec3,
    /// The reason why a box replaces the shape; `None` if nothing replaces it.
    why_box: Option<&'static str>,
}

impl SizedShape {
    fn read(shape: &Value) -> anyhow::Result<Self> {
        let kind = shape["type"].as_str().context("the file does not contain its shape")?;
        let values = &shape[kind];
        let number = |key: &str, default: f64| values[key].as_f64().unwrap_or(default);
        let single = number("radius", 0.0);
        let [bottom, top] = [number("radiusBottom", single), number("radiusTop", single)];
        let has_radius = ["radius", "radiusBottom", "radiusTop"].iter().any(|key| values[*key].is_number());
        let radius = if has_radius { bottom.max(top) } else { 0.5 };
        let height = number("height", 1.0);
        let (shape, half_extents, why_box) = match kind {
            "box" => (HitboxShape::Box, vector(&values["size"], 1.0)? * 0.5, None),
            "sphere" => (HitboxShape::Sphere, DVec3::splat(number("radius", 0.5)), None),
            "capsule" => {
                // The height is the distance between the centers of the caps.
                let half_extents = DVec3::new(radius, 0.5 * height + radius, radius);
                match bottom == top {
                    true => (HitboxShape::Capsule, half_extents, None),
                    false => (HitboxShape::Box, half_extents, Some("its two radii differ")),
                }
            }
            "cylinder" => {
                let half_extents = DVec3::new(radius, 0.5 * height, radius);
                (HitboxShape::Box, half_extents, Some("a hitbox cannot be a cylinder"))
            }
            other => anyhow::bail!("a shape of the kind {other:?} cannot become a hitbox"),
        };
        Ok(Self { shape, half_extents, why_box })
    }
}
