//! Finds the hitboxes that a sphere, a capsule or a box overlaps.

use crate::kernels;
use crate::kernels::layout::{LANES, bounds_of_box};
use crate::kernels::set_bits::set_bits;
use crate::pose::solid::Solid;
use crate::{Bounds, BoxIndex, PosedCharacter};
use geometry_core::{Capsule, DCapsule, Obb, PosedHull, Sphere};
use skeleton::JointIndex;

/// A shape in world space for queries about characters, for example a blast, a weapon or a trigger.
///
/// Implemented for [`Sphere`], [`Capsule`] and [`Obb`].
pub trait QueryShape {
    /// The bounds of the shape in world space; they may be larger than the shape, never smaller.
    fn bounds(&self) -> Bounds;
    /// Returns `true` if the shape shares a point with a hitbox that is a box.
    fn overlaps_box(&self, one: &Obb) -> bool;
    /// Returns `true` if the shape shares a point with a hitbox that is a capsule or a sphere.
    fn overlaps_round(&self, one: &DCapsule) -> bool;
    /// Returns `true` if the shape shares a point with a hitbox that is a hull.
    fn overlaps_hull(&self, one: &PosedHull<'_>) -> bool;
}

/// A hitbox that a query shape overlaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeOverlap {
    /// The hitbox: [`crate::Character::hitbox`] has its tags and the name of its joint.
    pub box_index: BoxIndex,
    /// The joint that the hitbox is attached to.
    pub joint: JointIndex,
}

/// Bounds that are enlarged by a little more than the rounding error.
fn around(min: glam::Vec3, max: glam::Vec3) -> Bounds {
    let slack = glam::Vec3::splat((max - min).max_element() * kernels::NEAR_TOLERANCE);
    Bounds { min: (min - slack).map(f32::next_down), max: (max + slack).map(f32::next_up) }
}

impl QueryShape for Sphere {
    fn bounds(&self) -> Bounds {
        around(self.center() - self.radius(), self.center() + self.radius())
    }

    fn overlaps_box(&self, one: &Obb) -> bool {
        one.overlaps_sphere(self)
    }

    fn overlaps_round(&self, one: &DCapsule) -> bool {
        one.overlaps(&self.into())
    }

    fn overlaps_hull(&self, one: &PosedHull<'_>) -> bool {
        one.overlaps_capsule(&self.into())
    }
}

impl QueryShape for Capsule {
    fn bounds(&self) -> Bounds {
        let (start, end) = (self.segment().start(), self.segment().end());
        around(start.min(end) - self.radius(), start.max(end) + self.radius())
    }

    fn overlaps_box(&self, one: &Obb) -> bool {
        one.overlaps_capsule(self)
    }

    fn overlaps_round(&self, one: &DCapsule) -> bool {
        one.overlaps(&self.into())
    }

    fn overlaps_hull(&self, one: &PosedHull<'_>) -> bool {
        one.overlaps_capsule(&self.into())
    }
}

impl QueryShape for Obb {
    fn bounds(&self) -> Bounds {
        bounds_of_box(self.center(), self.half_extents(), &self.axes())
    }

    fn overlaps_box(&self, one: &Obb) -> bool {
        self.overlaps(one)
    }

    fn overlaps_round(&self, one: &DCapsule) -> bool {
        one.overlaps_obb(self)
    }

    fn overlaps_hull(&self, one: &PosedHull<'_>) -> bool {
        one.overlaps_obb(self)
    }
}

impl PosedCharacter {
    /// Finds the hitboxes that the shape overlaps, in world space. `boxes` is overwritten and sorted by box index. A
    /// hitbox that shares only one point with the shape overlaps it. Allocates only if `boxes` must grow.
    ///
    /// ```
    /// use geometry_core::{Capsule, Sphere};
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{BoxIndex, Character, PosedCharacter};
    ///
    /// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// let mut posed = PosedCharacter::new();
    /// posed.pose_from_rest(&arm, &Affine3A::IDENTITY)?; // upper arm from 1 to 2, forearm from 2 to 3
    /// let mut boxes = Vec::new();
    /// posed.overlapping_boxes(&Sphere::try_new(Vec3::new(0.0, 3.5, 0.0), 0.5)?, &mut boxes);
    /// assert_eq!(boxes.iter().map(|one| one.box_index).collect::<Vec<_>>(), [BoxIndex(1)]);
    /// let staff = Capsule::try_new(Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 4.0, 0.0), 0.1)?;
    /// posed.overlapping_boxes(&staff, &mut boxes);
    /// assert_eq!(arm.joint_name(boxes[0].joint), "fore");
    /// assert!(posed.overlaps_shape(&staff));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlapping_boxes(&self, shape: &impl QueryShape, boxes: &mut Vec<ShapeOverlap>) {
        boxes.clear();
        self.each_overlapped(shape, |index| {
            boxes.push(index);
            true
        });
    }

    /// Returns `true` if the shape overlaps any hitbox. Stops at the first hitbox found.
    #[must_use]
    pub fn overlaps_shape(&self, shape: &impl QueryShape) -> bool {
        let mut any = false;
        self.each_overlapped(shape, |_| {
            any = true;
            false
        });
        any
    }

    pub(crate) fn each_overlapped(&self, shape: &impl QueryShape, mut found: impl FnMut(ShapeOverlap) -> bool) {
        let bounds = shape.bounds();
        if !bounds.overlaps(&self.bounds) {
            return;
        }
        for (block, lanes) in self.blocks.iter().enumerate() {
            for lane in set_bits(kernels::near(self.kernel, &bounds, lanes)) {
                let index = block * LANES + lane;
                let overlaps = match self.solid(index) {
                    Solid::Box(one) => shape.overlaps_box(&one),
                    Solid::Round(round) => shape.overlaps_round(&round),
                    // Most shapes that miss a hull miss its box too, and the test of the box takes less time.
                    Solid::Hull(hull) => {
                        shape.overlaps_box(&self.records[index].posed_obb()) && shape.overlaps_hull(&hull)
                    }
                };
                let box_index = BoxIndex(index as u16);
                if overlaps && !found(ShapeOverlap { box_index, joint: self.joint_of(box_index) }) {
                    return;
                }
            }
        }
    }
}
