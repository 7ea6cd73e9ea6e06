//! The shapes that boxes are tested against: sphere, capsule, plane, triangle, segment, ray and frustum in space.
//!
//! A shape may be in any space and unit. All shapes are closed sets. A radius may be zero, a segment may have no
//! length, and a triangle may have no area. Every constructor refuses NaN, infinities, coordinates larger than
//! [`MAX_COORDINATE`](crate::MAX_COORDINATE), and negative radii.

use crate::error::{AXES_TOLERANCE, MIN_DIRECTION, ShapeError, check_coordinates, check_sizes};
use glam::{Mat4, Vec3};

/// A sphere with its inside: all points within `radius` of `center`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::serde_parts::SphereParts", into = "crate::serde_parts::SphereParts")
)]
#[must_use]
pub struct Sphere {
    pub(crate) center: Vec3,
    pub(crate) radius: f32,
}

impl Sphere {
    /// Makes a sphere from its center and radius. A sphere with radius zero is a point.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if an argument is not finite or too large, or if the radius is negative.
    pub fn try_new(center: Vec3, radius: f32) -> Result<Self, ShapeError> {
        check_coordinates("center", &center.to_array())?;
        check_sizes("radius", &[radius])?;
        Ok(Self { center, radius })
    }

    /// The center of the sphere.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// The radius; at least 0.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }
}

/// A capsule: all points within `radius` of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::serde_parts::CapsuleParts", into = "crate::serde_parts::CapsuleParts")
)]
#[must_use]
pub struct Capsule {
    pub(crate) segment: Segment,
    pub(crate) radius: f32,
}

impl Capsule {
    /// Makes a capsule around the segment from `start` to `end`. If both ends are equal, the capsule is a sphere. If
    /// the radius is zero, the capsule is a segment.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if an argument is not finite or too large, or if the radius is negative.
    pub fn try_new(start: Vec3, end: Vec3, radius: f32) -> Result<Self, ShapeError> {
        check_sizes("radius", &[radius])?;
        Ok(Self { segment: Segment::try_new(start, end)?, radius })
    }

    /// The segment in the middle of the capsule.
    pub fn segment(&self) -> Segment {
        self.segment
    }

    /// The radius; at least 0.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }
}

/// A plane `normal · p = distance`. The half space `normal · p ≤ distance` is behind the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::serde_parts::PlaneParts", into = "crate::serde_parts::PlaneParts")
)]
#[must_use]
pub struct Plane {
    pub(crate) normal: Vec3,
    pub(crate) distance: f32,
}

impl Plane {
    /// Makes a plane from its unit normal and its signed distance from the origin along the normal.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if an argument is not finite or too large, or if the normal's length differs from 1 by
    /// more than [`AXES_TOLERANCE`].
    pub fn try_new(normal: Vec3, distance: f32) -> Result<Self, ShapeError> {
        check_coordinates("normal", &normal.to_array())?;
        check_coordinates("distance", &[distance])?;
        let length = normal.as_dvec3().length();
        if (length - 1.0).abs() > f64::from(AXES_TOLERANCE) {
            return Err(ShapeError::NotUnit { part: "normal", axis: 0, length: length as f32 });
        }
        Ok(Self { normal, distance })
    }

    /// Makes the plane through a point, with a normal of any length except zero.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if an argument is not finite or too large, or if the normal has the length zero.
    pub fn try_from_point_normal(point: Vec3, normal: Vec3) -> Result<Self, ShapeError> {
        check_coordinates("point", &point.to_array())?;
        check_coordinates("normal", &normal.to_array())?;
        let exact = normal.as_dvec3();
        if exact.length() == 0.0 {
            return Err(ShapeError::ZeroLength { part: "normal" });
        }
        let unit = (exact / exact.length()).as_vec3();
        Self::try_new(unit, unit.as_dvec3().dot(point.as_dvec3()) as f32)
    }

    /// The unit normal.
    #[must_use]
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// The signed distance of the plane from the origin, along the normal.
    #[must_use]
    pub fn distance(&self) -> f32 {
        self.distance
    }
}

/// A triangle with its inside.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::serde_parts::TriangleParts", into = "crate::serde_parts::TriangleParts")
)]
#[must_use]
pub struct Triangle {
    pub(crate) corners: [Vec3; 3],
}

impl Triangle {
    /// Makes a triangle from its corners, in any order. The triangle may have no area.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate is not finite or too large.
    pub fn try_new(a: Vec3, b: Vec3, c: Vec3) -> Result<Self, ShapeError> {
        for corner in [a, b, c] {
            check_coordinates("corners", &corner.to_array())?;
        }
        Ok(Self { corners: [a, b, c] })
    }

    /// The corners, in the order in which they were given.
    #[must_use]
    pub fn corners(&self) -> [Vec3; 3] {
        self.corners
    }
}

/// A segment with both of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::serde_parts::SegmentParts", into = "crate::serde_parts::SegmentParts")
)]
#[must_use]
pub struct Segment {
    pub(crate) start: Vec3,
    pub(crate) end: Vec3,
}

impl Segment {
    /// Makes a segment between two points, which may be equal.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate is not finite or too large.
    pub fn try_new(start: Vec3, end: Vec3) -> Result<Self, ShapeError> {
        check_coordinates("start", &start.to_array())?;
        check_coordinates("end", &end.to_array())?;
        Ok(Self { start, end })
    }

    /// The first end of the segment.
    #[must_use]
    pub fn start(&self) -> Vec3 {
        self.start
    }

    /// The second end of the segment.
    #[must_use]
    pub fn end(&self) -> Vec3 {
        self.end
    }
}

/// A ray: all points `origin + t · direction` for `t ≥ 0`. A time `t` is a multiple of the direction, so it is a
/// distance if the direction has unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::serde_parts::RayParts", into = "crate::serde_parts::RayParts"))]
#[must_use]
pub struct Ray {
    pub(crate) origin: Vec3,
    pub(crate) direction: Vec3,
}

impl Ray {
    /// Makes a ray from its origin and a direction, whose length is at least [`MIN_DIRECTION`].
    ///
    /// # Errors
    /// Returns [`ShapeError`] if an argument is not finite or too large, or if the direction is shorter than
    /// [`MIN_DIRECTION`]. The times of hits are multiples of the direction, and with a shorter direction they could be
    /// too large for `f32`.
    pub fn try_new(origin: Vec3, direction: Vec3) -> Result<Self, ShapeError> {
        check_coordinates("origin", &origin.to_array())?;
        check_coordinates("direction", &direction.to_array())?;
        if direction == Vec3::ZERO {
            return Err(ShapeError::ZeroLength { part: "direction" });
        }
        // In `f64`, because the square of a short length is 0 in `f32`.
        let length = direction.as_dvec3().length();
        if length < f64::from(MIN_DIRECTION) {
            return Err(ShapeError::TooShort { part: "direction", length: length as f32 });
        }
        Ok(Self { origin, direction })
    }

    /// The point where the ray starts.
    #[must_use]
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// The direction; its length is at least [`MIN_DIRECTION`].
    #[must_use]
    pub fn direction(&self) -> Vec3 {
        self.direction
    }

    /// The point that the ray reaches at `time`: `origin + time * direction`.
    #[must_use]
    pub fn at(&self, time: f32) -> Vec3 {
        self.origin + self.direction * time
    }
}

/// The depths in clip space to which a projection maps the near and far planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClipDepth {
    /// The near plane has depth 0 and the far plane 1: Vulkan, Direct3D, Metal and WebGPU. The reversed depth of many
    /// games also has this range.
    ZeroToOne,
    /// The near plane has depth -1 and the far plane 1: OpenGL and glTF.
    MinusOneToOne,
}

/// The region that a camera sees: a convex solid with eight corners and six flat faces.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::serde_parts::FrustumParts", into = "crate::serde_parts::FrustumParts")
)]
#[must_use]
pub struct Frustum {
    pub(crate) corners: [Vec3; 8],
}

impl Frustum {
    /// Makes a frustum from its corners. The bits of `k` give the place of corner `k`: bit 0 is set on the right side,
    /// bit 1 on the upper side, and bit 2 on the far side. They are not set on the left, lower and near sides.
    ///
    /// The caller must make sure that the faces are flat and the solid is convex. Perspective and parallel projections
    /// give such frustums.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate is not finite or too large.
    pub fn try_from_corners(corners: [Vec3; 8]) -> Result<Self, ShapeError> {
        for corner in corners {
            check_coordinates("corners", &corner.to_array())?;
        }
        Ok(Self { corners })
    }

    /// Makes the frustum of a camera from `world_from_clip`, the inverse of the product of the projection matrix and
    /// the view matrix. `depth` is the range of depths that the projection matrix gives.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a corner is not finite or too large. The usual causes are a matrix that is not
    /// invertible and a far plane at infinity.
    ///
    /// ```
    /// use geometry_core::{ClipDepth, Frustum, Obb};
    /// use glam::{Mat3, Vec3};
    ///
    /// let clip_from_view = glam::camera::rh::proj::directx::perspective(1.0, 16.0 / 9.0, 0.1, 100.0);
    /// let view_from_world = glam::camera::rh::view::look_at_mat4(Vec3::new(0.0, 2.0, 10.0), Vec3::ZERO, Vec3::Y);
    /// let seen = Frustum::try_from_clip(&(clip_from_view * view_from_world).inverse(), ClipDepth::ZeroToOne)?;
    /// assert!(Obb::new(Vec3::ZERO, Vec3::ONE, Mat3::IDENTITY).overlaps_frustum(&seen));
    /// assert!(!Obb::new(Vec3::new(0.0, 2.0, 15.0), Vec3::ONE, Mat3::IDENTITY).overlaps_frustum(&seen));
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    pub fn try_from_clip(world_from_clip: &Mat4, depth: ClipDepth) -> Result<Self, ShapeError> {
        let columns = world_from_clip.to_cols_array().map(f64::from);
        let near = if depth == ClipDepth::ZeroToOne { 0.0 } else { -1.0 };
        Self::try_from_corners(core::array::from_fn(|k| {
            let x = if k & 1 == 0 { -1.0 } else { 1.0 };
            let y = if k & 2 == 0 { -1.0 } else { 1.0 };
            let z = if k & 4 == 0 { near } else { 1.0 };
            let row = |r: usize| columns[r] * x + columns[r + 4] * y + columns[r + 8] * z + columns[r + 12];
            let w = row(3);
            Vec3::new((row(0) / w) as f32, (row(1) / w) as f32, (row(2) / w) as f32)
        }))
    }

    /// The corners, in the order of [`Frustum::try_from_corners`].
    #[must_use]
    pub fn corners(&self) -> [Vec3; 8] {
        self.corners
    }
}
