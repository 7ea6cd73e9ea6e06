//! The envelopes of all boxes, within a budget of bytes for the whole character.
//!
//! Each box begins with one cluster of all its corners. Each step takes the box that is too large by the most and cuts
//! its worst cluster in two. The steps end when the bytes are spent.

use crate::bounds::Bounds;
use crate::envelope::clusters::{CornerCluster, MoverMotion, Steps, mover_motions, true_reach};
use crate::envelope::moved_corners::MovedCorners;
use crate::envelope::planning_poses::planning_poses;
use crate::fit::enclose::round_up;
use crate::fit::joint_options::JointOptions;
use crate::fit::piece::Piece;
use crate::options::Poses;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::limits::MAX_CLUSTERS;
use baked_format::{Envelope, Hitbox, HitboxShape, Mover};
use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use skinned_model::SkinnedModel;

/// A box is not divided further if its volume is too large by less than this share.
const ENOUGH: f64 = 0.03;

/// Returns one envelope for each box, if the options ask for any pose. `boxes` are the hitboxes, each with the piece
/// that it was fitted to, if any. A manual box, a capsule and a sphere keep their shape.
pub(crate) fn envelopes(
    model: &SkinnedModel,
    mesh: &BoundMesh<'_>,
    boxes: &[(&Hitbox, Option<&Piece>)],
    options: JointOptions<'_>,
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
    let known = |plans: &[Option<Plan>]| plans.iter().flatten().map(Plan::bytes).sum::<usize>();
    let mut left = options.character.envelope_bytes.saturating_sub(known(&plans));
    while let Some(plan) = most_to_lose(&mut plans) {
        match plan.cut_worst(left) {
            Some(bytes) => left -= bytes,
            None => plan.is_done = true,
        }
    }
    plans.into_iter().map(|plan| plan.map_or_else(Envelope::default, Plan::into_envelope)).collect()
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

/// The envelope of one box while it is planned.
struct Plan {
    corners: MovedCorners,
    motions: Vec<Vec<MoverMotion>>,
    /// The bounds of the corners in each planning pose, along the box's axes.
    least: Vec<Bounds>,
    clusters: Vec<CornerCluster>,
    /// The distance by which the places are moved out along each axis: the margin and the least thickness.
    margin: DVec3,
    /// The length of one unit of the joint's space in model units.
    scale: f64,
    /// The length in model units by which the box is too large; see [`Plan::weigh`].
    loss: f64,
    is_done: bool,
}

impl Plan {
    fn new(
        mesh: &BoundMesh<'_>,
        piece: &Piece,
        hitbox: &Hitbox,
        options: JointOptions<'_>,
        planning: &[Vec<DAffine3>],
    ) -> Self {
        let joint = hitbox.joint;
        let corners = MovedCorners::new(mesh, &piece.patch, hitbox);
        let motions = mover_motions(&corners, joint.index(), planning);
        let least = true_reach(&corners, &motions);
        let all = (0..corners.places.len() as u32).collect();
        let whole = CornerCluster::around(&corners, all, &motions);
        let own = options.get(joint);
        let thickness = DVec3::splat(mesh.in_joint_units(joint, own.min_thickness));
        let margin = 0.5 * (thickness - whole.places().size()).max(DVec3::ZERO)
            + DVec3::splat(mesh.in_joint_units(joint, own.margin));
        let scale = mesh.scale(joint);
        let mut plan =
            Self { corners, motions, least, clusters: vec![whole], margin, scale, loss: 0.0, is_done: false };
        plan.weigh();
        plan
    }

    fn bytes(&self) -> usize {
        Mover::BYTES * self.corners.movers.len() + self.clusters.iter().map(CornerCluster::bytes).sum::<usize>()
    }

    /// Returns the bounds of all clusters in a planning pose.
    fn reach(&self, pose: usize) -> Bounds {
        let (low, high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        self.clusters.iter().fold(Bounds { low, high }, |all, cluster| {
            let reach = &cluster.reach[pose];
            Bounds { low: all.low.min(reach.low), high: all.high.max(reach.high) }
        })
    }

    /// Computes the loss. For the cubes with the volume of the box and of the smallest possible box, the loss is the
    /// difference of their edge lengths, on average over the planning poses.
    fn weigh(&mut self) {
        let edge = |bounds: &Bounds| libm::cbrt((bounds.size() + 2.0 * self.margin).element_product().max(0.0));
        let (mut found, mut least) = (0.0, 0.0);
        for pose in 0..self.least.len() {
            found += edge(&self.reach(pose));
            least += edge(&self.least[pose]);
        }
        self.is_done = self.is_done || found <= least * (1.0 + ENOUGH / 3.0) || self.clusters.len() >= MAX_CLUSTERS;
        self.loss = self.scale * (found - least) / self.least.len().max(1) as f64;
    }

    /// Cuts the cluster that reaches too far by the most, and returns the number of bytes that the cut takes, at most
    /// `left`; `None` if no cluster can be cut for so few bytes.
    fn cut_worst(&mut self, left: usize) -> Option<usize> {
        let mut blame = vec![0.0; self.clusters.len()];
        // A cut of one cluster does not change how far the others reach. So a cluster that lies within their reach gets
        // no blame: to cut it would not make the box smaller.
        for pose in 0..self.least.len() {
            let (all, least) = (self.reach(pose), &self.least[pose]);
            let size = all.size() + 2.0 * self.margin;
            for axis in 0..3 {
                let area = size.element_product() / size[axis].max(f64::MIN_POSITIVE);
                let farthest = |value: fn(&Bounds) -> DVec3, sign: f64| {
                    let reach = |cluster: &CornerCluster| sign * value(&cluster.reach[pose])[axis];
                    let all = self.clusters.iter().map(reach).enumerate();
                    all.fold((0, f64::NEG_INFINITY), |best, one| if one.1 > best.1 { one } else { best }).0
                };
                blame[farthest(|bounds| bounds.high, 1.0)] += area * (all.high[axis] - least.high[axis]);
                blame[farthest(|bounds| bounds.low, -1.0)] += area * (least.low[axis] - all.low[axis]);
            }
        }
        let mut order: Vec<usize> = (0..blame.len()).filter(|&cluster| blame[cluster] > 0.0).collect();
        order.sort_by(|&a, &b| blame[b].total_cmp(&blame[a]));
        for worst in order {
            let excess = |left: &[Bounds], right: &[Bounds]| self.excess(left, right);
            let Some(halves) = self.clusters[worst].cut(&self.corners, &self.motions, excess) else { continue };
            let before = self.clusters[worst].bytes();
            let bytes = halves.iter().map(CornerCluster::bytes).sum::<usize>().saturating_sub(before);
            if bytes > left {
                continue;
            }
            self.clusters.splice(worst..=worst, halves);
            self.weigh();
            return Some(bytes);
        }
        None
    }

    /// Returns by how much two halves reach beyond the corners, weighted by the area of the face.
    fn excess(&self, left: &[Bounds], right: &[Bounds]) -> f64 {
        let mut sum = 0.0;
        for (pose, least) in self.least.iter().enumerate() {
            let size = least.size() + 2.0 * self.margin;
            for axis in 0..3 {
                let area = size[(axis + 1) % 3] * size[(axis + 2) % 3];
                let high = left[pose].high[axis].max(right[pose].high[axis]) - least.high[axis];
                let low = least.low[axis] - left[pose].low[axis].min(right[pose].low[axis]);
                // The half that reaches less far also counts a little, so that the sum prefers cuts that help later.
                let inner = (left[pose].high[axis].min(right[pose].high[axis]) - least.high[axis]).max(0.0)
                    + (least.low[axis] - left[pose].low[axis].max(right[pose].low[axis])).max(0.0);
                sum += area * (high.max(0.0) + low.max(0.0) + 0.25 * inner);
            }
        }
        sum
    }

    fn into_envelope(mut self) -> Envelope {
        let most_movers = self.clusters.iter().map(CornerCluster::movers).max().unwrap_or(0);
        self.corners.set_slacks(most_movers, self.margin);
        let steps = Steps::new(&self.clusters, self.margin);
        Envelope {
            slack: round_up(self.corners.slack),
            place_step: steps.places.length,
            rest_step: steps.rest.length,
            movers: self.corners.movers,
            clusters: self.clusters.iter().map(|cluster| cluster.to_cluster(self.margin, &steps)).collect(),
        }
    }
}
