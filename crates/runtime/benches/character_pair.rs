//! Two characters of 24 boxes: in close contact; with bounds that touch but no boxes that do; apart.

mod common;
mod figure {
    include!("../tests/common/figure.rs");
}

use common::{Placed, by_kernel, place};
use figure::figure;
use glam::Quat;
use paired_timing::Turns;
use runtime::{PosedCharacter, kernels::Kernel, overlapping_joints};
use std::hint::black_box;

fn in_parry(posed: &PosedCharacter) -> Vec<Placed> {
    posed.boxes().map(|one| Placed::new(one.center, one.half_extents, Quat::from_mat3(&one.axes).normalize())).collect()
}

fn main() {
    let character = figure("figure");
    let a = place(&character, 0.0, 0.0, 0.3);
    for (name, x, turn) in [("in close contact", 0.3, -1.2), ("bounds touch", 0.72, -1.2), ("apart", 3.0, 0.0)] {
        let b = place(&character, x, turn, 0.8);
        let (pa, pb) = (in_parry(&a), in_parry(&b));
        let count = || pa.iter().map(|a| pb.iter().filter(|b| a.touches_in_parry(b)).count()).sum::<usize>();
        let mut pairs = Vec::new();
        overlapping_joints(&a, &b, &mut pairs);
        let expected = pairs.len();
        assert!(expected.abs_diff(count()) <= 1, "parry disagrees: {expected} and {}", count());
        assert_eq!(a.bounds().overlaps(&b.bounds()), x < 1.0);
        // A run is too short for the clock alone.
        let mut turns = Turns::new("character_pair", name).items(20.0, "pair of characters");
        turns.peer("parry3d, 576 tests", || (0..20).for_each(|_| assert!(black_box(count()).abs_diff(expected) <= 1)));
        for kernel in Kernel::available() {
            let (a, b, mut pairs) = (by_kernel(&a, kernel), &b, Vec::new());
            turns.ours(format!("{kernel:?}"), move || {
                for _ in 0..20 {
                    overlapping_joints(black_box(&a), black_box(b), &mut pairs);
                    assert_eq!(pairs.len(), expected);
                }
            });
        }
        turns.run();
    }
}
