//! The planes and the triangles of a hull, for measuring.

use crate::plane_grid::{FacePlane, PlaneGrid};
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
    grid: PlaneGrid,
    /// The corners of the face of each plane of `grid`.
    corners: Vec<[Vec3; 3]>,
    vertices: Vec<DVec3>,
}

/// A point counts as the nearest one up to this relative error of the distance.
const NEAREST: f64 = 1e-9;

impl HullPlanes {
    /// Makes the hull of a valid hitbox. `rows` are the axes of its box.
    fn new(hull: &HitboxHull, rows: &DMat3, center: DVec3) -> Self {
        let vertices: Vec<Vec3> = hull.vertices.iter().map(|at| (*rows * (at.as_dvec3() - center)).as_vec3()).collect();
        let corner = |index: u8| vertices[usize::from(index)];
        let face = |triangle: &[u8; 3]| {
            let corners = triangle.map(corner);
            let [a, b, c] = corners.map(Vec3::as_dvec3);
            let normal = (b - a).cross(c - a).try_normalize()?;
            let height = normal.dot(a).max(normal.dot(b)).max(normal.dot(c));
            Some((FacePlane { normal, height }, corners))
        };
        let (planes, corners) = hull.triangles.iter().filter_map(face).unzip();
        let vertices: Vec<DVec3> = vertices.into_iter().map(Vec3::as_dvec3).collect();
        Self { grid: PlaneGrid::new(planes, &vertices), corners, vertices }
    }

    /// Returns `true` if a point is at most `tolerance` above every plane.
    #[inline]
    pub(crate) fn holds(&self, point: DVec3, tolerance: f64) -> bool {
        self.grid.holds(point, tolerance)
    }

    /// Returns `true` if all corners of a triangle are more than `tolerance` above one plane. `false` is not certain to mean that
    /// the hull holds a point of the triangle.
    pub(crate) fn surely_misses(&self, corners: &[DVec3; 3], tolerance: f64) -> bool {
        corners.iter().any(|&corner| {
            let (highest, top) = self.grid.highest(corner);
            highest > tolerance && corners.iter().all(|&other| self.grid.planes()[top].above(other) > tolerance)
        })
    }

    /// Returns the distance of a point from the surface of the hull, negative inside.
    pub(crate) fn signed_distance(&self, point: DVec3) -> f64 {
        self.distance_beyond(point, self.grid.highest(point))
    }

    /// Returns the largest signed distance of some points; infinite if a point is certainly farther than `limit`.
    pub(crate) fn farthest(&self, points: &[DVec3; 3], limit: f64) -> f64 {
        let highest = points.map(|point| self.grid.highest(point));
        // No point of the hull is nearer than the plane.
        if highest.iter().any(|(above, _)| *above > limit) {
            return f64::INFINITY;
        }
        let distances = points.iter().zip(highest).map(|(&point, highest)| self.distance_beyond(point, highest));
        distances.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns the signed distance of a point whose highest plane is known. The nearest point of the hull is on a face whose plane
    /// the point is above.
    fn distance_beyond(&self, point: DVec3, (highest, top): (f64, usize)) -> f64 {
        if highest <= 0.0 {
            return highest;
        }
        let nearest = triangle::closest_point(&self.corners[top], point);
        let away = point - nearest;
        let mut least = away.length_squared();
        // All points of the hull are below the plane, so no point is nearer than the plane; and no vertex is farther along the way
        // out than the nearest point of the hull.
        if least <= highest * highest * (1.0 + NEAREST)
            || self.vertices.iter().all(|&vertex| away.dot(vertex - nearest) <= NEAREST * least)
        {
            return least.sqrt();
        }
        for (plane, corners) in self.grid.planes().iter().zip(&self.corners) {
            let above = plane.above(point);
            if above > 0.0 && above * above < least {
                least = least.min((triangle::closest_point(corners, point) - point).length_squared());
            }
        }
        least.sqrt()
    }
}
