//! Ways to turn a box.

pub(crate) mod enclose;
pub(crate) mod fitter;
mod joint_axes;
mod min_volume;
mod pca;
pub(crate) mod split;

use crate::options::{Fit, Objective};
use glam::{DMat3, DVec3};
use hull::ConvexHull;

/// The axes of a box around the hull's points: a rotation, right-handed, canonical, the same on every machine.
///
/// `points` are the group's points, each as often as it occurs; `hull` is theirs. `objective` is what
/// [`Fit::MinVolume`] makes small; the others ignore it.
#[must_use]
pub fn orientation(fit: Fit, objective: Objective, hull: &ConvexHull, points: &[DVec3]) -> DMat3 {
    match fit {
        Fit::Pca => pca::of_surface(hull),
        Fit::VertexPca => pca::of_points(points),
        Fit::MinVolume => min_volume::axes(hull, &pca::of_surface(hull), objective),
        Fit::JointAxes => joint_axes::axes(),
    }
}

/// What the box with these axes around the points is long, along each axis.
#[must_use]
pub fn extents(axes: &DMat3, points: &[DVec3]) -> DVec3 {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &point in points {
        let along = DVec3::new(axes.x_axis.dot(point), axes.y_axis.dot(point), axes.z_axis.dot(point));
        low = low.min(along);
        high = high.max(along);
    }
    if points.is_empty() { DVec3::ZERO } else { high - low }
}

/// Volume or surface area of a box with these edge lengths.
#[must_use]
pub fn objective_of(objective: Objective, extents: DVec3) -> f64 {
    match objective {
        Objective::Volume => extents.x * extents.y * extents.z,
        Objective::SurfaceArea => 2.0 * (extents.x * extents.y + extents.y * extents.z + extents.z * extents.x),
    }
}

/// The same box with its longest axis first; of the first two axes the component of largest size is positive, the third
/// is their cross product.
fn canonical(axes: &DMat3, points: &[DVec3]) -> DMat3 {
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
