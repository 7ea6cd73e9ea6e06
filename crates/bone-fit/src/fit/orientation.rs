//! The axes of a box, by each method of the option `fit`.
//!
//! Source of the principal axes: Gottschalk, Lin, Manocha, *OBBTree* (1996), section 4: the covariance of the hull's
//! surface does not change with the tessellation, but the covariance of the vertices does. Axes are arbitrary if two
//! variances agree (cubes, disks).

use crate::fit::min_volume;
use crate::fit::stand::Stand;
use crate::options::{Fit, Objective};
use geometry_core::fit::{Covariance, covariance_of_points, covariance_of_triangles, principal_axes};
use glam::{DMat3, DVec3};
use hull::{ConvexHull, HullShape};

/// Returns the axes of a box around the hull's points: a rotation, right-handed, canonical, the same on every machine.
///
/// `hull` is the convex hull of `points`; `points` may have repeated entries. [`Fit::MinVolume`] minimizes `objective`.
/// [`Fit::Upright`] has an axis along y and minimizes `objective` about it; a bake takes the axis from the joint. The other methods
/// ignore `objective`.
#[must_use]
pub fn orientation(fit: Fit, objective: Objective, hull: &ConvexHull, points: &[DVec3]) -> DMat3 {
    match fit {
        Fit::Pca => principal_axes_of_surface(hull),
        Fit::VertexPca => axes(&covariance_of_points(points)),
        Fit::MinVolume => min_volume::axes(hull, &principal_axes_of_surface(hull), objective),
        // The joint's own axes are the identity in joint space.
        Fit::JointAxes => DMat3::IDENTITY,
        Fit::Upright => Stand::About(DVec3::Y).axes(objective, hull),
    }
}

/// Returns the principal axes of the hull's surface, weighted by area, or of its vertices if it has no surface.
pub(super) fn principal_axes_of_surface(hull: &ConvexHull) -> DMat3 {
    let vertices = hull.vertices();
    let triangle = |corners: &[u32; 3]| corners.map(|corner| vertices[corner as usize]);
    let covariance = match hull.shape() {
        HullShape::Solid | HullShape::Polygon => covariance_of_triangles(hull.triangles().iter().map(triangle)),
        HullShape::Segment | HullShape::Point => covariance_of_points(vertices),
    };
    // Areas can vanish in f64 for a hull that is exactly known to be flat or solid.
    if covariance.weight > 0.0 { axes(&covariance) } else { axes(&covariance_of_points(vertices)) }
}

fn axes(covariance: &Covariance) -> DMat3 {
    principal_axes(&covariance.matrix).axes
}
