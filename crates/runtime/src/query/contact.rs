//! Contacts of overlapping hitboxes: depth, direction and points.

use super::box_pairs::each_box_pair;
use crate::kernels::{self, Kernel};
use crate::solid::Solid;
use crate::{BoxIndex, PosedCharacter};
use geometry_core::{Obb, SatAxis, Separation, ShapeSeparation};
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
    points: [Vec3; Self::MAX_POINTS],
    point_count: u8,
}

impl Contact {
    /// The largest number of points of a contact: a rectangle cut by five planes has at most nine corners.
    pub const MAX_POINTS: usize = 9;

    /// The contact points in world space, one to nine:
    /// - **A face of a box against the other box.** A part of one box's face lies between the sides of the other box
    ///   and below its face. The points are the corners of this part, moved half way to the other box's face.
    /// - **An edge of a box against an edge of the other box.** One point, half way between the two edges.
    /// - **A capsule, a sphere or a hull.** One point, which lies in both hitboxes if they overlap. Use it, for
    ///   example, as the place of a spark or a decal. A solver that rests a body on a hull needs more points; give it
    ///   the hull itself ([`PosedCharacter::posed_hull`]).
    #[must_use]
    pub fn points(&self) -> &[Vec3] {
        &self.points[..usize::from(self.point_count)]
    }

    /// The mean of [`Contact::points`].
    #[must_use]
    pub fn center(&self) -> Vec3 {
        mean(self.points())
    }
}

/// Finds the contacts of all hitboxes of `a` that overlap hitboxes of `b`, in world space.
///
/// `contacts` is overwritten and sorted by box of `a`, then by box of `b`, and therefore by joints. There is one
/// contact for each pair of [`crate::overlapping_boxes`]. Allocates only if `contacts` must grow.
///
/// [`Obb::separation`] defines the depth and the direction for two boxes. If one of the two hitboxes is a capsule, a
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
    let _exists = posed.records.get(index.index())?.obb()?;
    Some(posed.solid(index.index()))
}

impl Contact {
    pub(crate) fn between(
        kernel: Kernel,
        a: &Solid<'_>,
        (box_a, joint_a): (BoxIndex, JointIndex),
        b: &Solid<'_>,
        (box_b, joint_b): (BoxIndex, JointIndex),
    ) -> Self {
        let ContactPoints { depth, direction, points, count } = ContactPoints::between(kernel, a, b);
        Self { box_a, box_b, joint_a, joint_b, depth, direction, points, point_count: count as u8 }
    }
}

/// The depth, the direction and the points of a contact.
pub(crate) struct ContactPoints {
    pub(crate) depth: f32,
    pub(crate) direction: Vec3,
    points: Points,
    count: usize,
}

impl ContactPoints {
    pub(crate) fn between(kernel: Kernel, a: &Solid<'_>, b: &Solid<'_>) -> Self {
        let [a, b] = match a.separation(b) {
            Ok(separation) => return Self::of_shapes(&separation),
            Err(boxes) => boxes,
        };
        let separation = kernels::separation(kernel, a, b);
        let (points, count) = contact_points(a, b, &separation);
        Self { depth: separation.depth(), direction: separation.direction, points, count }
    }

    /// A contact with one point, which both shapes share.
    fn of_shapes(separation: &ShapeSeparation) -> Self {
        let mut points = [Vec3::ZERO; Contact::MAX_POINTS];
        points[0] = separation.middle.as_vec3();
        let depth = (-separation.distance).max(0.0) as f32;
        Self { depth, direction: separation.direction.as_vec3(), points, count: 1 }
    }

    /// The mean of the points.
    pub(crate) fn center(&self) -> Vec3 {
        mean(&self.points[..self.count])
    }
}

fn mean(points: &[Vec3]) -> Vec3 {
    points.iter().fold(Vec3::ZERO, |sum, &point| sum + point) / points.len() as f32
}

type Points = [Vec3; Contact::MAX_POINTS];

fn contact_points(a: &Obb, b: &Obb, separation: &Separation) -> (Points, usize) {
    let direction = separation.direction;
    match separation.axis {
        SatAxis::FaceA(axis) => face_points(a, usize::from(axis), direction, b, separation),
        SatAxis::FaceB(axis) => face_points(b, usize::from(axis), -direction, a, separation),
        SatAxis::Edges(i, j) => {
            let mut points = [Vec3::ZERO; Contact::MAX_POINTS];
            let (on_a, on_b) = (edge_middle(a, usize::from(i), direction), edge_middle(b, usize::from(j), -direction));
            points[0] = between_lines(on_a, a.axes().col(usize::from(i)), on_b, b.axes().col(usize::from(j)));
            (points, 1)
        }
    }
}

/// The part of `other`'s nearest face that lies in `one`, moved half way to the face of `one` that crosses `axis` on
/// the side of `direction`. Source: Ericson, *Real-Time Collision Detection*, section 5.5.10 on clipping of faces.
fn face_points(one: &Obb, axis: usize, direction: Vec3, other: &Obb, separation: &Separation) -> (Points, usize) {
    // The face of `other` that faces `one` most directly.
    let along = other.direction_to_local(direction).to_array();
    let facing = (1..3).fold(0, |best, k| if along[k].abs() > along[best].abs() { k } else { best });
    let [half_axes, other_half_axes] = [one.half_axes(), other.half_axes()];
    let sign = if along[facing] > 0.0 { -1.0 } else { 1.0 };
    let middle = other.center() + other_half_axes[facing] * sign;
    let (u, v) = (other_half_axes[(facing + 1) % 3], other_half_axes[(facing + 2) % 3]);
    let mut polygon = ([Vec3::ZERO; Contact::MAX_POINTS], 4);
    polygon.0[..4].copy_from_slice(&[middle + u + v, middle - u + v, middle - u - v, middle + u - v]);
    for side in [(axis + 1) % 3, (axis + 2) % 3] {
        let normal = one.axes().col(side);
        let reach = one.half_extents()[side];
        for normal in [normal, -normal] {
            polygon = clip(&polygon, normal, normal.dot(one.center()) + reach);
        }
    }
    let surface = direction.dot(one.center() + half_axes[axis] * half_axes[axis].dot(direction).signum());
    // The boxes of a sweep's hit can have a small gap between them; then the nearest points are used.
    polygon = clip(&polygon, direction, surface + 2.0 * separation.gap.max(0.0));
    if polygon.1 == 0 {
        // Rounding can lose faces that only touch along an edge.
        polygon.0[0] = other.support_point(-direction);
        polygon.1 = 1;
    }
    for point in &mut polygon.0[..polygon.1] {
        // Moves the point half way to this face if the point is below the face; the distance is limited by the depth.
        let below = (surface - direction.dot(*point)).clamp(0.0, separation.depth());
        *point += direction * (below * 0.5);
    }
    polygon
}

/// The part of a convex polygon with `normal · p <= distance`. Source: Sutherland and Hodgman (1974).
fn clip((points, count): &(Points, usize), normal: Vec3, distance: f32) -> (Points, usize) {
    let (mut kept, mut kept_count) = ([Vec3::ZERO; Contact::MAX_POINTS], 0);
    let mut keep = |point: Vec3| {
        // A convex polygon gains at most one corner per plane, but rounding can break this rule.
        if kept_count < kept.len() {
            kept[kept_count] = point;
            kept_count += 1;
        }
    };
    for i in 0..*count {
        let (from, to) = (points[i], points[(i + 1) % count]);
        let (above_from, above_to) = (normal.dot(from) - distance, normal.dot(to) - distance);
        if above_from <= 0.0 {
            keep(from);
        }
        if (above_from <= 0.0) != (above_to <= 0.0) {
            keep(from + (to - from) * (above_from / (above_from - above_to)));
        }
    }
    (kept, kept_count)
}

/// The middle of the edge parallel to `axis` that lies farthest towards `direction`.
fn edge_middle(one: &Obb, axis: usize, direction: Vec3) -> Vec3 {
    let half_axes = one.half_axes();
    let towards = |k: usize| half_axes[k] * if half_axes[k].dot(direction) < 0.0 { -1.0 } else { 1.0 };
    one.center() + towards((axis + 1) % 3) + towards((axis + 2) % 3)
}

/// The point half way between two lines where they are nearest to each other. The lines of an edge contact are never
/// parallel. Source: Ericson, section 5.1.8.
fn between_lines(p: Vec3, u: Vec3, q: Vec3, v: Vec3) -> Vec3 {
    let (w, cosine) = (q - p, u.dot(v));
    let sine_squared = (1.0 - cosine * cosine).max(f32::MIN_POSITIVE);
    let s = (w.dot(u) - cosine * w.dot(v)) / sine_squared;
    let t = (cosine * w.dot(u) - w.dot(v)) / sine_squared;
    (p + u * s + q + v * t) * 0.5
}
