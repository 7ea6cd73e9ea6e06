//! Poses to bodies and back.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

use bone_fit::{BakeOptions, Overrides, RagdollSettings};
use glam::{Affine3A, Quat, Vec3};
use ragdoll::{BodyPlace, BodyVelocity, RagdollError, RagdollRig, blend_poses};
use runtime::Character;
use skeleton::LocalTransform;
use skinned_model::{NoExternalFiles, import};
use test_models::Random;

/// An asset with hitboxes for parts, with or without a ragdoll.
fn character(name: &str, ragdoll: Option<RagdollSettings>) -> Character {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(format!("{name}.glb"));
    let model = import(&std::fs::read(file).unwrap(), &NoExternalFiles).unwrap();
    let parts = if name == "hound" { "18" } else { "humanoid" };
    let options = BakeOptions::from_entries([("preset", "tight"), ("parts", parts), ("measure", "none")]).unwrap();
    let overrides = Overrides { ragdoll, ..Overrides::default() };
    let source = baked_format::Source { file: String::new(), blake3: [0; 32], generator: String::new() };
    Character::from_baked(bone_fit::bake_with(&model, name, source, &options, &overrides).unwrap().character)
}

fn falling(name: &str) -> (Character, RagdollRig) {
    let character = character(name, Some(RagdollSettings::default()));
    let rig = RagdollRig::new(&character).unwrap();
    (character, rig)
}

/// The local transforms and the matrices of a pose.
fn pose(character: &Character, clip: usize, time: f32) -> (Vec<LocalTransform>, Vec<Affine3A>) {
    let skeleton = character.skeleton();
    let mut local = skeleton.rest_pose();
    character.clips()[clip].sample(time, &mut local);
    let mut matrices = vec![Affine3A::IDENTITY; skeleton.len()];
    skeleton.model_from_joints(&local, &mut matrices);
    (local, matrices)
}

fn assert_near(found: &[Affine3A], expected: &[Affine3A], most: f32, what: &str) {
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(found.abs_diff_eq(*expected, most), "{what}: joint {index}: {found} and {expected}");
    }
}

#[test]
fn a_pose_goes_to_bodies_and_back() {
    for name in ["runa", "bruno", "hound"] {
        let (character, rig) = falling(name);
        let mut random = Random::new(1);
        for case in 0..40 {
            let clip = random.below(character.clips().len());
            let time = random.between(0.0, 2.0);
            let (local, matrices) = pose(&character, clip, time);
            let place = Affine3A::from_rotation_translation(random.rotation(), random.vector() * 3.0);
            let mut places = Vec::new();
            rig.places(&place, &matrices, &mut places).unwrap();
            let world: Vec<Affine3A> = matrices.iter().map(|matrix| place * *matrix).collect();
            let mut back = vec![Affine3A::IDENTITY; world.len()];
            rig.world_from_joints(&places, &local, &mut back).unwrap();
            assert_near(&back, &world, 2e-5, &format!("{name} {case}"));
        }
    }
}

/// A character that moves and turns as one has the velocities of a rigid body.
#[test]
fn velocities_are_those_of_the_motion() {
    let (character, rig) = falling("runa");
    let (_, matrices) = pose(&character, 0, 0.3);
    let (speed, spin, seconds) = (Vec3::new(1.0, 5.0, -2.0), Vec3::new(0.5, -2.0, 1.0), 1.0 / 240.0);
    let place = |time: f32| Affine3A::from_rotation_translation(Quat::from_scaled_axis(spin * time), speed * time);
    let (mut before, mut now, mut velocities) = (Vec::new(), Vec::new(), Vec::new());
    rig.places(&place(-0.5 * seconds), &matrices, &mut before).unwrap();
    rig.places(&place(0.5 * seconds), &matrices, &mut now).unwrap();
    rig.velocities(&before, &now, seconds, &mut velocities).unwrap();
    let mut middle = Vec::new();
    rig.places(&place(0.0), &matrices, &mut middle).unwrap();
    for (index, BodyVelocity { linear, angular }) in velocities.iter().enumerate() {
        let at = middle[index].point(rig.bodies()[index].center_of_mass);
        assert!(angular.distance(spin) < 1e-3, "{index}: {angular}");
        assert!(linear.distance(speed + spin.cross(at)) < 2e-3, "{index}: {linear}");
    }
}

/// A larger place of the same character: lengths, places of joints and matrices grow.
#[test]
fn a_scaled_ragdoll_is_the_same_figure() {
    let (character, rig) = falling("bruno");
    let (local, matrices) = pose(&character, 1, 0.4);
    let large = rig.scaled(3.0);
    let place = Affine3A::from_scale_rotation_translation(Vec3::splat(3.0), Quat::from_rotation_y(0.5), Vec3::X);
    let mut places = Vec::new();
    large.places(&place, &matrices, &mut places).unwrap();
    let mut back = vec![Affine3A::IDENTITY; matrices.len()];
    // Joints above the first body keep their own scale.
    large.world_from_joints(&places, &local, &mut back).unwrap();
    let world: Vec<Affine3A> = matrices.iter().map(|matrix| place * *matrix).collect();
    assert_near(&back, &world, 1e-4, "bruno");
    for (body, (small, grown)) in rig.bodies().iter().zip(large.bodies()).enumerate() {
        assert!((grown.mass / small.mass - 27.0).abs() < 1e-3);
        assert!((grown.inertia[0] / small.inertia[0] - 243.0).abs() < 1e-2);
        let shapes = rig.shapes(body).iter().zip(large.shapes(body));
        assert!(
            shapes
                .into_iter()
                .all(|(small, grown)| (small.half_extents() * 3.0).abs_diff_eq(grown.half_extents(), 1e-5))
        );
    }
}

#[test]
fn blends_begin_and_end_at_the_poses_and_keep_bones() {
    let (character, _) = falling("runa");
    let skeleton = character.skeleton();
    let (first, second) = (pose(&character, 0, 0.1).1, pose(&character, 2, 0.5).1);
    let mut blended = vec![Affine3A::IDENTITY; first.len()];
    for (share, expected) in [(0.0, &first), (1.0, &second)] {
        blend_poses(skeleton, &first, &second, share, &mut blended);
        assert_near(&blended, expected, 1e-5, "end");
    }
    blend_poses(skeleton, &first, &second, 0.37, &mut blended);
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let Some(parent) = joint.parent else { continue };
        let length = |pose: &[Affine3A]| pose[index].translation.distance(pose[parent.index()].translation);
        let (low, high) = (length(&first).min(length(&second)), length(&first).max(length(&second)));
        assert!((low - 1e-4..=high + 1e-4).contains(&length(&blended)), "{}: {}", joint.name, length(&blended));
    }
}

#[test]
fn mistakes_have_a_cure() {
    let none = character("runa", None);
    let error = RagdollRig::new(&none).unwrap_err();
    assert_eq!(error.to_string(), "\"runa\" has no ragdoll; bake it with `ragdoll = true` in bonebox.toml");
    let (character, rig) = falling("runa");
    let mut places = vec![BodyPlace::IDENTITY];
    let error = rig.places(&Affine3A::IDENTITY, &[], &mut places).unwrap_err();
    let joints = character.skeleton().len();
    assert_eq!(error, RagdollError::Count { what: "joint matrices", expected: joints, found: 0 });
    let mut matrices = character.rest_matrices().to_vec();
    matrices[rig.bodies()[3].joint.index()] = Affine3A::from_scale(Vec3::ZERO);
    assert!(matches!(rig.places(&Affine3A::IDENTITY, &matrices, &mut places), Err(RagdollError::Matrix { .. })));
    assert!(places.is_empty());
    let error = rig.velocities(&[], &[], 0.1, &mut Vec::new()).unwrap_err();
    assert_eq!(error, RagdollError::Count { what: "places before", expected: 18, found: 0 });
    let local = character.skeleton().rest_pose();
    assert!(rig.world_from_joints(&places, &local, &mut matrices).is_err());
}
