//! `parent_from_joint` as games and glTF store it.

use geometry_core::portable;
use glam::{Affine3A, Mat3, Quat, Vec3};

/// Translation, rotation and scale, applied in the order scale, rotation, translation (glTF 2.0, section 3.5.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    /// The joint's origin in the parent's space and unit.
    pub translation: Vec3,
    /// The joint's rotation in the parent's space, a unit quaternion.
    pub rotation: Quat,
    /// Factors along the joint's own axes. A negative factor mirrors the joint, and zero flattens it.
    pub scale: Vec3,
}

impl Trs {
    /// The identity transform.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// The transform as a matrix.
    #[must_use]
    pub fn to_affine(&self) -> Affine3A {
        let axes = portable::mat3_from_quaternion(self.rotation);
        let linear =
            Mat3::from_cols(axes.x_axis * self.scale.x, axes.y_axis * self.scale.y, axes.z_axis * self.scale.z);
        portable::affine_from_parts(&linear, self.translation)
    }

    /// Returns `true` if every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

/// The transform from a joint's space to its parent's: `parent_from_joint`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LocalTransform {
    /// Translation, rotation and scale, which clips can animate.
    Trs(Trs),
    /// A matrix, which a glTF node may have. It may shear, and no clip animates it.
    Matrix(Affine3A),
}

impl LocalTransform {
    /// The transform as a matrix.
    #[must_use]
    pub fn to_affine(&self) -> Affine3A {
        match self {
            Self::Trs(trs) => trs.to_affine(),
            Self::Matrix(matrix) => *matrix,
        }
    }

    /// Returns `true` if every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Trs(trs) => trs.is_finite(),
            Self::Matrix(matrix) => matrix.is_finite(),
        }
    }
}
