//! One box around one piece.

use crate::bounds::Bounds;
use crate::error::BakeError;
use crate::fit::enclose::{TightBox, enclose, enclose_moved};
use crate::fit::fitted_box::BoxReport;
use crate::fit::orientation::orientation;
use crate::fit::piece::Piece;
use crate::fit::piece_points::PiecePoints;
use crate::fit::shape::{Held, StoredHull, StoredRound};
use crate::motion::trajectories::{Survey, Trajectories};
use crate::options::{BakeOptions, Fit, Objective, Poses, Shape};
use crate::poses::sampled::SampledPoses;
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::{HitboxHull, HitboxShape};
use geometry_core::portable;
use glam::{DMat3, DVec3};

/// A fitted hitbox, in joint space.
pub(crate) struct Fitted {
    /// The box of the hitbox.
    pub(crate) tight: TightBox,
    /// The hull, if the shape of the hitbox is a hull.
    pub(crate) hull: Option<HitboxHull>,
    /// The report, with the shape.
    pub(crate) report: BoxReport,
}

/// Fits boxes to pieces, in joint space.
pub(crate) struct Fitter<'a> {
    mesh: &'a BoundMesh<'a>,
    options: &'a JointOptions<'a>,
    points: PiecePoints<'a>,
    /// The poses that boxes are fitted to, the rest pose first.
    poses: &'a SampledPoses,
}

impl<'a> Fitter<'a> {
    pub(crate) fn new(mesh: &'a BoundMesh<'a>, options: &'a JointOptions<'a>, poses: &'a SampledPoses) -> Self {
        Self { mesh, options, points: PiecePoints::new(mesh, options), poses }
    }

    /// Fits the hitbox of a piece, with the least thickness and the margin. The smallest box
    /// is fitted too, for comparison.
    ///
    /// # Errors
    /// Returns the errors of [`PiecePoints::hull`], and an error if the box itself is out of range.
    pub(crate) fn fit(&self, piece: &Piece) -> Result<Fitted, BakeError> {
        let (joint, options) = (piece.joint, self.options.get(piece.joint));
        let points = self.points.standing(joint, &piece.patch);
        self.points.check_range(joint, points.iter().copied())?;
        let motion = (options.poses == Poses::Clips).then(|| {
            let trajectories = Trajectories::new(self.mesh, self.poses, joint, &piece.patch);
            // A box that leaves out some of the motion needs no survey.
            let with_survey = options.keep >= 1.0 || options.shape != Shape::Box;
            let survey = with_survey.then(|| trajectories.survey(options.keep >= 1.0));
            (trajectories, survey)
        });
        let mut all = points.clone();
        if let Some((_, Some(survey))) = &motion {
            all.extend_from_slice(&survey.extremes);
        }
        let hull = self.points.hull(joint, &all)?;
        // The report describes the body by the points at rest, so that this description is the same for every preset.
        let own_hull = (all.len() > points.len()).then(|| self.points.hull(joint, &points)).transpose()?;
        let hull_at_rest = own_hull.as_ref().unwrap_or(&hull);
        let around = |fit: Fit, objective: Objective| {
            let known = piece.axes.filter(|_| (fit, objective) == (options.fit, options.objective));
            let axes = known.unwrap_or_else(|| orientation(fit, objective, &hull, &all));
            enclosed(&axes, &points, options.keep, motion.as_ref())
        };
        let smallest = around(Fit::MinVolume, Objective::Volume);
        let tight = match (options.fit, options.objective) {
            (Fit::MinVolume, Objective::Volume) => smallest,
            (fit, objective) => around(fit, objective),
        };
        let held = Held {
            corners: hull.vertices(),
            standing: &points,
            motion: motion.as_ref().and_then(|(trajectories, survey)| Some((trajectories, survey.as_ref()?))),
            tight: &tight,
            keeps_all: options.keep >= 1.0,
        };
        let round = self.round(piece, options, &held);
        let [smallest, tight] = [smallest, tight].map(|one| self.thickened(piece, options, &one));
        let box_volume = tight.volume();
        let hull_with_few = self.hull(piece, options, &held).filter(|hull| hull.volume() < box_volume);
        let (shape, volume, tight) = match (round, &hull_with_few) {
            (Some(round), _) if options.shape != Shape::Auto || round.volume() < box_volume => {
                (round.shape, round.volume(), round.tight)
            }
            (_, Some(hull)) => {
                let axes = portable::mat3_from_quaternion(tight.orientation).as_dmat3();
                (HitboxShape::Hull, hull.volume(), hull.boxed(&axes))
            }
            _ => (HitboxShape::Box, box_volume, tight),
        };
        self.points.check_range(joint, [tight.center.as_dvec3(), tight.half_extents.as_dvec3()])?;
        let report = BoxReport {
            joint,
            joint_name: self.mesh.name(joint).to_owned(),
            shape,
            points_span: hull_at_rest.shape(),
            vertices: piece.vertices.len() as u32,
            points: piece.patch.corners.len() as u32,
            hull_vertices: hull_at_rest.vertices().len() as u32,
            hull_volume: hull_at_rest.volume(),
            volume,
            min_volume: Some(smallest.volume().min(box_volume)),
            scale: self.mesh.scale(joint),
        };
        Ok(Fitted { tight, hull: hull_with_few.map(|hull| hull.hitbox_hull()), report })
    }

    /// Fits the capsule or the sphere of a piece, with the least thickness and the margin; with `auto` the smaller of
    /// both. Returns `None` for a box and for a hull.
    fn round(&self, piece: &Piece, options: &BakeOptions, held: &Held<'_>) -> Option<StoredRound> {
        let shapes: &[HitboxShape] = match options.shape {
            Shape::Box | Shape::Hull => &[],
            Shape::Capsule => &[HitboxShape::Capsule],
            Shape::Sphere => &[HitboxShape::Sphere],
            Shape::Auto => &[HitboxShape::Sphere, HitboxShape::Capsule],
        };
        let thickness = self.mesh.in_joint_units(piece.joint, options.min_thickness);
        let margin = self.mesh.in_joint_units(piece.joint, options.margin);
        let fitted = shapes.iter().filter_map(|&shape| held.fit(shape)).map(|one| {
            let thick = one.thickened(0.5 * thickness);
            if margin > 0.0 { thick.grown(margin) } else { thick }
        });
        // The first of two shapes with equal volumes is taken.
        fitted.reduce(|best, next| if next.volume() < best.volume() { next } else { best })
    }

    /// Fits the hull of a piece, with the least thickness and the margin. Returns `None` for other shapes, and if no hull
    /// was found.
    fn hull(&self, piece: &Piece, options: &BakeOptions, held: &Held<'_>) -> Option<StoredHull> {
        if options.shape != Shape::Hull {
            return None;
        }
        let thickness = self.mesh.in_joint_units(piece.joint, options.min_thickness);
        let margin = self.mesh.in_joint_units(piece.joint, options.margin);
        held.fit_hull(options.max_vertices, 0.5 * thickness, margin)
    }

    /// Returns the box with a thickness of at least `min_thickness`, then enlarged by `margin` on every side.
    fn thickened(&self, piece: &Piece, options: &BakeOptions, tight: &TightBox) -> TightBox {
        let thick = tight.thickened(0.5 * self.mesh.in_joint_units(piece.joint, options.min_thickness));
        let margin = self.mesh.in_joint_units(piece.joint, options.margin);
        if margin > 0.0 { thick.grown(margin) } else { thick }
    }
}

/// Returns the box with these axes around all standing points and the share `keep` of the motion, above 0 to 1. If
/// `keep` is 1, the motion has a survey.
fn enclosed(
    axes: &DMat3,
    points: &[DVec3],
    keep: f64,
    motion: Option<&(Trajectories<'_>, Option<Survey>)>,
) -> TightBox {
    let Some((trajectories, survey)) = motion else { return enclose(axes, points) };
    enclose_moved(axes, points, |decoded| {
        let rows = decoded.transpose();
        let standing = Bounds::around(points.iter().map(|&point| rows * point));
        match survey {
            Some(survey) if keep >= 1.0 => trajectories.extent(decoded, survey, &standing),
            _ => trajectories.central_extent(decoded, keep, &standing),
        }
    })
}
