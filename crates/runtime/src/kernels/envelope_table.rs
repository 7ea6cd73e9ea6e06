//! Envelopes in lanes: the tables that `envelope_boxes` and `envelopes` compute boxes from.
//!
//! A *block* has at most sixteen boxes, one in each lane. The movers of a block are in rows: row `m` has mover `m` of each
//! box that has so many movers, in the lane of the box. So the numbers of the boxes are in the right lanes already, and are
//! not collected for each mover. The boxes are sorted by their number of movers, so few lanes are empty.
//!
//! A box's clusters are in *pairs*: two clusters of one box, in neighboring lanes. A *slot* has eight pairs, each of any box
//! of the block. A slot has *steps*: in each step, every pair adds the effect of one mover on its clusters. The pairs with
//! the most movers are first, so the last pairs need only the first steps. The effect of a mover on a box is computed once
//! for all of the box's clusters. The two clusters of a pair share this effect. An instruction that shuffles the numbers of
//! two movers brings them to the four lanes of two pairs, and takes as long as one that copies the numbers of one mover to
//! four lanes. So pairs take no longer than groups of four clusters, and more of their lanes are used, because many boxes have
//! few clusters.

use super::layout::{LANES, Row, Shape};
use baked_format::{Cluster, Envelope, Motion, Mover};
use geometry_core::MAX_COORDINATE;
use geometry_core::portable::round_up;
use glam::{Mat3, Vec3};
use skeleton::JointIndex;
use std::cmp::Reverse;
use std::ops::Range;

/// The number of pairs of clusters in a slot.
pub(crate) const PAIRS: usize = LANES / 2;
/// The most movers of the boxes of one block, except for a block of a single box.
pub(crate) const BLOCK_MOVERS: usize = 8 * LANES;

/// The rows of a [`MoverRow`].
pub(crate) mod mover_row {
    /// The first of nine rows: the columns of the map's linear part.
    pub(crate) const AXES: usize = 0;
    /// The box's center.
    pub(crate) const CENTER: usize = 9;
    pub(crate) const SLACK: usize = 12;
    /// The greatest weight that the mover has anywhere in the box, times [`super::roundings`].
    pub(crate) const WEIGHT: usize = 13;
    /// The absolute value of the map's scale.
    pub(crate) const SCALE: usize = 14;
    pub(crate) const COUNT: usize = 15;
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
    /// The box's center in joint space.
    pub(crate) center: [Row; 3],
    pub(crate) slack: Row,
    /// The factor of the own joint's translation in the bound of the rounding error.
    pub(crate) weight: Row,
    /// The rows of the block's movers. The steps number the movers from 1, row after row.
    pub(crate) movers: Range<usize>,
    pub(crate) slots: Range<usize>,
}

/// One mover for each of the first boxes of a block.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MoverRow {
    /// The number of boxes that have this mover: the first lanes of the block. Each of the other lanes has a mover that
    /// moves with the box.
    pub(crate) count: usize,
    /// The number of the first lane's mover in the block, from 1.
    pub(crate) first: usize,
    pub(crate) joints: [JointIndex; LANES],
    pub(crate) rows: [Row; mover_row::COUNT],
}

/// Sixteen clusters, two of one box each: rows of the center and half the size of the bounds of places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slot {
    pub(crate) rows: [Row; 6],
    /// The lane of each pair's box in the block of boxes.
    pub(crate) boxes: [u8; PAIRS],
    /// The number of pairs that have clusters. The other pairs repeat the last of them.
    pub(crate) pairs: usize,
    /// The index of the slot's first step.
    first_step: usize,
    /// The number of steps of each pair, not rising. The later steps of a pair have no mover.
    counts: [usize; PAIRS],
}

/// The numbers of one mover for each pair. Rows, in the words of `docs/any-pose.md`: `c + d_k` (three rows), the factor of
/// `|l_k|` (three rows), `ω_k` and `δ_k`; all are 0 for clusters that the mover does not move.
#[derive(Clone, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Step(pub(crate) [Row; 8]);

/// The envelopes of one character.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EnvelopeTable {
    pub(crate) blocks: Vec<EnvelopeBlock>,
    pub(crate) movers: Vec<MoverRow>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) steps: Vec<Step>,
    /// The movers of each step's pairs, by their numbers in the block, from 1; 0 if there is no mover.
    pub(crate) step_movers: Vec<[u16; PAIRS]>,
    /// The block and the lane of each box of the character, by box index; `None` for a box that keeps its shape.
    pub(crate) places: Vec<Option<(u16, u8)>>,
    /// The most movers that the boxes of one block have, and the greatest number in `step_movers`.
    pub(crate) most_movers: usize,
}

impl EnvelopeTable {
    /// The envelopes of these boxes; `None` if none of the boxes changes its shape.
    pub(crate) fn new(shapes: &[Shape], envelopes: &[Envelope]) -> Option<Self> {
        let mut order: Vec<usize> = (0..shapes.len().min(envelopes.len())).collect();
        order.retain(|&index| !envelopes[index].clusters.is_empty());
        order.sort_by_key(|&index| Reverse((envelopes[index].movers.len(), envelopes[index].clusters.len())));
        let mut table = Self {
            blocks: Vec::new(),
            movers: Vec::new(),
            slots: Vec::new(),
            steps: Vec::new(),
            step_movers: Vec::new(),
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
        let first_row = self.movers.len();
        self.add_movers(shapes, envelopes, &boxes, of_block.len());
        let pairs_of = |(lane, &index): (usize, &usize)| {
            let envelope = &envelopes[index];
            let pairs = pairs(&envelope.clusters).into_iter();
            pairs.map(move |clusters| Pair::new(envelope, lane as u8, clusters))
        };
        let mut pairs: Vec<Pair<'_>> = of_block.iter().enumerate().flat_map(pairs_of).collect();
        // A slot has as many steps as its pair with the most movers.
        pairs.sort_by_key(|pair| Reverse(pair.movers.len()));
        let first_slot = self.slots.len();
        for of_slot in pairs.chunks(PAIRS) {
            self.add_slot(first_row, of_slot);
        }
        let axes = std::array::from_fn(|row| boxes.map(|index| shapes[index].axes.to_cols_array()[row]));
        let center = std::array::from_fn(|row| boxes.map(|index| shapes[index].center[row]));
        self.blocks.push(EnvelopeBlock {
            count: of_block.len(),
            boxes: boxes.map(|index| index as u16),
            joints: boxes.map(|index| shapes[index].joint),
            axes,
            center,
            slack: boxes.map(|index| envelopes[index].slack),
            weight: boxes.map(|index| own_weight(&envelopes[index])),
            movers: first_row..self.movers.len(),
            slots: first_slot..self.slots.len(),
        });
    }

    /// Adds the rows of movers of the boxes of a block, which are sorted by their number of movers.
    fn add_movers(&mut self, shapes: &[Shape], envelopes: &[Envelope], boxes: &[usize; LANES], count: usize) {
        let mut first = 1;
        for number in 0..envelopes[boxes[0]].movers.len() {
            let count = (0..count).take_while(|&lane| number < envelopes[boxes[lane]].movers.len()).count();
            let numbers: [[f32; mover_row::COUNT]; LANES] = std::array::from_fn(|lane| {
                let (shape, envelope) = (&shapes[boxes[lane]], &envelopes[boxes[lane]]);
                match envelope.movers.get(number) {
                    Some(mover) if lane < count => {
                        mover_numbers(mover, roundings(envelope) * greatest_weight(envelope, number))
                    }
                    _ => still_numbers(shape),
                }
            });
            let joint = |lane: usize| match envelopes[boxes[lane]].movers.get(number) {
                Some(mover) if lane < count => mover.joint,
                _ => shapes[boxes[lane]].joint,
            };
            self.movers.push(MoverRow {
                count,
                first,
                joints: std::array::from_fn(joint),
                rows: std::array::from_fn(|row| numbers.map(|numbers| numbers[row])),
            });
            first += count;
        }
        self.most_movers = self.most_movers.max(first - 1);
    }

    fn add_slot(&mut self, first_row: usize, of_slot: &[Pair<'_>]) {
        let pairs: [&Pair<'_>; PAIRS] = std::array::from_fn(|pair| &of_slot[pair.min(of_slot.len() - 1)]);
        let first_step = self.steps.len();
        let counts = pairs.map(|pair| pair.movers.len());
        for step in 0..counts[0] {
            let mover = |pair: &Pair<'_>| pair.movers.get(step).copied();
            let numbers: [[f32; 8]; LANES] = std::array::from_fn(|lane| {
                let (pair, cluster) = (pairs[lane / 2], pairs[lane / 2].clusters[lane % 2]);
                let find = |mover: u16| cluster.motions.binary_search_by_key(&mover, |motion| motion.mover).ok();
                let motion = mover(pair).and_then(find).map(|place| &cluster.motions[place]);
                motion.map_or([0.0; 8], |motion| motion_numbers(pair.envelope, motion, cluster))
            });
            self.steps.push(Step(std::array::from_fn(|row| numbers.map(|numbers| numbers[row]))));
            let number = |pair: &Pair<'_>| {
                let number = |mover: u16| self.movers[first_row + usize::from(mover)].first + usize::from(pair.lane);
                mover(pair).map_or(0, number) as u16
            };
            self.step_movers.push(pairs.map(number));
        }
        let numbers: [[f32; 6]; LANES] = std::array::from_fn(|lane| {
            let pair = pairs[lane / 2];
            center_and_half(pair.envelope.places(pair.clusters[lane % 2]))
        });
        let rows = std::array::from_fn(|row| numbers.map(|numbers| numbers[row]));
        let boxes = pairs.map(|pair| pair.lane);
        self.slots.push(Slot { rows, boxes, pairs: of_slot.len(), first_step, counts });
    }

    /// The steps that a pair of a slot and the pairs after it need, and the movers of each step.
    #[inline(always)]
    pub(crate) fn steps_from(&self, slot: &Slot, pair: usize) -> impl Iterator<Item = (&Step, &[u16; PAIRS])> {
        let steps = slot.first_step..slot.first_step + slot.counts[pair];
        self.steps[steps.clone()].iter().zip(&self.step_movers[steps])
    }

    /// The joints that move the surface of a box, without the box's own joint.
    pub(crate) fn movers_of(&self, index: usize) -> impl Iterator<Item = JointIndex> + '_ {
        let place = self.places.get(index).copied().flatten();
        let of_block = |(block, lane): (u16, u8)| {
            let rows = &self.movers[self.blocks[usize::from(block)].movers.clone()];
            rows.iter()
                .take_while(move |row| usize::from(lane) < row.count)
                .map(move |row| row.joints[usize::from(lane)])
        };
        place.into_iter().flat_map(of_block)
    }
}

/// Two clusters of one box.
struct Pair<'a> {
    envelope: &'a Envelope,
    /// The lane of the box in its block.
    lane: u8,
    clusters: [&'a Cluster; 2],
    /// The movers of the two clusters, sorted; indices into the envelope's movers.
    movers: Vec<u16>,
}

impl<'a> Pair<'a> {
    fn new(envelope: &'a Envelope, lane: u8, clusters: [&'a Cluster; 2]) -> Self {
        let mut movers: Vec<u16> = clusters.iter().flat_map(|cluster| &cluster.motions).map(|one| one.mover).collect();
        movers.sort_unstable();
        movers.dedup();
        Self { envelope, lane, clusters, movers }
    }
}

/// Divides the clusters of a box into pairs such that the clusters of a pair have few different movers. A single cluster is
/// a pair with itself.
fn pairs(clusters: &[Cluster]) -> Vec<[&Cluster; 2]> {
    /// The number of clusters that are compared for the second place of a pair.
    const COMPARED: usize = 32;
    let movers = |cluster: &Cluster| -> Vec<u16> { cluster.motions.iter().map(|motion| motion.mover).collect() };
    let mut left: Vec<(Vec<u16>, &Cluster)> = clusters.iter().map(|cluster| (movers(cluster), cluster)).collect();
    // The cluster with the most movers is last, and clusters with the same movers are neighbors.
    left.sort_by(|(one, _), (other, _)| one.len().cmp(&other.len()).then_with(|| one.cmp(other)));
    let mut pairs = Vec::new();
    while let Some((movers, first)) = left.pop() {
        let compared = left.len().saturating_sub(COMPARED)..left.len();
        let added = |of_cluster: &[u16]| of_cluster.iter().filter(|&mover| !movers.contains(mover)).count();
        let best = compared.min_by_key(|&index| (added(&left[index].0), Reverse(left[index].0.len())));
        pairs.push([first, best.map_or(first, |index| left.remove(index).1)]);
    }
    pairs
}

fn mover_numbers(mover: &Mover, weight: f32) -> [f32; mover_row::COUNT] {
    let mut numbers = map_numbers(&mover.mover_from_box(), mover.center);
    numbers[mover_row::SLACK] = mover.slack;
    numbers[mover_row::WEIGHT] = weight;
    numbers[mover_row::SCALE] = mover.scale.abs();
    numbers
}

/// The numbers of a mover that moves with the box: its motion relative to the box is 0, and nothing is rounded.
fn still_numbers(shape: &Shape) -> [f32; mover_row::COUNT] {
    map_numbers(&shape.axes, shape.center)
}

fn map_numbers(axes: &Mat3, center: Vec3) -> [f32; mover_row::COUNT] {
    let mut numbers = [0.0; mover_row::COUNT];
    numbers[mover_row::AXES..][..9].copy_from_slice(&axes.to_cols_array());
    numbers[mover_row::CENTER..][..3].copy_from_slice(&center.to_array());
    numbers
}

/// The rows of a [`Step`] for one cluster; `apart` is `d_k`.
fn motion_numbers(envelope: &Envelope, motion: &Motion, cluster: &Cluster) -> [f32; 8] {
    let [a, b, c, rest @ ..] = center_and_half(envelope.rest(motion));
    let [x, y, z, half @ ..] = center_and_half(envelope.places(cluster));
    let [low, high] = motion.weights();
    let (weight, spread) = middle_and_reach(low, high);
    let numbers = |axis: usize| {
        let (middle, place) = (f64::from([a, b, c][axis]), f64::from([x, y, z][axis]));
        let (rest, half, weight, spread) =
            (f64::from(rest[axis]), f64::from(half[axis]), f64::from(weight), f64::from(spread));
        let limit = f64::from(MAX_COORDINATE);
        let apart = if weight > 0.0 { (middle / weight).clamp(-limit, limit) } else { 0.0 };
        let point = (place + apart) as f32;
        let apart = f64::from(point) - place;
        let reach = rest + (middle - weight * apart).abs() + spread * (apart.abs() + half);
        (point, round_up(reach * (1.0 + f64::EPSILON * 8.0)))
    };
    let [(x, a), (y, b), (z, c)] = [0, 1, 2].map(numbers);
    [x, y, z, a, b, c, weight, spread]
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
    (middle, round_up((high - exact).max(exact - low).max(0.0)))
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

/// A factor for the rounding error of sums, as a multiple of [`super::envelope_boxes::ROUNDING`]. It grows with the number of summands in the
/// cluster with the most movers. The bake uses the same factor.
fn roundings(envelope: &Envelope) -> f32 {
    let most = envelope.clusters.iter().map(|cluster| cluster.motions.len()).max().unwrap_or(0);
    1.0 + most as f32 / 32.0
}
