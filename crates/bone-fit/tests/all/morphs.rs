//! The option `morphs`: hitboxes hold the shapes of morph targets.

use baked_format::Source;
use bone_fit::{Bake, BakeOptions, bake};
use glam::{Affine3A, DVec3, Vec3};
use skinned_model::skinning::skin_positions;
use skinned_model::{MorphTargets, Morphed, NoExternalFiles, SkinnedModel, import};
use test_models::{Random, box_limb};

fn baked(model: &SkinnedModel, morphs: &str, more: &[(&str, &str)]) -> Bake {
    let words = [("preset", "cover"), ("morphs", morphs)];
    let options = BakeOptions::from_entries(words.into_iter().chain(more.iter().copied())).unwrap();
    let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
    bake(model, "limb", source, &options).unwrap()
}

/// The box limb with three targets, the last of which moves nothing, and these lists of weights.
fn limb(weights: Vec<Vec<f32>>) -> SkinnedModel {
    let mut model = import(&box_limb().to_glb(), &NoExternalFiles).unwrap();
    let vertices = 0..model.meshes[0].positions.len() as u32;
    let position = |vertex: u32| model.meshes[0].positions[vertex as usize];
    let thick = vertices.clone().map(|vertex| (vertex, position(vertex) * Vec3::new(0.0, 1.5, 0.5))).collect();
    let long = vertices.filter(|&vertex| position(vertex).x > 1.0).map(|vertex| (vertex, 0.7 * Vec3::X)).collect();
    model.morph_targets = vec![MorphTargets { of: Morphed::Mesh(0), offsets: vec![thick, long, Vec::new()], weights }];
    model.validate().unwrap();
    model
}

/// The largest distance of a vertex with this shape outside of all hitboxes, along an axis of the nearest, at 40 times of the clip.
fn escape(model: &SkinnedModel, bake: &Bake, weights: &[f32]) -> f64 {
    let mut mesh = model.meshes[0].clone();
    for (offsets, weight) in model.morph_targets[0].offsets.iter().zip(weights) {
        offsets.iter().for_each(|(vertex, offset)| mesh.positions[*vertex as usize] += *weight * *offset);
    }
    let clip = &model.clips[0];
    let mut farthest = 0.0_f64;
    for part in 0..40 {
        let mut local = model.skeleton.rest_pose();
        clip.sample(clip.start() + (clip.end() - clip.start()) * part as f32 / 39.0, &mut local);
        let mut joints = vec![Affine3A::IDENTITY; local.len()];
        model.skeleton.model_from_joints(&local, &mut joints);
        for point in skin_positions(&mesh, &joints).into_iter().flatten() {
            let outside = |hitbox: &baked_format::Hitbox| {
                let joint = joints[hitbox.joint.index()].inverse().transform_point3(point.as_vec3());
                let own = hitbox.orientation.inverse() * (joint - hitbox.center);
                (own.abs() - hitbox.half_extents).as_dvec3().max(DVec3::ZERO).max_element()
            };
            let nearest = bake.character.boxes.iter().map(outside).fold(f64::INFINITY, f64::min);
            farthest = farthest.max(nearest);
        }
    }
    farthest
}

#[test]
fn hitboxes_hold_every_shape_between_the_extremes_in_every_clip() {
    let animated = vec![vec![0.5, 0.0, 0.0], vec![0.5, 1.5, 0.0], vec![-0.2, 0.0, 1.0]];
    let model = limb(animated.clone());
    let ignored = baked(&model, "ignore", &[]);
    let extremes = baked(&model, "extremes", &[]);
    let clips = baked(&model, "clips", &[]);
    let mut random = Random::new(7);
    let mut between = |lists: &[Vec<f32>]| -> Vec<f32> {
        let shares: Vec<f32> = lists.iter().map(|_| random.between(0.01, 1.0)).collect();
        let sum: f32 = shares.iter().sum();
        (0..3).map(|target| lists.iter().zip(&shares).map(|(list, share)| list[target] * share / sum).sum()).collect()
    };
    // Hitboxes are convex, so they hold the points between those of two shapes.
    for _ in 0..100 {
        let weights = between(&animated);
        assert!(escape(&model, &clips, &weights) < 1e-5, "{weights:?}");
        assert!(escape(&model, &extremes, &weights) < 1e-5, "{weights:?}");
    }
    for target in 0..2 {
        let mut weights = vec![0.0; 3];
        weights[target] = 1.0;
        assert!(escape(&model, &extremes, &weights) < 1e-5);
        assert!(escape(&model, &ignored, &weights) > 0.05);
    }
    assert!(escape(&model, &clips, &[1.0, 0.0, 0.0]) > 0.01, "no clip has this weight");
    let volume = |bake: &Bake| bone_fit::Figures::of_bake(&bake.character).volume;
    assert!(volume(&ignored) < volume(&clips) && volume(&clips) < volume(&extremes));
}

#[test]
fn the_shapes_are_measured_and_the_warnings_say_what_is_not_held() {
    let model = limb(vec![vec![0.0, 1.0, 0.0]]);
    let share = |bake: &Bake| bake.report.measured.as_ref().unwrap().surface_clips;
    assert_eq!(share(&baked(&model, "clips", &[])), 1.0);
    // The longer lower limb has more surface, which no hitbox holds.
    let outside = |morphs| 1.0 - share(&baked(&model, morphs, &[("exclude", "lower")]));
    assert!(outside("clips") > outside("ignore") + 0.05, "{} {}", outside("clips"), outside("ignore"));
    let warnings = |bake: &Bake| {
        let of_morphs = bake.character.warnings.iter().filter(|warning| warning.code == "morph-targets");
        of_morphs.map(|warning| warning.text.clone()).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!("ignored", warnings(&baked(&model, "ignore", &[])));
    insta::assert_snapshot!("ignored_without_weights", warnings(&baked(&limb(Vec::new()), "ignore", &[])));
    assert_eq!(warnings(&baked(&model, "extremes", &[])), "");
    insta::assert_snapshot!("with_skin", warnings(&baked(&model, "extremes", &[("skin", "lossless")])));
    let many = (0..500).map(|list| vec![0.1 + list as f32, 1.0, 0.0]).collect();
    insta::assert_snapshot!("too_many", warnings(&baked(&limb(many), "clips", &[("measure", "none")])));
}

/// The stored skin is the base shape, whatever the hitboxes hold.
#[test]
fn the_stored_skin_has_no_shapes() {
    let model = limb(vec![vec![1.0, 1.0, 0.0]]);
    let skin = |morphs| baked(&model, morphs, &[("skin", "lossless")]).character.skin;
    assert!(skin("ignore").is_some());
    assert_eq!(skin("extremes"), skin("ignore"));
}

/// A clip that moves one target there and back needs two copies of the surface, however many keys it has.
#[test]
fn a_target_that_moves_alone_adds_its_ends_only() {
    let fade = (1..=1000).map(|key| vec![0.0, key as f32 / 1000.0, 0.0]).collect();
    let (model, two) = (limb(fade), limb(vec![vec![0.0, 1.0, 0.0]]));
    let boxes = |model| baked(model, "clips", &[]).character.boxes;
    assert_eq!(boxes(&model), boxes(&two));
}
