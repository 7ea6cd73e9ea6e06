//! Tests of rays against capsules and spheres.
//!
//! A capsule is convex and the union of two balls and a cylinder, so the ray is in the capsule from the first entry
//! into one of the three to the last exit. The computation is in `f64`. The discriminant is the squared radius minus
//! the squared distance of the center from the ray, which stays accurate far from the origin.

use crate::dcapsule::{DCapsule, ROUND_TOLERANCE, nearest_on_segment};
use crate::math::sqrt;
use crate::ray_obb::RayHit;
use crate::shapes::Ray;
use glam::DVec3;

/// The times at which a ray enters and leaves a shape.
type Interval = (f64, f64);

impl DCapsule {
    /// Returns the part of a ray inside the capsule, or `None` if the ray does not reach the capsule at a time `0 ≤ t ≤
    /// limit`. Times are multiples of the ray's direction; an infinite limit means no limit.
    ///
    /// Grazing counts: the radius that decides whether the ray hits is larger by [`ROUND_TOLERANCE`] of the capsule's
    /// size. A limit of NaN gives `None`.
    ///
    /// ```
    /// use geometry_core::{Capsule, DCapsule, Ray};
    /// use glam::Vec3;
    ///
    /// let post = DCapsule::from(&Capsule::try_new(Vec3::new(5.0, -1.0, 0.0), Vec3::new(5.0, 1.0, 0.0), 0.5)?);
    /// let hit = post.cast_ray(&Ray::try_new(Vec3::ZERO, Vec3::X)?, f32::INFINITY).unwrap();
    /// assert_eq!((hit.entry, hit.exit, hit.normal), (4.5, 5.5, Some(Vec3::NEG_X)));
    /// assert!(post.cast_ray(&Ray::try_new(Vec3::Y * 1.6, Vec3::X)?, f32::INFINITY).is_none());
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, limit: f32) -> Option<RayHit> {
        let origin = ray.origin().as_dvec3() - self.center;
        let direction = ray.direction().as_dvec3();
        let radius = self.radius + ROUND_TOLERANCE * self.size();
        let (entry, exit) = self.interval(origin, direction, radius)?;
        let limit = f64::from(limit);
        // The condition is written so that a limit of NaN gives `None`.
        if !(exit >= 0.0 && entry <= limit && limit >= 0.0) {
            return None;
        }
        // The times are those of the capsule with its own radius; if the ray misses this capsule, those of the larger
        // capsule.
        let (entry, exit) = self.interval(origin, direction, self.radius).unwrap_or((entry, exit));
        if entry <= 0.0 {
            return Some(RayHit { entry: 0.0, exit: exit.max(0.0) as f32, normal: None });
        }
        let entry = entry.min(limit);
        let at = origin + direction * entry;
        let outward = at - nearest_on_segment(self.half_segment, at);
        let length = sqrt(outward.length_squared());
        // A capsule without thickness has no faces, so the normal is opposite to the ray.
        let normal = if length > 0.0 { outward / length } else { -direction / sqrt(direction.length_squared()) };
        Some(RayHit { entry: entry as f32, exit: exit.max(entry) as f32, normal: Some(normal.as_vec3()) })
    }

    /// Returns the times in the capsule with this radius. `origin` is relative to the capsule's center.
    fn interval(&self, origin: DVec3, direction: DVec3, radius: f64) -> Option<Interval> {
        let half = self.half_segment;
        if half == DVec3::ZERO {
            return ball(origin, direction, radius);
        }
        let caps = [ball(origin - half, direction, radius), ball(origin + half, direction, radius)];
        let parts = caps.into_iter().chain([cylinder(half, origin, direction, radius)]).flatten();
        parts.reduce(|all, part| (all.0.min(part.0), all.1.max(part.1)))
    }
}

/// Returns the times in the ball with this radius around the origin.
fn ball(origin: DVec3, direction: DVec3, radius: f64) -> Option<Interval> {
    let speed = direction.length_squared();
    let middle = -origin.dot(direction) / speed;
    let nearest = origin + direction * middle;
    let room = radius * radius - nearest.length_squared();
    (room >= 0.0).then(|| {
        let reach = sqrt(room / speed);
        (middle - reach, middle + reach)
    })
}

/// Returns the times in the cylinder with this radius around the segment `± half`, without the balls at its ends.
fn cylinder(half: DVec3, origin: DVec3, direction: DVec3, radius: f64) -> Option<Interval> {
    let long = sqrt(half.length_squared());
    let axis = half / long;
    let (height, climb) = (origin.dot(axis), direction.dot(axis));
    let (across, speed) = (origin - axis * height, direction - axis * climb);
    let (mut entry, mut exit) = if speed == DVec3::ZERO {
        (across.length_squared() <= radius * radius).then_some((f64::NEG_INFINITY, f64::INFINITY))?
    } else {
        ball(across, speed, radius)?
    };
    if climb == 0.0 {
        return (height.abs() <= long).then_some((entry, exit));
    }
    let (low, high) = ((-long - height) / climb, (long - height) / climb);
    (entry, exit) = (entry.max(low.min(high)), exit.min(low.max(high)));
    (entry <= exit).then_some((entry, exit))
}
