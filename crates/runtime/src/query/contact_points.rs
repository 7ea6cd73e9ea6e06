//! The points of a contact of two boxes.
//!
//! The points are computed in `f64`, along the axes of one of the two boxes (the *first* box, which has the face that is hit), and
//! relative to its center. So a point does not depend on the distance of the boxes from the origin until it is rounded to `f32`.
//!
//! - **A face of a box against the other box.** The face of the second box that faces the first box most directly is clipped by the
//!   sides of the first box (Ericson, *Real-Time Collision Detection*, section 5.5.10). Above or below each corner of the rest is a line
//!   along the normal. Where the boxes overlap, the point is the middle of the part of this line that both boxes share. Where they
//!   are apart, it is the middle of the gap.
//! - **Two edges that cross.** The middle of the nearest points of the two edges, not of the two lines through them: lines that are nearly
//!   parallel meet far away.
//! - **Everything else.** Deep in each other, boxes may share no point near the face or the edges of the least depth. Then the
//!   point is the mean of the corners of the other box's faces, clipped by all sides of the first box. For boxes that are
//!   apart, it is half way between the nearest points.
//!
//! # Derivation of the bound
//!
//! Let `S` be the sum of all six half extents. A box is the set that its stored axes span, and points of this set leave the box
//! along the stored axes by at most [`ORTHONORMAL_TOLERANCE`] `· S` (1e-6). Points of overlapping boxes lie in the sets, or within [`SLACK`]
//! of them: 2⁻²¹ `S`. The sum is below [`POINT_TOLERANCE`] `· S` (2⁻¹⁹).
//!
//! Points of boxes that are apart lie on the line of a gap. A corner of a clipped face is at most two gaps above the other face, so its
//! point is within one gap of both boxes. If there is no such corner, each of the nearest points is at half of the
//! distance, and the distance is at most `√3` times the widest gap: the Minkowski difference of two boxes has face normals that
//! are never more than a right angle apart where faces meet.

use super::box_distance::nearest_points;
#[cfg(doc)]
use geometry_core::tolerances::{ORTHONORMAL_TOLERANCE, POINT_TOLERANCE};
use geometry_core::triangle::ClosestPoints;
use geometry_core::{Obb, SatAxis, Separation, closest_on_segments, size_sum};
use glam::{DMat3, DVec3, Vec3};

/// The largest number of points of a contact: a rectangle cut by five planes has at most nine corners.
pub(super) const MAX_POINTS: usize = 9;

/// The distance from a box within which a point counts as a point of the box, as a share of the sum of all half extents.
const SLACK: f64 = 1.0 / 2_097_152.0;

/// The distance by which the sides of a box are moved outward before they clip a face, as a share of the sum of all half extents.
/// [`Obb::overlaps`] lets a gap of 2⁻⁴⁵ pass, and rounding moves corners by less.
const CLIP_SLACK: f64 = 1.0 / (1_u64 << 40) as f64;

/// Some points of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Points {
    points: [Vec3; MAX_POINTS],
    count: usize,
}

impl Points {
    const NONE: Self = Self { points: [Vec3::ZERO; MAX_POINTS], count: 0 };

    pub(super) fn one(point: DVec3) -> Self {
        let mut points = Self::NONE;
        points.push(point);
        points
    }

    fn push(&mut self, point: DVec3) {
        // A convex polygon gains at most one corner per plane that cuts it, but rounding can break this rule.
        if let Some(place) = self.points.get_mut(self.count) {
            *place = point.as_vec3();
            self.count += 1;
        }
    }

    /// The points of two boxes, in the space of the boxes. `separation` is that of `a` and `b`.
    pub(super) fn of_boxes(a: &Obb, b: &Obb, separation: &Separation) -> Self {
        let direction = separation.direction;
        let found = match separation.axis {
            SatAxis::FaceA(axis) => BoxBefore::new(a, b).face_points(usize::from(axis), direction, separation),
            SatAxis::FaceB(axis) => BoxBefore::new(b, a).face_points(usize::from(axis), -direction, separation),
            SatAxis::Edges(i, j) if separation.overlapping => {
                BoxBefore::new(a, b).edge_point([i, j].map(usize::from), direction)
            }
            SatAxis::Edges(..) => None,
        };
        found.unwrap_or_else(|| {
            Self::one(if separation.overlapping {
                BoxBefore::new(a, b).common_point()
            } else {
                let ClosestPoints { point_a, point_b, .. } = nearest_points(a, b, separation, f32::INFINITY);
                (point_a.as_dvec3() + point_b.as_dvec3()) * 0.5
            })
        })
    }

    pub(super) fn as_slice(&self) -> &[Vec3] {
        &self.points[..self.count]
    }

    /// The mean of the points. The sum is in `f64`, because a sum of `f32` numbers far from the origin loses the size of the contact.
    pub(super) fn mean(&self) -> Vec3 {
        let sum = self.as_slice().iter().fold(DVec3::ZERO, |sum, point| sum + point.as_dvec3());
        (sum / self.count as f64).as_vec3()
    }
}

/// Two boxes in the space of the first box: its center is the origin, and its axes are x, y and z.
struct BoxBefore {
    /// The first box's half extents.
    half: DVec3,
    /// The second box.
    center: DVec3,
    axes: DMat3,
    other_half: DVec3,
    /// The inverse of `axes`.
    to_other: DMat3,
    /// The first box's place.
    origin: DVec3,
    frame: DMat3,
    /// The sum of all half extents.
    size: f64,
}

impl BoxBefore {
    fn new(first: &Obb, second: &Obb) -> Self {
        let (origin, frame) = (first.center().as_dvec3(), first.axes().as_dmat3());
        let into = frame.inverse();
        let axes = into * second.axes().as_dmat3();
        Self {
            half: first.half_extents().as_dvec3(),
            center: into * (second.center().as_dvec3() - origin),
            axes,
            other_half: second.half_extents().as_dvec3(),
            to_other: axes.inverse(),
            origin,
            frame,
            size: f64::from(size_sum(first, second)),
        }
    }

    /// The point in the space of both boxes.
    fn point(&self, point: DVec3) -> DVec3 {
        self.origin + self.frame * point
    }

    /// A direction of both boxes' space, along the first box's axes. The axes are taken as orthonormal.
    fn along(&self, direction: Vec3) -> DVec3 {
        self.frame.transpose() * direction.as_dvec3()
    }

    /// The second box's face on the negative or positive side of its axis.
    fn face(&self, axis: usize, sign: f64) -> Polygon {
        let edge = |axis: usize| self.axes.col(axis % 3) * self.other_half[axis % 3];
        let (middle, u, v) = (self.center + edge(axis) * sign, edge(axis + 1), edge(axis + 2));
        Polygon::new([middle + u + v, middle - u + v, middle - u - v, middle + u - v])
    }

    /// The points of the first box's face across `axis` on the side of `direction`, which points toward the second box.
    /// `None` if there is no point near this face that both boxes share.
    fn face_points(&self, axis: usize, direction: Vec3, separation: &Separation) -> Option<Points> {
        let up = if self.along(direction)[axis] < 0.0 { -1.0 } else { 1.0 };
        // The face of the second box that faces the first box most directly.
        let slopes: [f64; 3] = std::array::from_fn(|k| self.axes.col(k)[axis] * up);
        let facing = (1..3).fold(0, |best, k| if slopes[k].abs() > slopes[best].abs() { k } else { best });
        let mut polygon = self.face(facing, if slopes[facing] > 0.0 { -1.0 } else { 1.0 });
        for side in [(axis + 1) % 3, (axis + 2) % 3] {
            polygon = self.clip(&polygon, side, 1.0, 0.0);
            polygon = self.clip(&polygon, side, -1.0, 0.0);
        }
        // A hit of a sweep can have a small gap; then the nearest points are used.
        polygon = self.clip(&polygon, axis, up, 2.0 * f64::from(separation.gap.max(0.0)));
        let (surface, bottom) = (self.half[axis], -self.half[axis]);
        let mut points = Points::NONE;
        for &point in polygon.as_slice() {
            // Heights are measured along the normal, from the first box's center.
            let height = point[axis] * up;
            let (low, high) = if separation.overlapping {
                (height.max(bottom), surface.min(height + self.height_of_other(point, axis, up)))
            } else {
                (height, surface)
            };
            if separation.overlapping && low > high + 2.0 * CLIP_SLACK * self.size {
                continue;
            }
            let mut middle = point;
            middle[axis] = (low + high) * 0.5 * up;
            points.push(self.point(middle));
        }
        (points.count > 0).then_some(points)
    }

    /// The distance that the second box reaches from a point of its face along the first box's `axis`.
    fn height_of_other(&self, point: DVec3, axis: usize, up: f64) -> f64 {
        let (from, way) = (self.to_other * (point - self.center), self.to_other.col(axis) * up);
        let mut reach = f64::INFINITY;
        for k in 0..3 {
            // The slack lets a line run along a side of the box, where rounding would decide.
            let room = (self.other_half[k] + SLACK * self.size - from[k] * way[k].signum()).max(0.0);
            reach = reach.min(room / way[k].abs());
        }
        reach
    }

    /// The middle of the nearest points of two edges: the first box's edge along its axis `i`, farthest toward `direction`, and the
    /// second box's edge along its axis `j`, farthest against `direction`. `None` if the middle is not in both boxes.
    fn edge_point(&self, [i, j]: [usize; 2], direction: Vec3) -> Option<Points> {
        let toward = self.along(direction);
        let edge = |center: DVec3, axes: &DMat3, half: DVec3, along: usize, toward: DVec3| {
            let side = |k: usize| {
                let axis = axes.col(k % 3);
                axis * half[k % 3] * if axis.dot(toward) < 0.0 { -1.0 } else { 1.0 }
            };
            let (middle, to_end) = (center + side(along + 1) + side(along + 2), axes.col(along) * half[along]);
            [middle - to_end, middle + to_end]
        };
        let on_first = edge(DVec3::ZERO, &DMat3::IDENTITY, self.half, i, toward);
        let on_second = edge(self.center, &self.axes, self.other_half, j, -toward);
        let (p, q) = closest_on_segments(on_first, on_second);
        let middle = (p + q) * 0.5;
        let slack = DVec3::splat(SLACK * self.size);
        let in_first = middle.abs().cmple(self.half + slack).all();
        let in_second = (self.to_other * (middle - self.center)).abs().cmple(self.other_half + slack).all();
        (in_first && in_second).then(|| Points::one(self.point(middle)))
    }

    /// A point that both boxes share, for boxes that overlap.
    fn common_point(&self) -> DVec3 {
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let mut polygon = self.face(axis, sign);
                for side in 0..3 {
                    polygon = self.clip(&polygon, side, 1.0, 0.0);
                    polygon = self.clip(&polygon, side, -1.0, 0.0);
                }
                for &point in polygon.as_slice() {
                    (sum, count) = (sum + point, count + 1.0);
                }
            }
        }
        if count > 0.0 {
            return self.point(sum / count);
        }
        // No face of the second box meets the first box, so the first box is inside the second.
        let inside = (self.to_other * -self.center).clamp(-self.other_half, self.other_half);
        self.point(self.center + self.axes * inside)
    }

    /// The part of a polygon below one of the first box's sides, which is moved outward by `more` and by [`CLIP_SLACK`].
    fn clip(&self, polygon: &Polygon, axis: usize, sign: f64, more: f64) -> Polygon {
        polygon.clipped(axis, sign, self.half[axis] + more + CLIP_SLACK * self.size)
    }
}

/// A convex polygon.
struct Polygon {
    corners: [DVec3; Self::MAX_CORNERS],
    count: usize,
}

impl Polygon {
    /// A rectangle cut by six planes has at most ten corners.
    const MAX_CORNERS: usize = 10;

    fn new(rectangle: [DVec3; 4]) -> Self {
        let mut corners = [DVec3::ZERO; Self::MAX_CORNERS];
        corners[..4].copy_from_slice(&rectangle);
        Self { corners, count: 4 }
    }

    fn as_slice(&self) -> &[DVec3] {
        &self.corners[..self.count]
    }

    /// The part where `sign` times the coordinate `axis` is at most `limit`. Source: Sutherland and Hodgman (1974).
    fn clipped(&self, axis: usize, sign: f64, limit: f64) -> Self {
        let mut kept = Self { corners: [DVec3::ZERO; Self::MAX_CORNERS], count: 0 };
        let mut keep = |corner: DVec3| {
            // See `Points::push`.
            if let Some(place) = kept.corners.get_mut(kept.count) {
                *place = corner;
                kept.count += 1;
            }
        };
        for (k, &from) in self.as_slice().iter().enumerate() {
            let to = self.corners[(k + 1) % self.count];
            let (above_from, above_to) = (sign * from[axis] - limit, sign * to[axis] - limit);
            if above_from <= 0.0 {
                keep(from);
            }
            if (above_from <= 0.0) != (above_to <= 0.0) {
                let mut cut = from + (to - from) * (above_from / (above_from - above_to));
                cut[axis] = sign * limit;
                keep(cut);
            }
        }
        kept
    }
}
