//! The shapes of posed hitboxes, and the tests of two of them.

use baked_format::HitboxShape;
use geometry_core::{Capsule, DCapsule, Obb, PosedHull, ShapeDistance, ShapeSeparation, Sphere};

/// The shape of a posed hitbox, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PosedShape {
    /// The box itself, or the box around a hull; [`crate::PosedCharacter::posed_hull`] has the hull.
    Box(Obb),
    /// A capsule. If the pose scales the joint unevenly, the radius is the baked radius times the largest scale.
    Capsule(Capsule),
    /// A sphere. If the pose scales the joint unevenly, the radius is the baked radius times the largest scale.
    Sphere(Sphere),
}

impl PosedShape {
    /// `None` if the coordinates are out of range; posing returns an error for such coordinates.
    pub(crate) fn new(shape: HitboxShape, one: &Obb) -> Option<Self> {
        let Some(round) = Solid::without_hull(shape, *one).round() else { return Some(Self::Box(*one)) };
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
pub(crate) enum Solid<'a> {
    Box(Obb),
    /// A capsule or a sphere.
    Round(DCapsule),
    Hull(PosedHull<'a>),
}

impl<'a> Solid<'a> {
    /// Makes the shape from the box around it. `hull` is called for a hull only; if it returns `None`, the shape is the box.
    #[inline]
    pub(crate) fn new(shape: HitboxShape, one: Obb, hull: impl FnOnce() -> Option<PosedHull<'a>>) -> Self {
        if shape == HitboxShape::Hull
            && let Some(hull) = hull()
        {
            return Self::Hull(hull);
        }
        Self::without_hull(shape, one)
    }

    /// Makes the shape from the box around it. For a hull, the result is the box.
    #[inline]
    pub(crate) fn without_hull(shape: HitboxShape, one: Obb) -> Self {
        match shape {
            HitboxShape::Box | HitboxShape::Hull => Self::Box(one),
            HitboxShape::Capsule => Self::Round(DCapsule::along_axis_1(&one)),
            HitboxShape::Sphere => Self::Round(DCapsule::ball_around(&one)),
        }
    }

    pub(crate) fn round(&self) -> Option<DCapsule> {
        match self {
            Self::Box(_) | Self::Hull(_) => None,
            Self::Round(round) => Some(*round),
        }
    }

    /// Returns `true` if the two shapes share a point.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Box(a), Self::Box(b)) => a.overlaps(b),
            (Self::Round(round), Self::Box(one)) | (Self::Box(one), Self::Round(round)) => round.overlaps_obb(one),
            (Self::Round(a), Self::Round(b)) => a.overlaps(b),
            (Self::Hull(hull), Self::Box(one)) | (Self::Box(one), Self::Hull(hull)) => hull.overlaps_obb(one),
            (Self::Hull(hull), Self::Round(round)) | (Self::Round(round), Self::Hull(hull)) => {
                hull.overlaps_capsule(round)
            }
            (Self::Hull(a), Self::Hull(b)) => a.overlaps(b),
        }
    }

    /// Returns the distance of two shapes. `None` if one of the shapes is a hull and the distance is more than `limit`,
    /// in world units. For two boxes, returns both boxes as the error: the kernels compute their distance.
    pub(crate) fn distance<'b>(
        &'b self,
        other: &'b Solid<'_>,
        limit: f64,
    ) -> Result<Option<ShapeDistance>, [&'b Obb; 2]> {
        Ok(match (self, other) {
            (Self::Hull(a), Solid::Hull(b)) => a.distance(b, limit),
            (Self::Hull(hull), Solid::Box(one)) => hull.distance_from_obb(one, limit),
            (Self::Box(one), Solid::Hull(hull)) => hull.distance_from_obb(one, limit).map(ShapeDistance::swapped),
            (Self::Hull(hull), Solid::Round(round)) => hull.distance_from_capsule(round, limit),
            (Self::Round(round), Solid::Hull(hull)) => {
                hull.distance_from_capsule(round, limit).map(ShapeDistance::swapped)
            }
            (Self::Box(_) | Self::Round(_), _) => Some(self.separation(other)?.into()),
        })
    }

    /// Returns the distance or the depth of two shapes. For two boxes, returns both boxes as the error: the kernels
    /// test them.
    pub(crate) fn separation<'b>(&'b self, other: &'b Solid<'_>) -> Result<ShapeSeparation, [&'b Obb; 2]> {
        Ok(match (self, other) {
            (Self::Box(a), Solid::Box(b)) => return Err([a, b]),
            (Self::Round(a), Solid::Round(b)) => a.separation(b),
            (Self::Round(round), Solid::Box(one)) => round.separation_from_obb(one),
            (Self::Box(one), Solid::Round(round)) => round.separation_from_obb(one).swapped(),
            (Self::Hull(a), Solid::Hull(b)) => a.separation(b),
            (Self::Hull(hull), Solid::Box(one)) => hull.separation_from_obb(one),
            (Self::Box(one), Solid::Hull(hull)) => hull.separation_from_obb(one).swapped(),
            (Self::Hull(hull), Solid::Round(round)) => hull.separation_from_capsule(round),
            (Self::Round(round), Solid::Hull(hull)) => hull.separation_from_capsule(round).swapped(),
        })
    }
}
