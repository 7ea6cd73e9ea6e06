//! A restored history gives the same views as the saved one, and damaged states are refused.

use crate::model::{LONG, Questions};
use crate::scene::Scene;
use rewind::{History, HistorySettings, HistoryState, Moment, RestoreError};
use runtime::{Character, QueryFilter};
use std::collections::BTreeMap;
use std::sync::Arc;

type Characters = BTreeMap<String, Arc<Character>>;

fn recorded(seed: u64) -> (Scene, History, Characters) {
    let mut scene = Scene::new(seed, 12);
    let mut history = History::new(HistorySettings { ticks: 8, tick_seconds: 1.0 / 60.0 });
    let mut characters = Characters::new();
    for tick in 0..11 {
        for cut in scene.step() {
            history.cut(cut);
        }
        history.record(tick * 2, &scene.world).unwrap();
        let known = scene.world.bodies().map(|body| (body.character().name().into(), Arc::clone(body.character())));
        characters.extend(known);
    }
    (scene, history, characters)
}

fn restore(state: &HistoryState, characters: &Characters) -> Result<History, RestoreError> {
    History::restore(state, |name| characters.get(name).cloned())
}

#[test]
fn a_restored_history_goes_on_as_the_saved_one() {
    for seed in 0..10 {
        let (mut scene, mut history, characters) = recorded(seed);
        if seed % 2 == 0 {
            history.cut(runtime::BodyId(6));
        }
        let bytes = postcard::to_allocvec(&history.save()).unwrap();
        let state: HistoryState = postcard::from_bytes(&bytes).unwrap();
        let text = serde_json::to_string(&history.save()).unwrap();
        assert_eq!(serde_json::from_str::<HistoryState>(&text).unwrap(), state);
        let mut restored = restore(&state, &characters).unwrap();
        for step in 0..3 {
            assert_eq!(restored.checksum(), history.checksum());
            assert_eq!((restored.oldest(), restored.newest()), (history.oldest(), history.newest()));
            for _ in 0..6 {
                let back = f64::from(scene.random.between(0.0, 14.0));
                let moment = Moment::at(history.newest().unwrap() as f64 - back).unwrap();
                let views = [&history, &restored].map(|history| history.at_with(moment, &LONG).unwrap());
                let questions = Questions::new(&mut scene.random);
                let [one, other] = views.each_ref().map(|view| questions.ask(view, &QueryFilter::default()));
                assert_eq!(one, other, "seed {seed}");
                let kinds = views.each_ref().map(|view| view.ids().map(|id| view.kind(id)).collect::<Vec<_>>());
                assert_eq!(kinds[0], kinds[1]);
            }
            scene.step();
            for history in [&mut history, &mut restored] {
                history.record(22 + step * 2, &scene.world).unwrap();
            }
        }
    }
}

#[test]
fn a_state_that_does_not_fit_is_refused() {
    let (_, history, characters) = recorded(3);
    let state = history.save();
    let error = restore(&state, &Characters::new()).unwrap_err();
    assert!(matches!(error, RestoreError::NoCharacter { tick: 6, .. }), "{error}");
    // Another character under the name of one of them.
    let arm = Arc::new(Character::from_baked(baked_characters::baked_arm("arm")));
    let others: Characters = characters.keys().map(|name| (name.clone(), Arc::clone(&arm))).collect();
    let error = restore(&state, &others).unwrap_err();
    assert!(matches!(error, RestoreError::WrongBody { .. } | RestoreError::WrongPose { .. }), "{error}");
}

/// Bytes that are damaged anywhere give an error or a history, and no history panics when it is asked.
#[test]
fn damaged_bytes_never_panic() {
    let (mut scene, history, characters) = recorded(5);
    let bytes = postcard::to_allocvec(&history.save()).unwrap();
    let (mut refused, mut restored) = (0, 0);
    for _ in 0..4_000 {
        let mut damaged = bytes.clone();
        for _ in 0..=scene.random.below(3) {
            let at = scene.random.below(damaged.len());
            match scene.random.below(4) {
                0 => damaged.truncate(at.max(1)),
                1 => damaged[at] = 0xff,
                2 => damaged[at] = scene.random.next_u64() as u8,
                _ => damaged[at] ^= 1 << scene.random.below(8),
            }
        }
        let state = postcard::from_bytes::<HistoryState>(&damaged);
        let Some(history) = state.ok().and_then(|state| restore(&state, &characters).ok()) else {
            refused += 1;
            continue;
        };
        restored += 1;
        if restored % 16 == 0 && history.newest().is_some() {
            let moment = Moment { tick: scene.random.below(24) as u64, fraction: scene.random.between(0.0, 1.0) };
            let view = history.at_with(moment, &LONG).unwrap();
            let _ = Questions::new(&mut scene.random).ask(&view, &QueryFilter::default());
            let _ = history.checksum();
        }
    }
    assert!(refused > 500 && restored > 500, "{refused} {restored}");
}
