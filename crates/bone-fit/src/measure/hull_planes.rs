//! The planes and the triangles of a hull, for measuring.

use baked_format::{Hitbox, HitboxHull};
use geometry_core::{portable, triangle};
use glam::{DMat3, DVec3, Vec3};
use std::sync::Arc;

/// Hitboxes to measure in many poses.
pub(crate) struct MeasuredBoxes<'a> {
    pub(crate) boxes: &'a [Hitbox],
    /// The hull of each of `boxes` that is a hull.
    pub(crate) hulls: Vec<Option<Arc<HullPlanes>>>,
}

impl<'a> MeasuredBoxes<'a> {
    pub(crate) fn new(boxes: &'a [Hitbox]) -> Self {
        let hull = |one: &Hitbox| {
            let rows = portable::mat3_from_quaternion(one.orientation).as_dmat3().transpose();
            Some(Arc::new(HullPlanes::new(one.hull.as_ref()?, &rows, one.center.as_dvec3())))
        };
        Self { boxes, hulls: boxes.iter().map(hull).collect() }
    }
}

/// A hull in the space of its box's axes and center. Its corners are rounded to `f32` there.
pub(crate) struct HullPlanes {
    faces: Vec<Face>,
    vertices: Vec<DVec3>,
}

/// A point counts as the nearest one up to this relative error of the distance.
const NEAREST: f64 = 1e-9;

struct Face {
    /// The outward unit normal.
    normal: DVec3,
    /// The height of the plane along the normal.
    height: f64,
    corners: [Vec3; 3],
}

impl HullPlanes {
    /// Makes the hull of a valid hitbox. `rows` are the axes of its box.
    fn new(hull: &HitboxHull, rows: &DMat3, center: DVec3) -> Self {
        let vertices: Vec<Vec3> = hull.vertices.iter().map(|at| (*rows * (at.as_dvec3() - center)).as_vec3()).collect();
        let corner = |index: u8| vertices[usize::from(index)];
        let face = |triangle: &[u8; 3]| {
            let corners = triangle.map(corner);
            let [a, b, c] = corners.map(Vec3::as_dvec3);
            let normal = (b - a).cross(c - a).try_normalize()?;
            Some(Face { normal, height: normal.dot(a).max(normal.dot(b)).max(normal.dot(c)), corners })
        };
        let faces = hull.triangles.iter().filter_map(face).collect();
        Self { faces, vertices: vertices.into_iter().map(Vec3::as_dvec3).collect() }
    }

    /// Returns `true` if a point is at most `tolerance` above every plane.
    #[inline]
    pub(crate) fn holds(&self, point: DVec3, tolerance: f64) -> bool {
        self.faces.iter().all(|face| face.above(point) <= tolerance)
    }

    /// Returns the squared distance of a point from the hull, 0 inside. The nearest point of the hull is on a face whose plane the
    /// point is above.
    pub(crate) fn distance_squared(&self, point: DVec3) -> f64 {
        let (mut highest, mut top) = (0.0, None);
        for face in &self.faces {
            let above = face.above(point);
            if above > highest {
                (highest, top) = (above, Some(face));
            }
        }
        let Some(top) = top else { return 0.0 };
        let nearest = triangle::closest_point(&top.corners, point);
        let away = point - nearest;
        let mut least = away.length_squared();
        // No vertex is farther along the way out than the nearest point of the hull.
        if self.vertices.iter().all(|&vertex| away.dot(vertex - nearest) <= NEAREST * least) {
            return least;
        }
        for face in &self.faces {
            let above = face.above(point);
            if above > 0.0 && above * above < least {
                least = least.min((triangle::closest_point(&face.corners, point) - point).length_squared());
            }
        }
        least
    }
}

impl Face {
    /// Returns the height of a point above the plane.
    #[inline]
    fn above(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.height
    }
}
