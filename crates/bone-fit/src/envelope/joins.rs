//! Joins of clusters: from the many small clusters of a box to few large ones.
//!
//! When clusters are cut one by one, the first cuts are made with the least knowledge, and all later clusters follow
//! them. Joins may bring corners together that an early cut divided.

use crate::bounds::Bounds;
use crate::envelope::clusters::CornerCluster;
use crate::envelope::plan::Plan;
use glam::DVec3;
use std::cmp::Reverse;

/// The clusters of one box, joined two by two until one is left.
pub(crate) struct Joins {
    /// The clusters of the plan, and after them the cluster that each join makes.
    clusters: Vec<CornerCluster>,
    /// The two clusters that each join replaces.
    joined: Vec<[usize; 2]>,
    /// The cost of the clusters before the first join, and after each join.
    pub(crate) costs: Vec<Cost>,
}

/// The cost of the clusters of one box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// The size in the file, in bytes, without the movers.
    pub(crate) bytes: usize,
    /// The number of steps of the run time: see [`steps`].
    pub(crate) steps: usize,
    /// The loss of [`Plan::loss`].
    pub(crate) loss: f64,
}

/// Two clusters that may be joined.
struct Pair {
    ends: [usize; 2],
    cluster: CornerCluster,
    /// The number of bytes that the join saves.
    saved: usize,
    /// The least loss that the join added for each byte, as far as it was computed when the pair was last compared.
    added: f64,
}

impl Joins {
    /// Joins the clusters of a plan. Each join is the one that adds the least loss for each byte that it saves.
    pub(crate) fn new(plan: &Plan) -> Self {
        let mut joins = Self { clusters: plan.clusters.clone(), joined: Vec::new(), costs: Vec::new() };
        let mut live: Vec<usize> = (0..joins.clusters.len()).collect();
        let mut pairs: Vec<Pair> = Vec::new();
        for (index, &a) in live.iter().enumerate() {
            pairs.extend(live[..index].iter().map(|&b| joins.pair(plan, [b, a])));
        }
        loop {
            let farthest: Vec<Farthest> = (0..plan.poses()).map(|pose| joins.farthest(&live, pose)).collect();
            let now: Vec<f64> = farthest.iter().map(|farthest| plan.measure(&farthest.reach(None))).collect();
            let loss = plan.loss_of(now.iter().sum());
            joins.costs.push(joins.cost(&live, loss));
            let Some(best) = cheapest(plan, &mut pairs, &farthest, &now) else { return joins };
            let Pair { ends, cluster, .. } = pairs.swap_remove(best);
            joins.clusters.push(cluster);
            joins.joined.push(ends);
            let made = joins.clusters.len() - 1;
            live.retain(|cluster| !ends.contains(cluster));
            pairs.retain(|pair| !pair.ends.iter().any(|end| ends.contains(end)));
            pairs.extend(live.iter().map(|&other| joins.pair(plan, [other, made])));
            live.push(made);
        }
    }

    /// Returns the clusters after some joins.
    pub(crate) fn after(&self, joins: usize) -> Vec<CornerCluster> {
        let replaced = &self.joined[..joins];
        let made = self.clusters.len() - self.joined.len() + joins;
        let live = (0..made).filter(|cluster| !replaced.iter().any(|ends| ends.contains(cluster)));
        live.map(|cluster| self.clusters[cluster].clone()).collect()
    }

    fn pair(&self, plan: &Plan, ends: [usize; 2]) -> Pair {
        let [a, b] = ends.map(|end| &self.clusters[end]);
        let cluster = a.joined(b, &plan.motions);
        let saved = a.bytes() + b.bytes() - cluster.bytes();
        Pair { ends, cluster, saved, added: 0.0 }
    }

    fn farthest(&self, live: &[usize], pose: usize) -> Farthest {
        let mut farthest = Farthest([[(f64::NEG_INFINITY, usize::MAX); 3]; 6]);
        live.iter().for_each(|&cluster| farthest.add(cluster, &self.clusters[cluster].reach[pose]));
        farthest
    }

    fn cost(&self, live: &[usize], loss: f64) -> Cost {
        let live = || live.iter().map(|&cluster| &self.clusters[cluster]);
        Cost { bytes: live().map(CornerCluster::bytes).sum(), steps: steps(live()), loss }
    }
}

/// Returns the index of the pair whose join adds the least loss for each byte that it saves; `None` if there is no pair.
fn cheapest(plan: &Plan, pairs: &mut [Pair], farthest: &[Farthest], now: &[f64]) -> Option<usize> {
    // The pair that added the least before probably adds the least again. If it does, most other pairs need not be
    // computed in all poses.
    let likely = (0..pairs.len()).min_by(|&a, &b| pairs[a].added.total_cmp(&pairs[b].added))?;
    pairs.swap(0, likely);
    let (mut least, mut best) = (f64::INFINITY, 0);
    for (index, pair) in pairs.iter_mut().enumerate() {
        pair.added = 0.0;
        for ((farthest, reach), now) in farthest.iter().zip(&pair.cluster.reach).zip(now) {
            let joined = farthest.reach(Some(pair.ends)).joined(reach);
            pair.added += (plan.measure(&joined) - now) / pair.saved as f64;
            if pair.added >= least {
                break;
            }
        }
        if pair.added < least {
            (least, best) = (pair.added, index);
        }
    }
    Some(best)
}

/// Returns a measure of the time that the run time needs for some clusters of a box: the number of different movers in each
/// group of four clusters, added up. The first cluster of a group is the one with the most movers, and each of the others is
/// the one that adds the fewest. The run time groups clusters in the same way, but into pairs (`envelope_table`). The plans
/// keep groups of four, because pairs would change baked bytes.
fn steps<'a>(clusters: impl Iterator<Item = &'a CornerCluster>) -> usize {
    let mut left: Vec<Vec<usize>> = clusters.map(|cluster| cluster.movers().collect()).collect();
    left.sort_by(|one, other| one.len().cmp(&other.len()).then_with(|| one.cmp(other)));
    let mut steps = 0;
    while let Some(mut movers) = left.pop() {
        for _ in 1..4 {
            let added = |of_cluster: &[usize]| of_cluster.iter().filter(|mover| !movers.contains(mover)).count();
            let best = (0..left.len()).min_by_key(|&index| (added(&left[index]), Reverse(left[index].len())));
            movers.extend(best.map(|index| left.remove(index)).unwrap_or_default());
            movers.sort_unstable();
            movers.dedup();
        }
        steps += movers.len();
    }
    steps
}

/// The three clusters that reach farthest in one pose, the farthest first, for each side of the box. A side has the distance
/// from the box's center along an axis, or against it. Three are enough to leave out two.
struct Farthest([[(f64, usize); 3]; 6]);

impl Farthest {
    fn add(&mut self, cluster: usize, reach: &Bounds) {
        let (low, high) = (-reach.low, reach.high);
        for (three, side) in self.0.iter_mut().zip([high.x, high.y, high.z, low.x, low.y, low.z]) {
            let place = three.partition_point(|&(other, _)| other >= side);
            if place < 3 {
                three[place..].rotate_right(1);
                three[place] = (side, cluster);
            }
        }
    }

    /// Returns the bounds of all clusters, or of all but two.
    fn reach(&self, without: Option<[usize; 2]>) -> Bounds {
        let counts = |(_, cluster): &&(f64, usize)| without.is_none_or(|ends| !ends.contains(cluster));
        let side = |side: usize| self.0[side].iter().find(counts).map_or(f64::NEG_INFINITY, |&(reach, _)| reach);
        Bounds { low: -DVec3::new(side(3), side(4), side(5)), high: DVec3::new(side(0), side(1), side(2)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::neighbors::Neighbors;
    use crate::envelope::plan::tests::plans;

    /// The loss if a plan had these clusters, and its bytes without movers.
    fn loss_and_bytes(plan: &mut Plan, clusters: Vec<CornerCluster>) -> (f64, usize) {
        plan.clusters = clusters;
        plan.set_neighbors(Neighbors::new([DVec3::new(0.2, 0.3, 0.4)]));
        (plan.loss, plan.bytes() - plan.bytes_of_movers())
    }

    #[test]
    fn each_join_is_the_one_that_adds_the_least_loss_for_each_byte() {
        let mut compared = 0;
        for mut plan in plans() {
            while plan.clusters.len() < 12 && plan.cut_worst(usize::MAX).is_some() {}
            let joins = Joins::new(&plan);
            assert_eq!(joins.costs.len(), plan.clusters.len());
            for (number, cost) in joins.costs.iter().enumerate() {
                let clusters = joins.after(number);
                assert_eq!(clusters.len(), joins.costs.len() - number);
                let (loss, bytes) = loss_and_bytes(&mut plan, clusters.clone());
                assert!((loss - cost.loss).abs() <= 1e-12 && bytes == cost.bytes, "{loss} and {bytes}, but {cost:?}");
                let Some(next) = joins.costs.get(number + 1) else { continue };
                let found = (next.loss - cost.loss) / (cost.bytes - next.bytes) as f64;
                for a in 0..clusters.len() {
                    for b in 0..a {
                        let mut others = clusters.clone();
                        others.remove(a);
                        others[b] = clusters[b].joined(&clusters[a], &plan.motions);
                        let (other, bytes) = loss_and_bytes(&mut plan, others);
                        let least = (other - loss) / (cost.bytes - bytes) as f64;
                        assert!(found <= least + 1e-12, "join {number} adds {found}, but {a} and {b} add {least}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 20, "only {compared}");
    }

    #[test]
    fn a_join_has_the_bounds_of_all_corners() {
        for mut plan in plans() {
            let whole = plan.clusters[0].clone();
            while plan.clusters.len() < 12 && plan.cut_worst(usize::MAX).is_some() {}
            let joins = Joins::new(&plan);
            let [last] = &joins.after(joins.joined.len())[..] else { panic!("not one cluster") };
            assert_eq!((last.places(), &last.reach), (whole.places(), &whole.reach));
            assert!(last.movers().eq(whole.movers()));
            assert_eq!(last.bytes(), whole.bytes());
        }
    }
}
