//! Vectors, matrices and shapes as C sees them.

use crate::failure::Failure;
use geometry_core::{Capsule, Obb, Ray, Sphere};
use glam::{Affine3A, Mat4, Quat, Vec3};

/// A vector or a point.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoneboxVec3 {
    /// Along the first axis.
    pub x: f32,
    /// Along the second axis.
    pub y: f32,
    /// Along the third axis.
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

/// A matrix of four rows and columns, column after column, for column vectors: `m[12]`, `m[13]` and `m[14]` are the
/// translation, and `m[3]`, `m[7]`, `m[11]`, `m[15]` must be 0, 0, 0, 1. This is the layout of glTF, OpenGL, GLM and
/// Unity's `Matrix4x4`, and of `System.Numerics.Matrix4x4` and DirectXMath, which write it transposed for row vectors.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxMatrix {
    /// The numbers.
    pub m: [f32; 16],
}

/// An oriented box.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxOrientedBox {
    /// The middle.
    pub center: BoneboxVec3,
    /// Half the lengths of its edges, each at least 0.
    pub half_extents: BoneboxVec3,
    /// How it is turned.
    pub orientation: BoneboxQuat,
}

/// A ray: `origin + t * direction` for every `t` from 0 to `max_time`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxRay {
    /// Where it starts.
    pub origin: BoneboxVec3,
    /// Where it goes; any length but 0. Times of hits are in units of this vector.
    pub direction: BoneboxVec3,
    /// How far it goes, in units of `direction`; `INFINITY` for no end.
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
