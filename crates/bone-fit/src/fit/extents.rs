//! Edge lengths of boxes with given axes.

use crate::bounds::Bounds;
use crate::options::Objective;
use glam::{DMat3, DVec3};

/// Returns the edge lengths of the box with these axes around the points, in the points' unit; 0 around no points.
#[must_use]
pub fn extents(axes: &DMat3, points: &[DVec3]) -> DVec3 {
    let along = |&point: &DVec3| DVec3::new(axes.x_axis.dot(point), axes.y_axis.dot(point), axes.z_axis.dot(point));
    if points.is_empty() { DVec3::ZERO } else { Bounds::around(points.iter().map(along)).size() }
}

/// Returns the volume or the surface area of a box with these edge lengths, in their unit cubed or squared.
#[must_use]
pub fn objective_of(objective: Objective, extents: DVec3) -> f64 {
    match objective {
        Objective::Volume => extents.x * extents.y * extents.z,
        Objective::SurfaceArea => 2.0 * (extents.x * extents.y + extents.y * extents.z + extents.z * extents.x),
    }
}

/// Returns the axes of the same box in an order and with signs that depend on the box alone: the longest axis first,
/// the largest component of the first two axes positive, the third axis their cross product.
pub(super) fn canonical(axes: &DMat3, points: &[DVec3]) -> DMat3 {
    let long = extents(axes, points).to_array();
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| long[b].total_cmp(&long[a]));
    let [x, y] = [order[0], order[1]].map(|index| {
        let axis = axes.col(index);
        let size = axis.abs();
        let largest = if size.x >= size.y && size.x >= size.z {
            axis.x
        } else if size.y >= size.z {
            axis.y
        } else {
            axis.z
        };
        if largest < 0.0 { -axis } else { axis }
    });
    DMat3::from_cols(x, y, x.cross(y))
}
