//! `parent_from_joint`, as games and glTF give it.

use geometry_core::portable;
use glam::{Affine3A, Mat3, Quat, Vec3};

/// Translation, rotation and scale, applied in the order scale, rotation, translation (glTF 2.0, section 3.5.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    /// In the parent's space and unit.
    pub translation: Vec3,
    /// A unit quaternion.
    pub rotation: Quat,
    /// Along the joint's own axes; negative mirrors, zero collapses.
    pub scale: Vec3,
}

impl Trs {
    /// No change.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// The same map as a matrix.
    #[must_use]
    pub fn to_affine(&self) -> Affine3A {
        let axes = portable::mat3_from_quaternion(self.rotation);
        let linear =
            Mat3::from_cols(axes.x_axis * self.scale.x, axes.y_axis * self.scale.y, axes.z_axis * self.scale.z);
        portable::affine_from_parts(&linear, self.translation)
    }

    /// Whether every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

/// `parent_from_joint`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LocalTransform {
    /// What clips can animate.
    Trs(Trs),
    /// What a glTF node gives as a matrix: may shear, is never animated.
    Matrix(Affine3A),
}

impl LocalTransform {
    /// The same map as a matrix.
    #[must_use]
    pub fn to_affine(&self) -> Affine3A {
        match self {
            Self::Trs(trs) => trs.to_affine(),
            Self::Matrix(matrix) => *matrix,
        }
    }

    /// Whether every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Trs(trs) => trs.is_finite(),
            Self::Matrix(matrix) => matrix.is_finite(),
        }
    }
}
