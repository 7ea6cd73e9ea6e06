//! Sampled clips against the curves of the file: `skeleton::Clip::sample` is the slow twin.

use baked_characters::baked_arm;
use glam::{Affine3A, Mat3, Quat, Vec3};
use proptest::prelude::*;
use runtime::kernels::Kernel;
use runtime::{
    Character, ClipIndex, ClipSampler, JointMask, LayerMode, PoseError, PoseLayer, PosedCharacter, SampleJoints,
};
use skeleton::{Channel, Clip, Interpolation, Joint, JointIndex, LocalTransform, Property, Skeleton, Trs};

/// `model_from_joint` by the file's own curves.
fn exact(character: &Character, clip: &Clip, seconds: f32) -> Vec<Affine3A> {
    let mut local = character.skeleton().rest_pose();
    clip.sample(seconds, &mut local);
    let mut matrices = vec![Affine3A::IDENTITY; local.len()];
    character.skeleton().model_from_joints(&local, &mut matrices);
    matrices
}

/// The differences of two matrices: the angle between their axes in degrees, and the distance of their origins.
fn differences(a: &Affine3A, b: &Affine3A) -> (f32, f32) {
    let axes = [
        (a.matrix3.x_axis - b.matrix3.x_axis).length(),
        (a.matrix3.y_axis - b.matrix3.y_axis).length(),
        (a.matrix3.z_axis - b.matrix3.z_axis).length(),
    ];
    (axes.into_iter().fold(0.0, f32::max).to_degrees(), (a.translation - b.translation).length())
}

/// The bits of one matrix.
fn bits_of(matrix: &Affine3A) -> [u32; 12] {
    matrix.to_cols_array().map(f32::to_bits)
}

/// The bits of all matrices: `==` takes 0 and -0 as equal.
fn bits(matrices: &[Affine3A]) -> Vec<[u32; 12]> {
    matrices.iter().map(bits_of).collect()
}

#[test]
fn our_characters_stay_near_the_exact_curves_at_every_time() {
    for name in ["runa", "bruno", "hound"] {
        let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
        let character = Character::load(&std::fs::read(&path).unwrap()).unwrap();
        let height = character.rest_matrices().iter().map(|matrix| matrix.translation.y).fold(0.0, f32::max);
        let mut samplers: Vec<_> = Kernel::available().map(ClipSampler::with_kernel).collect();
        let mut worst = (0.0f32, 0.0f32);
        for (index, clip) in character.clips().iter().enumerate() {
            // Sixteen times between two frames at 60 Hz, and a little beyond both ends.
            let steps = (clip.seconds() * 960.0) as i32;
            for step in -2..=steps + 2 {
                let seconds = clip.start() + step as f32 / 960.0;
                let expected = exact(&character, clip, seconds);
                let mut of_scalar: Option<Vec<[u32; 12]>> = None;
                for sampler in &mut samplers {
                    let found = sampler.sample(&character, ClipIndex(index as u32), seconds).unwrap();
                    for (found, expected) in found.iter().zip(&expected) {
                        let (angle, way) = differences(found, expected);
                        worst = (worst.0.max(angle), worst.1.max(way / height));
                    }
                    let found = bits(found);
                    assert_eq!(of_scalar.get_or_insert_with(|| found.clone()), &found, "{name}, {index}, {seconds}");
                }
            }
        }
        // 0.02 degrees and 1e-4 of the height are what a game may rely on; what is found is single precision's rounding.
        assert!(worst.0 < 2e-4 && worst.1 < 2e-6, "{name}: {worst:?}");
    }
}

/// A value's seed, and a key time for each in sixteenths of a second.
type Keys = Vec<(u8, [i8; 4])>;

#[derive(Clone, Debug)]
struct Curve {
    joint: u16,
    property: u8,
    interpolation: u8,
    keys: Keys,
    constant: bool,
}

fn curve() -> impl Strategy<Value = Curve> {
    // Most channels share one list of times, as in most files.
    let keys = prop_oneof![
        2 => prop::collection::vec(any::<[i8; 4]>(), 9)
            .prop_map(|values| values.into_iter().enumerate().map(|(i, value)| (4 * i as u8, value)).collect()),
        1 => prop::collection::vec((0u8..40, any::<[i8; 4]>()), 1..8),
    ];
    (0u16..40, 0u8..3, 0u8..8, keys, prop::bool::weighted(0.2)).prop_map(
        |(joint, property, interpolation, keys, constant)| Curve { joint, property, interpolation, keys, constant },
    )
}

/// 40 joints, each a root, so that their matrices are local transforms; every seventh is given by a matrix, every third
/// has no hitbox.
fn character(curves: Vec<Curve>) -> Character {
    character_with_parents(curves, |_| None)
}

/// The same, with the parents that the function returns.
fn character_with_parents(curves: Vec<Curve>, parent: impl Fn(usize) -> Option<JointIndex>) -> Character {
    let mut baked = baked_arm("random");
    let joint = |index: usize| {
        let trs = Trs { translation: Vec3::X * index as f32, ..Trs::IDENTITY };
        let shear = Mat3::from_cols(Vec3::X, Vec3::new(0.5, 1.0, 0.0), Vec3::Z);
        let rest = match index % 7 {
            6 => LocalTransform::Matrix(Affine3A::from_mat3(shear)),
            _ => LocalTransform::Trs(trs),
        };
        Joint { name: format!("joint {index}"), rest, parent: parent(index), ..Joint::default() }
    };
    baked.skeleton = Skeleton::new((0..40).map(joint).collect()).unwrap();
    let hitbox = baked.boxes[0].clone();
    let boxes = (0..40).filter(|joint| joint % 3 != 0);
    baked.boxes = boxes.map(|joint| baked_format::Hitbox { joint: JointIndex(joint), ..hitbox.clone() }).collect();
    let mut clip = Clip { name: "clip".into(), timelines: Vec::new(), channels: Vec::new() };
    for mut curve in curves {
        let property = [Property::Translation, Property::Rotation, Property::Scale][usize::from(curve.property)];
        let interpolation = match curve.interpolation {
            0 => Interpolation::Step,
            1 => Interpolation::CubicSpline,
            _ => Interpolation::Linear,
        };
        let is_known = clip.channels.iter().any(|known| known.joint.0 == curve.joint && known.property == property);
        if is_known || curve.joint % 7 == 6 {
            continue;
        }
        curve.keys.sort_unstable();
        curve.keys.dedup_by_key(|key| key.0);
        let times: Vec<f32> = curve.keys.iter().map(|key| f32::from(key.0) / 16.0).collect();
        let first = curve.keys[0].1;
        let value = |seed: [i8; 4]| {
            let seed = if curve.constant { first } else { seed }.map(|number| f32::from(number) / 64.0);
            match property {
                Property::Rotation => {
                    let [x, y, z, w] = seed;
                    let rotation = Quat::from_xyzw(x, y, z, w + 0.01);
                    // Some exporters write rotations that are not of unit length.
                    let length = if curve.joint == 5 { 0.9 } else { 1.0 };
                    (rotation.normalize() * length).to_array().to_vec()
                }
                Property::Translation | Property::Scale => seed[..3].to_vec(),
            }
        };
        let values = curve.keys.iter().flat_map(|key| {
            let tangent = vec![0.5; property.width()];
            match interpolation {
                Interpolation::CubicSpline => [tangent.clone(), value(key.1), tangent].concat(),
                _ => value(key.1),
            }
        });
        let values = values.collect();
        let known = clip.timelines.iter().position(|known| *known == times);
        let timeline = known.unwrap_or_else(|| {
            clip.timelines.push(times);
            clip.timelines.len() - 1
        });
        let (joint, timeline) = (JointIndex(curve.joint), timeline as u32);
        clip.channels.push(Channel { joint, property, interpolation, timeline, values });
    }
    clip.channels.sort_by_key(|channel| (channel.joint, channel.property));
    assert_eq!(clip.validate(&baked.skeleton), Ok(()));
    (baked.clips, baked.coverage) = (vec![clip], None);
    Character::from_baked(baked)
}

/// Layers joint by joint, by glam's own products of quaternions.
fn layers_one_by_one(character: &Character, layers: &[(PoseLayer, &[f32])]) -> Vec<Affine3A> {
    let clip = &character.clips()[0];
    let sampled = |seconds: f32| {
        let mut local = character.skeleton().rest_pose();
        clip.sample(seconds, &mut local);
        local
    };
    let mut pose = character.skeleton().rest_pose();
    let first = sampled(clip.start());
    for (layer, of_joints) in layers {
        for (joint, (local, other)) in pose.iter_mut().zip(sampled(layer.seconds)).enumerate() {
            let weight = layer.weight.clamp(0.0, 1.0) * of_joints[joint];
            let (LocalTransform::Trs(a), LocalTransform::Trs(b), LocalTransform::Trs(from)) =
                (local, other, &first[joint])
            else {
                continue;
            };
            match layer.mode {
                LayerMode::Blend => {
                    let near = if a.rotation.dot(b.rotation) < 0.0 { -b.rotation } else { b.rotation };
                    a.rotation = (a.rotation * (1.0 - weight) + near * weight).normalize();
                    a.translation += (b.translation - a.translation) * weight;
                    a.scale += (b.scale - a.scale) * weight;
                }
                LayerMode::Add => {
                    let change = b.rotation * from.rotation.conjugate();
                    let change = if change.w < 0.0 { -change } else { change };
                    a.rotation = ((Quat::IDENTITY * (1.0 - weight) + change * weight) * a.rotation).normalize();
                    a.translation += (b.translation - from.translation) * weight;
                    a.scale *= Vec3::ONE + (b.scale / from.scale - Vec3::ONE) * weight;
                }
            }
        }
    }
    let mut matrices = vec![Affine3A::IDENTITY; pose.len()];
    character.skeleton().model_from_joints(&pose, &mut matrices);
    matrices
}

#[test]
fn layers_of_our_characters_are_what_joints_one_by_one_give() {
    let path = format!("{}/../../assets/runa.bonebox", env!("CARGO_MANIFEST_DIR"));
    let runa = Character::load(&std::fs::read(path).unwrap()).unwrap();
    let clip = &runa.clips()[0];
    let spine = runa.skeleton().joints().iter().position(|joint| joint.name.to_lowercase().contains("spine")).unwrap();
    let upper = JointMask::below(&runa, JointIndex(spine as u16)).unwrap();
    let joints = runa.skeleton().joints();
    let is_upper = |mut joint: usize| loop {
        match joints[joint].parent {
            _ if joint == spine => return true,
            Some(parent) => joint = parent.index(),
            None => return false,
        }
    };
    let of_upper: Vec<f32> = (0..joints.len()).map(|joint| f32::from(u8::from(is_upper(joint)))).collect();
    assert!(of_upper.contains(&0.0) && of_upper.contains(&1.0));
    let graded = JointMask::new(&runa, |joint| f32::from(joint.0 % 5) - 0.5);
    let of_graded: Vec<f32> = (0..joints.len()).map(|joint| ((joint % 5) as f32 - 0.5).clamp(0.0, 1.0)).collect();
    let all = vec![1.0; joints.len()];
    let at = |share: f32| clip.start() + share * clip.seconds();
    let index = ClipIndex(0);
    let layers: [(PoseLayer, &[f32]); 6] = [
        (PoseLayer::blend(index, at(0.1), 0.7), &all),
        (PoseLayer::blend(index, at(0.5), 0.4), &all),
        (PoseLayer::blend(index, at(0.8), 0.9).masked(&upper), &of_upper),
        (PoseLayer::add(index, at(0.4), 0.6), &all),
        (PoseLayer::blend(index, at(0.3), 0.5).masked(&graded), &of_graded),
        (PoseLayer::add(index, at(0.9), 2.0).masked(&upper), &of_upper),
    ];
    for count in 0..=layers.len() {
        let expected = layers_one_by_one(&runa, &layers[..count]);
        let these: Vec<PoseLayer> = layers[..count].iter().map(|(layer, _)| layer.clone()).collect();
        let mut of_scalar: Option<Vec<[u32; 12]>> = None;
        for kernel in Kernel::available() {
            let mut sampler = ClipSampler::with_kernel(kernel);
            sampler.set_joints(SampleJoints::All);
            let found = sampler.sample_layers(&runa, &these).unwrap();
            for (found, expected) in found.iter().zip(&expected) {
                let (angle, way) = differences(found, expected);
                assert!(angle < 1e-3 && way < 1e-5, "{count} layers, {kernel:?}: {angle} degrees and {way}");
            }
            let found = bits(found);
            assert_eq!(of_scalar.get_or_insert_with(|| found.clone()), &found, "{kernel:?}");
        }
    }
    // A layer of full weight hides those before it.
    let mut sampler = ClipSampler::new();
    let whole = PoseLayer::blend(index, at(0.2), 1.0);
    let layered = sampler.sample_layers(&runa, &[layers[0].0.clone(), whole]).unwrap().to_vec();
    for (layered, sampled) in layered.iter().zip(sampler.sample(&runa, index, at(0.2)).unwrap()) {
        assert!(layered == sampled || (layered.is_nan() && sampled.is_nan()));
    }
}

#[test]
fn layers_that_cannot_be_are_refused() {
    let [arm, mut other] = ["arm", "other"].map(baked_arm);
    other.skeleton = Skeleton::new(other.skeleton.joints()[..3].to_vec()).unwrap();
    let (arm, other) = (Character::from_baked(arm), Character::from_baked(other));
    let mask = JointMask::new(&other, |_| 1.0);
    assert_eq!(mask.character_name(), "other");
    let wave = ClipIndex(0);
    let refused = |layer: PoseLayer| {
        let mut posed = PosedCharacter::new();
        let error = posed.pose_from_layers(&mut ClipSampler::new(), &arm, &Affine3A::IDENTITY, &[layer]).unwrap_err();
        assert!(!posed.is_posed());
        error
    };
    assert!(matches!(refused(PoseLayer::blend(wave, 0.0, 0.5).masked(&mask)), PoseError::OtherMask { .. }));
    assert!(matches!(refused(PoseLayer::add(wave, 0.0, f32::NAN)), PoseError::NotANumber { .. }));
    assert!(matches!(refused(PoseLayer::add(wave, f32::NAN, 0.5)), PoseError::NotANumber { .. }));
    assert!(matches!(refused(PoseLayer::blend(ClipIndex(7), 0.0, 1.0)), PoseError::NoClip { .. }));
    assert!(matches!(JointMask::below(&arm, JointIndex(4)), Err(PoseError::NoJoint { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Lines, arcs, steps and splines, at times that channels share or not: near the file's curves, and with the same
    /// bits by every kernel, for any requested joints and any earlier samples.
    #[test]
    fn clips_of_all_kinds_are_sampled_as_the_file_says(
        curves in prop::collection::vec(curve(), 0..60),
        times in prop::collection::vec(-0.5f32..3.0, 4),
        joint in 0u16..40,
    ) {
        let character = character(curves);
        let clip = &character.clips()[0];
        let mut samplers: Vec<_> = Kernel::available().map(ClipSampler::with_kernel).collect();
        for seconds in times.into_iter().chain([0.25, 0.5, 1.0]) {
            let expected = exact(&character, clip, seconds);
            let mut of_scalar: Option<Vec<[u32; 12]>> = None;
            for sampler in &mut samplers {
                sampler.set_joints(SampleJoints::All);
                let found = sampler.sample(&character, ClipIndex(0), seconds).unwrap().to_vec();
                for (found, expected) in found.iter().zip(&expected) {
                    let size = 1.0 + expected.matrix3.to_cols_array().into_iter().fold(0.0, |a: f32, b| a.max(b.abs()));
                    let (angle, way) = differences(found, expected);
                    prop_assert!(angle <= 2e-3 * size && way <= 2e-6 * (1.0 + expected.translation.length()));
                }
                let found = bits(&found);
                prop_assert_eq!(of_scalar.get_or_insert_with(|| found.clone()), &found);
                sampler.set_joints(SampleJoints::These(vec![JointIndex(joint)]));
                let these = sampler.sample(&character, ClipIndex(0), seconds).unwrap();
                prop_assert_eq!(bits(these)[usize::from(joint)], found[usize::from(joint)]);
                sampler.set_joints(SampleJoints::WithBoxes);
                let needed = sampler.sample(&character, ClipIndex(0), seconds).unwrap();
                for (index, (needed, found)) in needed.iter().zip(&found).enumerate() {
                    let is_right = if index % 3 == 0 { needed.is_nan() } else { bits_of(needed) == *found };
                    prop_assert!(is_right);
                }
            }
        }
    }

    /// Each joint is a root or has an earlier joint as its parent, so most matrices are products.
    #[test]
    fn products_of_joints_have_the_same_bits_by_every_kernel(
        curves in prop::collection::vec(curve(), 0..60),
        parents in prop::collection::vec(any::<prop::sample::Index>(), 40),
        seconds in -0.5f32..3.0,
        joint in 0u16..40,
    ) {
        let parent = |index: usize| {
            let parent = parents[index].index(index + 1);
            (parent < index).then_some(JointIndex(parent as u16))
        };
        let character = character_with_parents(curves, parent);
        let mut local = character.skeleton().rest_pose();
        character.clips()[0].sample(seconds, &mut local);
        let mut expected = vec![Affine3A::IDENTITY; local.len()];
        character.skeleton().model_from_joints(&local, &mut expected);
        let mut of_scalar: Option<Vec<[u32; 12]>> = None;
        for kernel in Kernel::available() {
            let mut sampler = ClipSampler::with_kernel(kernel);
            sampler.set_joints(SampleJoints::All);
            let found = sampler.sample(&character, ClipIndex(0), seconds).unwrap().to_vec();
            // Long chains of scales make large matrices, so the error counts beside the largest number of the pose.
            let numbers = |matrix: &Affine3A| matrix.to_cols_array();
            let size = expected.iter().flat_map(numbers).fold(1.0, |size: f32, number| size.max(number.abs()));
            for (found, expected) in found.iter().flat_map(numbers).zip(expected.iter().flat_map(numbers)) {
                prop_assert!((found - expected).abs() <= 1e-4 * size, "{found} {expected} {size}");
            }
            let found = bits(&found);
            prop_assert_eq!(of_scalar.get_or_insert_with(|| found.clone()), &found);
            sampler.set_joints(SampleJoints::These(vec![JointIndex(joint)]));
            let these = sampler.sample(&character, ClipIndex(0), seconds).unwrap();
            prop_assert_eq!(bits(these)[usize::from(joint)], found[usize::from(joint)]);
        }
    }

    #[test]
    fn blends_have_the_same_bits_by_every_kernel(
        curves in prop::collection::vec(curve(), 0..60),
        [from, to] in prop::array::uniform2(0f32..2.5),
        weight in -0.5f32..1.5,
    ) {
        let character = character(curves);
        let blend = |kernel| {
            let layers = [(from, 1.0), (to, weight)].map(|(at, weight)| PoseLayer::blend(ClipIndex(0), at, weight));
            ClipSampler::with_kernel(kernel).sample_layers(&character, &layers).map(bits).unwrap()
        };
        let expected = blend(Kernel::Scalar);
        for kernel in Kernel::available() {
            prop_assert_eq!(&blend(kernel), &expected);
        }
    }
}
