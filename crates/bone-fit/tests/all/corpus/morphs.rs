//! Exact answers with weights of morph targets, of real characters.

use super::{baked, files, load};
use crate::morphs::check_exact_answers;
use glam::Affine3A;
use runtime::Character;
use test_models::Random;

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn exact_answers_know_the_shapes() {
    let mut checked = Vec::new();
    let mut random = Random::new(21);
    for (name, path) in files() {
        let model = load(&path);
        if !model.morph_targets.iter().any(|targets| targets.offsets.iter().any(|offsets| !offsets.is_empty())) {
            continue;
        }
        let words = [("preset", "tight"), ("morphs", "extremes"), ("skin", "lossless"), ("measure", "none")];
        let bake = baked(&model, &words);
        let height = bake.report.height;
        let targets = bake.character.skin.as_ref().unwrap().morph_targets.len();
        let character = Character::from_baked(bake.character);
        let mut hits = 0;
        for round in 0..6 {
            let mut local = model.skeleton.rest_pose();
            if let Some(clip) = model.clips.get(random.below(model.clips.len().max(1))).filter(|_| round > 0) {
                clip.sample(random.between(clip.start(), clip.end()), &mut local);
            }
            let mut joints = vec![Affine3A::IDENTITY; local.len()];
            model.skeleton.model_from_joints(&local, &mut joints);
            let mut list = |count: usize| (0..count).map(|_| random.between(-1.0, 1.5)).collect();
            let weights: Vec<Vec<f32>> = model.morph_targets.iter().map(|one| list(one.offsets.len())).collect();
            hits += check_exact_answers(&model, &character, &joints, &weights, 1e-5 * height, &mut random);
        }
        println!("{name}: {targets} targets, {hits} rays");
        assert!(targets > 0 && hits > 100, "{name}: {targets} targets, {hits} rays");
        checked.push(name);
    }
    assert!(checked.iter().any(|name| name == "RobotExpressive"), "{checked:?}");
}
