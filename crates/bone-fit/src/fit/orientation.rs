//! The axes of a box, by each method of the option `fit`.

use super::{min_volume, pca};
use crate::options::{Fit, Objective};
use glam::{DMat3, DVec3};
use hull::ConvexHull;

/// Returns the axes of a box around the hull's points: a rotation, right-handed, canonical, the same on every machine.
///
/// `hull` is the convex hull of `points`; `points` may have repeated entries. [`Fit::MinVolume`] minimizes `objective`;
/// the other methods ignore it.
#[must_use]
pub fn orientation(fit: Fit, objective: Objective, hull: &ConvexHull, points: &[DVec3]) -> DMat3 {
    match fit {
        Fit::Pca => pca::of_surface(hull),
        Fit::VertexPca => pca::of_points(points),
        Fit::MinVolume => min_volume::axes(hull, &pca::of_surface(hull), objective),
        // The joint's own axes are the identity in joint space.
        Fit::JointAxes => DMat3::IDENTITY,
    }
}
