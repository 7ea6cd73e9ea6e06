//! Golden pairs of an independent program: it posed and moved the boxes of two copies of a real character, and tested
//! which boxes overlap with a separating axis test in `f64`.
//!
//! The boxes come from the oracle's files. They are posed in `f64` by the joints' global matrices, rounded to `f32`,
//! and tested with [`Obb::overlaps`]. Pairs that the oracle lists as uncertain may give either answer. A joint whose
//! matrix shears has no posed box; the box around it may overlap more pairs, but not fewer.

use geometry_core::Obb;
use glam::{Affine3A, DMat3, DVec3, Mat3, Quat, Vec3};
use serde_json::Value;
use skinned_model::{NoExternalFiles, SkinnedModel};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

type Pair = (u64, u64);

/// `world_from_joint` of each joint node.
type Pose = BTreeMap<u64, (DMat3, DVec3)>;

/// An oracle file and its character.
struct Character {
    oracle: Value,
    model: SkinnedModel,
}

#[derive(Default)]
struct Tally {
    overlapping: u64,
    apart: u64,
    uncertain: u64,
    sheared: u64,
    sheared_extra: u64,
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn golden_pairs() {
    let mut total = Tally::default();
    let mut files = 0;
    for path in ::corpus::files("oracle") {
        let oracle = read_json(&path);
        let Some(tests) = oracle["pairs"].as_array().filter(|tests| !tests.is_empty()) else { continue };
        let file_of = |key: &str| oracle[key].as_str().or(oracle["survey"]["file"].as_str()).expect("a file name");
        let (a, b) = (character(file_of("a")), character(file_of("b")));
        let mut tally = Tally::default();
        for test in tests {
            for kind in ["pca", "min"] {
                check(&a, &b, test, kind, &mut tally, &path);
            }
        }
        println!(
            "{}: {} overlapping and {} apart as expected; {} uncertain; {} with a sheared joint, {} of them overlapping only as enclosing boxes",
            path.file_stem().expect("a name").to_string_lossy(),
            tally.overlapping,
            tally.apart,
            tally.uncertain,
            tally.sheared,
            tally.sheared_extra
        );
        total.overlapping += tally.overlapping;
        total.apart += tally.apart;
        total.uncertain += tally.uncertain;
        total.sheared += tally.sheared;
        total.sheared_extra += tally.sheared_extra;
        files += 1;
    }
    println!(
        "{files} files: {} overlapping, {} apart, {} uncertain, {} sheared ({} more overlaps)",
        total.overlapping, total.apart, total.uncertain, total.sheared, total.sheared_extra
    );
    assert!(files >= 19 && total.overlapping > 50_000, "the corpus has shrunk");
}

/// Compares all pairs of boxes of one pose of one character and one pose of another.
fn check(a: &Character, b: &Character, test: &Value, kind: &str, tally: &mut Tally, path: &Path) {
    let yaw = number(&test["yaw"]).to_radians();
    let (sin, cos) = (libm::sin(yaw), libm::cos(yaw));
    let turn = DMat3::from_cols(DVec3::new(cos, 0.0, -sin), DVec3::Y, DVec3::new(sin, 0.0, cos));
    let shift = DVec3::new(number(&test["dx"]), 0.0, 0.0);
    let boxes_a = posed(a, &test["a"], kind, &DMat3::IDENTITY, DVec3::ZERO);
    let boxes_b = posed(b, &test["b"], kind, &turn, shift);
    let expected = pairs(&test[kind]);
    let uncertain = pairs(&test[format!("{kind}_unc")]);
    for (&node_a, (box_a, sheared_a)) in &boxes_a {
        for (&node_b, (box_b, sheared_b)) in &boxes_b {
            let pair = (node_a, node_b);
            let (found, golden) = (box_a.overlaps(box_b), expected.contains(&pair));
            assert_eq!(box_b.overlaps(box_a), found, "{pair:?}");
            if uncertain.contains(&pair) {
                tally.uncertain += 1;
            } else if *sheared_a || *sheared_b {
                assert!(found || !golden, "{} {kind} {pair:?}: an enclosing box lost a contact", path.display());
                tally.sheared += 1;
                tally.sheared_extra += u64::from(found && !golden);
            } else {
                assert_eq!(found, golden, "{} {kind} {pair:?} in {test}", path.display());
                *(if found { &mut tally.overlapping } else { &mut tally.apart }) += 1;
            }
        }
    }
    let known = |pair: &Pair| boxes_a.contains_key(&pair.0) && boxes_b.contains_key(&pair.1);
    assert!(expected.iter().all(known), "every golden pair was tested");
}

/// The boxes of a character in a pose, and whether a shear made them enclosing boxes.
fn posed<'a>(who: &'a Character, pose: &Value, kind: &str, turn: &DMat3, shift: DVec3) -> BTreeMap<u64, (Obb, bool)> {
    let joints = world_from_joints(who, pose);
    // The list is merged by node if skins share a node; otherwise it is each skin's own list.
    let of_skin = |skin: &'a Value| skin["joints"].as_array().expect("joints").iter();
    let bones: Vec<&Value> = match who.oracle["bones"].as_array() {
        Some(merged) => merged.iter().collect(),
        None => who.oracle["skins"].as_array().expect("skins").iter().flat_map(of_skin).collect(),
    };
    let mut boxes = BTreeMap::new();
    for bone in bones {
        let (node, data) = (bone["node"].as_u64().expect("a node"), &bone[kind]);
        if data.is_null() {
            continue;
        }
        let (linear, translation) = &joints[&node];
        let (linear, translation) = (*turn * *linear, *turn * *translation + shift);
        let axes: Vec<DVec3> = data["a"].as_array().expect("axes").iter().map(vector).collect();
        boxes.insert(node, pose_box(vector(&data["c"]), vector(&data["h"]), &axes, &linear, translation));
    }
    boxes
}

/// Poses a box in `f64` and rounds it. If the matrix shears, this uses geometry-core's enclosing box.
fn pose_box(center: DVec3, half: DVec3, axes: &[DVec3], linear: &DMat3, translation: DVec3) -> (Obb, bool) {
    let edges = [*linear * axes[0], *linear * axes[1], *linear * axes[2]];
    let lengths = edges.map(DVec3::length);
    let square = |i: usize, j: usize| edges[i].dot(edges[j]).abs() <= 1e-5 * lengths[i] * lengths[j];
    // Rounding up keeps the tiny thickness of flat boxes. The oracle's numbers are rounded to 7 digits.
    if square(0, 1) && square(1, 2) && square(0, 2) {
        let axes = DMat3::from_cols(edges[0] / lengths[0], edges[1] / lengths[1], edges[2] / lengths[2]);
        let half = half * DVec3::from_array(lengths);
        let center = *linear * center + translation;
        return (Obb::try_new(center.as_vec3(), half.as_vec3(), axes.as_mat3()).expect("a valid box"), false);
    }
    let in_joint = Mat3::from_cols(axes[0].as_vec3(), axes[1].as_vec3(), axes[2].as_vec3());
    let in_joint = Obb::try_new(center.as_vec3(), half.as_vec3(), in_joint).expect("a valid box");
    let map = Affine3A::from_mat3_translation(linear.as_mat3(), translation.as_vec3());
    let image = in_joint.transformed(&map).expect("a finite matrix");
    assert!(image.enclosing);
    (image.obb, true)
}

/// The joints as the oracle recorded them, or otherwise from the character's file.
fn world_from_joints(who: &Character, pose: &Value) -> Pose {
    let recorded = who.oracle["poses"].as_array().expect("poses");
    let same = |p: &&Value| p["clip"] == pose[0] && (pose[0].is_null() || p["t"] == pose[1]);
    match recorded.iter().find(same) {
        Some(found) => {
            let matrices = found["m"].as_object().expect("matrices");
            matrices.iter().map(|(node, m)| (node.parse().expect("a node"), matrix(m))).collect()
        }
        None => sampled(who, pose),
    }
}

/// A pose from the workspace's own importer and sampler.
fn sampled(who: &Character, pose: &Value) -> Pose {
    let skeleton = &who.model.skeleton;
    let mut local = skeleton.rest_pose();
    if let Some(clip) = pose[0].as_u64() {
        who.model.clips[clip as usize].sample(number(&pose[1]) as f32, &mut local);
    }
    let mut model_from_joint = vec![Affine3A::IDENTITY; skeleton.len()];
    skeleton.model_from_joints(&local, &mut model_from_joint);
    let parts = |map: &Affine3A| {
        let linear = Mat3::from(map.matrix3).as_dmat3();
        (linear, Vec3::from(map.translation).as_dvec3())
    };
    let joints = skeleton.joints().iter().zip(&model_from_joint);
    joints.map(|(joint, map)| (u64::from(joint.node.0), parts(map))).collect()
}

/// Compares the recorded poses with those of our sampler where both exist, because the golden pairs depend on them.
#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn sampled_poses_equal_the_recorded_poses() {
    let mut compared = 0;
    for file in ["Fox.glb", "Knight.glb", "cesium_man.gltf", "RobotExpressive.glb", "gdbot.glb"] {
        let who = character(file);
        for pose in who.oracle["poses"].as_array().expect("poses") {
            let ours = sampled(&who, &Value::Array(vec![pose["clip"].clone(), pose["t"].clone()]));
            for (node, theirs) in pose["m"].as_object().expect("matrices") {
                let (theirs, ours) = (matrix(theirs), &ours[&node.parse::<u64>().expect("a node")]);
                let size = 1e-5 * (1.0 + theirs.1.length() + theirs.0.x_axis.length());
                assert!(ours.0.abs_diff_eq(theirs.0, size) && ours.1.abs_diff_eq(theirs.1, size), "{file} {node}");
                compared += 1;
            }
        }
    }
    assert!(compared > 400, "{compared}");
}

fn character(file: &str) -> Character {
    let stem = file.rsplit_once('.').expect("an ending").0;
    let oracle = read_json(&::corpus::folder().join(format!("oracle/{stem}.json")));
    let bytes = std::fs::read(::corpus::character(file)).expect("a readable file");
    Character { oracle, model: skinned_model::import(&bytes, &NoExternalFiles).expect("an import") }
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("a readable file")).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn vector(value: &Value) -> DVec3 {
    DVec3::new(number(&value[0]), number(&value[1]), number(&value[2]))
}

/// Reads three rows of four numbers.
fn matrix(value: &Value) -> (DMat3, DVec3) {
    let column = |k: usize| DVec3::new(number(&value[k]), number(&value[4 + k]), number(&value[8 + k]));
    (DMat3::from_cols(column(0), column(1), column(2)), column(3))
}

fn pairs(value: &Value) -> BTreeSet<Pair> {
    let pair = |pair: &Value| (pair[0].as_u64().expect("a node"), pair[1].as_u64().expect("a node"));
    value.as_array().map(|list| list.iter().map(pair).collect()).unwrap_or_default()
}

/// Compares the posing above with corners that are mapped one by one.
#[test]
fn a_posed_box_is_the_image_of_its_corners() {
    let rotation = Quat::from_xyzw(0.1, 0.5, -0.2, 0.7).normalize();
    let linear = Mat3::from_quat(rotation).as_dmat3() * 3.0;
    let (center, half) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.5, 0.25, 1.0));
    let (posed, sheared) = pose_box(center, half, &DVec3::AXES, &linear, DVec3::Y);
    assert!(!sheared);
    for corner in posed.corners() {
        let back = linear.inverse() * (corner.as_dvec3() - DVec3::Y) - center;
        assert!((back.abs() - half).abs().max_element() < 1e-5);
    }
}
