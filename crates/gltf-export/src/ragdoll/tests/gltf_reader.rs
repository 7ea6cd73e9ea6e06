//! A small reader of physics in glTF files.

use super::found::{FoundBody, FoundJoint, check_points, corners};
use crate::ExportForm;
use crate::tests::{json, world_from_nodes};
use baked_format::{BakedCharacter, RagdollBody};
use glam::{DMat3, DQuat, DVec3};
use serde_json::Value;
use std::collections::BTreeMap;

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn index(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

pub(super) fn read(character: &BakedCharacter, glb: &[u8], form: ExportForm) -> (Vec<FoundBody>, Vec<FoundJoint>) {
    let json = json(glb);
    let (world, nodes) = (world_from_nodes(&json), json["nodes"].as_array().unwrap());
    let is_khr = form == ExportForm::KhrRagdoll;
    let name = if is_khr { "KHR_physics_rigid_bodies" } else { "OMI_physics_body" };
    let shapes = if is_khr { "KHR_implicit_shapes" } else { "OMI_physics_shape" };
    let shapes = &json["extensions"][shapes]["shapes"];
    let mut parents = vec![None; nodes.len()];
    for (parent, node) in nodes.iter().enumerate() {
        node["children"].as_array().into_iter().flatten().for_each(|child| parents[index(child)] = Some(parent));
    }
    // The body of a node is the nearest node above with a motion.
    let motion_node = |mut node: usize| {
        while nodes[node]["extensions"][name]["motion"].is_null() {
            node = parents[node].unwrap();
        }
        node
    };
    let ragdoll = character.ragdoll.as_ref().unwrap();
    let node_of = |body: &RagdollBody| character.skeleton.joint(body.joint).node.0 as usize;
    let body_of = |node: usize| ragdoll.bodies.iter().position(|body| node_of(body) == motion_node(node)).unwrap();
    let mut bodies = Vec::new();
    for body in &ragdoll.bodies {
        let node = node_of(body);
        let motion = &nodes[node]["extensions"][name]["motion"];
        let kinematic = if is_khr { motion["isKinematic"] == true } else { motion["type"] == "kinematic" };
        assert!(kinematic, "an animation moves the body until the game lets it fall");
        let scale = libm::cbrt(world[node].matrix3.determinant());
        let turn = world[node].matrix3 * (1.0 / scale);
        let mut center = DVec3::from_slice(&list(&motion["centerOfMass"]));
        if !is_khr {
            center /= scale;
        }
        let axes = turn * DMat3::from_quat(DQuat::from_slice(&list(&motion["inertiaOrientation"])));
        let moments = DVec3::from_slice(&list(&motion["inertiaDiagonal"]));
        bodies.push(FoundBody {
            mass: motion["mass"].as_f64().unwrap(),
            center: world[node].transform_point3(center),
            inertia: axes * DMat3::from_diagonal(moments) * axes.transpose(),
            corners: BTreeMap::new(),
        });
    }
    for (node, value) in nodes.iter().enumerate() {
        let collider = &value["extensions"][name]["collider"];
        if collider.is_null() {
            continue;
        }
        let hitbox = index(&value["extras"]["bonebox"]["box"]);
        // The node undoes the scale of the joint, so that sizes are meters.
        let rigid = world[node].matrix3 * world[node].matrix3.transpose();
        assert!(rigid.abs_diff_eq(DMat3::IDENTITY, 1e-5), "{}: {rigid}", value["name"]);
        let geometry = if is_khr { &collider["geometry"] } else { collider };
        let shape = geometry["shape"].as_u64().map(|shape| &shapes[shape as usize]);
        let mesh = if is_khr {
            geometry["node"].as_u64().map(|node| index(&nodes[node as usize]["mesh"]))
        } else {
            shape.and_then(|shape| shape["convex"]["mesh"].as_u64()).map(|mesh| mesh as usize)
        };
        let found = match mesh {
            Some(mesh) => {
                check_points(character, hitbox, &world[node], &positions(&json, glb, mesh));
                Vec::new()
            }
            None => corners(&world[node], half_of_shape(shape.unwrap())),
        };
        bodies[body_of(node)].corners.insert(hitbox, found);
    }
    let mut joints = Vec::new();
    for (node, value) in nodes.iter().enumerate() {
        let joint =
            if is_khr { &value["extensions"][name]["joint"] } else { &value["extensions"]["OMI_physics_joint"] };
        if joint.is_null() {
            continue;
        }
        let connected = index(&joint["connectedNode"]);
        joints.push((
            index(&joint["joint"]),
            FoundJoint { bodies: [body_of(node), body_of(connected)], frames: [world[node], world[connected]] },
        ));
    }
    joints.sort_by_key(|(number, _)| *number);
    (bodies, joints.into_iter().map(|(_, joint)| joint).collect())
}

fn half_of_shape(shape: &Value) -> DVec3 {
    let kind = shape["type"].as_str().unwrap();
    let number = |key: &str| shape[kind][key].as_f64().unwrap();
    match kind {
        "box" => DVec3::from_slice(&list(&shape["box"]["size"])) * 0.5,
        "sphere" => DVec3::splat(number("radius")),
        "capsule" => {
            assert_eq!(number("radiusTop"), number("radiusBottom"));
            DVec3::new(number("radiusTop"), 0.5 * number("height") + number("radiusTop"), number("radiusTop"))
        }
        other => panic!("{other}"),
    }
}

/// The positions of a mesh in the binary chunk.
fn positions(json: &Value, glb: &[u8], mesh: usize) -> Vec<f64> {
    let accessor = &json["accessors"][index(&json["meshes"][mesh]["primitives"][0]["attributes"]["POSITION"])];
    let view = &json["bufferViews"][index(&accessor["bufferView"])];
    let start = view["byteOffset"].as_u64().unwrap_or(0) + accessor["byteOffset"].as_u64().unwrap_or(0);
    let binary = gltf_container::Container::open(glb).unwrap().binary.unwrap();
    let bytes = &binary[start as usize..][..12 * index(&accessor["count"])];
    bytes.chunks(4).map(|number| f64::from(f32::from_le_bytes(number.try_into().unwrap()))).collect()
}
