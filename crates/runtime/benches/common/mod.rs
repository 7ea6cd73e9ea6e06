//! Code that the benches share: boxes in both libraries' forms.
#![allow(dead_code, reason = "each bench uses a part")]

pub(crate) mod mix;

use geometry_core::Obb;
use glam::{Affine3A, Quat, Vec3};
use parry3d::math::Pose;
use parry3d::query::details::intersection_test_cuboid_cuboid;
use parry3d::shape::Cuboid;
use runtime::kernels::Kernel;
use runtime::{Character, ClipIndex, ClipSampler, PosedCharacter};
use test_models::Random;

/// A box in the types of both libraries.
#[derive(Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) obb: Obb,
    pub(crate) pose: Pose,
    pub(crate) cuboid: Cuboid,
}

impl Placed {
    pub(crate) fn new(center: Vec3, half: Vec3, rotation: Quat) -> Self {
        let obb = Obb::from_orientation(center, half, rotation);
        Self { obb, pose: Pose::from_parts(center, rotation), cuboid: Cuboid::new(half) }
    }

    pub(crate) fn random(random: &mut Random, center: Vec3) -> Self {
        let half = Vec3::new(random.between(0.1, 1.0), random.between(0.1, 1.0), random.between(0.1, 1.0));
        Self::new(center, half, random.rotation())
    }

    pub(crate) fn radius(&self) -> f32 {
        self.obb.half_extents().length()
    }

    pub(crate) fn touches_in_parry(&self, other: &Self) -> bool {
        intersection_test_cuboid_cuboid(&self.pose.inv_mul(&other.pose), &self.cuboid, &other.cuboid)
    }
}

/// A character some way along x and turned about y, at a time of its second clip.
pub(crate) fn place(character: &Character, x: f32, turn: f32, seconds: f32) -> PosedCharacter {
    let mut posed = PosedCharacter::new();
    let rotation = Quat::from_xyzw(0.0, turn, 0.0, 1.0).normalize();
    let world = Affine3A::from_rotation_translation(rotation, Vec3::new(x, 0.0, 0.0));
    posed.pose_from_clip(&mut ClipSampler::new(), character, &world, ClipIndex(1), seconds).expect("a finite pose");
    posed
}

/// The same boxes, with this kernel for tests.
pub(crate) fn by_kernel(posed: &PosedCharacter, kernel: Kernel) -> PosedCharacter {
    let mut same = posed.clone();
    same.set_kernel(kernel);
    same
}
