//! Oriented boxes that move: the first time of contact.

use crate::moving_aabb::{TimeInterval, Times};
use crate::obb::Obb;
use crate::packed_obb::unit_quaternion;
use crate::sat_obb_obb::{ExactPair, SatAxis};
use glam::{DMat3, DVec3, Vec3};

/// After this many steps [`Obb::first_contact`] stops and reports how near the boxes are.
///
/// No step is shorter than the tolerance over the greatest speed of a corner, so at a relative tolerance of 1e-4 boxes
/// that turn by less than half a turn and move by a few of their sizes never get there. Few steps are that short: only
/// thin boxes that slide along each other within a hair, where a far corner is fast and the near side is not.
pub const MAX_STEPS: u32 = 100_000;

/// The smallest relative tolerance [`Obb::first_contact`] works with.
pub const LEAST_CONTACT_TOLERANCE: f32 = 1.0e-6;

/// A contact of moving boxes: see [`Obb::first_contact`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct Contact {
    /// From 0, the first poses, to 1, the last poses. The boxes are apart at all times before.
    pub time: f32,
    /// Unit vector from the first box towards the second, in which they meet.
    pub direction: Vec3,
    /// The gap still open along `direction`, zero if they overlap already.
    pub gap: f32,
}

/// A box that moves from one pose to another between the times 0 and 1: its center on a straight line, its axes about
/// one fixed axis, both at constant speed.
///
/// The box turns the shorter way; half a turn goes either way. The half extents are those of the first pose.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct ObbMotion {
    start: Obb,
    velocity: DVec3,
    /// Unit axis and angle in radians.
    spin: (DVec3, f64),
}

impl ObbMotion {
    /// From one pose of a box to another.
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

    /// A box that stays.
    pub fn still(obb: &Obb) -> Self {
        Self { start: *obb, velocity: DVec3::ZERO, spin: (DVec3::X, 0.0) }
    }

    /// The pose at a time between 0 and 1; times outside are clamped.
    pub fn at(&self, time: f32) -> Obb {
        let time = f64::from(if time > 0.0 { time.min(1.0) } else { 0.0 });
        let axes = self.axes_at(time);
        let center = self.start.center().as_dvec3() + self.velocity * time;
        let axes = DMat3::from_cols(axes[0], axes[1], axes[2]).as_mat3();
        Obb::try_new(center.as_vec3(), self.start.half_extents(), axes).unwrap_or(self.start)
    }

    /// The axes at a time: Rodrigues' rotation of the first pose's.
    fn axes_at(&self, time: f64) -> [DVec3; 3] {
        let axes = self.start.axes().as_dmat3();
        let columns = [axes.x_axis, axes.y_axis, axes.z_axis];
        let (axis, angle) = self.spin;
        if angle == 0.0 {
            return columns;
        }
        let (sin, cos) = libm::sincos(angle * time);
        columns.map(|v| v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos)))
    }
}

impl Obb {
    /// From when to when two boxes overlap that move with constant velocities and do not turn, starting at time 0:
    /// `None` if never.
    ///
    /// Along each of the 15 axes the boxes overlap for an interval of times; they overlap in what all have in common.
    /// Exact but for `f64` rounding, leaning to a contact: boxes that overlap at the start enter at 0, touching counts,
    /// at one instant as well. A velocity that is not finite gives `None`.
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

    /// The first time two boxes touch that move and turn from one pose to another: `None` if they stay apart.
    ///
    /// Conservative advancement: while there is a gap along one of the 15 axes, no point of either box can close it
    /// sooner than the gap divided by the speed along that axis, of the centers and of the fastest turning corner; time
    /// is advanced by that much. It stops when the widest gap is at most `relative_tolerance` times the sum of both
    /// boxes' half extents: contacts are early by at most the time the boxes take to close that gap, never late and
    /// never missed. Boxes that pass each other nearer than that are reported as touching. Boxes that overlap at the
    /// start give 0. The tolerance is at least [`LEAST_CONTACT_TOLERANCE`]; 1e-4 is a good one.
    ///
    /// After [`MAX_STEPS`] the time reached is reported as a contact with the gap that was still open; the boxes have
    /// not met before it.
    ///
    /// Source: Mirtich, *Impulse-based Dynamic Simulation of Rigid Body Systems*, PhD thesis, Berkeley 1996, section
    /// 2.3; Ericson, *Real-Time Collision Detection*, section 5.5.
    ///
    /// ```
    /// use geometry_core::{Obb, ObbMotion};
    /// use glam::{Mat3, Quat, Vec3};
    ///
    /// // A bar turns by a right angle and sweeps over a post that neither end pose touches.
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

    /// [`Obb::first_contact`], given up once it would be later than `limit`: for the first of many pairs, where a
    /// contact is known already. What it answers is what `first_contact` answers, or `None` where that is later.
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
        let mut pair = ExactPair::new(&a.start, &b.start);
        let start = pair.difference;
        let relative = b.velocity - a.velocity;
        let diagonal = |half: [f64; 3]| DVec3::from_array(half).length();
        let (corner_a, corner_b) = (diagonal(pair.half[0]), diagonal(pair.half[1]));
        // f32::max gives the other number for a NaN.
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
            // The speed of a corner along the direction is at most the angular speed across it times its distance.
            let turning = |spin: (DVec3, f64), corner: f64| spin.0.cross(direction).length() * spin.1 * corner;
            let speed = -direction.dot(relative) + turning(a.spin, corner_a) + turning(b.spin, corner_b);
            if speed <= 0.0 {
                return None;
            }
            time += gap / speed;
            // Rounded as the answer is, so that of contacts at one time none is lost.
            if time > 1.0 || time as f32 > limit {
                return None;
            }
        }
        None
    }
}

/// The widest gap along the 15 axes, normalized, and its direction from the first box to the second.
fn widest_gap(pair: &ExactPair) -> (f64, DVec3) {
    let mut best = (f64::NEG_INFINITY, DVec3::X);
    for axis in SatAxis::ALL {
        let direction = pair.direction(axis);
        let length = crate::math::sqrt(direction.length_squared());
        // Axes of moving boxes are rounded: a product below this has no direction.
        if length < 1.0e-9 {
            continue;
        }
        let along = direction.dot(pair.difference);
        let gap = (along.abs() - pair.radii(direction)) / length;
        if gap > best.0 {
            best = (gap, direction * (if along < 0.0 { -1.0 } else { 1.0 } / length));
        }
    }
    best
}

/// Axis and angle, between 0 and π, of a rotation matrix: by way of a quaternion, which is as good near half a turn.
fn axis_angle(turn: &DMat3) -> (DVec3, f64) {
    let [x, y, z, w] = unit_quaternion(turn);
    let along = DVec3::new(x, y, z);
    let sine = crate::math::sqrt(along.length_squared());
    // No turn at all has no axis.
    if sine == 0.0 { (DVec3::X, 0.0) } else { (along / sine, 2.0 * libm::atan2(sine, w)) }
}

fn mul(a: &DMat3, b: &DMat3) -> DMat3 {
    let column = |v: DVec3| a.x_axis * v.x + a.y_axis * v.y + a.z_axis * v.z;
    DMat3::from_cols(column(b.x_axis), column(b.y_axis), column(b.z_axis))
}
