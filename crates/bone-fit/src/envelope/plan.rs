//! The clusters of one box while they are planned.

use crate::bounds::Bounds;
use crate::envelope::clusters::{CornerCluster, MoverMotion, Steps, mover_motions, true_reach};
use crate::envelope::moved_corners::MovedCorners;
use crate::envelope::neighbors::Neighbors;
use crate::fit::enclose::round_up;
use crate::fit::piece::Piece;
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::limits::MAX_CLUSTERS;
use baked_format::{Envelope, Hitbox, Mover};
use glam::{DAffine3, DVec3};

/// A box is not divided further if its volume is too large by less than this share.
const ENOUGH: f64 = 0.03;

/// The most clusters of one box. The time of [`Joins`](crate::envelope::joins::Joins) grows with the cube of this number.
const MOST_CLUSTERS: usize = 128;

const _: () = assert!(MOST_CLUSTERS <= MAX_CLUSTERS);

/// The envelope of one box while it is planned.
pub(crate) struct Plan {
    corners: MovedCorners,
    pub(crate) motions: Vec<Vec<MoverMotion>>,
    /// The bounds of the corners in each planning pose, along the box's axes.
    least: Vec<Bounds>,
    pub(crate) clusters: Vec<CornerCluster>,
    /// The distance by which the places are moved out along each axis: the margin and the least thickness.
    margin: DVec3,
    /// The length of one unit of the joint's space in model units.
    scale: f64,
    /// The boxes that the measure of this box is about.
    neighbors: Neighbors,
    /// The mean measure of the smallest possible box over the planning poses.
    least_measure: f64,
    /// The mean measure of the box minus the mean measure of the smallest possible box.
    pub(crate) loss: f64,
    pub(crate) is_done: bool,
}

impl Plan {
    /// Begins with one cluster of all corners. The plan has no loss before it gets its neighbors.
    pub(crate) fn new(
        mesh: &BoundMesh<'_>,
        piece: &Piece,
        hitbox: &Hitbox,
        options: &JointOptions<'_>,
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
        Self {
            corners,
            motions,
            least,
            clusters: vec![whole],
            margin,
            scale: mesh.scale(joint),
            neighbors: Neighbors::new([]),
            least_measure: 0.0,
            loss: 0.0,
            is_done: false,
        }
    }

    /// Returns the size of the smallest possible box in each planning pose, in model units.
    pub(crate) fn least_sizes(&self) -> impl Iterator<Item = DVec3> {
        self.least.iter().map(|least| self.size(least))
    }

    /// Sets the boxes that the measure of this box is about, and computes the loss.
    pub(crate) fn set_neighbors(&mut self, neighbors: Neighbors) {
        self.neighbors = neighbors;
        self.least_measure = self.mean(self.least_sizes().map(|size| neighbors.measure(size)).sum());
        self.weigh();
    }

    /// Returns the size of the envelope in the file, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes_of_movers() + self.clusters.iter().map(CornerCluster::bytes).sum::<usize>()
    }

    /// Returns the size of the movers in the file, in bytes.
    pub(crate) fn bytes_of_movers(&self) -> usize {
        Mover::BYTES * self.corners.movers.len()
    }

    /// Returns the number of planning poses.
    pub(crate) fn poses(&self) -> usize {
        self.least.len()
    }

    /// Returns the measure of a box with these bounds, which are enlarged by the margin.
    pub(crate) fn measure(&self, bounds: &Bounds) -> f64 {
        self.neighbors.measure(self.size(bounds))
    }

    /// Returns the loss if the measures of the box in all planning poses have this sum.
    pub(crate) fn loss_of(&self, sum: f64) -> f64 {
        self.mean(sum) - self.least_measure
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / self.poses().max(1) as f64
    }

    fn size(&self, bounds: &Bounds) -> DVec3 {
        self.scale * (bounds.size() + 2.0 * self.margin).max(DVec3::ZERO)
    }

    /// Returns the bounds of all clusters in a planning pose.
    fn reach(&self, pose: usize) -> Bounds {
        self.clusters.iter().fold(Bounds::EMPTY, |all, cluster| all.joined(&cluster.reach[pose]))
    }

    /// Computes the loss. The plan is done if the box is nearly as small as possible: the cube with its volume has nearly
    /// the edge of the cube with the least volume, on average over the planning poses.
    fn weigh(&mut self) {
        let edge = |bounds: &Bounds| libm::cbrt(self.size(bounds).element_product());
        let (mut found, mut least, mut sum) = (0.0, 0.0, 0.0);
        for pose in 0..self.poses() {
            let reach = self.reach(pose);
            found += edge(&reach);
            least += edge(&self.least[pose]);
            sum += self.measure(&reach);
        }
        self.loss = self.loss_of(sum);
        let is_enough = found <= least * (1.0 + ENOUGH / 3.0);
        self.is_done = self.is_done || is_enough || self.clusters.len() >= MOST_CLUSTERS;
    }

    /// Cuts the cluster that reaches too far by the most, and returns the number of bytes that the cut takes, at most
    /// `left`; `None` if no cluster can be cut for so few bytes.
    pub(crate) fn cut_worst(&mut self, left: usize) -> Option<usize> {
        let mut blame = vec![0.0; self.clusters.len()];
        // A cut of one cluster does not change the reach of the other clusters. A cluster within the reach of the
        // others gets no blame, because a cut of it would not make the box smaller.
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

    /// Returns the envelope for the file.
    pub(crate) fn into_envelope(mut self) -> Envelope {
        let most_movers = self.clusters.iter().map(|cluster| cluster.movers().count()).max().unwrap_or(0);
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::assign::groups::Groups;
    use crate::envelope::planning_poses::planning_poses;
    use crate::options::{Attachments, BakeOptions, Overrides, Preset};
    use baked_format::{HitboxRole, HitboxShape};
    use glam::{Quat, Vec3};

    /// The plans of the boxes of a soft limb, with neighbors.
    pub(crate) fn plans() -> Vec<Plan> {
        let model = test_models::soft_limb().to_glb();
        let model = skinned_model::import(&model, &skinned_model::NoExternalFiles).unwrap();
        let mesh = BoundMesh::new(&model, Attachments::Include);
        let character = BakeOptions::preset(Preset::Always);
        let options = Overrides::default().resolve(&model.skeleton, &character).unwrap();
        let planning = planning_poses(&model, character.rate);
        let plan = |group| {
            let piece = Piece::from(group);
            let hitbox = Hitbox {
                joint: piece.joint,
                shape: HitboxShape::Box,
                role: HitboxRole::Hurt,
                tags: Vec::new(),
                center: Vec3::new(0.5, 0.0, 0.0),
                half_extents: Vec3::ONE,
                orientation: Quat::IDENTITY,
                vertices: 0,
                hull_vertices: 0,
                hull_volume: 0.0,
                min_volume: None,
                hull: None,
            };
            let mut plan = Plan::new(&mesh, &piece, &hitbox, &options, &planning);
            plan.set_neighbors(Neighbors::new([DVec3::new(0.2, 0.3, 0.4)]));
            plan
        };
        Groups::of_character(&mesh, &character).groups.into_iter().map(plan).collect()
    }

    #[test]
    fn cuts_reduce_the_loss() {
        for mut plan in plans() {
            let (before, bytes) = (plan.loss, plan.bytes());
            assert!(before > 0.0);
            let more = plan.cut_worst(usize::MAX).unwrap();
            assert_eq!((plan.clusters.len(), plan.bytes()), (2, bytes + more));
            assert!(plan.loss < before, "{} is not below {before}", plan.loss);
        }
    }
}
