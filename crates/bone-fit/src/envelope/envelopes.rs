//! The envelopes of all boxes, within a budget of bytes for the whole character.
//!
//! Each box begins with one cluster of all its corners. Each step takes the box that is too large by the most and cuts
//! its worst cluster in two. The steps end when twice the bytes of the budget are spent. Then clusters are joined until
//! the bytes are within the budget. Each join is the one that makes the boxes larger by the least for each byte.

use crate::envelope::joins::{Cost, Joins};
use crate::envelope::neighbors::Neighbors;
use crate::envelope::plan::Plan;
use crate::envelope::planning_poses::planning_poses;
use crate::fit::piece::Piece;
use crate::options::Poses;
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::{Envelope, Hitbox, HitboxShape, Motion};
use rayon::prelude::*;
use skinned_model::SkinnedModel;

/// Clusters are cut until they take this many times the bytes of the budget. With three times the bytes, the bake takes longer
/// and the boxes are not smaller.
const CUT: usize = 2;

/// The number of bytes that count as much as one step of the run time: those of two motions. So the run time takes less time for
/// envelopes of the same size.
const BYTES_OF_STEP: usize = 2 * Motion::BYTES;

/// Returns one envelope for each box, if the options ask for any pose. `boxes` are the hitboxes, each with the piece
/// that it was fitted to, if any. A manual box, a capsule and a sphere keep their shape.
pub(crate) fn envelopes(
    model: &SkinnedModel,
    mesh: &BoundMesh<'_>,
    boxes: &[(&Hitbox, Option<&Piece>)],
    options: &JointOptions<'_>,
) -> Vec<Envelope> {
    if options.character.poses != Poses::Any {
        return Vec::new();
    }
    let planning = planning_poses(model, options.character.rate);
    let plan = |(hitbox, piece): &(&Hitbox, Option<&Piece>)| {
        let piece = piece.filter(|_| hitbox.shape == HitboxShape::Box);
        piece.map(|piece| Plan::new(mesh, piece, hitbox, options, &planning))
    };
    let mut plans: Vec<Option<Plan>> = boxes.par_iter().map(plan).collect();
    let neighbors = Neighbors::new(plans.iter().flatten().flat_map(Plan::least_sizes));
    plans.par_iter_mut().flatten().for_each(|plan| plan.set_neighbors(neighbors));
    let budget = options.character.envelope_bytes;
    cut(&mut plans, budget.saturating_mul(CUT));
    if bytes(&plans) > budget {
        join(&mut plans, budget);
    }
    plans.into_iter().map(|plan| plan.map_or_else(Envelope::default, Plan::into_envelope)).collect()
}

fn bytes(plans: &[Option<Plan>]) -> usize {
    plans.iter().flatten().map(Plan::bytes).sum()
}

/// Cuts clusters until they take at most `most` bytes, or no box is too large.
fn cut(plans: &mut [Option<Plan>], most: usize) {
    let mut left = most.saturating_sub(bytes(plans));
    while let Some(plan) = most_to_lose(plans) {
        match plan.cut_worst(left) {
            Some(bytes) => left -= bytes,
            None => plan.is_done = true,
        }
    }
}

/// Returns the plan of the box that is too large by the most.
fn most_to_lose(plans: &mut [Option<Plan>]) -> Option<&mut Plan> {
    let mut best: Option<&mut Plan> = None;
    for plan in plans.iter_mut().flatten().filter(|plan| !plan.is_done) {
        if best.as_ref().is_none_or(|best| plan.loss > best.loss) {
            best = Some(plan);
        }
    }
    best
}

/// Joins clusters until the envelopes take at most `most` bytes, or each has one cluster.
fn join(plans: &mut [Option<Plan>], most: usize) {
    let joins: Vec<Option<Joins>> = plans.par_iter().map(|plan| plan.as_ref().map(Joins::new)).collect();
    let of_movers: usize = plans.iter().flatten().map(Plan::bytes_of_movers).sum();
    let costs: Vec<&[Cost]> = joins.iter().map(|joins| joins.as_ref().map_or(&[][..], |joins| &joins.costs)).collect();
    let chosen = numbers_of_joins(&costs, most.saturating_sub(of_movers));
    for ((plan, joins), chosen) in plans.iter_mut().zip(&joins).zip(chosen) {
        if let (Some(plan), Some(joins)) = (plan, joins) {
            plan.clusters = joins.after(chosen);
        }
    }
}

/// Returns the number of joins of each box with which all boxes together take at most `most` bytes, if there is one.
/// `costs` are the costs of each box before the first join, and after each join.
fn numbers_of_joins(costs: &[&[Cost]], most: usize) -> Vec<usize> {
    let mut chosen = vec![0; costs.len()];
    let mut bytes: usize = costs.iter().filter_map(|costs| costs.first()).map(|cost| cost.bytes).sum();
    while bytes > most {
        let mut best: Option<(f64, usize, usize)> = None;
        for (index, costs) in costs.iter().enumerate() {
            let Some((now, later)) = costs.get(chosen[index]..).and_then(<[Cost]>::split_first) else { continue };
            // A join that adds much may be followed by joins that add little, so several joins are also compared together.
            for (more, cost) in later.iter().enumerate() {
                let saved = now.bytes as f64 - cost.bytes as f64
                    + BYTES_OF_STEP as f64 * (now.steps as f64 - cost.steps as f64);
                let added = (cost.loss - now.loss) / saved.max(1.0);
                if best.is_none_or(|(least, ..)| added < least) {
                    best = Some((added, index, chosen[index] + more + 1));
                }
            }
        }
        let Some((_, index, joins)) = best else { break };
        bytes -= costs[index][chosen[index]].bytes - costs[index][joins].bytes;
        chosen[index] = joins;
    }
    // The last joins may have saved more bytes than were needed, and these are spent on other boxes.
    while bytes < most {
        let mut best: Option<(f64, usize, usize)> = None;
        for (index, costs) in costs.iter().enumerate() {
            let Some((now, earlier)) = costs.get(..=chosen[index]).and_then(<[Cost]>::split_last) else { continue };
            for (joins, cost) in earlier.iter().enumerate().filter(|(_, cost)| cost.bytes - now.bytes <= most - bytes) {
                let gained = now.loss - cost.loss;
                if gained > best.map_or(0.0, |(most, ..)| most) {
                    best = Some((gained, index, joins));
                }
            }
        }
        let Some((_, index, joins)) = best else { break };
        bytes += costs[index][joins].bytes - costs[index][chosen[index]].bytes;
        chosen[index] = joins;
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_are_those_that_add_the_least_loss() {
        let cost = |(bytes, loss): &(usize, f64)| Cost { bytes: *bytes, steps: 0, loss: *loss };
        let costs = |costs: &[(usize, f64)]| costs.iter().map(cost).collect::<Vec<Cost>>();
        let one = costs(&[(100, 0.0), (80, 1.0), (60, 9.0)]);
        // The first join is dear, but the second is free.
        let other = costs(&[(100, 0.0), (90, 2.0), (40, 2.0)]);
        let chosen = |most: usize| numbers_of_joins(&[&one, &[], &other], most);
        assert_eq!(chosen(200), [0, 0, 0]);
        assert_eq!(chosen(199), [0, 0, 2]);
        assert_eq!(chosen(130), [1, 0, 2]);
        assert_eq!(chosen(100), [2, 0, 2]);
        assert_eq!(chosen(99), [2, 0, 2]);
        // The third join saves so much that the first box can do without a join.
        let third = costs(&[(100, 0.0), (10, 0.5)]);
        assert_eq!(numbers_of_joins(&[&one, &third], 190), [0, 1]);
        let far = costs(&[(100, 0.0), (99, 1.0), (20, 1.5)]);
        assert_eq!(numbers_of_joins(&[&costs(&[(100, 0.0), (98, 0.001)]), &far], 195), [0, 2]);
    }

    /// If two joins save the same bytes and add the same loss, the join that also saves steps is made.
    #[test]
    fn steps_count_as_bytes() {
        let costs = |steps: usize| [Cost { bytes: 100, steps: 10, loss: 0.0 }, Cost { bytes: 80, steps, loss: 1.0 }];
        assert_eq!(numbers_of_joins(&[&costs(10), &costs(8)], 190), [0, 1]);
        assert_eq!(numbers_of_joins(&[&costs(8), &costs(10)], 190), [1, 0]);
    }
}
