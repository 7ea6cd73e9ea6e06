//! Local transforms in `f64`, split into rotation, translation and scale.

use crate::rotation;
use glam::{DMat3, DQuat, DVec3, Quat, Vec3};
use skeleton::{LocalTransform, Trs};

/// An affine map in `f64`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Affine {
    pub(crate) linear: DMat3,
    pub(crate) translation: DVec3,
}

impl Affine {
    pub(crate) const IDENTITY: Self = Self { linear: DMat3::IDENTITY, translation: DVec3::ZERO };

    pub(crate) fn from_rotation(q: DQuat) -> Self {
        Self { linear: axes(q), translation: DVec3::ZERO }
    }

    pub(crate) fn from_local(local: &LocalTransform) -> Self {
        match local {
            LocalTransform::Trs(trs) => {
                let axes = axes(rotation::from_quat(trs.rotation));
                let scale = trs.scale.as_dvec3();
                let linear = DMat3::from_cols(axes.x_axis * scale.x, axes.y_axis * scale.y, axes.z_axis * scale.z);
                Self { linear, translation: trs.translation.as_dvec3() }
            }
            LocalTransform::Matrix(matrix) => {
                let m = &matrix.matrix3;
                let column = |column: glam::Vec3A| Vec3::from(column).as_dvec3();
                let linear = DMat3::from_cols(column(m.x_axis), column(m.y_axis), column(m.z_axis));
                Self { linear, translation: Vec3::from(matrix.translation).as_dvec3() }
            }
        }
    }

    /// `self * other`, which applies `other` first.
    pub(crate) fn mul(&self, other: &Self) -> Self {
        Self { linear: self.linear * other.linear, translation: self.point(other.translation) }
    }

    pub(crate) fn point(&self, point: DVec3) -> DVec3 {
        self.linear * point + self.translation
    }

    /// The point that the map takes to `image`. `None` if the map has no inverse.
    pub(crate) fn inverse_point(&self, image: DVec3) -> Option<DVec3> {
        let [x, y, z] = [self.linear.x_axis, self.linear.y_axis, self.linear.z_axis];
        let determinant = x.dot(y.cross(z));
        let size = x.dot(x).max(y.dot(y)).max(z.dot(z));
        let offset = image - self.translation;
        let point = DVec3::new(y.cross(z).dot(offset), z.cross(x).dot(offset), x.cross(y).dot(offset)) / determinant;
        (libm::fabs(determinant) > 1e-12 * size * size.sqrt() && point.is_finite()).then_some(point)
    }
}

fn axes(q: DQuat) -> DMat3 {
    DMat3::from_cols(rotation::rotate(q, DVec3::X), rotation::rotate(q, DVec3::Y), rotation::rotate(q, DVec3::Z))
}

/// The rotation of a local transform. For a matrix, it keeps the direction of the x axis and the plane of x and y.
#[inline]
pub(crate) fn local_rotation(local: &LocalTransform) -> DQuat {
    match local {
        LocalTransform::Trs(trs) => rotation::from_quat(trs.rotation),
        LocalTransform::Matrix(_) => matrix_parts(&Affine::from_local(local)).0,
    }
}

/// The transform as translation, rotation and scale. A shear is lost.
pub(crate) fn to_trs(local: &LocalTransform) -> Trs {
    match local {
        LocalTransform::Trs(trs) => *trs,
        LocalTransform::Matrix(matrix) => {
            let (rotation, scale) = matrix_parts(&Affine::from_local(local));
            Trs {
                translation: Vec3::from(matrix.translation),
                rotation: rotation::to_quat(rotation),
                scale: scale.as_vec3(),
            }
        }
    }
}

/// Rotation and scale by Gram-Schmidt orthogonalization. The rotation is the identity if an axis has length zero.
fn matrix_parts(affine: &Affine) -> (DQuat, DVec3) {
    let linear = &affine.linear;
    let lengths = [linear.x_axis, linear.y_axis, linear.z_axis].map(|axis| axis.dot(axis).sqrt());
    let scale = DVec3::from_array(lengths);
    let Some(x) = rotation::direction(linear.x_axis) else { return (DQuat::IDENTITY, scale) };
    let Some(y) = rotation::direction(linear.y_axis - x * x.dot(linear.y_axis)) else {
        return (DQuat::IDENTITY, scale);
    };
    (rotation::from_axes(&DMat3::from_cols(x, y, x.cross(y))), scale)
}

/// Returns true if a local transform exchanges left and right.
pub(crate) fn is_mirroring(local: &LocalTransform) -> bool {
    let linear = Affine::from_local(local).linear;
    linear.x_axis.cross(linear.y_axis).dot(linear.z_axis) < 0.0
}

/// Overwrites the rotation of a local transform, and its translation if one is given. A matrix is replaced by `apart`.
#[inline]
pub(crate) fn set_local(local: &mut LocalTransform, apart: &Trs, rotation: Quat, translation: Option<Vec3>) {
    let mut trs = match local {
        LocalTransform::Trs(trs) => *trs,
        LocalTransform::Matrix(_) => *apart,
    };
    trs.rotation = rotation;
    trs.translation = translation.unwrap_or(trs.translation);
    *local = LocalTransform::Trs(trs);
}
