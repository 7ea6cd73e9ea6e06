//! Tests that the characters import without warnings, stand on the ground, and move as the names of their clips say.

use super::{EVERYONE, HUMANS};
use glam::{Affine3A, DVec3, Vec3};
use skeleton::Clip;
use skinned_model::SkinnedModel;
use skinned_model::skinning::skin_positions;

/// `model_from_joint` at a time of a clip in seconds, or at rest.
fn pose(model: &SkinnedModel, clip: Option<(&Clip, f32)>) -> Vec<Affine3A> {
    let mut local = model.skeleton.rest_pose();
    if let Some((clip, time)) = clip {
        clip.sample(time, &mut local);
    }
    let mut matrices = vec![Affine3A::IDENTITY; model.skeleton.len()];
    model.skeleton.model_from_joints(&local, &mut matrices);
    matrices
}

fn skin(model: &SkinnedModel, matrices: &[Affine3A]) -> Vec<DVec3> {
    model
        .meshes
        .iter()
        .flat_map(|mesh| skin_positions(mesh, matrices))
        .collect::<Option<_>>()
        .expect("every vertex has a joint")
}

fn index(model: &SkinnedModel, joint: &str) -> usize {
    model.skeleton.find(joint).expect("a joint of that name").index()
}

fn place(model: &SkinnedModel, matrices: &[Affine3A], joint: &str) -> Vec3 {
    matrices[index(model, joint)].translation.into()
}

fn clip<'model>(model: &'model SkinnedModel, name: &str) -> &'model Clip {
    model.clips.iter().find(|clip| clip.name == name).expect("a clip of that name")
}

/// Times over the whole clip, 1/30 second apart.
fn times(clip: &Clip) -> impl Iterator<Item = f32> {
    let ticks = (clip.seconds() * 30.0).round() as usize;
    (0..=ticks).map(|tick| tick as f32 / 30.0)
}

/// The lowest and the highest y of the points.
fn heights(points: &[DVec3]) -> (f64, f64) {
    points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p.y), high.max(p.y)))
}

#[test]
fn characters_import_without_a_warning() {
    for name in EVERYONE {
        let model = super::model(name);
        assert_eq!(model.warnings, [], "{name}");
        let clips: Vec<&str> = model.clips.iter().map(|clip| clip.name.as_str()).collect();
        if HUMANS.contains(&name) {
            assert_eq!(model.skeleton.len(), 53, "{name}");
            assert_eq!(clips, ["idle", "walk", "guard", "jab", "roundhouse_kick", "hit"], "{name}");
            assert!(model.attachments.is_empty());
        } else {
            assert_eq!(clips, ["idle", "walk", "bite"], "{name}");
            let collar = &model.attachments[0];
            assert_eq!(model.skeleton.joint(collar.joint).name, "neck_01");
        }
    }
}

#[test]
fn weights_sum_to_one_and_the_first_is_the_largest() {
    for name in EVERYONE {
        for mesh in &super::model(name).meshes {
            for vertex in 0..mesh.positions.len() {
                let (_, weights) = mesh.influences.of(vertex);
                // The stored bytes sum to 255, and each is rounded once when it is divided.
                assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{name}, vertex {vertex}: {weights:?}");
                assert!(weights.iter().all(|weight| *weight <= weights[0]), "{name}, vertex {vertex}");
            }
        }
    }
}

#[test]
fn rest_pose_is_the_bind_pose_and_stands_at_the_origin() {
    for name in EVERYONE {
        let model = super::model(name);
        let posed = skin(&model, &pose(&model, None));
        let bound: Vec<DVec3> = model.meshes.iter().flat_map(|m| &m.positions).map(|p| p.as_dvec3()).collect();
        for (posed, bound) in posed.iter().zip(&bound) {
            assert!(posed.abs_diff_eq(*bound, 2e-6), "{name}: {posed} at rest, {bound} when bound");
        }
        let (low, high) = heights(&posed);
        assert!((-1e-6..0.003).contains(&low), "{name}: soles at {low}");
        let expected = [("runa", 1.70), ("bruno", 1.89), ("hound", 1.075)].into_iter().find(|(n, _)| *n == name);
        assert!((high - expected.unwrap().1).abs() < 0.01, "{name} has a height of {high} m");
        let sum_x: f64 = posed.iter().map(|p| p.x).sum();
        assert!((sum_x / posed.len() as f64).abs() < 0.002, "{name} is centered on x = 0");
    }
}

#[test]
fn clips_are_finite_and_stay_on_the_ground() {
    for name in EVERYONE {
        let model = super::model(name);
        let rest_height = heights(&skin(&model, &pose(&model, None))).1;
        for clip in &model.clips {
            for time in times(clip) {
                let points = skin(&model, &pose(&model, Some((clip, time))));
                assert!(points.iter().all(|point| point.is_finite()), "{name} {} {time}", clip.name);
                let (low, high) = heights(&points);
                assert!((-0.004..0.008).contains(&low), "{name} {} at {time}: soles at {low}", clip.name);
                assert!(high < rest_height * 1.05 && high > rest_height * 0.7, "{name} {} {time}: {high}", clip.name);
            }
        }
    }
}

#[test]
fn cyclic_clips_end_with_their_first_pose() {
    for (name, cycles) in
        [("runa", &["idle", "walk", "guard"][..]), ("bruno", &["idle", "walk", "guard"]), ("hound", &["idle", "walk"])]
    {
        let model = super::model(name);
        for cycle in cycles {
            let clip = clip(&model, cycle);
            let (first, last) = (pose(&model, Some((clip, 0.0))), pose(&model, Some((clip, clip.seconds()))));
            for (a, b) in first.iter().zip(&last) {
                assert!(a.abs_diff_eq(*b, 1e-4), "{name} {cycle}");
            }
        }
    }
}

#[test]
fn wrists_stay_clear_of_the_spine() {
    for name in HUMANS {
        let model = super::model(name);
        for clip in &model.clips {
            for time in times(clip) {
                let matrices = pose(&model, Some((clip, time)));
                for wrist in ["hand_l", "hand_r"].map(|joint| place(&model, &matrices, joint)) {
                    for spine in ["pelvis", "spine_01", "spine_02", "spine_03", "neck_01"] {
                        let distance = wrist.distance(place(&model, &matrices, spine));
                        assert!(distance > 0.15, "{name} {} at {time}: wrist {distance} from {spine}", clip.name);
                    }
                }
            }
        }
    }
}

#[test]
fn walking_feet_take_turns() {
    for name in HUMANS {
        let model = super::model(name);
        let walk = clip(&model, "walk");
        let (mut left_in_front, mut right_in_front) = (0.0_f32, 0.0_f32);
        for time in times(walk) {
            let matrices = pose(&model, Some((walk, time)));
            let lead = place(&model, &matrices, "ball_l").z - place(&model, &matrices, "ball_r").z;
            left_in_front = left_in_front.max(lead);
            right_in_front = right_in_front.max(-lead);
        }
        assert!((left_in_front - right_in_front).abs() < 0.03, "{name} limps: {left_in_front} {right_in_front}");
        assert!((0.4..0.7).contains(&left_in_front), "{name}: steps of {left_in_front} m");
    }
}

#[test]
fn the_jab_goes_out_level_with_the_face_and_returns() {
    for name in HUMANS {
        let model = super::model(name);
        let jab = clip(&model, "jab");
        let knuckle = |time: f32| place(&model, &pose(&model, Some((jab, time))), "middle_02_l");
        let farthest = times(jab).max_by(|a, b| knuckle(*a).z.total_cmp(&knuckle(*b).z)).unwrap();
        assert!((0.23..=0.35).contains(&farthest), "{name}: farthest at {farthest}");
        let (out, back) = (knuckle(farthest), knuckle(0.0));
        assert!((0.65..0.90).contains(&out.z), "{name}: the fist reaches {}", out.z);
        assert!(out.z - back.z > 0.3, "{name}: from {} to {}", back.z, out.z);
        let standing_head = place(&model, &pose(&model, None), "head").y;
        assert!((out.y - standing_head).abs() < 0.12, "{name}: fist at {}, head joint at {standing_head}", out.y);
        assert!(knuckle(jab.seconds()).distance(back) < 1e-3);
    }
}

#[test]
fn the_kick_swings_in_from_the_side_at_chest_height() {
    for name in HUMANS {
        let model = super::model(name);
        let kick = clip(&model, "roundhouse_kick");
        let foot = |time: f32| place(&model, &pose(&model, Some((kick, time))), "foot_r");
        let rest = pose(&model, None);
        let (chamber, strike) = (foot(0.32), foot(0.46));
        assert!(chamber.x < -0.35, "{name}: drawn out to the right, {chamber}");
        assert!(strike.x.abs() < 0.2 && strike.z > 0.75, "{name}: in front, {strike}");
        let (belly, head) = (place(&model, &rest, "spine_02").y, place(&model, &rest, "head").y);
        assert!((belly..head).contains(&strike.y), "{name}: at {}", strike.y);
    }
}

#[test]
fn the_bite_opens_the_mouth_and_lunges() {
    let model = super::model("hound");
    let bite = clip(&model, "bite");
    let gape = |time: f32| {
        let matrices = pose(&model, Some((bite, time)));
        let of = |joint: &str| matrices[index(&model, joint)];
        let turn = of("head").inverse() * of("jaw");
        turn.transform_vector3(Vec3::Y).distance(gape_rest(&model))
    };
    assert!(gape(0.0) < 1e-3 && gape(0.52) > 0.4, "{} then {}", gape(0.0), gape(0.52));
    let head = |time: f32| place(&model, &pose(&model, Some((bite, time))), "head");
    assert!(head(0.52).z - head(0.0).z > 0.2, "lunges from {} to {}", head(0.0), head(0.52));
}

/// The direction of the jaw at rest, in the space of the head.
fn gape_rest(model: &SkinnedModel) -> Vec3 {
    let rest = pose(model, None);
    let of = |joint: &str| rest[index(model, joint)];
    (of("head").inverse() * of("jaw")).transform_vector3(Vec3::Y)
}

#[test]
fn the_two_sides_of_the_hound_are_mirror_images() {
    let model = super::model("hound");
    let points: Vec<Vec3> = model.meshes.iter().flat_map(|mesh| mesh.positions.clone()).collect();
    for point in &points {
        let mirrored = Vec3::new(-point.x, point.y, point.z);
        assert!(points.iter().any(|other| other.distance_squared(mirrored) < 1e-10), "{point} has no mirror image");
    }
}
