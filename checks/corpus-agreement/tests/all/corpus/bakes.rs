//! Bakes every file of the corpus, with the expected result for each.

use asset_bake::{AssetResult, BakeOutcome, BakeRequest, RequestedSettings, bake_assets};
use baked_format::{BakedCharacter, Hitbox};
use bone_fit::BakeOptions;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn bake(paths: Vec<PathBuf>, out_dir: &Path, options: BakeOptions) -> Vec<AssetResult> {
    let request = BakeRequest {
        paths,
        out_dir: Some(out_dir.to_owned()),
        settings: RequestedSettings::from(&options),
        ..BakeRequest::default()
    };
    bake_assets(&request, &()).unwrap().results
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn every_asset_bakes_loads_and_passes_its_checks() {
    let folder = tempfile::tempdir().unwrap();
    let assets = ::corpus::characters();
    assert!(assets.len() > 50, "{}", assets.len());
    for row in bake(assets, folder.path(), BakeOptions::default()) {
        let name = row.target.path.file_stem().unwrap().to_string_lossy().into_owned();
        let BakeOutcome::Baked(fresh) = row.outcome else { panic!("{name}: {:?}", row.outcome) };
        let bytes = fs::read(folder.path().join(format!("{name}.bonebox"))).unwrap();
        let character = baked_format::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(character == *fresh, "{name}");
        assert!(!character.boxes.is_empty(), "{name}");
        let json = fs::read(folder.path().join(format!("{name}.bonebox.json"))).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(json["boxes"].as_array().unwrap().len(), character.boxes.len(), "{name}");
    }
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn malformed_files_give_the_expected_result() {
    let expect: serde_json::Value =
        serde_json::from_slice(&fs::read(::corpus::folder().join("malformed/expect.json")).unwrap()).unwrap();
    for file in expect["files"].as_array().unwrap() {
        let (name, expected) = (file["file"].as_str().unwrap(), file["expect"].as_str().unwrap());
        let folder = tempfile::tempdir().unwrap();
        let path = ::corpus::folder().join("malformed").join(name);
        let rows = bake(vec![path], folder.path(), BakeOptions::default());
        let outputs = fs::read_dir(folder.path()).unwrap().count();
        let allowed: Vec<&str> = expected.split("-or-").collect();
        match &rows[0].outcome {
            BakeOutcome::Baked(character) => {
                let warned = !character.warnings.is_empty();
                let right = allowed.contains(&"ok") || allowed.contains(&"warn") && warned;
                assert!(right, "{name} baked with {} warnings, expected {expected}", character.warnings.len());
                assert_eq!(outputs, 2, "{name}");
                character.validate().unwrap_or_else(|error| panic!("{name}: {error}"));
            }
            BakeOutcome::Failed(error) => {
                let text = error.with_causes();
                let no_skin = text.contains("no skin in this file");
                let right = allowed.contains(&"error") || allowed.contains(&"no-skin") && no_skin;
                assert!(right, "{name} failed with {text:?}, expected {expected}");
                assert_eq!(outputs, 0, "{name} left an output behind");
            }
            BakeOutcome::Stored(_) | BakeOutcome::Unchanged(_) | BakeOutcome::Refused(..) => {
                unreachable!("{name} was never baked before, without limits")
            }
        }
    }
}

/// The boxes by joint name, because variants have their joints in another order.
fn by_name(character: &BakedCharacter) -> BTreeMap<String, &Hitbox> {
    character.boxes.iter().map(|baked| (character.skeleton.joint(baked.joint).name.clone(), baked)).collect()
}

fn character(rows: &[AssetResult], stem: &str) -> BakedCharacter {
    let row = rows.iter().find(|row| row.target.path.file_stem().is_some_and(|found| found == stem)).unwrap();
    let BakeOutcome::Baked(character) = &row.outcome else { panic!("{stem}: {:?}", row.outcome) };
    character.as_ref().clone()
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn variants_give_the_boxes_of_their_base() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = BakeOptions::default();
    // A least thickness depends on the height at rest, which the scale of a wrapper node changes.
    options.set("min_thickness", "0").unwrap();
    options.set("measure", "none").unwrap();
    let rows = bake(::corpus::characters(), folder.path(), options);
    let fox = character(&rows, "Fox");
    for variant in [
        "Fox_two_sets",
        "Fox_sparse",
        "Fox_unnormalised",
        "Fox_separate",
        "Fox_meshnode_transform",
        "Fox_permuted_joints",
        "Fox_wrapped",
        "Fox_cubicspline",
        "Fox_step",
        "Fox_mirrored",
        "Fox_nonuniform",
        "Fox_scaled_moved",
    ] {
        let (variant_boxes, base) = (character(&rows, variant), by_name(&fox));
        let boxes = by_name(&variant_boxes);
        assert_eq!(boxes.keys().collect::<Vec<_>>(), base.keys().collect::<Vec<_>>(), "{variant}");
        for (name, found) in boxes {
            let expected = Hitbox { joint: found.joint, ..base[&name].clone() };
            assert_eq!(*found, expected, "{variant}: {name}");
        }
    }
    // These variants have other numbers of vertices and other orders of sums, so their boxes are equal up to rounding.
    for variant in ["Fox_welded", "Fox_split_two_skins"] {
        assert_close(&fox, &character(&rows, variant), 1e-5);
    }
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn quantized_and_compressed_variants_give_the_bounds_of_their_base() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = BakeOptions::default();
    // Boxes along the joints' axes, because principal axes are arbitrary if two variances are almost equal.
    options.set("fit", "joint-axes").unwrap();
    options.set("min_thickness", "0").unwrap();
    options.set("measure", "none").unwrap();
    let rows = bake(::corpus::characters(), folder.path(), options);
    for (base, variant, tolerance) in [
        ("Fox", "Fox_u16_interleaved", 0.0),
        ("RobotExpressive", "RobotExpressive_quantized", 2e-4),
        // This file was compressed after quantization, which lets two tail joints exchange roles at equal weights.
        ("Fox_quantized", "Fox_meshopt", 0.0),
        ("Fox", "Fox_draco", 5e-4),
    ] {
        assert_close(&character(&rows, base), &character(&rows, variant), tolerance);
    }
}

/// Asserts that the same joints have boxes, and that half extents differ at most by a share of the character's largest
/// half extent, because quantization steps are a share of the whole mesh.
fn assert_close(base: &BakedCharacter, variant: &BakedCharacter, tolerance: f32) {
    let (expected, found) = (by_name(base), by_name(variant));
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{}", variant.name);
    let largest = base.boxes.iter().map(|baked| baked.half_extents.max_element()).fold(0.0, f32::max);
    for (name, found) in found {
        let (found, expected) = (sorted(found.half_extents), sorted(expected[&name].half_extents));
        let close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= tolerance * largest);
        assert!(close, "{}: {name} has half extents {found:?}, expected {expected:?}", variant.name);
    }
}

/// The three half extents, largest first.
fn sorted(half_extents: glam::Vec3) -> [f32; 3] {
    let mut list = half_extents.to_array();
    list.sort_by(|a, b| b.total_cmp(a));
    list
}
