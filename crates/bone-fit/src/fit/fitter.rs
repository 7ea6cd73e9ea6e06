//! One box around one piece.

use crate::bounds::Bounds;
use crate::error::BakeError;
use crate::fit::enclose::{TightBox, enclose, enclose_moved};
use crate::fit::fitted_box::BoxReport;
use crate::fit::piece::Piece;
use crate::fit::piece_points::PiecePoints;
use crate::fit::shape::{Held, StoredHull, StoredRound};
use crate::fit::upright::Stands;
use crate::motion::trajectories::{Survey, Trajectories};
use crate::options::{BakeOptions, Fit, Objective, Poses, Shape};
use crate::poses::sampled::SampledPoses;
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::{HitboxHull, HitboxShape};
use geometry_core::portable;
use glam::{DMat3, DVec3};
use hull::ConvexHull;

/// A fitted hitbox, in joint space.
pub(crate) struct Fitted {
    /// The box of the hitbox.
    pub(crate) tight: TightBox,
    /// The hull, if the shape of the hitbox is a hull.
    pub(crate) hull: Option<HitboxHull>,
    /// The report, with the shape.
    pub(crate) report: BoxReport,
}

/// The points that the hitbox of a piece has to hold, in joint space.
pub(crate) struct Prepared<'a> {
    piece: &'a Piece,
    pub(crate) options: &'a BakeOptions,
    /// The points at rest.
    pub(crate) points: Vec<DVec3>,
    /// The moving surface, if boxes are fitted to clips. With `keep = 1`, it has a survey.
    motion: Option<(Trajectories<'a>, Option<Survey>)>,
    /// The points at rest, and the extremes of the motion.
    all: Vec<DVec3>,
    /// The hull of `all`.
    pub(crate) hull: ConvexHull,
    /// The hull of the points at rest, if it may be another.
    hull_at_rest: Option<ConvexHull>,
}

/// Two boxes of one piece, before they are thickened and grown.
pub(crate) struct TwoBoxes {
    /// The smallest box.
    smallest: TightBox,
    /// The box of the options `fit` and `objective`.
    pub(crate) tight: TightBox,
    /// The axes of `tight`, before they are rounded.
    pub(crate) axes: DMat3,
}

/// Fits boxes to pieces, in joint space.
pub(crate) struct Fitter<'a> {
    mesh: &'a BoundMesh<'a>,
    options: &'a JointOptions<'a>,
    points: PiecePoints<'a>,
    /// The poses that boxes are fitted to, the rest pose first.
    poses: &'a SampledPoses,
    stands: &'a Stands,
}

impl<'a> Fitter<'a> {
    pub(crate) fn new(
        mesh: &'a BoundMesh<'a>,
        options: &'a JointOptions<'a>,
        poses: &'a SampledPoses,
        stands: &'a Stands,
    ) -> Self {
        Self { mesh, options, points: PiecePoints::new(mesh, options), poses, stands }
    }

    /// Fits the hitbox of a piece, with the least thickness and the margin. The smallest box is fitted too, for comparison.
    ///
    /// # Errors
    /// Returns the errors of [`PiecePoints::hull`], and an error if the box itself is out of range.
    pub(crate) fn fit(&self, piece: &Piece) -> Result<Fitted, BakeError> {
        let prepared = self.prepare(piece)?;
        let boxes = self.boxes(&prepared);
        let round = self.round(&prepared, &boxes.tight);
        self.finish(&prepared, &boxes, round)
    }

    /// Collects the points that the hitbox of a piece has to hold.
    ///
    /// # Errors
    /// Returns the errors of [`PiecePoints::hull`].
    pub(crate) fn prepare<'p>(&'p self, piece: &'p Piece) -> Result<Prepared<'p>, BakeError> {
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
        let hull_at_rest = (all.len() > points.len()).then(|| self.points.hull(joint, &points)).transpose()?;
        Ok(Prepared { piece, options, points, motion, all, hull, hull_at_rest })
    }

    /// Fits the smallest box, and the box of the options `fit` and `objective`.
    pub(crate) fn boxes(&self, prepared: &Prepared<'_>) -> TwoBoxes {
        let Prepared { piece, options, hull, all, .. } = prepared;
        let around = |fit: Fit, objective: Objective| {
            let known = piece.axes.filter(|_| (fit, objective) == (options.fit, options.objective));
            let axes = known.unwrap_or_else(|| self.stands.axes(piece.joint, (fit, objective), hull, all));
            (prepared.enclosed(&axes), axes)
        };
        let (smallest, smallest_axes) = around(Fit::MinVolume, Objective::Volume);
        let (tight, axes) = match (options.fit, options.objective) {
            (Fit::MinVolume, Objective::Volume) => (smallest, smallest_axes),
            (fit, objective) => around(fit, objective),
        };
        TwoBoxes { smallest, tight, axes }
    }

    /// Makes the hitbox of a piece from its boxes and its round shape, with the least thickness and the margin.
    ///
    /// # Errors
    /// Returns an error if the box is out of range.
    pub(crate) fn finish(
        &self,
        prepared: &Prepared<'_>,
        boxes: &TwoBoxes,
        round: Option<StoredRound>,
    ) -> Result<Fitted, BakeError> {
        let Prepared { piece, options, hull, .. } = prepared;
        let joint = piece.joint;
        let hull_at_rest = prepared.hull_at_rest.as_ref().unwrap_or(hull);
        let [smallest, tight] = [boxes.smallest, boxes.tight].map(|one| self.thickened(piece, options, &one));
        let box_volume = tight.volume();
        let hull_with_few = self.hull(prepared, &boxes.tight).filter(|hull| hull.volume() < box_volume);
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
    pub(crate) fn round(&self, prepared: &Prepared<'_>, tight: &TightBox) -> Option<StoredRound> {
        let Prepared { piece, options, .. } = prepared;
        let shapes: &[HitboxShape] = match options.shape {
            Shape::Box | Shape::Hull => &[],
            Shape::Capsule => &[HitboxShape::Capsule],
            Shape::Sphere => &[HitboxShape::Sphere],
            Shape::Auto => &[HitboxShape::Sphere, HitboxShape::Capsule],
        };
        let thickness = self.mesh.in_joint_units(piece.joint, options.min_thickness);
        let margin = self.mesh.in_joint_units(piece.joint, options.margin);
        let held = prepared.held(tight);
        let fitted = shapes.iter().filter_map(|&shape| held.fit(shape)).map(|one| {
            let thick = one.thickened(0.5 * thickness);
            if margin > 0.0 { thick.grown(margin) } else { thick }
        });
        // The first of two shapes with equal volumes is taken.
        fitted.reduce(|best, next| if next.volume() < best.volume() { next } else { best })
    }

    /// Fits the hull of a piece, with the least thickness and the margin. Returns `None` for other shapes, and if no hull
    /// was found.
    fn hull(&self, prepared: &Prepared<'_>, tight: &TightBox) -> Option<StoredHull> {
        let Prepared { piece, options, .. } = prepared;
        if options.shape != Shape::Hull {
            return None;
        }
        let thickness = self.mesh.in_joint_units(piece.joint, options.min_thickness);
        let margin = self.mesh.in_joint_units(piece.joint, options.margin);
        prepared.held(tight).fit_hull(options.max_vertices, 0.5 * thickness, margin)
    }

    /// Returns the box with a thickness of at least `min_thickness`, then enlarged by `margin` on every side.
    fn thickened(&self, piece: &Piece, options: &BakeOptions, tight: &TightBox) -> TightBox {
        let thick = tight.thickened(0.5 * self.mesh.in_joint_units(piece.joint, options.min_thickness));
        let margin = self.mesh.in_joint_units(piece.joint, options.margin);
        if margin > 0.0 { thick.grown(margin) } else { thick }
    }
}

impl Prepared<'_> {
    /// Returns the box with these axes around all standing points and the share `keep` of the motion.
    pub(crate) fn enclosed(&self, axes: &DMat3) -> TightBox {
        let Self { points, options, .. } = self;
        let Some((trajectories, survey)) = &self.motion else { return enclose(axes, points) };
        enclose_moved(axes, points, |decoded| {
            let rows = decoded.transpose();
            let standing = Bounds::around(points.iter().map(|&point| rows * point));
            match survey {
                Some(survey) if options.keep >= 1.0 => trajectories.extent(decoded, survey, &standing),
                _ => trajectories.central_extent(decoded, options.keep, &standing),
            }
        })
    }

    /// The points that another shape than the box has to hold.
    fn held<'h>(&'h self, tight: &'h TightBox) -> Held<'h> {
        Held {
            corners: self.hull.vertices(),
            standing: &self.points,
            motion: self.motion.as_ref().and_then(|(trajectories, survey)| Some((trajectories, survey.as_ref()?))),
            tight,
            keeps_all: self.options.keep >= 1.0,
            along_box: self.options.fit == Fit::Upright,
        }
    }
}
