//! The axes of a box, by each method of the option `fit`.

use super::{min_volume, pca};
use crate::options::{Fit, Objective};
use glam::{DMat3, DVec3};
use hull::ConvexHull;

/// The axes of a box around the hull's points: a rotation, right-handed, canonical, the same on every machine.
///
/// `hull` is the convex hull of `points`, which may repeat. `objective` is what [`Fit::MinVolume`] makes small; the other
/// methods ignore it.
#[must_use]
pub fn orientation(fit: Fit, objective: Objective, hull: &ConvexHull, points: &[DVec3]) -> DMat3 {
    match fit {
        Fit::Pca => pca::of_surface(hull),
        Fit::VertexPca => pca::of_points(points),
        Fit::MinVolume => min_volume::axes(hull, &pca::of_surface(hull), objective),
        // In joint space the joint's own axes are the identity: a box as artists place it by hand.
        Fit::JointAxes => DMat3::IDENTITY,
    }
}
