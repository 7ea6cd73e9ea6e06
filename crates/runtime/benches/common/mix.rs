//! The mixes of pairs of boxes.

use super::{Placed, by_kernel};
use baked_characters::baked_figure;
use baked_format::Hitbox;
use geometry_core::SatAxis;
use glam::{Affine3A, Quat, Vec3};
use runtime::{BoxPair, Character, PosedCharacter, kernels::Kernel, overlapping_boxes};
use skeleton::JointIndex;
use test_models::Random;

const QUERIES: usize = 16;
const BOXES: usize = 256;

/// Boxes, and many around each of them.
pub(crate) struct Mix {
    name: &'static str,
    queries: Vec<Placed>,
    boxes: Vec<Vec<Placed>>,
}

/// A character with one box, and a character with many boxes around it.
pub(crate) type Pair = [PosedCharacter; 2];

/// A character with these boxes, all at its first joint.
fn posed(boxes: &[Placed]) -> PosedCharacter {
    let mut baked = baked_figure("boxes");
    let one = baked.boxes[0].clone();
    let hitbox = |placed: &Placed| Hitbox {
        joint: JointIndex(0),
        center: placed.obb.center(),
        half_extents: placed.obb.half_extents(),
        orientation: Quat::from_mat3(&placed.obb.axes()).normalize(),
        ..one.clone()
    };
    baked.boxes = boxes.iter().map(hitbox).collect();
    let joints = vec![Affine3A::IDENTITY; baked.skeleton.joints().len()];
    let mut posed = PosedCharacter::new();
    posed.pose_from_world(&Character::from_baked(baked), &joints).expect("a finite pose");
    posed
}

impl Mix {
    pub(crate) const PAIRS: usize = QUERIES * BOXES;

    pub(crate) fn new(name: &'static str) -> Self {
        let mut random = Random::new(7);
        let mut mix = Self { name, queries: Vec::new(), boxes: Vec::new() };
        for _ in 0..QUERIES {
            let query = Placed::random(&mut random, Vec3::ZERO);
            let boxes: Vec<Placed> = (0..BOXES).map(|i| mix.partner(&query, i, &mut random)).collect();
            mix.queries.push(query);
            mix.boxes.push(boxes);
        }
        mix
    }

    /// A box at the mix's distance from `query`, touching it or not as the mix wants.
    fn partner(&self, query: &Placed, index: usize, random: &mut Random) -> Placed {
        loop {
            let shape = Placed::random(random, Vec3::ZERO);
            let reach = query.radius() + shape.radius();
            let distance = match self.name {
                "far" => random.between(1.5, 5.0),
                "spheres" => random.between(0.7, 1.0),
                _ => random.between(0.0, 1.0),
            };
            let direction = random.vector().normalize();
            let center = direction * distance * reach;
            let placed = Placed::new(center, shape.obb.half_extents(), random.rotation());
            let separation = query.obb.separation(&placed.obb);
            let touches = separation.overlapping;
            let wanted = match self.name {
                "half" => touches == index.is_multiple_of(2),
                "hit" => touches,
                // One pair in ten touches; the other pairs are a little apart.
                "near" => touches == index.is_multiple_of(10) && separation.gap <= 0.16 * reach,
                _ => true,
            };
            if wanted {
                return placed;
            }
        }
    }

    /// Shares of the pairs that touch, and that only a cross product of edges tells apart.
    pub(crate) fn shares(&self) -> [f64; 2] {
        let pairs =
            || self.queries.iter().zip(&self.boxes).flat_map(|(query, boxes)| boxes.iter().map(move |b| (query, b)));
        let share = |count: usize| count as f64 / Self::PAIRS as f64;
        let is_edges = |axis| matches!(axis, Some(SatAxis::Edges(..)));
        [
            share(pairs().filter(|(a, b)| a.obb.overlaps(&b.obb)).count()),
            share(pairs().filter(|(a, b)| is_edges(a.obb.separating_axis(&b.obb))).count()),
        ]
    }

    pub(crate) fn hits_in_parry(&self) -> usize {
        let pairs = self.queries.iter().zip(&self.boxes);
        pairs.map(|(query, boxes)| boxes.iter().filter(|one| query.touches_in_parry(one)).count()).sum()
    }

    /// Each box and the boxes around it as two characters, with this kernel for tests.
    pub(crate) fn posed(&self, kernel: Kernel) -> Vec<Pair> {
        let pair = |(query, boxes): (&Placed, &Vec<Placed>)| {
            [posed(std::slice::from_ref(query)), posed(boxes)].map(|one| by_kernel(&one, kernel))
        };
        self.queries.iter().zip(&self.boxes).map(pair).collect()
    }
}

/// The number of pairs of boxes that overlap.
pub(crate) fn hits(posed: &[Pair], pairs: &mut Vec<BoxPair>) -> usize {
    let mut hits = 0;
    for [one, many] in posed {
        overlapping_boxes(one, many, pairs);
        hits += pairs.len();
    }
    hits
}
