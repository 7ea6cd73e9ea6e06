//! A hull takes the place of a box only if its volume is less.

use crate::promise::{baked, strip_of};
use baked_format::{Hitbox, HitboxShape};
use glam::Vec3;
use hull::ConvexHull;
use skinned_model::SkinnedModel;
use std::path::Path;
use test_models::Random;

/// The number of hulls, and of boxes that stayed in place of hulls.
#[derive(Default)]
struct Kept {
    hulls: usize,
    boxes: usize,
}

fn volume(one: &Hitbox) -> f64 {
    match &one.hull {
        Some(hull) => ConvexHull::from_points_f32(&hull.vertices).unwrap().volume(),
        None => 8.0 * one.half_extents.as_dvec3().element_product(),
    }
}

/// Compares a bake of hulls with the same bake of boxes, hitbox by hitbox.
fn compare(name: &str, model: &SkinnedModel, words: &[(&str, &str)], most: usize, kept: &mut Kept) {
    let most_word = most.to_string();
    let words = [words, &[("measure", "none"), ("max_vertices", &most_word)]].concat();
    let boxes = baked(model, &words).0.character.boxes;
    let with_hulls = baked(model, &[words.as_slice(), &[("shape", "hull")]].concat()).0;
    let hulls = with_hulls.character.boxes;
    assert_eq!(hulls.len(), boxes.len(), "{name}, {words:?}");
    let mut expected_warnings = 0;
    for ((one, instead), report) in hulls.iter().zip(&boxes).zip(&with_hulls.report.boxes) {
        assert_eq!(one.joint, instead.joint, "{name}, {words:?}");
        match &one.hull {
            Some(hull) => {
                kept.hulls += 1;
                assert!(hull.vertices.len() <= most, "{name}, {words:?}: {} vertices", hull.vertices.len());
                let (own, of_box) = (volume(one), volume(instead));
                assert!(own < of_box, "{name}, {words:?}, {}: {own} in place of {of_box}", report.joint_name);
                assert!((own - report.volume).abs() <= 1e-9 * own, "{name}, {words:?}: {own}, {}", report.volume);
            }
            None => {
                kept.boxes += 1;
                expected_warnings += 1;
                assert_eq!((one.shape, one), (HitboxShape::Box, instead), "{name}, {words:?}");
            }
        }
    }
    let warnings = with_hulls.character.warnings.iter().filter(|one| one.code == "box-in-place-of-hull").count();
    assert_eq!(warnings, expected_warnings, "{name}, {words:?}");
}

#[test]
fn hulls_of_our_characters_are_smaller_than_their_boxes() {
    let mut kept = Kept::default();
    for (name, preset) in [("bruno", "recipe"), ("hound", "cover")] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../assets/{name}.glb"));
        let model = skinned_model::import(&std::fs::read(path).unwrap(), &skinned_model::NoExternalFiles).unwrap();
        for most in [8, 32] {
            compare(name, &model, &[("preset", preset)], most, &mut kept);
        }
    }
    assert!(kept.hulls > 100, "{} hulls", kept.hulls);
}

/// Bodies of two joints: clouds of points, some of them flat, thin, or the corners of bricks, whose hulls are their boxes.
#[test]
fn hulls_of_random_bodies_are_smaller_than_their_boxes() {
    let mut kept = Kept::default();
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let size = Vec3::new(1.0, [1.0, 0.1, 0.0, 1e-4][seed as usize % 4], 1.0 + random.signed());
        let is_brick = seed % 5 == 0;
        let positions: Vec<Vec3> = (0..48)
            .map(|_| {
                let at = random.vector();
                size * if is_brick { at.signum() } else { at }
            })
            .collect();
        let weights: Vec<[f32; 4]> =
            (0..48).map(|_| [random.signed().abs(), random.signed().abs(), 0.0, 0.0]).collect();
        let model = strip_of(positions, &weights);
        for most in [8, 12, 32, 64] {
            for preset in ["recipe", "tight"] {
                compare(&format!("body {seed}"), &model, &[("preset", preset)], most, &mut kept);
            }
        }
    }
    assert!(kept.hulls > 300 && kept.boxes > 30, "{} hulls, {} boxes", kept.hulls, kept.boxes);
}
