//! Clips in few bytes: what rounding changes, at keys and between them, and how much shorter files become.
use crate::support;
use baked_format::{BakedCharacter, compact_clip, read, write};
use glam::{Quat, Vec3};
use proptest::prelude::*;
use skeleton::{Channel, Clip, Interpolation, Joint, JointIndex, LocalTransform, Property, Skeleton, Trs};

const JOINTS: usize = 3;

/// Interpolation, numbers between -1 and 1, the size that they are scaled to, and the timeline's index.
type Keyed = (Interpolation, Vec<f32>, f32, u32);

/// A clip of up to three joints with ordinary numbers: smooth or not, of any interpolation.
fn clip() -> impl Strategy<Value = Clip> {
    let property = prop_oneof![Just(Property::Translation), Just(Property::Rotation), Just(Property::Scale)];
    let interpolation = prop_oneof![
        4 => Just(Interpolation::Linear),
        1 => Just(Interpolation::Step),
        1 => Just(Interpolation::CubicSpline)
    ];
    let noise = prop::collection::vec(-1f32..1.0, 3 * 4 * 12);
    let size = prop_oneof![Just(0.0), Just(0.01), Just(1.0), Just(100.0)];
    let channels =
        prop::collection::btree_map((0..JOINTS as u16, property), (interpolation, noise, size, 0..2u32), 0..9);
    (channels, 1usize..12).prop_map(|(channels, keys)| {
        let times = |step: f32| (0..keys).map(|key| 0.5 + key as f32 * step).collect::<Vec<f32>>();
        let channel = |((joint, property), keyed): ((u16, Property), Keyed)| {
            let (interpolation, noise, size, timeline) = keyed;
            let mut values: Vec<f32> = noise.into_iter().map(|number| 0.3 + number * size).collect();
            values.truncate(keys * interpolation.values_per_key() * property.width());
            if property == Property::Rotation && interpolation != Interpolation::CubicSpline {
                for key in values.as_chunks_mut::<4>().0 {
                    *key = Quat::from_array(*key).normalize().to_array();
                }
            }
            Channel { joint: JointIndex(joint), property, interpolation, timeline, values }
        };
        let channels = channels.into_iter().map(channel).collect();
        Clip { name: "clip".into(), timelines: vec![times(0.1), times(0.25)], channels }
    })
}

fn skeleton() -> Skeleton {
    let joint = |index: usize| Joint { name: index.to_string(), ..Joint::default() };
    Skeleton::new((0..JOINTS).map(joint).collect()).unwrap()
}

fn posed(clip: &Clip, time: f32) -> [Trs; JOINTS] {
    let mut local = skeleton().rest_pose();
    clip.sample(time, &mut local);
    std::array::from_fn(|joint| match local[joint] {
        LocalTransform::Trs(trs) => trs,
        LocalTransform::Matrix(_) => unreachable!(),
    })
}

fn degrees(a: Quat, b: Quat) -> f64 {
    let (a, b) = (a.as_dquat(), b.as_dquat());
    // The sine keeps its digits where the cosine is next to 1.
    let between = a.conjugate() * b;
    2.0 * between.xyz().length().atan2(between.w.abs()).to_degrees()
}

fn largest(clip: &Clip, property: Property) -> f32 {
    let channels = clip.channels.iter().filter(|channel| channel.property == property);
    channels.flat_map(|channel| &channel.values).fold(0.0, |largest, number| largest.max(number.abs()))
}

proptest! {
    #[test]
    fn rounding_stays_within_its_bounds_at_every_time(clip in clip()) {
        let compact = compact_clip(&clip);
        prop_assert_eq!(compact.validate(&skeleton()), Ok(()));
        prop_assert_eq!((compact.start(), compact.end()), (clip.start(), clip.end()));
        // Sampling itself computes in f32.
        let bound = |property| 2.5e-7 * largest(&clip, property).max(1.0);
        let times = (0..=200).map(|step| clip.start() + clip.seconds() * (step as f32 / 200.0));
        for time in times.chain(clip.timelines.iter().flatten().copied()) {
            for (found, exact) in posed(&compact, time).iter().zip(&posed(&clip, time)) {
                let turned = degrees(found.rotation, exact.rotation);
                prop_assert!(turned < 2e-4, "{} degrees at {}", turned, time);
                let moved = |a: Vec3, b: Vec3| (a - b).abs().max_element();
                prop_assert!(moved(found.translation, exact.translation) <= bound(Property::Translation));
                prop_assert!(moved(found.scale, exact.scale) <= bound(Property::Scale));
            }
        }
    }

    #[test]
    fn compact_clips_are_stored_to_the_bit(clip in clip()) {
        let clips = vec![compact_clip(&clip)];
        let character = BakedCharacter { skeleton: skeleton(), boxes: vec![], clips, coverage: None, ..support::nobody() };
        let bytes = write(&character).unwrap();
        prop_assert_eq!(read(&bytes), Ok(character));
    }
}

#[test]
fn a_smooth_clip_takes_half_of_the_bytes() {
    let keys = 60;
    let turned = |joint: u16| {
        let key = move |key: usize| {
            // An arc of parabolas, which looks like a sine and has the same bits on every machine.
            let phase = (key as f32 / 30.0 + f32::from(joint)) % 2.0 - 1.0;
            let angle = 4.0 * phase * (1.0 - phase.abs());
            (Quat::from_rotation_z(angle) * Quat::from_rotation_x(0.3 * angle)).to_array()
        };
        (0..keys).flat_map(key).collect::<Vec<f32>>()
    };
    let channel = |joint, property, values| Channel {
        joint: JointIndex(joint),
        property,
        interpolation: Interpolation::Linear,
        timeline: u32::from(joint % 2),
        values,
    };
    let times: Vec<f32> = (0..keys).map(|key| key as f32 / 30.0).collect();
    let of_joint = |joint| {
        [
            channel(joint, Property::Translation, [0.1, 0.2, f32::from(joint)].repeat(keys)),
            channel(joint, Property::Rotation, turned(joint)),
        ]
    };
    let channels = (0..JOINTS as u16).flat_map(of_joint).collect();
    let clip = Clip { name: "smooth".into(), timelines: vec![times.clone(), times], channels };
    let bytes = |clip: &Clip| {
        let clips = vec![clip.clone()];
        let character =
            BakedCharacter { skeleton: skeleton(), boxes: vec![], clips, coverage: None, ..support::nobody() };
        let without = BakedCharacter { clips: vec![], ..character.clone() };
        write(&character).unwrap().len() - write(&without).unwrap().len()
    };
    let compact = compact_clip(&clip);
    // Equal timelines become one, and what does not move has one key.
    assert_eq!(compact.timelines.len(), 2);
    assert_eq!(compact.channels.iter().filter(|channel| channel.values.len() == 3).count(), JOINTS);
    let (exact, compact) = (bytes(&clip), bytes(&compact));
    assert!(100 * compact < 45 * exact, "{compact} of {exact} bytes");
}

#[test]
fn what_cannot_be_rounded_stays_as_it_is() {
    let channel = |property, interpolation, values: &[f32]| {
        let channel = Channel { joint: JointIndex(0), property, interpolation, timeline: 0, values: values.to_vec() };
        Clip { name: "clip".into(), timelines: vec![vec![0.0, 1.0]], channels: vec![channel] }
    };
    let linear = Interpolation::Linear;
    let third = 1.0 / 3.0;
    for clip in [
        channel(Property::Scale, Interpolation::CubicSpline, &[third; 18]),
        // No component is large enough in both keys.
        channel(Property::Rotation, linear, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.8, 0.6, 0.0]),
        // Half a turn apart, but for rounding.
        channel(Property::Rotation, linear, &[0.6, 0.8, 0.0, 0.0, 0.8, -0.6, 1e-7, 0.0]),
        channel(Property::Rotation, linear, &[0.0; 8]),
        channel(Property::Translation, linear, &[1e38, 0.0, 0.0, 1e-30, 1.0, third]),
        channel(Property::Translation, linear, &[1e-40, 0.0, 0.0, 1e-30, 0.0, 0.0]),
    ] {
        assert_eq!(compact_clip(&clip), clip);
    }
    let still = channel(Property::Translation, linear, &[-0.0, 0.0, third, 0.0, 0.0, third]);
    let compact = compact_clip(&still);
    assert_eq!((compact.channels[0].values.len(), compact.start(), compact.end()), (3, 0.0, 1.0));
    assert!(compact.channels[0].values[0].is_sign_positive());
    let empty = Clip { name: "nothing".into(), timelines: vec![vec![2.0]], channels: vec![] };
    assert_eq!(compact_clip(&empty), empty);
}
