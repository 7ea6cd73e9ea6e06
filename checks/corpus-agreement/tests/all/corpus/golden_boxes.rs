//! Compares bakes of real characters with the figures of an independent program: owners of vertices, hulls and boxes.

use asset_bake::Asset;
use baked_format::{BakedCharacter, Source};
use bone_fit::BakeOptions;
use corpus_agreement::oracle::{self, Golden};
use geometry_core::portable;
use glam::{DVec3, Mat3};
use rayon::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

fn bake(golden: &Golden, entries: &[(&str, &str)]) -> BakedCharacter {
    let asset = Asset::open(&golden.path).unwrap();
    let (model, blake3) = asset.import().unwrap_or_else(|error| panic!("{}: {error:#}", golden.name));
    let mut options = BakeOptions::default();
    // The oracle has skinned vertices only, and no least thickness.
    for (key, value) in [("attachments", "skip"), ("min_thickness", "0"), ("measure", "none")].iter().chain(entries) {
        options.set(key, value).unwrap();
    }
    let source = Source { file: asset.file.clone(), blake3, generator: "corpus-agreement".into() };
    bone_fit::bake(&model, &golden.name, source, &options)
        .unwrap_or_else(|error| panic!("{}: {error}", golden.name))
        .character
}

/// The oracle's figures for the node of a joint, over all skins.
#[derive(Default, Debug)]
struct Bone {
    vertices: u64,
    min: Option<DVec3>,
    max: Option<DVec3>,
    /// The figures of the only skin with vertices for this joint, or of the merged joint.
    figures: Option<Value>,
}

fn bones(oracle: &Value) -> BTreeMap<u64, Bone> {
    let mut bones: BTreeMap<u64, Bone> = BTreeMap::new();
    let merged = oracle["bones_merged"].as_bool() == Some(true);
    let list: Vec<&Value> = if merged {
        oracle["bones"].as_array().unwrap().iter().collect()
    } else {
        oracle["skins"].as_array().unwrap().iter().flat_map(|skin| skin["joints"].as_array().unwrap()).collect()
    };
    for figures in list.into_iter().filter(|joint| joint["n"] != 0) {
        let bone = bones.entry(figures["node"].as_u64().unwrap()).or_default();
        let [low, high] = [oracle::vector(&figures["aabb"][0]), oracle::vector(&figures["aabb"][1])];
        bone.figures = (bone.vertices == 0).then(|| figures.clone());
        bone.vertices += figures["n"].as_u64().unwrap();
        bone.min = Some(bone.min.map_or(low, |min| min.min(low)));
        bone.max = Some(bone.max.map_or(high, |max| max.max(high)));
    }
    bones
}

fn by_node(character: &BakedCharacter) -> BTreeMap<u64, &baked_format::Hitbox> {
    let node = |joint| u64::from(character.skeleton.joint(joint).node.0);
    character.boxes.iter().map(|baked| (node(baked.joint), baked)).collect()
}

/// The largest distance of the importer's f32 positions from the oracle's f64 positions, in joint space: 0 for
/// positions stored as floats, and one rounding to f32 for normalized integers.
fn position_error(golden: &Golden) -> f64 {
    let integers = golden.oracle["survey"]["position_types"].as_array().unwrap().iter().any(|kind| kind != "f32");
    if !integers {
        return 0.0;
    }
    let (model, _) = Asset::open(&golden.path).unwrap().import().unwrap();
    let scale = |matrix: &glam::Affine3A| {
        let m = matrix.matrix3;
        f64::from(m.x_axis.length().max(m.y_axis.length()).max(m.z_axis.length()))
    };
    let scales = model.meshes.iter().flat_map(|mesh| mesh.joint_from_mesh.iter().map(scale));
    scales.fold(0.0, f64::max) * f64::from(f32::EPSILON)
}

/// The bounds of the box in joint space, along the joint's axes. They are exact for `fit = joint-axes`.
fn bounds(baked: &baked_format::Hitbox) -> (DVec3, DVec3) {
    let axes = portable::mat3_from_quaternion(baked.orientation);
    let reach = Mat3::from_cols(axes.x_axis.abs(), axes.y_axis.abs(), axes.z_axis.abs()) * baked.half_extents;
    ((baked.center - reach).as_dvec3(), (baked.center + reach).as_dvec3())
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn vertices_bounds_and_hulls_equal_the_oracle() {
    oracle::golden().par_iter().for_each(|golden| {
        let character = bake(golden, &[("fit", "joint-axes")]);
        let (bones, boxes) = (bones(&golden.oracle), by_node(&character));
        assert_eq!(boxes.keys().collect::<Vec<_>>(), bones.keys().collect::<Vec<_>>(), "{}", golden.name);
        for (node, bone) in &bones {
            let (name, baked) = (format!("{} node {node}", golden.name), boxes[node]);
            assert_eq!(u64::from(baked.vertices), bone.vertices, "{name}");
            let ((low, high), (min, max)) = (bounds(baked), (bone.min.unwrap(), bone.max.unwrap()));
            // The oracle has seven digits, and a bake rounds outward to f32.
            let tolerance = 2e-6 * min.abs().max(max.abs()).max_element() + 1e-30;
            assert!(
                low.abs_diff_eq(min, tolerance) && high.abs_diff_eq(max, tolerance),
                "{name}: {low}..{high}, {bone:?}"
            );
            let Some(figures) = &bone.figures else { continue };
            let (volume, expected) = (f64::from(baked.hull_volume), figures["hull_vol"].as_f64().unwrap_or(0.0));
            let size = max - min;
            let area = 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
            let slack = match figures["rank"].as_u64() {
                Some(3) => 1e-5 * expected + area * position_error(golden),
                // A flat group has no volume, so the rounding error is compared with its bounds.
                _ => 1e-5 * size.max_element().powi(3),
            };
            assert!((volume - expected).abs() <= slack, "{name}: hull volume {volume}, expected {expected}");
        }
    });
}

/// The components in descending order, for axes in any order.
fn sorted(v: DVec3) -> [f64; 3] {
    let mut list = v.to_array();
    list.sort_by(|a, b| b.total_cmp(a));
    list
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn principal_axes_boxes_equal_the_oracle() {
    for (fit, kind) in [("pca", "apca"), ("vertex-pca", "pca")] {
        let compared: usize = oracle::golden()
            .par_iter()
            .map(|golden| {
                let character = bake(golden, &[("fit", fit)]);
                let boxes = by_node(&character);
                let mut compared = 0;
                for (node, bone) in bones(&golden.oracle) {
                    let Some(expected) = bone.figures.as_ref().and_then(|figures| figures.get(kind)) else { continue };
                    let variances = sorted(oracle::vector(&expected["eig"]));
                    // If two variances are equal the axes are arbitrary (the corpus' README sets the limit at 1e-3).
                    let apart = variances[0] - variances[1] > 2e-3 * variances[0]
                        && variances[1] - variances[2] > 2e-3 * variances[0].min(variances[1] * 10.0);
                    if !apart || bone.figures.as_ref().is_none_or(|figures| figures["rank"] != 3) {
                        continue;
                    }
                    let found = sorted(boxes[&node].half_extents.as_dvec3());
                    let wanted = sorted(oracle::vector(&expected["h"]));
                    for (found, wanted_extent) in found.iter().zip(wanted) {
                        let close = (found - wanted_extent).abs() <= 2e-4 * wanted[0];
                        assert!(close, "{} node {node} {fit}: {found:?}, expected {wanted:?}", golden.name);
                    }
                    compared += 1;
                }
                compared
            })
            .sum();
        println!("{fit}: {compared} boxes compared");
        assert!(compared > 300, "{fit}: only {compared} boxes could be compared");
    }
}
