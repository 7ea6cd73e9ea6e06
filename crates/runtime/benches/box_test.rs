//! Tests one box against 256 boxes of a character, with every kernel and with parry's `intersection_test_cuboid_cuboid`. Our
//! times include the search for boxes whose bounds are near, and the list of the pairs found.
//!
//! Each case is a mix of 4,096 pairs. `half`: half of the pairs touch. `near`: the spheres around the boxes overlap, nine
//! in ten pairs just miss, and 13 % of all pairs are apart by an edge axis only. `far`: the boxes are far apart, and most
//! pairs are ruled out by their bounds. `hit`: all pairs touch. `spheres`: the spheres around the boxes overlap by up to
//! 30 % of their radii.

mod common;

use common::mix::{Mix, hits};
use paired_timing::Turns;
use runtime::kernels::Kernel;
use std::hint::black_box;

fn main() {
    for name in ["half", "near", "far", "hit", "spheres"] {
        let mix = Mix::new(name);
        let [touch, by_edges] = mix.shares();
        println!("\n{name}: {:.1} % touch, {:.1} % are apart by edges only", 100.0 * touch, 100.0 * by_edges);
        assert!(name != "near" || (0.12..0.14).contains(&by_edges), "`near` is not what it says");
        let expected = hits(&mix.posed(Kernel::Scalar), &mut Vec::new());
        assert!(expected.abs_diff(mix.hits_in_parry()) <= 2, "parry disagrees");
        let mut turns = Turns::new("box_test", name).items(Mix::PAIRS as f64, "pair");
        turns.peer("parry3d", || assert!(black_box(&mix).hits_in_parry().abs_diff(expected) <= 2));
        for kernel in Kernel::available() {
            let (posed, mut pairs) = (mix.posed(kernel), Vec::new());
            turns.ours(format!("{kernel:?}"), move || assert_eq!(hits(black_box(&posed), &mut pairs), expected));
        }
        turns.run();
    }
}
