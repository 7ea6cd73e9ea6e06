//! Answers about the bodies of a world: an answer about one or two characters, and the ids of the bodies.

use super::BodyId;
use crate::{BoxPair, CastHit, RayHit, ShapeOverlap, SkinOverlap, SkinRayHit, SkinShapeOverlap, SweepHit};
use std::ops::Deref;

/// An answer about one body of a world. The fields of the answer can be read directly: `hit.box_index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OfBody<T> {
    /// The id of the body.
    pub body: BodyId,
    /// The answer about the body's character.
    pub answer: T,
}

/// An answer about two bodies of a world. The fields of the answer can be read directly: `touch.joint_a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OfBodies<T> {
    /// The lesser id of the two bodies.
    pub body_a: BodyId,
    /// The id of the other body.
    pub body_b: BodyId,
    /// The answer about the two bodies' characters, in this order.
    pub answer: T,
}

/// A hitbox of a body that a ray hits.
pub type BodyRayHit = OfBody<RayHit>;
/// A hitbox of a body that a shape overlaps.
pub type BodyShapeOverlap = OfBody<ShapeOverlap>;
/// A hitbox of a moving body that a moving shape hits.
pub type BodyCastHit = OfBody<CastHit>;
/// The point where a ray hits the skin of a body.
pub type BodySkinRayHit = OfBody<SkinRayHit>;
/// A joint of a body whose skin a shape touches.
pub type BodySkinShapeOverlap = OfBody<SkinShapeOverlap>;
/// Two hitboxes of two bodies that overlap. For a touch of a body with itself, `box_a` comes before `box_b`.
pub type Touch = OfBodies<BoxPair>;
/// Two hitboxes of two bodies that hit each other while both move.
pub type BodySweepHit = OfBodies<SweepHit>;
/// Two joints of two bodies whose skins touch.
pub type SkinTouch = OfBodies<SkinOverlap>;

impl<T> Deref for OfBody<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.answer
    }
}

impl<T> Deref for OfBodies<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.answer
    }
}
