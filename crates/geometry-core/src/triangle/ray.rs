//! Rays against triangles, without gaps between neighbors.
//!
//! The triangle is moved and sheared so that the ray becomes the z axis, and three edge functions say on which side of
//! each edge the axis passes. Neighbors compute the function of their common edge from the same two images, so that the
//! two values are exact opposites: no ray passes between them.
//!
//! Source: Woop, Benthin and Wald, *Watertight Ray/Triangle Intersection*, Journal of Computer Graphics Techniques 2(1),
//! 2013; in `f64` throughout, where the paper goes to `f64` for close calls.

use crate::shapes::Ray;
use glam::{DVec3, Vec3};

/// The point where a ray meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// In units of the ray's direction; not negative.
    pub time: f32,
    /// The weights of the three corners at the point that is hit; not negative, their sum is 1 to rounding.
    pub barycentric: [f32; 3],
    /// The point that is hit: the corners blended by their weights, off by a rounding of its coordinates.
    pub point: Vec3,
    /// `true` if the ray comes from the side from which the corners run counter-clockwise.
    pub front: bool,
}

/// A ray, prepared for being tested against many triangles.
#[derive(Clone, Copy, Debug)]
pub struct RayFrame {
    origin: DVec3,
    /// The axes of the image; the third is that along which the ray runs most.
    axes: [usize; 3],
    /// The shear of the first two axes, and the inverse of the direction along the third.
    shear: [f64; 3],
}

impl RayFrame {
    /// Prepares a ray.
    #[must_use]
    pub fn new(ray: &Ray) -> Self {
        let direction = ray.direction.as_dvec3();
        let size = direction.abs();
        let z = if size.x >= size.y && size.x >= size.z { 0 } else { 1 + usize::from(size.z > size.y) };
        let (x, y) = ((z + 1) % 3, (z + 2) % 3);
        // An exchange keeps the turn of the corners where the axis points backward.
        let (x, y) = if direction[z] < 0.0 { (y, x) } else { (x, y) };
        let shear = [direction[x] / direction[z], direction[y] / direction[z], 1.0 / direction[z]];
        Self { origin: ray.origin.as_dvec3(), axes: [x, y, z], shear }
    }

    /// Returns the point where the ray meets the triangle within `0 ≤ t ≤ limit`, from either side. An edge and a
    /// corner belong to the triangle, and a ray that meets an edge which two triangles share meets at least one of
    /// them.
    ///
    /// A triangle that is seen edge-on or has no area is not met; of a closed surface the ray meets its neighbors. Times are
    /// off by a rounding to `f32`.
    #[must_use]
    #[inline]
    pub fn cast(&self, corners: &[Vec3; 3], limit: f32) -> Option<TriangleHit> {
        let [a, b, c] = corners.map(|corner| self.image(corner));
        let u = c[0] * b[1] - c[1] * b[0];
        let v = a[0] * c[1] - a[1] * c[0];
        let w = b[0] * a[1] - b[1] * a[0];
        if (u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0) {
            return None;
        }
        let determinant = u + v + w;
        if determinant == 0.0 {
            return None;
        }
        let weights = [u / determinant, v / determinant, w / determinant];
        let time = weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2];
        if !(time >= 0.0 && time <= f64::from(limit)) {
            return None;
        }
        let place = |k: usize| corners[k].as_dvec3() * weights[k];
        Some(TriangleHit {
            time: time as f32,
            barycentric: weights.map(|weight| weight as f32),
            point: (place(0) + place(1) + place(2)).as_vec3(),
            front: determinant > 0.0,
        })
    }

    /// A corner where the ray is the third axis; the third number is the time.
    #[inline]
    fn image(&self, corner: Vec3) -> [f64; 3] {
        let from_origin = corner.as_dvec3() - self.origin;
        let [x, y, z] = self.axes;
        let along = from_origin[z];
        [from_origin[x] - self.shear[0] * along, from_origin[y] - self.shear[1] * along, self.shear[2] * along]
    }
}
