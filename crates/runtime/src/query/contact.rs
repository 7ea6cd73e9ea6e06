//! Contacts of overlapping hitboxes: depth, direction and points.

use super::box_pairs::each_box_pair;
use super::contact_points::{MAX_POINTS, Points};
use crate::kernels::{self, Kernel};
use crate::pose::solid::Solid;
use crate::{BoxIndex, PosedCharacter};
use geometry_core::ShapeSeparation;
use glam::Vec3;
use skeleton::JointIndex;

/// Two hitboxes that overlap, with the depth, the direction and the points of their contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The first character's hitbox.
    pub box_a: BoxIndex,
    /// The second character's hitbox.
    pub box_b: BoxIndex,
    /// The joint of `box_a`.
    pub joint_a: JointIndex,
    /// The joint of `box_b`.
    pub joint_b: JointIndex,
    /// The depth of the overlap, in world units, not negative: moving `b` by `depth * direction` separates the two
    /// hitboxes so that they only touch.
    pub depth: f32,
    /// The direction of least penetration: a unit vector in world space, from `a` towards `b`.
    pub direction: Vec3,
    points: Points,
}

impl Contact {
    /// The largest number of points of a contact: a rectangle cut by five planes has at most nine corners.
    pub const MAX_POINTS: usize = MAX_POINTS;

    /// The contact points in world space, one to nine:
    /// - **A face of a box against the other box.** A part of one box's face lies between the sides of the other box
    ///   and below its face. The points are the corners of this part, moved half way to the other box's face, or to the
    ///   place where they would leave one of the boxes.
    /// - **An edge of a box against an edge of the other box.** One point, half way between the two edges.
    /// - **Boxes deep in each other, or apart.** If no such point lies in both boxes, one point in their overlap; if they are apart,
    ///   one point half way between the nearest points of the boxes.
    /// - **A capsule, a sphere or a hull.** One point, which lies in both hitboxes if they overlap. Use it, for
    ///   example, as the place of a spark or a decal. A solver that rests a body on a hull needs more points; give it
    ///   the hull itself ([`PosedCharacter::posed_hull`]).
    ///
    /// Each point of two boxes, and their mean, lies in both boxes:
    /// - It is outside of a box by at most [`POINT_TOLERANCE`](geometry_core::tolerances::POINT_TOLERANCE) (2⁻¹⁹) times the sum of both
    ///   boxes' half extents.
    /// - If the boxes are apart, as at a hit of a sweep or in a touch whose bodies have moved on, the point is outside by up to their
    ///   distance more.
    /// - Each coordinate is rounded to `f32`, by at most [`f32::EPSILON`] times the largest coordinate: 0.12 at a million units from the
    ///   origin.
    #[must_use]
    pub fn points(&self) -> &[Vec3] {
        self.points.as_slice()
    }

    /// The mean of [`Contact::points`], within the same bounds.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        self.points.mean()
    }
}

/// Finds the contacts of all hitboxes of `a` that overlap hitboxes of `b`, in world space.
///
/// `contacts` is overwritten and sorted by box of `a`, then by box of `b`, and therefore by joints. There is one
/// contact for each pair of [`crate::overlapping_boxes`]. Allocates only if `contacts` must grow.
///
/// [`geometry_core::Obb::separation`] defines the depth and the direction for two boxes. If one of the two hitboxes is a capsule, a
/// sphere or a hull, [`geometry_core::DCapsule`] or [`geometry_core::PosedHull`] defines them.
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use runtime::{Character, PosedCharacter, contacts};
///
/// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
/// let (mut a, mut b) = (PosedCharacter::new(), PosedCharacter::new());
/// a.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
/// b.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::new(0.5, 1.75, 0.0)))?;
/// let mut found = Vec::new();
/// contacts(&a, &b, &mut found); // forearm of a, upper arm of b
/// assert_eq!((arm.joint_name(found[0].joint_a), arm.joint_name(found[0].joint_b)), ("fore", "upper"));
/// assert!((found[0].depth - 0.1).abs() < 1e-6 && found[0].direction == Vec3::X);
/// assert!((found[0].center() - Vec3::new(0.25, 2.875, 0.0)).length() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts(a: &PosedCharacter, b: &PosedCharacter, contacts: &mut Vec<Contact>) {
    contacts.clear();
    each_box_pair(a, b, &mut |found| {
        contacts.extend(found.iter().filter_map(|&key| {
            let [box_a, box_b] = kernels::boxes_of(key).map(BoxIndex);
            contact(a, box_a, b, box_b)
        }));
        true
    });
    contacts.sort_unstable_by_key(|contact| (contact.box_a, contact.box_b));
}

/// The contact of two hitboxes, even if they do not overlap. `None` if one of them does not exist.
pub(crate) fn contact(a: &PosedCharacter, box_a: BoxIndex, b: &PosedCharacter, box_b: BoxIndex) -> Option<Contact> {
    let (one, other) = (checked_solid(a, box_a)?, checked_solid(b, box_b)?);
    Some(Contact::between(a.kernel, &one, (box_a, a.joint_of(box_a)), &other, (box_b, b.joint_of(box_b))))
}

/// The shape of a hitbox; `None` if it does not exist.
fn checked_solid(posed: &PosedCharacter, index: BoxIndex) -> Option<Solid<'_>> {
    (index.index() < posed.records.len()).then(|| posed.solid(index.index()))
}

impl Contact {
    pub(crate) fn between(
        kernel: Kernel,
        a: &Solid<'_>,
        (box_a, joint_a): (BoxIndex, JointIndex),
        b: &Solid<'_>,
        (box_b, joint_b): (BoxIndex, JointIndex),
    ) -> Self {
        let Place { depth, direction, points } = Place::between(kernel, a, b);
        Self { box_a, box_b, joint_a, joint_b, depth, direction, points }
    }
}

/// The depth, the direction and the points of a contact.
pub(crate) struct Place {
    pub(crate) depth: f32,
    pub(crate) direction: Vec3,
    points: Points,
}

impl Place {
    pub(crate) fn between(kernel: Kernel, a: &Solid<'_>, b: &Solid<'_>) -> Self {
        let [a, b] = match a.separation(b) {
            Ok(ShapeSeparation { distance, direction, middle, .. }) => {
                let depth = (-distance).max(0.0) as f32;
                return Self { depth, direction: direction.as_vec3(), points: Points::one(middle) };
            }
            Err(boxes) => boxes,
        };
        let separation = kernels::separation(kernel, a, b);
        let points = Points::of_boxes(a, b, &separation);
        Self { depth: separation.depth(), direction: separation.direction, points }
    }

    /// The mean of the points.
    pub(crate) fn center(&self) -> Vec3 {
        self.points.mean()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry_core::Obb;
    use geometry_core::tolerances::POINT_TOLERANCE;
    use glam::DVec3;
    use test_models::{BoxParts, Random};

    fn obb(BoxParts { center, half_extents, orientation }: BoxParts) -> Obb {
        Obb::from_orientation(center, half_extents, orientation)
    }

    /// The distance from a point to a box.
    fn outside(one: &Obb, point: Vec3) -> f64 {
        let offset = point.as_dvec3() - one.center().as_dvec3();
        ((one.axes().as_dmat3().transpose() * offset).abs() - one.half_extents().as_dvec3()).max(DVec3::ZERO).length()
    }

    fn assert_on_both(a: &Obb, b: &Obb) {
        let gap = f64::from(a.separation(b).gap.max(0.0));
        let size = f64::from(a.extent_sum() + b.extent_sum());
        let found = Place::between(Kernel::Scalar, &Solid::Box(*a), &Solid::Box(*b));
        for &point in found.points.as_slice().iter().chain([&found.center()]) {
            let rounding = f64::from(point.abs().max_element()) * f64::from(f32::EPSILON);
            let (far, bound) =
                (outside(a, point).max(outside(b, point)), gap + f64::from(POINT_TOLERANCE) * size + rounding);
            assert!(far <= bound, "{point} is {far} outside of {a:?} or {b:?}");
        }
    }

    /// Boxes that overlap, that touch, and that are apart by a hair or by a lot.
    #[test]
    fn points_lie_on_both_boxes() {
        let mut random = Random::new(31);
        let mut overlapping = 0;
        for _ in 0..20_000 {
            let [a, b] = random.unkind_pair().map(obb);
            overlapping += usize::from(a.overlaps(&b));
            assert_on_both(&a, &b);
            assert_on_both(&b, &a);
            let far = b.center() + random.direction() * *random.pick(&[10.0, 1e3, 1e6, 1e9]);
            assert_on_both(&a, &Obb::new(far, b.half_extents(), b.axes()));
            // Boxes at random places.
            let half = random.vector().abs();
            let c = Obb::from_orientation(random.vector(), half, random.rotation());
            assert_on_both(&Obb::new(Vec3::ZERO, a.half_extents().min(Vec3::ONE), a.axes()), &c);
        }
        assert!((8000..16_000).contains(&overlapping), "{overlapping}");
    }

    /// A long rod through a thin plate: no point near the rod's end or half way out of the plate is in both.
    #[test]
    fn a_rod_through_a_plate_touches_in_the_plate() {
        let plate = Obb::from_orientation(Vec3::ZERO, Vec3::new(10.0, 0.01, 10.0), glam::Quat::IDENTITY);
        let rod = Obb::from_orientation(Vec3::Y, Vec3::new(0.1, 4.0, 0.1), glam::Quat::from_rotation_x(0.6));
        assert_on_both(&plate, &rod);
        assert_on_both(&rod, &plate);
    }
}
