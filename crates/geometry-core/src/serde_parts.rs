//! The serialized form of shapes, and the check when they are read: no invalid shape is accepted.

use crate::error::ShapeError;
use crate::obb::Obb;
use crate::plane::Obb2;
use crate::shapes::{Capsule, Frustum, Plane, Ray, Segment, Sphere, Triangle};
use glam::{Mat3, Vec2, Vec3};
use serde::{Deserialize, Serialize};

macro_rules! parts {
    ($parts:ident of $shape:ident { $($field:ident: $kind:ty = $get:expr),* } by $make:expr) => {
        #[derive(Serialize, Deserialize)]
        pub(crate) struct $parts {
            $($field: $kind,)*
        }
        impl From<$shape> for $parts {
            fn from(shape: $shape) -> Self {
                let get = |shape: &$shape| Self { $($field: $get(shape)),* };
                get(&shape)
            }
        }
        impl TryFrom<$parts> for $shape {
            type Error = ShapeError;
            fn try_from(parts: $parts) -> Result<Self, ShapeError> {
                let $parts { $($field),* } = parts;
                $make($($field),*)
            }
        }
    };
}

parts!(ObbParts of Obb {
    center: Vec3 = Obb::center, half_extents: Vec3 = Obb::half_extents, axes: Mat3 = Obb::axes
} by Obb::try_new);
parts!(Obb2Parts of Obb2 {
    center: Vec2 = Obb2::center, half_extents: Vec2 = Obb2::half_extents, angle: f32 = Obb2::angle
} by Obb2::try_new);
parts!(SphereParts of Sphere { center: Vec3 = Sphere::center, radius: f32 = Sphere::radius } by Sphere::try_new);
parts!(CapsuleParts of Capsule {
    start: Vec3 = |c: &Capsule| c.segment.start, end: Vec3 = |c: &Capsule| c.segment.end, radius: f32 = Capsule::radius
} by Capsule::try_new);
parts!(PlaneParts of Plane { normal: Vec3 = Plane::normal, distance: f32 = Plane::distance } by Plane::try_new);
parts!(TriangleParts of Triangle { corners: [Vec3; 3] = Triangle::corners } by |[a, b, c]: [Vec3; 3]| Triangle::try_new(a, b, c));
parts!(SegmentParts of Segment { start: Vec3 = Segment::start, end: Vec3 = Segment::end } by Segment::try_new);
parts!(RayParts of Ray { origin: Vec3 = Ray::origin, direction: Vec3 = Ray::direction } by Ray::try_new);
parts!(FrustumParts of Frustum { corners: [Vec3; 8] = Frustum::corners } by Frustum::try_from_corners);
