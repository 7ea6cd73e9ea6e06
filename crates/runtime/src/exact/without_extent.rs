//! Tests of the work for skins whose triangles lie in a point, on a line or in a plane. Legal poses scale bodies so.

use super::distance::LOOKS_AT_ALL;
use crate::kernels::{Kernel, work};
use crate::{Character, PosedCharacter, SkinCandidates, exact_distance, exact_overlap, exact_overlap_all};
use baked_characters::{baked_skinned_figure, baked_tube};
use glam::{Affine3A, Mat3, Quat, Vec3};
use proptest::prelude::*;

const SCALES: [Vec3; 9] = [
    Vec3::ONE,
    Vec3::new(0.0, 1.0, 1.0),
    Vec3::new(1.0, 0.0, 1.0),
    Vec3::new(1.0, 1.0, 0.0),
    Vec3::X,
    Vec3::Y,
    Vec3::Z,
    Vec3::ZERO,
    Vec3::new(1e-6, 1.0, 1e-6),
];

/// The distances between the places of the two bodies.
const STEPS: [f32; 4] = [0.0, 1e-3, 0.4, 3.0];

fn posed(kernel: Kernel, character: &Character, matrix: &Affine3A) -> PosedCharacter {
    let mut posed = PosedCharacter::with_kernel(kernel);
    posed.track_skin(true);
    posed.pose_from_rest(character, matrix).unwrap();
    posed
}

/// The most pairs of triangles that any pair of poses makes `ask` look at, of characters that are turned or not.
fn most_pairs(turn: Mat3, mut ask: impl FnMut(&mut PosedCharacter, &mut PosedCharacter)) -> u64 {
    let figure = Character::from_baked(baked_skinned_figure("figure"));
    let mut most = 0;
    for far in [Vec3::new(0.1, 0.2, -1.5), Vec3::new(1e6, 0.0, 0.0)] {
        for (scale, axis, step) in SCALES
            .iter()
            .flat_map(|scale| Vec3::AXES.iter().flat_map(move |axis| STEPS.map(|step| (scale, axis, step))))
        {
            let place = |at: Vec3| Affine3A::from_mat3_translation(turn * Mat3::from_diagonal(*scale), far + at);
            let mut a = posed(Kernel::best(), &figure, &place(Vec3::ZERO));
            let mut b = posed(Kernel::best(), &figure, &place(turn * *axis * step));
            work::take();
            ask(&mut a, &mut b);
            most = most.max(work::take());
        }
    }
    most
}

fn turn() -> Mat3 {
    Mat3::from_quat(Quat::from_xyzw(0.3, 0.5, -0.2, 0.8).normalize())
}

#[test]
fn a_distance_looks_at_few_pairs_of_triangles() {
    let distance = |a: &mut PosedCharacter, b: &mut PosedCharacter| {
        assert!(exact_distance(a, b, None).unwrap().is_some());
    };
    // Two figures have 12 million pairs of triangles. If they are turned, rounding moves each triangle off its plane or line, so
    // that many pairs are nearly as near as the nearest one.
    assert!(most_pairs(Mat3::IDENTITY, distance) < 500);
    assert!(most_pairs(turn(), distance) < 100_000);
}

#[test]
fn an_overlap_looks_at_few_pairs_of_triangles() {
    let first = |a: &mut PosedCharacter, b: &mut PosedCharacter| {
        exact_overlap(a, b, SkinCandidates::Bounds).unwrap();
    };
    assert!(most_pairs(Mat3::IDENTITY, first) < 100);
    assert!(most_pairs(turn(), first) < 300_000);
    let all = |a: &mut PosedCharacter, b: &mut PosedCharacter| {
        exact_overlap_all(a, b, SkinCandidates::Bounds, &mut Vec::new()).unwrap();
    };
    assert!(most_pairs(Mat3::IDENTITY, all) < 10_000);
    assert!(most_pairs(turn(), all) < 500_000);
}

proptest! {
    /// If several pairs are equally near, the answer names the pair that it would name if no pair were left out.
    #[test]
    fn leaving_out_pairs_changes_no_answer(
        scales in prop::array::uniform2(prop::sample::select(&SCALES)),
        apart in prop::array::uniform3(prop_oneof![Just(0.0f32), Just(3.0f32), -2f32..2.0, -1e-3f32..1e-3]),
        turned in prop::array::uniform2(prop_oneof![Just(Mat3::IDENTITY), Just(Mat3::from_cols(Vec3::Y, Vec3::NEG_X, Vec3::Z))]),
        oblique in prop::array::uniform4(-1f32..1.0),
        is_oblique in any::<bool>(),
        far in prop_oneof![4 => Just(0.0f32), 1 => Just(1e6f32)],
        limit in prop_oneof![Just(f32::INFINITY), 0f32..4.0],
    ) {
        let tube = Character::from_baked(baked_tube("tube"));
        let oblique = if is_oblique { Mat3::from_quat(Quat::from_array(oblique).normalize()) } else { Mat3::IDENTITY };
        prop_assume!(oblique.is_finite());
        let place = |which: usize, at: Vec3| {
            Affine3A::from_mat3_translation(oblique * turned[which] * Mat3::from_diagonal(scales[which]), at + far)
        };
        let places = [place(0, Vec3::ZERO), place(1, oblique * Vec3::from_array(apart))];
        let answer = |kernel: Kernel, looks_at_all: bool| {
            let [mut a, mut b] = places.map(|place| posed(kernel, &tube, &place));
            LOOKS_AT_ALL.set(looks_at_all);
            let found = exact_distance(&mut a, &mut b, limit).unwrap();
            LOOKS_AT_ALL.set(false);
            found
        };
        let all = answer(Kernel::best(), true);
        for kernel in Kernel::available() {
            prop_assert_eq!(answer(kernel, false), all, "{:?}", kernel);
        }
    }
}
