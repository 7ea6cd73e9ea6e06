//! Tests which joints of two posed characters touch: the run time gets the oracle's boxes and matrices.

use asset_bake::Asset;
use baked_format::{BakedCharacter, Hitbox, HitboxRole, HitboxShape, Source};
use corpus_agreement::oracle::{self, Golden};
use glam::{Affine3A, DMat3, DQuat, DVec3, Quat, Vec3};
use rayon::prelude::*;
use runtime::{Character, JointPair, PosedCharacter};
use serde_json::Value;
use skeleton::{Joint, JointIndex};
use skinned_model::SkinnedModel;
use std::collections::BTreeSet;

type NodePairs = BTreeSet<(u64, u64)>;

/// A character of the corpus with the oracle's boxes of one kind.
struct Fighter {
    character: Character,
    model: SkinnedModel,
    oracle: Value,
}

impl Fighter {
    fn new(golden: &Golden, kind: &str) -> Self {
        let asset = Asset::open(&golden.path).unwrap();
        let (model, _) = asset.import().unwrap_or_else(|error| panic!("{}: {error:#}", golden.name));
        let oracle = &golden.oracle;
        let merged = oracle["bones_merged"].as_bool() == Some(true);
        let bones: Vec<&Value> = if merged {
            oracle["bones"].as_array().unwrap().iter().collect()
        } else {
            oracle["skins"].as_array().unwrap().iter().flat_map(|skin| skin["joints"].as_array().unwrap()).collect()
        };
        let joint = |node: &Value| {
            let is_it = |joint: &Joint| u64::from(joint.node.0) == node.as_u64().unwrap();
            JointIndex(model.skeleton.joints().iter().position(is_it).unwrap() as u16)
        };
        let fitted = bones.into_iter().filter_map(|bone| Some((joint(&bone["node"]), bone.get(kind)?)));
        let mut boxes: Vec<Hitbox> = fitted.map(|(joint, fitted)| baked_box(joint, fitted)).collect();
        boxes.sort_by_key(|baked| baked.joint);
        assert!(boxes.windows(2).all(|two| two[0].joint < two[1].joint), "{}: two boxes at one joint", golden.name);
        let character = Character::from_baked(character(&golden.name, &model, boxes));
        Self { character, model, oracle: oracle.clone() }
    }

    /// `model_from_joint` of a pose: the oracle's own matrices if it has them, otherwise our sampling of the clip.
    fn model_from_joint(&self, pose: &Value) -> Vec<Affine3A> {
        let skeleton = &self.model.skeleton;
        let mut local = skeleton.rest_pose();
        if let Some(clip) = pose[0].as_u64() {
            let clips = self.oracle["clips"].as_array().unwrap();
            assert_eq!(clips.len(), self.model.clips.len(), "{}: clips are numbered alike", self.character.name());
            self.model.clips[clip as usize].sample(pose[1].as_f64().unwrap() as f32, &mut local);
        }
        let mut matrices = vec![Affine3A::IDENTITY; skeleton.len()];
        skeleton.model_from_joints(&local, &mut matrices);
        let golden = self.oracle["poses"].as_array().unwrap().iter();
        for golden in golden.filter(|golden| golden["clip"] == pose[0] && golden["t"] == pose[1]) {
            for (matrix, joint) in matrices.iter_mut().zip(skeleton.joints()) {
                let Some(numbers) = golden["m"].get(joint.node.0.to_string()) else { continue };
                let (linear, translation) = oracle::matrix(numbers);
                *matrix = Affine3A::from_mat3_translation(linear.as_mat3(), translation.as_vec3());
            }
        }
        matrices
    }

    fn posed(&self, model_from_joint: &[Affine3A], world_from_model: &Affine3A) -> PosedCharacter {
        let mut posed = PosedCharacter::new();
        posed.pose_from_model(&self.character, world_from_model, model_from_joint).unwrap();
        posed
    }

    fn node(&self, joint: JointIndex) -> u64 {
        u64::from(self.character.skeleton().joint(joint).node.0)
    }
}

fn baked_box(joint: JointIndex, fitted: &Value) -> Hitbox {
    let axes: Vec<DVec3> = fitted["a"].as_array().unwrap().iter().map(oracle::vector).collect();
    let rotation = DQuat::from_mat3(&DMat3::from_cols(axes[0], axes[1], axes[2])).normalize();
    Hitbox {
        joint,
        shape: HitboxShape::Box,
        role: HitboxRole::Hurt,
        tags: Vec::new(),
        center: oracle::vector(&fitted["c"]).as_vec3(),
        half_extents: oracle::vector(&fitted["h"]).as_vec3().max(Vec3::ZERO),
        orientation: Quat::from_array(rotation.to_array().map(|component| component as f32)),
        vertices: 1,
        hull_vertices: 1,
        hull_volume: 0.0,
        min_volume: None,
        hull: None,
    }
}

fn character(name: &str, model: &SkinnedModel, boxes: Vec<Hitbox>) -> BakedCharacter {
    BakedCharacter {
        name: name.into(),
        source: Source { file: "oracle".into(), blake3: [0; 32], generator: "oracle".into() },
        algorithm_revision: 0,
        options: Vec::new(),
        skeleton: model.skeleton.clone(),
        boxes,
        clips: Vec::new(),
        coverage: None,
        warnings: Vec::new(),
        humanoid: None,
        skin: None,
        envelopes: Vec::new(),
        attacks: Vec::new(),
        states: Vec::new(),
        ragdoll: None,
    }
}

#[derive(Default, Debug, PartialEq, Clone, Copy)]
struct Count {
    tests: usize,
    touching: usize,
    uncertain: usize,
}

impl std::ops::Add for Count {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            tests: self.tests + other.tests,
            touching: self.touching + other.touching,
            uncertain: self.uncertain + other.uncertain,
        }
    }
}

fn node_pairs(list: &Value) -> NodePairs {
    let pairs = list.as_array().map(Vec::as_slice).unwrap_or_default();
    pairs.iter().map(|pair| (pair[0].as_u64().unwrap(), pair[1].as_u64().unwrap())).collect()
}

/// Compares every test of an oracle file for one kind of boxes.
fn check(name: &str, a: &Fighter, b: &Fighter, tests: &Value, kind: &str) -> Count {
    let mut count = Count::default();
    for test in tests.as_array().unwrap() {
        let (sin, cos) = test["yaw"].as_f64().unwrap().to_radians().sin_cos();
        let turn = DMat3::from_cols(DVec3::new(cos, 0.0, -sin), DVec3::Y, DVec3::new(sin, 0.0, cos));
        let shift = Vec3::new(test["dx"].as_f64().unwrap() as f32, 0.0, 0.0);
        let place = Affine3A::from_mat3_translation(turn.as_mat3(), shift);
        let (matrices_a, matrices_b) = (a.model_from_joint(&test["a"]), b.model_from_joint(&test["b"]));
        let (posed_a, posed_b) = (a.posed(&matrices_a, &Affine3A::IDENTITY), b.posed(&matrices_b, &place));
        let mut found: Vec<JointPair> = Vec::new();
        runtime::overlapping_joints(&posed_a, &posed_b, &mut found);
        assert!(found.is_sorted(), "{name}");
        let found: NodePairs = found.iter().map(|pair| (a.node(pair.joint_a), b.node(pair.joint_b))).collect();
        let expected = node_pairs(&test[kind]);
        let uncertain = node_pairs(&test[format!("{kind}_unc")]);
        let wrong: Vec<_> = found.symmetric_difference(&expected).filter(|pair| !uncertain.contains(pair)).collect();
        assert!(wrong.is_empty(), "{name} {kind}: nodes {wrong:?} of {test}");
        count = count + Count { tests: 1, touching: expected.len(), uncertain: uncertain.len() };
    }
    count
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn every_golden_pair_agrees() {
    let golden = oracle::golden();
    let own = golden.iter().filter(|golden| golden.oracle["pairs"].is_array());
    let mut jobs: Vec<_> = own.map(|golden| (golden.clone(), golden.clone(), golden.oracle["pairs"].clone())).collect();
    let duels = oracle::golden_duels(&golden);
    jobs.extend(duels.into_iter().map(|(a, b, duel)| (a, b, duel["pairs"].clone())));
    let counts = jobs.par_iter().flat_map_iter(|(a, b, tests)| {
        let name = format!("{} against {}", a.name, b.name);
        ["pca", "min"].map(|kind| {
            let count = check(&name, &Fighter::new(a, kind), &Fighter::new(b, kind), tests, kind);
            println!("{name} {kind}: {count:?}");
            count
        })
    });
    let total = counts.reduce(Count::default, std::ops::Add::add);
    println!("all: {total:?}");
    assert!(total.tests > 4_000 && total.touching > 50_000, "{total:?}");
}

#[test]
fn matrices_are_read_by_rows() {
    let (linear, translation) = oracle::matrix(&serde_json::json!([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
    assert_eq!(linear * DVec3::X, DVec3::new(1.0, 5.0, 9.0));
    assert_eq!(translation, DVec3::new(4.0, 8.0, 12.0));
}
