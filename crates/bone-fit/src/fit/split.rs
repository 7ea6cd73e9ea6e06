//! Several boxes for one joint.
//!
//! A budget of boxes for the whole character is given out greedily: always to the cut that saves the most volume. A cut
//! is a plane across one of a box's axes.

use crate::assign::groups::Groups;
use crate::error::BakeError;
use crate::fit::cut::cut;
use crate::fit::estimate::{BoxEstimate, Estimator};
use crate::fit::joint_options::JointOptions;
use crate::fit::piece::Piece;
use crate::poses::sampled::SampledPoses;
use crate::skin::bound_mesh::BoundMesh;
use crate::skin::patch::Patch;
use glam::{DMat3, DVec3};
use rayon::prelude::*;

/// Cuts tried across each axis, evenly spread.
const CUTS: usize = 7;

/// This many of all cuts, the best by a quick estimate, are estimated with boxes of their own.
const FINALISTS: usize = 3;

/// The pieces of all groups, in the order of the joints; the pieces of a joint in the order of the cuts.
pub(crate) struct Pieces(pub(crate) Vec<Piece>);

impl Pieces {
    /// Cuts groups until there are as many pieces as the budget allows, and for each joint as many as its options allow,
    /// while that saves volume.
    ///
    /// # Errors
    /// As [`Estimator::estimate`].
    pub(crate) fn split(
        mesh: &BoundMesh<'_>,
        groups: Groups,
        poses: &SampledPoses,
        options: JointOptions<'_>,
    ) -> Result<Self, BakeError> {
        let groups = groups.groups;
        let boxes = (options.character.budget * groups.len() as f64).round() as usize;
        if boxes <= groups.len() {
            return Ok(Self(groups.into_iter().map(Piece::from).collect()));
        }
        let estimator = Estimator::new(mesh, options, poses);
        let candidate = |group| {
            let piece = Piece::from(group);
            let whole = estimator.estimate(piece.joint, &piece.patch)?;
            Candidate::new(&estimator, piece, &whole)
        };
        let candidates: Vec<Result<Candidate, BakeError>> = groups.into_par_iter().map(candidate).collect();
        let mut candidates = candidates.into_iter().collect::<Result<Vec<Candidate>, BakeError>>()?;
        while candidates.len() < boxes {
            let Some(index) = best_cut(&candidates, options) else { break };
            let Some(cut) = candidates[index].cut.take() else { break };
            let ([left, right], [left_box, right_box]) = (cut.halves, cut.boxes);
            let (left, right) = rayon::join(
                || Candidate::new(&estimator, left, &left_box),
                || Candidate::new(&estimator, right, &right_box),
            );
            candidates.splice(index..=index, [left?, right?]);
        }
        Ok(Self(candidates.into_iter().map(|candidate| candidate.piece).collect()))
    }
}

/// The index of the piece whose cut saves the most volume, among those of joints that may have another box; the first of
/// equal ones.
fn best_cut(candidates: &[Candidate], options: JointOptions<'_>) -> Option<usize> {
    let boxes = |own: &Candidate| candidates.iter().filter(|other| other.piece.joint == own.piece.joint).count();
    let mut best: Option<(usize, f64)> = None;
    for (index, candidate) in candidates.iter().enumerate() {
        let gain = candidate.cut.as_ref().map_or(0.0, |cut| cut.gain);
        let most = options.get(candidate.piece.joint).most_boxes();
        if gain > best.map_or(0.0, |(_, gain)| gain) && boxes(candidate) < most {
            best = Some((index, gain));
        }
    }
    best.map(|(index, _)| index)
}

/// A piece with the best way to cut it.
struct Candidate {
    piece: Piece,
    cut: Option<Cut>,
}

struct Cut {
    /// Volume saved, in model units.
    gain: f64,
    halves: [Piece; 2],
    boxes: [BoxEstimate; 2],
}

impl Candidate {
    /// Looks for the best cut of a piece that would have the box `whole`.
    fn new(estimator: &Estimator<'_>, piece: Piece, whole: &BoxEstimate) -> Result<Self, BakeError> {
        let (joint, scale) = (piece.joint, estimator.mesh.scale(piece.joint));
        let mut halves_by_volume: Vec<(f64, [Piece; 2])> = Vec::new();
        for (normal, offset) in planes(&whole.axes, &piece.patch) {
            let halves = cut(&piece, normal, offset);
            if halves.iter().all(|half| !half.patch.corners.is_empty()) {
                let quick = |half: &Piece| estimator.quick_volume(joint, &half.patch, &whole.axes);
                halves_by_volume.push((quick(&halves[0]) + quick(&halves[1]), halves));
            }
        }
        halves_by_volume.sort_by(|a, b| a.0.total_cmp(&b.0));
        halves_by_volume.truncate(FINALISTS);
        let mut best: Option<Cut> = None;
        for (_, halves) in halves_by_volume {
            let least = best.as_ref().map_or(0.0, |best| best.gain);
            let gain = |volume: f64| (whole.volume - volume) * scale * scale * scale;
            let first = estimator.estimate(joint, &halves[0].patch)?;
            // The second half's volume is at least zero, so the first half's volume alone may rule this cut out.
            if gain(first.volume) > least {
                let second = estimator.estimate(joint, &halves[1].patch)?;
                let gain = gain(first.volume + second.volume);
                if gain > least {
                    best = Some(Cut { gain, halves, boxes: [first, second] });
                }
            }
        }
        Ok(Self { piece, cut: best })
    }
}

/// Planes to try, as normal and offset: across each axis, evenly spread over the patch in the bind pose.
fn planes(axes: &DMat3, patch: &Patch) -> Vec<(DVec3, f64)> {
    let mut planes = Vec::with_capacity(3 * CUTS);
    for axis in [axes.x_axis, axes.y_axis, axes.z_axis] {
        let along = patch.corners.iter().map(|corner| corner.bind.dot(axis));
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
        let offset = |index: usize| low + (high - low) * (index as f64 / (CUTS + 1) as f64);
        planes.extend((1..=CUTS).map(|index| (axis, offset(index))));
    }
    planes
}
