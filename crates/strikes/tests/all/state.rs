//! Rollback, a golden sum, and the state as data.

use crate::scene::{Fight, Fighter, SPIN, attack, swordsman};
use baked_format::{Attack, StateKind};
use glam::Vec3;
use runtime::{BodyId, BoxIndex};
use skeleton::JointIndex;
use strikes::{Strike, StrikeRules, Strikes, Swing, Weapon};
use test_models::Random;

/// The sum of all strikes of the fight below. If it changes, the strikes of a game change: say why in the changelog.
const GOLDEN: u64 = 0xe5d8_5163_d288_19b9;

/// Six swordsmen who walk through each other. A swing begins every few ticks.
fn brawl() -> Fight {
    let mut random = Random::new(11);
    let fighters = (0..6).map(|index| {
        let blade =
            Attack { strength: (index % 3) as f32, rehit: (index == 4).then_some(0.1), ..attack("blade", 0.05, 0.4) };
        let states = match index {
            1 => vec![crate::scene::state(StateKind::Guard, 0.2, 0.5)],
            2 => vec![crate::scene::state(StateKind::Invulnerable, 0.0, 0.3)],
            _ => Vec::new(),
        };
        let character = swordsman(0.5, vec![blade], states);
        let at = Vec3::new(random.between(-1.5, 1.5), random.between(-0.5, 0.5), random.between(-0.3, 0.3));
        let way = Vec3::new(random.between(-0.1, 0.1), random.between(-0.05, 0.05), 0.0);
        Fighter { loops: true, ..Fighter::new(&character, at).moving(way).playing(1.0) }
    });
    Fight::new(fighters.collect(), 60.0)
}

/// What the game does after a tick.
fn play_on(swings: &mut Strikes, tick: u64, strikes: &[Strike]) {
    if let Some(strike) = strikes.first() {
        swings.hit_stop([strike.attacker, strike.target], 2);
    }
    // The clip is at its start every 30 ticks.
    if tick.is_multiple_of(30) {
        for id in (0..6).filter(|id| !(tick / 30 + id).is_multiple_of(3)) {
            swings.end_all(BodyId(id));
            swings.begin(Swing::new(BodyId(id), tick as u32, SPIN)).unwrap();
        }
    }
}

fn advance(fight: &Fight, swings: &mut Strikes, tick: u64) -> Vec<Strike> {
    let mut strikes = Vec::new();
    swings.advance(&fight.history, [tick, tick + 1], &StrikeRules::default(), &mut strikes).unwrap();
    play_on(swings, tick + 1, &strikes);
    strikes
}

fn add(sum: &mut u64, strike: &Strike) {
    let floats = [strike.time, strike.seconds, strike.depth];
    let vectors = strike.point.to_array().into_iter().chain(strike.normal.to_array());
    let bits = floats.into_iter().chain(vectors).map(|number| u64::from(number.to_bits()));
    let ids = [strike.tick, strike.attacker.0, strike.target.0, strike.instance.into(), strike.attack.into()];
    let boxes = [u64::from(strike.attacker_box.0), u64::from(strike.target_box.0)];
    let outcome = format!("{:?}", strike.outcome).bytes().map(u64::from).collect::<Vec<_>>();
    for word in ids.into_iter().chain(boxes).chain(bits).chain(outcome) {
        *sum = (*sum ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    }
}

#[test]
fn six_hundred_ticks_have_the_golden_sum_and_a_rollback_repeats_them() {
    let mut fight = brawl();
    (0..600).for_each(|_| fight.step());
    let mut swings = Strikes::new();
    play_on(&mut swings, 0, &[]);
    let mut saved: Vec<(Strikes, Vec<Strike>)> = Vec::new();
    let (mut sum, mut count, mut outcomes) = (0xcbf2_9ce4_8422_2325, 0, std::collections::BTreeMap::new());
    for tick in 0..600 {
        let before = swings.clone();
        let strikes = advance(&fight, &mut swings, tick);
        for strike in &strikes {
            add(&mut sum, strike);
            count += 1;
            *outcomes.entry(strike.outcome).or_insert(0) += 1;
        }
        saved.push((before, strikes));
        if tick >= 8 && tick % 7 == 0 {
            let first = tick as usize - 7;
            let mut again = saved[first].0.clone();
            for (place, (state, strikes)) in saved.iter().enumerate().skip(first) {
                assert_eq!(&again, state, "tick {place}");
                assert_eq!(&advance(&fight, &mut again, place as u64), strikes, "tick {place}");
            }
            assert_eq!(again, swings);
        }
    }
    println!("{count} strikes: {outcomes:?}");
    assert!(count > 50 && outcomes.len() >= 5, "{outcomes:?}");
    assert_eq!(sum, GOLDEN, "{sum:#x}");
}

#[cfg(feature = "serde")]
#[test]
fn a_state_survives_json() {
    let mut fight = brawl();
    (0..40).for_each(|_| fight.step());
    let mut swings = Strikes::new();
    play_on(&mut swings, 0, &[]);
    let (place, half) = Weapon::blade(Vec3::ZERO, Vec3::Y, 0.05);
    let weapon = Weapon::at_joint(&fight.fighters[0].character, "finger", place, half).unwrap();
    swings.equip(BodyId(0), 2, &weapon).unwrap();
    let mut all = Vec::new();
    for tick in 0..40 {
        all.extend(advance(&fight, &mut swings, tick));
        let text = serde_json::to_string(&swings).unwrap();
        assert_eq!(serde_json::from_str::<Strikes>(&text).unwrap(), swings, "{text}");
    }
    let text = serde_json::to_string(&all).unwrap();
    assert!(!all.is_empty());
    assert_eq!(serde_json::from_str::<Vec<Strike>>(&text).unwrap(), all);
}

#[test]
fn equal_states_have_equal_hashes() {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    let hash = |of: &Strikes| BuildHasherDefault::<DefaultHasher>::default().hash_one(of);
    let (mut one, mut other) = (Strikes::new(), Strikes::new());
    play_on(&mut one, 30, &[]);
    assert_ne!(one, other);
    play_on(&mut other, 30, &[]);
    assert_eq!((&one, hash(&one)), (&other, hash(&other)));
    other.hit_stop([BodyId(1), BodyId(2)], 4);
    assert_ne!(one, other);
    let armed = |width: f32| {
        let (joint_from_weapon, half_extents) = Weapon::blade(Vec3::ZERO, Vec3::Y, width);
        let (joint, holder) = (JointIndex(3), BoxIndex(1));
        let weapon = Weapon { joint, joint_from_weapon, half_extents, holder, attacks: vec![0] };
        let mut armed = one.clone();
        armed.equip(BodyId(1), 2, &weapon).unwrap();
        armed
    };
    assert_eq!((armed(0.1), hash(&armed(0.1))), (armed(0.1), hash(&armed(0.1))));
    assert!(armed(0.1) != armed(0.2) && armed(0.1) != one);
}
