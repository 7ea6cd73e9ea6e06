//! One box around one patch.

use crate::assign::owner::JointGroup;
use crate::bounds::Bounds;
use crate::error::BakeError;
use crate::fit;
use crate::fit::enclose::COORDINATE_LIMIT;
use crate::fit::enclose::{TightBox, enclose, enclose_moved};
use crate::motion::trajectories::{Survey, Trajectories};
use crate::options::{BakeOptions, Bridge, Fit, Objective, Poses};
use crate::overrides::Resolved;
use crate::poses::refine::Chains;
use crate::poses::sample_times::MOST_SAMPLE_TIMES;
use crate::poses::sampled::SampledPoses;
use crate::skin::bound_mesh::BoundMesh;
use crate::skin::patch::Patch;
use glam::{DMat3, DVec3};
use hull::{ConvexHull, HullShape};
use skeleton::{JointIndex, Skeleton};
use skinned_model::SkinnedModel;

/// What every box of a bake is fitted with.
pub(crate) struct Context<'a> {
    pub(crate) mesh: &'a BoundMesh<'a>,
    pub(crate) skeleton: &'a Skeleton,
    pub(crate) options: &'a BakeOptions,
    overrides: &'a Resolved,
    /// The rest pose.
    pub(crate) rest: SampledPoses,
    /// The rest pose and, where boxes are fitted to them, all clips.
    pub(crate) poses: SampledPoses,
    /// A few of them, where boxes must hold all of them.
    planning: Option<SampledPoses>,
}

/// Moments of the clips that cuts are planned by.
const PLANNING_MOMENTS: usize = 24;

/// What a box would be.
pub(crate) struct Plan {
    pub(crate) axes: DMat3,
    /// Joint space unit cubed, with the least thickness.
    pub(crate) volume: f64,
}

/// A fitted box and what it was fitted to.
#[derive(Clone, Debug)]
pub(crate) struct FittedBox {
    /// With the least thickness and the margin.
    pub(crate) sized: TightBox,
    pub(crate) shape: HullShape,
    pub(crate) hull_vertices: u32,
    pub(crate) hull_volume: f64,
    pub(crate) min_volume: f64,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        mesh: &'a BoundMesh<'a>,
        model: &'a SkinnedModel,
        options: &'a BakeOptions,
        overrides: &'a Resolved,
        groups: &[JointGroup],
    ) -> Self {
        let rest = SampledPoses::rest(&model.skeleton);
        let poses = match options.poses {
            Poses::Bind => rest.clone(),
            Poses::Clips => {
                let chains = Chains::new(mesh, &model.skeleton, groups);
                SampledPoses::closely(&model.skeleton, &model.clips, options.rate, MOST_SAMPLE_TIMES, &chains)
            }
        };
        let strict = options.poses == Poses::Clips && options.keep >= 1.0;
        let planning = (strict && options.budget > 1.0).then(|| poses.some(PLANNING_MOMENTS));
        Self { mesh, skeleton: &model.skeleton, options, overrides, rest, poses, planning }
    }

    /// Fits a box to a patch, and the smallest one for comparison.
    pub(crate) fn fit(&self, joint: JointIndex, patch: &Patch) -> Result<FittedBox, BakeError> {
        let options = self.options_of(joint);
        let points = self.standing_points(joint, patch);
        self.check_range(joint, points.iter().copied())?;
        let motion = (options.poses == Poses::Clips).then(|| {
            let motion = Trajectories::new(self.mesh, &self.poses, joint, patch);
            let survey = motion.survey(options.keep >= 1.0);
            (motion, survey)
        });
        let mut all = points.clone();
        if let Some((_, survey)) = &motion {
            all.extend_from_slice(&survey.extremes);
            self.check_range(joint, survey.extremes.iter().copied())?;
        }
        let hull =
            ConvexHull::from_points(&all).map_err(|source| BakeError::Hull { joint: self.name(joint), source })?;
        let around = |fit: Fit, objective: Objective| {
            let axes = fit::orientation(fit, objective, &hull, &all);
            self.with_thickness(&self.enclosed(joint, &axes, &points, motion.as_ref()), joint)
        };
        let smallest = around(Fit::MinVolume, Objective::Volume);
        let sized = match (options.fit, options.objective) {
            (Fit::MinVolume, Objective::Volume) => smallest,
            (fit, objective) => around(fit, objective),
        };
        self.check_range(joint, [sized.center.as_dvec3(), sized.half_extents.as_dvec3()])?;
        Ok(FittedBox {
            sized,
            shape: hull.shape(),
            hull_vertices: hull.vertices().len() as u32,
            hull_volume: hull.volume(),
            min_volume: smallest.volume().min(sized.volume()),
        })
    }

    /// The points a cut is planned by: what stands, and for strict boxes a few moments of the clips.
    fn planning_points(&self, joint: JointIndex, patch: &Patch) -> Vec<DVec3> {
        let mut points = self.standing_points(joint, patch);
        if let Some(poses) = &self.planning {
            let motion = Trajectories::new(self.mesh, poses, joint, patch);
            points.extend(motion.places());
        }
        points
    }

    /// Axes and volume of the box that a patch would get, estimated by a few moments.
    pub(crate) fn plan(&self, joint: JointIndex, patch: &Patch) -> Result<Plan, BakeError> {
        let options = self.options_of(joint);
        let points = self.planning_points(joint, patch);
        self.check_range(joint, points.iter().copied())?;
        let hull =
            ConvexHull::from_points(&points).map_err(|source| BakeError::Hull { joint: self.name(joint), source })?;
        let axes = fit::orientation(options.fit, options.objective, &hull, &points);
        Ok(Plan { axes, volume: self.volume_along(joint, &axes, hull.vertices()) })
    }

    /// No less than the volume of the smallest box: along given axes, or the joint's.
    pub(crate) fn quick_volume(&self, joint: JointIndex, patch: &Patch, axes: &DMat3) -> f64 {
        let points = self.planning_points(joint, patch);
        let joint_axes = self.volume_along(joint, &DMat3::IDENTITY, &points);
        self.volume_along(joint, axes, &points).min(joint_axes)
    }

    fn volume_along(&self, joint: JointIndex, axes: &DMat3, points: &[DVec3]) -> f64 {
        let least = self.in_joint_units(joint, self.options_of(joint).min_thickness);
        fit::extents(axes, points).max(DVec3::splat(least)).element_product()
    }

    /// The character's options, or the joint's own.
    pub(crate) fn options_of(&self, joint: JointIndex) -> &BakeOptions {
        self.overrides.of(joint).options.as_ref().unwrap_or(self.options)
    }

    fn enclosed(
        &self,
        joint: JointIndex,
        axes: &DMat3,
        points: &[DVec3],
        motion: Option<&(Trajectories<'_>, Survey)>,
    ) -> TightBox {
        let Some((motion, survey)) = motion else { return enclose(axes, points) };
        let keep = self.options_of(joint).keep;
        enclose_moved(axes, points, |decoded| {
            let rows = decoded.transpose();
            let mut standing = Bounds::EMPTY;
            points.iter().for_each(|&point| standing.add(rows * point));
            if keep >= 1.0 {
                motion.extent(decoded, survey, &standing)
            } else {
                motion.central_extent(decoded, keep, survey, &standing)
            }
        })
    }

    /// What the box holds whatever the clips: every corner as bound and, unless only vertices are asked for, at rest.
    pub(crate) fn standing_points(&self, joint: JointIndex, patch: &Patch) -> Vec<DVec3> {
        let mut points = patch.bind_points();
        if self.options.bridge != Bridge::None || self.options.poses == Poses::Clips {
            let motion = Trajectories::new(self.mesh, &self.rest, joint, patch);
            points.extend(motion.places());
        }
        points
    }

    fn check_range(&self, joint: JointIndex, points: impl IntoIterator<Item = DVec3>) -> Result<(), BakeError> {
        let out_of_range = |size: &f64| size.is_nan() || *size > COORDINATE_LIMIT;
        match points.into_iter().map(largest).find(out_of_range) {
            Some(found) => Err(BakeError::OutOfRange { joint: self.name(joint), found }),
            None => Ok(()),
        }
    }

    /// At least `min_thickness` thick, and `margin` larger on every side.
    fn with_thickness(&self, tight: &TightBox, joint: JointIndex) -> TightBox {
        let thick = tight.thickened(0.5 * self.in_joint_units(joint, self.options_of(joint).min_thickness));
        let margin = self.in_joint_units(joint, self.options_of(joint).margin);
        if margin > 0.0 { thick.grown(margin) } else { thick }
    }

    /// A share of the character's height in the joint's unit; 0 where the joint has no size.
    fn in_joint_units(&self, joint: JointIndex, share: f64) -> f64 {
        let length = share * self.mesh.height / self.mesh.scale(joint);
        if length.is_finite() { length.min(COORDINATE_LIMIT) } else { 0.0 }
    }

    fn name(&self, joint: JointIndex) -> String {
        self.skeleton.joint(joint).name.clone()
    }
}

/// The largest coordinate's size; NaN where one is NaN.
fn largest(point: DVec3) -> f64 {
    let size = point.abs();
    if point.is_nan() { f64::NAN } else { size.max_element() }
}
