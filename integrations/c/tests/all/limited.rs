//! Characters with some of their hitboxes, and bounds over a span of a clip.

use crate::door::{
    OwnCharacter, OwnPose, OwnSet, assert_failed, asset, c, call, find_clip, find_joint, hitboxes, matrix, text, value,
};
use bonebox_c::*;
use glam::{Affine3A, Vec3};

fn with_only(character: &OwnCharacter, name: &str, boxes: &OwnSet) -> Result<OwnCharacter, crate::door::Failed> {
    let name = c(name);
    value(|out, error| unsafe { bonebox_character_with_only_boxes(character.0, name.as_ptr(), boxes.0, out, error) })
        .map(OwnCharacter)
}

#[test]
fn a_limited_character_has_the_hitboxes_of_the_set_with_the_same_bits() {
    let (runa, bruno) = (asset("runa"), asset("bruno"));
    let heads = OwnSet::with_tag(&runa, "head").unwrap();
    let far = with_only(&runa, "runa, far away", &heads).unwrap();
    assert_eq!(
        text(value(|out, error| unsafe { bonebox_character_name(far.0, out, error) }).unwrap()),
        "runa, far away"
    );
    let count = unsafe { bonebox_character_hitbox_count(far.0) };
    assert!(count > 0 && count == unsafe { bonebox_box_set_count(heads.0) });
    assert_eq!(find_joint(&far, "head"), find_joint(&runa, "head"), "joint indices stay the same");
    let (jab, here) = (find_clip(&far, "jab"), matrix(&Affine3A::IDENTITY));
    let [whole, limited] = [&runa, &far].map(|character| {
        let pose = OwnPose::new();
        call(|error| unsafe { bonebox_pose_from_clip(pose.0, character.0, &here, jab, 0.3, error) }).unwrap();
        hitboxes(&pose)
    });
    let of_set = whole.iter().filter(|one| unsafe { bonebox_box_set_contains(heads.0, one.hitbox) });
    for (one, index) in of_set.zip(0..) {
        assert_eq!(BoneboxPosedHitbox { hitbox: index, ..*one }, limited[usize::from(index)]);
    }
    assert_eq!(limited.len(), count);
    assert_failed(with_only(&bruno, "far", &heads), BoneboxResult::WrongCharacter, "bruno");
    assert_failed(with_only(&far, "farther", &heads), BoneboxResult::WrongCharacter, "runa, far away");
}

const LOOP: u32 = BoneboxLoopMode::Loop as u32;

fn bounds_over(
    character: &OwnCharacter,
    clip: u32,
    from: f64,
    duration: f64,
) -> Result<BoneboxBounds, crate::door::Failed> {
    value(|out, error| unsafe { bonebox_character_bounds_over(character.0, clip, LOOP, from, duration, out, error) })
}

#[test]
fn bounds_over_a_span_contain_each_pose_of_it() {
    let runa = asset("runa");
    let jab = find_clip(&runa, "jab");
    let clip = value(|out, error| unsafe { bonebox_character_clip(runa.0, jab, out, error) }).unwrap();
    let (elapsed, duration) = (f64::from(3.0 * clip.seconds + 0.1), 0.2);
    let place = matrix(&Affine3A::from_rotation_translation(
        glam::Quat::from_xyzw(0.0, 0.6, 0.0, 0.8),
        Vec3::new(3.0, 0.5, -2.0),
    ));
    let model = bounds_over(&runa, jab, elapsed, duration).unwrap();
    let world: BoneboxBounds =
        value(|out, error| unsafe { bonebox_bounds_transformed(&model, &place, out, error) }).unwrap();
    let pose = OwnPose::new();
    for step in 0..=20u8 {
        let now = elapsed + duration * f64::from(step) / 20.0;
        let time =
            value(|out, error| unsafe { bonebox_character_clip_time(runa.0, jab, LOOP, now, out, error) }).unwrap();
        assert!((clip.start..=clip.start + clip.seconds).contains(&time));
        call(|error| unsafe { bonebox_pose_from_clip(pose.0, runa.0, &place, jab, time, error) }).unwrap();
        let posed: BoneboxBounds = value(|out, error| unsafe { bonebox_pose_bounds(pose.0, out, error) }).unwrap();
        assert!(
            Vec3::from(world.min).cmple(posed.min.into()).all() && Vec3::from(world.max).cmpge(posed.max.into()).all()
        );
    }
    let start = bounds_over(&runa, jab, 0.0, 0.02).unwrap();
    assert!(start.max.z < model.max.z, "the fist is nearer at the start of the jab: {start:?} {model:?}");
    let held = value(|out, error| unsafe {
        bonebox_character_clip_time(runa.0, jab, BoneboxLoopMode::Once as u32, elapsed, out, error)
    })
    .unwrap();
    assert_eq!(held, clip.start + clip.seconds, "a clip that is not looped holds its last pose");

    assert_failed(bounds_over(&runa, 999, 0.0, 1.0), BoneboxResult::NotFound, "no clip 999");
    assert_failed(bounds_over(&runa, jab, f64::NAN, 1.0), BoneboxResult::PoseRefused, "not a number");
    let time = value(|out, error| unsafe { bonebox_character_clip_time(runa.0, jab, 2, 0.0, out, error) });
    assert_failed(time, BoneboxResult::InvalidArgument, "`loop_mode` is 2");
    let time = value(|out, error| unsafe { bonebox_character_clip_time(runa.0, 999, LOOP, 0.0, out, error) });
    assert_failed(time, BoneboxResult::NotFound, "no clip 999");
}
