//! Strikes on the skin, and those of a slow twin that tests every triangle.

use crate::scene::{Fight, Fighter, SPIN, SWORD, attack, baked_swordsman, one_swing, swordsman};
use baked_characters::baked_tube;
use geometry_core::{Obb, Triangle, triangle};
use glam::Vec3;
use runtime::{BodyId, Character, ClipSampler, HitboxShape, PosedCharacter};
use std::sync::Arc;
use strikes::{Seen, StrikeError, StrikeRules, Weapon};
use test_models::Random;

const EXACT: StrikeRules = StrikeRules { teleport_distance: 2.0, max_back: 10.0, exact: true };

fn tube() -> Arc<Character> {
    let mut baked = baked_tube("tube");
    // The clips of a swordsman.
    let clips = baked_swordsman(1.0, 0.02, Vec::new(), Vec::new()).clips;
    baked.clips = clips;
    Arc::new(Character::from_baked(baked))
}

/// The triangles of a tube.
fn triangles(posed: &mut PosedCharacter) -> Vec<[Vec3; 3]> {
    let mut all = Vec::new();
    posed.skin_triangles(&mut all).unwrap();
    all.iter().map(|one| one.corners).collect()
}

fn touches(sword: &Obb, skin: &mut PosedCharacter) -> bool {
    let on_skin =
        triangles(skin).iter().any(|&[a, b, c]| sword.overlaps_triangle(&Triangle::try_new(a, b, c).unwrap()));
    on_skin || skin.skin_contains(sword.center()).unwrap()
}

fn sword_at(fighter: &Fighter, time: f64) -> Obb {
    let (mut sampler, mut own) = (ClipSampler::new(), PosedCharacter::new());
    let seconds = fighter.clip_time(time).unwrap();
    own.pose_from_clip(&mut sampler, &fighter.character, &fighter.place(time), SPIN, seconds).unwrap();
    own.hitbox(SWORD).unwrap().obb()
}

fn skin_at(fighter: &Fighter, time: f64) -> PosedCharacter {
    let (mut sampler, mut posed) = (ClipSampler::new(), PosedCharacter::new());
    posed.track_skin(true);
    match fighter.clip_time(time) {
        Some(at) => posed.pose_from_clip(&mut sampler, &fighter.character, &fighter.place(time), SPIN, at).unwrap(),
        None => posed.pose_from_rest(&fighter.character, &fighter.place(time)).unwrap(),
    }
    posed
}

/// Samples the sword and the skin of each target, and returns the first time of a touch.
fn twin(fighters: &[Fighter], margin: f32, window: [f64; 2], rate: f64) -> Vec<Option<f64>> {
    let mut first = vec![None; fighters.len()];
    for step in 0..=((window[1] - window[0]) * rate).ceil() as u32 {
        let time = (window[0] + f64::from(step) / rate).min(window[1]);
        let one = sword_at(&fighters[0], time);
        let sword = Obb::try_new(one.center(), one.half_extents() + margin, one.axes()).unwrap();
        for (target, found) in fighters.iter().zip(&mut first).skip(1).filter(|(_, found)| found.is_none()) {
            let mut skin = skin_at(target, time);
            // Far from each other for sure.
            let reach = sword.half_extents().length() + 2.0;
            if sword.center().distance(target.place(time).translation.into()) < reach + 2.0
                && touches(&sword, &mut skin)
            {
                *found = Some(time);
            }
        }
    }
    first
}

/// Tubes with eight sides stand around a swordsman, so that his sword often meets a corner of a hitbox and no skin. Some of
/// them move, and some of them bend.
#[test]
fn exact_strikes_are_those_of_a_twin_that_samples_the_skin() {
    let mut random = Random::new(19);
    let (mut found, mut boxes_alone, mut grazed, mut apart) = (0, 0, 0, 0.0_f64);
    for round in 0..8 {
        let turn_seconds = random.between(0.3, 0.6);
        let window = [turn_seconds * 0.05, turn_seconds * random.between(0.5, 0.9)];
        let sword = swordsman(turn_seconds, vec![attack("blade", window[0], window[1])], Vec::new());
        let tube = tube();
        let mut fighters = vec![Fighter::new(&sword, Vec3::ZERO).playing(1.0)];
        for id in 0..24 {
            let at = Vec3::new(random.between(-2.0, 2.0), random.between(-2.5, 1.5), random.between(-0.6, 0.6));
            let mut way = || random.between(-1.0, 1.0);
            let velocity = if id % 2 == 0 { Vec3::new(way(), way(), way()) } else { Vec3::ZERO };
            let fighter = Fighter::new(&tube, at).moving(velocity);
            fighters.push(if id % 4 == 1 { fighter.playing(0.3) } else { fighter });
        }
        let window = window.map(f64::from);
        let (touched, near) = (twin(&fighters, 0.0, window, 1000.0), twin(&fighters, 0.004, window, 1000.0));
        for rate in [10.0, 30.0] {
            let mut fight = Fight::new(fighters.clone(), rate);
            let (mut exact, mut by_boxes) = (one_swing(), one_swing());
            let (mut strikes, mut all, mut boxes) = (Vec::new(), Vec::new(), Vec::new());
            for tick in 1..=(f64::from(turn_seconds) * rate).ceil() as u64 {
                fight.step();
                by_boxes.advance(&fight.history, [tick - 1, tick], &StrikeRules::default(), &mut strikes).unwrap();
                boxes.append(&mut strikes);
                exact.advance(&fight.history, [tick - 1, tick], &EXACT, &mut strikes).unwrap();
                all.append(&mut strikes);
            }
            for (target, first) in touched.iter().enumerate().skip(1) {
                let of_target = |list: &[strikes::Strike]| {
                    let mut of_target = list.iter().filter(|one| one.target.0 == target as u64);
                    (of_target.next().copied(), of_target.next().is_some())
                };
                let (strike, is_twice) = of_target(&all);
                assert!(!is_twice);
                boxes_alone += u32::from(of_target(&boxes).0.is_some() && strike.is_none());
                match (first, strike) {
                    (None, None) => continue,
                    (Some(first), None) => panic!("round {round}, {rate}: {target} is missed, touched at {first}"),
                    (None, Some(strike)) => {
                        assert!(near[target].is_some(), "round {round}, {rate}: {strike:?}");
                        grazed += 1;
                    }
                    (Some(first), Some(strike)) => {
                        found += 1;
                        let early = near[target].unwrap() - 0.004;
                        let seconds = fight.seconds_of(&strike);
                        assert!(
                            seconds > early && seconds < first + 0.001,
                            "{target}: {seconds}, twin {early} {first}"
                        );
                        apart = apart.max((seconds - first).abs());
                    }
                }
                // The point is on the skin, and in the sword. Between ticks, a body that bends is posed by its clip.
                let strike = strike.unwrap();
                let seconds = fight.seconds_of(&strike);
                let mut skin = skin_at(&fighters[target], seconds);
                let to_skin = triangles(&mut skin)
                    .iter()
                    .map(|one| triangle::closest_point(one, strike.point.as_dvec3()).distance(strike.point.as_dvec3()))
                    .fold(f64::INFINITY, f64::min);
                let sword = sword_at(&fighters[0], seconds);
                // A sword that is wholly inside when its window opens strikes where it would leave the body.
                let is_inside = (seconds - window[0]).abs() < 1e-4 && skin.skin_contains(sword.center()).unwrap();
                let to_sword = if is_inside { 0.0 } else { sword.distance(strike.point) };
                assert!(to_skin < 1e-3 && to_sword < 0.006, "{to_skin} {to_sword} {strike:?}");
            }
        }
    }
    println!("{found} strikes, {boxes_alone} of boxes alone, {grazed} grazed, {apart} s from the twin");
    assert!(found > 80 && boxes_alone > 10 && grazed * 20 < found, "{found} {boxes_alone} {grazed}");
}

/// A fist that is wholly inside a body when its attack begins touches it; one outside of the skin but inside the hitbox does
/// not.
#[test]
fn a_small_hitbox_inside_the_body_touches_it() {
    let mut baked = baked_swordsman(1000.0, 0.02, vec![attack("fist", 0.0, 900.0)], Vec::new());
    baked.boxes[SWORD.index()].half_extents = Vec3::splat(0.02);
    for shape in [HitboxShape::Box, HitboxShape::Sphere, HitboxShape::Capsule] {
        baked.boxes[SWORD.index()].shape = shape;
        let fist = Arc::new(Character::from_baked(baked.clone()));
        // The fist is at (0, 2.8, 0).
        for (at, expected) in [(Vec3::new(0.1, 0.5, 0.1), true), (Vec3::new(0.46, 0.5, 0.46), false)] {
            let mut fight =
                Fight::new(vec![Fighter::new(&fist, Vec3::ZERO).playing(1.0), Fighter::new(&tube(), at)], 30.0);
            fight.step();
            let (mut swings, mut strikes) = (one_swing(), Vec::new());
            swings.advance(&fight.history, [0, 1], &StrikeRules::default(), &mut strikes).unwrap();
            assert_eq!(strikes.len(), 1, "the hitboxes meet");
            let mut swings = one_swing();
            swings.advance(&fight.history, [0, 1], &EXACT, &mut strikes).unwrap();
            assert_eq!(!strikes.is_empty(), expected, "{shape:?} {strikes:?}");
            if let Some(strike) = strikes.first() {
                let mut skin = skin_at(&fight.fighters[1], 0.0);
                let near = triangles(&mut skin).iter().any(|one| {
                    triangle::closest_point(one, strike.point.as_dvec3()).distance(strike.point.as_dvec3()) < 1e-4
                });
                assert!(near && strike.time == 0.0, "{strike:?}");
            }
        }
    }
}

#[test]
fn weapons_and_seen_targets_touch_the_skin_too() {
    let mut hand = attack("slash", 0.0, 0.9);
    hand.against = vec!["arm".into()];
    let sword = swordsman(1.0, vec![hand], Vec::new());
    let (place, half) = Weapon::blade(Vec3::Y * 1.5, Vec3::Y * 1.8, 0.02);
    let weapon = Weapon::at_joint(&sword, "fore", place, half).unwrap();
    // The target is out of reach of the sword, and in reach of the weapon at its tip; the second misses the skin by its corner.
    let strikes_at = |z: f32| {
        let at = Vec3::new(-2.1, 0.2, z);
        let mut fight =
            Fight::new(vec![Fighter::new(&sword, Vec3::ZERO).playing(1.0), Fighter::new(&tube(), at)], 20.0);
        let mut swings = one_swing();
        swings.equip(BodyId(0), 7, &weapon).unwrap();
        let mut all = Vec::new();
        for tick in 1..=18 {
            fight.step();
            let moment = rewind::Moment::of_tick(tick / 2);
            let seen = [Seen { attacker: BodyId(0), from: moment, to: moment, own: &[] }];
            let mut strikes = Vec::new();
            swings.advance_seen(&fight.history, [tick - 1, tick], &EXACT, &seen, &mut strikes).unwrap();
            all.append(&mut strikes);
        }
        all.iter().map(|one| (one.target, one.attacker_weapon)).collect::<Vec<_>>()
    };
    assert_eq!(strikes_at(0.0), [(BodyId(1), Some(7))]);
    assert_eq!(strikes_at(0.49), []);
}

#[test]
fn a_target_without_a_skin_is_named() {
    let sword = swordsman(1.0, vec![attack("blade", 0.0, 0.9)], Vec::new());
    let at = Vec3::new(0.05, 0.6, 0.0);
    let mut fight = Fight::new(vec![Fighter::new(&sword, Vec3::ZERO).playing(1.0), Fighter::new(&sword, at)], 30.0);
    fight.step();
    let (mut swings, mut strikes) = (one_swing(), Vec::new());
    let error = swings.advance(&fight.history, [0, 1], &EXACT, &mut strikes).unwrap_err();
    assert_eq!(error, StrikeError::NoSkin { target: BodyId(1), tick: 0 });
    assert!(error.to_string().contains("bake it with `skin"), "{error}");
    assert!(swings == one_swing() && strikes.is_empty());
}
