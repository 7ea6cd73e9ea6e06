//! Vectors, matrices and shapes in the memory layout of C.

use crate::failure::Failure;
use geometry_core::{Capsule, Obb, Ray, Sphere};
use glam::{Affine3A, Mat4, Quat, Vec3};

/// A vector or a point.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoneboxVec3 {
    /// The coordinate along the x axis.
    pub x: f32,
    /// The coordinate along the y axis.
    pub y: f32,
    /// The coordinate along the z axis.
    pub z: f32,
}

/// A rotation as a unit quaternion.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxQuat {
    /// The coefficient of i.
    pub x: f32,
    /// The coefficient of j.
    pub y: f32,
    /// The coefficient of k.
    pub z: f32,
    /// The real part.
    pub w: f32,
}

/// A matrix with four rows and four columns for column vectors, stored column by column: `m[12]`, `m[13]` and `m[14]`
/// are the translation, and `m[3]`, `m[7]`, `m[11]`, `m[15]` must be 0, 0, 0, 1. glTF, OpenGL, GLM and Unity's
/// `Matrix4x4` have this layout. `System.Numerics.Matrix4x4` and DirectXMath store the same 16 numbers in the same
/// order, because they multiply row vectors and store row by row.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxMatrix {
    /// The sixteen numbers, column by column.
    pub m: [f32; 16],
}

/// An oriented box.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxOrientedBox {
    /// The center.
    pub center: BoneboxVec3,
    /// Half the lengths of the box's edges, each at least 0.
    pub half_extents: BoneboxVec3,
    /// The rotation of the box's axes.
    pub orientation: BoneboxQuat,
}

/// A ray: `origin + t * direction` for every `t` from 0 to `max_time`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxRay {
    /// The point where the ray starts, in world space.
    pub origin: BoneboxVec3,
    /// The direction of the ray, in world space. Its length may be any except 0; the times of hits are multiples of
    /// this vector.
    pub direction: BoneboxVec3,
    /// The end of the ray as a multiple of `direction`, at least 0; `INFINITY` for a ray without an end.
    pub max_time: f32,
}

impl From<Vec3> for BoneboxVec3 {
    fn from(Vec3 { x, y, z }: Vec3) -> Self {
        Self { x, y, z }
    }
}

impl From<BoneboxVec3> for Vec3 {
    fn from(BoneboxVec3 { x, y, z }: BoneboxVec3) -> Self {
        Self::new(x, y, z)
    }
}

impl From<&Affine3A> for BoneboxMatrix {
    fn from(affine: &Affine3A) -> Self {
        Self { m: Mat4::from(*affine).to_cols_array() }
    }
}

impl BoneboxMatrix {
    pub(crate) fn affine(&self, name: impl Fn() -> String) -> Result<Affine3A, Failure> {
        let m = &self.m;
        if [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0] {
            return Err(Failure::invalid(format!(
                "the last row of {} is {}, {}, {}, {} and must be 0, 0, 0, 1; is the matrix transposed?",
                name(),
                m[3],
                m[7],
                m[11],
                m[15]
            )));
        }
        Ok(Affine3A::from_cols_array(&[m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10], m[12], m[13], m[14]]))
    }
}

/// Fills `affines` with the matrices of joints.
pub(crate) fn joint_matrices(matrices: &[BoneboxMatrix], affines: &mut Vec<Affine3A>) -> Result<(), Failure> {
    affines.clear();
    affines.reserve(matrices.len());
    for (joint, matrix) in matrices.iter().enumerate() {
        affines.push(matrix.affine(|| format!("the matrix of joint {joint}"))?);
    }
    Ok(())
}

impl BoneboxOrientedBox {
    pub(crate) fn obb(&self, name: &str) -> Result<Obb, Failure> {
        let BoneboxQuat { x, y, z, w } = self.orientation;
        let obb = Obb::try_from_orientation(self.center.into(), self.half_extents.into(), Quat::from_xyzw(x, y, z, w));
        obb.map_err(|error| Failure::invalid(format!("`{name}`: {error}")))
    }
}

impl BoneboxRay {
    pub(crate) fn ray(&self) -> Result<Ray, Failure> {
        if self.max_time.is_nan() || self.max_time < 0.0 {
            return Err(Failure::invalid(format!("`ray`: max_time is {} and must be at least 0", self.max_time)));
        }
        Ray::try_new(self.origin.into(), self.direction.into())
            .map_err(|error| Failure::invalid(format!("`ray`: {error}")))
    }
}

pub(crate) fn sphere(center: BoneboxVec3, radius: f32) -> Result<Sphere, Failure> {
    Sphere::try_new(center.into(), radius).map_err(Failure::invalid)
}

pub(crate) fn capsule(start: BoneboxVec3, end: BoneboxVec3, radius: f32) -> Result<Capsule, Failure> {
    Capsule::try_new(start.into(), end.into(), radius).map_err(Failure::invalid)
}
