//! Conversions of boxes from and to the types of `mint`, which other mathematics libraries share. The same feature
//! enables glam's own conversions (`Vec3`, `Quat`, `Mat3`).

use crate::aabb::Aabb;
use crate::error::ShapeError;
use crate::obb::Obb;
use crate::packed_obb::PackedObb;
use glam::{Quat, Vec3};
use mint::{Point3, Quaternion, Vector3};

impl TryFrom<(Point3<f32>, Vector3<f32>, Quaternion<f32>)> for Obb {
    type Error = ShapeError;

    /// Converts center, half extents and orientation, as [`Obb::try_from_orientation`] does.
    fn try_from(parts: (Point3<f32>, Vector3<f32>, Quaternion<f32>)) -> Result<Self, ShapeError> {
        let (center, half_extents, orientation) = parts;
        Self::try_from_orientation(Vec3::from(center), Vec3::from(half_extents), Quat::from(orientation))
    }
}

impl From<Obb> for (Point3<f32>, Vector3<f32>, Quaternion<f32>) {
    /// Returns center, half extents and orientation, as [`PackedObb::pack`] does.
    fn from(obb: Obb) -> Self {
        let packed = PackedObb::pack(&obb);
        (obb.center().into(), obb.half_extents().into(), Quat::from_array(packed.orientation).into())
    }
}

impl TryFrom<[Point3<f32>; 2]> for Aabb {
    type Error = ShapeError;

    /// Converts the lower and the upper bounds, as [`Aabb::try_new`] does.
    fn try_from([min, max]: [Point3<f32>; 2]) -> Result<Self, ShapeError> {
        Self::try_new(Vec3::from(min), Vec3::from(max))
    }
}

impl From<Aabb> for [Point3<f32>; 2] {
    /// Returns the lower and the upper bounds.
    fn from(aabb: Aabb) -> Self {
        [aabb.min.into(), aabb.max.into()]
    }
}
