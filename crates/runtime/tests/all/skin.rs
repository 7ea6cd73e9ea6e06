//! Exact answers, compared with a test of every triangle.

use crate::characters::tube;
use baked_characters::baked_tube;
use geometry_core::triangle::{RayFrame, closest_point, closest_points, overlap_exactly};
use geometry_core::{Capsule, Obb, Ray, Sphere};
use glam::{Affine3A, DVec3, Quat, Vec3, Vec4};
use proptest::prelude::*;
use runtime::kernels::Kernel;
use runtime::{
    Character, ClipSampler, PosedCharacter, SkinCandidates, SkinError, SkinOverlap, SkinShape, SkinShapeOverlap,
    SkinTriangle, exact_distance, exact_overlap, exact_overlap_all,
};
use skeleton::JointIndex;
use std::collections::BTreeSet;

pub(crate) fn tracked(kernel: Kernel) -> PosedCharacter {
    let mut posed = PosedCharacter::with_kernel(kernel);
    posed.track_skin(true);
    posed
}

pub(crate) fn triangles(posed: &mut PosedCharacter) -> Vec<SkinTriangle> {
    let mut triangles = Vec::new();
    posed.skin_triangles(&mut triangles).unwrap();
    triangles
}

/// Any joint matrices: turned, moved, stretched, also unevenly.
pub(crate) fn pose() -> impl Strategy<Value = Vec<Affine3A>> {
    let turn =
        prop::array::uniform4(-1f32..1.0).prop_filter("a direction", |turn| Vec4::from_array(*turn).length() > 0.01);
    let (at, scale) = (prop::array::uniform3(-0.4f32..0.4), prop::array::uniform3(0.3f32..1.6));
    let joint = (turn, at, scale).prop_map(|(turn, at, scale)| {
        let turn = Quat::from_array(turn).normalize();
        Affine3A::from_scale_rotation_translation(scale.into(), turn, at.into())
    });
    prop::collection::vec(joint, 4).prop_map(|joints| {
        let raised = |(index, joint)| Affine3A::from_translation(Vec3::Y * f32::from(index)) * joint;
        (0u8..).zip(joints).map(raised).collect()
    })
}

pub(crate) type JointPairs = BTreeSet<(JointIndex, JointIndex)>;

fn touching_by_all(a: &[SkinTriangle], b: &[SkinTriangle]) -> JointPairs {
    let pairs = a.iter().flat_map(|one| b.iter().map(move |other| (one, other)));
    pairs
        .filter(|(one, other)| overlap_exactly(&one.corners, &other.corners))
        .map(|(one, other)| (one.joint, other.joint))
        .collect()
}

pub(crate) fn joints(found: &[SkinOverlap]) -> JointPairs {
    found.iter().map(|one| (one.joint_a, one.joint_b)).collect()
}

/// A lower limit of the distance of two triangles: the gap between them along the direction from one point to another.
fn least_distance(a: &[Vec3; 3], b: &[Vec3; 3], [p, q]: [DVec3; 2]) -> f64 {
    let way = (q - p).normalize_or_zero();
    let along = |corner: &Vec3| way.dot(corner.as_dvec3());
    b.iter().map(along).fold(f64::INFINITY, f64::min) - a.iter().map(along).fold(f64::NEG_INFINITY, f64::max)
}

/// The distance of two triangles that do not touch, between two numbers: from the nearest points, each of which is replaced by
/// the point nearest to the other until the numbers are close.
fn distance_between(a: &[Vec3; 3], b: &[Vec3; 3]) -> [f64; 2] {
    let nearest = closest_points(a, b);
    let (mut p, mut q) = (nearest.point_a.as_dvec3(), nearest.point_b.as_dvec3());
    for _ in 0..20_000 {
        q = closest_point(b, p);
        p = closest_point(a, q);
        if (q - p).length() - least_distance(a, b, [p, q]) < 1e-10 {
            break;
        }
    }
    [least_distance(a, b, [p, q]), (q - p).length()]
}

/// The largest error that `exact_distance` promises for the distance of two triangles.
fn error_bound(a: &[Vec3; 3], b: &[Vec3; 3], distance: f64) -> f64 {
    let longest = |[a, b, c]: &[Vec3; 3]| a.distance(*b).max(b.distance(*c)).max(c.distance(*a));
    distance / f64::from(1u32 << 24) + f64::from(longest(a) + longest(b)) / f64::from(1u32 << 25)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn distances_are_within_their_error_bound(
        pose_a in pose(),
        pose_b in pose(),
        apart in prop::array::uniform3(-3f32..3.0),
    ) {
        let tube = tube("tube");
        let (mut a, mut b) = (tracked(Kernel::best()), tracked(Kernel::best()));
        a.pose_from_model(&tube, &Affine3A::IDENTITY, &pose_a).unwrap();
        b.pose_from_model(&tube, &Affine3A::from_translation(apart.into()), &pose_b).unwrap();
        let (all_a, all_b) = (triangles(&mut a), triangles(&mut b));
        let found = exact_distance(&mut a, &mut b, None).unwrap().unwrap();
        prop_assume!(found.distance > 0.0);
        let distance = f64::from(found.distance);
        let mut is_reached = false;
        for (one, other) in all_a.iter().flat_map(|one| all_b.iter().map(move |other| (&one.corners, &other.corners))) {
            let bound = error_bound(one, other, distance);
            let nearest = closest_points(one, other);
            let points = [nearest.point_a.as_dvec3(), nearest.point_b.as_dvec3()];
            if least_distance(one, other, points) > distance + bound {
                continue;
            }
            let [least, most] = distance_between(one, other);
            prop_assert!(least >= distance - bound, "{} is nearer than {}", least, distance);
            is_reached |= most <= distance + bound;
        }
        prop_assert!(is_reached, "no pair of triangles is as near as {}", distance);
    }

    #[test]
    fn overlaps_are_those_of_all_triangles_with_every_kernel(
        pose_a in pose(),
        pose_b in pose(),
        apart in prop::array::uniform3(-1.5f32..1.5),
    ) {
        let tube = tube("tube");
        let place = Affine3A::from_translation(apart.into());
        let mut answers = Vec::new();
        for kernel in Kernel::available() {
            let (mut a, mut b, mut found) = (tracked(kernel), tracked(kernel), Vec::new());
            a.pose_from_model(&tube, &Affine3A::IDENTITY, &pose_a).unwrap();
            b.pose_from_model(&tube, &place, &pose_b).unwrap();
            exact_overlap_all(&mut a, &mut b, SkinCandidates::Bounds, &mut found).unwrap();
            prop_assert!(found.is_sorted_by_key(|one| (one.joint_a, one.joint_b)));
            let first = exact_overlap(&mut a, &mut b, SkinCandidates::Bounds).unwrap();
            prop_assert_eq!(first.is_some(), !found.is_empty());
            if let Some(first) = first {
                prop_assert!(found.contains(&first));
            }
            answers.push(found);
        }
        let (mut a, mut b) = (tracked(Kernel::Scalar), tracked(Kernel::Scalar));
        a.pose_from_model(&tube, &Affine3A::IDENTITY, &pose_a).unwrap();
        b.pose_from_model(&tube, &place, &pose_b).unwrap();
        let (all_a, all_b) = (triangles(&mut a), triangles(&mut b));
        prop_assert_eq!(joints(&answers[0]), touching_by_all(&all_a, &all_b));
        for answer in &answers[1..] {
            prop_assert_eq!(answer, &answers[0]);
        }
        for one in &answers[0] {
            let holds = |all: &[SkinTriangle], joint: JointIndex, source: u32| {
                all.iter().any(|triangle| {
                    let corners = triangle.corners;
                    triangle.joint == joint
                        && triangle.source_triangle == source
                        && (geometry_core::triangle::closest_point(&corners, one.point.as_dvec3()) - one.point.as_dvec3()).length() < 2e-6
                })
            };
            prop_assert!(holds(&all_a, one.joint_a, one.source_triangle_a) && holds(&all_b, one.joint_b, one.source_triangle_b));
        }
    }

    #[test]
    fn distances_are_those_of_all_triangles(
        pose_a in pose(),
        pose_b in pose(),
        apart in prop::array::uniform3(-3f32..3.0),
        share in 0f32..2.0,
    ) {
        let tube = tube("tube");
        let (mut a, mut b) = (tracked(Kernel::best()), tracked(Kernel::best()));
        a.pose_from_model(&tube, &Affine3A::IDENTITY, &pose_a).unwrap();
        b.pose_from_model(&tube, &Affine3A::from_translation(apart.into()), &pose_b).unwrap();
        let (all_a, all_b) = (triangles(&mut a), triangles(&mut b));
        let distances = all_a.iter().flat_map(|one| all_b.iter().map(|other| closest_points(&one.corners, &other.corners).distance));
        let least = distances.fold(f32::INFINITY, f32::min);
        let found = exact_distance(&mut a, &mut b, None).unwrap().unwrap();
        prop_assert_eq!(found.distance, least);
        prop_assert!(((found.point_a - found.point_b).length() - least).abs() < 1e-6);
        let within = exact_distance(&mut a, &mut b, least * share).unwrap();
        prop_assert_eq!(within.map(|found| found.distance), (share >= 1.0 || least == 0.0).then_some(least));
    }

    #[test]
    fn rays_hit_the_first_of_all_triangles(
        pose in pose(),
        origin in prop::array::uniform3(-4f32..4.0),
        aim in prop::array::uniform3(-0.6f32..0.6),
        max_time in prop_oneof![Just(f32::INFINITY), 0f32..1.5],
    ) {
        let tube = tube("tube");
        let (origin, aim) = (Vec3::from_array(origin), Vec3::from_array(aim) + Vec3::Y * 2.0);
        prop_assume!(origin != aim);
        let ray = Ray::try_new(origin, aim - origin).unwrap();
        let mut answers = Vec::new();
        for kernel in Kernel::available() {
            let mut posed = tracked(kernel);
            posed.pose_from_model(&tube, &Affine3A::IDENTITY, &pose).unwrap();
            answers.push(posed.exact_ray(&ray, max_time).unwrap());
        }
        let mut posed = tracked(Kernel::Scalar);
        posed.pose_from_model(&tube, &Affine3A::IDENTITY, &pose).unwrap();
        let all = triangles(&mut posed);
        let frame = RayFrame::new(&ray);
        let first = all.iter().filter_map(|triangle| frame.cast(&triangle.corners, max_time)).map(|hit| hit.time).fold(f32::INFINITY, f32::min);
        prop_assert_eq!(answers[0].map_or(f32::INFINITY, |hit| hit.time), first);
        for answer in &answers[1..] {
            prop_assert_eq!(answer, &answers[0]);
        }
        if let Some(hit) = answers[0] {
            prop_assert!((hit.barycentric.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{:?}", hit.barycentric);
            prop_assert!((hit.normal.length() - 1.0).abs() < 1e-6);
            prop_assert_eq!(hit.front, hit.normal.dot(ray.direction()) < 0.0);
        }
    }

    #[test]
    fn shapes_touch_what_all_triangles_say(
        pose in pose(),
        at in prop::array::uniform3(-1.5f32..1.5),
        size in 0.01f32..1.0,
    ) {
        let tube = tube("tube");
        let at = Vec3::from_array(at) + Vec3::Y * 2.0;
        let mut posed = tracked(Kernel::best());
        posed.pose_from_model(&tube, &Affine3A::IDENTITY, &pose).unwrap();
        let all = triangles(&mut posed);
        let sphere = Sphere::try_new(at, size).unwrap();
        let capsule = Capsule::try_new(at, at + Vec3::new(1.0, -0.5, 0.2), size * 0.3).unwrap();
        let obb = Obb::new(at, Vec3::new(size, 0.2, 0.05), glam::Mat3::IDENTITY);
        let check = |posed: &mut PosedCharacter, shape: &dyn Fn(&mut PosedCharacter, &mut Vec<SkinShapeOverlap>), expected: BTreeSet<JointIndex>| {
            let mut found = Vec::new();
            shape(posed, &mut found);
            assert_eq!(found.iter().map(|one| one.joint).collect::<BTreeSet<_>>(), expected);
            assert_eq!(found.len(), expected.len());
        };
        let of = |shape: &dyn Fn(&[Vec3; 3]) -> bool| -> BTreeSet<JointIndex> {
            all.iter().filter(|triangle| shape(&triangle.corners)).map(|triangle| triangle.joint).collect()
        };
        check(&mut posed, &|posed, found| posed.exact_shape_overlaps(&sphere, found).unwrap(), of(&|corners| sphere.overlaps_triangle(corners)));
        check(&mut posed, &|posed, found| posed.exact_shape_overlaps(&capsule, found).unwrap(), of(&|corners| capsule.overlaps_triangle(corners)));
        check(&mut posed, &|posed, found| posed.exact_shape_overlaps(&obb, found).unwrap(), of(&|corners| SkinShape::overlaps_triangle(&obb, corners)));
    }
}

#[test]
fn cuts_close_the_surface_and_hits_have_the_source_s_coordinates() {
    let tube = tube("tube");
    let mut posed = tracked(Kernel::best());
    posed.pose_from_rest(&tube, &Affine3A::IDENTITY).unwrap();
    let skin = tube.baked().skin.as_ref().unwrap();
    // On both sides of the cut and on it, all around.
    for height in [1.2f32, 1.7, 1.99, 2.0, 2.01, 2.3, 2.9] {
        for step in 0..64u8 {
            let angle = f32::from(step) * std::f32::consts::TAU / 64.0;
            let direction = Quat::from_rotation_y(angle) * Vec3::X;
            let ray = Ray::try_new(Vec3::Y * height, direction).unwrap();
            let hit = posed.exact_ray(&ray, None).unwrap().expect("from inside every ray hits");
            assert!(!hit.front && (0.46..0.5001).contains(&hit.time), "{hit:?}");
            if (height - 2.0).abs() > 0.001 {
                assert_eq!(tube.joint_name(hit.joint), if height < 2.0 { "upper" } else { "fore" });
            }
            // The corners of the source's triangle, blended, are the point.
            let (mesh, triangle) = skin.source_of(hit.source_triangle).unwrap();
            assert_eq!((mesh, triangle), (0, hit.source_triangle));
            let piece = skin.piece(hit.joint).unwrap();
            if let Ok(place) = piece.cut_triangles.binary_search_by_key(&triangle, |cut| cut.source_triangle) {
                let corners = piece.cut_triangles[place].corners.map(|corner| piece.positions[corner as usize]);
                let point: Vec3 = corners.iter().zip(hit.barycentric).map(|(corner, weight)| *corner * weight).sum();
                assert!((point - hit.point).length() < 1e-6, "{point} {hit:?}");
            }
        }
    }
    for (point, inside) in [
        (Vec3::Y * 2.0, true),
        (Vec3::new(0.44, 1.5, 0.0), true),
        (Vec3::new(0.49, 2.0, 0.2), false),
        (Vec3::Y * 3.01, false),
    ] {
        assert_eq!(posed.skin_contains(point).unwrap(), inside, "{point}");
    }
}

#[test]
fn candidates_by_hitboxes_find_what_their_boxes_hold() {
    let tube = tube("tube");
    let (mut a, mut b, mut found, mut by_boxes) =
        (tracked(Kernel::best()), tracked(Kernel::best()), Vec::new(), Vec::new());
    a.pose_from_rest(&tube, &Affine3A::IDENTITY).unwrap();
    for step in 0..40u8 {
        let place = Affine3A::from_translation(Vec3::new(f32::from(step) * 0.05, 0.3, 0.4));
        b.pose_from_rest(&tube, &place).unwrap();
        exact_overlap_all(&mut a, &mut b, SkinCandidates::Bounds, &mut found).unwrap();
        exact_overlap_all(&mut a, &mut b, SkinCandidates::Hitboxes, &mut by_boxes).unwrap();
        assert_eq!(found, by_boxes, "step {step}");
    }
}

#[test]
fn without_a_skin_the_error_says_how_to_bake_one() {
    let mut baked = baked_tube("plain");
    baked.skin = None;
    let plain = Character::from_baked(baked);
    let tube = tube("tube");
    let ray = Ray::try_new(Vec3::ZERO, Vec3::X).unwrap();
    let mut posed = PosedCharacter::new();
    assert_eq!(posed.exact_ray(&ray, None), Err(SkinError::NoPose));
    posed.pose_from_rest(&tube, &Affine3A::IDENTITY).unwrap();
    assert_eq!(posed.exact_ray(&ray, None), Err(SkinError::NotTracked { character: "tube".into() }));
    posed.track_skin(true);
    assert!(posed.exact_ray(&ray, None).is_err(), "tracked from the next pose on");
    posed.pose_from_rest(&plain, &Affine3A::IDENTITY).unwrap();
    let error = posed.exact_ray(&ray, None).unwrap_err();
    assert!(error.to_string().contains("bake it with `skin = "), "{error}");
    posed.pose_from_rest(&tube, &Affine3A::IDENTITY).unwrap();
    assert!(posed.exact_ray(&ray, None).is_ok());
    assert!(posed.pose_from_model(&tube, &Affine3A::IDENTITY, &[Affine3A::NAN; 4]).is_err());
    assert_eq!(posed.exact_ray(&ray, None), Err(SkinError::NoPose));
}

#[test]
fn clones_copies_and_single_joints_skin_anew() {
    let tube = tube("tube");
    let wave = tube.find_clip("wave").unwrap();
    let (mut posed, mut sampler) = (tracked(Kernel::best()), ClipSampler::new());
    posed.pose_from_clip(&mut sampler, &tube, &Affine3A::IDENTITY, wave, 0.7).unwrap();
    let waving = triangles(&mut posed);
    let mut clone = posed.clone();
    assert_eq!(triangles(&mut clone), waving);
    posed.pose_from_rest(&tube, &Affine3A::IDENTITY).unwrap();
    let resting = triangles(&mut posed);
    assert_ne!(resting, waving);
    assert_eq!(triangles(&mut clone), waving);
    // Only one joint changes from the rest pose to the waving pose.
    let sampled = sampler.sample(&tube, wave, 0.7).unwrap().to_vec();
    let fore = tube.skeleton().find("fore").unwrap();
    posed.update_joints(&tube, &sampled, &[fore]).unwrap();
    assert_eq!(triangles(&mut posed), waving);
}
