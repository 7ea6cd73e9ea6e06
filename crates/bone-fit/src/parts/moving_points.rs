//! A few points that stand for the surface of one group, and the air that a box around two groups would hold.

use crate::assign::groups::JointGroup;
use crate::bounds::Bounds;
use geometry_core::fit::{covariance_of_points, principal_axes};
use glam::{DAffine3, DMat3, DVec3};

/// The directions along which the outermost points of a group are kept: the faces, edges and corners of a cube.
fn directions() -> impl Iterator<Item = DVec3> {
    let steps = || [-1.0, 0.0, 1.0].into_iter();
    let all = steps().flat_map(move |x| steps().flat_map(move |y| steps().map(move |z| DVec3::new(x, y, z))));
    all.filter(|direction| *direction != DVec3::ZERO)
}

/// Points count as outermost along a direction within this share of the extent along it.
const NEAR: f64 = 0.03;

/// The outermost points of a group in the space of its joint, over all poses.
#[derive(Clone, Debug, Default)]
pub(crate) struct MovingPoints(Vec<DVec3>);

impl MovingPoints {
    pub(crate) fn of_group(group: &JointGroup) -> Self {
        Self::outermost(&group.patch.bind_points())
    }

    fn outermost(points: &[DVec3]) -> Self {
        // The mean of all points near the outermost one hardly changes if the mesh hardly changes, which is not so for the
        // outermost point of a flat face.
        let farthest = |direction: DVec3| {
            let along = points.iter().map(|&point| direction.dot(point));
            let (least, most) =
                along.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), at| (at.min(least), at.max(most)));
            let near = points.iter().filter(|&&point| direction.dot(point) >= most - NEAR * (most - least));
            let (sum, count) = near.fold((DVec3::ZERO, 0.0), |(sum, count), &point| (sum + point, count + 1.0));
            (count > 0.0).then(|| sum / count)
        };
        let mut kept: Vec<DVec3> = directions().filter_map(farthest).collect();
        kept.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z)));
        kept.dedup();
        Self(kept)
    }

    /// These points and those of a joint below, which moves. `own_from_other` has the joint below in each pose.
    pub(crate) fn joined(&self, other: &Self, own_from_other: &[DAffine3]) -> Self {
        let moved = own_from_other.iter().flat_map(|at| other.0.iter().map(|&point| at.transform_point3(point)));
        let all: Vec<DVec3> = self.0.iter().copied().chain(moved.filter(|point| point.is_finite())).collect();
        Self::outermost(&all)
    }

    /// The volume of the smaller of two boxes around the points: along the joint's axes, and along the points' principal
    /// axes; in the unit of the joint's space cubed.
    pub(crate) fn volume(&self) -> f64 {
        let volume = |axes: DMat3| {
            let size = Bounds::around(self.0.iter().map(|&point| axes * point)).size();
            if size.is_finite() { size.element_product() } else { 0.0 }
        };
        let axes = principal_axes(&covariance_of_points(&self.0).matrix).axes.transpose();
        volume(DMat3::IDENTITY).min(volume(axes))
    }
}
