//! Ragdolls: the bodies and constraints of a character for a physics engine, and poses to places of bodies and back.

use crate::BoneboxCharacter;
use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{Handle, borrow, hand_over, take};
use crate::memory::{Kept, list, write, write_found, write_list};
use crate::pose::place;
use crate::shapes::{BoneboxMatrix, BoneboxQuat, BoneboxVec3, joint_matrices};
use glam::{Affine3A, Quat, Vec3};
use ragdoll::{
    BodyPlace, BodyShape, BodySolid, BodyVelocity, ConstraintKind, LimitSource, RagdollBody, RagdollError, RagdollRig,
};
use skeleton::{JointIndex, LocalTransform};

/// The ragdoll of a character: rigid bodies, and the constraints that hold them together. It never changes, so any number of
/// threads may read it, and all bodies of a game can share it. It may outlive its character.
///
/// The space of a body is rigid and in meters. Its origin is the origin of the body's joint, and its axes are those of the
/// joint in the rest pose.
pub struct BoneboxRagdoll {
    rig: RagdollRig,
    rest: Vec<LocalTransform>,
    lists: Kept<Lists>,
}

/// Lists of a conversion.
#[derive(Default)]
struct Lists {
    matrices: Vec<Affine3A>,
    local: Vec<LocalTransform>,
    places: [Vec<BodyPlace>; 2],
    velocities: Vec<BodyVelocity>,
}

impl Handle for BoneboxRagdoll {
    const NAME: &'static str = "BoneboxRagdoll";
}

/// The axes that a constraint leaves free.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxConstraintKind {
    /// The body turns about all axes: twist and swing.
    Ball = 0,
    /// The body turns about the frame's axis x only.
    Hinge = 1,
}

/// Where the limits of a constraint come from.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxLimitSource {
    /// From the poses of the clips.
    Clips = 0,
    /// From a table of the ranges of human joints, because no clip moves the joint.
    HumanRange = 1,
    /// From the settings.
    Settings = 2,
    /// Nothing says how far the joint turns, so it has the same small range as others of its kind.
    Unknown = 3,
}

/// A rigid body, and the constraint that holds it at its parent body.
///
/// Both bodies have the origin of the child's joint in common. The constraint has a frame in each body. If `q` is the rotation
/// of the child's frame in the parent's frame, then `q = swing * twist`: the twist turns about axis x, and the swing about an
/// axis at right angles to x. The swing vector is the swing's axis times its angle; it has a y and a z. The limits are the
/// same in both directions, because the frames stand in the middle of the range.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxRagdollBody {
    /// The joint that the body moves with. No two bodies have the same joint.
    pub joint: u16,
    /// The number of the body's shapes, at least 1.
    pub shape_count: u16,
    /// The body that holds this one, an index below that of this body; -1 if nothing holds it. The fields of the constraint,
    /// `kind` and all below it, mean nothing if `parent` is -1.
    pub parent: i32,
    /// The origin of the body in the rest pose, in model space.
    pub position: BoneboxVec3,
    /// The rotation of the body in the rest pose, from the space of the body to model space.
    pub rotation: BoneboxQuat,
    /// The mass in kilograms, above 0.
    pub mass: f32,
    /// The center of mass in the space of the body.
    pub center_of_mass: BoneboxVec3,
    /// The inertia tensor about the center of mass, along the axes of the body, in kilograms times square meters: xx, yy, zz, xy, xz, yz.
    pub inertia: [f32; 6],
    /// The axes that the body can turn about.
    pub kind: BoneboxConstraintKind,
    /// Where the limits come from.
    pub limits_from: BoneboxLimitSource,
    /// The origin of both frames in the space of the parent. In the space of this body it is the origin.
    pub anchor: BoneboxVec3,
    /// The rotation of the parent's frame, from the frame to the space of the parent.
    pub parent_from_frame: BoneboxQuat,
    /// The rotation of this body's frame, from the frame to the space of the body.
    pub body_from_frame: BoneboxQuat,
    /// The largest twist, and the largest y and z of the swing vector, in radians, 0 to pi. For a hinge, y and z are 0.
    pub limits: BoneboxVec3,
    /// The torque towards the middle of the range, in N m for each radian; at least 0.
    pub stiffness: f32,
    /// The torque against a turn, in N m for each radian per second; at least 0.
    pub damping: f32,
}

/// The kind of a body's shape.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxRagdollShapeKind {
    /// A sphere.
    Sphere = 0,
    /// All points within a radius of a segment along the shape's axis y.
    Capsule = 1,
    /// A box.
    Box = 2,
    /// A convex hull, see `bonebox_ragdoll_hull_vertices`.
    Hull = 3,
}

/// A shape of a body, in the space of the body. It is the shape of one hitbox.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxRagdollShape {
    /// The kind of the shape.
    pub kind: BoneboxRagdollShapeKind,
    /// The hitbox.
    pub hitbox: u16,
    /// The number of a hull's vertices; 0 for other shapes.
    pub vertex_count: u16,
    /// The center of the shape; of a hull, the center of its box.
    pub center: BoneboxVec3,
    /// The rotation from the shape's own axes to those of the body.
    pub rotation: BoneboxQuat,
    /// Half the lengths of a box's edges along the shape's own axes; 0 for other shapes.
    pub half_extents: BoneboxVec3,
    /// The radius of a sphere or a capsule; 0 for other shapes.
    pub radius: f32,
    /// Half the distance between the centers of a capsule's half spheres; 0 for other shapes.
    pub half_length: f32,
}

/// Two bodies of a ragdoll.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneboxRagdollPair {
    /// The body with the smaller index.
    pub body_a: u16,
    /// The other body.
    pub body_b: u16,
}

/// The place of a body in the world.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxRagdollPlace {
    /// The origin of the body, which is the origin of its joint, in meters. Many engines have the place of the center of mass
    /// instead: `position` plus the rotated `center_of_mass`.
    pub position: BoneboxVec3,
    /// The rotation from the space of the body to world space, a unit quaternion.
    pub rotation: BoneboxQuat,
}

/// The velocity of a body in the world.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxRagdollVelocity {
    /// The velocity of the center of mass, in m/s.
    pub linear: BoneboxVec3,
    /// The axis of the turn times its speed in rad/s.
    pub angular: BoneboxVec3,
}

impl From<RagdollError> for Failure {
    fn from(error: RagdollError) -> Self {
        match error {
            RagdollError::NoRagdoll { .. } => Self::not_found(error),
            RagdollError::Shape { .. } => Self::invalid(error),
            _ => Self::new(BoneboxResult::PoseRefused, error),
        }
    }
}

impl From<&RagdollBody> for BoneboxRagdollBody {
    fn from(of: &RagdollBody) -> Self {
        let free = Self {
            joint: of.joint.0,
            shape_count: of.boxes.len() as u16,
            parent: -1,
            position: of.position.into(),
            rotation: of.rotation.into(),
            mass: of.mass,
            center_of_mass: of.center_of_mass.into(),
            inertia: of.inertia,
            kind: BoneboxConstraintKind::Ball,
            limits_from: BoneboxLimitSource::Unknown,
            anchor: Vec3::ZERO.into(),
            parent_from_frame: Quat::IDENTITY.into(),
            body_from_frame: Quat::IDENTITY.into(),
            limits: Vec3::ZERO.into(),
            stiffness: 0.0,
            damping: 0.0,
        };
        let Some(constraint) = &of.constraint else { return free };
        Self {
            parent: constraint.parent.into(),
            kind: match constraint.kind {
                ConstraintKind::Ball => BoneboxConstraintKind::Ball,
                ConstraintKind::Hinge => BoneboxConstraintKind::Hinge,
            },
            limits_from: match constraint.limits_from {
                LimitSource::Clips => BoneboxLimitSource::Clips,
                LimitSource::HumanRange => BoneboxLimitSource::HumanRange,
                LimitSource::Settings => BoneboxLimitSource::Settings,
                LimitSource::Unknown => BoneboxLimitSource::Unknown,
            },
            anchor: constraint.anchor.into(),
            parent_from_frame: constraint.parent_from_frame.into(),
            body_from_frame: constraint.body_from_frame.into(),
            limits: constraint.limits.into(),
            stiffness: constraint.stiffness,
            damping: constraint.damping,
            ..free
        }
    }
}

impl From<&BodyShape> for BoneboxRagdollShape {
    fn from(of: &BodyShape) -> Self {
        let shape = Self {
            kind: BoneboxRagdollShapeKind::Box,
            hitbox: of.hitbox,
            vertex_count: 0,
            center: of.center.into(),
            rotation: of.rotation.into(),
            half_extents: Vec3::ZERO.into(),
            radius: 0.0,
            half_length: 0.0,
        };
        match &of.solid {
            BodySolid::Box(half_extents) => Self { half_extents: (*half_extents).into(), ..shape },
            BodySolid::Sphere(radius) => Self { kind: BoneboxRagdollShapeKind::Sphere, radius: *radius, ..shape },
            BodySolid::Capsule { half_length, radius } => {
                Self { kind: BoneboxRagdollShapeKind::Capsule, radius: *radius, half_length: *half_length, ..shape }
            }
            BodySolid::Hull(hull) => {
                Self { kind: BoneboxRagdollShapeKind::Hull, vertex_count: hull.vertices.len() as u16, ..shape }
            }
        }
    }
}

impl From<&BodyPlace> for BoneboxRagdollPlace {
    fn from(of: &BodyPlace) -> Self {
        Self { position: of.position.into(), rotation: of.rotation.into() }
    }
}

impl From<&BoneboxRagdollPlace> for BodyPlace {
    fn from(of: &BoneboxRagdollPlace) -> Self {
        Self { position: of.position.into(), rotation: of.rotation.into() }
    }
}

impl From<&BodyVelocity> for BoneboxRagdollVelocity {
    fn from(of: &BodyVelocity) -> Self {
        Self { linear: of.linear.into(), angular: of.angular.into() }
    }
}

impl BoneboxRagdoll {
    fn body(&self, body: u16) -> Result<&RagdollBody, Failure> {
        let bodies = self.rig.bodies();
        bodies.get(usize::from(body)).ok_or_else(|| {
            Failure::not_found(format!("the ragdoll has no body {body}; pass an index below {}", bodies.len()))
        })
    }

    fn shapes(&self, body: u16) -> Result<&[BodyShape], Failure> {
        self.body(body)?;
        Ok(self.rig.shapes(body.into()))
    }
}

/// Reads places of bodies.
///
/// # Safety
/// As [`list`].
unsafe fn read_places(
    places: *const BoneboxRagdollPlace,
    count: usize,
    name: &str,
    into: &mut Vec<BodyPlace>,
) -> Result<(), Failure> {
    into.clear();
    into.extend(list(places, count, name)?.iter().map(BodyPlace::from));
    Ok(())
}

/// Returns true if the character was baked with a ragdoll. Returns false for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_has_ragdoll(character: *const BoneboxCharacter) -> bool {
    borrow(character, "character").is_ok_and(|character| character.character.baked().ragdoll.is_some())
}

/// Prepares the ragdoll of a character. `scale` is the uniform scale with which the character is placed in the world; 1 if it is
/// not scaled. Lengths grow with the scale, masses with its third power and moments of inertia with its fifth; stiffness and
/// damping grow as the torques of gravity and of a fall do. The function fails if the character was baked without a ragdoll.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_ragdoll_new(
    character: *const BoneboxCharacter,
    scale: f32,
    ragdoll: *mut *mut BoneboxRagdoll,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let character = &borrow(character, "character")?.character;
        if !(scale > 0.0 && scale.is_finite()) {
            return Err(Failure::invalid(format!("`scale` is {scale}, but must be above 0 and finite")));
        }
        let rig = RagdollRig::new(character)?;
        let rig = if scale == 1.0 { rig } else { rig.scaled(scale) };
        let rest = character.skeleton().rest_pose();
        hand_over(ragdoll, "ragdoll", BoneboxRagdoll { rig, rest, lists: Kept::default() })
    })
}

/// Frees a ragdoll; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_ragdoll_free(ragdoll: *mut BoneboxRagdoll) -> BoneboxResult {
    guard(std::ptr::null_mut(), || take(ragdoll, "ragdoll"))
}

/// Returns the number of bodies. Returns 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_ragdoll_body_count(ragdoll: *const BoneboxRagdoll) -> usize {
    borrow(ragdoll, "ragdoll").map_or(0, |ragdoll| ragdoll.rig.bodies().len())
}

/// Writes the body with this index. Parents come before their children.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_ragdoll_body(
    ragdoll: *const BoneboxRagdoll,
    index: u16,
    body: *mut BoneboxRagdollBody,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || write(body, "body", borrow(ragdoll, "ragdoll")?.body(index)?.into()))
}

/// Writes the index of the body that moves with a joint, if the joint has a body of its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_ragdoll_body_of_joint(
    ragdoll: *const BoneboxRagdoll,
    joint: u16,
    found: *mut bool,
    body: *mut u16,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let index = borrow(ragdoll, "ragdoll")?.rig.body_of_joint(JointIndex(joint));
        write_found(found, (body, "body"), index.map(|index| index as u16))
    })
}

/// Writes the shapes of a body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_ragdoll_shapes(
    ragdoll: *const BoneboxRagdoll,
    body: u16,
    out: *mut BoneboxRagdollShape,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || write_list(out, capacity, count, borrow(ragdoll, "ragdoll")?.shapes(body)?.iter().map(Into::into)))
}

/// Writes the vertices of a hull: `shape` is an index into the list of `bonebox_ragdoll_shapes`. The vertices are along the
/// shape's own axes, from its center. Shapes of other kinds have no vertices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_ragdoll_hull_vertices(
    ragdoll: *const BoneboxRagdoll,
    body: u16,
    shape: u16,
    out: *mut BoneboxVec3,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let shapes = borrow(ragdoll, "ragdoll")?.shapes(body)?;
        let one = shapes.get(usize::from(shape)).ok_or_else(|| {
            Failure::not_found(format!("body {body} has no shape {shape}; pass an index below {}", shapes.len()))
        })?;
        let vertices = match &one.solid {
            BodySolid::Hull(hull) => hull.vertices.as_slice(),
            BodySolid::Box(_) | BodySolid::Sphere(_) | BodySolid::Capsule { .. } => &[],
        };
        write_list(out, capacity, count, vertices.iter().map(|&vertex| vertex.into()))
    })
}

/// Writes the pairs of bodies that never collide, sorted: a body and its parent, and bodies that overlap in most poses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_ragdoll_no_collision(
    ragdoll: *const BoneboxRagdoll,
    out: *mut BoneboxRagdollPair,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let pairs = borrow(ragdoll, "ragdoll")?.rig.no_collision().iter();
        write_list(out, capacity, count, pairs.map(|&[body_a, body_b]| BoneboxRagdollPair { body_a, body_b }))
    })
}

/// Writes the places of all bodies in a pose. `model_from_joint[j]` belongs to joint `j`; `joint_count` is the number of joints
/// of the skeleton. Pass matrices in world space with the identity as `world_from_model`. Bodies are rigid, so the scale of
/// the matrices does not matter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_ragdoll_places(
    ragdoll: *const BoneboxRagdoll,
    world_from_model: *const BoneboxMatrix,
    model_from_joint: *const BoneboxMatrix,
    joint_count: usize,
    out: *mut BoneboxRagdollPlace,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let ragdoll = borrow(ragdoll, "ragdoll")?;
        let place = place(world_from_model)?;
        ragdoll.lists.with(|Lists { matrices, places: [places, _], .. }| {
            joint_matrices(model_from_joint, joint_count, "model_from_joint", matrices)?;
            ragdoll.rig.places(&place, matrices, places)?;
            write_list(out, capacity, count, places.iter().map(Into::into))
        })
    })
}

/// Writes the velocities of all bodies from their places at two moments that are `seconds` apart. Both lists have one place
/// for each body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_ragdoll_velocities(
    ragdoll: *const BoneboxRagdoll,
    before: *const BoneboxRagdollPlace,
    before_count: usize,
    now: *const BoneboxRagdollPlace,
    now_count: usize,
    seconds: f32,
    out: *mut BoneboxRagdollVelocity,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let ragdoll = borrow(ragdoll, "ragdoll")?;
        if !(seconds > 0.0 && seconds.is_finite()) {
            return Err(Failure::invalid(format!("`seconds` is {seconds}, but must be above 0 and finite")));
        }
        ragdoll.lists.with(|Lists { places: [from, to], velocities, .. }| {
            read_places(before, before_count, "before", from)?;
            read_places(now, now_count, "now", to)?;
            ragdoll.rig.velocities(from, to, seconds, velocities)?;
            write_list(out, capacity, count, velocities.iter().map(Into::into))
        })
    })
}

/// Writes the matrices of all joints, from joint space to world space, for `bonebox_pose_from_world` or for a skinned mesh.
/// `places[i]` is the place of body `i`; `body_count` is the number of bodies.
///
/// A joint with a body is where the body is. Other joints follow the joint above with their matrix in `parent_from_joint`, one for
/// each joint, such as those of the animation that played last. It may be NULL for the rest pose; `joint_count` is then not
/// read. Joints above the first body keep their place to it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_ragdoll_world_from_joints(
    ragdoll: *const BoneboxRagdoll,
    places: *const BoneboxRagdollPlace,
    body_count: usize,
    parent_from_joint: *const BoneboxMatrix,
    joint_count: usize,
    out: *mut BoneboxMatrix,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let ragdoll = borrow(ragdoll, "ragdoll")?;
        ragdoll.lists.with(|Lists { matrices, local, places: [of_bodies, _], .. }| {
            read_places(places, body_count, "places", of_bodies)?;
            let local = if parent_from_joint.is_null() {
                &ragdoll.rest
            } else {
                joint_matrices(parent_from_joint, joint_count, "parent_from_joint", matrices)?;
                local.clear();
                local.extend(matrices.iter().copied().map(LocalTransform::Matrix));
                local
            };
            matrices.clear();
            matrices.resize(ragdoll.rest.len(), Affine3A::IDENTITY);
            ragdoll.rig.world_from_joints(of_bodies, local, matrices)?;
            write_list(out, capacity, count, matrices.iter().map(Into::into))
        })
    })
}
