//! Writes a ragdoll into the glTF: bodies with motion at the nodes of their joints, and below them nodes with colliders and with
//! the frames of the constraints.
//!
//! A body is on the joint's own node, because a simulation moves the node of a body and everything below it, and so the skin
//! follows. Bodies are kinematic, so that animations play until a game lets them fall.

use super::nodes::{Collider, RagdollNodes, with_extension};
use crate::ExportError;
use crate::convex::write_hulls;
use crate::document_writer::DocumentWriter;
use crate::shape::floats;
use baked_format::{BakedCharacter, Constraint, ConstraintKind};
use serde_json::{Value, json};
use std::f32::consts::PI;

/// Writes OMI_physics_body bodies with OMI_physics_shape shapes, and OMI_physics_joint joints.
pub(crate) fn write_omi(
    writer: &mut DocumentWriter<'_>,
    character: &BakedCharacter,
) -> Result<Vec<String>, ExportError> {
    let doll = RagdollNodes::new(character)?;
    let colliders = doll.colliders()?;
    let meshes = write_hulls(writer, colliders.iter().map(Collider::hull));
    let convex = |mesh: &Option<usize>| json!({ "type": "convex", "convex": { "mesh": mesh } });
    let shape = |(one, mesh): (&Collider<'_>, &Option<usize>)| one.simple_shape().unwrap_or_else(|| convex(mesh));
    let shapes: Vec<Value> = colliders.iter().zip(&meshes).map(shape).collect();
    let first = writer.extension_list("OMI_physics_shape", &[("shapes", shapes)])[0];
    let filters = doll.filters();
    let filter = writer.extension_list("OMI_physics_body", &filters.list).first().copied().unwrap_or(0);
    let mut nodes = Vec::new();
    for (index, one) in colliders.iter().enumerate() {
        let collider = filters.with_filter(json!({ "shape": first + index }), one.body, filter);
        nodes.push((one.parent, with_extension(&one.node, "OMI_physics_body", json!({ "collider": collider }))));
    }
    let joints: Vec<Value> = doll.constraints().map(joint).collect();
    if !joints.is_empty() {
        let first = writer.extension_list("OMI_physics_joint", &[("physicsJoints", joints)])[0];
        doll.frames(&mut nodes, writer.next_node(), |connected, index| {
            ("OMI_physics_joint", json!({ "connectedNode": connected, "joint": first + index }))
        })?;
    }
    for body in &doll.found.bodies {
        let mut motion = doll.motion(body)?;
        motion["type"] = "kinematic".into();
        writer.node_extension(doll.node(body.joint_index()), "OMI_physics_body", json!({ "motion": motion }));
    }
    add(writer, nodes, Vec::new());
    Ok(doll.warnings)
}

/// Writes KHR_physics_rigid_bodies bodies and joints, with KHR_implicit_shapes shapes.
pub(crate) fn write_khr(
    writer: &mut DocumentWriter<'_>,
    character: &BakedCharacter,
) -> Result<Vec<String>, ExportError> {
    const EXTENSION: &str = "KHR_physics_rigid_bodies";
    let doll = RagdollNodes::new(character)?;
    let colliders = doll.colliders()?;
    let meshes = write_hulls(writer, colliders.iter().map(Collider::hull));
    let named = |one: &Collider<'_>| {
        let mut shape = one.simple_shape()?;
        shape["name"] = one.node["name"].clone();
        Some(shape)
    };
    let shapes: Vec<Value> = colliders.iter().filter_map(named).collect();
    let mut next_shape =
        if shapes.is_empty() { 0 } else { writer.extension_list("KHR_implicit_shapes", &[("shapes", shapes)])[0] };
    let filters = doll.filters();
    let joints: Vec<Value> = doll.constraints().map(joint).collect();
    let count = joints.len();
    let mut lists = filters.list.clone();
    lists.extend((count > 0).then_some(("physicsJoints", joints)));
    let firsts = writer.extension_list(EXTENSION, &lists);
    let filter = firsts.first().copied().unwrap_or(0);
    let first_joint = firsts.last().copied().unwrap_or(0);
    // Nodes outside all scenes hold the meshes of hulls, so that nothing draws the meshes.
    let mut next_mesh_node = writer.next_node() + colliders.len() + 2 * count;
    let (mut nodes, mut mesh_nodes) = (Vec::new(), Vec::new());
    for (one, mesh) in colliders.iter().zip(&meshes) {
        let geometry = if let Some(mesh) = mesh {
            mesh_nodes.push(json!({ "name": one.node["name"], "mesh": mesh }));
            next_mesh_node += 1;
            json!({ "node": next_mesh_node - 1, "convexHull": true })
        } else {
            next_shape += 1;
            json!({ "shape": next_shape - 1 })
        };
        let collider = filters.with_filter(json!({ "geometry": geometry }), one.body, filter);
        nodes.push((one.parent, with_extension(&one.node, EXTENSION, json!({ "collider": collider }))));
    }
    doll.frames(&mut nodes, writer.next_node(), |connected, index| {
        (EXTENSION, json!({ "joint": { "connectedNode": connected, "joint": first_joint + index } }))
    })?;
    for body in &doll.found.bodies {
        let mut motion = doll.motion(body)?;
        motion["isKinematic"] = true.into();
        // Unlike OMI_physics_body, this extension has the center in the space of the node, with its scale.
        let center =
            doll.joint_from_body(body, body.joint_index())?.transform_point3(body.body.center_of_mass.as_dvec3());
        motion["centerOfMass"] = floats(&center.as_vec3().to_array());
        writer.node_extension(doll.node(body.joint_index()), EXTENSION, json!({ "motion": motion }));
    }
    add(writer, nodes, mesh_nodes);
    Ok(doll.warnings)
}

/// Adds nodes with the nodes above them, and then nodes without one.
fn add(writer: &mut DocumentWriter<'_>, nodes: Vec<(u32, Value)>, without_parent: Vec<Value>) {
    let (parents, nodes): (Vec<u32>, Vec<Value>) = nodes.into_iter().unzip();
    writer.child_nodes(parents, nodes.into_iter().chain(without_parent).collect());
}

/// The limits and drives of a constraint. The drives of both extensions have the units of the bake.
fn joint(constraint: &Constraint) -> Value {
    let limit = |axes: &[u8], radians: f32| {
        let [low, high] = [floats(&[0.0 - radians])[0].clone(), floats(&[radians])[0].clone()];
        json!({ "angularAxes": axes, "min": low, "max": high })
    };
    let mut limits = vec![json!({ "linearAxes": [0, 1, 2], "min": 0.0, "max": 0.0 })];
    let is_hinge = constraint.kind == ConstraintKind::Hinge;
    let free: &[u8] = if is_hinge { &[0] } else { &[0, 1, 2] };
    for (&axis, radians) in free.iter().zip(constraint.limits.to_array()) {
        // A limit of half a turn to both sides holds nothing back.
        limits.extend((radians < PI).then(|| limit(&[axis], radians)));
    }
    limits.extend(is_hinge.then(|| limit(&[1, 2], 0.0)));
    let (stiffness, damping) = (constraint.stiffness, constraint.damping);
    let drive = |&axis: &u8| {
        let mut drive = json!({ "type": "angular", "mode": "force", "axis": axis });
        if stiffness > 0.0 {
            drive["stiffness"] = floats(&[stiffness])[0].clone();
            drive["positionTarget"] = 0.0.into();
        }
        if damping > 0.0 {
            drive["damping"] = floats(&[damping])[0].clone();
            drive["velocityTarget"] = 0.0.into();
        }
        drive
    };
    let mut joint = json!({ "limits": limits });
    if stiffness > 0.0 || damping > 0.0 {
        joint["drives"] = free.iter().map(drive).collect();
    }
    joint
}
