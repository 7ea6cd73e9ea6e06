//! A restored world gives the same answers as the saved world.

use super::world_clones::{answers, crowd, pose};
use crate::characters::{arm, figure};
use baked_characters::{baked_figure, with_hulls};
use glam::{Affine3A, Vec3};
use runtime::{BodyId, BodySettings, Character, HitboxWorld, QueryFilter, WorldState};
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
    let wrong =
        "body 1: the saved boxes are not those of \"figure\"; pass the character as it was when the world was saved";
    assert_eq!(error(&state, Some(&arm)), wrong);
    let figure = Arc::new(Character::from_baked(baked_figure("figure")));
    let edit = |from: &str, to: &str| -> WorldState {
        let text = serde_json::to_string(&state).unwrap();
        assert!(text.contains(from), "{from} is not in {text}");
        serde_json::from_str(&text.replacen(from, to, 1)).unwrap()
    };
    assert!(error(&edit("\"id\":2", "\"id\":1"), Some(&figure)).contains("has body 1 twice"));
    assert!(error(&edit("\"box_a\":0", "\"box_a\":24"), Some(&figure)).contains("a saved touch of body 1 and body 2"));
}
