//! Runs the bodies of the fuzz targets without a fuzzer, over the seeds in fuzz/seeds and over mutations of them.
//!
//! `BONEBOX_SEEDS=write cargo test -p corpus-agreement --test all fuzz_seeds` writes the seeds again.
//! `BONEBOX_MUTATIONS=1000000` makes the run longer.

use baked_format::Source;
use bone_fit::BakeOptions;
use skinned_model::NoExternalFiles;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use test_models::{Fbx, FbxShape, Random, box_limb, box_man, mutated, painted_limb};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

type Seeds = BTreeMap<String, Vec<u8>>;

fn named(seeds: impl IntoIterator<Item = (impl Into<String>, Vec<u8>)>) -> Seeds {
    seeds.into_iter().map(|(name, bytes)| (name.into(), bytes)).collect()
}

fn gltf_seeds() -> Seeds {
    let [limb, man] = [box_limb(), box_man()];
    named([
        ("limb.glb", limb.to_glb()),
        ("limb.gltf", limb.to_gltf().to_embedded().into_bytes()),
        ("man.glb", man.to_glb()),
        ("separate.gltf", limb.to_gltf().to_separate("limb.bin").into_bytes()),
    ])
}

/// Both forms of a file with all that the writer knows, and two smaller ones.
fn fbx_seeds() -> Seeds {
    let (centimeters, blender) = (
        Fbx { unit: 1.0, ..Fbx::default() },
        Fbx { unit: 1.0, scale: 100.0, is_z_up: true, has_quads: true, ..Fbx::default() },
    );
    let all = Fbx {
        unit: 2.54,
        is_z_up: true,
        turned: vec![(1, [10.0, 20.0, 30.0])],
        mirrored: Some(2),
        inherits: vec![(1, 2)],
        scaled: vec![(0, vec![(0.0, [1.0, 2.0, 3.0]), (1.0, [1.0; 3])])],
        shape: Some(FbxShape {
            name: "fist".to_owned(),
            offsets: vec![[0.1, 0.0, 0.0], [0.0, 0.2, 0.0]],
            between: vec![(0.5, vec![[0.0, 0.0, 0.3]])],
            keys: vec![(0.0, 0.0), (1.0, 1.0)],
        }),
        meshes: 2,
        sockets: vec![("sword", 1, [0.1, 0.2, 0.3])],
        ..Fbx::default()
    };
    named([
        ("man.fbx", centimeters.binary(&box_man())),
        ("limb_text.fbx", blender.text(&box_limb()).into_bytes()),
        ("painted.fbx", all.binary(&painted_limb())),
        ("painted_text.fbx", all.text(&painted_limb()).into_bytes()),
    ])
}

fn baked_seeds() -> Seeds {
    let golden = [
        "nobody",
        "scout",
        "crowd",
        "bender",
        "shapes",
        "hulls",
        "tailor",
        "compact-tailor",
        "painter",
        "compact-painter",
        "dancer",
        "mime",
        "compact-mime",
        "faller",
    ]
    .map(|name| {
        let file = format!("{name}.bonebox");
        let bytes = fs::read(root().join("assets/golden/v1").join(&file)).unwrap();
        (file, bytes)
    });
    named(golden)
}

fn payload_seeds() -> Seeds {
    let payload = |(name, file): (String, Vec<u8>)| (name, baked_format::fuzz::payload_of(&file).to_vec());
    baked_seeds().into_iter().map(payload).collect()
}

/// A cube, a flat square, a line, copies of a point, and a cloud, each in every encoding that the body reads.
fn hull_seeds() -> Seeds {
    let cube = (0..8_u8).flat_map(|corner| [corner & 1, corner >> 1 & 1, corner >> 2 & 1].map(|bit| 2 + 4 * bit));
    let square = [[2, 2, 4], [6, 2, 4], [2, 6, 4], [6, 6, 4], [4, 4, 4]].concat();
    let line = (0..8).flat_map(|step| [step, step, step]);
    let mut random = Random::new(6);
    let cloud = (0..180).map(|_| random.next_u64() as u8);
    let points = [
        ("cube", cube.collect()),
        ("square", square),
        ("line", line.collect()),
        ("copies", vec![3; 24]),
        ("cloud", cloud.collect::<Vec<u8>>()),
    ];
    let of_kind = |kind: u8| points.clone().map(|(name, rest)| (format!("{name}-{kind}"), [vec![kind], rest].concat()));
    named((1..8).flat_map(of_kind))
}

/// Equal boxes, touching neighbors, corner at corner, edge across edge, and distant boxes, each in every encoding.
fn obb_seeds() -> Seeds {
    let one = |center: [u8; 3], half: [u8; 3], turn: [u8; 5]| [&center[..], &half, &turn].concat();
    let (straight, leaning, turned) = ([1, 0, 0, 0, 16], [1, 32, 16, 48, 64], [0, 0, 0, 16, 16]);
    let base = one([0, 0, 0], [32, 32, 32], straight);
    let others = [
        ("equal", base.clone()),
        ("face", one([64, 0, 0], [32, 32, 32], straight)),
        ("corner", one([64, 64, 64], [32, 32, 32], straight)),
        ("edge", one([64, 16, 0], [16, 32, 48], turned)),
        ("leaning", one([48, 48, 0], [32, 16, 96], leaning)),
        ("apart", one([120, 0, 120], [16, 16, 16], leaning)),
        ("point", one([32, 32, 32], [0, 0, 0], straight)),
    ];
    let of_kind = |kind: u8| {
        let base = base.clone();
        others.clone().map(move |(name, other)| (format!("{name}-{kind}"), [&[kind], &base[..], &other[..]].concat()))
    };
    named((0..6).flat_map(of_kind))
}

/// The documented example, a first file, imported boxes, and a file with many kinds of mistakes.
fn settings_seeds() -> Seeds {
    let read = |path: &str| fs::read(root().join("crates/bake-settings").join(path)).unwrap();
    let joints = ["Hips", "LeftHand", "LeftHandIndex1", "tail.01"].map(str::to_owned).to_vec();
    let character = bake_settings::Character { name: "a b".into(), joints, surfaces: Vec::new() };
    let first = bake_settings::init(
        &[bake_settings::NewCharacter { character, is_humanoid: false, part_tags: Vec::new() }],
        "./x.json",
    );
    let uncommented: Vec<&str> = first.lines().map(|line| line.strip_prefix("# ").unwrap_or(line)).collect();
    let wrong =
        "fit = 'pac'\nkeep = 1_0e-3\n[joints.\"a\\u00e9\"]\nboxes = [{ center = [0x1, +.5, inf] }]\n[[characters]]\n";
    named([
        ("example.toml", read("example.toml")),
        ("first.toml", first.clone().into_bytes()),
        ("uncommented.toml", uncommented.join("\n").into_bytes()),
        ("wrong.toml", wrong.as_bytes().to_vec()),
    ])
}

/// A recording with most of the grammar, the same text with other line ends, and a clip of ours.
fn bvh_seeds() -> Seeds {
    let small = "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation \
        Yrotation\n\tJOINT Left Arm\n\t{\n\t\tOFFSET 10 20.5 -3e-1\n\t\tCHANNELS 3 Yrotation Zrotation Xrotation\n\
        \t\tEnd Site\n\t\t{\n\t\t\tOFFSET 5 0 0\n\t\t}\n\t}\n\tJOINT Head { OFFSET 0 30 0 }\n}\nMOTION\nFrames: 2\n\
        Frame Time: 0.033333\n1 2 3 10 20 30 40 50 60\n-1 -2 -3 0 90 0 90 0 0\n";
    let runa = runa();
    let jab = runa.clips.iter().find(|clip| clip.name == "jab").unwrap();
    let jab = mocap::bvh::Motion::sample(&runa.skeleton, jab, 4.0).unwrap();
    named([
        ("small.bvh", small.as_bytes().to_vec()),
        ("small_crlf.bvh", small.replace('\n', "\r\n").into_bytes()),
        ("jab.bvh", jab.to_text().into_bytes()),
    ])
}

fn runa() -> baked_format::BakedCharacter {
    baked_format::read(&fs::read(root().join("assets/runa.bonebox")).unwrap()).unwrap()
}

/// Packets of a performer, each with its length before it: split for Ethernet, and in one piece.
fn vmc_seeds() -> Seeds {
    use mocap::vmc::{Performer, PerformerSettings};
    use mocap::{HumanPose, Humanoid, ReferencePose, Rig};
    let runa = runa();
    let humanoid = Humanoid::guess(&runa.skeleton).unwrap();
    let mut rig = Rig::new(&runa.skeleton, &humanoid, ReferencePose::TPose).unwrap();
    let mut pose = HumanPose::T_POSE;
    rig.human_pose_from_local(&runa.skeleton.rest_pose(), &mut pose);
    let performed = |packet_bytes| {
        let mut performer = Performer::new(PerformerSettings { packet_bytes }, &rig);
        let framed = |packet: &[u8]| [&(packet.len() as u16).to_be_bytes()[..], packet].concat();
        let packets: Vec<Vec<u8>> = performer.packets(&pose, 1.5).map(framed).collect();
        packets
    };
    let one = performed(300).swap_remove(0);
    named([("one", one), ("small", performed(300).concat()), ("usual", performed(1_400).concat())])
}

/// Compares the seeds with the code that makes them, and runs the body over the seeds and over mutations of them.
fn run(target: &str, seeds: &Seeds, rounds: usize, body: impl Fn(&[u8])) {
    let folder = root().join("fuzz/seeds").join(target);
    if std::env::var_os("BONEBOX_SEEDS").is_some() {
        fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in seeds {
            fs::write(folder.join(name), bytes).unwrap();
        }
    }
    let mut names: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert!(names.iter().eq(seeds.keys()), "fuzz/seeds/{target} contains {names:?}");
    for (name, bytes) in seeds {
        assert!(
            &fs::read(folder.join(name)).unwrap() == bytes,
            "fuzz/seeds/{target}/{name} differs from the code that makes it"
        );
        body(bytes);
    }
    let rounds = std::env::var("BONEBOX_MUTATIONS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(rounds);
    let mut random = Random::new(2026);
    let (mut longest, mut longest_input, mut most) = (Duration::ZERO, Vec::new(), 0);
    for seed in seeds.values().cycle().take(rounds) {
        let input = mutated(seed, &mut random);
        let (mut time, bytes) = cost_of(|| body(&input));
        assert!(bytes <= (64 << 20) + 64 * input.len(), "{bytes} bytes allocated for {input:?}");
        most = most.max(bytes);
        if time > longest {
            // A busy machine may have delayed the call, so the smallest of a few times counts.
            time = (0..3).map(|_| cost_of(|| body(&input)).0).fold(time, Duration::min);
        }
        if time > longest {
            (longest, longest_input) = (time, input);
        }
    }
    let (bytes, kib) = (longest_input.len(), most.div_ceil(1024));
    println!(
        "{target}: {} seeds, {rounds} mutations, the slowest {longest:?} for {bytes} bytes, the largest {kib} KiB",
        seeds.len()
    );
    assert!(longest < Duration::from_secs(1), "{longest:?} for {longest_input:?}");
}

/// The time of some work, and the largest number of bytes that it allocated at the same time.
fn cost_of(work: impl FnOnce()) -> (Duration, usize) {
    let start = Instant::now();
    let ((), used) = allocation_counter::of(work);
    (start.elapsed(), used.peak)
}

#[test]
fn gltf() {
    run("gltf", &gltf_seeds(), 2_000, |bytes| {
        skinned_model::fuzz::file(bytes);
    });
}

#[test]
fn fbx() {
    let accepted = std::cell::Cell::new(0_u64);
    run("fbx", &fbx_seeds(), 2_000, |bytes| accepted.set(accepted.get() + u64::from(skinned_model::fuzz::fbx(bytes))));
    println!("fbx: {} accepted", accepted.get());
    assert!(accepted.get() > 100, "{}", accepted.get());
}

/// A damaged file may pass the import, for example with other positions, weights or times. Its bake has the same limits.
#[test]
fn bakes_of_damaged_files() {
    run("gltf", &gltf_seeds(), 400, |bytes| {
        let Ok(model) = skinned_model::import(bytes, &NoExternalFiles) else { return };
        for preset in ["recipe", "cover"] {
            let options = BakeOptions::from_entries([("preset", preset)]).unwrap();
            let source = Source { file: "damaged.glb".into(), blake3: [0; 32], generator: String::new() };
            let _ = bone_fit::bake(&model, "damaged", source, &options);
        }
    });
}

#[test]
fn baked_file() {
    run("baked_file", &baked_seeds(), 10_000, baked_format::fuzz::file);
}

#[test]
fn baked_payload() {
    run("baked_payload", &payload_seeds(), 5_000, baked_format::fuzz::payload);
}

#[test]
fn hull() {
    use hull::fuzz::build_and_validate;
    let seeds = hull_seeds();
    let solids = seeds.values().filter(|bytes| build_and_validate(bytes)).count();
    assert!(solids > 7 && solids < seeds.len() - 7, "{solids} solids");
    run("hull", &seeds, 5_000, |bytes| {
        build_and_validate(bytes);
    });
}

#[test]
fn obb_pair() {
    use geometry_core::fuzz::obb_pair;
    let seeds = obb_seeds();
    let count = |answer| seeds.values().filter(|bytes| obb_pair(bytes) == Some(answer)).count();
    assert!(count(true) > 10 && count(false) > 5, "{} overlap, {} do not", count(true), count(false));
    run("obb_pair", &seeds, 50_000, |bytes| {
        obb_pair(bytes);
    });
}

#[test]
fn settings() {
    use bake_settings::fuzz::file;
    assert!(file(&settings_seeds()["example.toml"]) && !file(&settings_seeds()["wrong.toml"]));
    let accepted = std::cell::Cell::new(0_u64);
    run("settings", &settings_seeds(), 10_000, |bytes| accepted.set(accepted.get() + u64::from(file(bytes))));
    println!("settings: {} accepted", accepted.get());
    assert!(accepted.get() > 100, "{}", accepted.get());
}

#[test]
fn bvh() {
    use mocap::fuzz::bvh;
    assert!(bvh_seeds().values().all(|text| bvh(text)));
    let accepted = std::cell::Cell::new(0_u64);
    run("bvh", &bvh_seeds(), 1_000, |bytes| accepted.set(accepted.get() + u64::from(bvh(bytes))));
    println!("bvh: {} accepted", accepted.get());
    assert!(accepted.get() > 10, "{}", accepted.get());
}

#[test]
fn vmc() {
    use mocap::fuzz::vmc;
    assert_eq!(vmc(&vmc_seeds()["one"]), 1);
    let used = std::cell::Cell::new(0_u64);
    run("vmc", &vmc_seeds(), 5_000, |bytes| used.set(used.get() + vmc(bytes)));
    println!("vmc: {} packets used", used.get());
    assert!(used.get() > 1_000, "{}", used.get());
}

#[test]
fn seeds_stay_small() {
    let mut bytes = 0;
    for target in fs::read_dir(root().join("fuzz/seeds")).unwrap() {
        let files = fs::read_dir(target.unwrap().path()).unwrap();
        bytes += files.map(|file| file.unwrap().metadata().unwrap().len()).sum::<u64>();
    }
    assert!(bytes < 300_000, "{bytes} bytes");
}
