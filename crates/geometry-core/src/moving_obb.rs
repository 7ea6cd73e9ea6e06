//! Oriented boxes that move: when two boxes overlap, and their first contact.

use crate::math::sqrt;
use crate::moving_aabb::{TimeInterval, Times};
use crate::obb::Obb;
use crate::sat_obb_obb::{ExactPair, SatAxis};
use glam::{DMat3, DVec3, Vec3};

/// The largest number of steps of [`Obb::first_contact`]. After that many steps the search stops and reports the
/// remaining gap.
///
/// No step is shorter than three quarters of the tolerance divided by the greatest speed of two corners relative to each other.
/// So with a relative tolerance of 1e-4, boxes that turn by less than half a turn and move by a few of their sizes never reach
/// this limit. Steps as short as that bound are rare, because they need a gap between edges that are nearly parallel.
pub const MAX_STEPS: u32 = 100_000;

/// The smallest relative tolerance of [`Obb::first_contact`]; smaller arguments are raised to it.
pub const LEAST_CONTACT_TOLERANCE: f32 = 1.0e-6;

/// The first contact of two moving shapes, from [`Obb::first_contact`], [`ObbMotion::first_contact_of`] or
/// [`MovingShape::first_contact`](crate::MovingShape::first_contact).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct FirstContact {
    /// The time of the contact, from 0 (the first poses) to 1 (the last poses). The shapes do not touch before this
    /// time.
    pub time: f32,
    /// A unit vector from the first shape toward the second, along which the shapes meet.
    pub direction: Vec3,
    /// The remaining gap along `direction`, in the shapes' unit; zero if the shapes already overlap.
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
        Self { start: *start, velocity: velocity(start, end), spin: turn(&axes(start), &axes(end)) }
    }

    /// Writes [`ObbMotion::between`] of each pair of poses into `motions`, to the same bits. The three slices have equal
    /// lengths. The function is inlined, so the compiler uses the instructions that the caller has enabled
    /// (`#[target_feature]`).
    // Public only because the crate `runtime` inlines it into its kernels.
    #[doc(hidden)]
    #[inline(always)]
    pub fn between_each_inlined(starts: &[Obb], ends: &[Obb], motions: &mut [Self]) {
        const LANES: usize = 8;
        let mut rows = [[[0.0; LANES]; 9]; 2];
        let mut spins = [[0.0; LANES]; 4];
        for ((starts, ends), motions) in starts.chunks(LANES).zip(ends.chunks(LANES)).zip(motions.chunks_mut(LANES)) {
            for (rows, poses) in rows.iter_mut().zip([starts, ends]) {
                for (lane, pose) in poses.iter().enumerate() {
                    for (row, number) in rows.iter_mut().zip(pose.axes().to_cols_array()) {
                        row[lane] = f64::from(number);
                    }
                }
            }
            let [first, last] = &rows;
            for lane in 0..LANES {
                let vector = |rows: &[[f64; LANES]; 9], at: usize| {
                    DVec3::new(rows[at][lane], rows[at + 1][lane], rows[at + 2][lane])
                };
                let axes = |rows: &[[f64; LANES]; 9]| [vector(rows, 0), vector(rows, 3), vector(rows, 6)];
                let (axis, angle) = turn(&axes(first), &axes(last));
                spins[0][lane] = axis.x;
                spins[1][lane] = axis.y;
                spins[2][lane] = axis.z;
                spins[3][lane] = angle;
            }
            for (lane, (motion, (start, end))) in motions.iter_mut().zip(starts.iter().zip(ends)).enumerate() {
                let [x, y, z, angle] = spins.map(|row| row[lane]);
                let spin = (DVec3::new(x, y, z), angle);
                *motion = Self { start: *start, velocity: velocity(start, end), spin };
            }
        }
    }

    /// Makes the motion of a box that does not move.
    pub fn still(obb: &Obb) -> Self {
        Self { start: *obb, velocity: DVec3::ZERO, spin: (DVec3::X, 0.0) }
    }

    /// The box at `time`, from 0 (the first pose) to 1 (the last pose); other times are clamped.
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

    /// Returns `true` if the box does not turn.
    pub(crate) fn is_straight(&self) -> bool {
        self.spin.1 == 0.0
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

    /// The axes at `time`: Rodrigues' rotation of the first pose's axes.
    pub(crate) fn axes_at(&self, time: f64) -> [DVec3; 3] {
        let axes = self.start.axes().as_dmat3();
        self.turned([axes.x_axis, axes.y_axis, axes.z_axis], time)
    }

    /// The rotation from the first pose to the pose at `time`.
    pub(crate) fn rotation_at(&self, time: f64) -> DMat3 {
        let [x, y, z] = self.turned(DVec3::AXES, time);
        DMat3::from_cols(x, y, z)
    }

    fn turned(&self, columns: [DVec3; 3], time: f64) -> [DVec3; 3] {
        let (axis, angle) = self.spin;
        if angle == 0.0 {
            return columns;
        }
        let (sin, cos) = if time == 0.0 { (0.0, 1.0) } else { libm::sincos(angle * time) };
        columns.map(|v| v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos)))
    }
}

impl Obb {
    /// Returns the times during which two moving boxes overlap, or `None` if they never overlap. The boxes move with
    /// constant velocities from time 0 on, and do not turn.
    ///
    /// Along each of the 15 axes the boxes overlap during an interval of times; the result is the common part of all
    /// intervals. The test leans to contact by the rounding of `f64`. If the boxes overlap at time 0, `enter` is 0.
    /// Touching counts, even at a single instant. A velocity that is not finite gives `None`.
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
}

fn velocity(start: &Obb, end: &Obb) -> DVec3 {
    end.center().as_dvec3() - start.center().as_dvec3()
}

fn axes(obb: &Obb) -> [DVec3; 3] {
    let axes = obb.axes();
    [axes.x_axis.as_dvec3(), axes.y_axis.as_dvec3(), axes.z_axis.as_dvec3()]
}

/// The axis and the angle, from 0 to π, of the rotation that turns one frame into another. The computation goes through a
/// quaternion, which stays accurate near half a turn. It has no branches, so that a loop over many rotations becomes
/// vectors.
#[inline(always)]
fn turn(from: &[DVec3; 3], to: &[DVec3; 3]) -> (DVec3, f64) {
    let row = |from: [f64; 3]| to[0] * from[0] + to[1] * from[1] + to[2] * from[2];
    // The columns of the rotation matrix.
    let x = row([from[0].x, from[1].x, from[2].x]);
    let y = row([from[0].y, from[1].y, from[2].y]);
    let z = row([from[0].z, from[1].z, from[2].z]);
    // Shepperd, *Quaternion from Rotation Matrix* (1978): each of the four is the quaternion times four times one of its
    // components. The product with the largest component is accurate.
    let [by_w, by_x, by_y, by_z] =
        [1.0 + x.x + y.y + z.z, 1.0 + x.x - y.y - z.z, 1.0 - x.x + y.y - z.z, 1.0 - x.x - y.y + z.z];
    let (wx, wy, wz) = (y.z - z.y, z.x - x.z, x.y - y.x);
    let (xy, xz, yz) = (y.x + x.y, x.z + z.x, z.y + y.z);
    let best = Multiple { by: by_w, w: by_w, v: DVec3::new(wx, wy, wz) };
    let best = best.or_larger(Multiple { by: by_x, w: wx, v: DVec3::new(by_x, xy, xz) });
    let best = best.or_larger(Multiple { by: by_y, w: wy, v: DVec3::new(xy, by_y, yz) });
    let Multiple { w, v, .. } = best.or_larger(Multiple { by: by_z, w: wz, v: DVec3::new(xz, yz, by_z) });
    let square = v.dot(v);
    let sine = sqrt(square);
    // The tangents of a quarter and of an eighth of the angle. The second tangent is at most 0.415.
    let quarter = sine / (sqrt(square + w * w) + w.abs());
    let eighth = quarter / (1.0 + sqrt(1.0 + quarter * quarter));
    let over_sine = if w < 0.0 { -1.0 } else { 1.0 } / sine;
    // A rotation by the angle zero has no axis.
    let turns = sine > 0.0;
    let axis = DVec3::new(
        if turns { v.x * over_sine } else { 1.0 },
        if turns { v.y * over_sine } else { 0.0 },
        if turns { v.z * over_sine } else { 0.0 },
    );
    (axis, 8.0 * arc_tangent(eighth))
}

/// A quaternion times four times one of its components, and the square of that.
#[derive(Clone, Copy)]
struct Multiple {
    by: f64,
    w: f64,
    v: DVec3,
}

impl Multiple {
    #[inline(always)]
    fn or_larger(self, other: Self) -> Self {
        let larger = other.by > self.by;
        let either = |a: f64, b: f64| if larger { b } else { a };
        Self {
            by: either(self.by, other.by),
            w: either(self.w, other.w),
            v: DVec3::new(either(self.v.x, other.v.x), either(self.v.y, other.v.y), either(self.v.z, other.v.z)),
        }
    }
}

/// The arc tangent of a number from 0 to 0.415, to 1e-11: the first terms of its series.
#[inline(always)]
fn arc_tangent(x: f64) -> f64 {
    let y = x * x;
    let high =
        1.0 / 13.0 - y * (1.0 / 15.0 - y * (1.0 / 17.0 - y * (1.0 / 19.0 - y * (1.0 / 21.0 - y * (1.0 / 23.0)))));
    let low = 1.0 / 7.0 - y * (1.0 / 9.0 - y * (1.0 / 11.0 - y * high));
    x * (1.0 - y * (1.0 / 3.0 - y * (1.0 / 5.0 - y * low)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed_obb::unit_quaternion;

    #[test]
    fn turns_are_those_of_quaternions() {
        let from = DMat3::from_quat(glam::DQuat::from_xyzw(0.1, -0.5, 0.3, 0.8).normalize());
        for k in 0..=300 {
            let way = glam::DQuat::from_axis_angle(DVec3::new(2.0, -3.0, 6.0) / 7.0, f64::from(k) * 0.01);
            let to = DMat3::from_quat(way) * from;
            let columns = |m: &DMat3| [m.x_axis, m.y_axis, m.z_axis];
            let (axis, angle) = turn(&columns(&from), &columns(&to));
            let [x, y, z, w] = unit_quaternion(&(to * from.transpose()));
            let along = DVec3::new(x, y, z);
            assert!((angle - 2.0 * libm::atan2(along.length(), w)).abs() < 1e-9, "{k} {angle}");
            assert!(k == 0 || (axis * along.length() - along).length() < 1e-9, "{k} {axis}");
        }
        let still = [DVec3::X, DVec3::Y, DVec3::Z];
        assert_eq!(turn(&still, &still), (DVec3::X, 0.0));
    }
}
