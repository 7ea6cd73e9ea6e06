//! The capsule or the sphere of a piece, in joint space: around all that the box of the piece holds.
//!
//! The points at rest are always held. Of the moving surface it is what the box holds: with `keep = 1` all of it, else the places
//! inside the box. So a shape covers no less of its piece than the box does.

use super::ball::smallest_ball;
use super::capsule::{smallest_capsule, squared_distance};
use super::stored::{StoredRound, stored_ball, stored_capsule};
use crate::bounds::Bounds;
use crate::fit::enclose::TightBox;
use crate::motion::support_points::SupportPoints;
use crate::motion::trajectories::{Survey, Trajectories};
use baked_format::HitboxShape;
use geometry_core::portable;
use glam::{DMat3, DVec3};

/// How often a shape is fitted anew with the moving places that lay outside of it.
const ROUNDS: usize = 4;

/// What a shape has to hold.
pub(crate) struct Held<'a> {
    /// The points at rest, and what moves and is known to be held; the corners of their convex hull are enough.
    pub(crate) corners: &'a [DVec3],
    /// The points at rest, all of them.
    pub(crate) standing: &'a [DVec3],
    /// The moving surface; `None` where boxes are fitted to the points at rest alone.
    pub(crate) motion: Option<(&'a Trajectories<'a>, &'a Survey)>,
    /// The box of the piece, before it is thickened and grown.
    pub(crate) tight: &'a TightBox,
    /// Whether the box holds all of the motion.
    pub(crate) keeps_all: bool,
}

impl Held<'_> {
    /// The smallest capsule or sphere that holds all of it. `None` for a box.
    pub(crate) fn fit(&self, shape: HitboxShape) -> Option<StoredRound> {
        let mut points = self.corners.to_vec();
        let mut fitted = self.around(shape, &points)?;
        for _ in 0..ROUNDS {
            let (beyond, _) = self.beyond(&fitted);
            if beyond.is_empty() {
                return Some(fitted);
            }
            points.extend(beyond);
            fitted = self.around(shape, &points)?;
        }
        let (_, farthest) = self.beyond(&fitted);
        fitted.hold(farthest.as_slice());
        Some(fitted)
    }

    fn around(&self, shape: HitboxShape, points: &[DVec3]) -> Option<StoredRound> {
        let mut fitted = match shape {
            HitboxShape::Box => return None,
            HitboxShape::Sphere => stored_ball(&smallest_ball(points), points),
            HitboxShape::Capsule => {
                let axes = portable::mat3_from_quaternion(self.tight.orientation).as_dmat3();
                stored_capsule(&smallest_capsule(points, &[axes.x_axis, axes.y_axis, axes.z_axis]), points)
            }
        };
        fitted.hold(self.standing);
        Some(fitted)
    }

    /// The moving places outside of a shape that it has to hold: those that are farthest along many directions, and the one
    /// that is farthest from the shape.
    fn beyond(&self, fitted: &StoredRound) -> (Vec<DVec3>, Option<DVec3>) {
        let Some((trajectories, survey)) = &self.motion else { return (Vec::new(), None) };
        let (ends, radius) = (fitted.ends(), f64::from(fitted.radius()));
        let rows: DMat3 = portable::mat3_from_quaternion(self.tight.orientation).as_dmat3().transpose();
        let (center, half) = (self.tight.center.as_dvec3(), self.tight.half_extents.as_dvec3());
        let in_box = |at: DVec3| (rows * (at - center)).abs().cmple(half).all();
        let mut support = SupportPoints::new();
        let (mut farthest, mut most) = (None, radius * radius);
        trajectories.visit_beyond(
            survey,
            |bounds| surely_holds(ends, radius, bounds),
            |at| {
                let square = squared_distance(ends, at);
                if square > radius * radius && (self.keeps_all || in_box(at)) {
                    support.add(at);
                    if square > most {
                        (farthest, most) = (Some(at), square);
                    }
                }
            },
        );
        (support.points(), farthest)
    }
}

/// Whether a capsule holds bounds for certain, rounding included.
fn surely_holds(ends: [DVec3; 2], radius: f64, bounds: &Bounds) -> bool {
    let inside = |corner: usize| {
        let pick = |bit: usize, low: f64, high: f64| if corner & bit == 0 { low } else { high };
        let (low, high) = (bounds.low, bounds.high);
        let at = DVec3::new(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z));
        squared_distance(ends, at) <= radius * radius * (1.0 - 1e-12)
    };
    (0..8).all(inside)
}
