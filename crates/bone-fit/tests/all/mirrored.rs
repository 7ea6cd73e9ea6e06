//! `symmetry = "mirror"`: hitboxes are compared with mirrored sets of corners.

use crate::promise::{baked, check};
use baked_format::{BakedCharacter, Hitbox, HitboxShape, RoundShape};
use glam::{Affine3A, DAffine3, DVec3, Quat, Vec3};
use skeleton::{Joint, JointIndex, LocalTransform, NodeIndex, Skeleton, Trs, mirrored_name};
use skinned_model::{Influences, NoExternalFiles, SkinnedMesh, SkinnedModel, import};
use std::path::Path;
use test_models::Random;

fn asset(name: &str) -> SkinnedModel {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
    import(&std::fs::read(file).unwrap(), &NoExternalFiles).unwrap()
}

fn matrices(character: &BakedCharacter) -> Vec<Affine3A> {
    character.skeleton.rest_matrices()
}

fn to_f64(matrix: &Affine3A) -> DAffine3 {
    DAffine3::from_cols_array(&matrix.to_cols_array().map(f64::from))
}

/// Points that stand for a hitbox, in model space at rest, and the radius of a round shape: the corners of a box, or the ends of a
/// capsule or sphere.
fn points(hitbox: &Hitbox, matrices: &[Affine3A]) -> (Vec<DVec3>, f32) {
    let model = to_f64(&matrices[hitbox.joint.index()]);
    let (own, radius): (Vec<DVec3>, f32) = match hitbox.round_shape() {
        Some(RoundShape { start, end, radius }) => (vec![start.as_dvec3(), end.as_dvec3()], radius),
        None => {
            let turn = hitbox.orientation.as_dquat();
            let sign = |k: usize, bit: usize| if k & bit == 0 { -1.0 } else { 1.0 };
            let corner = |k: usize| DVec3::new(sign(k, 1), sign(k, 2), sign(k, 4)) * hitbox.half_extents.as_dvec3();
            ((0..8).map(|k| hitbox.center.as_dvec3() + turn * corner(k)).collect(), 0.0)
        }
    };
    (own.into_iter().map(|at| model.transform_point3(at)).collect(), radius)
}

/// Returns `true` if each point of one set, mirrored in the plane `x = 0`, is near a point of the other.
fn is_image(a: &(Vec<DVec3>, f32), b: &(Vec<DVec3>, f32), near: f64) -> bool {
    let mirrored = |at: &DVec3| DVec3::new(-at.x, at.y, at.z);
    (a.1 - b.1).abs() <= near as f32
        && a.0.iter().all(|at| b.0.iter().any(|other| other.distance(mirrored(at)) <= near))
}

/// Checks every pair of joints and every joint in the middle. Returns the number of mirrored hitboxes.
fn check_images(name: &str, character: &BakedCharacter, near: f64) -> usize {
    let matrices = matrices(character);
    let mut checked = 0;
    for hitbox in &character.boxes {
        let joint = &character.skeleton.joint(hitbox.joint).name;
        let other = mirrored_name(joint).and_then(|name| character.skeleton.find(&name)).unwrap_or(hitbox.joint);
        let Some(other) = character.boxes.iter().find(|one| one.joint == other) else { continue };
        let (own, its) = (points(hitbox, &matrices), points(other, &matrices));
        assert!(is_image(&own, &its, near), "{name}: {joint}: {own:?} and {its:?}");
        assert_eq!((hitbox.shape, hitbox.half_extents), (other.shape, other.half_extents), "{name}: {joint}");
        checked += 1;
    }
    checked
}

fn codes(character: &BakedCharacter) -> Vec<&str> {
    character.warnings.iter().map(|warning| warning.code.as_str()).collect()
}

#[test]
fn hitboxes_of_characters_are_mirror_images() {
    for file in ["runa.glb", "bruno.glb"] {
        let model = asset(file);
        for (preset, fit, shape) in [
            ("recipe", "pca", "box"),
            ("recipe", "upright", "capsule"),
            ("recipe", "min-volume", "sphere"),
            ("cover", "min-volume", "box"),
            ("cover", "upright", "box"),
            ("cover", "upright", "auto"),
            ("always", "upright", "box"),
        ] {
            let words = [
                ("preset", preset),
                ("fit", fit),
                ("shape", shape),
                ("symmetry", "mirror"),
                ("parts", "humanoid"),
                ("rate", "4"),
                ("measure", "none"),
            ];
            let character = baked(&model, &words).0.character;
            let name = format!("{file}, {preset}, {fit}, {shape}");
            assert!(!codes(&character).contains(&"not-mirrored"), "{name}: {:?}", character.warnings);
            // One hundred thousandth of the height.
            assert_eq!(check_images(&name, &character, 2e-5), 18, "{name}");
        }
    }
}

#[test]
fn mirrored_hitboxes_keep_the_promise_and_cover_the_clips() {
    let bruno = asset("bruno.glb");
    for preset in ["recipe", "tight", "cover"] {
        let words = [
            ("preset", preset),
            ("symmetry", "mirror"),
            ("attachments", "skip"),
            ("measure", "none"),
            ("poses", "bind"),
        ];
        assert!(check("bruno", &bruno, &words) > 10_000);
    }
    let man = import(&test_models::box_man().to_glb(), &NoExternalFiles).unwrap();
    for preset in ["recipe", "tight", "cover"] {
        for shape in ["box", "capsule", "sphere", "hull", "auto"] {
            for fit in ["pca", "upright", "joint-axes"] {
                check("box man", &man, &[("preset", preset), ("fit", fit), ("shape", shape), ("symmetry", "mirror")]);
            }
        }
    }
    for shape in ["box", "capsule", "sphere"] {
        let words =
            [("preset", "cover"), ("symmetry", "mirror"), ("shape", shape), ("rate", "4"), ("measure_times", "40")];
        let measured = baked(&asset("hound.glb"), &words).0.report.measured.unwrap();
        assert!(measured.surface_clips == 1.0 && measured.surface_rest == 1.0, "{shape}: {measured:?}");
        assert!(measured.max_escape <= 1e-6, "{shape}: {measured:?}");
    }
}

/// With several hitboxes for a joint, both sides have the same number, cut by mirrored planes.
#[test]
fn several_hitboxes_of_a_joint_are_mirror_images() {
    let model = asset("runa.glb");
    for fit in ["min-volume", "upright"] {
        let words = [
            ("preset", "tight"),
            ("fit", fit),
            ("symmetry", "mirror"),
            ("parts", "humanoid"),
            ("rate", "4"),
            ("measure_times", "40"),
        ];
        let bake = baked(&model, &words).0;
        let character = bake.character;
        let matrices = matrices(&character);
        let (mut several, mut all) = (0, 0);
        for hitbox in &character.boxes {
            let Some(other) = mirrored_name(&character.skeleton.joint(hitbox.joint).name) else { continue };
            let other = character.skeleton.find(&other).unwrap();
            let of = |joint| character.boxes.iter().filter(move |one| one.joint == joint);
            assert_eq!(of(hitbox.joint).count(), of(other).count(), "{fit}");
            let own = points(hitbox, &matrices);
            assert!(of(other).any(|one| is_image(&own, &points(one, &matrices), 2e-5)), "{fit}: {}", hitbox.joint);
            several += usize::from(of(other).count() > 1);
            all += 1;
        }
        assert!(all >= 14 && several >= 8, "{fit}: {all}, {several}");
        assert!(character.boxes.len() <= 36, "{fit}: {}", character.boxes.len());
        assert!(bake.report.measured.unwrap().surface_clips > 0.98, "{fit}");
    }
}

/// Two mirrored joints with any frames of their own, and one in the middle, each with a cloud of points around it. The clouds of
/// the pair are mirror images up to a tenth of their width, and longer than they are wide.
fn three_joints(seed: u64) -> SkinnedModel {
    let mut random = Random::new(seed);
    let size = [1.0, 0.01, 100.0][seed as usize % 3];
    let mut frame = |x: f32| Trs {
        translation: Vec3::new(x, 0.3, -0.2) * size,
        rotation: [random.rotation(), Quat::IDENTITY, Quat::from_rotation_y(std::f32::consts::FRAC_PI_2)]
            [seed as usize % 3],
        scale: Vec3::splat([1.0, 0.5, 1.0, 3.0][seed as usize % 4]),
    };
    let joints = [("wing.l", frame(1.0)), ("wing.r", frame(-1.0)), ("body", frame(0.0))];
    let joint = |(name, rest): &(&str, Trs)| Joint {
        name: (*name).into(),
        node: NodeIndex(0),
        parent: None,
        rest: LocalTransform::Trs(*rest),
        skinned: true,
    };
    let skeleton = Skeleton::new(joints.iter().map(joint).collect()).unwrap();
    let mut matrices = vec![Affine3A::IDENTITY; 3];
    skeleton.model_from_joints(&skeleton.rest_pose(), &mut matrices);
    let mut random = Random::new(seed + 1000);
    let around = |joint: usize, random: &mut Random| {
        matrices[joint].translation + glam::Vec3A::from(random.vector() * Vec3::new(0.3, 0.9, 0.25) * size)
    };
    let mut positions: Vec<Vec3> = (0..60).map(|vertex| around(vertex / 20, &mut random).into()).collect();
    for vertex in 0..20 {
        let noise = random.vector() * 0.03 * size;
        positions[20 + vertex] = positions[vertex] * Vec3::new(-1.0, 1.0, 1.0) + noise;
    }
    let mesh = SkinnedMesh {
        names: skinned_model::MeshNames::default(),
        name: "clouds".into(),
        node: NodeIndex(9),
        joints: (0..3).map(JointIndex).collect(),
        joint_from_mesh: matrices.iter().map(Affine3A::inverse).collect(),
        positions,
        influences: Influences {
            per_vertex: 1,
            slots: (0..60u16).map(|vertex| vertex / 20).collect(),
            weights: vec![1.0; 60],
        },
        triangles: vec![],
        normals: vec![],
        texture_coordinates: vec![],
    };
    SkinnedModel { skeleton, meshes: vec![mesh], ..SkinnedModel::default() }
}

#[test]
fn joints_with_any_frames_have_mirror_images_around_all_skin() {
    for seed in 0..24 {
        let model = three_joints(seed);
        let size = [1.0, 0.01, 100.0][seed as usize % 3];
        for fit in ["pca", "vertex-pca", "min-volume", "upright"] {
            for shape in ["box", "capsule", "sphere", "auto"] {
                let words = [("fit", fit), ("shape", shape), ("symmetry", "mirror")];
                assert_eq!(check("three joints", &model, &words), 60);
                let character = baked(&model, &words).0.character;
                let name = format!("seed {seed}, {fit}, {shape}");
                assert!(!codes(&character).contains(&"not-mirrored"), "{name}: {:?}", character.warnings);
                assert_eq!(check_images(&name, &character, 1e-5 * size), 3, "{name}");
            }
        }
    }
}

/// A box around the skin of both sides is as large as the box around the union of the points, in the one's space.
#[test]
fn the_joined_box_is_the_box_around_all_points_of_both() {
    for seed in (1..24).step_by(3) {
        let model = three_joints(seed);
        let character =
            baked(&model, &[("fit", "joint-axes"), ("symmetry", "mirror"), ("exclude", "body")]).0.character;
        // The frames of both joints are those of the model, up to the scale.
        let mut bounds = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        for (vertex, at) in model.meshes[0].positions.iter().enumerate().take(40) {
            let at = at.as_dvec3() * DVec3::new(if vertex < 20 { 1.0 } else { -1.0 }, 1.0, 1.0);
            bounds = [bounds[0].min(at), bounds[1].max(at)];
        }
        let half = 0.5 * (bounds[1] - bounds[0]);
        let scale = [1.0, 0.5, 1.0, 3.0][seed as usize % 4];
        for hitbox in &character.boxes {
            let found = hitbox.half_extents.as_dvec3() * scale;
            assert!((found - half).abs().max_element() <= 1e-5 * half.max_element(), "{seed}: {found} and {half}");
        }
    }
}

/// Joints at places that are not mirrored get hitboxes of the same size. Skins that are not mirrored keep their own.
#[test]
fn what_cannot_be_mirrored_has_a_warning() {
    let mut moved = test_models::box_man();
    // The joint of one hand is higher than the other, so the rest pose is not symmetric there.
    let arm = moved.joints.iter().position(|joint| joint.name == "lower_arm.left").unwrap();
    moved.joints[arm].translation[1] += 0.2;
    let mut armed = test_models::box_man();
    armed.add_box(arm, [0.2, 0.5, 0.0], [0.02, 0.6, 0.02]);
    for (case, character) in [("moved", &moved), ("armed", &armed)] {
        let model = import(&character.to_glb(), &NoExternalFiles).unwrap();
        let character = baked(&model, &[("symmetry", "mirror")]).0.character;
        let warnings: Vec<&str> =
            character.warnings.iter().filter(|one| one.code == "not-mirrored").map(|one| one.text.as_str()).collect();
        let [text] = warnings[..] else { panic!("{case}: {warnings:?}") };
        let half = |joint: &str| {
            let joint = character.skeleton.find(joint);
            let mut half = character.boxes.iter().find(|one| Some(one.joint) == joint).unwrap().half_extents.to_array();
            half.sort_by(f32::total_cmp);
            half
        };
        assert_eq!(half("lower_arm.left") == half("lower_arm.right"), case == "moved", "{case}");
        match case {
            "moved" => {
                insta::assert_snapshot!(text, @r#"symmetry = "mirror" does not mirror the hitboxes of lower_arm.left, lower_arm.right: in the rest pose, the joint on the other side is not at the mirrored place; correct the rest pose"#)
            }
            _ => {
                insta::assert_snapshot!(text, @r#"symmetry = "mirror" does not mirror the hitboxes of lower_arm.left, lower_arm.right: a hitbox around the skin of both sides would have more than twice the volume, or its shape is a hull, or its axes are the joint's; set attachments = "skip" if one side holds a weapon"#)
            }
        }
        assert!(character.boxes.iter().all(|one| one.shape == HitboxShape::Box));
    }
}
