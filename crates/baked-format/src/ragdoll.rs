//! What a falling character is made of: rigid bodies, and the constraints that hold them together.
//!
//! The space of a body is rigid and in meters. Its origin is the origin of the body's joint, and its axes are those of the
//! joint in the rest pose, without the joint's scale. [`RagdollBody::position`] and [`RagdollBody::rotation`] place it in
//! model space.

use glam::{Quat, Vec3};
use skeleton::JointIndex;

/// The bodies of a character that falls, and the pairs of them that never collide.
///
/// With their constraints, the bodies are a tree, or several trees if the bake could not say what holds a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Ragdoll {
    /// The bodies, each after the body that its constraint names; at least one.
    pub bodies: Vec<RagdollBody>,
    /// Pairs of bodies that never collide: indices into `bodies`, the smaller one first. Sorted, with no pair twice.
    pub no_collision: Vec<[u16; 2]>,
}

/// A rigid body: hitboxes that move as one.
#[derive(Clone, Debug, PartialEq)]
pub struct RagdollBody {
    /// The joint that the body moves with, an index into the skeleton's joints. No two bodies have the same joint.
    pub joint: JointIndex,
    /// The origin of the body in the rest pose, in model space.
    pub position: Vec3,
    /// The rotation of the body in the rest pose (`model_from_body`), a unit quaternion.
    pub rotation: Quat,
    /// The hitboxes whose shapes are the body's shapes: indices into `BakedCharacter::boxes`, sorted, at least one. No
    /// hitbox is in two bodies. Hitboxes of other joints keep the place that they have in the rest pose.
    pub boxes: Vec<u16>,
    /// The mass in kilograms, above 0.
    pub mass: f32,
    /// The center of mass in the space of the body.
    pub center_of_mass: Vec3,
    /// The inertia tensor about the center of mass, along the axes of the body, in kg m². The order is xx, yy, zz, xy, xz, yz.
    /// It is positive definite, and no moment about an axis exceeds the sum of the two others.
    pub inertia: [f32; 6],
    /// What holds the body; `None` for the root of a tree.
    pub constraint: Option<Constraint>,
}

/// Holds a body at its parent body: both have the origin of the child's joint in common, and turn within limits.
///
/// The constraint has a frame in each body. If `q` is the rotation of the child's frame in the parent's frame
/// (`parent_frame_from_child_frame`), then `q = swing * twist`: the twist turns about axis x, and the swing about an axis at
/// right angles to x. The swing vector is the swing's axis times its angle; it has a y and a z.
///
/// The limits are the same in both directions, because the frames stand in the middle of the range.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// The body that holds this one, an index into [`Ragdoll::bodies`] below that of this body.
    pub parent: u16,
    /// The axes that the child can turn about.
    pub kind: ConstraintKind,
    /// The origin of both frames in the space of the parent. In the space of the child it is the child's origin.
    pub anchor: Vec3,
    /// The rotation of the parent's frame (`parent_from_frame`), a unit quaternion.
    pub parent_from_frame: Quat,
    /// The rotation of the child's frame (`body_from_frame`), a unit quaternion.
    pub body_from_frame: Quat,
    /// The largest twist, and the largest y and z of the swing vector, in radians, 0 to π. For a hinge, y and z are 0.
    pub limits: Vec3,
    /// The torque towards the middle of the range, in N m for each radian; at least 0.
    pub stiffness: f32,
    /// The torque against a turn, in N m for each radian per second; at least 0.
    pub damping: f32,
    /// Where the limits come from.
    pub limits_from: LimitSource,
}

/// The axes that a constraint leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConstraintKind {
    /// The child turns about all axes: twist and swing.
    Ball,
    /// The child turns about the frame's axis x only.
    Hinge,
}

/// Where the limits of a constraint come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitSource {
    /// From the poses of the clips.
    Clips,
    /// From a table of the ranges of human joints, because no clip moves the joint.
    HumanRange,
    /// From the settings.
    Settings,
    /// Nothing says how far the joint turns, so it has the same small range as others of its kind.
    Unknown,
}

impl ConstraintKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Ball, Self::Hinge];

    /// The kind in one word, as in JSON: `ball` or `hinge`.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Ball => "ball",
            Self::Hinge => "hinge",
        }
    }
}

impl LimitSource {
    /// Every source.
    pub const ALL: [Self; 4] = [Self::Clips, Self::HumanRange, Self::Settings, Self::Unknown];

    /// The source in JSON and in tables: `clips`, `human-range`, `settings` or `unknown`.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Clips => "clips",
            Self::HumanRange => "human-range",
            Self::Settings => "settings",
            Self::Unknown => "unknown",
        }
    }
}
