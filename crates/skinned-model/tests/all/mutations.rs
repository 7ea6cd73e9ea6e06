//! Damaged files cause no panic, no invalid model and no long run.
use skinned_model::fuzz;
use std::time::{Duration, Instant};
use test_models::{Component, Gltf, Random, box_limb, box_man, mutated};

/// A character that uses many features of glTF: two sets of quantized influences, sparse positions, a spline, a helmet.
fn many_features() -> Gltf {
    let mut gltf = box_limb().to_gltf();
    let vertices = box_limb().positions.len();
    let numbers = |width: usize, value: f64| vec![value; vertices * width];
    let joints = gltf.accessor("VEC4", Component::U8, false, &numbers(4, 1.0));
    let weights = gltf.accessor("VEC4", Component::U16, true, &numbers(4, 8000.0));
    let quantized = gltf.accessor("VEC3", Component::I16, true, &numbers(3, 123.0));
    let (indices, values) = (gltf.view(&[1, 3, 5]), gltf.view(&[7; 18]));
    gltf.json["accessors"][quantized]["sparse"] = serde_json::json!({ "count": 3,
        "indices": { "bufferView": indices, "componentType": 5121 }, "values": { "bufferView": values } });
    let attributes = &mut gltf.json["meshes"][0]["primitives"][0]["attributes"];
    (attributes["JOINTS_1"], attributes["WEIGHTS_1"]) = (joints.into(), weights.into());
    attributes["POSITION"] = quantized.into();
    let helmet = gltf.floats("VEC3", [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
    let strip = serde_json::json!({ "attributes": { "POSITION": helmet }, "mode": 5 });
    let mesh = gltf.push("meshes", serde_json::json!({ "primitives": [strip] }));
    let node = gltf.push("nodes", serde_json::json!({ "name": "helmet", "mesh": mesh, "scale": [1, 2, 3] }));
    gltf.json["nodes"][1]["children"] = serde_json::json!([node]);
    let input = gltf.floats("SCALAR", [0.5, 1.5]);
    let output = gltf.accessor("VEC4", Component::I8, true, &[3.0; 24]);
    let sampler = serde_json::json!({ "input": input, "output": output, "interpolation": "CUBICSPLINE" });
    let channel = serde_json::json!({ "sampler": 0, "target": { "node": 0, "path": "rotation" } });
    gltf.push("animations", serde_json::json!({ "samplers": [sampler], "channels": [channel] }));
    gltf
}

/// The number of files of each kind. For a long run: `BONEBOX_MUTATIONS=10000000 cargo test --release -p
/// bonebox-skinned-model --test all mutations`.
pub(crate) fn rounds(default: usize) -> usize {
    std::env::var("BONEBOX_MUTATIONS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(default)
}

/// Imports `rounds` files that are mutations of the seeds in turn, and counts the accepted files.
pub(crate) fn mutate_all(seeds: &[Vec<u8>], rounds: usize) -> usize {
    /// A longer time is an error. It is far above the milliseconds that an import takes even on a busy machine, and far
    /// below the time of unbounded work.
    const LONGEST: Duration = Duration::from_secs(10);
    let (mut random, mut accepted) = (Random::new(2026), 0);
    for seed in seeds.iter().cycle().take(rounds) {
        let file = mutated(seed, &mut random);
        let start = Instant::now();
        accepted += usize::from(fuzz::file(&file));
        assert!(start.elapsed() < LONGEST, "{:?} for {} bytes", start.elapsed(), file.len());
    }
    println!("{accepted} of {rounds} accepted");
    accepted
}

#[test]
fn mutations_of_made_up_characters_are_read_or_refused() {
    let features = many_features();
    fuzz::file(&features.to_glb());
    assert!(skinned_model::import(&features.to_glb(), &skinned_model::NoExternalFiles).is_ok());
    let seeds = [features.to_glb(), features.to_embedded().into_bytes(), box_man().to_glb(), box_limb().to_glb()];
    let rounds = rounds(8000);
    let accepted = mutate_all(&seeds, rounds);
    // Both results must be frequent, otherwise the mutations test little.
    assert!(accepted > rounds / 10 && accepted < rounds / 2, "{accepted} of {rounds} accepted");
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = many_features().to_glb();
    for length in 0..bytes.len() {
        skinned_model::import(&bytes[..length], &skinned_model::NoExternalFiles).unwrap_err();
    }
}
