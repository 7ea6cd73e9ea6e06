//! Shapes for queries.

use bevy_math::{Isometry3d, Vec3};
use bonebox::{Capsule, Obb, Ray, Sphere};

/// A shape of a query in world space, such as a blast, a weapon or a trigger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HitboxQueryShape {
    /// A sphere with its interior.
    Sphere(Sphere),
    /// All points within a radius of a segment.
    Capsule(Capsule),
    /// A box.
    Cuboid(Obb),
}

/// A ray or a shape with a size that is negative, or a number that is not finite.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the {shape} of a hitbox query is invalid: {reason}")]
pub struct InvalidShape {
    /// The kind of shape.
    pub shape: &'static str,
    /// The reason why the shape is invalid.
    pub reason: String,
}

impl InvalidShape {
    fn new(shape: &'static str) -> impl Fn(bonebox::ShapeError) -> Self {
        move |error| Self { shape, reason: error.to_string() }
    }
}

impl HitboxQueryShape {
    /// A sphere around `center`.
    ///
    /// # Errors
    /// Returns an error if the radius is negative, or a number is not finite.
    pub fn sphere(center: Vec3, radius: f32) -> Result<Self, InvalidShape> {
        Sphere::try_new(center, radius).map(Self::Sphere).map_err(InvalidShape::new("sphere"))
    }

    /// A capsule around the segment from `start` to `end`.
    ///
    /// # Errors
    /// Returns an error if the radius is negative, or a number is not finite.
    pub fn capsule(start: Vec3, end: Vec3, radius: f32) -> Result<Self, InvalidShape> {
        Capsule::try_new(start, end, radius).map(Self::Capsule).map_err(InvalidShape::new("capsule"))
    }

    /// A box, like Bevy's `Cuboid`. `half_size` is half the box's size along each of its axes.
    ///
    /// # Errors
    /// Returns an error if a half size is negative, or a number is not finite.
    pub fn cuboid(place: Isometry3d, half_size: Vec3) -> Result<Self, InvalidShape> {
        let obb = Obb::try_from_orientation(place.translation.into(), half_size, place.rotation);
        obb.map(Self::Cuboid).map_err(InvalidShape::new("box"))
    }
}

pub(crate) fn ray(origin: Vec3, direction: Vec3) -> Result<Ray, InvalidShape> {
    Ray::try_new(origin, direction).map_err(InvalidShape::new("ray"))
}

/// Returns the error of a motion between two shapes of different kinds.
pub(crate) fn two_kinds() -> InvalidShape {
    InvalidShape {
        shape: "moving shape",
        reason: "it starts and ends as two kinds of shape; pass two of one kind".into(),
    }
}
