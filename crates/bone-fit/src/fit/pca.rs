//! Principal axes.
//!
//! Source: Gottschalk, Lin, Manocha, *OBBTree* (1996), section 4: the covariance of the hull's surface does not change
//! with the tessellation, but the covariance of the vertices does. Axes are arbitrary if two variances agree (cubes,
//! disks).

use geometry_core::fit::{Covariance, covariance_of_points, covariance_of_triangles, principal_axes};
use glam::{DMat3, DVec3};
use hull::{ConvexHull, HullShape};

/// Returns the principal axes of the hull's surface, weighted by area, or of its vertices if it has no surface.
pub(super) fn of_surface(hull: &ConvexHull) -> DMat3 {
    let vertices = hull.vertices();
    let triangle = |corners: &[u32; 3]| corners.map(|corner| vertices[corner as usize]);
    let covariance = match hull.shape() {
        HullShape::Solid | HullShape::Polygon => covariance_of_triangles(hull.triangles().iter().map(triangle)),
        HullShape::Segment | HullShape::Point => covariance_of_points(vertices),
    };
    // Areas can vanish in f64 for a hull that is exactly known to be flat or solid.
    if covariance.weight > 0.0 { axes(&covariance) } else { axes(&covariance_of_points(vertices)) }
}

/// Returns the principal axes of the points, each counted as often as it occurs.
pub(super) fn of_points(points: &[DVec3]) -> DMat3 {
    axes(&covariance_of_points(points))
}

fn axes(covariance: &Covariance) -> DMat3 {
    principal_axes(&covariance.matrix).axes
}
