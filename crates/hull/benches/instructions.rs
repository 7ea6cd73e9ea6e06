//! Counts the instructions of our hulls and of parry3d's with callgrind: `cargo xtask bench --instructions`.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Random, cylinder, grid, hull_of, points, rounded_to_f32, turned};
use glam::DVec3;
use hull::HullBuilder;
use paired_timing::count;
use std::hint::black_box;

fn main() {
    type Draw = fn(&mut Random) -> DVec3;
    let clouds: [(&str, usize, Draw); 5] = [
        ("ball", 100, Random::in_ball),
        ("box", 100, Random::in_box),
        ("sphere", 100, Random::on_sphere),
        ("ball", 1000, Random::in_ball),
        ("sphere", 1000, Random::on_sphere),
    ];
    for (kind, number, draw) in clouds {
        both(&format!("{kind} {number}"), &rounded_to_f32(&points(number, number as u64, draw)));
    }
    both("grid of 10", &grid(10));
    both("turned cylinder 32 x 10", &turned(&cylinder(32, 10)));
}

fn both(name: &str, set: &[DVec3]) {
    let single: Vec<parry3d::math::Vector> = set.iter().map(|p| p.as_vec3()).collect();
    let (vertices, mut builder) = (hull_of(set).vertices().len(), HullBuilder::new());
    count(&format!("hull {name} ours"), || {
        assert_eq!(builder.build(black_box(set)).expect("finite points").vertices().len(), vertices);
    });
    count(&format!("hull {name} parry"), || {
        assert!(parry3d::transformation::try_convex_hull(black_box(&single)).is_ok());
    });
}
