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

/// A hull in the space of its box's axes and center.
pub(crate) struct HullPlanes {
    grid: PlaneGrid,
    /// The corners of the face of each plane of `grid`, rounded to `f32`. Distances are measured from these.
    corners: Vec<[Vec3; 3]>,
    /// The vertices, rounded to `f32`.
    vertices: Vec<DVec3>,
}

/// A point counts as the nearest one up to this relative error of the distance.
const NEAREST: f64 = 1e-9;

impl HullPlanes {
    /// Makes the hull of a valid hitbox. `rows` are the axes of its box.
    ///
    /// The planes are those of the stored vertices. Rounding can turn the normal of a face that is almost a line in any direction,
    /// so a normal is computed before the vertices are rounded, and its plane is moved out to the highest vertex.
    fn new(hull: &HitboxHull, rows: &DMat3, center: DVec3) -> Self {
        let places: Vec<DVec3> = hull.vertices.iter().map(|at| *rows * (at.as_dvec3() - center)).collect();
        let rounded: Vec<Vec3> = places.iter().map(|at| at.as_vec3()).collect();
        // Normals go through the inverse of the transpose, because axes from `f32` numbers are not quite at right angles.
        let normal_rows = rows.inverse().transpose();
        let face = |triangle: &[u8; 3]| {
            let [a, b, c] = triangle.map(|index| hull.vertices[usize::from(index)].as_dvec3());
            let normal = (normal_rows * (b - a).cross(c - a)).try_normalize()?;
            let height = places.iter().map(|&at| normal.dot(at)).fold(f64::NEG_INFINITY, f64::max);
            Some((FacePlane { normal, height }, triangle.map(|index| rounded[usize::from(index)])))
        };
        let (planes, corners) = hull.triangles.iter().filter_map(face).unzip();
        let vertices = rounded.into_iter().map(Vec3::as_dvec3).collect();
        Self { grid: PlaneGrid::new(planes, &places), corners, vertices }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::shape::StoredHull;
    use glam::Quat;
    use hull::ConvexHull;
    use test_models::Random;

    /// Compares with exact predicates for hulls that have faces which are almost lines: a vertex in the middle of an edge, up to
    /// rounding.
    #[test]
    fn slivers_cut_nothing_off_a_hull() {
        let mut random = Random::new(41);
        let (mut slivers, mut inside) = (0, 0);
        for case in 0..300 {
            let corners: Vec<DVec3> = (0..8).map(|_| random.vector().as_dvec3().normalize_or(DVec3::X)).collect();
            let round = |at: DVec3| at.as_vec3().as_dvec3();
            let edges = ConvexHull::from_points(&corners).unwrap();
            let corner = |index: u32| edges.vertices()[index as usize];
            let middles = edges.triangles().iter().map(|&[a, b, _]| round(corner(a).midpoint(corner(b))));
            let points: Vec<DVec3> = middles.chain(corners.iter().map(|&at| round(at))).collect();
            let exact = StoredHull::around(&ConvexHull::from_points(&points).unwrap(), 64).unwrap();
            let stored = exact.hitbox_hull();
            let is_sliver = |triangle: &&[u8; 3]| {
                let [a, b, c] = triangle.map(|index| stored.vertices[usize::from(index)].as_dvec3());
                (b - a).cross(c - a).length() < 1e-6
            };
            slivers += stored.triangles.iter().filter(is_sliver).count();
            let turn = Quat::from_xyzw(random.signed(), 0.3, random.signed(), 0.5).normalize();
            let rows = portable::mat3_from_quaternion(turn).as_dmat3().transpose();
            let center = 0.1 * random.vector().as_dvec3();
            let measured = HullPlanes::new(&stored, &rows, center);
            for vertex in exact.exact().vertices() {
                let at = rows * (vertex - center);
                assert!(measured.holds(at, 1e-12), "case {case}: {} above", measured.grid.highest(at).0);
                assert!(measured.signed_distance(at) < 1e-6, "case {case}");
            }
            for _ in 0..100 {
                let point = 1.2 * random.vector().as_dvec3();
                let at = rows * (point - center);
                let height = exact.height(point);
                assert!((measured.signed_distance(at).min(0.0) - height.min(0.0)).abs() < 1e-5, "case {case}, {point}");
                if height.abs() > 1e-6 {
                    inside += usize::from(height < 0.0);
                    assert_eq!(measured.holds(at, 1e-9), height < 0.0, "case {case}, {point}: {height}");
                }
            }
        }
        assert!(slivers > 500 && inside > 1000, "{slivers} slivers, {inside} points inside");
    }
}
