//! Messages, observers' events and the run time's own touches are the same.

use crate::stage::{Stage, character};
use bevy_bonebox::HitboxBodies;
use bevy_bonebox::bonebox::{BodyId, BodySettings};
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxError, TagSettings};
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;

#[derive(Resource, Default)]
struct Observed(Vec<(Entity, HitboxTouch)>);

#[test]
fn touches_begin_stay_and_end_for_both_characters() {
    let mut stage = Stage::new();
    stage.app.init_resource::<Observed>();
    let a = stage.spawn("runa", Transform::IDENTITY);
    let b = stage.spawn("bruno", Transform::from_xyz(5.0, 0.0, 0.0));
    for root in [a, b] {
        stage.world().entity_mut(root).observe(move |touch: On<HitboxTouch>, mut observed: ResMut<Observed>| {
            observed.0.push((root, touch.event().clone()));
        });
    }
    stage.until_bound(&[a, b]);
    stage.sent();
    for (x, phase) in
        [(0.2, HitboxTouchPhase::Started), (0.2, HitboxTouchPhase::Persisted), (5.0, HitboxTouchPhase::Ended)]
    {
        stage.world().get_mut::<Transform>(b).unwrap().translation.x = x;
        stage.app.update();
        let touches = stage.sent().touches;
        assert!(!touches.is_empty() && touches.iter().all(|touch| touch.phase == phase), "{phase:?}");
        let observed = std::mem::take(&mut stage.world().resource_mut::<Observed>().0);
        assert_eq!(observed.len(), 2 * touches.len());
        for touch in touches {
            let turned = HitboxTouch { own: touch.other.clone(), other: touch.own.clone(), phase };
            let (first, second) = (touch.own.entity, touch.other.entity);
            assert!(observed.contains(&(first, touch)) && observed.contains(&(second, turned)));
        }
    }
    stage.app.update();
    assert!(stage.sent().touches.is_empty());
}

#[test]
fn touches_name_joints_and_tags_as_the_character_does() {
    let mut stage = Stage::new();
    let a = stage.spawn("runa", Transform::IDENTITY);
    let b = stage.spawn_clip("bruno", "guard", Transform::from_xyz(0.3, 0.0, 0.0));
    stage.until_bound(&[a, b]);
    stage.app.update();
    let touches = stage.sent().touches;
    assert!(!touches.is_empty());
    for side in touches.iter().flat_map(|touch| [&touch.own, &touch.other]) {
        let name = if side.entity == a { "runa" } else { "bruno" };
        let character = character(name);
        let hitbox = character.hitbox(bevy_bonebox::bonebox::BoxIndex(side.box_index)).unwrap();
        assert_eq!((&*side.joint_name, &*side.tags), (hitbox.joint_name, hitbox.tags));
        match side.joint {
            Some(joint) => assert_eq!(stage.world().get::<Name>(joint).unwrap().as_str(), hitbox.joint_name),
            None => assert_eq!(side.entity, b, "a character that is posed by clips has no joints"),
        }
    }
}

/// Counts the pairs of hitboxes that touch after an update with these settings.
fn touching(stage: &mut Stage, entity: Entity, settings: HitboxSettings) -> usize {
    stage.world().entity_mut(entity).insert(settings);
    stage.app.update();
    stage.world().resource::<HitboxBodies>().world().touches().len()
}

#[test]
fn settings_change_what_is_tested() {
    let mut stage = Stage::new();
    let a = stage.spawn_clip("runa", "idle", Transform::IDENTITY);
    let b = stage.spawn_clip("bruno", "idle", Transform::from_xyz(0.3, 0.0, 0.0));
    stage.until_bound(&[a, b]);
    let all = touching(&mut stage, b, HitboxSettings::default());
    assert!(all > 0);
    let team = |team| HitboxSettings { team: Some(team), ..HitboxSettings::default() };
    stage.world().entity_mut(a).insert(team(1));
    assert_eq!(touching(&mut stage, b, team(1)), 0);
    assert_eq!(touching(&mut stage, b, team(2)), all);
    assert_eq!(touching(&mut stage, b, HitboxSettings { mask: 0, ..HitboxSettings::default() }), 0);

    // Only hands strike, and only while they are switched on.
    let hands = TagSettings::layers("strike", 2, 1);
    let strike = HitboxSettings { memberships: 4, mask: 0, tags: vec![hands], ..HitboxSettings::default() };
    stage.world().entity_mut(a).insert(HitboxSettings { memberships: 1, mask: 2, ..HitboxSettings::default() });
    let struck = touching(&mut stage, b, strike.clone());
    assert!(struck > 0 && struck < all, "{struck} of {all}");
    let off = HitboxSettings { tags: vec![TagSettings::off("strike")], ..strike.clone() };
    assert_eq!(touching(&mut stage, b, off), 0);
    assert_eq!(touching(&mut stage, b, strike), struck);
}

#[test]
fn a_character_without_settings_has_the_default_settings_again() {
    let mut stage = Stage::new();
    let a = stage.spawn_clip("runa", "idle", Transform::IDENTITY);
    let b = stage.spawn_clip("bruno", "idle", Transform::from_xyz(0.3, 0.0, 0.0));
    stage.until_bound(&[a, b]);
    let all = touching(&mut stage, b, HitboxSettings::default());
    assert!(all > 0);
    let tags = vec![TagSettings::off("torso"), TagSettings::layers("hand", 0, 0)];
    let alone = HitboxSettings { team: Some(1), mask: 0, continuous: true, tags, ..HitboxSettings::default() };
    assert_eq!(touching(&mut stage, b, alone), 0);
    stage.world().entity_mut(b).remove::<HitboxSettings>();
    stage.app.update();
    let world = stage.world().resource::<HitboxBodies>().world();
    assert_eq!(world.touches().len(), all);
    assert_eq!(world.body(BodyId(b.to_bits())).unwrap().settings(), BodySettings::default());
}

#[test]
fn settings_with_an_unknown_tag_are_a_failure() {
    let mut stage = Stage::new();
    let a = stage.spawn_clip("runa", "idle", Transform::IDENTITY);
    stage.until_bound(&[a]);
    stage
        .world()
        .entity_mut(a)
        .insert(HitboxSettings { tags: vec![TagSettings::off("tail")], ..HitboxSettings::default() });
    stage.app.update();
    let failures = stage.sent().failures;
    assert!(matches!(&failures[0].error, HitboxError::UnknownTag(unknown) if unknown.tag == "tail"), "{failures:?}");
}
