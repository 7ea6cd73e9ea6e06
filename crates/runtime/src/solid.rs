//! The shapes of posed hitboxes, and the overlap test of two of them.

use baked_format::HitboxShape;
use geometry_core::{Capsule, DCapsule, Obb, Sphere};

/// The shape of a posed hitbox, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PosedShape {
    /// The box itself, or the box around a hull.
    Box(Obb),
    /// A capsule. If the pose scales the joint unevenly, the radius is the baked radius times the largest scale.
    Capsule(Capsule),
    /// A sphere. If the pose scales the joint unevenly, the radius is the baked radius times the largest scale.
    Sphere(Sphere),
}

impl PosedShape {
    /// `None` if the coordinates are out of range; posing returns an error for such coordinates.
    pub(crate) fn new(shape: HitboxShape, one: &Obb) -> Option<Self> {
        let Some(round) = Solid::new(shape, *one).round() else { return Some(Self::Box(*one)) };
        let radius = round.radius as f32;
        if shape == HitboxShape::Sphere {
            return Sphere::try_new(one.center(), radius).ok().map(Self::Sphere);
        }
        let [start, end] = round.ends().map(|end| end.as_vec3());
        Capsule::try_new(start, end, radius).ok().map(Self::Capsule)
    }
}

/// The shape of a hitbox in the tests of pairs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Solid {
    Box(Obb),
    /// A capsule or a sphere.
    Round(DCapsule),
}

impl Solid {
    /// Makes the shape from the box around it.
    #[inline]
    pub(crate) fn new(shape: HitboxShape, one: Obb) -> Self {
        match shape {
            HitboxShape::Box | HitboxShape::Hull => Self::Box(one),
            HitboxShape::Capsule => Self::Round(DCapsule::along_axis_1(&one)),
            HitboxShape::Sphere => Self::Round(DCapsule::ball_around(&one)),
        }
    }

    pub(crate) fn round(&self) -> Option<DCapsule> {
        match self {
            Self::Box(_) => None,
            Self::Round(round) => Some(*round),
        }
    }

    /// Returns `true` if the two shapes share a point.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Box(a), Self::Box(b)) => a.overlaps(b),
            (Self::Round(round), Self::Box(one)) | (Self::Box(one), Self::Round(round)) => round.overlaps_obb(one),
            (Self::Round(a), Self::Round(b)) => a.overlaps(b),
        }
    }
}
