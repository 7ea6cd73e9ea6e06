//! Reads ragdolls back from their files, and compares them with the bake.

mod found;
mod gltf_reader;
mod odd_bakes;
mod text_forms;
mod usda_reader;

use crate::tests::posed_corners;
use crate::{CapsulePolicy, Export, ExportForm, export};
use baked_format::{BakedCharacter, Constraint, ConstraintKind, LimitSource, Ragdoll, RagdollBody, Source};
use bone_fit::{BakeOptions, Overrides, RagdollSettings};
use found::compare;
use glam::{Quat, Vec3};
use skinned_model::NoExternalFiles;
use std::sync::LazyLock;

/// Two bodies of one box each, at the first joint with a hitbox and another one.
pub(crate) fn two_bodies(character: &BakedCharacter) -> Ragdoll {
    let rest = character.skeleton.rest_matrices();
    let second = (1..character.boxes.len()).find(|&one| character.boxes[one].joint != character.boxes[0].joint);
    let body = |index: usize, constraint| {
        let joint = character.boxes[index].joint;
        let (_, rotation, position) = rest[joint.index()].to_scale_rotation_translation();
        RagdollBody {
            joint,
            position,
            rotation: rotation.normalize(),
            boxes: vec![index as u16],
            mass: 2.0,
            center_of_mass: Vec3::new(0.1, 0.2, -0.3),
            inertia: [0.3, 0.4, 0.5, 0.1, -0.05, 0.02],
            constraint,
        }
    };
    let held = Constraint {
        parent: 0,
        kind: ConstraintKind::Ball,
        anchor: Vec3::new(0.0, 0.5, 0.25),
        parent_from_frame: Quat::from_xyzw(0.0, 0.6, 0.0, 0.8),
        body_from_frame: Quat::from_xyzw(0.0, 0.0, -0.28, 0.96),
        limits: Vec3::new(0.5, 1.0, 0.0),
        stiffness: 0.0,
        damping: 3.0,
        limits_from: LimitSource::Clips,
    };
    Ragdoll { bodies: vec![body(0, None), body(second.unwrap(), Some(held))], no_collision: vec![[0, 1]] }
}

/// A bake with a ragdoll.
fn bake(glb: &[u8], name: &str, parts: &str, shape: &str) -> BakedCharacter {
    let model = skinned_model::import(glb, &NoExternalFiles).unwrap();
    let entries = [("preset", "tight"), ("parts", parts), ("shape", shape), ("measure", "none")];
    let options = BakeOptions::from_entries(entries).unwrap();
    let overrides = Overrides { ragdoll: Some(RagdollSettings::default()), ..Overrides::default() };
    let source = Source { file: format!("{name}.glb"), blake3: [0; 32], generator: "test".into() };
    bone_fit::bake_with(&model, name, source, &options, &overrides).unwrap().character
}

fn asset(name: &str) -> Vec<u8> {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
    std::fs::read(file).unwrap()
}

/// Characters with turned, scaled and mirrored joints, and with each kind of shape.
static CHARACTERS: LazyLock<Vec<(BakedCharacter, Vec<u8>)>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for (unit, shape) in [(1.0, "box"), (0.01, "capsule"), (50.0, "sphere"), (-2.0, "hull"), (0.01, "hull")] {
        let glb = test_models::box_man().to_gltf_in([unit; 3]).to_glb();
        all.push((bake(&glb, &format!("man in {unit}"), "joints", shape), glb));
    }
    for (name, parts, shape) in [("runa", "humanoid", "auto"), ("hound", "18", "box")] {
        let glb = asset(&format!("{name}.glb"));
        all.push((bake(&glb, name, parts, shape), glb));
    }
    all
});

fn exported(character: &BakedCharacter, source: &[u8], form: ExportForm) -> Export {
    export(character, source, form, CapsulePolicy::EqualVolume).unwrap()
}

fn height(character: &BakedCharacter) -> f64 {
    let corners = || posed_corners(character).into_iter().flatten().map(|corner| f64::from(corner.y));
    corners().fold(f64::MIN, f64::max) - corners().fold(f64::MAX, f64::min)
}

#[test]
fn usda_stands_where_the_bake_has_it() {
    for (character, source) in &*CHARACTERS {
        let export = exported(character, source, ExportForm::Usda);
        let (bodies, joints) = usda_reader::read(character, std::str::from_utf8(&export.bytes).unwrap());
        compare(character, &bodies, &joints, &character.name);
    }
}

#[test]
fn gltf_bodies_stand_where_the_bake_has_them() {
    for (character, source) in &*CHARACTERS {
        for form in [ExportForm::OmiRagdoll, ExportForm::KhrRagdoll] {
            let export = exported(character, source, form);
            let (bodies, joints) = gltf_reader::read(character, &export.bytes, form);
            compare(character, &bodies, &joints, &format!("{}, {form:?}", character.name));
            let mirrored = if character.name == "man in -2" { bodies.len() } else { 0 };
            let warned = export.warnings.iter().filter(|one| one.contains("is mirrored at rest")).count();
            assert_eq!((warned, export.warnings.len()), (mirrored, mirrored), "{:?}", export.warnings);
        }
    }
}
