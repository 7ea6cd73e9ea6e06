//! Tests of triangles: overlap, distance, and rays.
//!
//! The overlap of two triangles is decided exactly, for every triangle of finite `f32` coordinates: coplanar triangles,
//! triangles that share an edge or a corner, slivers, and triangles that are only a segment or a point. Results that
//! need a square root or a division (distances, times, points) are computed in `f64` on the stored numbers. The
//! documentation of each function states the largest error.
//!
//! The functions take corners in any order, all corners in the same space. The numbers must be finite; for NaN or
//! infinity the result is unspecified, but no function panics. [`Triangle`] has the same functions as methods.

mod borders;
mod closest;
mod orientation;
mod overlap;
mod ray;
mod round;
mod touching_point;
mod winding;

pub use closest::{ClosestPoints, closest_point, closest_points};
pub use overlap::{overlap, overlap_exactly, overlap_or_direction};
pub use ray::{RayFrame, TriangleHit};
pub use round::{TRIANGLE_TOLERANCE, overlaps_capsule, overlaps_sphere};
pub use touching_point::{TOUCHING_POINT_ERROR, touching_point};
pub use winding::solid_angle;

use crate::obb::Obb;
use crate::shapes::{Capsule, Ray, Sphere, Triangle};
use glam::{DVec3, Vec3};

/// Three corners in `f64`, each number a stored `f32`.
type Corners = [DVec3; 3];

fn in_f64(corners: &[Vec3; 3]) -> Corners {
    corners.map(|corner| corner.as_dvec3())
}

/// Returns the three edges, from each corner to the next.
fn edges([a, b, c]: &Corners) -> [[DVec3; 2]; 3] {
    [[*a, *b], [*b, *c], [*c, *a]]
}

impl Triangle {
    /// Returns `true` if the triangles share a point, exactly: see [`overlap`].
    ///
    /// ```
    /// use geometry_core::Triangle;
    /// use glam::Vec3;
    ///
    /// let floor = Triangle::try_new(Vec3::ZERO, Vec3::X, Vec3::Z)?;
    /// let above = |y: f32| Triangle::try_new(Vec3::new(0.2, y, 0.2), Vec3::new(0.3, 1.0, 0.2), Vec3::Y);
    /// assert!(floor.overlaps(&above(0.0)?));
    /// assert!(!floor.overlaps(&above(1e-30)?));
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        overlap(&self.corners, &other.corners)
    }

    /// Returns a point that both triangles share, to within [`TOUCHING_POINT_ERROR`]; `None` if the triangles share no
    /// point. See [`touching_point`].
    #[must_use]
    pub fn touching_point(&self, other: &Self) -> Option<Vec3> {
        self.overlaps(other).then(|| touching_point(&self.corners, &other.corners))
    }

    /// Returns the point of the triangle nearest to `point`, computed in `f64`.
    #[must_use]
    pub fn closest_point(&self, point: Vec3) -> Vec3 {
        closest_point(&self.corners, point.as_dvec3()).as_vec3()
    }

    /// Returns the distance from the triangle to a point, zero on the triangle; computed in `f64`.
    #[must_use]
    pub fn distance(&self, point: Vec3) -> f32 {
        let point = point.as_dvec3();
        crate::math::sqrt((closest_point(&self.corners, point) - point).length_squared()) as f32
    }

    /// Returns the nearest points of two triangles and their distance: see [`closest_points`].
    ///
    /// ```
    /// use geometry_core::Triangle;
    /// use glam::Vec3;
    ///
    /// let floor = Triangle::try_new(Vec3::ZERO, Vec3::X, Vec3::Z)?;
    /// let above = Triangle::try_new(Vec3::new(0.2, 3.0, 0.2), Vec3::new(0.3, 5.0, 0.2), Vec3::Y * 4.0)?;
    /// assert_eq!(floor.closest_points(&above).distance, 3.0);
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    pub fn closest_points(&self, other: &Self) -> ClosestPoints {
        closest_points(&self.corners, &other.corners)
    }

    /// Returns the point where a ray meets the triangle, from either side, or `None` if there is no such point at a
    /// time `0 ≤ t ≤ limit`. Times are multiples of the ray's direction; an infinite limit means no limit.
    /// [`RayFrame::cast`] gives the same result and is cheaper for many triangles.
    ///
    /// ```
    /// use geometry_core::{Ray, Triangle};
    /// use glam::Vec3;
    ///
    /// let wall = Triangle::try_new(Vec3::Z * 4.0, Vec3::new(1.0, 0.0, 4.0), Vec3::new(0.0, 1.0, 4.0))?;
    /// let hit = wall.cast_ray(&Ray::try_new(Vec3::new(0.25, 0.5, 0.0), Vec3::Z)?, f32::INFINITY).unwrap();
    /// assert_eq!((hit.time, hit.barycentric), (4.0, [0.25, 0.25, 0.5]));
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, limit: f32) -> Option<TriangleHit> {
        RayFrame::new(ray).cast(&self.corners, limit)
    }

    /// Returns `true` if the sphere and the triangle share a point. The test leans to `true` by [`TRIANGLE_TOLERANCE`].
    #[must_use]
    pub fn overlaps_sphere(&self, sphere: &Sphere) -> bool {
        overlaps_sphere(&self.corners, sphere)
    }

    /// Returns `true` if the capsule and the triangle share a point. The test leans to `true` by
    /// [`TRIANGLE_TOLERANCE`].
    #[must_use]
    pub fn overlaps_capsule(&self, capsule: &Capsule) -> bool {
        overlaps_capsule(&self.corners, capsule)
    }

    /// Returns `true` if the box and the triangle share a point: see [`Obb::overlaps_triangle`].
    #[must_use]
    pub fn overlaps_obb(&self, obb: &Obb) -> bool {
        obb.overlaps_triangle(self)
    }
}
