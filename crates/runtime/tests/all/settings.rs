//! Settings of a body that change while it is in the world.

use crate::characters::{arm, figure};
use geometry_core::Ray;
use glam::{Affine3A, Vec3};
use runtime::{BodyId, BodySettings, BoxIndex, BoxSet, CollisionLayers, HitboxWorld, QueryFilter, Touch, WorldError};
use std::sync::Arc;

const ONE: BodyId = BodyId(1);
const TWO: BodyId = BodyId(2);

/// Two arms side by side: both boxes of one overlap both boxes of the other.
fn two_arms() -> HitboxWorld {
    let arm = Arc::new(arm("arm"));
    let mut world = HitboxWorld::new();
    for (id, x) in [(ONE, 0.0), (TWO, 0.5)] {
        world.insert(id, Arc::clone(&arm), BodySettings::default()).unwrap();
        world.pose_from_rest(id, &Affine3A::from_translation(Vec3::X * x)).unwrap();
    }
    world.update();
    assert_eq!(world.touches().len(), 4);
    world
}

fn boxes_that_touch(world: &mut HitboxWorld) -> Vec<(u16, u16)> {
    world.update();
    world.touches().iter().map(|&Touch { box_a, box_b, .. }| (box_a.0, box_b.0)).collect()
}

#[test]
fn team_and_layers_change_after_insertion() {
    let mut world = two_arms();
    let team = BodySettings { team: Some(7), ..BodySettings::default() };
    world.set_settings(ONE, team).unwrap();
    assert_eq!(boxes_that_touch(&mut world).len(), 4);
    world.set_settings(TWO, team).unwrap();
    assert_eq!(boxes_that_touch(&mut world), []);
    let layers = CollisionLayers { memberships: 1, mask: 2 };
    world.set_settings(ONE, BodySettings { layers, ..BodySettings::default() }).unwrap();
    assert_eq!(boxes_that_touch(&mut world).len(), 4);
    world.set_settings(TWO, BodySettings { layers, ..BodySettings::default() }).unwrap();
    assert_eq!(boxes_that_touch(&mut world), []);
    assert_eq!(world.body(TWO).unwrap().settings().layers, layers);
    assert_eq!(world.set_settings(BodyId(3), team), Err(WorldError::NoBody(BodyId(3))));
}

#[test]
fn layers_of_sets_compose_in_any_order_and_are_undone() {
    let arm = arm("arm");
    let all = arm.boxes_with_tag("arm").unwrap();
    let fore = arm.boxes_of_joint(arm.skeleton().find("fore").unwrap());
    let (first, second) = (CollisionLayers { memberships: 1, mask: 2 }, CollisionLayers { memberships: 4, mask: 8 });
    let layers = |world: &HitboxWorld| [0, 1].map(|index| world.body(ONE).unwrap().layers_of_box(BoxIndex(index)));
    for order in [[(&all, first), (&fore, second)], [(&fore, second), (&all, first)]] {
        let mut world = two_arms();
        for (boxes, layers) in order {
            world.set_box_layers(ONE, boxes, layers).unwrap();
        }
        assert_eq!(layers(&world), [first, CollisionLayers { memberships: 5, mask: 10 }]);
        world.clear_box_layers(ONE, &all).unwrap();
        assert_eq!(layers(&world), [CollisionLayers::default(), second]);
        world.clear_box_layers(ONE, &fore).unwrap();
        assert_eq!(layers(&world), [CollisionLayers::default(); 2]);
        assert_eq!(boxes_that_touch(&mut world).len(), 4);
    }
}

#[test]
fn boxes_are_switched_off_and_on() {
    let arm = arm("arm");
    let fore = arm.boxes_of_joint(arm.skeleton().find("fore").unwrap());
    let mut world = two_arms();
    let shot = Ray::try_new(Vec3::new(-5.0, 2.5, 0.0), Vec3::X).unwrap();
    let hit_body = |world: &HitboxWorld| world.cast_ray(&shot, None, &QueryFilter::default()).map(|hit| hit.body);
    assert_eq!(hit_body(&world), Some(ONE));
    world.set_boxes_enabled(ONE, &fore, false).unwrap();
    assert_eq!(hit_body(&world), Some(TWO), "at once");
    assert_eq!(boxes_that_touch(&mut world), [(0, 0), (0, 1)]);
    let layers = CollisionLayers { memberships: 1, mask: 1 };
    world.set_box_layers(ONE, &fore, layers).unwrap();
    assert_eq!(boxes_that_touch(&mut world), [(0, 0), (0, 1)], "still off");
    world.set_boxes_enabled(ONE, &fore.complement(), false).unwrap();
    assert_eq!(boxes_that_touch(&mut world), []);
    world.set_boxes_enabled(ONE, &arm.all_boxes(), true).unwrap();
    assert_eq!(boxes_that_touch(&mut world).len(), 4);
    assert_eq!(world.body(ONE).unwrap().layers_of_box(BoxIndex(1)), layers, "kept meanwhile");
}

#[test]
fn boxes_of_another_character_are_refused() {
    let mut world = two_arms();
    let error = world.set_boxes_enabled(ONE, &figure("figure").all_boxes(), false).unwrap_err();
    assert_eq!(
        error.to_string(),
        "body 1 has the character \"arm\", but the set holds hitboxes of \"figure\"; make the set from the body's own character"
    );
    let (arm, figure) = (arm("arm"), figure("figure"));
    assert!(arm.all_boxes().union(&figure.all_boxes()).is_none());
    assert!(arm.all_boxes().difference(&figure.all_boxes()).is_none());
}

#[test]
fn sets_of_boxes_are_joined_and_taken_apart() {
    let arm = arm("arm");
    let [upper, fore] = ["upper", "fore"].map(|name| arm.boxes_of_joint(arm.skeleton().find(name).unwrap()));
    let listed = |set: &BoxSet| set.iter().collect::<Vec<_>>();
    assert_eq!(listed(&upper.union(&fore).unwrap()), listed(&arm.all_boxes()));
    assert_eq!(listed(&upper.union(&upper).unwrap()), listed(&upper));
    assert_eq!(listed(&arm.all_boxes().difference(&fore).unwrap()), listed(&upper));
    assert!(fore.difference(&arm.all_boxes()).unwrap().is_empty());
    assert_eq!(listed(&upper.complement()), listed(&fore));
}
