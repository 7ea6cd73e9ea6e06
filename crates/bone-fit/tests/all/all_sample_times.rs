//! The largest escape is the largest at every sample time, even if shares of area are measured in few poses.

use baked_format::Source;
use bone_fit::{Bake, BakeOptions, Limits, bake, escapes_by_joint, measure_boxes};
use glam::Quat;
use skeleton::{Channel, Clip, Interpolation, JointIndex, Property};
use skinned_model::{NoExternalFiles, SkinnedModel, import};
use test_models::{Character, Random, box_man, soft_limb};

fn model(character: &Character) -> SkinnedModel {
    import(&character.to_glb(), &NoExternalFiles).unwrap()
}

fn baked(model: &SkinnedModel, options: &BakeOptions) -> Bake {
    bake(model, "made-up", Source { file: String::new(), blake3: [0; 32], generator: String::new() }, options).unwrap()
}

/// Joints that turn by random angles at `keys` keys, a thirtieth of a second apart. Most turns are small.
fn wild_clip(name: &str, joints: &[u16], keys: u16, random: &mut Random) -> Clip {
    let mut channel = |&joint: &u16| {
        let mut turn = |_| {
            let far = if random.below(60) == 0 { 2.5 } else { 0.1 };
            let [x, y, z] = [0; 3].map(|_| far * (random.below(1 << 20) as f32 / (1 << 20) as f32 - 0.5));
            Quat::from_rotation_x(x) * Quat::from_rotation_y(y) * Quat::from_rotation_z(z)
        };
        Channel {
            joint: JointIndex(joint),
            property: Property::Rotation,
            interpolation: Interpolation::Linear,
            timeline: 0,
            values: (0..keys).flat_map(|key| turn(key).to_array()).collect(),
        }
    };
    let channels = joints.iter().map(&mut channel).collect();
    Clip { name: name.into(), timelines: vec![(0..keys).map(|key| f32::from(key) / 30.0).collect()], channels }
}

/// Twenty seconds in which the elbow bends far at one frame. None of 240 evenly spread times is at this frame.
#[test]
fn an_escape_at_one_frame_of_many_is_found_and_breaks_its_limit() {
    let mut model = model(&soft_limb());
    let turn = |key: u16| Quat::from_rotation_z(if key == 301 { 2.0 } else { 0.0 }).to_array();
    let clip = &mut model.clips[0];
    clip.timelines = vec![(0..600u16).map(|key| f32::from(key) / 30.0).collect()];
    clip.channels = vec![Channel {
        joint: JointIndex(1),
        property: Property::Rotation,
        interpolation: Interpolation::Linear,
        timeline: 0,
        values: (0..600).flat_map(turn).collect(),
    }];
    let options = BakeOptions::from_entries([("bridge", "surface")]).unwrap();
    let bake = baked(&model, &options);
    let everywhere = BakeOptions { measure_times: 0, ..options };
    let expected = measure_boxes(&model, &bake.character.boxes, &everywhere);
    assert!(expected.worst.is_some_and(|worst| worst.at.time == 301.0 / 30.0), "{expected:?}");
    let measured = bake.report.measured.as_ref().unwrap();
    assert_eq!((measured.max_escape, measured.worst), (expected.max_escape, expected.worst));
    let limits = Limits { most_escape: Some(0.9 * expected.max_escape), ..Limits::default() };
    assert_eq!(limits.broken(&bake.character).len(), 1);
}

/// Compares with looking at every point at every sample time, for boxes that are too small, too few or tight.
#[test]
fn what_is_ruled_out_by_a_bound_never_holds_the_largest_escape() {
    let mut random = Random::new(18);
    let mut soft_man = box_man();
    for influences in &mut soft_man.influences {
        if random.below(3) == 0 {
            influences.push((random.below(soft_man.joints.len()) as u16, 0.01 * random.below(60) as f32));
        }
    }
    for (character, joints) in [(soft_limb(), &[0, 1][..]), (soft_man, &[1, 2, 4, 5, 7][..])] {
        let mut model = model(&character);
        model.clips = (0..3).map(|clip| wild_clip(&format!("clip {clip}"), joints, 130, &mut random)).collect();
        for (words, factor, skipped) in [
            (&[("preset", "recipe")][..], 1.0, 0),
            (&[("preset", "recipe")], 0.6, 0),
            (&[("preset", "recipe")], 1.0, 1),
            (&[("preset", "cover"), ("keep", "0.7")], 1.0, 0),
            (&[("preset", "cover")], 1.1, 0),
        ] {
            let options = BakeOptions::from_entries(words.iter().copied()).unwrap();
            let mut boxes =
                baked(&model, &BakeOptions { measure: bone_fit::Measure::None, ..options.clone() }).character.boxes;
            boxes.iter_mut().for_each(|one| one.half_extents *= factor);
            boxes.drain(..skipped);
            let everywhere = BakeOptions { measure_times: 0, ..options.clone() };
            let expected = measure_boxes(&model, &boxes, &everywhere);
            let by_joint = escapes_by_joint(&model, &boxes, &everywhere);
            for moments in [1, 7, 240] {
                let some = BakeOptions { measure_times: moments, ..options.clone() };
                let found = measure_boxes(&model, &boxes, &some);
                assert_eq!(found.max_escape, expected.max_escape, "{words:?} {factor} {moments}");
                let distances = |escapes: &[bone_fit::JointEscape]| {
                    escapes.iter().map(|one| (one.joint, one.distance)).collect::<Vec<_>>()
                };
                let joints = escapes_by_joint(&model, &boxes, &some);
                assert_eq!(distances(&joints), distances(&by_joint), "{words:?} {factor} {moments}");
            }
        }
    }
}
