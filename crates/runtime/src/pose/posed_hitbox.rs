//! A hitbox in world space.

use crate::BoxIndex;
use crate::PosedShape;
use crate::kernels::layout::Record;
use baked_format::HitboxShape;
use geometry_core::Obb;
use glam::{Mat3, Vec3};
use skeleton::JointIndex;

/// A hitbox in world space, at one pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PosedHitbox {
    /// The index of the hitbox within the character.
    pub index: BoxIndex,
    /// The joint that the hitbox is attached to, an index into [`crate::Character::skeleton`].
    pub joint: JointIndex,
    /// The shape of the hitbox inside its box, see [`PosedHitbox::posed_shape`].
    pub shape: HitboxShape,
    /// The center of the box, in world space.
    pub center: Vec3,
    /// The half extents of the box along [`PosedHitbox::axes`], in world space units; not negative.
    pub half_extents: Vec3,
    /// The box's unit axes in world space as columns, right-handed.
    pub axes: Mat3,
}

impl PosedHitbox {
    pub(crate) fn new(index: BoxIndex, joint: JointIndex, shape: HitboxShape, record: &Record) -> Self {
        let (center, half_extents, axes) = (record.center(), record.half(), record.axes());
        Self { index, joint, shape, center, half_extents, axes }
    }

    /// The shape of the hitbox in world space: a box, a capsule or a sphere. For a hull, this is the box around the
    /// hull; [`crate::PosedCharacter::posed_hull`] returns the hull itself.
    ///
    /// `None` if the fields were changed so that they are not a valid shape. Posing makes only valid shapes.
    ///
    /// ```
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{Character, HitboxShape, PosedCharacter, PosedShape};
    ///
    /// let mut baked = baked_format::read(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// baked.boxes[0].shape = HitboxShape::Sphere;
    /// baked.boxes[0].half_extents = Vec3::splat(0.5);
    /// let arm = Character::from_baked(baked);
    /// let mut posed = PosedCharacter::new();
    /// posed.pose_from_rest(&arm, &Affine3A::from_scale(Vec3::splat(2.0)))?;
    /// let Some(PosedShape::Sphere(sphere)) = posed.boxes().next().unwrap().posed_shape() else { panic!() };
    /// assert_eq!(sphere.radius(), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn posed_shape(&self) -> Option<PosedShape> {
        PosedShape::new(self.shape, &Obb::try_new(self.center, self.half_extents, self.axes).ok()?)
    }

    /// The box around the hitbox as an [`Obb`], which has functions for corners, distances, rays and more.
    ///
    /// # Panics
    /// Panics if the fields were changed so that they are not a valid box. Posing makes only valid boxes.
    pub fn obb(&self) -> Obb {
        Obb::new(self.center, self.half_extents, self.axes)
    }
}
