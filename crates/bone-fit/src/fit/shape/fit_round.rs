//! Fits the capsule or the sphere of a piece, in joint space, around the points that the box of the piece holds.
//!
//! The shape always holds the corners of the piece at rest. Of the moving corners it holds every place with `keep = 1`, and
//! otherwise each place that is inside the box. Capsules and spheres are convex, so with `keep = 1` they hold the whole surface of
//! the piece at every sample time.

use super::ball::smallest_ball;
use super::capsule::{capsule_along, smallest_capsule, squared_distance};
use super::stored::{StoredRound, stored_ball, stored_capsule};
use crate::bounds::Bounds;
use crate::fit::enclose::TightBox;
use crate::motion::support_points::SupportPoints;
use crate::motion::trajectories::{Survey, Trajectories};
use baked_format::HitboxShape;
use geometry_core::portable;
use glam::{DMat3, DVec3};

/// The number of times that a shape is fitted again together with the moving places that were outside it.
const ROUNDS: usize = 4;

/// The points that a shape has to hold.
pub(crate) struct Held<'a> {
    /// The corners of the convex hull of `standing` and of the moving places that the shape is known to have to hold.
    pub(crate) corners: &'a [DVec3],
    /// All points at rest.
    pub(crate) standing: &'a [DVec3],
    /// The moving surface; `None` if boxes are fitted to the points at rest alone.
    pub(crate) motion: Option<(&'a Trajectories<'a>, &'a Survey)>,
    /// The box of the piece, before it is thickened and grown.
    pub(crate) tight: &'a TightBox,
    /// `true` if the box holds all of the motion.
    pub(crate) keeps_all: bool,
    /// `true` if a capsule has to lie along an axis of the box.
    pub(crate) along_box: bool,
}

impl Held<'_> {
    /// Fits the smallest capsule or sphere that holds all points. Returns `None` for a box.
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
            HitboxShape::Box | HitboxShape::Hull => return None,
            HitboxShape::Sphere => stored_ball(&smallest_ball(points), points),
            HitboxShape::Capsule => {
                let axes = portable::mat3_from_quaternion(self.tight.orientation).as_dmat3();
                let axes = [axes.x_axis, axes.y_axis, axes.z_axis];
                let find = if self.along_box { capsule_along } else { smallest_capsule };
                stored_capsule(&find(points, &axes), points)
            }
        };
        fitted.hold(self.standing);
        Some(fitted)
    }

    /// Returns the moving places outside a shape that the shape has to hold: the places that are farthest along many directions,
    /// and the place that is farthest from the shape.
    fn beyond(&self, fitted: &StoredRound) -> (Vec<DVec3>, Option<DVec3>) {
        let Some((trajectories, survey)) = &self.motion else { return (Vec::new(), None) };
        let (ends, radius) = (fitted.ends(), f64::from(fitted.radius()));
        let has_to_hold = self.has_to_hold();
        let mut support = SupportPoints::new();
        let (mut farthest, mut most) = (None, radius * radius);
        trajectories.visit_beyond(
            survey,
            |bounds| surely_holds(ends, radius, bounds),
            |places| {
                for &at in places {
                    let square = squared_distance(ends, at);
                    if square > radius * radius && has_to_hold(at) {
                        support.add(at);
                        if square > most {
                            (farthest, most) = (Some(at), square);
                        }
                    }
                }
            },
        );
        (support.points(), farthest)
    }

    /// Returns a test of whether a shape has to hold a moving place: every place, or the places in the piece's box before it is
    /// thickened and grown.
    pub(super) fn has_to_hold(&self) -> impl Fn(DVec3) -> bool {
        let rows: DMat3 = portable::mat3_from_quaternion(self.tight.orientation).as_dmat3().transpose();
        let (center, half) = (self.tight.center.as_dvec3(), self.tight.half_extents.as_dvec3());
        let keeps_all = self.keeps_all;
        move |at| keeps_all || (rows * (at - center)).abs().cmple(half).all()
    }
}

/// Returns `true` if a capsule certainly holds bounds, rounding included. `false` is not certain.
fn surely_holds(ends: [DVec3; 2], radius: f64, bounds: &Bounds) -> bool {
    let inside = |corner: usize| {
        let pick = |bit: usize, low: f64, high: f64| if corner & bit == 0 { low } else { high };
        let (low, high) = (bounds.low, bounds.high);
        let at = DVec3::new(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z));
        squared_distance(ends, at) <= radius * radius * (1.0 - 1e-12)
    };
    (0..8).all(inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assign::groups::Groups;
    use crate::fit::enclose::enclose;
    use crate::fit::piece_points::PiecePoints;
    use crate::options::{Attachments, BakeOptions, Overrides, Preset};
    use crate::poses::sampled::SampledPoses;
    use crate::skin::bound_mesh::BoundMesh;

    /// Compares fits in rounds with one fit around every place of every corner.
    #[test]
    fn in_motion_a_shape_is_hardly_larger_than_around_every_place() {
        let model = test_models::soft_limb().to_glb();
        let model = skinned_model::import(&model, &skinned_model::NoExternalFiles).unwrap();
        let mesh = BoundMesh::new(&model, Attachments::Include);
        let options = BakeOptions::preset(Preset::Cover);
        let joint_options = Overrides::default().resolve(&model.skeleton, &options).unwrap();
        let poses = SampledPoses::of_clips(&model.skeleton, &model.clips, 120.0, 1000);
        let mut moving = 0;
        for group in &Groups::of_character(&mesh, &options).groups {
            let motion = Trajectories::new(&mesh, &poses, group.joint, &group.patch);
            let survey = motion.survey(true);
            let points = PiecePoints::new(&mesh, &joint_options);
            let standing = points.standing(group.joint, &group.patch);
            let all = [standing.clone(), motion.places()].concat();
            let hull = points.hull(group.joint, &all).unwrap();
            let corners = [standing.clone(), survey.extremes.clone()].concat();
            let tight = enclose(&DMat3::IDENTITY, &all);
            let held = Held {
                corners: &corners,
                standing: &standing,
                motion: Some((&motion, &survey)),
                tight: &tight,
                keeps_all: true,
                along_box: false,
            };
            for shape in [HitboxShape::Capsule, HitboxShape::Sphere] {
                let fitted = held.fit(shape).unwrap();
                let (ends, radius) = (fitted.ends(), f64::from(fitted.radius()));
                assert!(all.iter().all(|&at| squared_distance(ends, at) <= radius * radius));
                let least = match shape {
                    HitboxShape::Sphere => smallest_ball(hull.vertices()).volume(),
                    _ => smallest_capsule(hull.vertices(), &DVec3::AXES).volume(),
                };
                assert!(fitted.volume() <= 1.01 * least, "{shape:?}: {} against {least}", fitted.volume());
            }
            let fitted = held.fit_hull(32, 0.0, 0.0).unwrap();
            assert_eq!(fitted.exact().first_outside(&all), None);
            assert!(fitted.exact().vertices().len() <= 32);
            let least = hull.volume();
            assert!(fitted.volume() >= least && fitted.volume() < tight.volume(), "{} around {least}", fitted.volume());
            moving += motion.corners();
        }
        assert!(moving > 0);
    }
}
