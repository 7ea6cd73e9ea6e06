//! Exact answers with weights of morph targets, compared with plain loops over the numbers of the file.

use crate::skin::{joints, pose, tracked, triangles};
use crate::skin_large_pieces::fine_tube;
use baked_characters::{baked_swelling_tube, baked_tube, with_morph_targets};
use geometry_core::portable::affine_mul;
use geometry_core::triangle::{RayFrame, overlap_exactly, overlaps_sphere};
use geometry_core::{Ray, Sphere};
use glam::{Affine3A, Vec3};
use proptest::prelude::*;
use runtime::kernels::Kernel;
use runtime::{
    BodyId, BodySettings, Character, ClipSampler, HitboxWorld, PoseError, PosedCharacter, QueryFilter, SkinCandidates,
    SkinError, SkinRayHit, SkinTriangle, WorldError, exact_distance, exact_overlap_all,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The skin in a pose: each number of the file once, in `f32` and in the order that FORMAT.md and `kernels::skin_lanes` define.
fn skinned_by_loops(character: &Character, model_from_joint: &[Affine3A], weights: &[f32]) -> Vec<SkinTriangle> {
    let skin = character.baked().skin.as_ref().unwrap();
    let matrix = |binding: u16| {
        let binding = &skin.bindings[usize::from(binding)];
        let in_model = affine_mul(&Affine3A::IDENTITY, &model_from_joint[binding.joint.index()]);
        affine_mul(&in_model, &binding.joint_from_mesh).to_cols_array()
    };
    let mut found = Vec::new();
    for (number, piece) in (0..).zip(&skin.pieces) {
        let mut posed = Vec::new();
        let mut start = 0;
        for (vertex, count) in (0..).zip(piece.influences_per_vertex()) {
            let mut at = piece.positions[vertex as usize].to_array();
            for (target, &weight) in skin.morph_targets.iter().zip(weights) {
                let of_piece = target.pieces.iter().filter(|offsets| offsets.piece == number);
                for one in of_piece.flat_map(|offsets| &offsets.offsets).filter(|one| one.vertex == vertex) {
                    if weight != 0.0 {
                        (0..3).for_each(|axis| at[axis] += weight * one.offset[axis]);
                    }
                }
            }
            let influences = start..start + count;
            start += count;
            let mut blend = [0.0; 12];
            for influence in influences.clone() {
                let (matrix, share) = (matrix(piece.influences[influence]), piece.weights[influence]);
                for (sum, entry) in blend.iter_mut().zip(matrix) {
                    *sum = match (count, influence == influences.start) {
                        (1, _) => entry,
                        (_, true) => entry * share,
                        _ => *sum + entry * share,
                    };
                }
            }
            let along =
                |row: usize| blend[row] * at[0] + blend[3 + row] * at[1] + blend[6 + row] * at[2] + blend[9 + row];
            posed.push(Vec3::new(along(0), along(1), along(2)));
        }
        for cut in &piece.cuts {
            let [a, b, c] = cut.corners.map(|corner| posed[corner as usize]);
            posed.push(a * cut.weights[0] + b * cut.weights[1] + c * cut.weights[2]);
        }
        for (corners, &source_triangle) in piece.triangles.iter().zip(&piece.source_triangles) {
            let corners = corners.map(|corner| posed[corner as usize]);
            found.push(SkinTriangle { joint: piece.joint, source_triangle, corners });
        }
    }
    found
}

type Bits = Vec<(u16, u32, [[u32; 3]; 3])>;

fn bits(triangles: &[SkinTriangle]) -> Bits {
    let of_point = |corner: Vec3| corner.to_array().map(|number| (number + 0.0).to_bits());
    let bits = |one: &SkinTriangle| (one.joint.0, one.source_triangle, one.corners.map(of_point));
    let mut bits: Bits = triangles.iter().map(bits).collect();
    bits.sort_unstable();
    bits
}

fn swelling_tubes() -> [Character; 2] {
    let fine = with_morph_targets(fine_tube());
    [Character::from_baked(baked_swelling_tube("tube")), Character::from_baked(fine)]
}

fn posed(kernel: Kernel, of: &Character, joints: &[Affine3A], weights: &[f32]) -> PosedCharacter {
    let mut posed = tracked(kernel);
    posed.set_morph_weights(of, weights).unwrap();
    posed.pose_from_model(of, &Affine3A::IDENTITY, joints).unwrap();
    posed
}

fn weights() -> impl Strategy<Value = [f32; 3]> {
    prop::array::uniform3(prop_oneof![4 => -1.5f32..3.0, 1 => Just(0.0f32), 1 => 20f32..200.0])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// The posed triangles have the bits of the loops, and each answer is the one that a loop over all triangles gives.
    #[test]
    fn answers_are_those_of_loops_over_the_numbers_of_the_file(
        pose_a in pose(),
        pose_b in pose(),
        weights_a in weights(),
        weights_b in weights(),
        origin in prop::array::uniform3(-6f32..6.0),
        aim in prop::array::uniform3(-0.6f32..0.6),
        size in 0.01f32..1.0,
    ) {
        let aim = Vec3::from_array(aim) + Vec3::Y * 2.0;
        let ray = Ray::try_new(origin.into(), aim - Vec3::from(origin)).unwrap();
        let ball = Sphere::try_new(aim, size).unwrap();
        let frame = RayFrame::new(&ray);
        for tube in swelling_tubes() {
            let (all_a, all_b) = (skinned_by_loops(&tube, &pose_a, &weights_a), skinned_by_loops(&tube, &pose_b, &weights_b));
            let first = all_a.iter().filter_map(|one| frame.cast(&one.corners, f32::INFINITY)).map(|hit| hit.time);
            let first = first.fold(f32::INFINITY, f32::min);
            let touched = all_a.iter().filter(|one| overlaps_sphere(&one.corners, &ball));
            let touched: BTreeSet<_> = touched.map(|one| one.joint).collect();
            let is_fine = all_a.len() > 100;
            for kernel in Kernel::available() {
                // Each question asks a new pose, so that no part is skinned by an earlier question.
                let a = || posed(kernel, &tube, &pose_a, &weights_a);
                let b = || posed(kernel, &tube, &pose_b, &weights_b);
                prop_assert_eq!(bits(&triangles(&mut a())), bits(&all_a), "{:?}", kernel);
                let hit = a().exact_ray(&ray, None).unwrap();
                prop_assert_eq!(hit.map_or(f32::INFINITY, |hit| hit.time), first, "{:?}", kernel);
                let mut found = Vec::new();
                a().exact_shape_overlaps(&ball, &mut found).unwrap();
                prop_assert_eq!(found.iter().map(|one| one.joint).collect::<BTreeSet<_>>(), touched.clone(), "{:?}", kernel);
                if is_fine && kernel != Kernel::best() {
                    continue;
                }
                let mut found = Vec::new();
                exact_overlap_all(&mut a(), &mut b(), SkinCandidates::Bounds, &mut found).unwrap();
                let pairs = all_a.iter().flat_map(|one| all_b.iter().map(move |other| (one, other)));
                let pairs = pairs.filter(|(one, other)| !are_apart(one, other) && overlap_exactly(&one.corners, &other.corners));
                prop_assert_eq!(joints(&found), pairs.map(|(one, other)| (one.joint, other.joint)).collect());
                if !is_fine {
                    let nearest = all_a.iter().flat_map(|one| {
                        all_b.iter().map(|other| geometry_core::triangle::closest_points(&one.corners, &other.corners).distance)
                    });
                    let nearest = nearest.fold(f32::INFINITY, f32::min);
                    prop_assert_eq!(exact_distance(&mut a(), &mut b(), None).unwrap().unwrap().distance, nearest);
                }
            }
        }
    }

    /// Pieces meet at cuts. Each edge of each triangle is also an edge of one other triangle, in the opposite direction, to the last
    /// bit.
    #[test]
    fn cut_pieces_stay_watertight(joints in pose(), weights in weights()) {
        let [tube, _] = swelling_tubes();
        let mut posed = posed(Kernel::best(), &tube, &joints, &weights);
        let mut edges: BTreeMap<[[u32; 3]; 2], i32> = BTreeMap::new();
        for (_, _, corners) in bits(&triangles(&mut posed)) {
            for k in 0..3 {
                let [from, to] = [corners[k], corners[(k + 1) % 3]];
                let (key, count) = if from < to { ([from, to], 1) } else { ([to, from], -1) };
                *edges.entry(key).or_default() += count;
            }
        }
        prop_assert!(edges.len() > 100 && edges.values().all(|count| *count == 0));
    }

    /// With the weights 0, and without a call that sets them, everything is as for a skin without targets, to the last bit.
    #[test]
    fn weights_of_zero_change_no_answer(
        joints in pose(),
        origin in prop::array::uniform3(-4f32..4.0),
        aim in prop::array::uniform3(-0.6f32..0.6),
    ) {
        let plain = Character::from_baked(baked_tube("tube"));
        let [tube, _] = swelling_tubes();
        let aim = Vec3::from_array(aim) + Vec3::Y * 2.0;
        let ray = Ray::try_new(origin.into(), aim - Vec3::from(origin)).unwrap();
        let ask = |posed: &mut PosedCharacter| {
            let mut other = tracked(Kernel::best());
            other.pose_from_rest(&plain, &Affine3A::from_translation(Vec3::X * 0.7)).unwrap();
            let mut found = Vec::new();
            let hit: Option<SkinRayHit> = posed.exact_ray(&ray, None).unwrap();
            exact_overlap_all(posed, &mut other, SkinCandidates::Bounds, &mut found).unwrap();
            let distance = exact_distance(posed, &mut other, None).unwrap();
            (hit, found, distance, triangles(posed))
        };
        let mut without = tracked(Kernel::best());
        without.pose_from_model(&plain, &Affine3A::IDENTITY, &joints).unwrap();
        let expected = ask(&mut without);
        let mut not_set = tracked(Kernel::best());
        not_set.pose_from_model(&tube, &Affine3A::IDENTITY, &joints).unwrap();
        prop_assert_eq!(&ask(&mut not_set), &expected);
        let mut again = posed(Kernel::best(), &tube, &joints, &[2.0, -1.0, 0.5]);
        prop_assert_ne!(&ask(&mut again).3, &expected.3);
        again.set_morph_weights(&tube, &[0.0, -0.0, 0.0]).unwrap();
        again.pose_from_model(&tube, &Affine3A::IDENTITY, &joints).unwrap();
        prop_assert_eq!(&ask(&mut again), &expected);
    }
}

fn are_apart(a: &SkinTriangle, b: &SkinTriangle) -> bool {
    let low = |one: &SkinTriangle| one.corners[0].min(one.corners[1]).min(one.corners[2]);
    let high = |one: &SkinTriangle| one.corners[0].max(one.corners[1]).max(one.corners[2]);
    low(a).cmpgt(high(b)).any() || low(b).cmpgt(high(a)).any()
}

/// The time of a ray's hit from the left at the height 2.5. The ray hits the base shape at 9.5, and with `swell` at 9.
fn time_of_hit(posed: &mut PosedCharacter) -> f32 {
    let ray = Ray::try_new(Vec3::new(-10.0, 2.5, 0.0), Vec3::X).unwrap();
    posed.exact_ray(&ray, None).unwrap().unwrap().time
}

const SWOLLEN: [f32; 3] = [1.0, 0.0, 0.0];

#[test]
fn weights_hold_from_the_next_pose_on_and_clones_keep_them() {
    let [tube, _] = swelling_tubes();
    assert_eq!(tube.morph_targets().iter().map(|target| &*target.name).collect::<Vec<_>>(), ["swell", "lean", "tip"]);
    let rest = |posed: &mut PosedCharacter| posed.pose_from_rest(&tube, &Affine3A::IDENTITY).unwrap();
    let mut posed = tracked(Kernel::best());
    rest(&mut posed);
    posed.set_morph_weights(&tube, &SWOLLEN).unwrap();
    assert_eq!(time_of_hit(&mut posed), 9.5);
    let mut clone = posed.clone();
    assert_eq!(time_of_hit(&mut clone), 9.5);
    rest(&mut clone);
    assert_eq!(time_of_hit(&mut clone), 9.0);
    assert_eq!(time_of_hit(&mut clone.clone()), 9.0);
    // Single joints that are posed again take the weights too.
    let joints = tube.rest_matrices().to_vec();
    posed.update_joints(&tube, &joints, &[]).unwrap();
    assert_eq!(time_of_hit(&mut posed), 9.0);
    // A pose of another character ignores them, and the next pose of this one does not.
    let plain = Character::from_baked(baked_tube("plain"));
    posed.pose_from_rest(&plain, &Affine3A::IDENTITY).unwrap();
    assert_eq!(time_of_hit(&mut posed), 9.5);
    let [same, _] = swelling_tubes();
    posed.pose_from_rest(&same, &Affine3A::IDENTITY).unwrap();
    assert_eq!(time_of_hit(&mut posed), 9.0);
    // They are kept for the tracked skin only.
    posed.track_skin(false);
    posed.track_skin(true);
    rest(&mut posed);
    assert_eq!(time_of_hit(&mut posed), 9.5);
}

#[test]
fn wrong_weights_are_errors_and_the_earlier_weights_stay() {
    let [tube, _] = swelling_tubes();
    let mut posed = PosedCharacter::new();
    let plain = Character::from_baked(baked_tube("plain"));
    let mut bare = baked_tube("bare");
    bare.skin = None;
    let mut texts = vec![posed.set_morph_weights(&tube, &SWOLLEN).unwrap_err()];
    posed.track_skin(true);
    posed.set_morph_weights(&plain, &[]).unwrap();
    posed.set_morph_weights(&tube, &SWOLLEN).unwrap();
    texts.push(posed.set_morph_weights(&tube, &[1.0; 2]).unwrap_err());
    texts.push(posed.set_morph_weights(&tube, &[]).unwrap_err());
    texts.push(posed.set_morph_weights(&plain, &[1.0]).unwrap_err());
    texts.push(posed.set_morph_weights(&tube, &[0.0, f32::NAN, 0.0]).unwrap_err());
    texts.push(posed.set_morph_weights(&tube, &[0.0, 0.0, f32::INFINITY]).unwrap_err());
    texts.push(posed.set_morph_weights(&Character::from_baked(bare), &[]).unwrap_err());
    let texts: Vec<String> = texts.iter().map(SkinError::to_string).collect();
    let count = |found| {
        format!("the skin of \"tube\" has 3 morph targets, but {found} weights were given; pass one weight per target")
    };
    let not_finite = |target: &str| {
        format!(
            "\"tube\": the weight of morph target {target} is not finite; look for a division by zero where this weight is computed"
        )
    };
    let expected = [
        "the pose of \"tube\" does not keep its skin; call `track_skin` before posing".to_owned(),
        count(2),
        count(0),
        "the skin of \"plain\" has 0 morph targets, but 1 weights were given; pass one weight per target".to_owned(),
        not_finite("1 (\"lean\")"),
        not_finite("2 (\"tip\")"),
        "\"bare\" was baked without its skin; bake it with `skin = \"lossless\"` or `skin = \"compact\"`".to_owned(),
    ];
    assert_eq!(texts, expected);
    posed.pose_from_rest(&tube, &Affine3A::IDENTITY).unwrap();
    assert_eq!(time_of_hit(&mut posed), 9.0);
    // Weights that take the skin out of range make the pose fail, and do no harm afterwards.
    for huge in [1e30, f32::MAX] {
        posed.set_morph_weights(&tube, &[huge, huge, -huge]).unwrap();
        let error = posed.pose_from_rest(&tube, &Affine3A::IDENTITY).unwrap_err();
        assert!(matches!(error, PoseError::MorphOutOfRange { .. }), "{error}");
        assert!(!posed.is_posed());
        assert_eq!(posed.exact_ray(&Ray::try_new(Vec3::ZERO, Vec3::X).unwrap(), None), Err(SkinError::NoPose));
    }
    posed.set_morph_weights(&tube, &SWOLLEN).unwrap();
    posed.pose_from_rest(&tube, &Affine3A::IDENTITY).unwrap();
    assert_eq!(time_of_hit(&mut posed), 9.0);
}

#[test]
fn bodies_of_a_world_have_weights() {
    let tube = Arc::new(Character::from_baked(baked_swelling_tube("tube")));
    let mut world = HitboxWorld::new();
    for id in 0..2 {
        world.insert(BodyId(id), Arc::clone(&tube), BodySettings::default()).unwrap();
    }
    let error = world.set_morph_weights(BodyId(0), &SWOLLEN).unwrap_err();
    assert!(matches!(error, WorldError::Skin { error: SkinError::NotTracked { .. }, .. }), "{error}");
    assert!(matches!(world.set_morph_weights(BodyId(7), &SWOLLEN), Err(WorldError::NoBody(BodyId(7)))));
    let mut sampler = ClipSampler::new();
    let wave = tube.find_clip("wave").unwrap();
    for id in 0..2 {
        world.track_skin(BodyId(id), true).unwrap();
    }
    assert!(world.set_morph_weights(BodyId(0), &[f32::NAN; 3]).is_err());
    let (mut found, mut alone) = (Vec::new(), [tracked(Kernel::best()), tracked(Kernel::best())]);
    let (mut with, mut without) = (0, 0);
    for tick in 0..20u8 {
        let weights = [f32::from(tick % 4) * 0.5, 0.25, 0.0];
        // The base shapes are 1.3 apart and do not touch.
        let place = |id: u64| Affine3A::from_translation(Vec3::X * (1.3 * id as f32));
        world.set_morph_weights(BodyId(0), &weights).unwrap();
        for (id, posed) in (0..).zip(&mut alone) {
            world.pose_from_clip(BodyId(id), &place(id), wave, 0.0).unwrap();
            let weights = if id == 0 { weights } else { [0.0; 3] };
            posed.set_morph_weights(&tube, &weights).unwrap();
            posed.pose_from_clip(&mut sampler, &tube, &place(id), wave, 0.0).unwrap();
        }
        world.update();
        world.exact_touches(&QueryFilter::default(), &mut found).unwrap();
        let mut expected = Vec::new();
        let [a, b] = &mut alone;
        exact_overlap_all(a, b, SkinCandidates::Bounds, &mut expected).unwrap();
        let pairs: Vec<_> = found.iter().map(|one| (one.answer.joint_a, one.answer.joint_b)).collect();
        assert_eq!(pairs, expected.iter().map(|one| (one.joint_a, one.joint_b)).collect::<Vec<_>>(), "tick {tick}");
        if pairs.is_empty() {
            without += 1
        } else {
            with += 1
        }
        #[cfg(feature = "serde")]
        {
            world.set_morph_weights(BodyId(0), &[0.5, 0.5, 3.0]).unwrap();
            let state = world.save();
            let mut restored = HitboxWorld::restore(&state, |_| Some(Arc::clone(&tube))).unwrap();
            assert_eq!(restored.save(), state);
            for world in [&mut world, &mut restored] {
                let mut again = Vec::new();
                world.exact_touches(&QueryFilter::default(), &mut again).unwrap();
                assert_eq!(again, found, "tick {tick}");
            }
            let after = [&mut world, &mut restored].map(|world| {
                world.pose_from_rest(BodyId(0), &Affine3A::IDENTITY).unwrap();
                let ray = Ray::try_new(Vec3::new(-10.0, 2.5, 0.0), Vec3::X).unwrap();
                world.exact_ray(&ray, None, &QueryFilter::default()).unwrap()
            });
            assert_eq!(after[0], after[1], "tick {tick}");
        }
    }
    assert!(with > 4 && without > 4, "{with} ticks with a touch, {without} without");
}
