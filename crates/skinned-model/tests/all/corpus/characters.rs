//! Compares every real character with the oracle, an independent reader and skinner in double precision.
//!
//! Tolerances are shares of the character's extent in the space of the comparison. The oracle rounds to 7 digits, and
//! the importer multiplies poses along the hierarchy in single precision.

use crate::corpus::files::{self, import_file};
use glam::{Affine3A, DVec3};
use serde_json::Value;
use skinned_model::skinning::{joint_points, skin_positions};
use skinned_model::{SkinnedMesh, SkinnedModel};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The tolerance of boxes in joint space: one rounding by the oracle and one product in double precision.
const BOX_TOLERANCE: f64 = 1e-6;
/// The tolerance of posed matrices and meshes: single-precision products along chains of some dozens of joints.
const POSE_TOLERANCE: f64 = 2e-6;

/// The oracle's files and the assets that they describe.
fn characters() -> Vec<(PathBuf, Value)> {
    let mut characters = Vec::new();
    for oracle in ::corpus::files("oracle") {
        let oracle: Value = serde_json::from_slice(&fs::read(oracle).unwrap()).unwrap();
        let Some(file) = oracle["survey"]["file"].as_str() else { continue };
        characters.push((::corpus::character(file), oracle));
    }
    characters
}

/// No file of the corpus has several characters, though `RecursiveSkeletons.glb` has four groups of joints, and `gdbot.glb` has
/// trees of targets beside its skeleton.
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn every_file_is_one_character() {
    let characters = ::corpus::characters();
    assert!(characters.len() >= 45, "only {} characters found", characters.len());
    for path in characters {
        let model = import_file(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(model.characters, [], "{}", path.display());
    }
}

fn each_character(mut check: impl FnMut(&Path, &SkinnedModel, &Value)) {
    let characters = characters();
    assert!(characters.len() >= 45, "only {} characters found", characters.len());
    for (asset, oracle) in characters {
        let model = import_file(&asset).unwrap_or_else(|error| panic!("{}: {error}", asset.display()));
        check(&asset, &model, &oracle);
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn vector(value: &Value) -> DVec3 {
    DVec3::new(number(&value[0]), number(&value[1]), number(&value[2]))
}

/// The oracle's rule: the slot with the largest weight, the first such slot in a tie, and `None` if there are no
/// weights. Also returns whether different joints were tied.
fn dominant(mesh: &SkinnedMesh, vertex: usize) -> (Option<usize>, bool) {
    let (slots, weights) = mesh.influences.of(vertex);
    let largest = weights.iter().copied().fold(0.0f32, f32::max);
    let mut best = (0..slots.len()).filter(|&k| weights[k] == largest && largest > 0.0).map(|k| usize::from(slots[k]));
    let first = best.next();
    (first, best.any(|slot| Some(slot) != first))
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn counts_agree_with_the_oracle() {
    each_character(|asset, model, oracle| {
        let name = asset.display();
        let survey = &oracle["survey"];
        let count = |key: &str| survey[key].as_u64().unwrap() as usize;
        let vertices: usize = model.meshes.iter().map(|mesh| mesh.positions.len()).sum();
        let triangles: usize = model.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        let dominants: Vec<_> =
            model.meshes.iter().flat_map(|mesh| (0..mesh.positions.len()).map(|v| dominant(mesh, v))).collect();
        let ties = dominants.iter().filter(|(_, tie)| *tie).count();
        let unassigned = dominants.iter().filter(|(slot, _)| slot.is_none()).count();
        let skinned = model.skeleton.joints().iter().filter(|joint| joint.skinned).count();
        let found = [vertices, triangles, skinned, ties, unassigned];
        let keys = ["vertices", "triangles", "joint_nodes", "tie_vertices", "unassigned_vertices"];
        assert_eq!(found, keys.map(count), "{name}: {keys:?}");
        let sets = model.meshes.iter().map(|mesh| mesh.influences.per_vertex / 4).max().unwrap();
        assert_eq!(sets, count("weight_sets"), "{name}: weight sets");
        let reported = model.warnings.iter().any(|warning| warning.code == "unassigned-vertices");
        assert_eq!(reported, unassigned > 0, "{name}: unassigned vertices are reported");
    });
}

/// The warnings of real files, and the numbers of parts that the importer reads.
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn summaries_of_real_characters() {
    let mut summaries = String::new();
    each_character(|asset, model, _| {
        let (name, bones) = (asset.file_name().unwrap().display(), model.skeleton.len());
        let counts = [model.meshes.len(), model.attachments.len(), model.clips.len()];
        let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
        model.warnings.iter().for_each(|warning| *codes.entry(warning.code).or_default() += 1);
        let [meshes, attachments, clips] = counts;
        writeln!(summaries, "{name}: {bones} joints, {meshes} meshes, {attachments} attachments, {clips} clips")
            .unwrap();
        codes.iter().for_each(|(code, count)| writeln!(summaries, "    {count} x {code}").unwrap());
    });
    if !summaries.is_empty() {
        insta::assert_snapshot!(summaries);
    }
}

/// Per slot of a skin: the number of vertices for which it has the largest weight, and their box in joint space.
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn dominant_vertices_and_their_boxes_agree_with_the_oracle() {
    each_character(|asset, model, oracle| {
        let name = asset.display();
        let document = files::json(asset);
        for (index, skin) in oracle["skins"].as_array().unwrap().iter().enumerate() {
            let expected = skin["joints"].as_array().unwrap();
            let mut found = vec![(0, DVec3::INFINITY, DVec3::NEG_INFINITY); expected.len()];
            let bound = |mesh: &&SkinnedMesh| document["nodes"][mesh.node.0 as usize]["skin"] == index;
            model.meshes.iter().filter(bound).for_each(|mesh| add_dominant(mesh, &mut found));
            for (slot, (joint, (count, min, max))) in expected.iter().zip(&found).enumerate() {
                assert_eq!(joint["n"].as_u64().unwrap(), *count, "{name}: skin {index}, slot {slot}");
                if *count > 0 {
                    let (low, high) = (vector(&joint["aabb"][0]), vector(&joint["aabb"][1]));
                    let size = low.abs().max(high.abs()).max_element();
                    let error = (low - *min).abs().max((high - *max).abs()).max_element();
                    assert!(error <= BOX_TOLERANCE * size, "{name}: skin {index}, slot {slot}: {error:e} of {size}");
                }
            }
        }
    });
}

fn add_dominant(mesh: &SkinnedMesh, found: &mut [(u64, DVec3, DVec3)]) {
    let slots: Vec<Option<usize>> = (0..mesh.positions.len()).map(|vertex| dominant(mesh, vertex).0).collect();
    for (slot, (count, min, max)) in found.iter_mut().enumerate() {
        let points = joint_points(mesh, slot).into_iter().zip(&slots);
        for (point, _) in points.filter(|&(_, &dominant)| dominant == Some(slot)) {
            (*count, *min, *max) = (*count + 1, min.min(point), max.max(point));
        }
    }
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn clips_agree_with_the_oracle() {
    each_character(|asset, model, oracle| {
        let name = asset.display();
        let expected = oracle["clips"].as_array().unwrap();
        assert_eq!(model.clips.len(), expected.len(), "{name}: clips");
        for (clip, expected) in model.clips.iter().zip(expected) {
            let file_name = expected["name"].as_str().unwrap_or_default();
            assert!(file_name.is_empty() || clip.name.starts_with(file_name), "{name}: {} {file_name}", clip.name);
            clip.validate(&model.skeleton).unwrap();
            let (start, end) = (number(&expected["t0"]), number(&expected["dur"]));
            let errors = [f64::from(clip.start()) - start, f64::from(clip.end()) - end];
            assert!(errors.iter().all(|error| error.abs() <= 1e-6 * end.max(1.0)), "{name}, {}", clip.name);
        }
    });
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn posed_joints_and_meshes_agree_with_the_oracle() {
    let mut worst: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    each_character(|asset, model, oracle| {
        let name = asset.display();
        for pose in oracle["poses"].as_array().into_iter().flatten() {
            let matrices = pose_at(model, pose["clip"].as_u64(), number(&pose["t"]) as f32);
            let (low, high) = (vector(&pose["mesh_aabb"][0]), vector(&pose["mesh_aabb"][1]));
            let size = low.abs().max(high.abs()).max_element();
            let errors =
                [matrix_error(model, &matrices, &pose["m"], size), mesh_error(model, &matrices, low, high) / size];
            let worst = worst.entry(name.to_string()).or_default();
            *worst = [worst[0].max(errors[0]), worst[1].max(errors[1])];
        }
    });
    for (name, errors) in worst {
        println!("{name}: joints {:e}, mesh {:e}", errors[0], errors[1]);
        assert!(errors[0].max(errors[1]) <= POSE_TOLERANCE, "{name}: {errors:?}");
    }
}

fn pose_at(model: &SkinnedModel, clip: Option<u64>, seconds: f32) -> Vec<Affine3A> {
    let mut local = model.skeleton.rest_pose();
    if let Some(clip) = clip {
        model.clips[clip as usize].sample(seconds, &mut local);
    }
    let mut matrices = vec![Affine3A::IDENTITY; local.len()];
    model.skeleton.model_from_joints(&local, &mut matrices);
    matrices
}

/// The largest difference of matrix elements: for the linear part relative to its largest element, for the translation
/// relative to the mesh's size.
fn matrix_error(model: &SkinnedModel, matrices: &[Affine3A], expected: &Value, size: f64) -> f64 {
    let mut worst: f64 = 0.0;
    for (joint, matrix) in model.skeleton.joints().iter().zip(matrices) {
        let Some(rows) = expected[joint.node.0.to_string()].as_array() else { continue };
        let columns = matrix.to_cols_array();
        let linear = (0..12).filter(|i| i % 4 < 3).map(|i| number(&rows[i]).abs()).fold(0.0, f64::max);
        for (i, element) in rows.iter().enumerate() {
            let error = (number(element) - f64::from(columns[i / 4 + i % 4 * 3])).abs();
            worst = worst.max(error / if i % 4 == 3 { size.max(number(element).abs()) } else { linear.max(1e-30) });
        }
    }
    worst
}

fn mesh_error(model: &SkinnedModel, matrices: &[Affine3A], low: DVec3, high: DVec3) -> f64 {
    let points = model.meshes.iter().flat_map(|mesh| skin_positions(mesh, matrices)).flatten();
    let bounds = points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), point| (a.min(point), b.max(point)));
    (bounds.0 - low).abs().max((bounds.1 - high).abs()).max_element()
}
