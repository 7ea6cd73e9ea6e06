//! The box that a piece would get, estimated for the choice of cuts.

use crate::error::BakeError;
use crate::fit::extents::extents;
use crate::fit::known_axes::KnownAxes;
use crate::fit::min_volume::BoxBounds;
use crate::fit::orientation::principal_axes_of_surface;
use crate::fit::piece::Piece;
use crate::fit::piece_points::PiecePoints;
use crate::fit::quick_cuts::QuickCuts;
use crate::fit::upright::Stands;
use crate::motion::trajectories::Trajectories;
use crate::options::{Fit, Objective, Poses};
use crate::poses::sampled::SampledPoses;
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::BoundMesh;
use crate::skin::patch::Patch;
use glam::{DMat3, DVec3};
use hull::ConvexHull;
use skeleton::JointIndex;

/// The number of poses of the clips that cuts are planned by.
const PLANNING_POSES: usize = 24;

/// Axes and volume of a box, estimated by a few poses.
pub(crate) struct BoxEstimate {
    pub(crate) axes: DMat3,
    /// The volume with the least thickness, in the joint's unit cubed.
    pub(crate) volume: f64,
}

/// The points of a patch that its box is planned by, in joint space.
pub(crate) struct PlannedHull {
    points: Vec<DVec3>,
    hull: ConvexHull,
    /// Bounds of the smallest box; `None` until [`Estimator::close_least_volume`] has run, or if no such bounds are
    /// known.
    bounds: Option<BoxBounds>,
}

impl PlannedHull {
    /// Returns the volume of a box around the hull, in the joint's unit cubed, that is mostly little larger than the
    /// smallest box. If no such box is known, returns the volume of the hull.
    pub(crate) fn good_volume(&self) -> f64 {
        self.bounds.as_ref().map_or(self.hull.volume(), BoxBounds::good_volume)
    }
}

/// Estimates boxes by the points at rest. For boxes that hold all of the clips, a few poses of the clips count too.
pub(crate) struct Estimator<'a> {
    pub(crate) mesh: &'a BoundMesh<'a>,
    pub(crate) options: &'a JointOptions<'a>,
    points: PiecePoints<'a>,
    /// The rest pose, and a few poses of the clips if boxes are fitted to clips.
    planning: SampledPoses,
    known: KnownAxes,
    stands: &'a Stands,
}

impl<'a> Estimator<'a> {
    pub(crate) fn new(
        mesh: &'a BoundMesh<'a>,
        options: &'a JointOptions<'a>,
        poses: &SampledPoses,
        stands: &'a Stands,
    ) -> Self {
        let planning = poses.some(PLANNING_POSES);
        Self { mesh, options, points: PiecePoints::new(mesh, options), planning, known: KnownAxes::default(), stands }
    }

    /// Returns the poses of the clips that the boxes of a joint are planned by; `None` if its boxes need not hold all of
    /// the clips.
    fn planning(&self, joint: JointIndex) -> Option<&SampledPoses> {
        let options = self.options.get(joint);
        (options.poses == Poses::Clips && options.keep >= 1.0).then_some(&self.planning)
    }

    /// Returns the points that a patch is planned by, with their convex hull.
    ///
    /// # Errors
    /// Returns the errors of [`PiecePoints::hull`].
    pub(crate) fn planned(&self, joint: JointIndex, patch: &Patch) -> Result<PlannedHull, BakeError> {
        let points = self.planning_points(joint, patch);
        Ok(PlannedHull { hull: self.points.hull(joint, &points)?, points, bounds: None })
    }

    /// Returns the box that a planned hull would get.
    pub(crate) fn estimate(&self, joint: JointIndex, planned: &PlannedHull) -> BoxEstimate {
        let options = self.options.get(joint);
        let axes = match options.fit {
            Fit::MinVolume => self.known.smallest(&planned.hull, options.objective),
            fit => self.stands.axes(joint, (fit, options.objective), &planned.hull, &planned.points),
        };
        self.along(joint, axes, planned)
    }

    /// Returns the box that a planned hull would get, or `None` if its volume is certainly above `most`, in the joint's unit
    /// cubed. If [`Estimator::close_least_volume`] ran before, a smaller `most` takes less time.
    fn estimate_unless_above(&self, joint: JointIndex, planned: &PlannedHull, most: f64) -> Option<BoxEstimate> {
        match &planned.bounds {
            Some(bounds) => bounds.axes_unless_above(&planned.hull, most).map(|axes| self.along(joint, axes, planned)),
            None => Some(self.estimate(joint, planned)),
        }
    }

    /// Returns the boxes that two planned hulls would get, or `None` if the sum of their volumes is certainly above `most`, in
    /// the joint's unit cubed.
    pub(crate) fn estimate_both(
        &self,
        joint: JointIndex,
        planned: &[PlannedHull; 2],
        most: f64,
    ) -> Option<[BoxEstimate; 2]> {
        let [first, second] = planned;
        // If both volumes are above their part of `most`, neither smallest box has to be found.
        let [first_good, second_good] = [first, second].map(PlannedHull::good_volume);
        let first_part = most * (first_good / (first_good + second_good));
        let of_first = self.estimate_unless_above(joint, first, first_part);
        let rest = most - of_first.as_ref().map_or(first_part, |found| found.volume);
        let of_second = self.estimate_unless_above(joint, second, rest)?;
        let of_first = of_first.or_else(|| self.estimate_unless_above(joint, first, most - of_second.volume))?;
        Some([of_first, of_second])
    }

    fn along(&self, joint: JointIndex, axes: DMat3, planned: &PlannedHull) -> BoxEstimate {
        BoxEstimate { axes, volume: self.volume_along(joint, &axes, planned.hull.vertices()) }
    }

    /// Returns a lower bound of the volume of any box around a planned hull, in the joint's unit cubed.
    pub(crate) fn least_volume(&self, joint: JointIndex, PlannedHull { hull, .. }: &PlannedHull) -> f64 {
        // Both volumes are rounded, so a box can get a smaller volume than the hull that fills it.
        const ROUNDING: f64 = 1e-9;
        let least = self.mesh.in_joint_units(joint, self.options.get(joint).min_thickness);
        (hull.volume() * (1.0 - ROUNDING)).max(least * least * least * (1.0 - ROUNDING))
    }

    /// Returns a bound as [`Estimator::least_volume`] does, but closer to the volume of the box that the hull would
    /// get. Takes a fraction of the time of [`Estimator::estimate`].
    pub(crate) fn close_least_volume(&self, joint: JointIndex, planned: &mut PlannedHull) -> f64 {
        let options = self.options.get(joint);
        if (options.fit, options.objective) == (Fit::MinVolume, Objective::Volume) {
            planned.bounds = BoxBounds::of_volume(&planned.hull, &principal_axes_of_surface(&planned.hull));
        }
        let close = planned.bounds.as_ref().map_or(0.0, BoxBounds::least_volume);
        close.max(self.least_volume(joint, planned))
    }

    /// Returns `true` if the axes of an estimate are the axes of the box that the piece gets, because the poses of the
    /// clips do not change them.
    pub(crate) fn is_exact(&self, joint: JointIndex) -> bool {
        self.planning(joint).is_none()
    }

    /// Returns the volume of the smaller of two boxes around a patch, in the joint's unit cubed: the box along `axes`,
    /// and the box along the joint's axes.
    pub(crate) fn quick_volume(&self, joint: JointIndex, patch: &Patch, axes: &DMat3) -> f64 {
        let points = self.planning_points(joint, patch);
        let joint_axes = self.volume_along(joint, &DMat3::IDENTITY, &points);
        self.volume_along(joint, axes, &points).min(joint_axes)
    }

    /// Returns the planes, given by normal and offset, whose cuts may be among the `count` cuts of the least volume by
    /// [`Estimator::quick_volume`], in the order of `planes`.
    pub(crate) fn best_planes(
        &self,
        piece: &Piece,
        axes: &DMat3,
        planes: Vec<(DVec3, f64)>,
        count: usize,
    ) -> Vec<(DVec3, f64)> {
        let (joint, patch) = (piece.joint, &piece.patch);
        if self.planning(joint).is_some() {
            return planes;
        }
        let at_rest = self.points.at_rest(joint, patch);
        let least = self.mesh.in_joint_units(joint, self.options.get(joint).min_thickness);
        QuickCuts::new(piece, &at_rest, axes, least).best(planes, count)
    }

    fn planning_points(&self, joint: JointIndex, patch: &Patch) -> Vec<DVec3> {
        let mut points = self.points.standing(joint, patch);
        if let Some(poses) = self.planning(joint) {
            points.extend(Trajectories::new(self.mesh, poses, joint, patch).places());
        }
        points
    }

    fn volume_along(&self, joint: JointIndex, axes: &DMat3, points: &[DVec3]) -> f64 {
        let least = self.mesh.in_joint_units(joint, self.options.get(joint).min_thickness);
        extents(axes, points).max(DVec3::splat(least)).element_product()
    }
}
