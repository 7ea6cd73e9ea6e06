//! A restored world gives the same answers as the saved world.

use super::world_clones::{answers, crowd, pose};
use crate::characters::{arm, figure, tube};
use baked_characters::{baked_figure, with_hulls};
use geometry_core::{Ray, Sphere};
use glam::{Affine3A, Vec3};
use runtime::{BodyId, BodySettings, Character, ClipIndex, HitboxWorld, QueryFilter, WorldState};
use std::sync::Arc;

fn through_json(state: &WorldState) -> WorldState {
    serde_json::from_str(&serde_json::to_string(state).unwrap()).unwrap()
}

/// A format that does not describe itself: the bytes of a value hold no names and no types.
fn through_postcard(state: &WorldState) -> WorldState {
    postcard::from_bytes(&postcard::to_allocvec(state).unwrap()).unwrap()
}

#[test]
fn the_next_updates_give_the_same_events() {
    let figure = Arc::new(figure("figure"));
    let load = |name: &str| (name == "figure").then(|| Arc::clone(&figure));
    let mut world = crowd();
    for tick in 0..4 {
        pose(&mut world, tick);
        world.update();
    }
    // The state is saved in the middle of a tick as well as after an update.
    for middle in [false, true] {
        let mut original = world.clone();
        if middle {
            pose(&mut original, 4);
        }
        let state = original.save();
        assert_eq!(through_json(&state), state);
        assert_eq!(through_postcard(&state), state);
        let mut restored = HitboxWorld::restore(&through_postcard(&state), load).unwrap();
        for (a, b) in original.bodies().zip(restored.bodies()) {
            assert_eq!(a.posed().bounds(), b.posed().bounds());
            assert!(a.posed().boxes().eq(b.posed().boxes()));
        }
        let (mut hits, mut restored_hits) = (Vec::new(), Vec::new());
        original.sweep_all(None, &QueryFilter::default(), &mut hits);
        restored.sweep_all(None, &QueryFilter::default(), &mut restored_hits);
        assert_eq!((hits.is_empty(), hits), (false, restored_hits));
        for tick in 5..10 {
            original.update();
            restored.update();
            assert_eq!(answers(&original), answers(&restored), "tick {tick}");
            pose(&mut original, tick);
            pose(&mut restored, tick);
        }
    }
}

/// All answers of a world of tubes, whose bodies track their skins.
fn exact_answers(world: &mut HitboxWorld) -> impl PartialEq + std::fmt::Debug + use<> {
    let all = QueryFilter::default();
    let (mut touches, mut overlaps, mut inside) = (Vec::new(), Vec::new(), Vec::new());
    world.exact_touches(&all, &mut touches).unwrap();
    let ray = Ray::try_new(Vec3::new(-9.0, 1.2, 0.1), Vec3::X).unwrap();
    let hit = world.exact_ray(&ray, None, &all).unwrap();
    let ball = Sphere::try_new(Vec3::new(0.4, 1.5, 0.0), 0.6).unwrap();
    world.exact_shape_overlaps(&ball, &all, &mut overlaps).unwrap();
    world.bodies_containing(Vec3::new(0.4, 1.5, 0.0), &all, &mut inside).unwrap();
    let distance = world.exact_distance(BodyId(0), BodyId(2), None).unwrap();
    let mut sweeps = Vec::new();
    world.sweep_all(None, &all, &mut sweeps);
    (world.touches().to_vec(), world.events().to_vec(), (touches, hit, overlaps, inside, distance, sweeps))
}

/// Nothing about the saved world is lost: neither the events, nor the skins, nor settings that changed after the update.
#[test]
fn a_restored_world_answers_as_the_saved_world_in_the_middle_of_a_tick() {
    let tube = Arc::new(tube("tube"));
    let mut world = HitboxWorld::new();
    let settings = |team| BodySettings { team, continuous: true, ..BodySettings::default() };
    let pose = |world: &mut HitboxWorld, tick: u16| {
        for id in 0..3u16 {
            let place = Affine3A::from_translation(Vec3::X * (0.45 - 0.03 * f32::from(tick)) * f32::from(id));
            world.pose_from_clip(BodyId(id.into()), &place, ClipIndex(0), 0.1 * f32::from(tick + id)).unwrap();
        }
    };
    for id in 0..3 {
        world.insert(BodyId(id), Arc::clone(&tube), settings(Some(7))).unwrap();
        world.track_skin(BodyId(id), true).unwrap();
    }
    for tick in 0..2 {
        pose(&mut world, tick);
        world.update();
    }
    world.remove(BodyId(1)).unwrap();
    world.insert(BodyId(1), Arc::clone(&tube), settings(Some(7))).unwrap();
    world.track_skin(BodyId(1), true).unwrap();
    world.set_settings(BodyId(0), settings(None)).unwrap();
    for tick in 2..6 {
        let state = world.save();
        assert_eq!(through_json(&state), state);
        let mut restored = HitboxWorld::restore(&through_postcard(&state), |_| Some(Arc::clone(&tube))).unwrap();
        assert_eq!(restored.save(), state);
        assert_eq!(exact_answers(&mut restored), exact_answers(&mut world), "tick {tick}");
        pose(&mut restored, tick);
        pose(&mut world, tick);
        assert_eq!(exact_answers(&mut restored), exact_answers(&mut world), "tick {tick}, posed");
        assert_eq!(restored.save(), world.save());
        restored.update();
        world.update();
        assert_eq!(exact_answers(&mut restored), exact_answers(&mut world), "tick {tick}, updated");
        assert!(!world.touches().is_empty());
    }
}

/// The places of hulls are part of the state.
#[test]
fn a_restored_world_answers_about_hulls() {
    let figure = Arc::new(Character::from_baked(with_hulls(baked_figure("figure"))));
    let mut world = HitboxWorld::new();
    for id in 0..2u8 {
        world.insert(BodyId(id.into()), Arc::clone(&figure), BodySettings::default()).unwrap();
        let place = Affine3A::from_translation(Vec3::X * (0.25 * f32::from(id)));
        world.pose_from_rest(BodyId(id.into()), &place).unwrap();
    }
    let state = through_postcard(&through_json(&world.save()));
    let mut restored = HitboxWorld::restore(&state, |_| Some(Arc::clone(&figure))).unwrap();
    for (one, other) in world.bodies().zip(restored.bodies()) {
        for index in figure.hitboxes().map(|one| one.index) {
            assert_eq!(one.posed().posed_hull(index), other.posed().posed_hull(index));
        }
    }
    world.update();
    restored.update();
    assert!(!world.touches().is_empty() && world.touches() == restored.touches());
    // A damaged state.
    let text = serde_json::to_string(&state).unwrap();
    let (start, _) = text.match_indices("\"hulls\":[[").next().unwrap();
    let first = start + "\"hulls\":[[".len();
    let wide = format!("{}1e39{}", &text[..first], &text[first + text[first..].find(',').unwrap()..]);
    let wide: WorldState = serde_json::from_str(&wide).unwrap();
    assert!(HitboxWorld::restore(&wide, |_| Some(Arc::clone(&figure))).is_err());
    let boxes = Arc::new(crate::characters::figure("figure"));
    assert!(HitboxWorld::restore(&state, |_| Some(Arc::clone(&boxes))).is_err());
}

#[test]
fn what_does_not_fit_is_refused() {
    let arm = Arc::new(arm("figure"));
    let mut world = HitboxWorld::new();
    for id in [1, 2] {
        world.insert(BodyId(id), Arc::new(figure("figure")), BodySettings::default()).unwrap();
        world.pose_from_rest(BodyId(id), &Affine3A::from_translation(Vec3::X * 0.1 * id as f32)).unwrap();
    }
    world.update();
    let state = world.save();
    let error = |state: &WorldState, character: Option<&Arc<Character>>| {
        HitboxWorld::restore(state, |_| character.cloned()).unwrap_err().to_string()
    };
    assert_eq!(
        error(&state, None),
        "body 1 is a \"figure\", for which no character was given; pass this character too"
    );
    let wrong = "body 1: the saved hitboxes or the saved skin are not those of \"figure\"; pass the character as it was when the world was saved";
    assert_eq!(error(&state, Some(&arm)), wrong);
    let figure = Arc::new(Character::from_baked(baked_figure("figure")));
    let edit = |from: &str, to: &str| -> WorldState {
        let text = serde_json::to_string(&state).unwrap();
        assert!(text.contains(from), "{from} is not in {text}");
        serde_json::from_str(&text.replacen(from, to, 1)).unwrap()
    };
    assert!(error(&edit("\"id\":2", "\"id\":1"), Some(&figure)).contains("has body 1 twice"));
    let wide = "\"sockets\":[[0,[1e39,0.0,0.0,0.0,1.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0]]]";
    assert_eq!(error(&edit("\"sockets\":[]", wide), Some(&figure)), wrong);
    assert_eq!(error(&edit("\"skin\":\"NotTracked\"", "\"skin\":{\"Posed\":[]}"), Some(&figure)), wrong);
    assert_eq!(error(&edit("\"disabled_boxes\":[]", "\"disabled_boxes\":[3,24]"), Some(&figure)), wrong);
    assert!(error(&edit("\"box_a\":0", "\"box_a\":24"), Some(&figure)).contains("a saved touch of body 1 and body 2"));
}
