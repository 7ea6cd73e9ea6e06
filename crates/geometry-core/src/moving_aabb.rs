//! Axis-aligned boxes that move: when two boxes overlap.

use crate::aabb::Aabb;
use crate::ray_obb::GRAZING;
use glam::Vec3;

/// The time during which two boxes overlap, both ends included, in the unit of time of the velocities. `enter ≤ leave`;
/// `leave` may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct TimeInterval {
    /// The first time at which the boxes overlap.
    pub enter: f32,
    /// The last time at which the boxes overlap.
    pub leave: f32,
}

/// An interval of times in `f64`, which shrinks axis by axis.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    pub(crate) enter: f64,
    pub(crate) leave: f64,
}

impl Times {
    /// All times from 0 on.
    pub(crate) const FROM_NOW: Self = Self { enter: 0.0, leave: f64::INFINITY };

    /// Keeps the times at which `|offset + velocity · t| ≤ reach`. Returns `false` if no time is left.
    ///
    /// A velocity of zero keeps all times or none, without a division by zero.
    #[inline]
    pub(crate) fn keep_near(&mut self, offset: f64, velocity: f64, reach: f64) -> bool {
        if velocity == 0.0 {
            return offset.abs() <= reach;
        }
        let inverse = 1.0 / velocity;
        let (middle, lasting) = (-offset * inverse, reach * inverse.abs());
        let (enter, leave) = (middle - lasting, middle + lasting);
        self.enter = if enter > self.enter { enter } else { self.enter };
        self.leave = if leave < self.leave { leave } else { self.leave };
        self.enter <= self.leave
    }

    pub(crate) fn interval(self) -> TimeInterval {
        TimeInterval { enter: self.enter as f32, leave: self.leave as f32 }
    }
}

/// Makes the interval, or returns `None` if it is empty. Boxes that only graze count as touching.
#[inline]
fn in_common(enter: f32, leave: f32) -> Option<TimeInterval> {
    if enter > leave + leave.abs() * GRAZING { None } else { Some(TimeInterval { enter, leave: leave.max(enter) }) }
}

impl Aabb {
    /// Returns the times during which two moving boxes overlap, or `None` if they never overlap. The boxes move with
    /// constant velocities from time 0 on.
    ///
    /// The boxes overlap along x, y and z during three intervals; the result is the common part of the three. If the
    /// boxes overlap at time 0, `enter` is 0. Without relative velocity, boxes overlap forever or never. Touching
    /// counts, even at a single instant. A static box has the velocity zero.
    ///
    /// The error of a time is a few roundings of the time and of the velocities' difference, at any distance from the
    /// origin. Boxes that only graze each other count as touching, even if rounding puts their first common time after
    /// their last by at most [`GRAZING`] (2⁻²¹) of that time. The empty box never overlaps, and a velocity that is not
    /// finite gives `None`.
    ///
    /// Source: Ericson, *Real-Time Collision Detection*, section 5.5.8.
    ///
    /// ```
    /// use geometry_core::Aabb;
    /// use glam::Vec3;
    ///
    /// // The gap is 0.5 and the speed is 3.
    /// let train = Aabb::new(Vec3::ZERO, Vec3::ONE);
    /// let wall = Aabb::new(Vec3::new(1.5, 0.0, 0.0), Vec3::new(2.0, 1.0, 1.0));
    /// let hit = train.overlap_times(Vec3::new(3.0, 0.0, 0.0), &wall, Vec3::ZERO).unwrap();
    /// assert!((hit.enter - 0.166_67).abs() < 1e-5);
    /// assert!((hit.leave - 0.666_67).abs() < 1e-5);
    /// assert!(train.overlap_times(Vec3::Y, &wall, Vec3::ZERO).is_none());
    /// ```
    #[must_use]
    pub fn overlap_times(&self, velocity: Vec3, other: &Self, other_velocity: Vec3) -> Option<TimeInterval> {
        let relative = other_velocity - velocity;
        let moves = relative.cmpne(Vec3::ZERO).all() & (relative * 0.0).cmpeq(Vec3::ZERO).all();
        let solid = self.min.cmple(self.max).all() & other.min.cmple(other.max).all();
        if moves & solid {
            // The code has no branches, because which end comes first is unpredictable, and one mispredicted branch
            // costs more than all three axes.
            let (ahead, behind) = (other.min - self.max, other.max - self.min);
            let (one, two) = (ahead / -relative, behind / -relative);
            let (first, last) = (one.min(two), one.max(two));
            return in_common(first.max_element().max(0.0), last.min_element());
        }
        if !(solid & velocity.is_finite() & other_velocity.is_finite()) {
            return None;
        }
        self.overlap_times_along_axes(relative, other)
    }

    /// Handles boxes without relative motion along some axis, without a division by zero.
    fn overlap_times_along_axes(&self, relative: Vec3, other: &Self) -> Option<TimeInterval> {
        let (mut enter, mut leave) = (0.0_f32, f32::INFINITY);
        for axis in 0..3 {
            // The gaps on both sides, as differences of coordinates: rounded once, with the right sign.
            let (ahead, behind) = (other.min[axis] - self.max[axis], other.max[axis] - self.min[axis]);
            let speed = relative[axis];
            if speed == 0.0 {
                if ahead > 0.0 || behind < 0.0 {
                    return None;
                }
                continue;
            }
            let (first, last) = if speed < 0.0 { (ahead, behind) } else { (behind, ahead) };
            enter = enter.max(first / -speed);
            leave = leave.min(last / -speed);
        }
        in_common(enter, leave)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit_at(x: f32, y: f32, z: f32) -> Aabb {
        let center = Vec3::new(x, y, z);
        Aabb::new(center - 0.5, center + 0.5)
    }

    #[test]
    fn gap_of_a_half_at_speed_three() {
        let hit = unit_at(0.0, 0.0, 0.0).overlap_times(Vec3::ZERO, &unit_at(-1.5, 0.0, 0.0), Vec3::X * 3.0);
        let hit = hit.expect("they meet");
        assert!((hit.enter - 0.5 / 3.0).abs() < 1e-6 && (hit.leave - 2.5 / 3.0).abs() < 1e-6);
    }

    #[test]
    fn zero_velocity_is_always_or_never() {
        let a = unit_at(0.0, 0.0, 0.0);
        assert_eq!(
            a.overlap_times(Vec3::X, &unit_at(1.0, 0.5, 0.0), Vec3::X),
            Some(TimeInterval { enter: 0.0, leave: f32::INFINITY })
        );
        assert_eq!(a.overlap_times(Vec3::X, &unit_at(1.1, 0.0, 0.0), Vec3::X), None);
        // The boxes do not move along y and have a gap there, so the motion along x does not matter.
        assert_eq!(a.overlap_times(Vec3::X, &unit_at(3.0, 2.0, 0.0), Vec3::ZERO), None);
    }

    #[test]
    fn parting_boxes_and_instants() {
        let a = unit_at(0.0, 0.0, 0.0);
        assert_eq!(a.overlap_times(Vec3::X, &unit_at(-2.0, 0.0, 0.0), Vec3::ZERO), None);
        let corner = a.overlap_times(Vec3::new(1.0, -1.0, 0.0), &unit_at(2.0, 0.0, 0.0), Vec3::ZERO);
        let corner = corner.expect("they touch in an edge for an instant");
        assert!((corner.enter - 1.0).abs() < 1e-6 && (corner.leave - 1.0).abs() < 1e-6);
        assert_eq!(a.overlap_times(Vec3::NAN, &a, Vec3::ZERO), None);
        assert_eq!(a.overlap_times(Vec3::X, &Aabb::EMPTY, Vec3::ZERO), None);
    }
}
