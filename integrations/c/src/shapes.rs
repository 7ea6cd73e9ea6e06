//! Vectors, matrices and shapes in the memory layout of C.

use crate::failure::Failure;
use crate::memory::{list, read};
use geometry_core::{Capsule, Obb, Ray, ShapeError, Sphere};
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
    /// The direction of the ray, in world space. Its length must be at least 1e-25; the times of hits are multiples of
    /// this vector.
    pub direction: BoneboxVec3,
    /// The end of the ray as a multiple of `direction`, at least 0; `INFINITY` for a ray without an end.
    pub max_time: f32,
}

/// The kind of a shape.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxShapeKind {
    /// A sphere.
    Sphere = 0,
    /// All points within a radius of a segment.
    Capsule = 1,
    /// An oriented box.
    Box = 2,
}

/// A sphere, a capsule or a box in world space. Make it with `bonebox_shape_sphere`, `bonebox_shape_capsule` or
/// `bonebox_shape_box`; the functions that take shapes check the numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxShape {
    /// A `BoneboxShapeKind`.
    pub kind: u32,
    /// The radius of a sphere or a capsule, at least 0; ignored for a box.
    pub radius: f32,
    /// The center of a sphere, or the center of a capsule's first half sphere; ignored for a box.
    pub start: BoneboxVec3,
    /// The center of a capsule's second half sphere; ignored for a sphere and for a box.
    pub end: BoneboxVec3,
    /// The box; ignored for a sphere and for a capsule.
    pub oriented_box: BoneboxOrientedBox,
}

/// The box of shapes that are not boxes.
const NO_BOX: BoneboxOrientedBox = BoneboxOrientedBox {
    center: BoneboxVec3 { x: 0.0, y: 0.0, z: 0.0 },
    half_extents: BoneboxVec3 { x: 0.0, y: 0.0, z: 0.0 },
    orientation: BoneboxQuat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 },
};

/// Returns a sphere.
#[unsafe(no_mangle)]
pub extern "C" fn bonebox_shape_sphere(center: BoneboxVec3, radius: f32) -> BoneboxShape {
    let kind = BoneboxShapeKind::Sphere as u32;
    BoneboxShape { kind, radius, start: center, end: center, oriented_box: NO_BOX }
}

/// Returns a capsule. `start` and `end` are the centers of its two half spheres.
#[unsafe(no_mangle)]
pub extern "C" fn bonebox_shape_capsule(start: BoneboxVec3, end: BoneboxVec3, radius: f32) -> BoneboxShape {
    BoneboxShape { kind: BoneboxShapeKind::Capsule as u32, radius, start, end, oriented_box: NO_BOX }
}

/// Returns a box.
#[unsafe(no_mangle)]
pub extern "C" fn bonebox_shape_box(oriented_box: BoneboxOrientedBox) -> BoneboxShape {
    let (kind, center) = (BoneboxShapeKind::Box as u32, oriented_box.center);
    BoneboxShape { kind, radius: 0.0, start: center, end: center, oriented_box }
}

/// Evaluates an expression for a checked shape, which has the type of its kind.
macro_rules! with_shape {
    ($checked:expr, $shape:ident => $ask:expr) => {
        match $checked {
            CheckedShape::Sphere($shape) => $ask,
            CheckedShape::Capsule($shape) => $ask,
            CheckedShape::Box($shape) => $ask,
        }
    };
}

/// A shape of the caller after all checks.
pub(crate) enum CheckedShape {
    Sphere(Sphere),
    Capsule(Capsule),
    Box(Obb),
}

impl CheckedShape {
    /// # Safety
    /// `shape` is NULL or points to a shape.
    pub(crate) unsafe fn read(shape: *const BoneboxShape, name: &str) -> Result<Self, Failure> {
        let BoneboxShape { kind, radius, start, end, oriented_box } = read(shape, name)?;
        match kind {
            kind if kind == BoneboxShapeKind::Sphere as u32 => sphere(start, radius, name).map(Self::Sphere),
            kind if kind == BoneboxShapeKind::Capsule as u32 => capsule(start, end, radius, name).map(Self::Capsule),
            kind if kind == BoneboxShapeKind::Box as u32 => oriented_box.obb(name).map(Self::Box),
            kind => Err(Failure::invalid(format!(
                "the kind of `{name}` is {kind}; pass a BoneboxShapeKind, which is 0, 1 or 2"
            ))),
        }
    }
}

/// The first and the last place of a moving shape after all checks.
pub(crate) enum ShapeMotion {
    Sphere([Sphere; 2]),
    Capsule([Capsule; 2]),
    Box([Obb; 2]),
}

impl ShapeMotion {
    /// # Safety
    /// `from` and `to` are NULL or point to shapes.
    pub(crate) unsafe fn read(from: *const BoneboxShape, to: *const BoneboxShape) -> Result<Self, Failure> {
        use CheckedShape::{Box, Capsule, Sphere};
        match (CheckedShape::read(from, "from")?, CheckedShape::read(to, "to")?) {
            (Sphere(from), Sphere(to)) => Ok(Self::Sphere([from, to])),
            (Capsule(from), Capsule(to)) => Ok(Self::Capsule([from, to])),
            (Box(from), Box(to)) => Ok(Self::Box([from, to])),
            _ => Err(Failure::invalid("`from` and `to` are shapes of two kinds; pass two shapes of one kind")),
        }
    }
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

impl From<Quat> for BoneboxQuat {
    fn from(quat: Quat) -> Self {
        let [x, y, z, w] = quat.to_array();
        Self { x, y, z, w }
    }
}

impl From<BoneboxQuat> for Quat {
    fn from(BoneboxQuat { x, y, z, w }: BoneboxQuat) -> Self {
        Self::from_xyzw(x, y, z, w)
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
                "the last row of {} is {}, {}, {}, {}, but must be 0, 0, 0, 1; transpose the matrix if its translation is there",
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
///
/// # Safety
/// `matrices` is NULL or points to `count` matrices.
pub(crate) unsafe fn joint_matrices(
    matrices: *const BoneboxMatrix,
    count: usize,
    name: &str,
    affines: &mut Vec<Affine3A>,
) -> Result<(), Failure> {
    let matrices = list(matrices, count, name)?;
    affines.clear();
    affines.reserve(matrices.len());
    for (joint, matrix) in matrices.iter().enumerate() {
        affines.push(matrix.affine(|| format!("the matrix of joint {joint}"))?);
    }
    Ok(())
}

impl BoneboxOrientedBox {
    pub(crate) fn obb(&self, name: &str) -> Result<Obb, Failure> {
        let obb = Obb::try_from_orientation(self.center.into(), self.half_extents.into(), self.orientation.into());
        obb.map_err(|error| refused(name, error))
    }
}

impl BoneboxRay {
    /// Reads a ray of the caller, and its end.
    ///
    /// # Safety
    /// `ray` is NULL or points to a ray.
    pub(crate) unsafe fn read(ray: *const Self) -> Result<(Ray, f32), Failure> {
        let ray = read(ray, "ray")?;
        Ok((ray.ray()?, ray.max_time))
    }

    pub(crate) fn ray(&self) -> Result<Ray, Failure> {
        if self.max_time.is_nan() || self.max_time < 0.0 {
            return Err(Failure::invalid(format!("`ray`: max_time is {}, but must be at least 0", self.max_time)));
        }
        Ray::try_new(self.origin.into(), self.direction.into()).map_err(|error| refused("ray", error))
    }
}

fn sphere(center: BoneboxVec3, radius: f32, name: &str) -> Result<Sphere, Failure> {
    Sphere::try_new(center.into(), radius).map_err(|error| refused(name, error))
}

fn capsule(start: BoneboxVec3, end: BoneboxVec3, radius: f32, name: &str) -> Result<Capsule, Failure> {
    Capsule::try_new(start.into(), end.into(), radius).map_err(|error| refused(name, error))
}

/// `name` is the argument that the error names.
fn refused(name: &str, error: ShapeError) -> Failure {
    Failure::invalid(format!("`{name}`: {error}"))
}
