//! Boxes with one given axis, or with all axes given.

use crate::fit::min_volume::smallest_about;
use crate::options::Objective;
use glam::{DMat3, DVec3};
use hull::ConvexHull;

/// The axes of a box that its joint decides, in joint space; all of unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stand {
    /// The axis y of the box. The box may turn about it.
    About(DVec3),
    /// All axes of the box.
    Fixed(DMat3),
}

impl Stand {
    /// Returns the axes of the smallest box around a hull that stands like this: a rotation, right-handed, the same on every
    /// machine.
    pub(crate) fn axes(&self, objective: Objective, hull: &ConvexHull) -> DMat3 {
        match *self {
            Self::Fixed(axes) => axes,
            Self::About(y) => {
                let sideways = y.any_orthonormal_vector();
                let start = DMat3::from_cols(sideways, y.cross(sideways), y);
                let found = smallest_about(hull, &start, objective).x_axis;
                // A box is the same after a quarter turn about y, except for the order of its axes.
                let across = y.cross(found);
                let turned = [found, across, -found, -across].into_iter();
                let nearest = turned.max_by(|a, b| a.dot(sideways).total_cmp(&b.dot(sideways)));
                let x = nearest.unwrap_or(found);
                DMat3::from_cols(x, y, x.cross(y))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::extents::{extents, objective_of};
    use glam::DQuat;
    use test_models::Random;

    /// Prisms with edges along the given axis, and prisms with turned sides: the box is as large as in a space where the axis is y.
    #[test]
    fn the_box_turns_with_its_axis() {
        let mut random = Random::new(3);
        for case in 0..200 {
            let turn = DQuat::from_xyzw(random.signed_f64(), random.signed_f64(), random.signed_f64(), 0.6).normalize();
            let turn = DMat3::from_quat(turn);
            let base: Vec<DVec3> = (0..3 + case % 5).map(|_| random.in_box()).collect();
            let lean = if case % 2 == 0 { DVec3::ZERO } else { random.in_box() };
            let points: Vec<DVec3> = base.iter().flat_map(|at| [at.with_y(0.0), at.with_y(2.0) + lean]).collect();
            let turned: Vec<DVec3> = points.iter().map(|&at| turn * at).collect();
            for objective in [Objective::Volume, Objective::SurfaceArea] {
                let size = |y: DVec3, points: &[DVec3]| {
                    let axes = Stand::About(y).axes(objective, &ConvexHull::from_points(points).unwrap());
                    let apart = axes.transpose() * axes - DMat3::IDENTITY;
                    assert!(apart.to_cols_array().into_iter().all(|entry| entry.abs() < 1e-9), "{case}: {axes}");
                    assert!(axes.determinant() > 0.0 && axes.y_axis == y);
                    objective_of(objective, extents(&axes, points))
                };
                let (expected, found) = (size(DVec3::Y, &points), size(turn.y_axis, &turned));
                assert!((found / expected - 1.0).abs() < 1e-9, "{case}: {found} and {expected}");
            }
        }
    }
}
