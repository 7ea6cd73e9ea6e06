//! All boxes of a bake with their reports.

use crate::error::BakeError;
use crate::fit::fitted_box::{BoxReport, FittedBox};
use crate::fit::fitter::{Fitted, Fitter};
use crate::fit::manual_boxes::ManualBoxes;
use crate::fit::mirrored::{Mirrored, Side, Sides};
use crate::fit::mirrored_joints::NotMirrored;
use crate::fit::piece::Piece;
use crate::fit::split::Pieces;
use crate::fit::symmetry::share_sizes;
use crate::fit::upright::Stands;
use crate::observer::{BakeObserver, check};
use crate::options::Symmetry;
use crate::poses::sampled::SampledPoses;
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::{Hitbox, HitboxShape};
use hull::HullShape;
use rayon::prelude::*;
use skeleton::JointIndex;

/// The boxes of all pieces and the manual boxes, in joint space, sorted by joint.
pub(crate) struct FittedBoxes {
    boxes: Vec<FittedBox>,
    /// Joints whose hitboxes should be mirror images and are not, with the reason.
    pub(crate) left_out: Vec<(JointIndex, NotMirrored)>,
}

/// The fitted pieces, the joints that are not mirrored, and for each piece whether it is fitted as a mirror image or, because the
/// skins of both sides differ too much, with a size of its own.
type FittedSides = (Vec<Result<Fitted, BakeError>>, Vec<(JointIndex, NotMirrored)>, Vec<bool>);

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
        stands: &Stands,
        observer: &dyn BakeObserver,
    ) -> Result<Self, BakeError> {
        let fitter = Fitter::new(mesh, options, poses, stands);
        let (fitted, left_out, keeps_size) = match options.character.symmetry {
            Symmetry::Mirror => fit_mirrored(mesh, &fitter, &pieces.0, observer),
            Symmetry::Off | Symmetry::Sizes => {
                let fit = |piece| check(observer).and_then(|()| fitter.fit(piece));
                (pieces.0.par_iter().map(fit).collect(), Vec::new(), vec![false; pieces.0.len()])
            }
        };
        let tagged = |(piece, fitted): (usize, Result<Fitted, BakeError>)| {
            let Fitted { tight, hull, report } = fitted?;
            let tags = options.joint(report.joint).tags.clone();
            Ok(FittedBox::new((&tight, hull), tags, report, Some(piece)))
        };
        let mut boxes: Vec<FittedBox> = fitted.into_iter().enumerate().map(tagged).collect::<Result<_, BakeError>>()?;
        if options.character.symmetry != Symmetry::Off {
            share_sizes(&mut boxes, mesh.skeleton, &keeps_size);
        }
        let mut boxes = Self { boxes, left_out };
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
        let mut boxes = Self { boxes, left_out: Vec::new() };
        boxes.add_manual_boxes(mesh, manual);
        boxes
    }

    /// Returns each box with the piece that it was fitted to; `None` for a manual box.
    pub(crate) fn with_pieces<'a>(&'a self, pieces: &'a Pieces) -> Vec<(&'a Hitbox, Option<&'a Piece>)> {
        self.boxes.iter().map(|fitted| (&fitted.hitbox, fitted.piece.map(|piece| &pieces.0[piece]))).collect()
    }

    /// Returns the boxes for the file, and their reports in the same order.
    pub(crate) fn into_hitboxes_and_reports(self) -> (Vec<Hitbox>, Vec<BoxReport>) {
        self.boxes.into_iter().map(|fitted| (fitted.hitbox, fitted.report)).unzip()
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
            let after = self.boxes.partition_point(|fitted| fitted.hitbox.joint <= one.joint);
            let mut manual = FittedBox::new((&one.tight, None), one.tags, report, None);
            manual.hitbox.role = one.role;
            if one.shape != HitboxShape::Box {
                manual.report.volume = f64::from(manual.hitbox.volume());
            }
            self.boxes.insert(after, manual);
        }
    }
}

/// Fits mirrored pieces together, in parallel.
fn fit_mirrored(
    mesh: &BoundMesh<'_>,
    fitter: &Fitter<'_>,
    pieces: &[Piece],
    observer: &dyn BakeObserver,
) -> FittedSides {
    let Sides { sides, mut left_out } = Sides::find(mesh, pieces);
    type Slots = Vec<(usize, Result<Fitted, BakeError>, bool)>;
    let fit = |(index, side): (usize, &Side)| -> Slots {
        let alone = |fitted: Result<Fitted, BakeError>| vec![(index, fitted, false)];
        if let Err(error) = check(observer) {
            return alone(Err(error));
        }
        match side {
            Side::Alone => alone(fitter.fit(&pieces[index])),
            Side::Second => Vec::new(),
            Side::Middle(reflection) => match fitter.fit_middle(&pieces[index], reflection) {
                Ok(Mirrored { fitted: [fitted], is_mirrored }) => vec![(index, Ok(fitted), is_mirrored)],
                Err(error) => alone(Err(error)),
            },
            Side::First(other, reflection) => match fitter.fit_pair([&pieces[index], &pieces[*other]], reflection) {
                Ok(Mirrored { fitted: [first, second], is_mirrored }) => {
                    vec![(index, Ok(first), is_mirrored), (*other, Ok(second), is_mirrored)]
                }
                Err(error) => vec![(index, Err(error.clone()), false), (*other, Err(error), false)],
            },
        }
    };
    let mut slots: Slots =
        sides.par_iter().enumerate().map(fit).collect::<Vec<Slots>>().into_iter().flatten().collect();
    slots.sort_by_key(|(index, ..)| *index);
    for (index, _, is_mirrored) in &slots {
        if !is_mirrored && !matches!(sides[*index], Side::Alone) {
            left_out.push((pieces[*index].joint, NotMirrored::Skin));
        }
    }
    left_out.sort();
    left_out.dedup();
    let were_tried = sides.iter().map(|side| !matches!(side, Side::Alone)).collect();
    (slots.into_iter().map(|(_, fitted, _)| fitted).collect(), left_out, were_tried)
}
