//! The hulls of a character, prepared for tests and placed by a pose.
//!
//! A pose keeps the linear part of each hull's `world_from_joint`. The place of the hull follows from the center of the
//! posed box. So the hull lies in its box even far from the world's origin, where `f32` rounds the center.

use crate::kernels::joint_matrices::JointMatrices;
use baked_format::{Hitbox, HitboxShape};
use geometry_core::portable::affine_parts;
use geometry_core::{Hull, PosedHull};
use glam::{DVec3, Mat3, Vec3};
use skeleton::JointIndex;

/// The hulls of a character's hitboxes.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct HullTable {
    hulls: Vec<HitboxHull>,
    /// For each hitbox the index of its hull; empty if no hitbox is a hull.
    of_box: Vec<Option<u16>>,
}

#[derive(Debug, PartialEq)]
struct HitboxHull {
    joint: JointIndex,
    /// The center of the box in joint space.
    box_center: DVec3,
    hull: Hull,
}

impl HullTable {
    /// The hulls of hitboxes that pass `BakedCharacter::validate`. If the hull of a hitbox is not valid, the hitbox is
    /// tested as its box.
    pub(crate) fn new(hitboxes: &[Hitbox]) -> Self {
        if hitboxes.iter().all(|one| one.shape != HitboxShape::Hull) {
            return Self::default();
        }
        let mut hulls = Vec::new();
        let of_box = hitboxes.iter().map(|one| {
            let baked = one.hull.as_ref().filter(|_| one.shape == HitboxShape::Hull)?;
            let hull = Hull::try_new(&baked.vertices, &baked.triangles).ok()?;
            hulls.push(HitboxHull { joint: one.joint, box_center: one.center.as_dvec3(), hull });
            Some((hulls.len() - 1) as u16)
        });
        let of_box = of_box.collect();
        Self { hulls, of_box }
    }

    pub(crate) fn len(&self) -> usize {
        self.hulls.len()
    }

    fn index_of(&self, hitbox: usize) -> Option<usize> {
        self.of_box.get(hitbox).copied().flatten().map(usize::from)
    }

    /// Writes the linear part of each hull's matrix; `linear` has one entry for each hull.
    pub(crate) fn place(&self, matrices: &JointMatrices<'_>, linear: &mut [Mat3]) {
        for (linear, one) in linear.iter_mut().zip(&self.hulls) {
            *linear = one.linear(matrices);
        }
    }

    /// Writes the matrix of one hitbox, if the hitbox is a hull.
    pub(crate) fn place_one(&self, hitbox: usize, matrices: &JointMatrices<'_>, linear: &mut [Mat3]) {
        if let Some(index) = self.index_of(hitbox) {
            linear[index] = self.hulls[index].linear(matrices);
        }
    }

    /// The hull of a hitbox, given the matrices of all hulls and the center of the posed box. `None` if the hitbox is no hull,
    /// or if the matrix flattens it.
    pub(crate) fn posed(&self, hitbox: usize, linear: &[Mat3], center: Vec3) -> Option<PosedHull<'_>> {
        let index = self.index_of(hitbox)?;
        let (one, linear) = (&self.hulls[index], linear.get(index)?);
        PosedHull::new(&one.hull, linear, center.as_dvec3() - linear.as_dmat3() * one.box_center)
    }
}

impl HitboxHull {
    fn linear(&self, matrices: &JointMatrices<'_>) -> Mat3 {
        affine_parts(&matrices.world_from_joint(self.joint)).0
    }
}
