//! Strikes on the past, as an attacker's client drew it.

use crate::scene::{Fight, Fighter, SPIN, attack, one_swing, state, swordsman, targets};
use baked_format::StateKind;
use glam::Vec3;
use rewind::Moment;
use runtime::BodyId;
use strikes::{Outcome, Seen, Strike, StrikeError, StrikeRules, Strikes, Swing};
use test_models::Random;

const RULES: StrikeRules = StrikeRules { teleport_distance: 2.0, max_back: 10.0, exact: false };

fn at(ticks: f64) -> Moment {
    Moment::at(ticks.max(0.0)).unwrap()
}

/// The tick at which the swing begins, after the longest delay.
const START: u64 = 12;

/// The fight as a client with a delay draws it: the attacker in the present, and each other body `delays` ticks before.
fn drawn(fighters: &[Fighter], delays: &[f64], rate: f64) -> Vec<Fighter> {
    let late = |(fighter, delay): (&Fighter, &f64)| Fighter {
        start: fighter.place(-delay / rate).translation.into(),
        ..fighter.clone()
    };
    fighters.iter().zip(delays).map(late).collect()
}

/// A client with a latency draws its targets in the past, some of them at moments of their own. The server, which looks at
/// what the client drew, finds the strikes that the client found in its own world.
#[test]
fn a_server_finds_the_strikes_that_the_client_saw() {
    let mut random = Random::new(41);
    let (mut found, mut other, mut apart) = (0, 0, 0.0_f64);
    for round in 0..40 {
        let rate: f64 = *random.pick(&[10.0, 20.0, 30.0, 60.0]);
        let sword = swordsman(0.5, vec![attack("blade", 0.0, 0.5)], Vec::new());
        let start_seconds = START as f64 / rate;
        let mut fighters = vec![Fighter::new(&sword, Vec3::ZERO)];
        for _ in 0..12 {
            let velocity = Vec3::new(random.between(-4.0, 4.0), random.between(-2.0, 2.0), random.between(-1.0, 1.0));
            let at = Vec3::new(random.between(-1.6, 1.6), random.between(-1.0, 2.0), random.between(-0.4, 0.4));
            // Each is near the sword when the swing begins.
            let start = at - velocity * start_seconds as f32;
            fighters.push(Fighter::new(&sword, start).moving(velocity));
        }
        let usual = f64::from(random.between(0.0, 11.0));
        let has_own = |id: usize| round % 2 == 0 && id % 3 == 1;
        let delays: Vec<f64> = (0..fighters.len())
            .map(|id| match id {
                0 => 0.0,
                _ if has_own(id) => f64::from(random.between(0.0, 11.0)),
                _ => usual,
            })
            .collect();
        let run = |fighters: &[Fighter], is_server: bool| {
            let mut fight = Fight::new(fighters.to_vec(), rate);
            // The attacker plays its clip from the start tick on.
            let (mut swings, mut strikes, mut all) = (Strikes::new(), Vec::new(), Vec::new());
            let last = START + (0.5 * rate) as u64;
            for tick in 1..=last {
                fight.fighters[0].plays = Some(1.0);
                fight.record_at(tick, (tick.saturating_sub(START)) as f64 / rate);
                if tick <= START {
                    continue;
                }
                if tick == START + 1 {
                    swings.begin(Swing::new(BodyId(0), 1, SPIN)).unwrap();
                }
                let ticks = [tick - 1, tick];
                let moments = |delay: f64| ticks.map(|tick| at(tick as f64 - delay));
                let own: Vec<_> = (1..fighters.len())
                    .filter(|&id| has_own(id))
                    .map(|id| (BodyId(id as u64), moments(delays[id])))
                    .collect();
                let [from, to] = moments(usual);
                let seen = [Seen { attacker: BodyId(0), from, to, own: &own }];
                let seen = if is_server { &seen[..] } else { &[] };
                swings.advance_seen(&fight.history, ticks, &RULES, seen, &mut strikes).unwrap();
                all.append(&mut strikes);
            }
            let seconds = all.iter().map(|one| fight.seconds_of(one)).collect::<Vec<_>>();
            (all, seconds)
        };
        let (server, server_seconds) = run(&fighters, true);
        let (client, client_seconds) = run(&drawn(&fighters, &delays, rate), false);
        let (present, _) = run(&fighters, false);
        let sorted = |of: &[Strike]| {
            let mut ids = targets(of);
            ids.sort_unstable();
            ids
        };
        assert_eq!(sorted(&server), sorted(&client), "round {round}");
        other += usize::from(sorted(&server) != sorted(&present));
        for (one, seconds) in server.iter().zip(&server_seconds) {
            let (same, at) = client.iter().zip(&client_seconds).find(|(same, _)| same.target == one.target).unwrap();
            assert!((one.point - same.point).length() < 0.02, "round {round}: {one:?} {same:?}");
            apart = apart.max((seconds - at).abs());
            found += 1;
        }
    }
    println!("{found} strikes, {other} of 40 rounds differ from the present, {apart} s apart");
    assert!(found > 100 && other > 20 && apart < 1e-3, "{found} {other} {apart}");
}

fn duel(states: Vec<baked_format::ClipState>) -> Fight {
    let sword = swordsman(1.0, vec![attack("blade", 0.0, 1.0)], Vec::new());
    let target = swordsman(1.0, Vec::new(), states);
    // Inside the sword from the first tick on.
    let fighters = vec![
        Fighter::new(&sword, Vec3::ZERO).playing(1.0),
        Fighter::new(&target, Vec3::new(0.05, 0.6, 0.0)).playing(1.0),
    ];
    let mut fight = Fight::new(fighters, 20.0);
    (0..12).for_each(|_| fight.step());
    fight
}

fn outcome_seen(fight: &Fight, ticks: [u64; 2], seen: [f64; 2]) -> Vec<Outcome> {
    let mut strikes = Vec::new();
    let mut swings = Strikes::new();
    swings.begin(Swing { seconds: ticks[0] as f32 / 20.0, ..Swing::new(BodyId(0), 1, SPIN) }).unwrap();
    let seen = [Seen { attacker: BodyId(0), from: at(seen[0]), to: at(seen[1]), own: &[] }];
    swings.advance_seen(&fight.history, ticks, &RULES, &seen, &mut strikes).unwrap();
    strikes.iter().map(|one| one.outcome).collect()
}

#[test]
fn the_states_of_a_target_are_those_that_were_seen() {
    // Guards until 0.3 s.
    let fight = duel(vec![state(StateKind::Guard, 0.0, 0.3)]);
    assert_eq!(outcome_seen(&fight, [8, 9], [8.0, 9.0]), [Outcome::Hit]);
    assert_eq!(outcome_seen(&fight, [8, 9], [3.5, 4.5]), [Outcome::Guard]);
    // Several ticks at once see the same.
    assert_eq!(outcome_seen(&fight, [8, 11], [3.5, 6.5]), [Outcome::Guard]);
}

#[test]
fn old_and_strange_moments_are_replaced_or_refused() {
    let fight = duel(Vec::new());
    for seen in [[0.0, 0.0], [0.0, 1e30], [1e30, 0.0], [5.5, 5.5], [6.0, 2.0]] {
        assert_eq!(outcome_seen(&fight, [8, 9], seen), [Outcome::Hit], "{seen:?}");
    }
    let mut swings = one_swing();
    let mut strikes = Vec::new();
    let wrong = Moment { tick: 3, fraction: f32::NAN };
    let (before, right) = (swings.clone(), at(3.0));
    let own = [(BodyId(1), [right, wrong])];
    for (from, to, own) in [(wrong, right, &[][..]), (right, wrong, &[]), (right, right, &own)] {
        let seen = [Seen { attacker: BodyId(0), from, to, own }];
        let error = swings.advance_seen(&fight.history, [8, 9], &RULES, &seen, &mut strikes).unwrap_err();
        assert_eq!(error, StrikeError::Moment { attacker: BodyId(0) });
        assert!(strikes.is_empty() && swings == before);
    }
}

/// The target jumps from one side of the upright sword to the other.
#[test]
fn a_seen_target_that_was_teleported_is_not_struck_on_its_way() {
    for (is_cut, expected) in [(false, 1), (true, 0)] {
        let sword = swordsman(1000.0, vec![attack("blade", 0.0, 900.0)], Vec::new());
        let side = Vec3::new(-0.8, 0.6, 0.0);
        let mut jumping = Fighter::new(&sword, side);
        let mut fight = Fight::new(vec![Fighter::new(&sword, Vec3::ZERO).playing(1.0), jumping.clone()], 10.0);
        fight.step();
        if is_cut {
            fight.history.cut(BodyId(1));
        }
        jumping.start.x = 0.8;
        fight.fighters[1] = jumping;
        (0..5).for_each(|_| fight.step());
        // The whole jump is in the middle of what is seen.
        let seen = [Seen { attacker: BodyId(0), from: at(0.4), to: at(2.6), own: &[] }];
        let (mut swings, mut strikes) = (one_swing(), Vec::new());
        swings.advance_seen(&fight.history, [5, 6], &RULES, &seen, &mut strikes).unwrap();
        assert_eq!(targets(&strikes).len(), expected, "{strikes:?}");
    }
}
