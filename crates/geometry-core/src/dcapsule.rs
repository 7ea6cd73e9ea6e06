//! Tests of capsules and spheres against each other: overlap, distance and depth.
//!
//! All computations are in `f64` on the given numbers. The distance of two capsules is the distance of their segments
//! minus both radii.

use crate::math::sqrt;
use crate::obb::Obb;
use crate::shapes::{Capsule, Sphere};
use glam::DVec3;

/// The tolerance by which tests of capsules lean to contact, as a share of the sum of both capsules' sizes. The size of
/// a capsule is its radius plus the absolute coordinates of its half segment. No unit.
///
/// If two segments are nearly parallel, the computed nearest points may be at a wrong place along the segments. This
/// happens if the squared sine of their angle is below 1e-15, the rounding of the determinant. It changes the distance
/// by up to 3.2e-8 of the segments' length. The tolerance is 2⁻²⁴, about twice as much.
pub const ROUND_TOLERANCE: f64 = 1.0 / 16_777_216.0;

/// Segments nearer than this share of their sizes count as crossing each other, because the direction between their
/// nearest points would be rounding.
pub(crate) const CROSSING: f64 = 1e-9;

/// A capsule in `f64`: all points within `radius` of the segment `center ± half_segment`.
///
/// The capsule may be in any space and unit. It is a closed set: touching counts. A capsule with a half segment of zero
/// is a sphere, which this crate also calls a ball; a capsule with a radius of zero is a segment. The numbers must be
/// finite. With numbers from `f32` below [`MAX_COORDINATE`](crate::MAX_COORDINATE) no computation overflows.
///
/// ```
/// use geometry_core::{Capsule, DCapsule};
/// use glam::Vec3;
///
/// let arm = DCapsule::from(&Capsule::try_new(Vec3::ZERO, Vec3::X * 4.0, 1.0)?);
/// let leg = DCapsule::from(&Capsule::try_new(Vec3::new(2.0, 3.0, -5.0), Vec3::new(2.0, 3.0, 5.0), 1.5)?);
/// assert!(!arm.overlaps(&leg));
/// assert_eq!(arm.separation(&leg).distance, 0.5);
/// # Ok::<(), geometry_core::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct DCapsule {
    /// The middle of the segment.
    pub center: DVec3,
    /// The vector from the middle to the center of one cap; zero for a sphere.
    pub half_segment: DVec3,
    /// The radius, at least 0.
    pub radius: f64,
}

/// The distance between two shapes or the depth of their overlap, with its direction and place.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct ShapeSeparation {
    /// The distance if the shapes are apart. If they overlap, minus the depth: after a move of the second shape by the
    /// depth along `direction`, the shapes only touch.
    pub distance: f64,
    /// The unit vector from the first shape toward the second shape.
    pub direction: DVec3,
    /// The point of the first shape that is nearest to the second shape. If the shapes overlap, the point of the first
    /// shape that is deepest in the second shape.
    pub point_a: DVec3,
    /// The point of the second shape that is nearest to the first shape. If the shapes overlap, the point of the second
    /// shape that is deepest in the first shape.
    pub point_b: DVec3,
    /// A point that both shapes share; the point half way between the nearest points if the shapes are apart.
    pub middle: DVec3,
}

impl ShapeSeparation {
    /// Returns the separation with the shapes' roles exchanged.
    pub fn swapped(self) -> Self {
        Self { direction: -self.direction, point_a: self.point_b, point_b: self.point_a, ..self }
    }
}

impl From<&Capsule> for DCapsule {
    fn from(capsule: &Capsule) -> Self {
        let (start, end) = (capsule.segment().start().as_dvec3(), capsule.segment().end().as_dvec3());
        let radius = f64::from(capsule.radius());
        Self { center: (start + end) * 0.5, half_segment: (end - start) * 0.5, radius }
    }
}

impl From<&Sphere> for DCapsule {
    fn from(sphere: &Sphere) -> Self {
        let (center, radius) = (sphere.center().as_dvec3(), f64::from(sphere.radius()));
        Self { center, half_segment: DVec3::ZERO, radius }
    }
}

impl DCapsule {
    /// Makes the capsule in the middle of a box along the box's axis 1. Its radius is the larger half extent of the
    /// other two axes, and its caps touch the two faces across axis 1. If half extent 1 is smaller than the radius, the
    /// capsule is a sphere that reaches beyond these faces.
    pub fn along_axis_1(one: &Obb) -> Self {
        let half = one.half_extents().as_dvec3();
        let radius = half.x.max(half.z);
        let reach = (half.y - radius).max(0.0);
        Self { center: one.center().as_dvec3(), half_segment: one.axes().y_axis.as_dvec3() * reach, radius }
    }

    /// Makes the sphere around a box's center whose radius is the box's largest half extent.
    pub fn ball_around(one: &Obb) -> Self {
        let radius = f64::from(one.half_extents().max_element());
        Self { center: one.center().as_dvec3(), half_segment: DVec3::ZERO, radius }
    }

    /// Returns the centers of both caps.
    #[must_use]
    pub fn ends(&self) -> [DVec3; 2] {
        [self.center - self.half_segment, self.center + self.half_segment]
    }

    /// The sum of lengths to which tolerances of this shape are relative.
    #[inline]
    pub(crate) fn size(&self) -> f64 {
        let half = self.half_segment.abs();
        half.x + half.y + half.z + self.radius
    }

    /// Returns `true` if the capsules share a point. Touching counts; the test leans to `true` by [`ROUND_TOLERANCE`]
    /// of both shapes' sizes.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let difference = other.center - self.center;
        let (p, q) = nearest_on_segments(self.half_segment, other.half_segment, difference);
        let reach = self.radius + other.radius + ROUND_TOLERANCE * (self.size() + other.size());
        (p - q).length_squared() <= reach * reach
    }

    /// Returns the distance between the capsules or the depth of their overlap, with its direction and place.
    ///
    /// The depth is the least distance by which one of the capsules has to move until the two only touch. The error is
    /// at most [`ROUND_TOLERANCE`] of both shapes' sizes.
    pub fn separation(&self, other: &Self) -> ShapeSeparation {
        let difference = other.center - self.center;
        let (p, q) = nearest_on_segments(self.half_segment, other.half_segment, difference);
        let apart = q - p;
        let between = sqrt(apart.length_squared());
        let direction = if between > CROSSING * (self.size() + other.size()) {
            apart / between
        } else {
            let across = across(self.half_segment, other.half_segment);
            if across.dot(difference) < 0.0 { -across } else { across }
        };
        // The part of the line along the direction that lies in both shapes, measured from the point of this segment.
        let low = (-self.radius).max(between - other.radius);
        let high = self.radius.min(between + other.radius);
        ShapeSeparation {
            middle: self.center + p + direction * (0.5 * (low + high)),
            distance: between - self.radius - other.radius,
            direction,
            point_a: self.center + p + direction * self.radius,
            point_b: self.center + q - direction * other.radius,
        }
    }
}

/// Returns a unit vector at right angles to both vectors; if one vector is zero, at right angles to the other.
fn across(a: DVec3, b: DVec3) -> DVec3 {
    let (of_a, of_b) = (a.length_squared(), b.length_squared());
    let both = a.cross(b);
    let square = both.length_squared();
    if square > 1e-24 * of_a * of_b {
        return both / sqrt(square);
    }
    let along = if of_a >= of_b { a } else { b };
    let size = along.abs();
    let least = if size.x <= size.y && size.x <= size.z {
        DVec3::X
    } else if size.y <= size.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let any = along.cross(least);
    let square = any.length_squared();
    if square > 0.0 { any / sqrt(square) } else { DVec3::Y }
}

/// Returns the point of the segment `± half` that is nearest to `point`. The segment may be a point.
pub(crate) fn nearest_on_segment(half: DVec3, point: DVec3) -> DVec3 {
    let long = half.length_squared();
    half * if long > 0.0 { (point.dot(half) / long).clamp(-1.0, 1.0) } else { 0.0 }
}

/// Returns the nearest points of the segments `± a` and `difference ± b`, both relative to the first segment's middle.
/// The segments may be points or parallel.
///
/// Source: Ericson, *Real-Time Collision Detection*, section 5.1.9.
fn nearest_on_segments(a: DVec3, b: DVec3, difference: DVec3) -> (DVec3, DVec3) {
    let (aa, bb, ab) = (a.dot(a), b.dot(b), a.dot(b));
    let (ad, bd) = (a.dot(difference), b.dot(difference));
    let determinant = aa * bb - ab * ab;
    // `s` and `t` are places from -1 to 1 along each segment.
    let mut s = if determinant > 0.0 { ((ad * bb - bd * ab) / determinant).clamp(-1.0, 1.0) } else { 0.0 };
    let mut t = if bb > 0.0 { (s * ab - bd) / bb } else { 0.0 };
    if !(-1.0..=1.0).contains(&t) || determinant <= 0.0 {
        t = t.clamp(-1.0, 1.0);
        s = if aa > 0.0 { ((t * ab + ad) / aa).clamp(-1.0, 1.0) } else { 0.0 };
    }
    (a * s, difference + b * t)
}
