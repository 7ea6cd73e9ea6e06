//! Writes a ragdoll as USD Physics: a rigid body for each body, in model space, and a joint for each constraint.

use super::rigid_bodies::{RigidBodies, RigidBody};
use crate::usda_text::{PrimNames, header, identifier, number, string, tuple};
use crate::{Export, ExportError};
use baked_format::{BakedCharacter, BodyShape, BodySolid, Constraint, ConstraintKind};
use glam::{DQuat, Quat, Vec3};
use std::f64::consts::PI;
use std::fmt::Write as _;

/// Standard gravity in m/s².
const GRAVITY: f32 = 9.80665;

/// Exports the ragdoll of a character.
///
/// # Errors
/// Returns an error if the character has no ragdoll, or a shape is too large.
pub(crate) fn export(character: &BakedCharacter) -> Result<Export, ExportError> {
    let found = RigidBodies::of(character)?;
    let root = identifier(&character.name);
    let mut names = PrimNames::default();
    let names: Vec<String> = found.bodies.iter().map(|body| names.unique(body.joint)).collect();
    let mut writer = Writer { text: header(&character.source.file, &root), depth: 0, root: &root, names: &names };
    writer.prim("PhysicsScene", "PhysicsScene", &[], |writer| {
        writer.line("vector3f physics:gravityDirection = (0, -1, 0)");
        writer.line(&format!("float physics:gravityMagnitude = {}", number(GRAVITY)));
    });
    writer.blank();
    writer.prim("Xform", &root, &[], |writer| {
        writer.line(&format!("custom string bonebox:character = {}", string(&character.name)));
        writer.blank();
        writer.prim("Scope", "bodies", &[], |writer| {
            for (index, body) in found.bodies.iter().enumerate() {
                if index > 0 {
                    writer.blank();
                }
                writer.body(character, &found, index, body);
            }
        });
        writer.blank();
        writer.prim("Scope", "joints", &[], |writer| {
            let held =
                found.bodies.iter().zip(&names).filter_map(|(one, name)| Some((one.body.constraint.as_ref()?, name)));
            for (index, (constraint, name)) in held.enumerate() {
                if index > 0 {
                    writer.blank();
                }
                writer.joint(constraint, name);
            }
        });
    });
    Ok(Export { bytes: writer.text.into_bytes(), warnings: found.warnings })
}

struct Writer<'a> {
    text: String,
    depth: usize,
    /// The name of the prim that holds all others.
    root: &'a str,
    /// The name of the prim of each body.
    names: &'a [String],
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 4 * self.depth);
    }

    fn blank(&mut self) {
        self.text.push('\n');
    }

    fn prim(&mut self, kind: &str, name: &str, schemas: &[String], content: impl FnOnce(&mut Self)) {
        if schemas.is_empty() {
            self.line(&format!("def {kind} \"{name}\""));
        } else {
            self.line(&format!("def {kind} \"{name}\" ("));
            let schemas: Vec<String> = schemas.iter().map(|schema| format!("\"{schema}\"")).collect();
            self.line(&format!("    prepend apiSchemas = [{}]", schemas.join(", ")));
            self.line(")");
        }
        self.line("{");
        self.depth += 1;
        content(self);
        self.depth -= 1;
        self.line("}");
    }

    fn place(&mut self, position: Vec3, rotation: Quat) {
        // OpenUSD computes the angle from the real part alone, which loses small turns in 32 bits.
        let DQuat { x, y, z, w } = rotation.as_dquat().normalize();
        self.line(&format!("quatd xformOp:orient = ({w}, {x}, {y}, {z})"));
        self.line(&format!("double3 xformOp:translate = {}", tuple(position.to_array())));
    }

    fn path(&self, body: usize) -> String {
        format!("</{}/bodies/{}>", self.root, self.names[body])
    }

    fn body(&mut self, character: &BakedCharacter, all: &RigidBodies<'_>, index: usize, body: &RigidBody<'_>) {
        let filtered = all.no_collision.iter().filter(|[first, _]| usize::from(*first) == index);
        let filtered: Vec<String> = filtered.map(|[_, second]| self.path(usize::from(*second))).collect();
        let holds = all
            .bodies
            .iter()
            .any(|one| one.body.constraint.as_ref().is_some_and(|constraint| usize::from(constraint.parent) == index));
        let mut schemas = vec!["PhysicsRigidBodyAPI".to_owned(), "PhysicsMassAPI".into()];
        // Solvers with reduced coordinates compute a tree whose joints cannot come apart. Others ignore the schema.
        schemas.extend((holds && body.body.constraint.is_none()).then(|| "PhysicsArticulationRootAPI".into()));
        schemas.extend((!filtered.is_empty()).then(|| "PhysicsFilteredPairsAPI".into()));
        let name = &self.names[index];
        self.prim("Xform", name, &schemas, |writer| {
            writer.line(&format!("custom string bonebox:joint = {}", string(body.joint)));
            writer.line(&format!("point3f physics:centerOfMass = {}", tuple(body.body.center_of_mass.to_array())));
            writer.line(&format!("float3 physics:diagonalInertia = {}", tuple(body.moments.to_array())));
            if !filtered.is_empty() {
                writer.line(&format!("rel physics:filteredPairs = [{}]", filtered.join(", ")));
            }
            writer.line(&format!("float physics:mass = {}", number(body.body.mass)));
            writer.line(&format!("quatf physics:principalAxes = {}", double(body.body_from_principal)));
            writer.place(body.body.position, body.body.rotation);
            writer.line("uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]");
            for shape in &body.shapes {
                writer.blank();
                writer.shape(character, shape);
            }
        });
    }

    fn shape(&mut self, character: &BakedCharacter, shape: &BodyShape) {
        let kind = match shape.solid {
            BodySolid::Box(_) => "Cube",
            BodySolid::Capsule { .. } => "Capsule",
            BodySolid::Sphere(_) => "Sphere",
            BodySolid::Hull(_) => "Mesh",
        };
        let mut schemas = vec!["PhysicsCollisionAPI".to_owned()];
        schemas.extend((kind == "Mesh").then(|| "PhysicsMeshCollisionAPI".into()));
        let hitbox = &character.boxes[usize::from(shape.hitbox)];
        let tags: Vec<String> = hitbox.tags.iter().map(|tag| string(tag)).collect();
        let half = shape.half_extents();
        self.prim(kind, &format!("hitbox_{}", shape.hitbox), &schemas, |writer| {
            writer.line(&format!("custom int bonebox:hitbox = {}", shape.hitbox));
            writer.line(&format!("custom string[] bonebox:tags = [{}]", tags.join(", ")));
            let extent = if kind == "Cube" { Vec3::ONE } else { half };
            let [low, high] = [-extent, extent].map(|corner| tuple(corner.to_array()));
            writer.line(&format!("float3[] extent = [{low}, {high}]"));
            let mut order = "\"xformOp:translate\", \"xformOp:orient\"".to_owned();
            match &shape.solid {
                BodySolid::Box(_) => {
                    writer.line("double size = 2");
                    order.push_str(", \"xformOp:scale\"");
                }
                BodySolid::Capsule { half_length, radius } => {
                    writer.line("uniform token axis = \"Y\"");
                    writer.line(&format!("double height = {}", number(2.0 * half_length)));
                    writer.line(&format!("double radius = {}", number(*radius)));
                }
                BodySolid::Sphere(radius) => writer.line(&format!("double radius = {}", number(*radius))),
                BodySolid::Hull(hull) => {
                    let counts = vec!["3"; hull.triangles.len()];
                    let indices: Vec<String> = hull.triangles.as_flattened().iter().map(u8::to_string).collect();
                    let points: Vec<String> = hull.vertices.iter().map(|vertex| tuple(vertex.to_array())).collect();
                    writer.line(&format!("int[] faceVertexCounts = [{}]", counts.join(", ")));
                    writer.line(&format!("int[] faceVertexIndices = [{}]", indices.join(", ")));
                    writer.line("uniform token physics:approximation = \"convexHull\"");
                    writer.line(&format!("point3f[] points = [{}]", points.join(", ")));
                    writer.line("uniform token subdivisionScheme = \"none\"");
                }
            }
            writer.place(shape.center, shape.rotation);
            if let BodySolid::Box(half) = shape.solid {
                writer.line(&format!("float3 xformOp:scale = {}", tuple(half.to_array())));
            }
            writer.line(&format!("uniform token[] xformOpOrder = [{order}]"));
        });
    }

    fn joint(&mut self, constraint: &Constraint, name: &str) {
        let is_hinge = constraint.kind == ConstraintKind::Hinge;
        let axes: &[&str] = if is_hinge { &["angular"] } else { &["rotX", "rotY", "rotZ"] };
        let has_drive = constraint.stiffness > 0.0 || constraint.damping > 0.0;
        let mut schemas = Vec::new();
        if !is_hinge {
            let locked = ["transX", "transY", "transZ"];
            schemas.extend(locked.iter().chain(axes).map(|axis| format!("PhysicsLimitAPI:{axis}")));
        }
        schemas.extend(axes.iter().filter(|_| has_drive).map(|axis| format!("PhysicsDriveAPI:{axis}")));
        let kind = if is_hinge { "PhysicsRevoluteJoint" } else { "PhysicsJoint" };
        let bodies = [self.path(usize::from(constraint.parent)), format!("</{}/bodies/{name}>", self.root)];
        self.prim(kind, name, &schemas, |writer| {
            let limits = constraint.limits.to_array().map(|radians| f64::from(radians).to_degrees() as f32);
            if has_drive {
                let per_degree = |value: f32| number((f64::from(value) * PI / 180.0) as f32);
                for axis in axes {
                    writer.line(&format!("float drive:{axis}:physics:damping = {}", per_degree(constraint.damping)));
                    writer
                        .line(&format!("float drive:{axis}:physics:stiffness = {}", per_degree(constraint.stiffness)));
                    writer.line(&format!("uniform token drive:{axis}:physics:type = \"force\""));
                }
            }
            if is_hinge {
                writer.line("uniform token physics:axis = \"X\"");
            } else {
                for (axis, limit) in axes.iter().zip(limits) {
                    writer.line(&format!("float limit:{axis}:physics:high = {}", number(limit)));
                    writer.line(&format!("float limit:{axis}:physics:low = {}", number(-limit)));
                }
                // An axis is locked if its low limit is above its high one.
                for axis in ["transX", "transY", "transZ"] {
                    writer.line(&format!("float limit:{axis}:physics:high = -1"));
                    writer.line(&format!("float limit:{axis}:physics:low = 1"));
                }
            }
            writer.line(&format!("rel physics:body0 = {}", bodies[0]));
            writer.line(&format!("rel physics:body1 = {}", bodies[1]));
            writer.line("bool physics:collisionEnabled = 0");
            writer.line(&format!("point3f physics:localPos0 = {}", tuple(constraint.anchor.to_array())));
            writer.line("point3f physics:localPos1 = (0, 0, 0)");
            writer.line(&format!("quatf physics:localRot0 = {}", quaternion(constraint.parent_from_frame)));
            writer.line(&format!("quatf physics:localRot1 = {}", quaternion(constraint.body_from_frame)));
            if is_hinge {
                writer.line(&format!("float physics:lowerLimit = {}", number(-limits[0])));
                writer.line(&format!("float physics:upperLimit = {}", number(limits[0])));
            }
        });
    }
}

/// A quaternion, the real part first.
fn quaternion(rotation: Quat) -> String {
    double(rotation.as_dquat().normalize())
}

fn double(rotation: DQuat) -> String {
    let rotation = rotation.as_quat();
    tuple([rotation.w, rotation.x, rotation.y, rotation.z])
}
