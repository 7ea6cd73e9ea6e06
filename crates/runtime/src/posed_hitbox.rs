//! A hitbox in world space.

use crate::BoxIndex;
use crate::kernels::layout::Record;
use geometry_core::Obb;
use glam::{Mat3, Vec3};
use skeleton::JointIndex;

/// A hitbox in world space, at one pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PosedHitbox {
    /// The hitbox, one of the character's.
    pub index: BoxIndex,
    /// The joint it is attached to.
    pub joint: JointIndex,
    /// World space.
    pub center: Vec3,
    /// Along [`PosedHitbox::axes`], world space unit; not negative.
    pub half_extents: Vec3,
    /// Columns are the box's unit axes in world space, right-handed.
    pub axes: Mat3,
}

impl PosedHitbox {
    pub(crate) fn new(index: BoxIndex, joint: JointIndex, record: &Record) -> Self {
        let (center, half_extents, axes) = (record.center(), record.half(), record.axes());
        Self { index, joint, center, half_extents, axes }
    }

    /// The box for `geometry-core`'s tests: corners, distances, rays and more.
    ///
    /// # Panics
    /// Where fields were changed so that they are no box: posing makes none such.
    pub fn obb(&self) -> Obb {
        Obb::new(self.center, self.half_extents, self.axes)
    }
}
