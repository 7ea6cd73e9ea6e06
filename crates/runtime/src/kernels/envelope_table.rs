//! Envelopes in lanes: the tables that `envelope_lanes` and `vector_envelope` compute boxes from.
//!
//! A box's clusters are in *quads*: four clusters of one box, in neighboring lanes. A *slot* has four quads, each of any box
//! of the block. A slot has *steps*: in each step, every quad adds the effect of one mover on its clusters. The effect
//! of a mover on a box is computed once for all of the box's clusters. The four clusters of a quad share this effect, so
//! that it is copied to lanes and not collected from four places.

use super::layout::{LANES, Row, Shape};
use baked_format::{Cluster, Envelope, Motion, Mover};
use glam::Vec3;
use skeleton::JointIndex;
use std::cmp::Reverse;
use std::ops::Range;

/// The number of quads in a slot.
pub(crate) const QUADS: usize = LANES / 4;
/// The most movers of the boxes of one block, except for a block of a single box.
pub(crate) const BLOCK_MOVERS: usize = 4 * LANES;

/// The rows of a [`MoverBlock`].
pub(crate) mod mover_row {
    /// The first of nine rows: the columns of the map's linear part.
    pub(crate) const AXES: usize = 0;
    /// The box's center.
    pub(crate) const CENTER: usize = 9;
    pub(crate) const SLACK: usize = 12;
    /// The greatest weight that the mover has anywhere in the box, times [`super::roundings`].
    pub(crate) const WEIGHT: usize = 13;
    pub(crate) const COUNT: usize = 14;
}

/// A block of at most sixteen boxes with their clusters and movers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EnvelopeBlock {
    /// The number of lanes that have a box. The other lanes repeat the first box.
    pub(crate) count: usize,
    /// The box index of each lane.
    pub(crate) boxes: [u16; LANES],
    pub(crate) joints: [JointIndex; LANES],
    /// The box's axes in joint space, x, y and z of each.
    pub(crate) axes: [Row; 9],
    pub(crate) slack: Row,
    /// The factor of the own joint's translation in the bound of the rounding error.
    pub(crate) weight: Row,
    /// The block's movers, numbered from 1 in the steps.
    pub(crate) movers: Range<usize>,
    pub(crate) slots: Range<usize>,
}

/// Sixteen movers of the boxes of one block, by box.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MoverBlock {
    /// The number of lanes that have a mover. The other lanes repeat the first mover.
    pub(crate) count: usize,
    /// The lane of each mover's box in the block of boxes.
    pub(crate) lanes: [u8; LANES],
    pub(crate) joints: [JointIndex; LANES],
    pub(crate) rows: [Row; mover_row::COUNT],
}

/// Sixteen clusters, four of one box each: rows of the center and half the size of the bounds of places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slot {
    pub(crate) rows: [Row; 6],
    /// The lane of each quad's box in the block of boxes.
    pub(crate) boxes: [u8; QUADS],
    pub(crate) steps: Range<usize>,
}

/// One mover for each quad. Rows, in the words of `docs/any-pose.md`: `g_k` (three rows), `δ_k h + r_k` (three rows),
/// `ω_k` and `δ_k`; all are 0 for clusters that the mover does not move.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) rows: [Row; 8],
    /// The number of the mover in the block, from 1; 0 if there is no mover.
    pub(crate) movers: [u16; QUADS],
}

/// The envelopes of one character.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EnvelopeTable {
    pub(crate) blocks: Vec<EnvelopeBlock>,
    pub(crate) movers: Vec<MoverBlock>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) steps: Vec<Step>,
    /// The block and the lane of each box of the character, by box index; `None` for a box that keeps its shape.
    pub(crate) places: Vec<Option<(u16, u8)>>,
    /// The most movers, in whole blocks of sixteen, that the boxes of one block have.
    pub(crate) most_movers: usize,
}

impl EnvelopeTable {
    /// The envelopes of these boxes; `None` if none of the boxes changes its shape.
    pub(crate) fn new(shapes: &[Shape], envelopes: &[Envelope]) -> Option<Self> {
        let mut order: Vec<usize> = (0..shapes.len().min(envelopes.len())).collect();
        order.retain(|&index| !envelopes[index].clusters.is_empty());
        // Boxes are sorted by their number of clusters, so that only the slots of the last blocks are not full.
        order.sort_by_key(|&index| Reverse(envelopes[index].clusters.len()));
        let mut table = Self {
            blocks: Vec::new(),
            movers: Vec::new(),
            slots: Vec::new(),
            steps: Vec::new(),
            places: vec![None; shapes.len()],
            most_movers: 0,
        };
        let mut left = order.as_slice();
        while !left.is_empty() {
            let mut movers = 0;
            let fits = |&&index: &&usize| {
                movers += envelopes[index].movers.len();
                movers <= BLOCK_MOVERS
            };
            let count = left.iter().take(LANES).take_while(fits).count().max(1);
            let (of_block, rest) = left.split_at(count);
            table.add_block(shapes, envelopes, of_block);
            left = rest;
        }
        (!table.blocks.is_empty()).then_some(table)
    }

    fn add_block(&mut self, shapes: &[Shape], envelopes: &[Envelope], of_block: &[usize]) {
        let in_lane = |lane: usize| of_block[if lane < of_block.len() { lane } else { 0 }];
        let boxes: [usize; LANES] = std::array::from_fn(in_lane);
        for (lane, &index) in of_block.iter().enumerate() {
            self.places[index] = Some((self.blocks.len() as u16, lane as u8));
        }
        let first_mover = self.movers.len();
        let first_numbers = self.add_movers(envelopes, of_block);
        let quads_of = |(lane, &index): (usize, &usize)| {
            let envelope = &envelopes[index];
            let quads = quads(&envelope.clusters).into_iter();
            quads.map(move |clusters| Quad::new(envelope, lane as u8, first_numbers[lane], clusters))
        };
        let mut quads: Vec<Quad<'_>> = of_block.iter().enumerate().flat_map(quads_of).collect();
        // A slot has as many steps as its quad with the most movers.
        quads.sort_by_key(|quad| Reverse(quad.movers.len()));
        let first_slot = self.slots.len();
        for of_slot in quads.chunks(QUADS) {
            self.add_slot(std::array::from_fn(|quad| &of_slot[quad.min(of_slot.len() - 1)]));
        }
        let axes = std::array::from_fn(|row| boxes.map(|index| shapes[index].axes.to_cols_array()[row]));
        self.blocks.push(EnvelopeBlock {
            count: of_block.len(),
            boxes: boxes.map(|index| index as u16),
            joints: boxes.map(|index| shapes[index].joint),
            axes,
            slack: boxes.map(|index| envelopes[index].slack),
            weight: boxes.map(|index| own_weight(&envelopes[index])),
            movers: first_mover..self.movers.len(),
            slots: first_slot..self.slots.len(),
        });
    }

    /// Adds the movers of the boxes of a block. Returns the number of each box's first mover.
    fn add_movers(&mut self, envelopes: &[Envelope], of_block: &[usize]) -> [u16; LANES] {
        let mut first_numbers = [0; LANES];
        let mut all: Vec<(usize, &Mover, f32)> = Vec::new();
        for (lane, &index) in of_block.iter().enumerate() {
            first_numbers[lane] = all.len() as u16 + 1;
            for (number, mover) in envelopes[index].movers.iter().enumerate() {
                let weight = roundings(&envelopes[index]) * greatest_weight(&envelopes[index], number);
                all.push((lane, mover, weight));
            }
        }
        for sixteen in all.chunks(LANES) {
            let of_lane: [&(usize, &Mover, f32); LANES] =
                std::array::from_fn(|lane| &sixteen[if lane < sixteen.len() { lane } else { 0 }]);
            let numbers: [[f32; mover_row::COUNT]; LANES] =
                of_lane.map(|(_, mover, weight)| mover_numbers(mover, *weight));
            self.movers.push(MoverBlock {
                count: sixteen.len(),
                lanes: of_lane.map(|(lane, ..)| *lane as u8),
                joints: of_lane.map(|(_, mover, _)| mover.joint),
                rows: std::array::from_fn(|row| numbers.map(|numbers| numbers[row])),
            });
        }
        self.most_movers = self.most_movers.max(all.len().next_multiple_of(LANES));
        first_numbers
    }

    fn add_slot(&mut self, quads: [&Quad<'_>; QUADS]) {
        let first_step = self.steps.len();
        let most = quads.iter().map(|quad| quad.movers.len()).max().unwrap_or(0);
        for step in 0..most {
            let mover = |quad: &Quad<'_>| quad.movers.get(step).copied();
            let numbers: [[f32; 8]; LANES] = std::array::from_fn(|lane| {
                let (quad, cluster) = (quads[lane / 4], quads[lane / 4].clusters[lane % 4]);
                let find = |mover: u16| cluster.motions.binary_search_by_key(&mover, |motion| motion.mover).ok();
                let motion = mover(quad).and_then(find).map(|place| &cluster.motions[place]);
                motion.map_or([0.0; 8], |motion| motion_numbers(quad.envelope, motion, cluster))
            });
            let rows = std::array::from_fn(|row| numbers.map(|numbers| numbers[row]));
            let number = |quad: &Quad<'_>| mover(quad).map_or(0, |mover| quad.first_number + mover);
            self.steps.push(Step { rows, movers: quads.map(number) });
        }
        let numbers: [[f32; 6]; LANES] = std::array::from_fn(|lane| {
            let quad = quads[lane / 4];
            center_and_half(quad.envelope.places(quad.clusters[lane % 4]))
        });
        let rows = std::array::from_fn(|row| numbers.map(|numbers| numbers[row]));
        self.slots.push(Slot { rows, boxes: quads.map(|quad| quad.lane), steps: first_step..self.steps.len() });
    }

    /// Returns `true` if a joint moves the surface of a box and is not the box's own joint.
    pub(crate) fn is_moved_by(&self, index: usize, joint: JointIndex) -> bool {
        let Some((block, lane)) = self.places.get(index).copied().flatten() else { return false };
        let block = &self.blocks[usize::from(block)];
        self.movers[block.movers.clone()]
            .iter()
            .any(|movers| (0..movers.count).any(|at| movers.lanes[at] == lane && movers.joints[at] == joint))
    }

    /// The joints that move the surface of a box, without the box's own joint.
    pub(crate) fn movers_of(&self, index: usize) -> impl Iterator<Item = JointIndex> + '_ {
        let place = self.places.get(index).copied().flatten();
        let of_block = |(block, lane): (u16, u8)| {
            self.movers[self.blocks[usize::from(block)].movers.clone()].iter().flat_map(move |movers| {
                (0..movers.count).filter(move |&at| movers.lanes[at] == lane).map(|at| movers.joints[at])
            })
        };
        place.into_iter().flat_map(of_block)
    }
}

/// Four clusters of one box.
struct Quad<'a> {
    envelope: &'a Envelope,
    /// The lane of the box in its block.
    lane: u8,
    /// The number of the box's first mover in the block.
    first_number: u16,
    clusters: [&'a Cluster; 4],
    /// The movers of the four clusters, sorted; indices into the envelope's movers.
    movers: Vec<u16>,
}

impl<'a> Quad<'a> {
    fn new(envelope: &'a Envelope, lane: u8, first_number: u16, clusters: [&'a Cluster; 4]) -> Self {
        let mut movers: Vec<u16> = clusters.iter().flat_map(|cluster| &cluster.motions).map(|one| one.mover).collect();
        movers.sort_unstable();
        movers.dedup();
        Self { envelope, lane, first_number, clusters, movers }
    }
}

/// Divides the clusters of a box into quads such that the clusters of a quad have few different movers. A quad with
/// fewer than four clusters repeats its last one.
fn quads(clusters: &[Cluster]) -> Vec<[&Cluster; 4]> {
    /// The number of clusters that are compared for each place in a quad.
    const COMPARED: usize = 32;
    let movers = |cluster: &Cluster| -> Vec<u16> { cluster.motions.iter().map(|motion| motion.mover).collect() };
    let mut left: Vec<(Vec<u16>, &Cluster)> = clusters.iter().map(|cluster| (movers(cluster), cluster)).collect();
    // The cluster with the most movers is last, and clusters with the same movers are neighbors.
    left.sort_by(|(one, _), (other, _)| one.len().cmp(&other.len()).then_with(|| one.cmp(other)));
    let mut quads = Vec::new();
    while let Some((mut movers, first)) = left.pop() {
        let mut quad = [first; 4];
        for place in 1..4 {
            let compared = left.len().saturating_sub(COMPARED)..left.len();
            let added = |of_cluster: &[u16]| of_cluster.iter().filter(|&mover| !movers.contains(mover)).count();
            let best = compared.min_by_key(|&index| (added(&left[index].0), Reverse(left[index].0.len())));
            quad[place] = match best.map(|index| left.remove(index)) {
                Some((of_cluster, cluster)) => {
                    movers.extend(of_cluster);
                    cluster
                }
                None => quad[place - 1],
            };
        }
        quads.push(quad);
    }
    quads
}

fn mover_numbers(mover: &Mover, weight: f32) -> [f32; mover_row::COUNT] {
    let mut numbers = [0.0; mover_row::COUNT];
    numbers[mover_row::AXES..][..9].copy_from_slice(&mover.mover_from_box().to_cols_array());
    numbers[mover_row::CENTER..][..3].copy_from_slice(&mover.center.to_array());
    numbers[mover_row::SLACK] = mover.slack;
    numbers[mover_row::WEIGHT] = weight;
    numbers
}

fn motion_numbers(envelope: &Envelope, motion: &Motion, cluster: &Cluster) -> [f32; 8] {
    let [x, y, z, rest @ ..] = center_and_half(envelope.rest(motion));
    let [_, _, _, half @ ..] = center_and_half(envelope.places(cluster));
    let [low, high] = motion.weights();
    let (weight, spread) = middle_and_reach(low, high);
    let reach = |axis: usize| rounded_up(f64::from(rest[axis]) + f64::from(spread) * f64::from(half[axis]));
    [x, y, z, reach(0), reach(1), reach(2), weight, spread]
}

/// The center of bounds and a half size that reaches both ends.
fn center_and_half([low, high]: [Vec3; 2]) -> [f32; 6] {
    let [(x, a), (y, b), (z, c)] = [0, 1, 2].map(|axis| middle_and_reach(low[axis], high[axis]));
    [x, y, z, a, b, c]
}

/// The middle of two numbers, and an upper bound of the distance to the farther one.
fn middle_and_reach(low: f32, high: f32) -> (f32, f32) {
    let middle = 0.5 * low + 0.5 * high;
    let (low, high, exact) = (f64::from(low), f64::from(high), f64::from(middle));
    (middle, rounded_up((high - exact).max(exact - low).max(0.0)))
}

/// The least `f32` that is at least `exact`.
fn rounded_up(exact: f64) -> f32 {
    let near = exact as f32;
    if f64::from(near) < exact { near.next_up() } else { near }
}

/// The greatest weight that a mover has anywhere in the box.
fn greatest_weight(envelope: &Envelope, mover: usize) -> f32 {
    let motions = envelope.clusters.iter().flat_map(|cluster| &cluster.motions);
    motions.filter(|motion| usize::from(motion.mover) == mover).map(|motion| motion.weights()[1]).fold(0.0, f32::max)
}

/// The factor of the own joint's translation in the bound of the rounding error: the translation is used when a corner
/// is skinned, in the box's center, and in the place that each mover is compared with.
fn own_weight(envelope: &Envelope) -> f32 {
    let weights = (0..envelope.movers.len()).fold(2.0, |sum, mover| sum + greatest_weight(envelope, mover));
    roundings(envelope) * weights
}

/// A factor for the rounding error of sums, as a multiple of [`super::envelope_lanes::ROUNDING`]. It grows with the number of summands in the
/// cluster with the most movers. The bake uses the same factor.
fn roundings(envelope: &Envelope) -> f32 {
    let most = envelope.clusters.iter().map(|cluster| cluster.motions.len()).max().unwrap_or(0);
    1.0 + most as f32 / 32.0
}
