//! Two characters of 24 boxes: in close contact; with bounds that touch but no boxes that do; posing one.

mod common;
mod figure {
    include!("../tests/common/figure.rs");
}

use common::{Placed, Table};
use figure::figure;
use glam::{Affine3A, Quat, Vec3};
use runtime::{Character, ClipIndex, Posed, kernels::Kernel, overlaps_with};
use std::hint::black_box;

fn place(character: &Character, x: f32, turn: f32, seconds: f32) -> Posed {
    let mut posed = Posed::new();
    let rotation = Quat::from_xyzw(0.0, turn, 0.0, 1.0).normalize();
    let world = Affine3A::from_rotation_translation(rotation, Vec3::new(x, 0.0, 0.0));
    posed.pose_from_clip(character, &world, ClipIndex(1), seconds).expect("a finite pose");
    posed
}

fn in_parry(posed: &Posed) -> Vec<Placed> {
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
        overlaps_with(Kernel::Scalar, &a, &b, &mut pairs);
        let expected = pairs.len();
        assert!(expected.abs_diff(count()) <= 1, "parry disagrees: {expected} and {}", count());
        assert_eq!(a.bounds().overlaps(&b.bounds()), x < 1.0);
        let table = Table::new(&format!("24 x 24 boxes {name}, {expected} pairs touch, ns per character pair"), 20.0);
        let mut row = table.row("overlaps".into());
        row.peer("parry3d, 576 tests", || (0..20).for_each(|_| assert!(black_box(count()).abs_diff(expected) <= 1)));
        for kernel in Kernel::available() {
            let (a, b, mut pairs) = (&a, &b, Vec::new());
            row.ours(&format!("{kernel:?}"), move || {
                for _ in 0..20 {
                    overlaps_with(kernel, black_box(a), black_box(b), &mut pairs);
                    assert_eq!(pairs.len(), expected);
                }
            });
        }
        row.measure();
    }

    let table = Table::new("posing a character of 24 joints and boxes, ns", 20.0);
    let mut local = character.skeleton().rest_pose();
    character.clips()[1].sample(0.3, &mut local);
    let mut matrices = vec![Affine3A::IDENTITY; local.len()];
    character.skeleton().model_from_joints(&local, &mut matrices);
    let (mut posed, mut by_clip) = (Posed::new(), Posed::new());
    let mut row = table.row("pose".into());
    row.ours("from joint matrices", || {
        for _ in 0..20 {
            posed.pose_from_model(&character, &Affine3A::IDENTITY, black_box(&matrices)).expect("a finite pose");
        }
    });
    row.ours("from a clip", || {
        for _ in 0..20 {
            let pose = by_clip.pose_from_clip(&character, &Affine3A::IDENTITY, ClipIndex(1), black_box(0.3));
            pose.expect("a finite pose");
        }
    });
    row.measure();
}
