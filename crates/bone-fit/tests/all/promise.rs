//! The promise of a bake: in joint space a box of a joint holds every vertex that the joint owns, to the last f32 bit.
//!
//! The test finds the owner independently, with a short implementation.

use baked_format::{RoundShape, Source};
use bone_fit::{Bake, BakeOptions, bake};
use geometry_core::Obb;
use glam::{Affine3A, Vec3};
use hull::ConvexHull;
use skeleton::{Joint, JointIndex, LocalTransform, NodeIndex, Skeleton, Trs};
use skinned_model::{Influences, SkinnedMesh, SkinnedModel, skinning};
use std::path::Path;
use test_models::Random;

const PRESETS: [&str; 3] = ["recipe", "tight", "cover"];

pub(crate) fn baked(model: &SkinnedModel, words: &[(&str, &str)]) -> (Bake, BakeOptions) {
    let options = BakeOptions::from_entries(words.iter().copied()).unwrap();
    let source = Source { file: "made-up.glb".into(), blake3: [0; 32], generator: "test".into() };
    (bake(model, "made-up", source, &options).unwrap(), options)
}

/// Returns a slot of the vertex' owner. The owner is the first joint of the skeleton among the joints whose summed
/// weights are the largest, to `tolerance` of the whole weight; for tolerance 0, the joint of the first slot with a
/// weight.
pub(crate) fn owner_slot(mesh: &SkinnedMesh, vertex: usize, tolerance: f64) -> Option<usize> {
    let (slots, weights) = mesh.influences.of(vertex);
    let weight = |slot: u16| {
        let of_joint =
            slots.iter().zip(weights).filter(|(other, _)| mesh.joints[**other as usize] == mesh.joints[slot as usize]);
        of_joint.map(|(_, weight)| f64::from(*weight)).sum::<f64>()
    };
    let all: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
    let most = slots.iter().map(|&slot| weight(slot)).fold(0.0, f64::max);
    let set = slots.iter().zip(weights).filter(|(_, weight)| **weight > 0.0).map(|(slot, _)| *slot);
    let tied = set.filter(|&slot| weight(slot) >= most - tolerance.max(1e-9) * all);
    let tied: Vec<usize> = tied.map(usize::from).collect();
    if tolerance > 0.0 { tied.into_iter().min_by_key(|&slot| mesh.joints[slot]) } else { tied.first().copied() }
}

/// Returns whether a hitbox of the joint holds the point, in joint space.
fn holds(bake: &Bake, joint: JointIndex, point: Vec3) -> bool {
    bake.character.boxes.iter().filter(|one| one.joint == joint).any(|one| {
        if let Some(RoundShape { start, end, radius }) = one.round_shape() {
            let (start, end, point) = (start.as_dvec3(), end.as_dvec3(), point.as_dvec3());
            let (along, from) = (end - start, point - start);
            let long = along.length_squared();
            let place = if long > 0.0 { (from.dot(along) / long).clamp(0.0, 1.0) } else { 0.0 };
            return (from - along * place).length() <= f64::from(radius);
        }
        if let Some(hull) = &one.hull {
            let hull = ConvexHull::from_points_f32(&hull.vertices).unwrap();
            return hull.first_outside(&[point.as_dvec3()]).is_none();
        }
        let obb = Obb::from_orientation(one.center, one.half_extents, one.orientation);
        obb.to_local(point).abs().cmple(one.half_extents).all()
    })
}

/// Checks every vertex of every skinned mesh, and returns the number of checked vertices.
pub(crate) fn check(name: &str, model: &SkinnedModel, words: &[(&str, &str)]) -> usize {
    let (bake, options) = baked(model, words);
    let mut owned = vec![0u32; model.skeleton.len()];
    for mesh in &model.meshes {
        for vertex in 0..mesh.positions.len() {
            let Some(slot) = owner_slot(mesh, vertex, options.tie_tolerance) else { continue };
            let joint = mesh.joints[slot];
            owned[joint.index()] += 1;
            let point = skinning::joint_point(mesh, slot, vertex).as_vec3();
            let holds = holds(&bake, joint, point);
            assert!(holds, "{name}, {words:?}: vertex {vertex} of joint {} at {point} is in no box of it", joint.0);
        }
    }
    let mut counted = vec![0u32; model.skeleton.len()];
    bake.report.boxes.iter().for_each(|one| counted[one.joint.index()] += one.vertices);
    assert_eq!(counted, owned, "{name}, {words:?}: vertices by joint");
    owned.into_iter().sum::<u32>() as usize
}

/// A strip of triangles along the x axis, as in [`strip_of`].
fn strip(weights: &[[f32; 4]]) -> SkinnedModel {
    let position = |vertex: usize| Vec3::new(0.25 * vertex as f32, (vertex % 2) as f32, 0.1 * (vertex % 3) as f32);
    strip_of((0..weights.len()).map(position).collect(), weights)
}

/// Two joints with a common parent, a strip of triangles between them, and the weights of each vertex: weights 0 and 2
/// belong to the first joint, weights 1 and 3 to the second joint.
pub(crate) fn strip_of(positions: Vec<Vec3>, weights: &[[f32; 4]]) -> SkinnedModel {
    let joint = |name: &str, x: f32| Joint {
        name: name.into(),
        node: NodeIndex(0),
        parent: None,
        rest: LocalTransform::Trs(Trs { translation: Vec3::X * x, ..Trs::IDENTITY }),
        skinned: true,
    };
    let mesh = SkinnedMesh {
        name: "strip".into(),
        names: skinned_model::MeshNames::default(),
        node: NodeIndex(2),
        joints: vec![JointIndex(0), JointIndex(1)],
        joint_from_mesh: vec![Affine3A::IDENTITY, Affine3A::from_translation(Vec3::NEG_X)],
        positions,
        influences: Influences {
            per_vertex: 4,
            slots: weights.iter().flat_map(|_| [0, 1, 0, 1]).collect(),
            weights: weights.concat(),
        },
        triangles: (0..weights.len() as u32 - 2).map(|first| [first, first + 1, first + 2]).collect(),
        normals: vec![],
        texture_coordinates: vec![],
    };
    let skeleton = Skeleton::new(vec![joint("left", 0.0), joint("right", 1.0)]).unwrap();
    SkinnedModel { skeleton, meshes: vec![mesh], ..SkinnedModel::default() }
}

#[test]
fn slots_of_one_joint_are_added_before_they_are_compared() {
    let (left, right) = ([1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]);
    // The right joint has the largest single slot, but the left joint's two slots together weigh more.
    let split = [0.3, 0.4, 0.3, 0.0];
    let model = strip(&[left, left, left, split, split, right, right, right]);
    for preset in PRESETS {
        assert_eq!(check("split", &model, &[("preset", preset)]), 8);
    }
}

/// A vertex nearly ties, in the middle of surface that does not tie, so its owner has no surface around it.
#[test]
fn a_vertex_that_nearly_ties_is_in_a_box_of_its_owner() {
    let (left, right) = ([1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]);
    let tied = [0.4985, 0.5015, 0.0, 0.0];
    let model = strip(&[left, left, left, left, right, right, right, right, tied, right, right, right]);
    for preset in PRESETS {
        assert_eq!(check("tied", &model, &[("preset", preset)]), 12);
    }
}

#[test]
fn capsules_spheres_and_hulls_keep_the_promise() {
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let mut weight = || f32::from((random.next_u64() >> 60) as u8) / 16.0;
        let weights: Vec<[f32; 4]> = (0..24).map(|_| [weight(), weight(), weight(), weight()]).collect();
        for preset in PRESETS {
            for shape in ["capsule", "sphere", "hull", "auto"] {
                check("random", &strip(&weights), &[("preset", preset), ("shape", shape)]);
            }
        }
    }
}

#[test]
fn any_weights_keep_the_promise() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        // Weights are multiples of a sixteenth, so that there are many ties.
        let mut weight = || f32::from((random.next_u64() >> 60) as u8) / 16.0;
        let weights: Vec<[f32; 4]> = (0..24).map(|_| [weight(), weight(), weight(), weight()]).collect();
        for preset in PRESETS {
            for bridge in ["none", "surface", "ring"] {
                check("random", &strip(&weights), &[("preset", preset), ("bridge", bridge)]);
            }
        }
    }
}

#[test]
fn the_promise_holds_for_a_character_of_ours() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/bruno.glb");
    let model = skinned_model::import(&std::fs::read(path).unwrap(), &skinned_model::NoExternalFiles).unwrap();
    for preset in PRESETS {
        let words = [("preset", preset), ("attachments", "skip"), ("measure", "none"), ("poses", "bind")];
        assert!(check("bruno", &model, &words) > 10_000);
    }
}

/// With `group = any`, every joint with a weight owns the vertex.
#[test]
fn every_joint_with_a_weight_holds_the_vertex_with_every_preset() {
    for seed in 0..10 {
        let mut random = Random::new(seed);
        let mut weight = || f32::from((random.next_u64() >> 60) as u8) / 16.0;
        let weights: Vec<[f32; 4]> = (0..24).map(|_| [weight(), weight(), weight(), weight()]).collect();
        let model = strip(&weights);
        for preset in ["recipe", "tight", "cover", "always"] {
            let (bake, _) = baked(&model, &[("preset", preset), ("group", "any")]);
            let mesh = &model.meshes[0];
            for (vertex, weights) in weights.iter().enumerate() {
                for (slot, _) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
                    let (joint, point) =
                        (mesh.joints[slot % 2], skinning::joint_point(mesh, slot % 2, vertex).as_vec3());
                    assert!(holds(&bake, joint, point), "{preset}, seed {seed}: vertex {vertex} of joint {joint}");
                }
            }
        }
    }
}
