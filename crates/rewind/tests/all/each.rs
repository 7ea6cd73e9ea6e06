//! Views that show bodies at moments of their own.

use crate::model::{LONG, Questions};
use crate::scene::Scene;
use rewind::{History, HistorySettings, Moment, MomentError, MomentKind, Rules, View};
use runtime::{BodyId, QueryFilter};

/// A history of bodies that do everything, and that come and go.
fn history(scene: &mut Scene, ticks: u64) -> History {
    let mut history = History::new(HistorySettings { ticks: 16, ..HistorySettings::default() });
    for tick in 0..ticks {
        for cut in scene.step() {
            history.cut(cut);
        }
        history.record(tick, &scene.world).unwrap();
    }
    history
}

/// A view with moments of their own for some bodies answers as a loop over the bodies, each taken from a view of its
/// moment. Some of these bodies are not in the world at the moment of the view, and some are at no moment.
#[test]
fn each_body_is_shown_at_its_moment() {
    let (mut late, mut total) = (0, 0);
    for seed in 0..40 {
        let mut scene = Scene::new(seed, 14);
        let history = history(&mut scene, 14);
        let random = &mut scene.random;
        let mut moment = || match random.below(4) {
            0 => Moment::of_tick(random.below(14) as u64),
            _ => Moment { tick: random.below(13) as u64, fraction: random.between(0.0, 1.0) },
        };
        let usual = moment();
        let own: Vec<(BodyId, Moment)> =
            (0..60).filter(|id| id % 3 == 0 || id % 7 == 0).map(|id| (BodyId(id), moment())).collect();
        let rules = if seed % 5 == 0 { Rules { interpolation: rewind::Interpolation::Nearest, ..LONG } } else { LONG };
        let asked = || history.at_each(usual, &own, &rules).unwrap();
        let moment_of = |id| own.iter().find(|(own, _)| *own == id).map_or(usual, |(_, moment)| *moment);
        let views: Vec<(BodyId, View<'_>)> =
            (0..70).map(BodyId).map(|id| (id, history.at_with(moment_of(id), &rules).unwrap())).collect();
        let view = asked();
        for (id, alone) in &views {
            assert_eq!((view.kind(*id), view.moment_of(*id)), (alone.kind(*id), alone.moment()), "seed {seed}, {id}");
            let here = history.at_with(usual, &rules).unwrap().kind(*id);
            late += usize::from(here.is_none() && view.kind(*id).is_some());
        }
        let there: Vec<_> = views.iter().filter_map(|(id, view)| view.body(*id)).collect();
        total += there.len();
        assert_eq!(view.ids().collect::<Vec<_>>(), there.iter().map(|body| body.id()).collect::<Vec<_>>());
        for _ in 0..4 {
            let questions = Questions::new(&mut scene.random);
            let team = *scene.random.pick(&[None, Some(1)]);
            let filter = QueryFilter { team, ..QueryFilter::default() };
            // A new view, and one that has posed its bodies.
            let expected = questions.ask_each(&there, &filter);
            assert_eq!(questions.ask(&asked(), &filter), expected, "seed {seed}");
            assert_eq!(questions.ask(&view, &filter), expected, "seed {seed}");
        }
    }
    assert!(late > 20 && total > 400, "{late} {total}");
}

#[test]
fn moments_of_their_own_are_checked() {
    let mut scene = Scene::new(1, 5);
    let history = history(&mut scene, 40);
    let (now, id) = (Moment::of_tick(39), BodyId(3));
    let bad = [(id, Moment { tick: 38, fraction: f32::NAN })];
    assert_eq!(history.at_each(now, &bad, &Rules::default()).unwrap_err(), MomentError::NotANumber);
    let moments = [(id, Moment::of_tick(0)), (id, now), (BodyId(999), now)];
    let view = history.at_each(now, &moments, &Rules::default()).unwrap();
    // The first moment counts, and is older than the rules and the history allow.
    assert_eq!((view.kind(id), view.moment_of(id)), (Some(MomentKind::ClampedToMaxBack), Moment::of_tick(24)));
    assert_eq!((view.moment(), view.kind(BodyId(999))), (now, None));
    assert!(view.body(BodyId(999)).is_none());
}

/// Four threads ask one view at the same time, before anything is posed.
#[test]
fn many_threads_ask_one_view() {
    let mut scene = Scene::new(4, 20);
    let history = history(&mut scene, 8);
    let all = QueryFilter::default();
    for fraction in [0.0, 0.2, 0.7] {
        let questions: Vec<Questions> = (0..8).map(|_| Questions::new(&mut scene.random)).collect();
        let moment = Moment { tick: 5, fraction };
        let own = [(BodyId(6), Moment::of_tick(2)), (BodyId(9), Moment { tick: 3, fraction: 0.5 })];
        let new = || history.at_each(moment, &own, &LONG).unwrap();
        let alone = new();
        let expected: Vec<_> = questions.iter().map(|questions| questions.ask(&alone, &all)).collect();
        let shared = new();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (shared, questions, expected, all) = (&shared, &questions, &expected, &all);
                scope.spawn(move || {
                    for index in 0..questions.len() {
                        let index = (index + thread * 2) % questions.len();
                        assert_eq!(questions[index].ask(shared, all), expected[index]);
                    }
                });
            }
        });
        assert_eq!(shared.refused(), alone.refused());
    }
}
