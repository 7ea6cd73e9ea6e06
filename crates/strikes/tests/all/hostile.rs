//! Requests that nobody should send.

use crate::scene::{Fight, Fighter, SPIN, attack, one_swing, swordsman};
use glam::{Affine3A, Vec3};
use rewind::{History, HistorySettings, Moment};
use runtime::{BodyId, BoxIndex, ClipIndex};
use skeleton::JointIndex;
use strikes::{Seen, StrikeError, StrikeRules, Strikes, Swing, Weapon};
use test_models::Random;

fn fight() -> Fight {
    let sword = swordsman(0.3, vec![attack("blade", 0.0, 0.25)], Vec::new());
    let own = Fighter { loops: true, ..Fighter::new(&sword, Vec3::ZERO).playing(1.0) };
    let mut fight = Fight::new(vec![own, Fighter::new(&sword, Vec3::new(-0.9, 0.5, 0.0))], 30.0);
    (0..10).for_each(|_| fight.step());
    fight
}

#[test]
fn errors_name_the_cause_and_change_nothing() {
    let fight = fight();
    let swing = Swing::new(BodyId(0), 1, SPIN);
    let mut swings = Strikes::new();
    assert!(matches!(swings.begin(Swing { seconds: f32::NAN, ..swing }), Err(StrikeError::Time { .. })));
    for speed in [f32::NAN, -1.0, f32::INFINITY, 1001.0] {
        assert!(matches!(swings.begin(Swing { speed, ..swing }), Err(StrikeError::Speed { .. })));
    }
    assert_eq!(swings, Strikes::new());
    swings.begin(swing).unwrap();
    let running = StrikeError::AlreadyRunning { attacker: BodyId(0), instance: 1 };
    assert_eq!(swings.begin(swing), Err(running));
    assert!(matches!(swings.set_speed(BodyId(0), 1, f32::NAN), Err(StrikeError::Speed { .. })));
    assert!(matches!(swings.set_speed(BodyId(0), 2, 1.0), Err(StrikeError::NotRunning { .. })));
    assert!(!swings.end(BodyId(9), 1));

    let mut strikes = Vec::new();
    let mut fails = |swings: &mut Strikes, history: &History, ticks| {
        let before = swings.clone();
        let error = swings.advance(history, ticks, &StrikeRules::default(), &mut strikes).unwrap_err();
        assert!(*swings == before && strikes.is_empty());
        error
    };
    assert_eq!(fails(&mut swings, &fight.history, [0, 11]), StrikeError::NoTick { tick: 11 });
    assert_eq!(fails(&mut swings, &fight.history, [u64::MAX, u64::MAX]), StrikeError::NoTick { tick: u64::MAX });
    assert_eq!(fails(&mut swings, &fight.history, [3, 2]), StrikeError::Backwards { from: 3, to: 2 });
    assert_eq!(fails(&mut swings, &History::default(), [0, 0]), StrikeError::NoTick { tick: 0 });
    for tick_seconds in [0.0, f64::NAN, f64::INFINITY] {
        let mut history = History::new(HistorySettings { tick_seconds, ..HistorySettings::default() });
        history.record(0, &fight.world).unwrap();
        assert!(matches!(fails(&mut swings, &history, [0, 0]), StrikeError::TickSeconds { .. }));
    }
    swings.begin(Swing { attacker: BodyId(5), ..swing }).unwrap();
    assert_eq!(fails(&mut swings, &fight.history, [0, 10]), StrikeError::NoBody { attacker: BodyId(5), tick: 0 });
    swings.end_all(BodyId(5));
    swings.begin(Swing { clip: ClipIndex(9), instance: 2, ..swing }).unwrap();
    let no_clip = StrikeError::NoClip { attacker: BodyId(0), clip: ClipIndex(9) };
    assert_eq!(fails(&mut swings, &fight.history, [0, 10]), no_clip);
}

#[test]
fn a_hundred_thousand_random_requests_neither_panic_nor_break_an_invariant() {
    let fight = fight();
    let mut random = Random::new(3);
    let (mut swings, mut strikes, mut advanced) = (one_swing(), Vec::new(), 0);
    let (mut looked, mut equipped) = (0, 0);
    let numbers = [0.0, -0.0, 1.0, -1.0, 1e30, -1e30, 1e-30, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1000.0];
    for _ in 0..100_000 {
        let mut any = |count: usize| random.below(count);
        let attacker = BodyId([0, 0, 1, 2][any(4)]);
        let instance = any(3) as u32;
        let (a, b) = (numbers[any(numbers.len())], numbers[any(numbers.len())]);
        match any(24) {
            0..=3 => {
                let clip = ClipIndex([0, 1, 1, 1, 2][any(5)]);
                let _is_refused =
                    swings.begin(Swing { attacker, instance, clip, seconds: a, speed: b, loops: any(2) == 0 });
            }
            4..=7 => _ = swings.set_speed(attacker, instance, a),
            8 => swings.hit_stop([attacker, BodyId(any(3) as u64)], [0, 1, 3, u64::MAX][any(4)]),
            9..=12 => _ = swings.end(attacker, instance),
            13 => swings.end_all(attacker),
            14 | 20..=23 => {
                let from = any(12) as u64;
                let mut number = || numbers[any(numbers.len())];
                let (teleport_distance, max_back) = (number(), number().into());
                let mut moment =
                    || Moment { tick: [0, 3, 11, u64::MAX][any(4)], fraction: numbers[any(numbers.len())] };
                let (first, last) = (moment(), moment());
                let own = [(BodyId(1), [moment(), moment()]), (BodyId(9), [first, last])];
                let own = &own[..any(3)];
                let seen = [Seen { attacker, from: first, to: last, own }];
                let seen = &seen[..usize::from(any(8) == 0)];
                let rules = StrikeRules { teleport_distance, max_back, exact: any(8) == 0 };
                let to = from + any(2) as u64;
                let before = swings.clone();
                match swings.advance_seen(&fight.history, [from, to], &rules, seen, &mut strikes) {
                    Ok(()) => (advanced, looked) = (advanced + 1, looked + seen.len()),
                    Err(_) => assert!(swings == before && strikes.is_empty()),
                }
            }
            15 => {
                let mut place = Affine3A::from_translation(Vec3::splat(0.1 * a));
                place.matrix3.x_axis.y = b;
                let half_extents = Vec3::new(numbers[any(numbers.len())], 0.1, 0.5);
                let (joint, holder) = (JointIndex([0, 2, 3, 9][any(4)]), BoxIndex([0, 1, 1, 9][any(4)]));
                let attacks = [vec![], vec![0], vec![1, 0], vec![9]][any(4)].clone();
                let weapon = Weapon { joint, joint_from_weapon: place, half_extents, holder, attacks };
                equipped += u32::from(swings.equip(attacker, instance, &weapon).is_ok());
            }
            16..=18 => _ = swings.unequip(attacker, instance),
            _ => swings = swings.clone(),
        }
        let keys: Vec<_> = swings.swings().map(|one| (one.attacker, one.instance)).collect();
        assert!(keys.is_sorted() && keys.len() <= 9);
        assert!(strikes.iter().all(|one| (0.0..=1.0).contains(&one.time) && one.point.is_finite()));
    }
    assert!(advanced > 1000 && looked > 100 && equipped > 100, "{advanced} {looked} {equipped}");
}
