//! Several boxes for one joint.
//!
//! The budget of boxes for the whole character is given out greedily: the next box always goes to the cut that saves
//! the most volume. A cut is a plane across one of a box's axes.

use crate::assign::groups::{Groups, JointGroup};
use crate::error::BakeError;
use crate::fit::estimate::{BoxEstimate, Estimator, PlannedHull};
use crate::fit::mirrored_joints::MirroredJoints;
use crate::fit::piece::{Piece, cut};
use crate::fit::upright::Stands;
use crate::observer::{BakeObserver, check};
use crate::options::Symmetry;
use crate::poses::sampled::SampledPoses;
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::BoundMesh;
use crate::skin::patch::Patch;
use glam::{DMat3, DVec3};
use rayon::prelude::*;
use skeleton::JointIndex;

/// The number of cuts tried across each axis, evenly spread.
const CUTS: usize = 7;

/// The number of cuts of a piece, the best by a quick estimate, for which boxes may be estimated.
const FINALISTS: usize = 3;

/// The pieces of all groups, in the order of the joints; the pieces of a joint in the order of the cuts.
pub(crate) struct Pieces(pub(crate) Vec<Piece>);

impl Pieces {
    /// Cuts groups while cuts save volume, until there are as many pieces as the budget allows, and for each joint as
    /// many as its options allow.
    ///
    /// # Errors
    /// Returns the errors of [`Estimator::planned`], and [`BakeError::Canceled`] if the observer cancels the bake.
    pub(crate) fn split(
        mesh: &BoundMesh<'_>,
        groups: Groups,
        poses: &SampledPoses,
        options: &JointOptions<'_>,
        stands: &Stands,
        observer: &dyn BakeObserver,
    ) -> Result<Self, BakeError> {
        let groups = groups.groups;
        let boxes = (options.character.budget * groups.len() as f64).round() as usize;
        if boxes <= groups.len() {
            return Ok(Self(groups.into_iter().map(Piece::from).collect()));
        }
        let is_mirrored = options.character.symmetry == Symmetry::Mirror;
        let wholes = if is_mirrored { groups.clone() } else { Vec::new() };
        let estimator = Estimator::new(mesh, options, poses, stands);
        let candidate = |group| {
            check(observer)?;
            let piece = Piece::from(group);
            let planned = estimator.planned(piece.joint, &piece.patch)?;
            let whole = estimator.estimate(piece.joint, &planned);
            Candidate::new(&estimator, piece, whole)
        };
        let candidates: Vec<Result<Candidate, BakeError>> = groups.into_par_iter().map(candidate).collect();
        let mut candidates = candidates.into_iter().collect::<Result<Vec<Candidate>, BakeError>>()?;
        cut_greedily(&estimator, &mut candidates, boxes, observer, best_cut)?;
        let piece = |candidate: Candidate| {
            let axes = estimator.is_exact(candidate.piece.joint).then_some(candidate.whole.axes);
            Piece { axes, ..candidate.piece }
        };
        let mut pieces = Self(candidates.into_iter().map(piece).collect());
        if is_mirrored {
            pieces.cut_alike(mesh, wholes);
        }
        Ok(pieces)
    }

    /// Cuts the groups of mirrored joints by mirrored planes: the group with more pieces is cut anew, by the planes of the group
    /// with fewer. `wholes` are all groups.
    fn cut_alike(&mut self, mesh: &BoundMesh<'_>, wholes: Vec<JointGroup>) {
        let joints: Vec<JointIndex> = wholes.iter().map(|group| group.joint).collect();
        for ([first, second], first_from_second) in MirroredJoints::find(mesh, &joints).pairs {
            let own = |joint: JointIndex| {
                let start = self.0.partition_point(|piece| piece.joint < joint);
                start..self.0.partition_point(|piece| piece.joint <= joint)
            };
            let (model, copy, copy_from_model) = match own(first).len() <= own(second).len() {
                true => (first, second, first_from_second.inverse()),
                false => (second, first, first_from_second),
            };
            let whole = || wholes.iter().find(|group| group.joint == copy).cloned().map(Piece::from);
            let image = |piece: &Piece| {
                piece.cuts.iter().try_fold(whole()?, |rest, one| {
                    let (normal, offset) = copy_from_model.plane_image(one.normal, one.offset);
                    let [below, above] = cut(&rest, normal, offset);
                    let kept = if one.side == 0 { below } else { above };
                    (!kept.patch.corners.is_empty()).then_some(kept)
                })
            };
            // Skins that differ so much that a part of one would be empty are left as they are.
            if let Some(images) = self.0[own(model)].iter().map(image).collect::<Option<Vec<Piece>>>() {
                let range = own(copy);
                self.0.splice(range, images);
            }
        }
    }
}

/// Cuts the piece whose index `best_cut` returns, again and again, until there are as many pieces as `boxes`.
fn cut_greedily(
    estimator: &Estimator<'_>,
    candidates: &mut Vec<Candidate>,
    boxes: usize,
    observer: &dyn BakeObserver,
    best_cut: fn(&Estimator<'_>, &mut [Candidate]) -> Option<usize>,
) -> Result<(), BakeError> {
    while candidates.len() < boxes {
        check(observer)?;
        let Some(index) = best_cut(estimator, candidates) else { break };
        let Cuts::Best(Some(cut)) = std::mem::replace(&mut candidates[index].cuts, Cuts::Best(None)) else { break };
        let ([left, right], [left_box, right_box]) = (cut.halves, cut.boxes);
        let (left, right) =
            rayon::join(|| Candidate::new(estimator, left, left_box), || Candidate::new(estimator, right, right_box));
        candidates.splice(index..=index, [left?, right?]);
    }
    Ok(())
}

/// Returns the index of the piece whose cut saves the most volume, among the pieces of joints that may have another
/// box. Of several equal cuts, the first is taken.
///
/// A cut is estimated only if an upper bound of the volume it saves reaches the most volume that any estimated cut
/// saves. A quick bound is tried first and then a close bound, because boxes of least volume take most of the time of a
/// bake.
fn best_cut(estimator: &Estimator<'_>, candidates: &mut [Candidate]) -> Option<usize> {
    // The pieces of a joint are neighbors.
    let of_joint = candidates.chunk_by(|a, b| a.piece.joint == b.piece.joint);
    let most = |pieces: &[Candidate]| estimator.options.get(pieces[0].piece.joint).most_boxes();
    let allowed: Vec<bool> =
        of_joint.flat_map(|pieces| std::iter::repeat_n(pieces.len() < most(pieces), pieces.len())).collect();
    loop {
        let mut best: Option<(usize, f64)> = None;
        for (index, candidate) in candidates.iter().enumerate().filter(|(index, _)| allowed[*index]) {
            let Cuts::Best(Some(cut)) = &candidate.cuts else { continue };
            if cut.gain > best.map_or(0.0, |(_, gain)| gain) {
                best = Some((index, cut.gain));
            }
        }
        let least = best.map_or(0.0, |(_, gain)| gain);
        let bound = |candidate: &Candidate| match &candidate.cuts {
            Cuts::Bounded { most_gain, .. } if *most_gain > 0.0 && *most_gain >= least => Some(*most_gain),
            _ => None,
        };
        let mut open: Vec<(&mut Candidate, f64)> = candidates
            .iter_mut()
            .enumerate()
            .filter(|(index, _)| allowed[*index])
            .filter_map(|(_, candidate)| bound(candidate).map(|bound| (candidate, bound)))
            .collect();
        if open.is_empty() {
            return best.map(|(index, _)| index);
        }
        // Each step looks at as many candidates as there are threads. More estimates than needed do not change the
        // result.
        open.sort_by(|a, b| b.1.total_cmp(&a.1));
        open.truncate(rayon::current_num_threads());
        open.into_par_iter().for_each(|(candidate, _)| candidate.look_closer(estimator));
    }
}

/// A piece with the ways to cut it.
struct Candidate {
    piece: Piece,
    /// The box that the piece would get.
    whole: BoxEstimate,
    cuts: Cuts,
}

enum Cuts {
    /// Cuts that have not been estimated, the best by a quick estimate first.
    Bounded {
        /// An upper bound of the volume that a cut saves, in model units cubed.
        most_gain: f64,
        /// `true` if the bound was computed by [`Estimator::close_least_volume`].
        is_close: bool,
        finalists: Vec<Finalist>,
    },
    /// The cut that saves the most volume; `None` if no cut saves volume.
    Best(Option<Box<Cut>>),
}

/// A cut with the convex hulls of its halves, from which boxes can be estimated.
struct Finalist {
    halves: [Piece; 2],
    planned: [PlannedHull; 2],
    /// For each half, a lower bound of the volume of its box, in the joint's unit cubed.
    least: [f64; 2],
}

/// A cut with the boxes of its halves.
struct Cut {
    /// The volume saved, in model units cubed.
    gain: f64,
    halves: [Piece; 2],
    boxes: [BoxEstimate; 2],
}

impl Candidate {
    /// Looks for the best cuts of a piece that would have the box `whole`, by quick estimates.
    fn new(estimator: &Estimator<'_>, piece: Piece, whole: BoxEstimate) -> Result<Self, BakeError> {
        let joint = piece.joint;
        let mut by_volume: Vec<(f64, [Piece; 2])> = Vec::new();
        let all = planes(&whole.axes, &piece.patch);
        for (normal, offset) in estimator.best_planes(&piece, &whole.axes, all, FINALISTS) {
            let halves = cut(&piece, normal, offset);
            if halves.iter().all(|half| !half.patch.corners.is_empty()) {
                let quick = |half: &Piece| estimator.quick_volume(joint, &half.patch, &whole.axes);
                by_volume.push((quick(&halves[0]) + quick(&halves[1]), halves));
            }
        }
        by_volume.sort_by(|a, b| a.0.total_cmp(&b.0));
        by_volume.truncate(FINALISTS);
        let finalist = |(_, halves): (f64, [Piece; 2])| {
            let planned = [estimator.planned(joint, &halves[0].patch)?, estimator.planned(joint, &halves[1].patch)?];
            let least = [0, 1].map(|half| estimator.least_volume(joint, &planned[half]));
            Ok(Finalist { halves, planned, least })
        };
        let finalists: Vec<Finalist> = by_volume.into_iter().map(finalist).collect::<Result<_, BakeError>>()?;
        let mut candidate = Self { piece, whole, cuts: Cuts::Best(None) };
        candidate.cuts =
            Cuts::Bounded { most_gain: candidate.most_gain(estimator, &finalists), is_close: false, finalists };
        Ok(candidate)
    }

    /// Returns an upper bound of the volume that any finalist saves, in model units cubed.
    fn most_gain(&self, estimator: &Estimator<'_>, finalists: &[Finalist]) -> f64 {
        finalists.iter().map(|one| self.gain(estimator, one.least[0] + one.least[1])).fold(0.0, f64::max)
    }

    /// Returns the volume that two halves save, in model units cubed. `volume` is the sum of the volumes of their
    /// boxes, in the joint's unit cubed.
    fn gain(&self, estimator: &Estimator<'_>, volume: f64) -> f64 {
        let scale = estimator.mesh.scale(self.piece.joint);
        (self.whole.volume - volume) * scale * scale * scale
    }

    /// Computes a closer bound of the volume that the cuts save; if the bound is close already, finds the best cut.
    fn look_closer(&mut self, estimator: &Estimator<'_>) {
        match std::mem::replace(&mut self.cuts, Cuts::Best(None)) {
            Cuts::Bounded { mut finalists, is_close: false, .. } => {
                for Finalist { planned, least, .. } in &mut finalists {
                    *least = planned.each_mut().map(|planned| estimator.close_least_volume(self.piece.joint, planned));
                }
                let most_gain = self.most_gain(estimator, &finalists);
                self.cuts = Cuts::Bounded { most_gain, is_close: true, finalists };
            }
            Cuts::Bounded { finalists, .. } => {
                self.cuts = Cuts::Best(self.best_of(estimator, finalists).map(Box::new));
            }
            best => self.cuts = best,
        }
    }

    /// Returns the best of the finalists by the boxes that their halves would get; the first of several equal
    /// finalists; `None` if no finalist saves volume.
    fn best_of(&self, estimator: &Estimator<'_>, finalists: Vec<Finalist>) -> Option<Cut> {
        let joint = self.piece.joint;
        // The likeliest finalist is tried first. For the other finalists a proof that their halves have no less volume
        // is enough.
        let likely = |finalist: &Finalist| finalist.planned.iter().map(PlannedHull::good_volume).sum::<f64>();
        let mut finalists: Vec<(usize, Finalist)> = finalists.into_iter().enumerate().collect();
        finalists.sort_by(|a, b| likely(&a.1).total_cmp(&likely(&b.1)));
        let mut best: Option<(usize, Cut)> = None;
        let mut most = self.whole.volume;
        for (index, Finalist { halves, planned, least }) in finalists {
            if self.gain(estimator, least[0] + least[1]) < best.as_ref().map_or(0.0, |(_, cut)| cut.gain) {
                continue;
            }
            let Some(boxes) = estimator.estimate_both(joint, &planned, most) else { continue };
            let volume = boxes[0].volume + boxes[1].volume;
            let gain = self.gain(estimator, volume);
            let wins = match &best {
                Some((known, cut)) => gain > cut.gain || (gain == cut.gain && index < *known),
                None => gain > 0.0,
            };
            if wins {
                (best, most) = (Some((index, Cut { gain, halves, boxes })), volume);
            }
        }
        best.map(|(_, cut)| cut)
    }
}

/// Returns the planes to try, as normal and offset: across each axis, evenly spread over the patch in the bind pose.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Attachments, BakeOptions, Overrides, Preset};
    use test_models::{Character, Random};

    /// A tube of uneven radius along y, and a joint for each third of it.
    fn uneven_tube(seed: u64) -> Character {
        const RINGS: u32 = 13;
        const AROUND: u32 = 14;
        let mut random = Random::new(seed);
        let mut tube = Character::new("tube");
        for joint in 0..3usize {
            tube.joint(&format!("joint {joint}"), joint.checked_sub(1), [0.0, if joint == 0 { 0.0 } else { 4.0 }, 0.0]);
        }
        for ring in 0..RINGS {
            for step in 0..AROUND {
                let (sine, cosine) = libm::sincosf(step as f32 / AROUND as f32 * std::f32::consts::TAU);
                let radius = 1.0 + 0.01 * random.below(60) as f32 + if ring / 4 == 1 { 1.0 } else { 0.0 };
                tube.positions.push([radius * cosine + 0.3 * (ring % 5) as f32, ring as f32, radius * sine]);
                tube.influences.push(vec![((ring / 4).min(2) as u16, 1.0)]);
                let (here, next) = (ring * AROUND + step, ring * AROUND + (step + 1) % AROUND);
                if ring + 1 < RINGS {
                    tube.triangles.extend([[here, next, here + AROUND], [next, next + AROUND, here + AROUND]]);
                }
            }
        }
        tube
    }

    /// Finds the best cut by estimating the boxes of all halves of all cuts.
    fn best_cut_of_all(estimator: &Estimator<'_>, candidates: &mut [Candidate]) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for (index, candidate) in candidates.iter_mut().enumerate() {
            if let Cuts::Bounded { finalists, .. } = &mut candidate.cuts {
                let finalists = std::mem::take(finalists);
                let mut best: Option<Cut> = None;
                for Finalist { halves, planned, .. } in finalists {
                    let boxes = [0, 1].map(|half| estimator.estimate(candidate.piece.joint, &planned[half]));
                    let gain = candidate.gain(estimator, boxes[0].volume + boxes[1].volume);
                    if gain > best.as_ref().map_or(0.0, |best| best.gain) {
                        best = Some(Cut { gain, halves, boxes });
                    }
                }
                candidate.cuts = Cuts::Best(best.map(Box::new));
            }
            if let Cuts::Best(Some(cut)) = &candidate.cuts
                && cut.gain > best.map_or(0.0, |(_, gain)| gain)
            {
                best = Some((index, cut.gain));
            }
        }
        best.map(|(index, _)| index)
    }

    /// Compares the cuts with those found by estimating every box.
    #[test]
    fn cuts_that_bounds_rule_out_are_never_the_best() {
        for seed in 0..4 {
            let glb = uneven_tube(seed).to_glb();
            let model = skinned_model::import(&glb, &skinned_model::NoExternalFiles).unwrap();
            let options = BakeOptions::preset(Preset::Tight);
            let options = Overrides::default().resolve(&model.skeleton, &options).unwrap();
            let mesh = BoundMesh::new(&model, Attachments::Include);
            let poses = SampledPoses::rest(&model.skeleton);
            let stands = Stands::default();
            let estimator = Estimator::new(&mesh, &options, &poses, &stands);
            let cut = |best_cut: fn(&Estimator<'_>, &mut [Candidate]) -> Option<usize>| {
                let candidate = |group| {
                    let piece = Piece::from(group);
                    let planned = estimator.planned(piece.joint, &piece.patch).unwrap();
                    let whole = estimator.estimate(piece.joint, &planned);
                    Candidate::new(&estimator, piece, whole).unwrap()
                };
                let groups = Groups::of_character(&mesh, options.character).groups;
                let mut candidates: Vec<Candidate> = groups.into_iter().map(candidate).collect();
                cut_greedily(&estimator, &mut candidates, 10, &(), best_cut).unwrap();
                let found = |one: &Candidate| (one.piece.joint, one.piece.patch.bind_points(), one.whole.axes);
                candidates.iter().map(found).collect::<Vec<_>>()
            };
            let (found, expected) = (cut(best_cut), cut(best_cut_of_all));
            assert_eq!(expected.len(), 10);
            assert_eq!(found, expected, "seed {seed}");
        }
    }
}
