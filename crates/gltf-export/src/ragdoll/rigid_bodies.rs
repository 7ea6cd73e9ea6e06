//! The bodies of a ragdoll as formats for physics want them: with sizes above zero, and with principal moments of inertia.

use crate::ExportError;
use crate::shape::LEAST_SIZE;
use baked_format::{BakedCharacter, BodyShape, BodySolid, HitboxHull, Ragdoll, RagdollBody};
use geometry_core::fit::principal_axes;
use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use std::collections::BTreeSet;

/// A body that is ready to be written.
pub(crate) struct RigidBody<'a> {
    pub(crate) body: &'a RagdollBody,
    /// The name of the body's joint.
    pub(crate) joint: &'a str,
    /// The shapes in the space of the body, each with sizes above zero.
    pub(crate) shapes: Vec<BodyShape>,
    /// The principal moments of inertia in kg m², each above zero.
    pub(crate) moments: Vec3,
    /// The rotation from the principal axes of the inertia to those of the body.
    pub(crate) body_from_principal: DQuat,
}

impl RigidBody<'_> {
    /// The index of the body's joint in the skeleton.
    pub(crate) fn joint_index(&self) -> usize {
        self.body.joint.index()
    }

    /// The place in the rest pose: `model_from_body`.
    pub(crate) fn rest(&self) -> DAffine3 {
        DAffine3::from_rotation_translation(self.body.rotation.as_dquat().normalize(), self.body.position.as_dvec3())
    }
}

/// The bodies of a character, and what its hitboxes lose in them.
pub(crate) struct RigidBodies<'a> {
    /// The bodies, each after the body that holds it.
    pub(crate) bodies: Vec<RigidBody<'a>>,
    /// Pairs of bodies that never collide although no constraint holds them together; the smaller index first.
    pub(crate) no_collision: Vec<[u16; 2]>,
    /// Warnings for people who use the file, each a sentence.
    pub(crate) warnings: Vec<String>,
}

impl<'a> RigidBodies<'a> {
    pub(crate) fn of(character: &'a BakedCharacter) -> Result<Self, ExportError> {
        let without = || ExportError::NoRagdoll { character: character.name.clone() };
        let ragdoll = character.ragdoll.as_ref().ok_or_else(without)?;
        let mut bodies = Vec::with_capacity(ragdoll.bodies.len());
        for body in &ragdoll.bodies {
            let joint = character.skeleton.joint(body.joint).name.as_str();
            let shapes = character.body_shapes(body).map_err(|problem| ExportError::RagdollTooLarge {
                joint: joint.into(),
                problem: problem.to_string(),
            })?;
            let (moments, body_from_principal) = principal(body.inertia);
            bodies.push(RigidBody { body, joint, shapes, moments, body_from_principal });
        }
        let mut warnings = Vec::new();
        let flat = solidify(&mut bodies);
        if flat > 0 {
            warnings.push(format!("{flat} hitboxes are flat hulls; the boxes around them replace them"));
        }
        let held: usize = bodies.iter().map(|body| body.shapes.len()).sum();
        let left = character.boxes.len() - held;
        if left > 0 {
            let all = character.boxes.len();
            warnings.push(format!("{left} of {all} hitboxes belong to no body of the ragdoll, and are left out"));
        }
        Ok(Self { bodies, no_collision: never_collide(ragdoll), warnings })
    }

    /// The body that holds a body.
    pub(crate) fn parent(&self, body: &RigidBody<'_>) -> Option<&RigidBody<'a>> {
        Some(&self.bodies[usize::from(body.body.constraint.as_ref()?.parent)])
    }
}

fn never_collide(ragdoll: &Ragdoll) -> Vec<[u16; 2]> {
    let constraint = |(index, body): (u16, &RagdollBody)| Some([body.constraint.as_ref()?.parent, index]);
    let joined: BTreeSet<[u16; 2]> = (0..).zip(&ragdoll.bodies).filter_map(constraint).collect();
    ragdoll.no_collision.iter().copied().filter(|pair| !joined.contains(pair)).collect()
}

/// The principal moments of a tensor in the order xx, yy, zz, xy, xz, yz, and the rotation from its principal axes.
fn principal(inertia: [f32; 6]) -> (Vec3, DQuat) {
    let [xx, yy, zz, xy, xz, yz] = inertia.map(f64::from);
    let tensor = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
    let found = principal_axes(&tensor);
    // A moment may be so small that the solver rounds it to zero, which formats refuse.
    let moments = found.variances.as_vec3().max(Vec3::splat(f32::MIN_POSITIVE));
    (moments, DQuat::from_mat3(&found.axes).normalize())
}

/// Gives every shape sizes above zero, and replaces hulls without a volume by the boxes around them. Returns how many hulls
/// that are.
fn solidify(bodies: &mut [RigidBody<'_>]) -> usize {
    let shapes = || bodies.iter().flat_map(|body| &body.shapes);
    let longest = shapes().map(|shape| shape.half_extents().max_element()).fold(f32::MIN_POSITIVE, f32::max);
    let least = (LEAST_SIZE * longest).max(f32::MIN_POSITIVE);
    let mut flat = 0;
    for shape in bodies.iter_mut().flat_map(|body| &mut body.shapes) {
        let half = shape.half_extents();
        match &mut shape.solid {
            BodySolid::Box(half) => *half = half.max(Vec3::splat(least)),
            BodySolid::Capsule { half_length, radius } => {
                *radius = radius.max(least);
                *half_length = half_length.max(least);
            }
            BodySolid::Sphere(radius) => *radius = radius.max(least),
            BodySolid::Hull(hull) => {
                if volume(hull) < f64::from(least).powi(3) {
                    flat += 1;
                    shape.solid = BodySolid::Box(half.max(Vec3::splat(least)));
                }
            }
        }
    }
    flat
}

fn volume(hull: &HitboxHull) -> f64 {
    let corner = |index: u8| hull.vertices[usize::from(index)].as_dvec3();
    let volumes = hull.triangles.iter().map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c))));
    volumes.sum::<f64>() / 6.0
}
