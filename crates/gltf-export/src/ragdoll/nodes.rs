//! The nodes of a ragdoll in a glTF file, and what both physics extensions say about its bodies alike.

use super::rigid_bodies::{RigidBodies, RigidBody};
use crate::ExportError;
use crate::convex::HullMesh;
use crate::marks::box_extras;
use crate::shape::{floats, uniform_scale};
use baked_format::{BakedCharacter, BodyShape, BodySolid, Constraint};
use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, Mat3};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A shape of a body with its node.
pub(crate) struct Collider<'a> {
    /// The body, an index into the ragdoll's bodies.
    pub(crate) body: usize,
    pub(crate) shape: &'a BodyShape,
    /// The node above, and the node without extensions.
    pub(crate) parent: u32,
    pub(crate) node: Value,
}

impl Collider<'_> {
    /// The shape, in the form that both extensions have; `None` for a hull.
    pub(crate) fn simple_shape(&self) -> Option<Value> {
        let number = |value: f32| floats(&[value])[0].clone();
        Some(match self.shape.solid {
            BodySolid::Hull(_) => return None,
            BodySolid::Box(half) => json!({ "type": "box", "box": { "size": floats(&(2.0 * half).to_array()) } }),
            BodySolid::Capsule { half_length, radius } => {
                let (height, radius) = (number(2.0 * half_length), number(radius));
                json!({ "type": "capsule", "capsule": { "height": height, "radiusBottom": radius, "radiusTop": radius } })
            }
            BodySolid::Sphere(radius) => json!({ "type": "sphere", "sphere": { "radius": number(radius) } }),
        })
    }

    pub(crate) fn hull(&self) -> Option<HullMesh<'_>> {
        let BodySolid::Hull(hull) = &self.shape.solid else { return None };
        let name = self.node["name"].as_str().unwrap_or_default().to_owned();
        Some(HullMesh { name, vertices: hull.vertices.clone(), triangles: &hull.triangles })
    }
}

/// The collision filters of bodies that do not collide with each other although no joint connects them.
pub(crate) struct Filters {
    /// The list for the document; none if it would be empty.
    pub(crate) list: Vec<(&'static str, Vec<Value>)>,
    /// For each body, the index of its filter in the list.
    of_body: Vec<Option<usize>>,
}

impl Filters {
    pub(crate) fn with_filter(&self, mut collider: Value, body: usize, first: usize) -> Value {
        if let Some(filter) = self.of_body[body] {
            collider["collisionFilter"] = (first + filter).into();
        }
        collider
    }
}

/// A ragdoll whose bodies become nodes.
pub(crate) struct RagdollNodes<'a> {
    character: &'a BakedCharacter,
    pub(crate) found: RigidBodies<'a>,
    /// `model_from_joint` in the rest pose.
    rest: Vec<DAffine3>,
    pub(crate) warnings: Vec<String>,
}

impl<'a> RagdollNodes<'a> {
    pub(crate) fn new(character: &'a BakedCharacter) -> Result<Self, ExportError> {
        let mut found = RigidBodies::of(character)?;
        let rest = character.skeleton.rest_matrices();
        let mut warnings = std::mem::take(&mut found.warnings);
        for body in &found.bodies {
            let matrix = &rest[body.joint_index()];
            if !uniform_scale(matrix).1 {
                warnings.push(format!(
                    "joint {:?} is scaled unevenly at rest: the nodes below it are turned and sized as exactly as nodes can be",
                    body.joint
                ));
            } else if Mat3::from(matrix.matrix3).determinant() < 0.0 {
                warnings.push(format!(
                    "joint {:?} is mirrored at rest, and programs differ in how they turn the inertia of its body",
                    body.joint
                ));
            }
        }
        let rest = rest.iter().map(to_f64).collect();
        Ok(Self { character, found, rest, warnings })
    }

    pub(crate) fn node(&self, joint: usize) -> u32 {
        self.character.skeleton.joints()[joint].node.0
    }

    /// Maps the space of a body to that of a joint's node, in the rest pose.
    pub(crate) fn joint_from_body(&self, body: &RigidBody<'_>, joint: usize) -> Result<DAffine3, ExportError> {
        let map = self.rest[joint].inverse() * body.rest();
        let is_small = map.to_cols_array().iter().all(|entry| (*entry as f32).is_finite());
        if is_small && map.matrix3.determinant() != 0.0 {
            Ok(map)
        } else {
            Err(ExportError::BodyScale { joint: self.character.skeleton.joints()[joint].name.clone() })
        }
    }

    /// One node for each shape, below the joint of the hitbox if that joint moves with the body, and otherwise below the
    /// joint of the body.
    pub(crate) fn colliders(&self) -> Result<Vec<Collider<'_>>, ExportError> {
        let mut colliders = Vec::new();
        let joints: BTreeSet<usize> = self.found.bodies.iter().map(RigidBody::joint_index).collect();
        for (index, body) in self.found.bodies.iter().enumerate() {
            for shape in &body.shapes {
                let hitbox = &self.character.boxes[usize::from(shape.hitbox)];
                let own = Some(hitbox.joint.index());
                let own = own.filter(|&joint| self.body_above(joint, &joints) == Some(body.joint_index()));
                let own = own.and_then(|joint| Some((joint, self.joint_from_body(body, joint).ok()?)));
                let (joint, map) = match own {
                    Some(own) => own,
                    None => (body.joint_index(), self.joint_from_body(body, body.joint_index())?),
                };
                let place =
                    DAffine3::from_rotation_translation(shape.rotation.as_dquat().normalize(), shape.center.as_dvec3());
                let name = &self.character.skeleton.joint(hitbox.joint).name;
                let mut node = node(format!("bb:{name} {}", shape.hitbox), &(map * place));
                node["extras"] = box_extras(name, hitbox, shape.hitbox.into());
                colliders.push(Collider { body: index, shape, parent: self.node(joint), node });
            }
        }
        Ok(colliders)
    }

    /// The nearest joint with a body, from a joint upwards.
    fn body_above(&self, joint: usize, joints: &BTreeSet<usize>) -> Option<usize> {
        let mut above = Some(joint);
        while let Some(one) = above.filter(|one| !joints.contains(one)) {
            above = self.character.skeleton.joints()[one].parent.map(|parent| parent.index());
        }
        above
    }

    pub(crate) fn filters(&self) -> Filters {
        let count = self.found.bodies.len();
        let mut others = vec![Vec::new(); count];
        for [first, second] in self.found.no_collision.iter().map(|pair| pair.map(usize::from)) {
            others[first].push(second);
            others[second].push(first);
        }
        let system = |body: usize| format!("ragdoll {}", self.found.bodies[body].joint);
        let (mut list, mut of_body) = (Vec::new(), vec![None; count]);
        for (body, others) in others.iter().enumerate().filter(|(_, others)| !others.is_empty()) {
            let not_with: Vec<String> = others.iter().map(|&other| system(other)).collect();
            of_body[body] = Some(list.len());
            list.push(json!({ "collisionSystems": [system(body)], "notCollideWithSystems": not_with }));
        }
        let list = if list.is_empty() { Vec::new() } else { vec![("collisionFilters", list)] };
        Filters { list, of_body }
    }

    /// The constraints in the order of the bodies.
    pub(crate) fn constraints(&self) -> impl Iterator<Item = &Constraint> {
        self.found.bodies.iter().filter_map(|body| body.body.constraint.as_ref())
    }

    /// Adds two nodes for each constraint: the frame in the parent with the joint, and the frame in the child. `extension`
    /// gets the index of the child's node and the number of the constraint.
    pub(crate) fn frames(
        &self,
        nodes: &mut Vec<(u32, Value)>,
        first_node: usize,
        extension: impl Fn(usize, usize) -> (&'static str, Value),
    ) -> Result<(), ExportError> {
        let held = self
            .found
            .bodies
            .iter()
            .filter_map(|body| Some((body, self.found.parent(body)?, body.body.constraint.as_ref()?)));
        for (index, (body, parent, constraint)) in held.enumerate() {
            let frame = |of: &RigidBody<'_>, rotation: glam::Quat, position: DVec3, kind: &str| {
                let place = DAffine3::from_rotation_translation(rotation.as_dquat().normalize(), position);
                let map = self.joint_from_body(of, of.joint_index())? * place;
                let mut node = node(format!("bb:{kind} {}", body.joint), &map);
                node["extras"] = json!({ "bonebox": { "joint": body.joint, "part": kind } });
                Ok::<_, ExportError>((self.node(of.joint_index()), node))
            };
            let (above, in_parent) =
                frame(parent, constraint.parent_from_frame, constraint.anchor.as_dvec3(), "constraint")?;
            let in_body = frame(body, constraint.body_from_frame, DVec3::ZERO, "frame")?;
            let connected = first_node + nodes.len() + 1;
            let (name, value) = extension(connected, index);
            nodes.push((above, with_extension(&in_parent, name, value)));
            nodes.push(in_body);
        }
        Ok(())
    }

    /// What both extensions say about a body, with the center of mass in meters along the axes of the node.
    pub(crate) fn motion(&self, body: &RigidBody<'_>) -> Result<Value, ExportError> {
        let (turn, _) = turn_and_scale(&self.joint_from_body(body, body.joint_index())?.matrix3);
        let center = turn * body.body.center_of_mass.as_dvec3();
        let orientation = (turn * body.body_from_principal).normalize().as_quat();
        Ok(json!({
            "mass": floats(&[body.body.mass])[0],
            "centerOfMass": floats(&center.as_vec3().to_array()),
            "inertiaDiagonal": floats(&body.moments.to_array()),
            "inertiaOrientation": floats(&orientation.to_array()),
        }))
    }
}

/// A node with an extension that it does not have yet.
pub(crate) fn with_extension(node: &Value, extension: &str, value: Value) -> Value {
    let mut node = node.clone();
    node["extensions"] = json!({ extension: value });
    node
}

fn to_f64(matrix: &Affine3A) -> DAffine3 {
    DAffine3::from_mat3_translation(Mat3::from(matrix.matrix3).as_dmat3(), matrix.translation.as_dvec3())
}

/// A node at a place in the space of the node above. Its scale is the same along all axes.
fn node(name: String, place: &DAffine3) -> Value {
    let (rotation, scale) = turn_and_scale(&place.matrix3);
    json!({
        "name": name,
        "translation": floats(&place.translation.as_vec3().to_array()),
        "rotation": floats(&rotation.as_quat().to_array()),
        "scale": floats(&[scale as f32; 3]),
    })
}

/// The rotation and the even scale that a matrix is, or nearly is if its scale is uneven. The scale is negative if the matrix
/// mirrors.
fn turn_and_scale(linear: &DMat3) -> (DQuat, f64) {
    let scale = libm::cbrt(linear.determinant());
    let x = (linear.x_axis / scale).normalize_or(DVec3::X);
    let y = linear.y_axis / scale;
    let y = (y - x * x.dot(y)).normalize_or(x.any_orthonormal_vector());
    (DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize(), scale)
}
