//! Distances from oriented boxes to points, spheres and capsules.

use crate::obb::{Obb, POINT_TOLERANCE};
use crate::shapes::{Capsule, Segment, Sphere};
use glam::{DVec3, Vec3};

impl Obb {
    /// Returns the point of the box that is nearest to `point`. If `point` is inside, the result is `point` itself, up
    /// to rounding.
    ///
    /// The error is a few `f32` roundings of the box's size and coordinates.
    ///
    /// Source: Ericson, *Real-Time Collision Detection*, section 5.1.4.
    ///
    /// ```
    /// use geometry_core::Obb;
    /// use glam::{Mat3, Vec3};
    ///
    /// let cube = Obb::new(Vec3::ZERO, Vec3::ONE, Mat3::IDENTITY);
    /// assert_eq!(cube.closest_point(Vec3::new(3.0, 0.5, -2.0)), Vec3::new(1.0, 0.5, -1.0));
    /// ```
    #[must_use]
    pub fn closest_point(&self, point: Vec3) -> Vec3 {
        let half = self.half_extents();
        let local = self.to_local(point).clamp(-half, half);
        let axes = self.axes();
        self.center() + (axes.x_axis * local.x + axes.y_axis * local.y + axes.z_axis * local.z)
    }

    /// Returns the distance from the box to a point, zero inside the box.
    ///
    /// The error is at most 2e-6 of the distance plus 2e-6 of the sum of the half extents.
    ///
    /// ```
    /// use geometry_core::Obb;
    /// use glam::{Mat3, Vec3};
    ///
    /// let cube = Obb::new(Vec3::ZERO, Vec3::ONE, Mat3::IDENTITY);
    /// assert_eq!(cube.distance(Vec3::new(4.0, 5.0, 0.0)), 5.0);
    /// assert_eq!(cube.distance(Vec3::new(0.2, 0.0, 1.0)), 0.0);
    /// ```
    #[must_use]
    pub fn distance(&self, point: Vec3) -> f32 {
        (self.to_local(point).abs() - self.half_extents()).max(Vec3::ZERO).length()
    }

    /// Returns `true` if the sphere and the box share a point.
    ///
    /// Touching counts. The test leans to `true` by [`POINT_TOLERANCE`] times the sum of the half extents and the
    /// radius.
    ///
    /// Source: Arvo, *A Simple Method for Box-Sphere Intersection Testing*, Graphics Gems (1990), VI.
    ///
    /// ```
    /// use geometry_core::{Obb, Sphere};
    /// use glam::{Mat3, Vec3};
    ///
    /// let cube = Obb::new(Vec3::ZERO, Vec3::ONE, Mat3::IDENTITY);
    /// assert!(cube.overlaps_sphere(&Sphere::try_new(Vec3::X * 3.0, 2.0)?));
    /// assert!(!cube.overlaps_sphere(&Sphere::try_new(Vec3::X * 3.0, 1.999)?));
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn overlaps_sphere(&self, sphere: &Sphere) -> bool {
        let excess = (self.to_local(sphere.center).abs() - self.half_extents()).max(Vec3::ZERO);
        let reach = sphere.radius + (self.extent_sum() + sphere.radius) * POINT_TOLERANCE;
        excess.length_squared() <= reach * reach
    }

    /// Returns `true` if the capsule and the box share a point.
    ///
    /// Touching counts. The test leans to `true` by [`POINT_TOLERANCE`] times the sum of the half extents and the
    /// radius. It computes [`Obb::distance_to_segment`].
    ///
    /// ```
    /// use geometry_core::{Capsule, Obb};
    /// use glam::{Mat3, Vec3};
    ///
    /// let step = Obb::new(Vec3::ZERO, Vec3::new(1.0, 0.2, 1.0), Mat3::IDENTITY);
    /// let leg = Capsule::try_new(Vec3::new(1.3, 0.4, 0.0), Vec3::new(1.3, 2.0, 0.0), 0.37)?;
    /// assert!(step.overlaps_capsule(&leg));
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    pub fn overlaps_capsule(&self, capsule: &Capsule) -> bool {
        let reach = f64::from(capsule.radius)
            + (f64::from(self.extent_sum()) + f64::from(capsule.radius)) * f64::from(POINT_TOLERANCE);
        squared_distance_to_segment(self, &capsule.segment) <= reach * reach
    }

    /// Returns the distance from the box to a segment, zero if they share a point.
    ///
    /// Let a point move along the segment. Its squared distance from the box is a convex function of time, and a
    /// quadratic function between the times at which the point crosses a plane of the box's faces. There are at most
    /// six such times. The method evaluates the slope at them, and the one piece where the slope changes its sign has a
    /// minimum in closed form. So there is no iteration and no special case. The computation is in `f64`. The error is
    /// at most 1e-6 of the sum of the box's size and the distance.
    ///
    /// ```
    /// use geometry_core::{Obb, Segment};
    /// use glam::{Mat3, Vec3};
    ///
    /// let cube = Obb::new(Vec3::ZERO, Vec3::ONE, Mat3::IDENTITY);
    /// let passing = Segment::try_new(Vec3::new(-3.0, 2.0, 0.0), Vec3::new(3.0, 2.0, 0.0))?;
    /// assert_eq!(cube.distance_to_segment(&passing), 1.0);
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    pub fn distance_to_segment(&self, segment: &Segment) -> f32 {
        crate::math::sqrt(squared_distance_to_segment(self, segment)) as f32
    }
}

/// Returns the square of [`Obb::distance_to_segment`].
fn squared_distance_to_segment(obb: &Obb, segment: &Segment) -> f64 {
    let axes = obb.axes().as_dmat3();
    let local = |v: DVec3| DVec3::new(axes.x_axis.dot(v), axes.y_axis.dot(v), axes.z_axis.dot(v));
    let start = local(segment.start.as_dvec3() - obb.center().as_dvec3());
    let along = local(segment.end.as_dvec3() - segment.start.as_dvec3());
    let half = obb.half_extents().as_dvec3();
    let at = start + along * nearest_time(start, along, half);
    (at - at.clamp(-half, half)).length_squared()
}

/// Returns the time, from 0 to 1, at which a point that moves from `start` by `along` is nearest to a box around the
/// origin.
///
/// See [`Obb::distance_to_segment`].
pub(crate) fn nearest_time(start: DVec3, along: DVec3, half: DVec3) -> f64 {
    let excess = |time: f64| {
        let at = start + along * time;
        at - at.clamp(-half, half)
    };
    // Half the derivative of the squared distance. It never decreases.
    let slope = |time: f64| excess(time).dot(along);

    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    let (mut slope_low, mut slope_high) = (slope(low), slope(high));
    if slope_low >= 0.0 {
        return low;
    }
    if slope_high <= 0.0 {
        return high;
    }
    // Shrink the interval until it contains no crossing.
    for k in 0..3 {
        for bound in [-half[k], half[k]] {
            let time = (bound - start[k]) / along[k];
            // The condition is also false for the NaN and infinities of a motion parallel to the face.
            if time > low && time < high {
                let here = slope(time);
                if here <= 0.0 { (low, slope_low) = (time, here) } else { (high, slope_high) = (time, here) }
            }
        }
    }
    // The slope is linear from `low` to `high`, at most zero at `low` and positive at `high`.
    low + (high - low) * (slope_low / (slope_low - slope_high))
}
