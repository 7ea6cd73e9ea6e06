//! The planes and the triangles of a hull, for measuring.

use baked_format::HitboxHull;
use geometry_core::triangle;
use glam::{DMat3, DVec3, Vec3};

/// A hull in the space of its box's axes and center. Its corners are rounded to `f32` there.
pub(crate) struct HullPlanes {
    /// For each triangle its outward unit normal, and its height along the normal.
    planes: Vec<(DVec3, f64)>,
    triangles: Vec<[Vec3; 3]>,
}

impl HullPlanes {
    /// Makes the hull of a valid hitbox. `rows` are the axes of its box.
    pub(crate) fn new(hull: &HitboxHull, rows: &DMat3, center: DVec3) -> Self {
        let corner = |index: u8| (*rows * (hull.vertices[usize::from(index)].as_dvec3() - center)).as_vec3();
        let triangles: Vec<[Vec3; 3]> = hull.triangles.iter().map(|triangle| triangle.map(corner)).collect();
        let plane = |triangle: &[Vec3; 3]| {
            let [a, b, c] = triangle.map(Vec3::as_dvec3);
            let normal = (b - a).cross(c - a).try_normalize()?;
            Some((normal, normal.dot(a).max(normal.dot(b)).max(normal.dot(c))))
        };
        Self { planes: triangles.iter().filter_map(plane).collect(), triangles }
    }

    /// Returns `true` if a point is at most `tolerance` above every plane.
    #[inline]
    pub(crate) fn holds(&self, point: DVec3, tolerance: f64) -> bool {
        self.planes.iter().all(|(normal, height)| normal.dot(point) - height <= tolerance)
    }

    /// Returns the squared distance of a point from the hull, 0 inside.
    pub(crate) fn distance_squared(&self, point: DVec3) -> f64 {
        if self.holds(point, 0.0) {
            return 0.0;
        }
        let distance = |corners| (triangle::closest_point(corners, point) - point).length_squared();
        self.triangles.iter().map(distance).fold(f64::INFINITY, f64::min)
    }
}
