//! Rays against triangles, without gaps between neighbors.
//!
//! The triangle is moved and sheared so that the ray becomes the z axis. Three edge functions then give the side of
//! each edge on which the axis passes. Neighbors compute the function of their common edge from the same two images, so
//! the two values are exact opposites, and no ray passes between the neighbors.
//!
//! Source: Woop, Benthin and Wald, *Watertight Ray/Triangle Intersection*, Journal of Computer Graphics Techniques
//! 2(1), 2013. This code always computes in `f64`; the paper uses `f64` only for close calls.

use crate::shapes::Ray;
use glam::{DVec3, Vec3};

/// The point where a ray meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// The time of the hit, a multiple of the ray's direction; at least 0.
    pub time: f32,
    /// The weights of the three corners at the point that is hit; not negative, and their sum is 1 to rounding.
    pub barycentric: [f32; 3],
    /// The point that is hit: the corners blended by their weights. The error is one rounding of its coordinates.
    pub point: Vec3,
    /// `true` if the ray comes from the side from which the corners run counter-clockwise.
    pub front: bool,
}

/// A ray that is prepared for tests against many triangles.
#[derive(Clone, Copy, Debug)]
pub struct RayFrame {
    origin: DVec3,
    /// The axes of the image. The third axis is the axis along which the ray's direction is longest.
    axes: [usize; 3],
    /// The shear of the first two axes, and the reciprocal of the direction along the third axis.
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
        // If the axis points backward, an exchange of the other axes keeps the turn of the corners.
        let (x, y) = if direction[z] < 0.0 { (y, x) } else { (x, y) };
        let shear = [direction[x] / direction[z], direction[y] / direction[z], 1.0 / direction[z]];
        Self { origin: ray.origin.as_dvec3(), axes: [x, y, z], shear }
    }

    /// Returns the point where the ray meets the triangle, from either side, or `None` if there is no such point at a
    /// time `0 ≤ t ≤ limit`. Times are multiples of the ray's direction. Edges and corners belong to the triangle. A
    /// ray that meets the common edge of two triangles meets at least one of the two triangles.
    ///
    /// A ray does not meet a triangle that is seen edge-on or has no area; on a closed surface the ray meets a neighbor
    /// of this triangle. The error of times is one rounding to `f32`.
    #[must_use]
    #[inline]
    pub fn cast(&self, corners: &[Vec3; 3], limit: f32) -> Option<TriangleHit> {
        let [a, b, c] = corners.map(|corner| self.image(corner));
        let u = c[0] * b[1] - c[1] * b[0];
        let v = a[0] * c[1] - a[1] * c[0];
        let w = b[0] * a[1] - b[1] * a[0];
        // A single branch: the processor cannot predict on which sides of the edges the ray passes.
        if ((u < 0.0) | (v < 0.0) | (w < 0.0)) & ((u > 0.0) | (v > 0.0) | (w > 0.0)) {
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

    /// Returns a corner in the space in which the ray is the third axis. The third number is the time.
    #[inline]
    fn image(&self, corner: Vec3) -> [f64; 3] {
        let from_origin = corner.as_dvec3() - self.origin;
        let [x, y, z] = self.axes;
        let along = from_origin[z];
        [from_origin[x] - self.shear[0] * along, from_origin[y] - self.shear[1] * along, self.shear[2] * along]
    }
}
