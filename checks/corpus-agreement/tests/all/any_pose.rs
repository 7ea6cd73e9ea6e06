//! Tests that with `poses = any` no corner of the surface leaves the boxes in any pose of the joints.
//!
//! By default the run is short. `BONEBOX_LONG=1` tests a million random poses.

use corpus_agreement::any_pose::AnyPose;
use glam::{Affine3A, Mat3, Quat, Vec3};
use runtime::{ClipIndex, ClipSampler, PoseLayer};
use skeleton::{Joint, JointIndex, LocalTransform, NodeIndex, Skeleton, Trs};
use skinned_model::{Influences, SkinnedMesh, SkinnedModel};
use test_models::Random;

const JOINTS: u16 = 6;

#[allow(clippy::disallowed_methods, reason = "a random turn: its last bits do not matter")]
pub(super) fn turn(random: &mut Random, most_degrees: f32) -> Quat {
    let axis = random.vector().try_normalize().unwrap_or(Vec3::Y);
    Quat::from_axis_angle(axis, most_degrees.to_radians() * random.signed())
}

/// A tube with a branch. Random joints, `influences` of them, move each vertex.
fn tube(influences: usize) -> SkinnedModel {
    let mut random = Random::new(influences as u64);
    let joint = |index: u16| Joint {
        name: format!("j{index}"),
        node: NodeIndex(u32::from(index)),
        parent: index.checked_sub(1 + u16::from(index == 4)).map(JointIndex),
        rest: LocalTransform::Trs(Trs { translation: Vec3::Y * f32::from(index.min(1)), ..Trs::IDENTITY }),
        skinned: true,
    };
    let skeleton = Skeleton::new((0..JOINTS).map(joint).collect()).unwrap();
    let bind = skeleton.rest_matrices();
    let (rings, around) = (12u32, [Vec3::X, Vec3::Z, -Vec3::X, -Vec3::Z]);
    let mut mesh = SkinnedMesh {
        name: "tube".into(),
        names: skinned_model::MeshNames::default(),
        node: NodeIndex(9),
        joints: (0..JOINTS).map(JointIndex).collect(),
        joint_from_mesh: bind.iter().map(Affine3A::inverse).collect(),
        positions: Vec::new(),
        influences: Influences { per_vertex: influences.next_multiple_of(4), slots: Vec::new(), weights: Vec::new() },
        triangles: Vec::new(),
        normals: vec![],
        texture_coordinates: vec![],
    };
    for ring in 0..rings {
        for at in around {
            let height = 0.4 * ring as f32;
            mesh.positions.push(0.3 * at + Vec3::Y * height + 0.05 * random.vector());
            for slot in 0..mesh.influences.per_vertex {
                let near = (height as usize + random.below(influences.min(3) + 1)).min(usize::from(JOINTS) - 1);
                let any = if random.below(4) == 0 { random.below(usize::from(JOINTS)) } else { near };
                mesh.influences.slots.push(any as u16);
                let weight = if slot < influences { 0.05 + random.signed().abs() } else { 0.0 };
                mesh.influences.weights.push(weight);
            }
        }
    }
    for ring in 0..rings - 1 {
        for side in 0..4 {
            let [a, b] = [side, (side + 1) % 4].map(|side| 4 * ring + side);
            mesh.triangles.extend([[a, b, a + 4], [b, b + 4, a + 4]]);
        }
    }
    SkinnedModel { skeleton, meshes: vec![mesh], ..SkinnedModel::default() }
}

/// A pose with every joint turned, and with stretched and moved joints with `stretched`.
fn turned(skeleton: &Skeleton, random: &mut Random, most_degrees: f32, stretched: bool) -> Vec<Affine3A> {
    let mut local = skeleton.rest_pose();
    for joint in &mut local {
        if let LocalTransform::Trs(trs) = joint {
            trs.rotation = (trs.rotation * turn(random, most_degrees)).normalize();
            if stretched {
                trs.scale *= Vec3::ONE + 0.9 * random.vector();
                trs.translation += 0.3 * random.vector();
            }
        }
    }
    let mut matrices = vec![Affine3A::IDENTITY; skeleton.len()];
    skeleton.model_from_joints(&local, &mut matrices);
    matrices
}

/// Matrices that no skeleton has: of any size, singular, mirrored, or far away.
fn hostile(joints: usize, random: &mut Random) -> Vec<Affine3A> {
    let size = |random: &mut Random| 10f32.powi(random.below(13) as i32 - 6);
    let matrix = |random: &mut Random| {
        let scale = size(random);
        let mut columns = [scale * random.vector(), scale * random.vector(), scale * random.vector()];
        match random.below(6) {
            0 => columns[2] = columns[1],
            1 => columns[0] = Vec3::ZERO,
            2 => columns = [Vec3::ZERO; 3],
            3 => columns[1] *= -1e3,
            _ => {}
        }
        let far = size(random);
        Affine3A::from_mat3_translation(Mat3::from_cols(columns[0], columns[1], columns[2]), far * random.vector())
    };
    (0..joints).map(|_| matrix(random)).collect()
}

fn world(random: &mut Random) -> Affine3A {
    let far = 10f32.powi(random.below(5) as i32);
    let scale = if random.below(3) == 0 { Vec3::new(-1.0, 1.0, 1.0) } else { Vec3::splat(1.0 + 0.5 * random.signed()) };
    Affine3A::from_scale_rotation_translation(scale, turn(random, 180.0), far * random.vector())
}

/// Returns `short`, or `long` if `BONEBOX_LONG` is set.
fn count(short: usize, long: usize) -> usize {
    if std::env::var_os("BONEBOX_LONG").is_some() { long } else { short }
}

#[test]
fn no_corner_leaves_its_boxes_in_random_poses() {
    for (influences, words) in [
        (1, &[][..]),
        (2, &[]),
        (4, &[("budget", "2")]),
        (4, &[("envelope_bytes", "0")]),
        (8, &[("envelope_bytes", "200000")]),
    ] {
        let checked = AnyPose::new(tube(influences), words);
        let skeleton = &checked.model().skeleton;
        let mut random = Random::new(7);
        let moving = checked.character().baked().envelopes.iter().filter(|envelope| !envelope.clusters.is_empty());
        assert!(moving.count() >= usize::from(JOINTS) - 1 && checked.corners() > 100);
        for pose in 0..count(60, 200_000) {
            let placed = if pose % 3 == 0 { Affine3A::IDENTITY } else { world(&mut random) };
            let matrices = turned(skeleton, &mut random, [20.0, 45.0, 180.0][pose % 3], pose % 5 == 0);
            checked.check(&placed, &matrices).unwrap();
        }
    }
}

#[test]
fn no_corner_leaves_its_boxes_under_hostile_matrices() {
    let mut refused = 0;
    for influences in [2, 4, 8] {
        let checked = AnyPose::new(tube(influences), &[]);
        let mut random = Random::new(9);
        for pose in 0..count(150, 100_000) {
            let mut matrices = hostile(usize::from(JOINTS), &mut random);
            match pose % 4 {
                0 => matrices[random.below(usize::from(JOINTS))].matrix3 *= 1e9,
                1 => {
                    // One joint out of order.
                    let odd = random.below(usize::from(JOINTS));
                    let kept = matrices[odd];
                    matrices = turned(&checked.model().skeleton, &mut random, 90.0, false);
                    matrices[odd] = kept;
                }
                _ => {}
            }
            refused += usize::from(checked.check(&world(&mut random), &matrices).is_err());
        }
    }
    assert!(refused < count(150, 100_000), "{refused} poses were refused");
}

/// A number that is not finite is refused wherever it is: in the matrix of a box's joint, or of a joint that only moves it.
#[test]
fn what_is_not_finite_is_refused() {
    let checked = AnyPose::new(tube(4), &[]);
    let rest = checked.character().rest_matrices().to_vec();
    checked.check(&Affine3A::IDENTITY, &rest).unwrap();
    for joint in 0..rest.len() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
            for column in 0..4 {
                let mut matrices = rest.clone();
                match column {
                    3 => matrices[joint].translation.y = bad,
                    column => matrices[joint].matrix3.col_mut(column).z = bad,
                }
                let error = checked.check(&Affine3A::IDENTITY, &matrices).unwrap_err();
                if !bad.is_finite() {
                    let named =
                        matches!(error, runtime::PoseError::OutOfRange { joint: found, .. } if found.index() == joint);
                    assert!(named, "{error}");
                }
            }
        }
    }
}

/// An update of some joints gives the same boxes as a pose of all joints.
#[test]
fn updates_of_some_joints_are_those_of_all() {
    let checked = AnyPose::new(tube(4), &[]);
    let (character, mut random) = (checked.character(), Random::new(3));
    for _ in 0..20 {
        let before = turned(&checked.model().skeleton, &mut random, 90.0, false);
        let mut after = before.clone();
        let joint = JointIndex(random.below(usize::from(JOINTS)) as u16);
        after[joint.index()] = Affine3A::from_rotation_translation(turn(&mut random, 90.0), random.vector());
        let (mut updated, mut whole) = (runtime::PosedCharacter::new(), runtime::PosedCharacter::new());
        updated.pose_from_world(character, &before).unwrap();
        updated.update_joints(character, &after, &[joint]).unwrap();
        whole.pose_from_world(character, &after).unwrap();
        assert_eq!(updated.boxes().collect::<Vec<_>>(), whole.boxes().collect::<Vec<_>>());
        assert_eq!(updated.bounds(), whole.bounds());
    }
}

/// Clips, and every blend half-way between two of them.
#[test]
fn no_corner_leaves_its_boxes_in_clips_and_blends() {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/runa.glb")).unwrap();
    let model = skinned_model::import(&bytes, &skinned_model::NoExternalFiles).unwrap();
    let checked = AnyPose::new(model, &[]);
    clips_and_blends(&checked, count(4, 400));
}

/// Checks this number of poses of clips, and the same number half-way between two clips.
pub(super) fn clips_and_blends(checked: &AnyPose, poses: usize) {
    let (character, mut sampler, mut random) = (checked.character(), ClipSampler::new(), Random::new(5));
    sampler.set_joints(runtime::SampleJoints::All);
    let clips = character.clips();
    assert!(!clips.is_empty());
    let moment = |random: &mut Random| {
        let clip = random.below(clips.len());
        (ClipIndex(clip as u32), clips[clip].seconds() * random.signed().abs())
    };
    for _ in 0..poses {
        let (clip, seconds) = moment(&mut random);
        let matrices = sampler.sample(character, clip, seconds).unwrap().to_vec();
        checked.check(&Affine3A::IDENTITY, &matrices).unwrap();
        let (other, at) = moment(&mut random);
        let layers = [PoseLayer::blend(clip, seconds, 1.0), PoseLayer::blend(other, at, 0.5)];
        let matrices = sampler.sample_layers(character, &layers).unwrap().to_vec();
        checked.check(&world(&mut random), &matrices).unwrap();
    }
}

/// Checks poses with every joint turned; in every fourth pose joints are stretched too.
pub(super) fn random_turns(checked: &AnyPose, poses: usize) {
    let mut random = Random::new(11);
    for pose in 0..poses {
        let most = [20.0, 45.0, 180.0][pose % 3];
        let matrices = turned(&checked.model().skeleton, &mut random, most, pose % 4 == 3);
        checked.check(&Affine3A::IDENTITY, &matrices).unwrap();
    }
}
