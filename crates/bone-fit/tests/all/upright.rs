//! `fit = "upright"`: the free angle, and the axes of the boxes of characters.

use crate::promise::{baked, check};
use baked_format::{BakedCharacter, Hitbox};
use bone_fit::fit::{extents, objective_of, orientation};
use bone_fit::{Fit, Objective};
use glam::{Affine3A, DMat3, DVec3, Vec3};
use hull::ConvexHull;
use skeleton::humanoid::HumanBone;
use skinned_model::{NoExternalFiles, SkinnedModel, import};
use std::path::Path;
use test_models::Random;

const PRESETS: [&str; 4] = ["recipe", "tight", "cover", "always"];

fn asset(name: &str) -> SkinnedModel {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
    import(&std::fs::read(file).unwrap(), &NoExternalFiles).unwrap()
}

/// The objective of the best of many boxes with an axis along y.
fn best_of_all_angles(points: &[DVec3], objective: Objective) -> f64 {
    const STEPS: u32 = 7200;
    let size = |step: u32| {
        let (sin, cos) = libm::sincos(f64::from(step) / f64::from(STEPS) * std::f64::consts::FRAC_PI_2);
        let x = DVec3::new(cos, 0.0, sin);
        objective_of(objective, extents(&DMat3::from_cols(x, DVec3::Y, x.cross(DVec3::Y)), points))
    };
    (0..STEPS).map(size).fold(f64::INFINITY, f64::min)
}

/// Corners of boxes that share axes, faces and edges, and clouds of points: solid, flat and along a line.
fn clouds() -> Vec<Vec<DVec3>> {
    let mut random = Random::new(11);
    let mut clouds: Vec<Vec<DVec3>> =
        vec![vec![DVec3::ONE], vec![DVec3::ZERO, DVec3::Y], vec![DVec3::ZERO, DVec3::ONE]];
    for case in 0..60 {
        let boxes = random.unkind_boxes(1 + case % 3);
        let corner = |k: usize| {
            Vec3::new(1.0, 0.0, 0.0) * (k & 1) as f32 + Vec3::Y * (k >> 1 & 1) as f32 + Vec3::Z * (k >> 2) as f32
        };
        let of_box = |one: &test_models::BoxParts| {
            let (center, half, turn) = (one.center, one.half_extents, one.orientation);
            (0..8).map(move |k| (center + turn * (half * (2.0 * corner(k) - Vec3::ONE))).as_dvec3()).collect::<Vec<_>>()
        };
        clouds.push(boxes.iter().flat_map(of_box).collect());
        let size = DVec3::new(1.0, [0.0, 0.3, 20.0][case % 3], [0.0, 1e-3, 0.7, 1.0][case % 4]);
        clouds.push((0..4 + case).map(|_| random.in_box() * size).collect());
    }
    clouds
}

#[test]
fn the_free_angle_is_never_worse_than_any_other() {
    for (case, points) in clouds().into_iter().enumerate() {
        let hull = ConvexHull::from_points(&points).unwrap();
        for objective in [Objective::Volume, Objective::SurfaceArea] {
            let axes = orientation(Fit::Upright, objective, &hull, &points);
            let apart = (axes.transpose() * axes - DMat3::IDENTITY).to_cols_array().map(f64::abs);
            assert!(apart.into_iter().all(|entry| entry < 1e-12) && axes.determinant() > 0.0, "{case}: {axes}");
            assert_eq!(axes.y_axis, DVec3::Y);
            let (ours, theirs) =
                (objective_of(objective, extents(&axes, &points)), best_of_all_angles(&points, objective));
            assert!(ours <= theirs * (1.0 + 1e-9) + 1e-12, "{case}, {objective:?}: {ours} and {theirs}");
        }
    }
}

fn matrices(character: &BakedCharacter) -> Vec<Affine3A> {
    character.skeleton.rest_matrices()
}

/// The unit normals in model space of the faces across the three axes of a box, in the rest pose.
fn normals(hitbox: &Hitbox, model_from_joint: &Affine3A) -> [DVec3; 3] {
    let linear = DMat3::from_cols(
        model_from_joint.matrix3.x_axis.as_dvec3(),
        model_from_joint.matrix3.y_axis.as_dvec3(),
        model_from_joint.matrix3.z_axis.as_dvec3(),
    );
    let axes = DMat3::from_quat(hitbox.orientation.as_dquat());
    [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| (linear.inverse().transpose() * axis).normalize())
}

/// Returns `true` if two unit vectors are on a line. Joint matrices are products of `f32` numbers.
fn are_parallel(a: DVec3, b: DVec3) -> bool {
    a.cross(b).length() < 1e-5
}

#[test]
fn feet_are_flat_heads_are_straight_and_limbs_follow_their_bones() {
    use HumanBone as B;
    let straight = [B::Hips, B::Spine, B::Chest, B::UpperChest, B::Neck, B::Head];
    let along = [
        (B::LeftUpperArm, B::LeftLowerArm),
        (B::RightLowerArm, B::RightHand),
        (B::LeftHand, B::LeftMiddleProximal),
        (B::LeftUpperLeg, B::LeftLowerLeg),
        (B::RightLowerLeg, B::RightFoot),
    ];
    for (file, preset) in ["runa.glb", "bruno.glb"].into_iter().flat_map(|file| PRESETS.map(|preset| (file, preset))) {
        let model = asset(file);
        let words = [("preset", preset), ("fit", "upright"), ("parts", "humanoid"), ("rate", "4"), ("measure", "none")];
        let character = baked(&model, &words).0.character;
        let (matrices, humanoid) = (matrices(&character), character.humanoid.as_ref().unwrap());
        let boxes = |bone: B| {
            let joint = humanoid.joint(bone).unwrap();
            let of_joint: Vec<[DVec3; 3]> = character
                .boxes
                .iter()
                .filter(|one| one.joint == joint)
                .map(|one| normals(one, &matrices[joint.index()]))
                .collect();
            assert!(!of_joint.is_empty(), "{file}, {preset}: {bone}");
            of_joint
        };
        for [_, up, _] in boxes(B::LeftFoot).into_iter().chain(boxes(B::RightFoot)) {
            assert!(are_parallel(up, DVec3::Y), "{file}, {preset}: a foot stands on {up}");
        }
        for [across, up, _] in straight.into_iter().flat_map(boxes) {
            assert!(are_parallel(up, DVec3::Y) && are_parallel(across, DVec3::X), "{file}, {preset}: {up} {across}");
        }
        for (bone, next) in along {
            let place = |bone| matrices[humanoid.joint(bone).unwrap().index()].translation.as_dvec3();
            let bone_axis = (place(next) - place(bone)).normalize();
            for [_, axis, _] in boxes(bone) {
                assert!(are_parallel(axis, bone_axis), "{file}, {preset}: {bone} lies along {axis}, not {bone_axis}");
            }
        }
    }
}

/// A hound has no humanoid. A joint with one joint below lies along its bone.
#[test]
fn without_a_humanoid_boxes_follow_the_hierarchy() {
    let model = asset("hound.glb");
    for preset in PRESETS {
        let words = [("preset", preset), ("fit", "upright"), ("rate", "4"), ("measure", "none")];
        let character = baked(&model, &words).0.character;
        let matrices = matrices(&character);
        let mut followed = 0;
        for hitbox in &character.boxes {
            let has_skin = |joint: usize| character.boxes.iter().any(|one| one.joint.index() == joint);
            let joints = character.skeleton.joints().iter().enumerate();
            let below: Vec<usize> =
                joints.filter(|(_, joint)| joint.parent == Some(hitbox.joint)).map(|(index, _)| index).collect();
            let [next] = below[..] else { continue };
            let bone = matrices[next].translation - matrices[hitbox.joint.index()].translation;
            if has_skin(next) {
                let [_, axis, _] = normals(hitbox, &matrices[hitbox.joint.index()]);
                assert!(are_parallel(axis, bone.as_dvec3().normalize()), "{preset}: {:?}", hitbox.joint);
                followed += 1;
            }
        }
        assert!(followed >= 10, "{preset}: {followed}");
    }
}

#[test]
fn upright_hitboxes_keep_the_promise() {
    let model = asset("bruno.glb");
    for preset in ["recipe", "tight", "cover"] {
        let words =
            [("preset", preset), ("fit", "upright"), ("attachments", "skip"), ("measure", "none"), ("poses", "bind")];
        assert!(check("bruno", &model, &words) > 10_000);
    }
    let man = import(&test_models::box_man().to_glb(), &NoExternalFiles).unwrap();
    for preset in ["recipe", "tight", "cover"] {
        for shape in ["box", "capsule", "sphere", "hull", "auto"] {
            check("box man", &man, &[("preset", preset), ("fit", "upright"), ("shape", shape)]);
        }
    }
}

/// Upright boxes that are fitted to clips hold all of the surface at every sample time.
#[test]
fn upright_boxes_cover_the_clips() {
    for file in ["runa.glb", "hound.glb"] {
        let words = [("preset", "cover"), ("fit", "upright"), ("rate", "4"), ("measure_times", "40")];
        let measured = baked(&asset(file), &words).0.report.measured.unwrap();
        assert!(measured.surface_clips == 1.0 && measured.surface_rest == 1.0, "{file}: {measured:?}");
        assert!(measured.max_escape <= 1e-6, "{file}: {measured:?}");
    }
}
