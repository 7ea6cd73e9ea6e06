//! Rays and segments against boxes, by the slab method.
//!
//! A box is the common part of three slabs, the regions between parallel planes. A ray enters the box when it has
//! entered all three slabs, and leaves it when it leaves the first. Times are computed in `f64`, so that the hit of a
//! far ray on a small box is accurate. A ray that runs along a face, or touches only an edge or a corner, hits. So half
//! extents widened by [`POINT_TOLERANCE`] times their sum decide whether the ray hits. The times come from the stored
//! half extents.
//!
//! Source: Kay and Kajiya, *Ray Tracing Complex Scenes*, SIGGRAPH 1986, section 3; Ericson, *Real-Time Collision
//! Detection*, section 5.3.3.

use crate::aabb::Aabb;
use crate::obb::{Obb, POINT_TOLERANCE};
use crate::shapes::{Ray, Segment};
use glam::{DVec3, Vec3};

/// The largest time by which rounding may put a grazing ray's entry into an axis-aligned box after its exit, as a share
/// of the exit time. No unit.
pub const GRAZING: f32 = 1.0 / 2_097_152.0;

/// The part of a ray inside a shape: a box, a capsule, a sphere or a hull.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct RayHit {
    /// The time of the first point in the shape, a multiple of the ray's direction; zero if the ray starts in the
    /// shape.
    pub entry: f32,
    /// The time of the last point in the shape, a multiple of the ray's direction; at least `entry`. It may be later
    /// than the limit of the query.
    pub exit: f32,
    /// The outward unit normal of the surface where the ray enters; `None` if the ray starts in the shape.
    pub normal: Option<Vec3>,
}

impl RayHit {
    /// Returns true if the ray starts in the shape or on its surface.
    #[must_use]
    pub fn started_inside(&self) -> bool {
        self.normal.is_none()
    }
}

/// A hit in the box's own coordinates: times, and the axis and the sign of the entered face.
pub(crate) struct SlabHit {
    pub(crate) entry: f64,
    pub(crate) exit: f64,
    pub(crate) face: Option<(usize, f64)>,
}

/// The slab method for a box around the origin.
#[inline]
pub(crate) fn cast_slabs(
    origin: [f64; 3],
    direction: [f64; 3],
    half: [f64; 3],
    slack: f64,
    limit: f64,
) -> Option<SlabHit> {
    let is_outside = |k: usize| direction[k] == 0.0 && origin[k].abs() > half[k] + slack;
    if is_outside(0) || is_outside(1) || is_outside(2) {
        return None;
    }
    // Slabs widened by `slack` decide whether the ray hits. The times are those at the stored faces. No branch depends on
    // which slab is first or last, because the processor could not predict it.
    let (mut first, mut last) = (f64::NEG_INFINITY, f64::INFINITY);
    let (mut near, mut far) = (0.0, f64::INFINITY);
    let (mut axis, mut toward) = (0, 1.0);
    for k in 0..3 {
        // For a ray along the slab, the times are infinite or NaN, and no comparison is true.
        let inverse = 1.0 / direction[k];
        let (middle, speed) = (-origin[k] * inverse, inverse.abs());
        let (reach, widened) = (half[k] * speed, (half[k] + slack) * speed);
        let (enter, leave) = (middle - widened, middle + widened);
        near = if enter > first { middle - reach } else { near };
        toward = if enter > first { inverse } else { toward };
        axis = if enter > first { k } else { axis };
        first = if enter > first { enter } else { first };
        far = if leave < last { middle + reach } else { far };
        last = if leave < last { leave } else { last };
    }
    // The condition is written so that a limit of NaN gives `None`.
    if !(first <= last && first <= limit && last >= 0.0 && limit >= 0.0) {
        return None;
    }
    if first <= 0.0 {
        return Some(SlabHit { entry: 0.0, exit: far.max(0.0), face: None });
    }
    let entry = near.max(0.0).min(limit);
    let face = (axis, if toward > 0.0 { -1.0 } else { 1.0 });
    Some(SlabHit { entry, exit: far.max(entry), face: Some(face) })
}

impl Obb {
    /// Returns the part of a ray inside the box, or `None` if the ray does not reach the box at a time `0 ≤ t ≤ limit`.
    /// Times are multiples of the ray's direction; an infinite limit means no limit.
    ///
    /// A ray that runs along a face, or touches only an edge or a corner, hits. A limit of NaN gives `None`.
    ///
    /// ```
    /// use geometry_core::{Obb, Ray};
    /// use glam::{Mat3, Vec3};
    ///
    /// let target = Obb::new(Vec3::new(10.0, 0.0, 0.0), Vec3::ONE, Mat3::IDENTITY);
    /// let shot = Ray::try_new(Vec3::ZERO, Vec3::X)?;
    /// let hit = target.cast_ray(&shot, f32::INFINITY).unwrap();
    /// assert_eq!((hit.entry, hit.exit, hit.normal), (9.0, 11.0, Some(-Vec3::X)));
    /// assert!(target.cast_ray(&shot, 8.0).is_none());
    /// let from_within = Ray::try_new(target.center(), Vec3::Y)?;
    /// assert!(target.cast_ray(&from_within, 1.0).unwrap().started_inside());
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn cast_ray(&self, ray: &Ray, limit: f32) -> Option<RayHit> {
        let axes = self.axes().as_dmat3();
        let (offset, direction) = (ray.origin.as_dvec3() - self.center().as_dvec3(), ray.direction.as_dvec3());
        let local = |v: DVec3| [axes.x_axis.dot(v), axes.y_axis.dot(v), axes.z_axis.dot(v)];
        let half = self.half_extents().as_dvec3().to_array();
        let slack = f64::from(self.extent_sum() * POINT_TOLERANCE);
        let hit = cast_slabs(local(offset), local(direction), half, slack, f64::from(limit))?;
        let columns: [Vec3; 3] = self.axes().to_cols_array_2d().map(Vec3::from);
        let normal = hit.face.map(|(axis, sign)| columns[axis] * sign as f32);
        Some(RayHit { entry: hit.entry as f32, exit: hit.exit as f32, normal })
    }

    /// Returns true if the segment and the box share a point. Touching counts; the test leans to `true` by
    /// [`POINT_TOLERANCE`] times the sum of the half extents.
    ///
    /// The test uses six separating axes in `f64`, without a division: the box's axes, and their cross products with
    /// the segment.
    ///
    /// Source: Ericson, *Real-Time Collision Detection*, section 5.3.3.
    ///
    /// ```
    /// use geometry_core::{Obb, Segment};
    /// use glam::{Mat3, Vec3};
    ///
    /// let wall = Obb::new(Vec3::ZERO, Vec3::new(5.0, 5.0, 0.1), Mat3::IDENTITY);
    /// assert!(wall.overlaps_segment(&Segment::try_new(Vec3::ZERO, Vec3::Z)?));
    /// assert!(!wall.overlaps_segment(&Segment::try_new(Vec3::Z * 0.2, Vec3::Z)?));
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    pub fn overlaps_segment(&self, segment: &Segment) -> bool {
        let axes = self.axes().as_dmat3();
        let local = |v: DVec3| DVec3::new(axes.x_axis.dot(v), axes.y_axis.dot(v), axes.z_axis.dot(v));
        let (start, end) = (segment.start.as_dvec3(), segment.end.as_dvec3());
        let (middle, reach) = (local((start + end) * 0.5 - self.center().as_dvec3()), local((end - start) * 0.5));
        let half = self.half_extents().as_dvec3() + f64::from(self.extent_sum() * POINT_TOLERANCE);
        let (far, span) = (middle.abs(), reach.abs());
        if far.x > half.x + span.x || far.y > half.y + span.y || far.z > half.z + span.z {
            return false;
        }
        // The cross products of the segment with the box's axes. If the segment is parallel to an axis, their cross
        // product is zero and separates nothing.
        let turned = middle.cross(reach).abs();
        turned.x <= half.y * span.z + half.z * span.y
            && turned.y <= half.z * span.x + half.x * span.z
            && turned.z <= half.x * span.y + half.y * span.x
    }
}

impl Aabb {
    /// Returns the part of a ray inside the box, or `None` if the ray does not reach the box at a time `0 ≤ t ≤ limit`. Times are
    /// multiples of the ray's direction; an infinite limit means no limit. A ray never hits the empty box. A limit of NaN gives
    /// `None`.
    ///
    /// A ray that grazes the box hits: a ray along a face, and a ray that passes an edge or a corner very closely. Such
    /// a ray may enter the last slab after it has left the first slab, by at most 2⁻²¹ of the time of exit. Differences
    /// of coordinates are rounded once, so times have a relative error of a few roundings at any distance from the
    /// origin.
    ///
    /// Source of the wider exit: Ize, *Robust BVH Ray Traversal*, Journal of Computer Graphics Techniques 2(2), 2013.
    ///
    /// ```
    /// use geometry_core::{Aabb, Ray};
    /// use glam::Vec3;
    ///
    /// let room = Aabb::new(Vec3::ZERO, Vec3::ONE);
    /// let along_an_edge = Ray::try_new(Vec3::new(-1.0, 1.0, 1.0), Vec3::X)?;
    /// assert_eq!(room.cast_ray(&along_an_edge, 10.0).unwrap().entry, 1.0);
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, limit: f32) -> Option<RayHit> {
        if self.is_empty() {
            return None;
        }
        let (mut entry, mut exit) = (f32::NEG_INFINITY, f32::INFINITY);
        let mut face = (0, 1.0);
        for axis in 0..3 {
            let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
            let (low, high) = (self.min[axis] - origin, self.max[axis] - origin);
            if direction == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let forward = direction > 0.0;
            let (near, far) = if forward { (low, high) } else { (high, low) };
            let (near, far) = (near / direction, far / direction);
            if near > entry {
                (entry, face) = (near, (axis, if forward { -1.0 } else { 1.0 }));
            }
            exit = if far < exit { far } else { exit };
        }
        // Each side has up to three roundings; the factor covers more than twice as many.
        // The condition is written so that a limit of NaN gives `None`.
        if entry > exit + exit.abs() * GRAZING || exit < 0.0 || !(entry <= limit && limit >= 0.0) {
            return None;
        }
        if entry <= 0.0 {
            return Some(RayHit { entry: 0.0, exit, normal: None });
        }
        Some(RayHit { entry, exit: exit.max(entry), normal: Some(Vec3::AXES[face.0] * face.1) })
    }
}
