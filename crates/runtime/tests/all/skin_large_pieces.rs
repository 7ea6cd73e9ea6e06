//! Exact answers about pieces with several parts. A part is skinned only if a question needs it.

use crate::skin::{joints, pose, tracked, triangles};
use baked_characters::baked_tube;
use baked_format::BakedCharacter;
use geometry_core::triangle::{RayFrame, overlap_exactly, overlaps_sphere};
use geometry_core::{Ray, Sphere};
use glam::{Affine3A, Vec3};
use proptest::prelude::*;
use runtime::kernels::Kernel;
use runtime::{Character, SkinCandidates, SkinTriangle, exact_overlap, exact_overlap_all};
use std::collections::BTreeSet;

const SIDES: u16 = 24;
const RINGS: u16 = 21;

/// The tube with 960 triangles in each of its two pieces. All vertices follow both joints.
pub(crate) fn fine_tube() -> BakedCharacter {
    let mut baked = baked_tube("fine tube");
    let skin = baked.skin.as_mut().unwrap();
    let count = u32::from(SIDES) * u32::from(RINGS - 1) * 2;
    skin.meshes[0].triangles = 2 * count;
    for (piece, first_height) in skin.pieces.iter_mut().zip([1.0, 2.0]) {
        let vertices = usize::from(SIDES) * usize::from(RINGS);
        (piece.influence_counts, piece.influences) = (vec![0, vertices as u32], [0, 1].repeat(vertices));
        piece.positions.clear();
        piece.weights.clear();
        piece.triangles.clear();
        piece.cuts.clear();
        piece.cut_triangles.clear();
        for ring in 0..RINGS {
            let height = first_height + f32::from(ring) / f32::from(RINGS - 1);
            for side in 0..SIDES {
                let (z, x) = (std::f32::consts::TAU * f32::from(side) / f32::from(SIDES)).sin_cos();
                piece.positions.push(Vec3::new(0.5 * x, height, 0.5 * z));
                let fore = ((height - 1.0) * 0.5).clamp(0.0625, 0.9375);
                piece.weights.extend([1.0 - fore, fore]);
            }
        }
        for ring in 0..u32::from(RINGS - 1) {
            for side in 0..u32::from(SIDES) {
                let (low, high, next) =
                    (ring * u32::from(SIDES), (ring + 1) * u32::from(SIDES), (side + 1) % u32::from(SIDES));
                piece.triangles.push([low + side, high + side, low + next]);
                piece.triangles.push([low + next, high + side, high + next]);
            }
        }
        piece.chunk_ends = (1..=count / 16).map(|chunk| chunk * 16).collect();
        let first = if first_height > 1.5 { count } else { 0 };
        piece.source_triangles = (first..first + count).collect();
    }
    baked
}

fn are_bounds_apart(a: &SkinTriangle, b: &SkinTriangle) -> bool {
    let low = |one: &SkinTriangle| one.corners[0].min(one.corners[1]).min(one.corners[2]);
    let high = |one: &SkinTriangle| one.corners[0].max(one.corners[1]).max(one.corners[2]);
    low(a).cmpgt(high(b)).any() || low(b).cmpgt(high(a)).any()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn answers_are_those_of_all_triangles(
        pose_a in pose(),
        pose_b in pose(),
        apart in prop::array::uniform3(-1.5f32..1.5),
        origin in prop::array::uniform3(-4f32..4.0),
        aim in prop::array::uniform3(-0.6f32..0.6),
    ) {
        let (tube, place) = (Character::from_baked(fine_tube()), Affine3A::from_translation(apart.into()));
        let ray = Ray::try_new(origin.into(), Vec3::from_array(aim) + Vec3::Y * 2.0 - Vec3::from(origin)).unwrap();
        let ball = Sphere::try_new(Vec3::from(origin) * 0.3 + Vec3::Y * 2.0, 0.2).unwrap();
        let mut answers = Vec::new();
        for kernel in Kernel::available() {
            let (mut a, mut b, mut found) = (tracked(kernel), tracked(kernel), Vec::new());
            a.pose_from_model(&tube, &Affine3A::IDENTITY, &pose_a).unwrap();
            b.pose_from_model(&tube, &place, &pose_b).unwrap();
            let first = exact_overlap(&mut a, &mut b, SkinCandidates::Bounds).unwrap();
            exact_overlap_all(&mut a, &mut b, SkinCandidates::Bounds, &mut found).unwrap();
            prop_assert_eq!(first.is_some(), !found.is_empty());
            prop_assert!(first.is_none_or(|first| found.contains(&first)));
            let hit = a.exact_ray(&ray, None).unwrap();
            let mut touched = Vec::new();
            a.exact_shape_overlaps(&ball, &mut touched).unwrap();
            // No answer depends on what an earlier question has found.
            let (mut c, mut d, mut again, mut touched_first) = (tracked(kernel), tracked(kernel), Vec::new(), Vec::new());
            c.pose_from_model(&tube, &Affine3A::IDENTITY, &pose_a).unwrap();
            d.pose_from_model(&tube, &place, &pose_b).unwrap();
            c.exact_shape_overlaps(&ball, &mut touched_first).unwrap();
            prop_assert_eq!(&touched_first, &touched);
            prop_assert_eq!(c.exact_ray(&ray, None).unwrap(), hit);
            d.prepare_skin().unwrap();
            exact_overlap_all(&mut c, &mut d, SkinCandidates::Bounds, &mut again).unwrap();
            prop_assert_eq!(&again, &found);
            answers.push((found, hit, touched));
        }
        for answer in &answers[1..] {
            prop_assert_eq!(answer, &answers[0]);
        }
        let (mut a, mut b) = (tracked(Kernel::Scalar), tracked(Kernel::Scalar));
        a.pose_from_model(&tube, &Affine3A::IDENTITY, &pose_a).unwrap();
        b.pose_from_model(&tube, &place, &pose_b).unwrap();
        let (all_a, all_b) = (triangles(&mut a), triangles(&mut b));
        let mut touching = BTreeSet::new();
        for one in &all_a {
            for other in &all_b {
                if !are_bounds_apart(one, other) && overlap_exactly(&one.corners, &other.corners) {
                    touching.insert((one.joint, other.joint));
                }
            }
        }
        let (found, hit, touched) = &answers[0];
        prop_assert_eq!(joints(found), touching);
        let frame = RayFrame::new(&ray);
        let times = all_a.iter().filter_map(|triangle| frame.cast(&triangle.corners, f32::INFINITY)).map(|hit| hit.time);
        prop_assert_eq!(hit.map_or(f32::INFINITY, |hit| hit.time), times.fold(f32::INFINITY, f32::min));
        let under_ball = all_a.iter().filter(|triangle| overlaps_sphere(&triangle.corners, &ball));
        let under_ball: BTreeSet<_> = under_ball.map(|triangle| triangle.joint).collect();
        prop_assert_eq!(touched.iter().map(|one| one.joint).collect::<BTreeSet<_>>(), under_ball);
    }
}
