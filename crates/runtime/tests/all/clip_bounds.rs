//! Bounds over spans of a clip contain every pose in the span.

use crate::characters::{arm, figure};
use glam::{Affine3A, Mat3, Quat, Vec3};
use proptest::prelude::*;
use runtime::{Bounds, Character, ClipIndex, ClipSampler, LoopMode, PoseError, PosedCharacter};
use skeleton::{Channel, Clip, Interpolation, JointIndex, LocalTransform, Property};

/// Poses at `steps + 1` times of the span. Returns the union of the bounds of these poses, all of which the bounds over
/// the span contain.
fn check(character: &Character, clip: ClipIndex, mode: LoopMode, elapsed: f64, duration: f64, steps: u16) -> Bounds {
    let over = character.bounds_over(clip, mode, elapsed, duration).expect("a clip with finite poses");
    let turned = Affine3A::from_rotation_translation(Quat::from_rotation_y(0.7), Vec3::new(300.0, 2.0, -150.0));
    let in_world = over.transformed(&turned);
    let (mut posed, mut sampler, mut around) = (PosedCharacter::new(), ClipSampler::new(), Bounds::EMPTY);
    for step in 0..=steps {
        let elapsed = elapsed + duration * f64::from(step) / f64::from(steps);
        let time = mode.clip_time(&character.clips()[clip.index()], elapsed);
        posed.pose_from_clip(&mut sampler, character, &Affine3A::IDENTITY, clip, time).unwrap();
        around = around.union(&posed.bounds());
        assert!(over.contains(&posed.bounds()), "{over:?} at {elapsed}: {:?}", posed.bounds());
        posed.pose_from_clip(&mut sampler, character, &turned, clip, time).unwrap();
        assert!(in_world.contains(&posed.bounds()), "{in_world:?} at {elapsed}: {:?}", posed.bounds());
    }
    around
}

#[test]
fn the_bounds_of_real_characters_hold_and_are_not_much_larger_than_the_poses() {
    let (mut worst, mut sum, mut count) = (0.0f32, 0.0, 0.0);
    for name in ["runa", "bruno", "hound"] {
        let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
        let character = Character::load(&std::fs::read(path).unwrap()).unwrap();
        for index in 0..character.clips().len() as u32 {
            for (mode, elapsed, duration) in
                [(LoopMode::Loop, 0.37, 0.1), (LoopMode::Loop, 8.93, 0.25), (LoopMode::Once, -0.1, 0.3)]
            {
                let clip = ClipIndex(index);
                let around = check(&character, clip, mode, elapsed, duration, 25);
                let over = character.bounds_over(clip, mode, elapsed, duration).unwrap();
                let more = ((over.max - over.min) - (around.max - around.min)).max_element();
                (worst, sum, count) = (worst.max(more), sum + more, count + 1.0);
            }
        }
    }
    // Meters, over both sides of the widest axis, of characters of up to 1.9 m.
    assert!(sum / count < 0.1 && worst < 0.4, "{} on average, {worst} at most", sum / count);
}

#[test]
fn a_span_that_crosses_the_end_of_a_loop_contains_both_parts() {
    let arm = arm("arm");
    let whole = arm.bounds_over(ClipIndex(0), LoopMode::Loop, 0.3, 2.0).unwrap();
    let around_the_end = arm.bounds_over(ClipIndex(0), LoopMode::Loop, 1.9, 0.2).unwrap();
    assert!(whole.contains(&around_the_end) && !around_the_end.contains(&whole));
    check(&arm, ClipIndex(0), LoopMode::Loop, 1.9, 0.2, 50);
    check(&arm, ClipIndex(0), LoopMode::Loop, -2.1, 1.7, 50);
    check(&arm, ClipIndex(0), LoopMode::Once, 1.9, 0.2, 50);
    assert_eq!(arm.bounds_over(ClipIndex(0), LoopMode::Loop, f64::INFINITY, 0.0), Ok(whole));
    assert_eq!(
        arm.bounds_over(ClipIndex(0), LoopMode::Once, 0.5, -1.0),
        arm.bounds_over(ClipIndex(0), LoopMode::Once, 0.5, 0.0)
    );
}

#[test]
fn what_has_no_bounds_says_so() {
    let figure = figure("figure");
    let over = |clip, elapsed| figure.bounds_over(ClipIndex(clip), LoopMode::Loop, elapsed, 0.1);
    assert!(over(1, 0.0).is_ok());
    assert!(matches!(over(2, 0.0), Err(PoseError::NoClip { .. })));
    assert!(matches!(over(1, f64::NAN), Err(PoseError::NotANumber { .. })));
    let any_pose = Character::from_baked(baked_characters::baked_figure_for_any_pose("any pose"));
    let error = any_pose.bounds_over(ClipIndex(1), LoopMode::Loop, 0.0, 0.1).unwrap_err();
    assert!(error.to_string().contains("pose the character at each time"), "{error}");
    assert_eq!(Bounds::EMPTY.transformed(&Affine3A::IDENTITY), Bounds::EMPTY);
    assert!(Bounds::EMPTY.contains(&Bounds::EMPTY) && !Bounds::EMPTY.contains(&over(1, 0.0).unwrap()));
}

/// A channel of any kind with five keys.
fn channel() -> impl Strategy<Value = Channel> {
    let interpolation = prop_oneof![
        Just(Interpolation::Linear),
        Just(Interpolation::Linear),
        Just(Interpolation::Step),
        Just(Interpolation::CubicSpline)
    ];
    let property = prop_oneof![
        Just(Property::Rotation),
        Just(Property::Rotation),
        Just(Property::Translation),
        Just(Property::Scale)
    ];
    let numbers = prop::collection::vec(-1.0f32..1.0, 60);
    (0u16..4, interpolation, property, 0u32..2, numbers, any::<bool>()).prop_map(
        |(joint, interpolation, property, timeline, numbers, is_even)| {
            let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
            let width = property.width();
            let mut values: Vec<f32> = numbers[..5 * per_key * width].to_vec();
            for (index, value) in values.chunks_exact_mut(width).enumerate() {
                let is_tangent = per_key == 3 && index % 3 != 1;
                match property {
                    Property::Rotation if !is_tangent => {
                        let all = value.iter().map(|number| number * number).sum::<f32>().sqrt().max(1e-3);
                        value.iter_mut().for_each(|number| *number /= all);
                    }
                    Property::Scale if !is_tangent && is_even => value.fill(1.0 + 0.5 * value[0]),
                    Property::Scale if !is_tangent => value.iter_mut().for_each(|number| *number = 1.0 + 0.9 * *number),
                    Property::Scale if is_even => value.fill(value[0]),
                    _ => {}
                }
            }
            Channel { joint: JointIndex(joint), property, interpolation, timeline, values }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Clips of all kinds of channels: splines, steps, uneven scales, keys at uneven times, a joint given by a matrix.
    #[test]
    fn bounds_over_any_clip_hold(
        mut channels in prop::collection::vec(channel(), 1..6),
        has_matrix: bool,
        elapsed in prop_oneof![-1.0f64..3.0, 1e5f64..1e6],
        duration in 0.0f64..0.7,
    ) {
        channels.sort_by_key(|channel| (channel.joint, channel.property as u8));
        channels.dedup_by_key(|channel| (channel.joint, channel.property as u8));
        channels.retain(|channel| !has_matrix || channel.joint != JointIndex(1));
        let mut baked = baked_characters::baked_arm("arm");
        if has_matrix {
            let mut joints = baked.skeleton.joints().to_vec();
            let shear = Mat3::from_cols(Vec3::X, Vec3::new(0.3, 1.1, 0.0), Vec3::new(0.0, 0.2, 0.9));
            joints[1].rest = LocalTransform::Matrix(Affine3A::from_mat3_translation(shear, Vec3::Y));
            baked.skeleton = skeleton::Skeleton::new(joints).unwrap();
        }
        let timelines = vec![vec![0.1, 0.4, 0.5, 1.0, 1.7], vec![0.0, 0.5, 1.0, 1.5, 2.0]];
        baked.clips = vec![Clip { name: "any".into(), timelines, channels }];
        prop_assert!(baked.clips[0].validate(&baked.skeleton).is_ok());
        let arm = Character::from_baked(baked);
        for mode in [LoopMode::Once, LoopMode::Loop] {
            check(&arm, ClipIndex(0), mode, elapsed, duration, 60);
        }
    }
}
