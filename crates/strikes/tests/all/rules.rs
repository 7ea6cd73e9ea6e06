//! Windows, loops, speed, hit stop, groups, ranks, and hitting again.

use crate::scene::{BODY, Fight, Fighter, SPIN, SWORD, attack, one_swing, swordsman, targets};
use baked_format::{Attack, Window};
use glam::Vec3;
use runtime::{BodyId, BodySettings, CollisionLayers};
use strikes::{Outcome, StrikeRules, Strikes, Swing};

/// A place whose body is in the way of the sword from the start to the end of its turn.
const INSIDE: Vec3 = Vec3::new(0.05, 0.6, 0.0);
/// A place whose body the sword meets after about a quarter of its turn.
const LEFT: Vec3 = Vec3::new(-0.9, 0.5, 0.0);

fn fight(attacks: Vec<Attack>, target: Vec3, rate: f64) -> Fight {
    let sword = swordsman(1.0, attacks, Vec::new());
    Fight::new(vec![Fighter::new(&sword, Vec3::ZERO).playing(1.0), Fighter::new(&sword, target)], rate)
}

#[test]
fn a_strike_says_who_met_whom_and_where() {
    let mut blade = attack("blade", 0.1, 0.9);
    blade.against = vec!["hurt".into()];
    let mut fight = fight(vec![blade], LEFT, 30.0);
    let strikes = fight.play(&mut one_swing(), 1.0);
    let [strike] = strikes.as_slice() else { panic!("{strikes:?}") };
    assert_eq!((strike.attacker, strike.instance, strike.target), (BodyId(0), 1, BodyId(1)));
    assert_eq!((strike.attacker_box, strike.target_box, strike.outcome), (SWORD, BODY, Outcome::Hit));
    let character = &fight.fighters[0].character;
    let one = strike.attack(character).unwrap();
    assert_eq!((one.name.as_str(), one.data.as_deref()), ("blade", Some(r#"{"damage":5}"#)));
    assert_eq!(
        (character.tags(strike.attacker_box), character.tags(strike.target_box)),
        (&["sword".into()][..], &["hurt".into()][..])
    );
    assert_eq!((strike.attacker_joint.0, strike.target_joint.0), (2, 1));
    assert!((f64::from(strike.seconds) - fight.seconds_of(strike)).abs() < 1e-5);
    assert!((strike.point - Vec3::new(-0.9, 2.0, 0.0)).length() < 0.7, "{strike:?}");
    assert!(strike.normal.x < 0.0 || strike.normal.y < 0.0, "{strike:?}");
    assert!(strike.depth < 1e-3);
}

#[test]
fn the_first_active_moment_inside_the_target_counts() {
    let mut fight = fight(vec![attack("blade", 0.125, 0.9)], INSIDE, 20.0);
    let strikes = fight.play(&mut one_swing(), 1.0);
    assert_eq!(strikes.len(), 1);
    assert!((fight.seconds_of(&strikes[0]) - 0.125).abs() < 1e-6 && strikes[0].depth > 0.01, "{strikes:?}");
}

#[test]
fn windows_shorter_than_a_tick_and_single_moments_strike() {
    for (from, to) in [(0.11, 0.12), (0.115, 0.115)] {
        let strikes = fight(vec![attack("blade", from, to)], INSIDE, 10.0).play(&mut one_swing(), 1.0);
        assert_eq!(strikes.len(), 1, "{from} to {to}");
        assert!((strikes[0].seconds - from).abs() < 1e-5);
    }
    // The sword is elsewhere in this window.
    assert!(fight(vec![attack("blade", 0.05, 0.08)], LEFT, 10.0).play(&mut one_swing(), 1.0).is_empty());
}

#[test]
fn a_group_strikes_a_target_once_and_two_groups_twice() {
    let mut second = attack("shock", 0.1, 0.9);
    let two = vec![attack("blade", 0.1, 0.9), second.clone()];
    assert_eq!(fight(two, LEFT, 60.0).play(&mut one_swing(), 1.0).len(), 2);
    second.group = "blade".into();
    let one = vec![attack("blade", 0.1, 0.9), second];
    assert_eq!(fight(one, LEFT, 60.0).play(&mut one_swing(), 1.0).len(), 1);
}

#[test]
fn the_lowest_rank_strikes_if_attacks_are_at_once() {
    // The body is in contact before the sword is, and both are inside at the first active moment.
    for rate in [10.0, 60.0, 200.0] {
        let mut arm = attack("arm", 0.1, 0.9);
        (arm.boxes, arm.group, arm.rank) = (vec![BODY.0], "all".into(), 1);
        let mut blade = attack("blade", 0.1, 0.9);
        blade.group = "all".into();
        let mut fight = fight(vec![arm, blade], INSIDE, rate);
        let strikes = fight.play(&mut one_swing(), 1.0);
        assert_eq!(strikes.len(), 1);
        let character = &fight.fighters[0].character;
        assert_eq!(strikes[0].attack(character).unwrap().name, "blade", "{rate} a second");
    }
}

#[test]
fn of_equal_ranks_the_deepest_strikes() {
    let mut both = attack("all", 0.1, 0.9);
    both.boxes = vec![BODY.0, SWORD.0];
    let strikes = fight(vec![both], INSIDE, 60.0).play(&mut one_swing(), 1.0);
    assert_eq!((strikes.len(), strikes[0].attacker_box), (1, BODY));
}

#[test]
fn rehit_strikes_again_after_its_time_at_every_rate() {
    for rate in [7.0, 10.0, 60.0, 240.0] {
        let mut blade = attack("blade", 0.1, 0.9);
        (blade.rehit, blade.boxes) = (Some(0.15), vec![BODY.0]);
        let mut fight = fight(vec![blade], INSIDE, rate);
        let strikes = fight.play(&mut one_swing(), 1.0);
        let times: Vec<f64> = strikes.iter().map(|one| fight.seconds_of(one)).collect();
        assert_eq!(times.len(), 6, "{rate}: {times:?}");
        for (time, index) in times.iter().zip(0..) {
            assert!((time - (0.1 + 0.15 * f64::from(index))).abs() < 1e-4, "{rate}: {times:?}");
        }
    }
}

#[test]
fn loops_open_windows_again_and_strike_once_without_rehit() {
    for (rehit, expected) in [(None, 1), (Some(0.5), 3)] {
        let mut blade = attack("blade", 0.2, 0.35);
        blade.rehit = rehit;
        let sword = swordsman(1.0, vec![blade], Vec::new());
        let own = Fighter { loops: true, ..Fighter::new(&sword, Vec3::ZERO).playing(1.0) };
        let mut fight = Fight::new(vec![own, Fighter::new(&sword, LEFT)], 15.0);
        let mut swings = Strikes::new();
        swings.begin(Swing { loops: true, ..Swing::new(BodyId(0), 1, SPIN) }).unwrap();
        assert_eq!(fight.play(&mut swings, 3.0).len(), expected);
        assert_eq!(swings.swings().len(), 1, "a swing that loops does not end");
    }
}

#[test]
fn a_window_over_the_end_of_the_loop_is_open_on_both_sides() {
    let mut blade = attack("blade", 0.0, 0.02);
    blade.active.push(Window { from: 0.98, to: 1.0 });
    blade.boxes = vec![BODY.0];
    blade.rehit = Some(0.9);
    let sword = swordsman(1.0, vec![blade], Vec::new());
    let own = Fighter { loops: true, ..Fighter::new(&sword, Vec3::ZERO).playing(1.0) };
    let mut fight = Fight::new(vec![own, Fighter::new(&sword, INSIDE)], 8.0);
    let mut swings = Strikes::new();
    swings.begin(Swing { loops: true, ..Swing::new(BodyId(0), 1, SPIN) }).unwrap();
    let strikes = fight.play(&mut swings, 3.0);
    let times: Vec<f64> = strikes.iter().map(|one| fight.seconds_of(one)).collect();
    assert!((times[0], times.len()) == (0.0, 4) && (times[1] - 0.98).abs() < 1e-5, "{times:?}");
}

#[test]
fn speed_stretches_windows() {
    let sword = swordsman(1.0, vec![attack("blade", 0.2, 0.9)], Vec::new());
    let fighters = vec![Fighter::new(&sword, Vec3::ZERO).playing(0.5), Fighter::new(&sword, INSIDE)];
    let mut fight = Fight::new(fighters, 10.0);
    let mut swings = Strikes::new();
    swings.begin(Swing { speed: 0.5, ..Swing::new(BodyId(0), 1, SPIN) }).unwrap();
    let strikes = fight.play(&mut swings, 2.0);
    assert!(strikes.len() == 1 && (fight.seconds_of(&strikes[0]) - 0.4).abs() < 1e-5, "{strikes:?}");
    assert_eq!(swings.swings().len(), 0, "a swing ends with its clip");
}

#[test]
fn set_speed_counts_from_the_present_tick() {
    let mut fight = fight(vec![attack("blade", 0.2, 0.9)], INSIDE, 10.0);
    let mut swings = one_swing();
    assert!(fight.play(&mut swings, 0.1).is_empty());
    swings.set_speed(BodyId(0), 1, 0.25).unwrap();
    // The window opens 0.1 seconds of the clip later.
    let strikes = fight.play(&mut swings, 0.9);
    assert!((fight.seconds_of(&strikes[0]) - 0.5).abs() < 1e-5, "{strikes:?}");
}

#[test]
fn hit_stop_holds_both_bodies() {
    let mut fight = fight(vec![attack("blade", 0.25, 0.9)], INSIDE, 10.0);
    let mut swings = one_swing();
    fight.play(&mut swings, 0.2);
    swings.hit_stop([BodyId(0), BodyId(1)], 3);
    assert!(swings.is_frozen(BodyId(0)) && swings.is_frozen(BodyId(1)) && !swings.is_frozen(BodyId(2)));
    assert!(fight.play(&mut swings, 0.3).is_empty());
    assert!(!swings.is_frozen(BodyId(0)));
    assert!((swings.swings().next().unwrap().seconds - 0.2).abs() < 1e-6);
    let strikes = fight.play(&mut swings, 0.5);
    assert!((fight.seconds_of(&strikes[0]) - 0.55).abs() < 1e-5, "{strikes:?}");
}

#[test]
fn teams_layers_and_tags_hold() {
    let mut blade = attack("blade", 0.1, 0.9);
    blade.against = vec!["head".into()];
    assert!(fight(vec![blade], INSIDE, 30.0).play(&mut one_swing(), 1.0).is_empty());
    let with = |settings: [BodySettings; 2]| {
        let mut fight = fight(vec![attack("blade", 0.1, 0.9)], INSIDE, 30.0);
        for (fighter, settings) in fight.fighters.iter_mut().zip(settings) {
            fighter.settings = settings;
        }
        Fight::new(fight.fighters, 30.0).play(&mut one_swing(), 1.0).len()
    };
    let team = |team| BodySettings { team: Some(team), ..BodySettings::default() };
    assert_eq!((with([team(1), team(1)]), with([team(1), team(2)])), (0, 1));
    let layers =
        |memberships, mask| BodySettings { layers: CollisionLayers { memberships, mask }, ..BodySettings::default() };
    assert_eq!((with([layers(1, 2), layers(2, 1)]), with([layers(1, 2), layers(2, 4)])), (1, 0));
}

#[test]
fn a_teleported_body_is_not_struck_on_its_way() {
    // From one side of the sword to the other within a tick, while the sword stands upright.
    for (is_cut, expected) in [(false, 1), (true, 0)] {
        let sword = swordsman(1000.0, vec![attack("blade", 0.0, 900.0)], Vec::new());
        let side = Vec3::new(-0.8, 0.6, 0.0);
        let fighters =
            vec![Fighter::new(&sword, Vec3::ZERO).playing(1.0), Fighter::new(&sword, side).moving(Vec3::X * 16.0)];
        let mut fight = Fight::new(fighters, 10.0);
        if is_cut {
            fight.history.cut(BodyId(1));
        }
        assert_eq!(targets(&fight.play(&mut one_swing(), 0.1)).len(), expected);
    }
}

#[test]
fn several_ticks_at_once_are_those_ticks_one_by_one() {
    let mut one = fight(vec![attack("blade", 0.1, 0.9)], LEFT, 25.0);
    let (mut by_tick, mut at_once, mut all) = (one_swing(), one_swing(), Vec::new());
    let strikes = one.play(&mut by_tick, 0.6);
    at_once.advance(&one.history, [0, one.ticks], &StrikeRules::default(), &mut all).unwrap();
    assert_eq!((strikes, by_tick), (all, at_once));
}

#[test]
fn ticks_with_gaps_strike_at_the_same_time() {
    let mut every = fight(vec![attack("blade", 0.1, 0.9)], LEFT, 60.0);
    let [one] = every.play(&mut one_swing(), 0.8)[..] else { panic!("one strike") };
    let mut gaps = fight(vec![attack("blade", 0.1, 0.9)], LEFT, 60.0);
    [3, 4, 9, 10, 16, 21, 22, 27, 33, 40, 48].into_iter().for_each(|tick| gaps.record(tick));
    let (mut swings, mut strikes) = (one_swing(), Vec::new());
    swings.advance(&gaps.history, [0, 48], &StrikeRules::default(), &mut strikes).unwrap();
    assert_eq!((targets(&strikes), strikes[0].target_box), (vec![1], one.target_box));
    assert!((strikes[0].seconds - one.seconds).abs() < 1e-3, "{strikes:?} {one:?}");
}
