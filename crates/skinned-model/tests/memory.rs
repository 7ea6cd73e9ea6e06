//! The memory of an import is at most 64 MiB plus 64 times the bytes of its input, even for files that are made to use
//! much memory.
#![allow(clippy::unwrap_used, reason = "made-up data that is known to be right")]

use serde_json::{Value, json};
use skinned_model::{NoExternalFiles, import};
use std::time::{Duration, Instant};
use test_models::{Component, Gltf, Random, box_limb, box_man, mutated};

/// The peak of allocated bytes during an import, minus the bytes that were allocated before.
fn peak(file: &[u8]) -> usize {
    allocation_counter::of(|| drop(std::hint::black_box(import(file, &NoExternalFiles)))).1.peak
}

/// `count` copies of a JSON object, as the text of a list.
fn list(object: &str, count: usize) -> String {
    format!("[{}]", vec![object; count].join(","))
}

/// The text of a .gltf file with these members.
fn document(members: &[(&str, String)]) -> Vec<u8> {
    let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{\"asset\":{{\"version\":\"2.0\"}},{}}}", members.join(",")).into_bytes()
}

/// A character of many vertices, which the tests extend.
fn large() -> Gltf {
    let mut man = box_man();
    for _ in 0..200 {
        man.add_box(0, [0.0; 3], [1.0; 3]);
    }
    man.to_gltf()
}

/// A large character with `count` copies of `object` in `list`.
fn large_with(list: &str, object: &Value, count: usize) -> Vec<u8> {
    let mut gltf = large();
    for _ in 0..count {
        gltf.push(list, object.clone());
    }
    gltf.to_glb()
}

/// Small files that need much memory: they share large data, state large counts, or contain many tiny objects.
fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let many = 100_000;
    let zeros = format!("[{}]", vec!["0"; 10 * many].join(","));
    let mut bombs = vec![
        ("nodes of three bytes", document(&[("nodes", list("{}", 10 * many))])),
        (
            "long lists of bounds",
            document(&[("accessors", format!(r#"[{{"componentType":5126,"count":1,"type":"VEC3","max":{zeros}}}]"#))]),
        ),
        (
            "extensions of zeros",
            document(&[("meshes", format!(r#"[{{"primitives":[],"extensions":{{"A":{zeros}}}}}]"#))]),
        ),
        ("meshes of one byte's use", document(&[("meshes", list(r#"{"primitives":[]}"#, many))])),
        (
            "primitives without anything",
            document(&[("meshes", format!(r#"[{{"primitives":{}}}]"#, list(r#"{"attributes":{}}"#, many)))]),
        ),
        (
            "joints named again and again",
            document(&[
                ("nodes", r#"[{"mesh":0,"skin":0}]"#.to_owned()),
                ("meshes", r#"[{"primitives":[]}]"#.to_owned()),
                ("skins", format!(r#"[{{"joints":{zeros}}}]"#)),
            ]),
        ),
        ("nodes that show a large character by other skins", large_with("nodes", &json!({ "mesh": 0, "skin": 0 }), 1)),
        ("attachments that share a large mesh", {
            let mut gltf = large();
            let first = gltf.json["nodes"].as_array().unwrap().len();
            for _ in 0..5000 {
                gltf.push("nodes", json!({ "mesh": 0 }));
            }
            gltf.json["nodes"][2]["children"] = json!((first..first + 5000).collect::<Vec<_>>());
            gltf.to_glb()
        }),
        ("primitives that share a large mesh", {
            let mut gltf = large();
            let primitive = gltf.json["meshes"][0]["primitives"][0].clone();
            gltf.json["meshes"][0]["primitives"] = json!(vec![primitive; 5000]);
            gltf.to_glb()
        }),
        ("skins that share a large mesh", {
            let mut gltf = large();
            let skin = gltf.json["skins"][0].clone();
            for index in 0..2000 {
                gltf.push("skins", skin.clone());
                gltf.push("nodes", json!({ "mesh": 0, "skin": index }));
            }
            gltf.to_glb()
        }),
        ("channels that share long keys", {
            let mut gltf = large();
            let input = gltf.floats("SCALAR", (0..50_000).map(|key| key as f32));
            let output = gltf.accessor("VEC3", Component::U8, true, &vec![0.0; 150_000]);
            let channel = json!({ "sampler": 0, "target": { "node": 0, "path": "scale" } });
            let animation = json!({ "samplers": [{ "input": input, "output": output }], "channels": [channel] });
            for _ in 0..5000 {
                gltf.push("animations", animation.clone());
            }
            gltf.to_glb()
        }),
        ("a chain of attachments", {
            let mut gltf = box_limb().to_gltf();
            let mesh = gltf.push("meshes", json!({ "primitives": [] }));
            let first = gltf.json["nodes"].as_array().unwrap().len();
            for i in 0..20_000 {
                gltf.push("nodes", json!({ "mesh": mesh, "children": [first + i + 1] }));
            }
            gltf.push("nodes", json!({}));
            gltf.json["nodes"][1]["children"] = json!([first]);
            gltf.to_glb()
        }),
        ("a joint with a long name in many warnings", {
            let mut gltf = box_limb().to_gltf();
            gltf.json["nodes"][0]["name"] = json!("n".repeat(500_000));
            let singular =
                gltf.floats("MAT4", [0., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.].repeat(2));
            for index in 0..500 {
                gltf.push("skins", json!({ "joints": [0, 1], "inverseBindMatrices": singular }));
                gltf.push("nodes", json!({ "mesh": 0, "skin": index + 1 }));
            }
            gltf.to_glb()
        }),
        ("a mesh with a long name under many skins", {
            let mut gltf = box_limb().to_gltf();
            gltf.json["meshes"][0]["name"] = json!("n".repeat(300_000));
            let skin = gltf.json["skins"][0].clone();
            for index in 0..2000 {
                gltf.push("skins", skin.clone());
                gltf.push("nodes", json!({ "mesh": 0, "skin": index }));
            }
            gltf.to_glb()
        }),
    ];
    for count in [100_000_000_u64, 2_000_000_000, u64::MAX] {
        let mut gltf = box_limb().to_gltf();
        let accessor = gltf.push("accessors", json!({ "componentType": 5126, "count": count, "type": "VEC3" }));
        gltf.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(accessor);
        bombs.push(("zeros out of nothing", gltf.to_glb()));
        let mut gltf = box_limb().to_gltf();
        let bytes = count.saturating_mul(64);
        gltf.json["buffers"] = json!([{ "byteLength": gltf.bin.len() }, { "byteLength": bytes,
            "extensions": { "EXT_meshopt_compression": { "fallback": true } } }]);
        let compression =
            json!({ "buffer": 0, "byteLength": 64, "byteStride": 64, "count": count, "mode": "ATTRIBUTES" });
        let view = gltf.push(
            "bufferViews",
            json!({ "buffer": 1, "byteLength": bytes, "byteStride": 64,
            "extensions": { "EXT_meshopt_compression": compression } }),
        );
        let positions = json!({ "bufferView": view, "componentType": 5126, "count": 16, "type": "VEC3" });
        let accessor = gltf.push("accessors", positions);
        gltf.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(accessor);
        bombs.push(("a compressed view of any size", gltf.to_glb()));
    }
    bombs
}

#[test]
fn memory_is_bounded_by_the_size_of_the_input() {
    for (what, file) in bombs() {
        let start = Instant::now();
        let most = peak(&file);
        let (mebibytes, time) = (most as f64 / f64::from(1 << 20), start.elapsed());
        println!("{what}: {mebibytes:.1} MiB for {:.2} MB, {time:?}", file.len() as f64 / 1e6);
        assert!(most <= (64 << 20) + 64 * file.len(), "{what}: {mebibytes:.1} MiB for {} bytes", file.len());
        assert!(time < Duration::from_secs(10), "{what}: {time:?}");
    }
    let mut random = Random::new(5);
    for seed in [box_man().to_glb(), box_limb().to_gltf().to_embedded().into_bytes()] {
        let honest = peak(&seed);
        assert!(honest < 24 * seed.len(), "{honest} bytes for an ordinary file of {} bytes", seed.len());
        for _ in 0..2000 {
            let file = mutated(&seed, &mut random);
            let most = peak(&file);
            assert!(most <= (64 << 20) + 64 * file.len(), "{most} bytes for a file of {} bytes", file.len());
        }
    }
}

mod corpus {
    use super::{Random, mutated, peak};

    #[test]
    #[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
    fn memory_is_bounded_for_damaged_compressed_files() {
        let mut random = Random::new(5);
        for name in ["Fox_draco.glb", "Fox_meshopt.glb"] {
            let seed = std::fs::read(::corpus::character(name)).unwrap();
            for _ in 0..200 {
                let file = mutated(&seed, &mut random);
                let most = peak(&file);
                assert!(most <= (64 << 20) + 64 * file.len(), "{most} bytes for a file of {} bytes", file.len());
            }
        }
    }
}
