//! A character made with only some of the hitboxes poses exactly these hitboxes, and returns errors about the others.

use crate::characters::{arm, figure, tube};
use glam::{Affine3A, Quat, Vec3};
use runtime::{
    BodyId, BodySettings, BoxIndex, Character, ClipIndex, ClipSampler, HitboxWorld, PosedCharacter, WorldError,
};
use std::sync::Arc;

fn is_same_as_the_boxes_of_all(whole: &Character, tags: &[&str]) {
    let sets = tags.iter().map(|tag| whole.boxes_with_tag(tag).unwrap());
    let set = sets.reduce(|all, one| all.union(&one).unwrap()).unwrap();
    let some = whole.with_only_boxes("some", &set).unwrap();
    assert_eq!((some.name(), some.box_count(), some.clips()), ("some", set.len(), whole.clips()));
    let place = Affine3A::from_rotation_translation(Quat::from_rotation_x(0.3), Vec3::new(3.0, -2.0, 1.0));
    let (mut all_posed, mut some_posed) = (PosedCharacter::new(), PosedCharacter::new());
    let mut sampler = ClipSampler::new();
    for step in 0..10u8 {
        let time = 0.1 * f32::from(step);
        all_posed.pose_from_clip(&mut sampler, whole, &place, ClipIndex(1), time).unwrap();
        some_posed.pose_from_clip(&mut sampler, &some, &place, ClipIndex(1), time).unwrap();
        for (posed, index) in some_posed.boxes().zip(set.iter()) {
            let of_all = all_posed.hitbox(index).unwrap();
            assert_eq!(
                (posed.center, posed.half_extents, posed.axes),
                (of_all.center, of_all.half_extents, of_all.axes)
            );
            assert_eq!((posed.joint, posed.shape), (of_all.joint, of_all.shape));
            assert_eq!(some.tags(posed.index), whole.tags(index));
        }
    }
}

#[test]
fn the_boxes_are_those_of_the_whole_character() {
    is_same_as_the_boxes_of_all(&figure("figure"), &["head", "hand", "chest"]);
    let any_pose = Character::from_baked(baked_characters::baked_figure_for_any_pose("figure"));
    is_same_as_the_boxes_of_all(&any_pose, &["head", "hand", "chest"]);
}

#[test]
fn joints_that_lead_to_no_box_are_not_computed() {
    let whole = figure("figure");
    let heads = whole.with_only_boxes("head", &whole.boxes_with_tag("head").unwrap()).unwrap();
    let mut sampler = ClipSampler::new();
    let matrices = sampler.sample(&heads, ClipIndex(1), 0.3).unwrap();
    let computed: Vec<_> = (0..matrices.len()).filter(|&joint| !matrices[joint].is_nan()).collect();
    let names: Vec<_> = computed.iter().map(|&joint| &*whole.skeleton().joints()[joint].name).collect();
    assert_eq!(names, ["hips", "spine", "chest", "neck", "head"]);

    // A tracked joint is computed too, and one that the boxes need anyway changes nothing.
    let find = |name: &str| whole.skeleton().find(name).unwrap();
    let (mut posed, mut plain) = (PosedCharacter::new(), PosedCharacter::new());
    posed.track_joints(&[find("hand.r"), find("neck")]);
    posed.pose_from_clip(&mut sampler, &heads, &Affine3A::IDENTITY, ClipIndex(1), 0.3).unwrap();
    assert!(posed.world_from_joint(find("hand.r")).is_some());
    let both = [posed.world_from_joint(find("neck")), {
        plain.track_joints(&[find("neck")]);
        plain.pose_from_clip(&mut sampler, &heads, &Affine3A::IDENTITY, ClipIndex(1), 0.3).unwrap();
        plain.world_from_joint(find("neck"))
    }];
    assert!(both[0].is_some() && both[0] == both[1]);
}

#[test]
fn what_is_missing_is_an_error_and_not_a_miss() {
    let whole = Arc::new(figure("figure"));
    let head = whole.boxes_with_tag("head").unwrap();
    let far = Arc::new(whole.with_only_boxes("figure, far", &head).unwrap());
    let error = far.boxes_with_tag("foot").unwrap_err();
    assert_eq!(error.to_string(), "no hitbox of \"figure, far\" has the tag \"foot\"; its tags: head");
    let mut world = HitboxWorld::new();
    world.insert(BodyId(1), Arc::clone(&far), BodySettings::default()).unwrap();
    let of_whole = world.set_boxes_enabled(BodyId(1), &head, false);
    assert!(matches!(of_whole, Err(WorldError::OtherCharacter { .. })), "{of_whole:?}");
    world.set_boxes_enabled(BodyId(1), &far.all_boxes(), false).unwrap();
    assert!(far.hitbox(BoxIndex(1)).is_none());
    let error = arm("arm").with_only_boxes("some", &head).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the set holds hitboxes of \"figure\", not of \"arm\"; make the set from the \"arm\" that it is used with"
    );
    let tube = tube("tube");
    assert!(tube.has_skin() && !tube.with_only_boxes("some", &tube.all_boxes()).unwrap().has_skin());
}
