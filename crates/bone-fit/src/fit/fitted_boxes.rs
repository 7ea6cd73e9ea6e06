//! All boxes of a bake with their reports.

use crate::error::BakeError;
use crate::fit::fitted_box::{BoxReport, FittedBox};
use crate::fit::fitter::{Fitted, Fitter};
use crate::fit::manual_boxes::ManualBoxes;
use crate::fit::piece::Piece;
use crate::fit::split::Pieces;
use crate::fit::symmetry::share_sizes;
use crate::observer::{BakeObserver, check};
use crate::options::Symmetry;
use crate::poses::sampled::SampledPoses;
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::{Hitbox, HitboxShape};
use hull::HullShape;
use rayon::prelude::*;

/// The boxes of all pieces and the manual boxes, in joint space, sorted by joint.
pub(crate) struct FittedBoxes(pub(crate) Vec<FittedBox>);

impl FittedBoxes {
    /// Fits one box to each piece, in parallel, and adds the manual boxes after the fitted boxes of their joint.
    ///
    /// # Errors
    /// Returns the error of the first piece that cannot be fitted, in the order of the pieces, for any number of
    /// threads; returns [`BakeError::Canceled`] if the observer cancels the bake.
    pub(crate) fn fit(
        mesh: &BoundMesh<'_>,
        poses: &SampledPoses,
        pieces: &Pieces,
        manual: ManualBoxes,
        options: &JointOptions<'_>,
        observer: &dyn BakeObserver,
    ) -> Result<Self, BakeError> {
        let fitter = Fitter::new(mesh, options, poses);
        let fit = |piece| check(observer).and_then(|()| fitter.fit(piece));
        let fitted: Vec<Result<_, BakeError>> = pieces.0.par_iter().map(fit).collect();
        let tagged = |(piece, fitted): (usize, Result<Fitted, BakeError>)| {
            let Fitted { tight, hull, report } = fitted?;
            let tags = options.joint(report.joint).tags.clone();
            Ok(FittedBox::new((&tight, hull), tags, report, Some(piece)))
        };
        let mut boxes: Vec<FittedBox> = fitted.into_iter().enumerate().map(tagged).collect::<Result<_, BakeError>>()?;
        if options.character.symmetry == Symmetry::On {
            share_sizes(&mut boxes, mesh.skeleton);
        }
        let mut boxes = Self(boxes);
        boxes.add_manual_boxes(mesh, manual);
        Ok(boxes)
    }

    /// Uses hitboxes that were fitted before, and adds the manual boxes after those of their joint.
    pub(crate) fn given(mesh: &BoundMesh<'_>, hitboxes: &[Hitbox], manual: ManualBoxes) -> Self {
        let given = |hitbox: &Hitbox| {
            let report = BoxReport {
                joint: hitbox.joint,
                joint_name: mesh.name(hitbox.joint).to_owned(),
                shape: hitbox.shape,
                points_span: HullShape::Solid,
                vertices: hitbox.vertices,
                points: 0,
                hull_vertices: hitbox.hull_vertices,
                hull_volume: hitbox.hull_volume.into(),
                volume: hitbox.volume().into(),
                min_volume: hitbox.min_volume.map(f64::from),
                scale: mesh.scale(hitbox.joint),
            };
            FittedBox { hitbox: hitbox.clone(), report, piece: None }
        };
        let mut boxes: Vec<FittedBox> = hitboxes.iter().map(given).collect();
        boxes.sort_by_key(|one| one.hitbox.joint);
        let mut boxes = Self(boxes);
        boxes.add_manual_boxes(mesh, manual);
        boxes
    }

    /// Returns each box with the piece that it was fitted to; `None` for a manual box.
    pub(crate) fn with_pieces<'a>(&'a self, pieces: &'a Pieces) -> Vec<(&'a Hitbox, Option<&'a Piece>)> {
        self.0.iter().map(|fitted| (&fitted.hitbox, fitted.piece.map(|piece| &pieces.0[piece]))).collect()
    }

    /// Returns the boxes for the file, and their reports in the same order.
    pub(crate) fn into_hitboxes_and_reports(self) -> (Vec<Hitbox>, Vec<BoxReport>) {
        self.0.into_iter().map(|fitted| (fitted.hitbox, fitted.report)).unzip()
    }

    fn add_manual_boxes(&mut self, mesh: &BoundMesh<'_>, manual: ManualBoxes) {
        for one in manual.0 {
            let report = BoxReport {
                joint: one.joint,
                joint_name: mesh.name(one.joint).to_owned(),
                shape: one.shape,
                points_span: HullShape::Solid,
                vertices: 0,
                points: 0,
                hull_vertices: 0,
                hull_volume: 0.0,
                volume: one.tight.volume(),
                min_volume: one.min_volume,
                scale: mesh.scale(one.joint),
            };
            let after = self.0.partition_point(|fitted| fitted.hitbox.joint <= one.joint);
            let mut manual = FittedBox::new((&one.tight, None), one.tags, report, None);
            if one.shape != HitboxShape::Box {
                manual.report.volume = f64::from(manual.hitbox.volume());
            }
            self.0.insert(after, manual);
        }
    }
}
