//! Places and velocities of bodies.

use glam::{Affine3A, Quat, Vec3};

/// The place of a body in the world: `world_from_body`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPlace {
    /// The origin of the body, which is the origin of its joint, in meters.
    pub position: Vec3,
    /// The rotation, a unit quaternion.
    pub rotation: Quat,
}

/// The velocity of a body in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyVelocity {
    /// The velocity of the center of mass, in m/s.
    pub linear: Vec3,
    /// The axis of the turn times its speed in rad/s.
    pub angular: Vec3,
}

impl BodyPlace {
    /// The place at the origin of the world.
    pub const IDENTITY: Self = Self { position: Vec3::ZERO, rotation: Quat::IDENTITY };

    /// The place as a matrix.
    #[must_use]
    pub fn to_affine(&self) -> Affine3A {
        Affine3A::from_rotation_translation(self.rotation, self.position)
    }

    /// Converts a point from the space of the body to the world.
    #[must_use]
    pub fn point(&self, point: Vec3) -> Vec3 {
        self.rotation * point + self.position
    }
}
