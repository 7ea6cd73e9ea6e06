//! Writes hitboxes as triggers of the two physics extensions. Each hitbox becomes a shape, and a child node of its
//! joint's node that refers to the shape. A hull is a mesh: with OMI_physics_shape the shape names the mesh, and with
//! KHR_physics_rigid_bodies the trigger names a node with the mesh.

use crate::convex::write_meshes;
use crate::document_writer::DocumentWriter;
use crate::shape::Shape;
use serde_json::{Value, json};

/// Writes OMI_physics_shape shapes and OMI_physics_body triggers.
pub(crate) fn write_omi(writer: &mut DocumentWriter<'_>, boxes: &[Shape<'_>]) {
    let meshes = write_meshes(writer, boxes);
    let convex = |mesh: &Option<usize>| json!({ "type": "convex", "convex": { "mesh": mesh } });
    let shape = |(shape, mesh): (&Shape<'_>, &Option<usize>)| shape.physics_shape().unwrap_or_else(|| convex(mesh));
    let shapes = boxes.iter().zip(&meshes).map(shape).collect();
    let first = writer.extension_list("OMI_physics_shape", &[("shapes", shapes)])[0];
    let filters = vec![json!({ "collisionSystems": ["hurtbox"], "collideWithSystems": ["hitbox"] })];
    let filter = writer.extension_list("OMI_physics_body", &[("collisionFilters", filters)])[0];
    write_nodes(writer, boxes, Vec::new(), |shape| {
        let trigger = json!({ "shape": first + shape.index, "collisionFilter": filter });
        json!({ "OMI_physics_body": { "trigger": trigger } })
    });
}

/// Writes KHR_implicit_shapes shapes and KHR_physics_rigid_bodies triggers.
pub(crate) fn write_khr(writer: &mut DocumentWriter<'_>, boxes: &[Shape<'_>]) {
    let meshes = write_meshes(writer, boxes);
    let shapes: Vec<Value> = boxes
        .iter()
        .filter_map(|shape| {
            let mut value = shape.physics_shape()?;
            value["name"] = shape.name.clone().into();
            Some(value)
        })
        .collect();
    let first =
        if shapes.is_empty() { 0 } else { writer.extension_list("KHR_implicit_shapes", &[("shapes", shapes)])[0] };
    let filters = vec![json!({ "name": "hurtbox", "collisionSystems": ["hurtbox"], "collideWithSystems": ["hitbox"] })];
    let filter = writer.extension_list("KHR_physics_rigid_bodies", &[("collisionFilters", filters)])[0];
    // A node outside all scenes holds the mesh of a hull, so that nothing draws the mesh.
    let mesh_node = |(shape, mesh): (&Shape<'_>, &Option<usize>)| Some(json!({ "name": shape.name, "mesh": (*mesh)? }));
    let mesh_nodes: Vec<Value> = boxes.iter().zip(&meshes).filter_map(mesh_node).collect();
    let first_mesh_node = writer.next_node() + boxes.len();
    write_nodes(writer, boxes, mesh_nodes, |shape| {
        let hulls_before = meshes[..shape.index].iter().flatten().count();
        let geometry = match meshes[shape.index] {
            Some(_) => json!({ "node": first_mesh_node + hulls_before, "convexHull": true }),
            None => json!({ "shape": first + shape.index - hulls_before }),
        };
        let trigger = json!({ "geometry": geometry, "collisionFilter": filter });
        json!({ "KHR_physics_rigid_bodies": { "trigger": trigger } })
    });
}

/// Writes one child node for each box, with these extensions, and then nodes without a parent.
fn write_nodes(
    writer: &mut DocumentWriter<'_>,
    boxes: &[Shape<'_>],
    without_parent: Vec<Value>,
    extensions: impl Fn(&Shape<'_>) -> Value,
) {
    let node = |shape: &Shape<'_>| {
        let mut node = shape.node();
        node["extensions"] = extensions(shape);
        node
    };
    let parents = boxes.iter().map(|shape| shape.node);
    writer.child_nodes(parents, boxes.iter().map(node).chain(without_parent).collect());
}
