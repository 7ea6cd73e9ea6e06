//! The bodies of a character, and the way from poses to bodies and back.

use crate::body_state::{BodyPlace, BodyVelocity};
use baked_format::{BodyShape, BodySolid, RagdollBody};
use geometry_core::ShapeError;
use geometry_core::portable::{affine_mul, affine_parts};
use glam::{Affine3A, Mat3, Quat, Vec3};
use runtime::Character;
use skeleton::{JointIndex, LocalTransform, Skeleton};

/// The ragdoll of one character, ready to be used. All characters of an asset can share it.
#[derive(Clone, Debug)]
pub struct RagdollRig {
    skeleton: Skeleton,
    bodies: Vec<RagdollBody>,
    no_collision: Vec<[u16; 2]>,
    shapes: Vec<Vec<BodyShape>>,
    /// `joint_from_body` of each body: a rotation, divided by the scale of the joint.
    joint_from_body: Vec<Mat3>,
    /// `body_from_joint` of each body.
    body_from_joint: Vec<Affine3A>,
    /// What each joint follows.
    follows: Vec<Follows>,
    /// The joints above the first body, from the nearest one up.
    above: Vec<JointIndex>,
}

/// What a joint follows when the bodies fall.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Follows {
    /// Its own body.
    Body(u16),
    /// The joint above it.
    Parent(JointIndex),
    /// The joint below it, because it is above the first body.
    Below,
    /// Nothing: a root beside the bodies.
    Nothing,
}

/// The reason why a character has no ragdoll, or why a pose does not fit it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RagdollError {
    /// The file has no ragdoll. Bake it with `ragdoll = true`.
    #[error("{character:?} has no ragdoll; bake it with `ragdoll = true` in bonebox.toml")]
    NoRagdoll {
        /// The character's name.
        character: String,
    },
    /// A shape is too large in meters.
    #[error("a shape of the ragdoll of {character:?} is too large: {problem}")]
    Shape {
        /// The character's name.
        character: String,
        /// The number that is too large.
        problem: ShapeError,
    },
    /// A list has not one entry for each joint or body.
    #[error("{what}: expected {expected} entries, found {found}; give one for each, in the order of the character")]
    Count {
        /// The list.
        what: &'static str,
        /// The number of joints or bodies.
        expected: usize,
        /// The number of entries.
        found: usize,
    },
    /// A matrix or a place is not finite, or the matrix of a body's joint has no rotation because it scales to nothing.
    #[error("joint {joint:?} has a matrix without a rotation; check that it is finite and that its scale is not 0")]
    Matrix {
        /// The joint's name.
        joint: String,
    },
}

impl RagdollRig {
    /// Prepares the ragdoll of a character.
    ///
    /// # Errors
    /// Returns [`RagdollError::NoRagdoll`] if the file has none, and [`RagdollError::Shape`] if it is too large in meters.
    pub fn new(character: &Character) -> Result<Self, RagdollError> {
        let baked = character.baked();
        let name = || baked.name.clone();
        let ragdoll = baked.ragdoll.as_ref().ok_or_else(|| RagdollError::NoRagdoll { character: name() })?;
        let shapes = ragdoll.bodies.iter().map(|body| baked.body_shapes(body)).collect::<Result<_, _>>();
        let shapes = shapes.map_err(|problem| RagdollError::Shape { character: name(), problem })?;
        let rest = character.rest_matrices();
        let parent = |joint: JointIndex| baked.skeleton.joint(joint).parent;
        let joints = baked.skeleton.joints().iter();
        let mut follows: Vec<Follows> =
            joints.map(|joint| joint.parent.map_or(Follows::Nothing, Follows::Parent)).collect();
        let above: Vec<JointIndex> = std::iter::successors(parent(ragdoll.bodies[0].joint), |at| parent(*at)).collect();
        for joint in &above {
            follows[joint.index()] = Follows::Below;
        }
        let (mut joint_from_body, mut body_from_joint) = (Vec::new(), Vec::new());
        for (index, body) in (0..).zip(&ragdoll.bodies) {
            follows[body.joint.index()] = Follows::Body(index);
            let joint = &rest[body.joint.index()];
            let from_model = Affine3A::from_rotation_translation(body.rotation, body.position).inverse();
            body_from_joint.push(affine_mul(&from_model, joint));
            joint_from_body.push(affine_parts(joint).0.inverse() * Mat3::from_quat(body.rotation));
        }
        Ok(Self {
            skeleton: baked.skeleton.clone(),
            bodies: ragdoll.bodies.clone(),
            no_collision: ragdoll.no_collision.clone(),
            shapes,
            joint_from_body,
            body_from_joint,
            follows,
            above,
        })
    }

    /// The bodies, parents before children.
    #[must_use]
    pub fn bodies(&self) -> &[RagdollBody] {
        &self.bodies
    }

    /// The shapes of a body, in the space of the body.
    ///
    /// # Panics
    /// Panics if there is no body with this index.
    #[must_use]
    pub fn shapes(&self, body: usize) -> &[BodyShape] {
        &self.shapes[body]
    }

    /// The pairs of bodies that never collide: indices, the smaller one first, sorted.
    #[must_use]
    pub fn no_collision(&self) -> &[[u16; 2]] {
        &self.no_collision
    }

    /// The body of a joint; `None` if it has none of its own.
    #[must_use]
    pub fn body_of_joint(&self, joint: JointIndex) -> Option<usize> {
        match self.follows.get(joint.index()) {
            Some(Follows::Body(body)) => Some(usize::from(*body)),
            _ => None,
        }
    }

    /// The same ragdoll for a character that is placed in the world with a uniform scale. Lengths grow with the scale, masses
    /// with its third power and moments of inertia with its fifth; stiffness and damping grow as the torques of gravity and of
    /// a fall do: with the fourth power and with the power 4.5.
    ///
    /// # Panics
    /// Panics if `scale` is not above 0 and finite.
    #[must_use]
    pub fn scaled(&self, scale: f32) -> Self {
        assert!(scale > 0.0 && scale.is_finite(), "a scale above 0, found {scale}");
        let mut rig = self.clone();
        for body in &mut rig.bodies {
            body.position *= scale;
            body.center_of_mass *= scale;
            body.mass *= scale.powi(3);
            body.inertia = body.inertia.map(|entry| entry * scale.powi(5));
            if let Some(constraint) = &mut body.constraint {
                constraint.anchor *= scale;
                constraint.stiffness *= scale.powi(4);
                constraint.damping *= scale.powi(4) * scale.sqrt();
            }
        }
        for shape in rig.shapes.iter_mut().flatten() {
            shape.center *= scale;
            match &mut shape.solid {
                BodySolid::Box(half) => *half *= scale,
                BodySolid::Capsule { half_length, radius } => {
                    (*half_length, *radius) = (*half_length * scale, *radius * scale)
                }
                BodySolid::Sphere(radius) => *radius *= scale,
                BodySolid::Hull(hull) => hull.vertices.iter_mut().for_each(|vertex| *vertex *= scale),
            }
        }
        for (to_joint, from_joint) in rig.joint_from_body.iter_mut().zip(&mut rig.body_from_joint) {
            *to_joint *= 1.0 / scale;
            *from_joint = affine_mul(&Affine3A::from_scale(Vec3::splat(scale)), from_joint);
        }
        rig
    }

    /// Computes the places of all bodies in a pose. `world_from_model` is the character's place, and `model_from_joint` has one
    /// matrix for each joint. Scale does not matter: bodies are rigid. If `world_from_model` has a scale, use
    /// [`RagdollRig::scaled`].
    ///
    /// # Errors
    /// Returns [`RagdollError`] if the number of matrices is wrong, or if a matrix of a body has no rotation. `places` is then
    /// empty.
    pub fn places(
        &self,
        world_from_model: &Affine3A,
        model_from_joint: &[Affine3A],
        places: &mut Vec<BodyPlace>,
    ) -> Result<(), RagdollError> {
        places.clear();
        self.count("joint matrices", self.skeleton.len(), model_from_joint.len())?;
        for (body, joint_from_body) in self.bodies.iter().zip(&self.joint_from_body) {
            let world_from_joint = affine_mul(world_from_model, &model_from_joint[body.joint.index()]);
            let (linear, position) = affine_parts(&world_from_joint);
            match rotation_of(&(linear * *joint_from_body)).filter(|_| position.is_finite()) {
                Some(rotation) => places.push(BodyPlace { position, rotation }),
                None => {
                    places.clear();
                    return Err(self.wrong_matrix(body));
                }
            }
        }
        Ok(())
    }

    /// Computes the velocities of all bodies from their places at two moments that are `seconds` apart.
    ///
    /// # Errors
    /// Returns [`RagdollError::Count`] if a list has not one place for each body.
    ///
    /// # Panics
    /// Panics if `seconds` is not above 0.
    pub fn velocities(
        &self,
        before: &[BodyPlace],
        now: &[BodyPlace],
        seconds: f32,
        velocities: &mut Vec<BodyVelocity>,
    ) -> Result<(), RagdollError> {
        assert!(seconds > 0.0, "a time above 0 seconds, found {seconds}");
        velocities.clear();
        self.count("places before", self.bodies.len(), before.len())?;
        self.count("places now", self.bodies.len(), now.len())?;
        velocities.extend(self.bodies.iter().zip(before.iter().zip(now)).map(|(body, (before, now))| {
            let [from, to] = [before, now].map(|place| place.point(body.center_of_mass));
            let turn = rotation_vector(now.rotation * before.rotation.conjugate());
            BodyVelocity { linear: (to - from) / seconds, angular: turn / seconds }
        }));
        Ok(())
    }

    /// Computes the matrices of all joints from the places of the bodies, for
    /// [`PosedCharacter::pose_from_world`](runtime::PosedCharacter::pose_from_world) or for a skinned mesh.
    ///
    /// A joint with a body is where the body is. Other joints follow the joint above with their transform in `local`, one for
    /// each joint: that of the rest pose, or of the animation that played last. Joints above the first body keep their place to it.
    ///
    /// # Errors
    /// Returns [`RagdollError::Count`] if a list has the wrong length.
    pub fn world_from_joints(
        &self,
        places: &[BodyPlace],
        local: &[LocalTransform],
        world_from_joint: &mut [Affine3A],
    ) -> Result<(), RagdollError> {
        self.count("places", self.bodies.len(), places.len())?;
        self.count("local transforms", self.skeleton.len(), local.len())?;
        self.count("joint matrices", self.skeleton.len(), world_from_joint.len())?;
        let of_body = |body: usize| affine_mul(&places[body].to_affine(), &self.body_from_joint[body]);
        let mut below = self.bodies[0].joint;
        world_from_joint[below.index()] = of_body(0);
        for &joint in &self.above {
            let parent_from_joint = local[below.index()].to_affine();
            let back = parent_from_joint.inverse();
            let child = world_from_joint[below.index()];
            world_from_joint[joint.index()] = if back.is_finite() { affine_mul(&child, &back) } else { child };
            below = joint;
        }
        for (index, follows) in self.follows.iter().enumerate() {
            world_from_joint[index] = match *follows {
                Follows::Body(body) => of_body(body.into()),
                Follows::Parent(parent) => affine_mul(&world_from_joint[parent.index()], &local[index].to_affine()),
                Follows::Nothing => local[index].to_affine(),
                Follows::Below => continue,
            };
        }
        Ok(())
    }

    fn count(&self, what: &'static str, expected: usize, found: usize) -> Result<(), RagdollError> {
        if expected == found { Ok(()) } else { Err(RagdollError::Count { what, expected, found }) }
    }

    fn wrong_matrix(&self, body: &RagdollBody) -> RagdollError {
        RagdollError::Matrix { joint: self.skeleton.joint(body.joint).name.clone() }
    }
}

/// The axis of a rotation times its angle in radians, at most π.
fn rotation_vector(rotation: Quat) -> Vec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let axis = rotation.xyz();
    let length = axis.length();
    if length > 0.0 { axis * (2.0 * libm::atan2f(length, rotation.w) / length) } else { Vec3::ZERO }
}

/// The rotation of a matrix, from its axes x and y; `None` if they have no length.
fn rotation_of(linear: &Mat3) -> Option<Quat> {
    let x = linear.x_axis.try_normalize()?;
    let y = (linear.y_axis - x * x.dot(linear.y_axis)).try_normalize()?;
    Some(Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))).normalize())
}
