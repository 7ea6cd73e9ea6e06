//! One box against many, and many pairs: every kernel beside parry's `intersection_test_cuboid_cuboid`.
//!
//! Four mixes of 4,096 pairs: `half` of them touch; `near`: spheres around them overlap, mostly just missing; `far`
//! apart; `hit`: all touch.

mod common;

use common::{Placed, Random, Table};
use glam::Vec3;
use runtime::{BoxLanes, kernels::Kernel};
use std::hint::black_box;

const QUERIES: usize = 16;
const BOXES: usize = 256;

struct Mix {
    name: &'static str,
    queries: Vec<Placed>,
    boxes: Vec<Vec<Placed>>,
    lanes: Vec<BoxLanes>,
}

impl Mix {
    fn new(name: &'static str) -> Self {
        let mut random = Random(7);
        let mut mix = Self { name, queries: Vec::new(), boxes: Vec::new(), lanes: Vec::new() };
        for _ in 0..QUERIES {
            let query = random.box_at(Vec3::ZERO);
            let boxes: Vec<Placed> = (0..BOXES).map(|i| mix.partner(&query, i, &mut random)).collect();
            let mut lanes = BoxLanes::new();
            boxes.iter().for_each(|one| lanes.push(&one.obb));
            mix.queries.push(query);
            mix.boxes.push(boxes);
            mix.lanes.push(lanes);
        }
        mix
    }

    /// A box at the mix's distance from `query`, touching it or not as the mix wants.
    fn partner(&self, query: &Placed, index: usize, random: &mut Random) -> Placed {
        loop {
            let shape = random.box_at(Vec3::ZERO);
            let reach = query.radius() + shape.radius();
            let distance = match self.name {
                "far" => random.between(1.5, 5.0),
                "near" => random.between(0.7, 1.0),
                _ => random.between(0.0, 1.0),
            };
            let direction = random.vector().normalize();
            let center = direction * distance * reach;
            let placed = Placed::new(center, shape.obb.half_extents(), random.rotation());
            let touches = query.obb.overlaps(&placed.obb);
            let wanted = match self.name {
                "half" => touches == index.is_multiple_of(2),
                "hit" => touches,
                _ => true,
            };
            if wanted {
                return placed;
            }
        }
    }

    fn hits_in_parry(&self) -> usize {
        let pairs = self.queries.iter().zip(&self.boxes);
        pairs.map(|(query, boxes)| boxes.iter().filter(|one| query.touches_in_parry(one)).count()).sum()
    }

    fn hits(&self, kernel: Kernel, masks: &mut Vec<u16>) -> usize {
        let mut hits = 0;
        for (query, lanes) in self.queries.iter().zip(&self.lanes) {
            lanes.overlaps_box(&query.obb, kernel, masks);
            hits += masks.iter().map(|mask| mask.count_ones() as usize).sum::<usize>();
        }
        hits
    }
}

fn main() {
    let table = Table::new("4,096 pairs of boxes, ns per pair", (QUERIES * BOXES) as f64);
    for name in ["half", "near", "far", "hit"] {
        let mix = Mix::new(name);
        let mut masks = Vec::new();
        let expected = mix.hits(Kernel::Scalar, &mut masks);
        assert!(expected.abs_diff(mix.hits_in_parry()) <= 2, "parry disagrees");
        let mut row = table.row(format!("{name} ({expected} touch)"));
        row.peer("parry3d", || assert!(black_box(&mix).hits_in_parry().abs_diff(expected) <= 2));
        for kernel in Kernel::available() {
            let mut masks = Vec::new();
            let mix = &mix;
            row.ours(&format!("{kernel:?}"), move || assert_eq!(black_box(mix).hits(kernel, &mut masks), expected));
        }
        row.measure();
    }
}
