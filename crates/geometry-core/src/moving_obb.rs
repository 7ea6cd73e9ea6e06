//! Oriented boxes that move: when two boxes overlap, and their first contact.

use crate::axis_lanes::{AxisLanes, widest};
use crate::moving_aabb::{TimeInterval, Times};
use crate::obb::Obb;
use crate::packed_obb::unit_quaternion;
use crate::sat_obb_obb::{ExactPair, SatAxis};
use glam::{DMat3, DVec3, Vec3};

/// The largest number of steps of [`Obb::first_contact`]. After that many steps it stops and reports the remaining gap.
///
/// No step is shorter than the tolerance divided by the greatest speed of a corner. So with a relative tolerance of
/// 1e-4, boxes that turn by less than half a turn and move by a few of their sizes never reach this limit. Only thin
/// boxes that slide along each other at a tiny distance take such short steps: their far corners are fast while their
/// near sides are slow.
pub const MAX_STEPS: u32 = 100_000;

/// The smallest relative tolerance of [`Obb::first_contact`]; smaller arguments are raised to it.
pub const LEAST_CONTACT_TOLERANCE: f32 = 1.0e-6;

/// A contact of two moving boxes, from [`Obb::first_contact`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct Contact {
    /// The time of the contact, from 0 (the first poses) to 1 (the last poses). The boxes do not touch before this
    /// time.
    pub time: f32,
    /// A unit vector from the first box toward the second, along which the boxes meet.
    pub direction: Vec3,
    /// The remaining gap along `direction`, in the boxes' unit; zero if the boxes already overlap.
    pub gap: f32,
}

/// A box that moves from one pose to another between the times 0 and 1. Its center moves along a straight line, and its
/// axes turn about one fixed axis, both at constant speed.
///
/// The box turns the shorter way; for half a turn the way is not specified. The half extents are those of the first
/// pose.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct ObbMotion {
    start: Obb,
    velocity: DVec3,
    /// The unit axis and the angle in radians.
    spin: (DVec3, f64),
}

impl ObbMotion {
    /// Makes the motion from one pose of a box to another.
    ///
    /// ```
    /// use geometry_core::{Obb, ObbMotion};
    /// use glam::{Quat, Vec3};
    ///
    /// let blade = Vec3::new(0.05, 1.0, 0.05);
    /// let raised = Obb::from_orientation(Vec3::new(0.0, 3.0, 0.0), blade, Quat::IDENTITY);
    /// let struck = Obb::from_orientation(Vec3::new(1.0, 2.0, 0.0), blade, Quat::from_rotation_z(-1.5));
    /// let swing = ObbMotion::between(&raised, &struck);
    /// let half_way = swing.at(0.5);
    /// assert!((half_way.center() - Vec3::new(0.5, 2.5, 0.0)).length() < 1e-6);
    /// ```
    pub fn between(start: &Obb, end: &Obb) -> Self {
        let turn = mul(&end.axes().as_dmat3(), &start.axes().as_dmat3().transpose());
        Self { start: *start, velocity: end.center().as_dvec3() - start.center().as_dvec3(), spin: axis_angle(&turn) }
    }

    /// Makes the motion of a box that does not move.
    pub fn still(obb: &Obb) -> Self {
        Self { start: *obb, velocity: DVec3::ZERO, spin: (DVec3::X, 0.0) }
    }

    /// The pose at a time from 0 to 1; other times are clamped.
    pub fn at(&self, time: f32) -> Obb {
        let time = f64::from(if time > 0.0 { time.min(1.0) } else { 0.0 });
        let axes = self.axes_at(time);
        let center = self.start.center().as_dvec3() + self.velocity * time;
        let axes = DMat3::from_cols(axes[0], axes[1], axes[2]).as_mat3();
        Obb::try_new(center.as_vec3(), self.start.half_extents(), axes).unwrap_or(self.start)
    }

    pub(crate) fn start(&self) -> &Obb {
        &self.start
    }

    /// The vector from the first center to the last.
    pub(crate) fn velocity(&self) -> DVec3 {
        self.velocity
    }

    /// The unit axis of the turn and its angle in radians.
    pub(crate) fn spin(&self) -> (DVec3, f64) {
        self.spin
    }

    pub(crate) fn center_at(&self, time: f64) -> DVec3 {
        self.start.center().as_dvec3() + self.velocity * time
    }

    pub(crate) fn half_extents(&self) -> DVec3 {
        self.start.half_extents().as_dvec3()
    }

    /// The greatest speed along a unit direction of a point at distance 1 from the center, by turning alone.
    pub(crate) fn turning_across(&self, direction: DVec3) -> f64 {
        let across = self.spin.0.cross(direction);
        crate::math::sqrt(across.length_squared()) * self.spin.1
    }

    /// The axes at a time: Rodrigues' rotation of the first pose's axes.
    pub(crate) fn axes_at(&self, time: f64) -> [DVec3; 3] {
        let axes = self.start.axes().as_dmat3();
        let columns = [axes.x_axis, axes.y_axis, axes.z_axis];
        let (axis, angle) = self.spin;
        if angle == 0.0 {
            return columns;
        }
        let (sin, cos) = if time == 0.0 { (0.0, 1.0) } else { libm::sincos(angle * time) };
        columns.map(|v| v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos)))
    }
}

impl Obb {
    /// Returns when two boxes overlap that move with constant velocities and do not turn, from time 0 on, or `None` if
    /// they never overlap.
    ///
    /// Along each of the 15 axes the boxes overlap during an interval of times; the result is the common part of all
    /// intervals. The test leans to contact by the rounding of `f64`. Boxes that overlap at the start have the time 0
    /// in `enter`. Touching counts, even at a single instant. A velocity that is not finite gives `None`.
    ///
    /// Source: Eberly, *Intersection of Convex Objects: The Method of Separating Axes* (Geometric Tools), on moving
    /// polytopes; Ericson, *Real-Time Collision Detection*, section 5.5.8.
    ///
    /// ```
    /// use geometry_core::Obb;
    /// use glam::{Mat3, Quat, Vec3};
    ///
    /// let standing = Obb::new(Vec3::ZERO, Vec3::ONE, Mat3::IDENTITY);
    /// let thrown = Obb::from_orientation(Vec3::new(-10.0, 0.0, 0.0), Vec3::ONE, Quat::from_rotation_z(0.785_398_2));
    /// let hit = thrown.overlap_times(Vec3::new(5.0, 0.0, 0.0), &standing, Vec3::ZERO).unwrap();
    /// assert!((hit.enter - (9.0 - 2.0_f32.sqrt()) / 5.0).abs() < 1e-6);
    /// ```
    #[must_use]
    pub fn overlap_times(&self, velocity: Vec3, other: &Self, other_velocity: Vec3) -> Option<TimeInterval> {
        if !(velocity.is_finite() && other_velocity.is_finite()) {
            return None;
        }
        let pair = ExactPair::new(self, other);
        let relative = other_velocity.as_dvec3() - velocity.as_dvec3();
        let mut times = Times::FROM_NOW;
        for axis in SatAxis::ALL {
            let direction = pair.direction(axis);
            let reach = pair.radii(direction) + pair.tolerance(direction);
            if !times.keep_near(direction.dot(pair.difference), direction.dot(relative), reach) {
                return None;
            }
        }
        Some(times.interval())
    }

    /// Returns the first contact of two boxes that move and turn from one pose to another, or `None` if they do not
    /// touch.
    ///
    /// The algorithm is conservative advancement. While there is a gap along one of the 15 axes, no point of either box
    /// can close it sooner than the gap divided by a bound of the speed along that axis: the speed of the centers plus
    /// the speed of the fastest turning corner. The time advances by that quotient.
    ///
    /// The algorithm stops when the widest gap is at most `relative_tolerance` times the sum of both boxes' half
    /// extents. So a contact is never missed and never late; it is early by at most the time that the boxes take to
    /// close that gap. Boxes that pass each other at a smaller distance than that are reported as touching. Boxes that
    /// overlap at the start give the time 0. `relative_tolerance` has no unit and is raised to
    /// [`LEAST_CONTACT_TOLERANCE`]; 1e-4 is a good value.
    ///
    /// After [`MAX_STEPS`] steps the contact has the time that was reached and the remaining gap. The boxes do not
    /// touch before that time.
    ///
    /// Source: Mirtich, *Impulse-based Dynamic Simulation of Rigid Body Systems*, PhD thesis, Berkeley 1996, section
    /// 2.3; Ericson, *Real-Time Collision Detection*, section 5.5.
    ///
    /// ```
    /// use geometry_core::{Obb, ObbMotion};
    /// use glam::{Mat3, Quat, Vec3};
    ///
    /// // A bar turns by a right angle and sweeps over a post. Neither end pose touches the post.
    /// let bar = Vec3::new(2.0, 0.1, 0.1);
    /// let from = Obb::from_orientation(Vec3::ZERO, bar, Quat::IDENTITY);
    /// let to = Obb::from_orientation(Vec3::ZERO, bar, Quat::from_rotation_z(1.5));
    /// let post = Obb::new(Vec3::new(1.2, 1.2, 0.0), Vec3::splat(0.1), Mat3::IDENTITY);
    /// assert!(!from.overlaps(&post) && !to.overlaps(&post));
    /// let hit = Obb::first_contact(&ObbMotion::between(&from, &to), &ObbMotion::still(&post), 1e-4).unwrap();
    /// assert!(hit.time > 0.3 && hit.time < 0.5);
    /// ```
    #[must_use]
    pub fn first_contact(a: &ObbMotion, b: &ObbMotion, relative_tolerance: f32) -> Option<Contact> {
        Self::first_contact_until(a, b, relative_tolerance, 1.0)
    }

    /// Computes [`Obb::first_contact`], but stops at the time `limit`. To find the first contact of many pairs, pass
    /// the earliest contact so far as the limit. The result is that of `first_contact`, or `None` if the contact is
    /// later than `limit`.
    ///
    /// ```
    /// use geometry_core::{Obb, ObbMotion};
    /// use glam::{Mat3, Vec3};
    ///
    /// let at = |x| Obb::new(Vec3::X * x, Vec3::splat(0.5), Mat3::IDENTITY);
    /// let (thrown, wall) = (ObbMotion::between(&at(0.0), &at(4.0)), ObbMotion::still(&at(3.0)));
    /// let hit = Obb::first_contact(&thrown, &wall, 1e-4);
    /// assert_eq!(Obb::first_contact_until(&thrown, &wall, 1e-4, 0.5), hit);
    /// assert_eq!(Obb::first_contact_until(&thrown, &wall, 1e-4, 0.4), None);
    /// ```
    #[must_use]
    pub fn first_contact_until(a: &ObbMotion, b: &ObbMotion, relative_tolerance: f32, limit: f32) -> Option<Contact> {
        Self::first_contact_until_inlined(a, b, relative_tolerance, limit)
    }

    /// Computes [`Obb::first_contact_until`], to the same bits. The function is inlined, so the compiler uses the
    /// instructions that the caller has enabled (`#[target_feature]`).
    // Public only because the crate `runtime` inlines it into its kernels.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub fn first_contact_until_inlined(
        a: &ObbMotion,
        b: &ObbMotion,
        relative_tolerance: f32,
        limit: f32,
    ) -> Option<Contact> {
        let mut pair = ExactPair::new(&a.start, &b.start);
        let start = pair.difference;
        let relative = b.velocity - a.velocity;
        let diagonal = |half: [f64; 3]| DVec3::from_array(half).length();
        let (corner_a, corner_b) = (diagonal(pair.half[0]), diagonal(pair.half[1]));
        // For a NaN, `f32::max` returns the other number.
        let tolerance = f64::from(relative_tolerance.max(LEAST_CONTACT_TOLERANCE)) * pair.size();
        let mut time = 0.0_f64;
        for step in 0..=MAX_STEPS {
            pair.difference = start + relative * time;
            pair.axes = [a.axes_at(time), b.axes_at(time)];
            let (gap, direction) = widest_gap(&pair);
            if gap <= tolerance || step == MAX_STEPS {
                let contact = Contact { time: time as f32, direction: direction.as_vec3(), gap: gap.max(0.0) as f32 };
                return Some(contact);
            }
            // The speed of a corner along the direction is at most the angular speed across the direction times the
            // corner's distance from the center.
            let turning = |spin: (DVec3, f64), corner: f64| spin.0.cross(direction).length() * spin.1 * corner;
            let speed = -direction.dot(relative) + turning(a.spin, corner_a) + turning(b.spin, corner_b);
            if speed <= 0.0 {
                return None;
            }
            time += gap / speed;
            // The time is rounded in the same way as the result, so that no contact at exactly `limit` is lost.
            if time > 1.0 || time as f32 > limit {
                return None;
            }
        }
        None
    }
}

/// The widest gap along the 15 axes of unit length, and its direction from the first box to the second.
#[inline(always)]
fn widest_gap(pair: &ExactPair) -> (f64, DVec3) {
    let lanes = AxisLanes::new(pair);
    let mut gaps = lanes.unit_gaps;
    for (gap, length) in gaps.iter_mut().zip(&lanes.lengths) {
        // The axes of moving boxes are rounded, so a shorter cross product has no reliable direction.
        *gap = if *length < 1.0e-9 { f64::NEG_INFINITY } else { *gap };
    }
    widest(&gaps).map_or((f64::NEG_INFINITY, DVec3::X), |(gap, lane)| (gap, lanes.unit_direction(lane)))
}

/// The axis and the angle, from 0 to π, of a rotation matrix. The computation goes through a quaternion, which stays
/// accurate near half a turn.
fn axis_angle(turn: &DMat3) -> (DVec3, f64) {
    let [x, y, z, w] = unit_quaternion(turn);
    let along = DVec3::new(x, y, z);
    let sine = crate::math::sqrt(along.length_squared());
    // A rotation by the angle zero has no axis.
    if sine == 0.0 { (DVec3::X, 0.0) } else { (along / sine, 2.0 * libm::atan2(sine, w)) }
}

fn mul(a: &DMat3, b: &DMat3) -> DMat3 {
    let column = |v: DVec3| a.x_axis * v.x + a.y_axis * v.y + a.z_axis * v.z;
    DMat3::from_cols(column(b.x_axis), column(b.y_axis), column(b.z_axis))
}
