//! Slow and simple references in `f64`. A box is the parallelepiped that its stored axes span, because the axes are
//! rounded.

use geometry_core::Obb;
use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

/// A box in `f64`: a center and three half edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Naive {
    pub(crate) center: DVec3,
    pub(crate) axes: [DVec3; 3],
    pub(crate) half: [f64; 3],
}

impl Naive {
    pub(crate) fn new(obb: &Obb) -> Self {
        let axes = obb.axes().as_dmat3();
        Self {
            center: obb.center().as_dvec3(),
            axes: [axes.x_axis, axes.y_axis, axes.z_axis],
            half: obb.half_extents().as_dvec3().to_array(),
        }
    }

    pub(crate) fn corners(&self) -> Vec<DVec3> {
        let mut corners = Vec::new();
        for x in [-1.0, 1.0] {
            for y in [-1.0, 1.0] {
                for z in [-1.0, 1.0] {
                    let [a, b, c] = self.axes;
                    corners
                        .push(self.center + a * (x * self.half[0]) + b * (y * self.half[1]) + c * (z * self.half[2]));
                }
            }
        }
        corners
    }

    /// The sum of the half extents.
    pub(crate) fn size(&self) -> f64 {
        self.half.iter().sum()
    }

    /// The coordinates along the stored axes. A point is inside if each is at most the half extent.
    pub(crate) fn local(&self, point: DVec3) -> DVec3 {
        DMat3::from_cols(self.axes[0], self.axes[1], self.axes[2]).inverse() * (point - self.center)
    }

    /// The planes `normal · x ≤ offset` of the box, moved outward by a share of the extents.
    pub(crate) fn planes(&self, outward: f64) -> Vec<(DVec3, f64)> {
        let dual = DMat3::from_cols(self.axes[0], self.axes[1], self.axes[2]).inverse().transpose();
        let mut planes = Vec::new();
        for (k, normal) in [dual.x_axis, dual.y_axis, dual.z_axis].into_iter().enumerate() {
            planes.push((normal, normal.dot(self.center) + self.half[k] + outward));
            planes.push((-normal, -normal.dot(self.center) + self.half[k] + outward));
        }
        planes
    }
}

/// The widest gap along the 15 directions, from projections of all corners on unit vectors. It is negative for an
/// overlap.
pub(crate) fn widest_gap(a: &Naive, b: &Naive) -> f64 {
    let near = |corners: Vec<DVec3>| corners.into_iter().map(|corner| corner - a.center).collect::<Vec<_>>();
    let (corners_a, corners_b) = (near(a.corners()), near(b.corners()));
    let mut directions = Vec::new();
    for k in 0..3 {
        directions.push(a.axes[k].cross(a.axes[(k + 1) % 3]));
        directions.push(b.axes[k].cross(b.axes[(k + 1) % 3]));
        for other in b.axes {
            directions.push(a.axes[k].cross(other));
        }
    }
    let mut widest = f64::NEG_INFINITY;
    for direction in directions {
        if direction.length() > 0.0 {
            let unit = direction / direction.length();
            let (low_a, high_a) = interval(&corners_a, unit);
            let (low_b, high_b) = interval(&corners_b, unit);
            widest = widest.max(low_b - high_a).max(low_a - high_b);
        }
    }
    widest
}

fn interval(points: &[DVec3], unit: DVec3) -> (f64, f64) {
    points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| {
        let at = unit.dot(*point);
        (low.min(at), high.max(at))
    })
}

/// Returns true if half spaces have a common point. Solves the linear program by testing every point where three planes
/// meet.
pub(crate) fn have_common_point(planes: &[(DVec3, f64)], tolerance: f64) -> bool {
    for i in 0..planes.len() {
        for j in 0..i {
            for k in 0..j {
                let rows = DMat3::from_cols(planes[i].0, planes[j].0, planes[k].0).transpose();
                if rows.determinant().abs() < 1e-9 {
                    continue;
                }
                let corner = rows.inverse() * DVec3::new(planes[i].1, planes[j].1, planes[k].1);
                if planes.iter().all(|(normal, offset)| normal.dot(corner) <= offset + tolerance) {
                    return true;
                }
            }
        }
    }
    false
}

/// Returns the part of a polygon (or a segment, or a point) behind the planes, clipping one plane at a time.
pub(crate) fn clip(mut polygon: Vec<DVec3>, planes: &[(DVec3, f64)]) -> Vec<DVec3> {
    for (normal, offset) in planes {
        let mut kept = Vec::new();
        for k in 0..polygon.len() {
            let (here, next) = (polygon[k], polygon[(k + 1) % polygon.len()]);
            let (below, next_below) = (offset - normal.dot(here), offset - normal.dot(next));
            if below >= 0.0 {
                kept.push(here);
            }
            if (below > 0.0 && next_below < 0.0) || (below < 0.0 && next_below > 0.0) {
                kept.push(here + (next - here) * (below / (below - next_below)));
            }
        }
        polygon = kept;
    }
    polygon
}

/// The distance of a point from a box whose axes are taken as orthonormal.
pub(crate) fn distance(obb: &Naive, point: DVec3) -> f64 {
    let offset = point - obb.center;
    let mut square = 0.0;
    for k in 0..3 {
        let beyond = (obb.axes[k].dot(offset).abs() - obb.half[k]).max(0.0);
        square += beyond * beyond;
    }
    square.sqrt()
}

/// The distance of a segment from a box, by golden-section search on a convex function.
pub(crate) fn segment_distance(obb: &Naive, start: DVec3, end: DVec3) -> f64 {
    let at = |time: f64| distance(obb, start + (end - start) * time);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let third = (high - low) / 3.0;
        if at(low + third) <= at(high - third) { high -= third } else { low += third }
    }
    at(low).min(at(high)).min(at(0.0)).min(at(1.0))
}

/// The largest share of `reach` at which `touches` is true, by bisection. `touches` must be true at the start.
pub(crate) fn last_contact(reach: f64, touches: impl Fn(f64) -> bool) -> f64 {
    let (mut inside, mut outside) = (0.0, reach);
    for _ in 0..40 {
        let middle = (inside + outside) * 0.5;
        if touches(middle) { inside = middle } else { outside = middle }
    }
    outside
}

/// A pose between two poses. The axes are interpolated by spherical interpolation of quaternions, independently of the
/// crate's method.
pub(crate) fn between(start: &Obb, orientations: [Quat; 2], centers: [Vec3; 2], time: f64) -> Naive {
    let [from, to] = orientations.map(|q| q.as_dquat().normalize());
    let to = if from.dot(to) < 0.0 { -to } else { to };
    let angle = libm::acos(from.dot(to).min(1.0));
    let turned = if angle < 1e-6 {
        (from * (1.0 - time) + to * time).normalize()
    } else {
        (from * libm::sin((1.0 - time) * angle) + to * libm::sin(time * angle)) * (1.0 / libm::sin(angle))
    };
    let axes = DMat3::from_quat(DQuat::normalize(turned));
    Naive {
        center: centers[0].as_dvec3() * (1.0 - time) + centers[1].as_dvec3() * time,
        axes: [axes.x_axis, axes.y_axis, axes.z_axis],
        half: start.half_extents().as_dvec3().to_array(),
    }
}
