//! Each outcome, and their order.

use crate::scene::{BODY, Fight, Fighter, SPIN, attack, baked_swordsman, one_swing, state, swordsman};
use baked_format::{Attack, AttackKind, ClipState, HitboxRole, StateKind};
use glam::Vec3;
use runtime::{BodyId, Character};
use std::sync::Arc;
use strikes::{Outcome, Strike, Strikes, Swing};

const INSIDE: Vec3 = Vec3::new(0.05, 0.6, 0.0);
/// The two swords of a duel are in each other all the time, and in no body.
const SWORD_ON_SWORD: Vec3 = Vec3::new(0.01, 0.0, 0.0);

/// Body 0 attacks from 0.1 to 0.9 s. Body 1 stands in its sword, and plays the same clip, with the states.
fn met(kind: AttackKind, states: Vec<ClipState>) -> (Fight, Vec<Strike>) {
    let sword = swordsman(1.0, vec![Attack { kind, ..attack("blade", 0.1, 0.9) }], Vec::new());
    let other = swordsman(1.0, Vec::new(), states);
    let fighters = vec![Fighter::new(&sword, Vec3::ZERO).playing(1.0), Fighter::new(&other, INSIDE).playing(1.0)];
    let mut fight = Fight::new(fighters, 20.0);
    let strikes = fight.play(&mut one_swing(), 1.0);
    (fight, strikes)
}

fn outcomes(kind: AttackKind, states: Vec<ClipState>) -> Vec<Outcome> {
    met(kind, states).1.iter().map(|strike| strike.outcome).collect()
}

#[test]
fn states_of_the_target_decide() {
    let all = |kind| state(kind, 0.0, 1.0);
    let (guard, armor, hidden) = (StateKind::Guard, StateKind::Armor, StateKind::Invulnerable);
    let is = |kind, states: Vec<ClipState>, expected: Outcome| assert_eq!(outcomes(kind, states), [expected]);
    is(AttackKind::Strike, vec![], Outcome::Hit);
    is(AttackKind::Strike, vec![all(armor)], Outcome::Armor);
    is(AttackKind::Strike, vec![all(armor), all(guard)], Outcome::Guard);
    is(AttackKind::Strike, vec![all(armor), all(guard), all(hidden)], Outcome::Invulnerable);
    is(AttackKind::Throw, vec![all(armor), all(guard)], Outcome::Throw);
    is(AttackKind::Throw, vec![all(hidden)], Outcome::Invulnerable);
    is(AttackKind::Grab, vec![all(guard)], Outcome::Grab);
    is(AttackKind::Grab, vec![all(StateKind::Grabbable)], Outcome::Grab);
    let elsewhere = ClipState { boxes: vec![1], ..state(StateKind::Grabbable, 0.95, 1.0) };
    assert!(outcomes(AttackKind::Grab, vec![elsewhere]).is_empty());
}

/// Each kind of attack against a hitbox of each role, which stands in the sword all the time.
#[test]
fn the_role_of_the_target_decides() {
    let found = |kind: AttackKind, role: HitboxRole, states: Vec<ClipState>| {
        let sword = swordsman(1.0, vec![Attack { kind, ..attack("blade", 0.1, 0.9) }], Vec::new());
        let mut other = baked_swordsman(1.0, 0.02, Vec::new(), states);
        other.boxes[usize::from(BODY.0)].role = role;
        let other = Arc::new(Character::from_baked(other));
        let fighters = vec![Fighter::new(&sword, Vec3::ZERO).playing(1.0), Fighter::new(&other, INSIDE).playing(1.0)];
        let strikes = Fight::new(fighters, 20.0).play(&mut one_swing(), 1.0);
        // The sword of the target can be hit too, but it is in no sword.
        strikes.iter().filter(|one| one.target_box == BODY).map(|one| one.outcome).collect::<Vec<_>>()
    };
    for role in HitboxRole::ALL {
        let (strike, throw, grab) = match role {
            HitboxRole::Hurt => (Some(Outcome::Hit), Some(Outcome::Throw), Some(Outcome::Grab)),
            HitboxRole::Guard => (Some(Outcome::Guard), None, None),
            HitboxRole::Strike | HitboxRole::Grab | HitboxRole::Sensor => (None, None, None),
        };
        for (kind, expected) in [(AttackKind::Strike, strike), (AttackKind::Throw, throw), (AttackKind::Grab, grab)] {
            assert_eq!(found(kind, role, vec![]), Vec::from_iter(expected), "{kind:?} {role:?}");
        }
    }
    let hidden = vec![state(StateKind::Invulnerable, 0.0, 1.0), state(StateKind::Armor, 0.0, 1.0)];
    assert_eq!(found(AttackKind::Strike, HitboxRole::Guard, hidden), [Outcome::Invulnerable]);
    let armor = vec![state(StateKind::Armor, 0.0, 1.0)];
    assert_eq!(found(AttackKind::Strike, HitboxRole::Guard, armor), [Outcome::Guard]);
}

#[test]
fn a_strike_lands_when_invulnerability_ends() {
    let (fight, strikes) = met(AttackKind::Strike, vec![state(StateKind::Invulnerable, 0.0, 0.43)]);
    let found: Vec<_> = strikes.iter().map(|one| (one.outcome, fight.seconds_of(one))).collect();
    assert_eq!((found.len(), found[0].0, found[1].0), (2, Outcome::Invulnerable, Outcome::Hit), "{found:?}");
    assert!((found[0].1 - 0.1).abs() < 1e-5 && (found[1].1 - 0.43).abs() < 1e-5, "{found:?}");
}

#[test]
fn a_guard_that_begins_later_does_not_help() {
    assert_eq!(outcomes(AttackKind::Strike, vec![state(StateKind::Guard, 0.12, 1.0)]), [Outcome::Hit]);
}

/// Two swordsmen who attack each other, with these strengths.
fn duel(strengths: [f32; 2]) -> (Vec<Strike>, usize) {
    let of = |strength| swordsman(1.0, vec![Attack { strength, ..attack("blade", 0.1, 0.9) }], Vec::new());
    let [one, other] = strengths.map(of);
    let fighters = vec![Fighter::new(&one, Vec3::ZERO).playing(1.0), Fighter::new(&other, SWORD_ON_SWORD).playing(1.0)];
    let mut swings = one_swing();
    swings.begin(Swing::new(BodyId(1), 7, SPIN)).unwrap();
    let mut fight = Fight::new(fighters, 20.0);
    let strikes = fight.play(&mut swings, 0.8);
    (strikes, swings.swings().len())
}

#[test]
fn equal_swords_clash_and_both_swings_end() {
    let (strikes, running) = duel([1.0, 1.0]);
    let clash = Outcome::Clash { goes_on: false };
    let [first, second] = strikes.as_slice() else { panic!("{strikes:?}") };
    assert_eq!((first.outcome, second.outcome, running), (clash, clash, 0));
    assert_eq!(
        (first.attacker, first.target, second.attacker, second.target),
        (BodyId(0), BodyId(1), BodyId(1), BodyId(0))
    );
    assert_eq!((first.time, first.point, first.normal), (second.time, second.point, -second.normal));
}

/// Hit stop holds the first or the second of two swings that would clash.
#[test]
fn a_swing_that_stands_still_does_not_clash() {
    for held in [0, 1] {
        let sword = swordsman(1.0, vec![Attack { strength: 1.0, ..attack("blade", 0.1, 0.9) }], Vec::new());
        let fighters =
            vec![Fighter::new(&sword, Vec3::ZERO).playing(1.0), Fighter::new(&sword, SWORD_ON_SWORD).playing(1.0)];
        let mut swings = Strikes::new();
        for id in [0, 1] {
            swings.begin(Swing { seconds: 0.2, ..Swing::new(BodyId(id), 1, SPIN) }).unwrap();
        }
        swings.hit_stop([BodyId(held); 2], 4);
        let strikes = Fight::new(fighters, 20.0).play(&mut swings, 0.2);
        let found: Vec<_> = strikes.iter().map(|one| (one.attacker.0, one.outcome)).collect();
        assert_eq!((found, swings.swings().len()), (vec![(1 - held, Outcome::Hit)], 2));
    }
}

#[test]
fn the_stronger_sword_goes_on() {
    let (strikes, running) = duel([1.0, 2.0]);
    let found: Vec<_> = strikes.iter().map(|one| (one.attacker.0, one.outcome)).collect();
    let clash = |goes_on| Outcome::Clash { goes_on };
    assert_eq!(found, [(0, clash(false)), (1, clash(true)), (1, Outcome::Hit)]);
    assert_eq!(running, 1);
}

#[test]
fn weak_swords_trade() {
    for strengths in [[0.0, 0.0], [0.0, 3.0]] {
        let (strikes, running) = duel(strengths);
        let found: Vec<_> = strikes.iter().map(|one| (one.attacker.0, one.outcome)).collect();
        assert_eq!(found, [(0, Outcome::Trade), (1, Outcome::Trade)]);
        assert_eq!(running, 2);
    }
}

#[test]
fn an_invulnerable_sword_does_not_clash() {
    let strong = || vec![Attack { strength: 1.0, ..attack("blade", 0.1, 0.9) }];
    let one = swordsman(1.0, strong(), Vec::new());
    let other = swordsman(1.0, strong(), vec![state(StateKind::Invulnerable, 0.0, 1.0)]);
    let fighters = vec![Fighter::new(&one, Vec3::ZERO).playing(1.0), Fighter::new(&other, INSIDE).playing(1.0)];
    let mut swings: Strikes = one_swing();
    swings.begin(Swing::new(BodyId(1), 1, SPIN)).unwrap();
    let strikes = Fight::new(fighters, 20.0).play(&mut swings, 0.8);
    let found: Vec<_> = strikes.iter().map(|one| (one.attacker.0, one.outcome)).collect();
    assert_eq!(found, [(0, Outcome::Invulnerable), (1, Outcome::Hit)]);
}
