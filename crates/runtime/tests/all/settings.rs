//! Settings of a body that change while it is in the world.

use crate::characters::{arm, figure};
use geometry_core::Ray;
use glam::{Affine3A, Vec3};
use runtime::{
    BodyId, BodySettings, BoxIndex, BoxSet, ClipIndex, CollisionLayers, HitboxWorld, QueryFilter, WorldError,
};
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
    world.touches().iter().map(|touch| (touch.box_a.0, touch.box_b.0)).collect()
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

/// A figure in a pose in which some of its own joints overlap.
fn figure_that_touches_itself(layers: CollisionLayers) -> HitboxWorld {
    let mut world = HitboxWorld::new();
    let settings = BodySettings { layers, self_touches: true, ..BodySettings::default() };
    world.insert(ONE, Arc::new(figure("figure")), settings).unwrap();
    world.pose_from_clip(ONE, &Affine3A::IDENTITY, ClipIndex(1), 0.2).unwrap();
    world
}

#[test]
fn layers_decide_about_touches_of_a_body_with_itself() {
    let own_touches = |layers| boxes_that_touch(&mut figure_that_touches_itself(layers));
    let all = own_touches(CollisionLayers::default());
    assert!(!all.is_empty());
    assert_eq!(own_touches(CollisionLayers { memberships: 1, mask: 1 }), all);
    assert_eq!(own_touches(CollisionLayers::NONE), []);
    assert_eq!(own_touches(CollisionLayers { memberships: 1, mask: 2 }), []);
    // Layers of single boxes follow the same rule.
    let (striking, struck) = (CollisionLayers { memberships: 2, mask: 1 }, CollisionLayers { memberships: 1, mask: 2 });
    let mut world = figure_that_touches_itself(struck);
    let first =
        figure("figure").boxes_of_joint(world.body(ONE).unwrap().posed().hitbox(BoxIndex(all[0].0)).unwrap().joint);
    world.set_box_layers(ONE, &first, striking).unwrap();
    let between: Vec<_> =
        all.iter().copied().filter(|&(a, b)| first.contains(BoxIndex(a)) != first.contains(BoxIndex(b))).collect();
    assert!(!between.is_empty());
    assert_eq!(boxes_that_touch(&mut world), between);
}

#[test]
fn sets_without_boxes_change_nothing() {
    let nothing = figure("figure").all_boxes().complement();
    assert!(nothing.is_empty());
    for layers in [CollisionLayers::default(), CollisionLayers { memberships: 1, mask: 2 }] {
        let mut world = figure_that_touches_itself(layers);
        let touches = boxes_that_touch(&mut world);
        #[cfg(feature = "serde")]
        let untouched = {
            let mut untouched = world.clone();
            untouched.update();
            untouched
        };
        let check = |world: &mut HitboxWorld| {
            assert_eq!(world.body(ONE).unwrap().layers_of_box(BoxIndex(0)), layers);
            assert_eq!(boxes_that_touch(world), touches);
            #[cfg(feature = "serde")]
            assert_eq!(world.save(), untouched.save(), "the state has no empty sets");
        };
        world.set_boxes_enabled(ONE, &nothing, false).unwrap();
        check(&mut world);
        world.set_box_layers(ONE, &nothing, CollisionLayers::NONE).unwrap();
        check(&mut world);
        world.clear_box_layers(ONE, &nothing).unwrap();
        world.set_boxes_enabled(ONE, &nothing, true).unwrap();
        check(&mut world);
    }
}
