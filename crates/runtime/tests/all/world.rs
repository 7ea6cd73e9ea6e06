//! The answers of a world, compared with a test of all pairs, and their order.

use crate::characters::{arm, figure};
use baked_characters::golden_scenes::scene::place;
use glam::Affine3A;
use proptest::prelude::*;
use runtime::kernels::Kernel;
use runtime::{
    BodyId, BodySettings, BoxPair, Character, ClipIndex, CollisionLayers, HitboxWorld, PoseError, Touch, TouchEvent,
    TouchPhase, WorldError, overlapping_boxes,
};
use std::sync::Arc;

fn fill(world: &mut HitboxWorld, ids: impl Iterator<Item = u64>, character: &Arc<Character>) {
    for id in ids {
        let team = (id.is_multiple_of(5)).then_some(1);
        let settings = BodySettings { team, self_touches: id.is_multiple_of(7), ..BodySettings::default() };
        world.insert(BodyId(id), Arc::clone(character), settings).unwrap();
        if id.is_multiple_of(3) {
            let hands = character.boxes_with_tag("hand").unwrap();
            world.set_box_layers(BodyId(id), &hands, CollisionLayers { memberships: 2, mask: 1 }).unwrap();
        }
    }
}

fn pose(world: &mut HitboxWorld, tick: u32) {
    let ids: Vec<_> = world.bodies().map(runtime::Body::id).collect();
    for id in ids {
        let (world_from_model, time) = place(id.0, tick);
        world.pose_from_clip(id, &world_from_model, ClipIndex(1), time).unwrap();
    }
}

/// A crowd of so many pairs that every step of an update has several tasks, and rounds of tasks, for each thread.
#[cfg(feature = "rayon")]
#[test]
fn any_number_of_threads_gives_the_same_events_in_a_large_crowd() {
    let pools = [1, 2, 5].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let mut world = HitboxWorld::new();
    fill(&mut world, 0..700, &Arc::new(figure("figure")));
    let mut others = pools.each_ref().map(|_| world.clone());
    for tick in [0, 5, 200] {
        pose(&mut world, tick);
        world.update();
        assert!(world.touches().len() > 20_000, "{}", world.touches().len());
        for (pool, other) in pools.iter().zip(&mut others) {
            pose(other, tick);
            pool.install(|| other.update_parallel());
            let threads = pool.current_num_threads();
            assert!(other.events() == world.events(), "other events at tick {tick} by {threads} threads");
            assert!(other.touches() == world.touches(), "other touches at tick {tick} by {threads} threads");
        }
    }
}

/// The slow twin: tests all pairs of bodies and applies all filters.
fn touches_by_looking_at_all(world: &HitboxWorld) -> Vec<Touch> {
    let mut touches = Vec::new();
    let bodies: Vec<_> = world.bodies().collect();
    let filter = |body: &runtime::Body, joint: skeleton::JointIndex| {
        let is_hand = body.character().joint_name(joint).starts_with("hand");
        if body.id().0.is_multiple_of(3) && is_hand {
            CollisionLayers { memberships: 2, mask: 1 }
        } else {
            CollisionLayers::default()
        }
    };
    let mut pairs = Vec::new();
    for (i, a) in bodies.iter().enumerate() {
        for b in &bodies[i..] {
            let same = a.id() == b.id();
            if same && !a.settings().self_touches {
                continue;
            }
            if !same && a.settings().team.is_some() && a.settings().team == b.settings().team {
                continue;
            }
            overlapping_boxes(a.posed(), b.posed(), &mut pairs);
            for pair in &pairs {
                let parent = |joint| a.character().skeleton().joint(joint).parent;
                let neighbors =
                    parent(pair.joint_b) == Some(pair.joint_a) || parent(pair.joint_a) == Some(pair.joint_b);
                if same && (pair.box_a >= pair.box_b || neighbors) {
                    continue;
                }
                if filter(a, pair.joint_a).interacts_with(filter(b, pair.joint_b)) {
                    let runtime::BoxPair { box_a, box_b, joint_a, joint_b } = *pair;
                    touches.push(Touch {
                        body_a: a.id(),
                        body_b: b.id(),
                        answer: BoxPair { box_a, box_b, joint_a, joint_b },
                    });
                }
            }
        }
    }
    touches
}

#[test]
fn finds_what_looking_at_all_finds() {
    let character = Arc::new(figure("figure"));
    for kernel in Kernel::available() {
        let mut world = HitboxWorld::with_kernel(kernel);
        fill(&mut world, 0..60, &character);
        for tick in [0, 1, 2, 60, 61] {
            pose(&mut world, tick);
            world.update();
            let expected = touches_by_looking_at_all(&world);
            assert!(expected.len() > 100, "the scene is too empty: {}", expected.len());
            assert_eq!(world.touches(), expected, "{kernel:?} tick {tick}");
            assert!(expected.iter().any(|touch| touch.body_a == touch.body_b), "no body touches itself");
        }
    }
}

#[test]
fn order_of_insertion_and_comings_and_goings_do_not_matter() {
    let character = Arc::new(figure("figure"));
    let (mut forward, mut backward) = (HitboxWorld::new(), HitboxWorld::new());
    fill(&mut forward, 0..80, &character);
    fill(&mut backward, (0..100).rev(), &character);
    for tick in 0..6 {
        if tick == 3 {
            (80..100).for_each(|id| drop(backward.remove(BodyId(id)).unwrap()));
        }
        pose(&mut forward, tick);
        pose(&mut backward, tick);
        forward.update();
        backward.update();
        if tick > 3 {
            assert_eq!(forward.events(), backward.events());
        }
    }
    assert_eq!(forward.touches(), backward.touches());
}

#[test]
fn events_are_the_difference_of_two_ticks() {
    let character = Arc::new(figure("figure"));
    let mut world = HitboxWorld::new();
    fill(&mut world, 0..60, &character);
    let mut before: Vec<Touch> = Vec::new();
    for tick in 0..20 {
        pose(&mut world, tick * 3);
        world.update();
        let of = |phase| world.events().iter().filter(move |event| event.phase == phase).map(|event| event.touch);
        assert!(of(TouchPhase::Started).all(|touch| !before.contains(&touch)));
        assert!(of(TouchPhase::Persisted).all(|touch| before.contains(&touch)));
        assert!(of(TouchPhase::Ended).all(|touch| before.contains(&touch) && !world.touches().contains(&touch)));
        assert_eq!(of(TouchPhase::Persisted).count() + of(TouchPhase::Ended).count(), before.len());
        assert_eq!(of(TouchPhase::Persisted).count() + of(TouchPhase::Started).count(), world.touches().len());
        assert!(world.events().is_sorted());
        before = world.touches().to_vec();
    }
}

#[test]
fn removed_and_unposed_bodies_end_their_touches() {
    let arm = Arc::new(arm("arm"));
    let mut world = HitboxWorld::new();
    for id in [1, 2] {
        world.insert(BodyId(id), Arc::clone(&arm), BodySettings::default()).unwrap();
        world.pose_from_rest(BodyId(id), &Affine3A::IDENTITY).unwrap();
    }
    world.update();
    assert_eq!(world.touches().len(), 4);
    let nan = world.pose_from_rest(BodyId(1), &Affine3A::NAN).unwrap_err();
    assert!(matches!(nan, WorldError::Pose { id: BodyId(1), error: PoseError::PlaceOutOfRange { .. } }));
    world.update();
    assert_eq!((world.touches(), world.events().len()), (&[][..], 4));
    assert!(world.events().iter().all(|event| event.phase == TouchPhase::Ended));
    world.remove(BodyId(2)).unwrap();
    world.update();
    assert_eq!(world.events(), &[] as &[TouchEvent]);
    assert_eq!(
        world.remove(BodyId(2)).unwrap_err().to_string(),
        "body 2 does not exist in this world; insert it first"
    );
    let twice = world.insert(BodyId(1), arm, BodySettings::default());
    assert_eq!(twice, Err(WorldError::AlreadyThere(BodyId(1))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_places_and_teams(
        bodies in prop::collection::vec((prop::array::uniform3(-2f32..2.0), prop::option::of(0u32..2), any::<bool>()), 0..25),
    ) {
        let arm = Arc::new(arm("arm"));
        let mut world = HitboxWorld::new();
        for (id, &(at, team, self_touches)) in (0..).zip(&bodies) {
            let settings = BodySettings { team, self_touches, ..BodySettings::default() };
            world.insert(BodyId(id), Arc::clone(&arm), settings).unwrap();
            world.pose_from_rest(BodyId(id), &Affine3A::from_translation(at.into())).unwrap();
        }
        world.update();
        prop_assert_eq!(world.touches(), touches_by_looking_at_all(&world));
    }
}
