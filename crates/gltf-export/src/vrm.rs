//! Writes hitboxes as VRMC_springBone colliders, in a collider group of their own. Capsules and spheres keep their
//! shape. A box becomes a capsule, and a hull becomes the capsule of its box.

use crate::capsule::{Capsule, CapsulePolicy};
use crate::document_writer::DocumentWriter;
use crate::shape::{Shape, floats};
use baked_format::{Hitbox, HitboxShape, RoundShape};
use serde_json::json;

/// The extension that holds the colliders.
pub(crate) const EXTENSION: &str = "VRMC_springBone";

/// Writes the colliders. They name the joint itself, so no nodes are added; existing colliders keep their indices.
pub(crate) fn write(writer: &mut DocumentWriter<'_>, boxes: &[Shape<'_>], policy: CapsulePolicy) {
    let collider = |shape: &Shape<'_>| {
        let Hitbox { center, half_extents, orientation, .. } = *shape.baked;
        let Capsule { head, tail, radius } = match shape.baked.round_shape() {
            Some(RoundShape { start, end, radius }) => Capsule { head: start, tail: end, radius },
            None => Capsule::of_box(center, half_extents, orientation, policy),
        };
        let radius = floats(&[radius * shape.scale])[0].clone();
        let (offset, tail) = (floats(&head.to_array()), floats(&tail.to_array()));
        let form = match shape.baked.shape {
            HitboxShape::Sphere => json!({ "sphere": { "offset": offset, "radius": radius } }),
            HitboxShape::Box | HitboxShape::Capsule | HitboxShape::Hull => {
                json!({ "capsule": { "offset": offset, "radius": radius, "tail": tail } })
            }
        };
        json!({ "node": shape.node, "shape": form, "extras": shape.extras() })
    };
    let extension = writer.root().get("extensions").and_then(|all| all.get(EXTENSION));
    let existing = extension.and_then(|extension| extension.get("colliders"));
    let first = existing.map_or(0, |colliders| colliders.elements().len());
    let all: Vec<usize> = (first..first + boxes.len()).collect();
    let group = json!({ "name": "bonebox", "colliders": all });
    let colliders = boxes.iter().map(collider).collect();
    writer.extension_list(EXTENSION, &[("colliders", colliders), ("colliderGroups", vec![group])]);
}
