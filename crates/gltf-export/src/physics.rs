//! Hitboxes as triggers of the two physics extensions: a shape, and a child node of the joint that refers to it.

use crate::document_writer::DocumentWriter;
use crate::shape::Shape;
use serde_json::{Value, json};

/// Writes OMI_physics_shape shapes and OMI_physics_body triggers.
pub(crate) fn write_omi(writer: &mut DocumentWriter<'_>, boxes: &[Shape<'_>]) {
    let shapes = boxes.iter().map(Shape::physics_shape).collect();
    let first = writer.extension_list("OMI_physics_shape", &[("shapes", shapes)])[0];
    let filters = vec![json!({ "collisionSystems": ["hurtbox"], "collideWithSystems": ["hitbox"] })];
    let filter = writer.extension_list("OMI_physics_body", &[("collisionFilters", filters)])[0];
    write_nodes(writer, boxes, |shape| {
        let trigger = json!({ "shape": first + shape.index, "collisionFilter": filter });
        json!({ "OMI_physics_body": { "trigger": trigger } })
    });
}

/// Writes KHR_implicit_shapes shapes and KHR_physics_rigid_bodies triggers.
pub(crate) fn write_khr(writer: &mut DocumentWriter<'_>, boxes: &[Shape<'_>]) {
    let shapes = boxes.iter().map(|shape| {
        let mut value = shape.physics_shape();
        value["name"] = shape.name.clone().into();
        value
    });
    let first = writer.extension_list("KHR_implicit_shapes", &[("shapes", shapes.collect())])[0];
    let filters = vec![json!({ "name": "hurtbox", "collisionSystems": ["hurtbox"], "collideWithSystems": ["hitbox"] })];
    let filter = writer.extension_list("KHR_physics_rigid_bodies", &[("collisionFilters", filters)])[0];
    write_nodes(writer, boxes, |shape| {
        let trigger = json!({ "geometry": { "shape": first + shape.index }, "collisionFilter": filter });
        json!({ "KHR_physics_rigid_bodies": { "trigger": trigger } })
    });
}

/// Writes one child node for each box, with these extensions.
fn write_nodes(writer: &mut DocumentWriter<'_>, boxes: &[Shape<'_>], extensions: impl Fn(&Shape<'_>) -> Value) {
    let node = |shape: &Shape<'_>| {
        let mut node = shape.node();
        node["extensions"] = extensions(shape);
        node
    };
    writer.child_nodes(boxes, boxes.iter().map(node).collect());
}
