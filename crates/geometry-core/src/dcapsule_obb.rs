//! Tests of capsules and spheres against oriented boxes, in `f64`: overlap, distance and depth.

use crate::dcapsule::{CROSSING, DCapsule, ShapeSeparation};
use crate::math::sqrt;
use crate::obb::{Obb, POINT_TOLERANCE};
use crate::round_obb::nearest_time;
use glam::DVec3;

/// A capsule's segment in a box's own coordinates.
struct LocalSegment {
    axes: [DVec3; 3],
    half: DVec3,
    /// The segment is `middle ± reach`.
    middle: DVec3,
    reach: DVec3,
}

impl LocalSegment {
    fn new(capsule: &DCapsule, center: DVec3, axes: [DVec3; 3], half: DVec3) -> Self {
        let local = |v: DVec3| DVec3::new(axes[0].dot(v), axes[1].dot(v), axes[2].dot(v));
        Self { axes, half, middle: local(capsule.center - center), reach: local(capsule.half_segment) }
    }

    /// Returns the point of the segment that is nearest to the box.
    fn nearest(&self) -> DVec3 {
        let (start, along) = (self.middle - self.reach, self.reach * 2.0);
        start + along * nearest_time(start, along, self.half)
    }

    fn to_space(&self, v: DVec3) -> DVec3 {
        self.axes[0] * v.x + self.axes[1] * v.y + self.axes[2] * v.z
    }
}

impl DCapsule {
    /// Returns `true` if the capsule and the box share a point. Touching counts; the test leans to `true` by
    /// [`POINT_TOLERANCE`] of both shapes' sizes.
    #[must_use]
    pub fn overlaps_obb(&self, one: &Obb) -> bool {
        let (center, axes, half) = parts(one);
        let local = LocalSegment::new(self, center, axes, half);
        let point = local.nearest();
        let apart = (point.abs() - local.half).max(DVec3::ZERO);
        let reach = self.radius + f64::from(POINT_TOLERANCE) * (f64::from(one.extent_sum()) + self.size());
        apart.length_squared() <= reach * reach
    }

    /// Returns the distance between the capsule and the box or the depth of their overlap, with its direction and
    /// place. The capsule is the first shape, the box the second shape.
    ///
    /// The depth is the least distance by which one of the shapes has to move until the two only touch. The error is at
    /// most [`POINT_TOLERANCE`] of both shapes' sizes.
    pub fn separation_from_obb(&self, one: &Obb) -> ShapeSeparation {
        let (center, axes, half) = parts(one);
        separation_from_box(self, center, axes, half)
    }
}

/// Returns [`DCapsule::separation_from_obb`] for a box with axes in `f64`.
pub(crate) fn separation_from_box(capsule: &DCapsule, center: DVec3, axes: [DVec3; 3], half: DVec3) -> ShapeSeparation {
    let local = LocalSegment::new(capsule, center, axes, half);
    let crossing = CROSSING * (capsule.size() + half.x + half.y + half.z);
    let point = local.nearest();
    let in_box = point.clamp(-half, half);
    let apart = in_box - point;
    let between = sqrt(apart.length_squared());
    if between > crossing {
        let direction = local.to_space(apart / between);
        let distance = between - capsule.radius;
        let half_way = point + apart / between * (0.5 * (capsule.radius + between));
        // The middle of the depth may lie behind a thin box.
        let half_way = if distance < 0.0 { half_way.clamp(-half, half) } else { half_way };
        return ShapeSeparation {
            distance,
            direction,
            point_a: center + local.to_space(point) + direction * capsule.radius,
            point_b: center + local.to_space(in_box),
            middle: center + local.to_space(half_way),
        };
    }
    let (depth, outward) = local.least_depth();
    let depth = depth.max(0.0) + capsule.radius;
    let direction = local.to_space(-outward);
    // The deepest end of the segment, or `point` if both ends are equally deep.
    let slope = local.reach.dot(outward);
    let deepest = if slope.abs() <= crossing { point } else { local.middle - local.reach * slope.signum() };
    let deepest = if deepest.abs().cmple(half).all() { deepest } else { point };
    let point_a = center + local.to_space(deepest) + direction * capsule.radius;
    let middle = center + local.to_space(deepest.clamp(-half, half));
    ShapeSeparation { distance: -depth, direction, point_a, point_b: point_a - direction * depth, middle }
}

fn parts(one: &Obb) -> (DVec3, [DVec3; 3], DVec3) {
    let axes = one.axes().as_dmat3();
    (one.center().as_dvec3(), [axes.x_axis, axes.y_axis, axes.z_axis], one.half_extents().as_dvec3())
}

impl LocalSegment {
    /// Returns the least distance by which the segment has to be moved out of the box, and the unit direction of that
    /// move.
    ///
    /// The box enlarged by the segment has faces across the box's axes, and across the cross products of these axes with the
    /// segment.
    fn least_depth(&self) -> (f64, DVec3) {
        let mut least = (f64::INFINITY, DVec3::Y);
        let mut consider = |normal: DVec3| {
            let along = normal.dot(self.middle);
            let depth = normal.abs().dot(self.half) + normal.dot(self.reach).abs() - along.abs();
            if depth < least.0 {
                least = (depth, if along < 0.0 { -normal } else { normal });
            }
        };
        DVec3::AXES.into_iter().for_each(&mut consider);
        let long = self.reach.length_squared();
        for axis in DVec3::AXES {
            let normal = axis.cross(self.reach);
            let square = normal.length_squared();
            // For a segment along the axis, the faces across the other two axes are the only faces.
            if square > 1e-24 * long {
                consider(normal / sqrt(square));
            }
        }
        least
    }
}
