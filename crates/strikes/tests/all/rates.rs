//! The same strikes at every rate, and those of a slow twin that samples poses.

use crate::scene::{BODY, Fight, Fighter, SPIN, SWORD, attack, baked_swordsman, swordsman};
use glam::Vec3;
use runtime::{BodyId, Character, ClipSampler, PosedCharacter, overlapping_boxes};
use std::sync::Arc;
use strikes::{Strikes, Swing};
use test_models::Random;

/// Samples both bodies `rate` times a second while the window is open, and returns the first time at which the sword
/// overlaps the body of each target.
fn twin(fighters: &[Fighter], sword: &Character, window: [f64; 2], rate: f64) -> Vec<Option<f64>> {
    let mut sampler = ClipSampler::new();
    let (mut own, mut other, mut pairs) = (PosedCharacter::new(), PosedCharacter::new(), Vec::new());
    let mut first = vec![None; fighters.len()];
    let speed = f64::from(fighters[0].plays.unwrap());
    let count = ((window[1] - window[0]) / speed * rate).ceil() as u32;
    for step in 0..=count {
        let time = (window[0] / speed + f64::from(step) / rate).min(window[1] / speed);
        own.pose_from_clip(&mut sampler, sword, &fighters[0].place(time), SPIN, (time * speed) as f32).unwrap();
        for (target, found) in fighters.iter().zip(&mut first).skip(1).filter(|(_, found)| found.is_none()) {
            other.pose_from_rest(&target.character, &target.place(time)).unwrap();
            overlapping_boxes(&own, &other, &mut pairs);
            if pairs.iter().any(|pair| pair.box_a == SWORD && pair.box_b == BODY) {
                *found = Some(time);
            }
        }
    }
    first
}

/// Posts around a swordsman, which move slowly.
fn scene(random: &mut Random, turn_seconds: f32, window: [f32; 2]) -> Vec<Fighter> {
    let mut one = attack("blade", window[0], window[1]);
    one.against = vec!["hurt".into()];
    let sword = swordsman(turn_seconds, vec![one], Vec::new());
    let mut fighters = vec![Fighter::new(&sword, Vec3::ZERO).playing(1.0)];
    for _ in 0..100 {
        let at = Vec3::new(random.between(-2.2, 2.2), random.between(-1.7, 2.7), random.between(-0.5, 0.5));
        let mut way = || random.between(-1.0, 1.0);
        fighters.push(Fighter::new(&sword, at).moving(Vec3::new(way(), way(), way())));
    }
    fighters
}

#[test]
fn any_rate_finds_the_strikes_of_a_twin_that_samples() {
    let mut random = Random::new(7);
    let (mut found, mut grazed, mut latest, mut earliest) = (0, 0, 0.0_f64, 0.0_f64);
    let mut between_rates = 0.0_f64;
    for _ in 0..24 {
        // Up to 1,600 degrees a second: 80 degrees a tick at 20 ticks a second, and 160 at 10.
        let turn_seconds = random.between(0.225, 1.0);
        let window = [turn_seconds * random.between(0.05, 0.4), turn_seconds * random.between(0.45, 0.85)];
        let fighters = scene(&mut random, turn_seconds, window);
        let true_first = twin(&fighters, &fighters[0].character, window.map(f64::from), 5000.0);
        let thicker = Character::from_baked(baked_swordsman(turn_seconds, 0.022, Vec::new(), Vec::new()));
        let thicker_first = twin(&fighters, &thicker, window.map(f64::from), 20_000.0);
        let mut times: Vec<Vec<f64>> = vec![Vec::new(); fighters.len()];
        let mut rates: Vec<f64> = (0..4).map(|_| f64::from(random.between(10.0, 240.0))).collect();
        rates.extend([10.0, 20.0]);
        for &rate in &rates {
            let mut fight = Fight::new(fighters.clone(), rate);
            let mut swings = crate::scene::one_swing();
            let strikes = fight.play(&mut swings, turn_seconds.into());
            for (target, first) in true_first.iter().enumerate().skip(1) {
                let of_target: Vec<_> = strikes.iter().filter(|one| one.target.0 == target as u64).collect();
                assert!(of_target.len() <= 1, "one strike for each target and group");
                match (first, of_target.first()) {
                    (None, None) => {}
                    (Some(first), Some(strike)) => {
                        found += 1;
                        let late = fight.seconds_of(strike) - first;
                        (latest, earliest) = (latest.max(late), earliest.min(late));
                        times[target].push(fight.seconds_of(strike));
                    }
                    // A sword that is 2 mm thicker meets it.
                    (None, Some(strike)) => {
                        assert!(thicker_first[target].is_some(), "{rate} a second: {strike:?}");
                        grazed += 1;
                    }
                    (Some(first), None) => panic!("{rate} a second: body {target} is missed, met at {first}"),
                }
            }
        }
        for of_target in times.iter().filter(|times| !times.is_empty()) {
            let least = of_target.iter().copied().fold(f64::INFINITY, f64::min);
            let most = of_target.iter().copied().fold(0.0, f64::max);
            between_rates = between_rates.max(most - least);
        }
    }
    println!("{found} strikes, {grazed} by at most 2 mm; {earliest} to {latest} s after the twin; {between_rates} s");
    assert!(found > 2000 && grazed * 50 < found, "{found} {grazed}");
    // The center of a swept box runs along the chord of an arc of 5 degrees: 1.4 mm inside, at the tip of this sword.
    assert!(latest < 5e-4, "late by {latest}");
    assert!(earliest > -0.005 && between_rates < 0.005, "{earliest} {between_rates}");
}

#[test]
fn a_fast_sword_does_not_pass_through_a_thin_post_at_10_ticks_a_second() {
    let sword = swordsman(0.5, vec![attack("blade", 0.0, 0.5)], Vec::new());
    for degrees in (20..340).step_by(10) {
        let angle = f32::to_radians(degrees as f32);
        // The post's body has its middle 1.5 above its place, the sword turns about a point 2 above the ground.
        let at = Vec3::new(-libm::sinf(angle), libm::cosf(angle) + 0.5, 0.0) * 1.2;
        let fighters = vec![Fighter::new(&sword, Vec3::ZERO).playing(1.0), Fighter::new(&sword, at)];
        let mut swings = Strikes::new();
        swings.begin(Swing::new(BodyId(0), 1, SPIN)).unwrap();
        let strikes = Fight::new(fighters.clone(), 10.0).play(&mut swings, 0.5);
        let first = twin(&fighters, &Arc::clone(&sword), [0.0, 0.5], 5000.0);
        assert!(first[1].is_none() || strikes.len() == 1, "{degrees} degrees: {strikes:?}");
    }
}
