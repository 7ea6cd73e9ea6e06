//! Several boxes for one bone.
//!
//! A budget of boxes for the whole character is given out greedily: always to the cut that saves the most volume. A cut
//! is a plane across one of a box's axes; the polygons of the surface are clipped by it, so that nothing between two
//! boxes is lost. Corners on the cut are interpolated with all their weights and move exactly.

use crate::assign::owner::JointGroup;
use crate::error::BakeError;
use crate::fit::fitter::{Context, Plan};
use crate::skin::patch::Patch;
use glam::{DMat3, DVec3};
use rayon::prelude::*;
use std::collections::HashMap;

/// Cuts tried across each axis, evenly spread.
const CUTS: usize = 7;

/// Of all cuts these many, the best by a quick estimate, are fitted in earnest.
const FINALISTS: usize = 3;

/// Splits groups until there are `boxes` of them, for each joint as many as its options allow, while that saves volume.
///
/// Groups of a joint stay together, in the order of the cuts.
pub(crate) fn split(
    context: &Context<'_>,
    groups: Vec<JointGroup>,
    boxes: usize,
) -> Result<Vec<JointGroup>, BakeError> {
    if boxes <= groups.len() {
        return Ok(groups);
    }
    let piece = |group: JointGroup| {
        let plan = context.plan(group.joint, &group.patch)?;
        Piece::new(context, group, &plan)
    };
    let pieces: Vec<Result<Piece, BakeError>> = groups.into_par_iter().map(piece).collect();
    let mut pieces = pieces.into_iter().collect::<Result<Vec<Piece>, BakeError>>()?;
    while pieces.len() < boxes {
        let of_joint = |piece: &Piece| pieces.iter().filter(|other| other.group.joint == piece.group.joint).count();
        let mut best: Option<(usize, f64)> = None;
        for (index, piece) in pieces.iter().enumerate() {
            let gain = piece.best.as_ref().map_or(0.0, |cut| cut.gain);
            let most = context.options_of(piece.group.joint).most_boxes();
            if gain > best.map_or(0.0, |(_, gain)| gain) && of_joint(piece) < most {
                best = Some((index, gain));
            }
        }
        let Some((index, _)) = best else { break };
        let Some(cut) = pieces[index].best.take() else { break };
        let ([left, right], [left_plan, right_plan]) = (cut.halves, cut.plans);
        let (left, right) =
            rayon::join(|| Piece::new(context, left, &left_plan), || Piece::new(context, right, &right_plan));
        pieces.splice(index..=index, [left?, right?]);
    }
    Ok(pieces.into_iter().map(|piece| piece.group).collect())
}

/// A group with the best way to cut it.
struct Piece {
    group: JointGroup,
    best: Option<Cut>,
}

struct Cut {
    /// Volume saved, in model units.
    gain: f64,
    halves: [JointGroup; 2],
    plans: [Plan; 2],
}

impl Piece {
    /// Looks for the best cut of a group that would have the box of that plan.
    fn new(context: &Context<'_>, group: JointGroup, whole: &Plan) -> Result<Self, BakeError> {
        let scale = context.mesh.scale(group.joint);
        let mut candidates: Vec<(f64, [JointGroup; 2])> = Vec::new();
        for (normal, offset) in planes(&whole.axes, &group.patch) {
            let halves = cut(&group, normal, offset);
            if halves.iter().all(|half| !half.patch.corners.is_empty()) {
                let quick = |half: &JointGroup| context.quick_volume(half.joint, &half.patch, &whole.axes);
                candidates.push((quick(&halves[0]) + quick(&halves[1]), halves));
            }
        }
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
        candidates.truncate(FINALISTS);
        let mut best: Option<Cut> = None;
        for (_, halves) in candidates {
            let least = best.as_ref().map_or(0.0, |best| best.gain);
            let gain = |volume: f64| (whole.volume - volume) * scale * scale * scale;
            let first = context.plan(group.joint, &halves[0].patch)?;
            // The other half takes no less than nothing.
            if gain(first.volume) > least {
                let second = context.plan(group.joint, &halves[1].patch)?;
                let gain = gain(first.volume + second.volume);
                if gain > least {
                    best = Some(Cut { gain, halves, plans: [first, second] });
                }
            }
        }
        Ok(Self { group, best })
    }
}

/// Planes to try: across each axis, evenly spread over the patch, as normal and offset.
fn planes(axes: &DMat3, patch: &Patch) -> Vec<(DVec3, f64)> {
    let mut planes = Vec::with_capacity(3 * CUTS);
    for axis in [axes.x_axis, axes.y_axis, axes.z_axis] {
        let along = patch.corners.iter().map(|corner| corner.bind.dot(axis));
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
        let between = |index: usize| low + (high - low) * (index as f64 / (CUTS + 1) as f64);
        planes.extend((1..=CUTS).map(|index| (axis, between(index))));
    }
    planes
}

/// The two sides of the plane `normal . x = offset`, in the pose the mesh was bound in.
fn cut(group: &JointGroup, normal: DVec3, offset: f64) -> [JointGroup; 2] {
    let heights: Vec<f64> = group.patch.corners.iter().map(|corner| corner.bind.dot(normal) - offset).collect();
    let mut cutter = Cutter {
        patch: &group.patch,
        heights: &heights,
        copied: [vec![u32::MAX; heights.len()], vec![u32::MAX; heights.len()]],
        crossings: HashMap::new(),
        sides: Default::default(),
    };
    let mut in_polygon = vec![false; heights.len()];
    for polygon in group.patch.polygons() {
        polygon.iter().for_each(|&corner| in_polygon[corner as usize] = true);
        for side in [0, 1] {
            cutter.clip(polygon, side);
        }
    }
    for corner in (0..heights.len()).filter(|&corner| !in_polygon[corner]) {
        cutter.copy(corner as u32, usize::from(heights[corner] >= 0.0));
    }
    let [low, high] = cutter.sides;
    let side = |patch, side: usize| {
        let here = |point: &&DVec3| usize::from(point.dot(normal) - offset >= 0.0) == side;
        let vertices = group.vertices.iter().filter(here).copied().collect();
        JointGroup { joint: group.joint, patch, vertices }
    };
    [side(low, 0), side(high, 1)]
}

struct Cutter<'a> {
    patch: &'a Patch,
    /// Of each corner over the plane.
    heights: &'a [f64],
    /// Where a corner went on each side.
    copied: [Vec<u32>; 2],
    /// Where an edge crosses the plane, smaller corner first: its corner on each side. Looked up, never iterated.
    crossings: HashMap<[u32; 2], [u32; 2]>,
    sides: [Patch; 2],
}

impl Cutter<'_> {
    /// Adds what lies on one side of the plane, 0 below and 1 above; what lies in it is on both (Sutherland and Hodgman).
    fn clip(&mut self, polygon: &[u32], side: usize) {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let heights = self.heights;
        let height = |corner: u32| sign * heights[corner as usize];
        if polygon.iter().all(|&corner| height(corner) <= 0.0) {
            return;
        }
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (index, &corner) in polygon.iter().enumerate() {
            let next = polygon[(index + 1) % polygon.len()];
            if height(corner) >= 0.0 {
                kept.push(self.copy(corner, side));
            }
            if (height(corner) > 0.0 && height(next) < 0.0) || (height(corner) < 0.0 && height(next) > 0.0) {
                kept.push(self.crossing(corner, next, side));
            }
        }
        self.sides[side].push_polygon(&kept);
    }

    fn copy(&mut self, corner: u32, side: usize) -> u32 {
        let known = &mut self.copied[side][corner as usize];
        if *known == u32::MAX {
            *known = self.sides[side].push_copy(self.patch, corner);
        }
        *known
    }

    fn crossing(&mut self, a: u32, b: u32, side: usize) -> u32 {
        let edge = [a.min(b), a.max(b)];
        let known = self.crossings.entry(edge).or_insert([u32::MAX; 2]);
        if known[side] == u32::MAX {
            let [from, to] = edge.map(|corner| self.heights[corner as usize]);
            known[side] = self.sides[side].push_between(self.patch, edge, from / (from - to));
        }
        known[side]
    }
}
