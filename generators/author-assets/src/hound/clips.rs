//! The hound's clips.

use super::gait;
use super::puppet::{Leg, Puppet, Stance};
use crate::character::Motion;
use crate::ease::Keys;
use glam::DVec3;

/// The number of postures per second in the written clips.
const RATE: f64 = 30.0;
/// The number of postures per second in clips without fast movements.
const SLOW_RATE: f64 = 15.0;

pub(super) fn motions(puppet: &Puppet<'_>) -> Vec<Motion> {
    let sampled = |name: &str, rate: f64, keys: &Keys<Stance>| {
        let frames = (keys.length() * rate).round() as usize;
        let postures = (0..=frames).map(|frame| puppet.posture(&keys.at(frame as f64 / rate))).collect();
        Motion { name: name.to_owned(), rate, postures }
    };
    vec![sampled("idle", SLOW_RATE, &idle()), sampled("walk", RATE, &walk()), sampled("bite", RATE, &bite())]
}

/// The hound stands, breathes, wags its tail and looks to the side.
fn idle() -> Keys<Stance> {
    const LENGTH: f64 = 3.2;
    const STEPS: usize = 32;
    let keys = (0..=STEPS).map(|step| {
        let phase = step as f64 / STEPS as f64;
        let wave = |cycles: f64, shift: f64| libm::sin(std::f64::consts::TAU * (cycles * phase + shift));
        let look = wave(1.0, -0.1).max(0.0) * wave(1.0, -0.1).max(0.0);
        let stance = Stance {
            hips: DVec3::new(0.0, -0.006 + 0.003 * wave(2.0, 0.0), 0.0),
            chest: DVec3::new(-0.8 + 0.8 * wave(2.0, 0.1), 1.5 * look, 0.0),
            neck: DVec3::new(4.0 - 2.0 * wave(2.0, 0.0), 14.0 * look, 0.0),
            head: DVec3::new(6.0 + 2.0 * wave(2.0, 0.1), 34.0 * look, 8.0 * look),
            jaw: 6.0 + 3.0 * wave(4.0, 0.0),
            ears: 6.0 * wave(1.0, 0.4),
            tail: DVec3::new(4.0, 12.0 * wave(4.0, 0.0), 0.0),
            tail_bend: DVec3::new(5.0, 9.0 * wave(4.0, -0.1), 0.0),
            ..Stance::STANDING
        };
        (phase * LENGTH, stance)
    });
    Keys::cycle(keys.collect())
}

/// The paws touch the ground in four beats: left hind, left front, right hind, right front, a quarter of a stride
/// apart.
fn walk() -> Keys<Stance> {
    const LENGTH: f64 = 1.0;
    const STEPS: usize = 16;
    let leg = gait::walk();
    let keys = (0..=STEPS).map(|step| {
        let phase = step as f64 / STEPS as f64;
        let wave = |cycles: f64, shift: f64| libm::sin(std::f64::consts::TAU * (cycles * phase + shift));
        let stance = Stance {
            hips: DVec3::new(0.008 * wave(1.0, 0.1), -0.022 + 0.008 * wave(2.0, 0.0), 0.0),
            pelvis: DVec3::new(1.0 * wave(2.0, 0.1), 3.0 * wave(1.0, 0.25), 2.5 * wave(1.0, 0.0)),
            chest: DVec3::new(1.0 * wave(2.0, 0.35), 3.0 * wave(1.0, 0.0), 2.5 * wave(1.0, 0.75)),
            neck: DVec3::new(14.0 + 3.0 * wave(2.0, 0.1), 1.0 * wave(1.0, 0.0), 0.0),
            head: DVec3::new(6.0 + 2.0 * wave(2.0, 0.0), 0.0, 0.0),
            jaw: 4.0,
            tail: DVec3::new(6.0 + 3.0 * wave(2.0, 0.2), 7.0 * wave(1.0, 0.1), 0.0),
            tail_bend: DVec3::new(4.0, 6.0 * wave(1.0, -0.1), 0.0),
            hind_left: leg.at(phase),
            front_left: leg.at(phase + 0.75),
            hind_right: leg.at(phase + 0.5),
            front_right: leg.at(phase + 0.25),
            ..Stance::STANDING
        };
        (phase * LENGTH, stance)
    });
    Keys::cycle(keys.collect())
}

/// The hound crouches, lunges with its mouth open, snaps, shakes its head, and returns.
fn bite() -> Keys<Stance> {
    let stand = Stance::STANDING;
    let crouch = Stance {
        hips: DVec3::new(0.0, -0.09, -0.07),
        pelvis: DVec3::new(4.0, 0.0, 0.0),
        chest: DVec3::new(3.0, 0.0, 0.0),
        neck: DVec3::new(28.0, 0.0, 0.0),
        head: DVec3::new(-4.0, 0.0, 0.0),
        ears: 35.0,
        tail: DVec3::new(-14.0, 0.0, 0.0),
        ..stand
    };
    let front = |y: f64, z: f64, pastern: f64| Leg { paw: DVec3::new(0.0, y, z), pastern, toes: pastern.max(0.0) };
    let pushing = Leg { paw: DVec3::ZERO, pastern: 34.0, toes: 24.0 };
    let leap = Stance {
        hips: DVec3::new(0.0, -0.03, 0.10),
        pelvis: DVec3::new(-9.0, 0.0, 0.0),
        chest: DVec3::new(-12.0, 0.0, 0.0),
        neck: DVec3::new(20.0, 0.0, 0.0),
        head: DVec3::new(-14.0, 0.0, 0.0),
        jaw: 30.0,
        ears: 40.0,
        tail: DVec3::new(10.0, 0.0, 0.0),
        front_left: front(0.14, 0.20, 30.0),
        front_right: front(0.11, 0.14, 40.0),
        hind_left: pushing,
        hind_right: pushing,
        ..stand
    };
    // The front paws are on the ground again, and the neck is stretched.
    let lunge = Stance {
        hips: DVec3::new(0.0, -0.05, 0.20),
        pelvis: DVec3::new(-3.0, 0.0, 0.0),
        chest: DVec3::new(-2.0, 0.0, 0.0),
        neck: DVec3::new(38.0, 0.0, 0.0),
        head: DVec3::new(0.0, 0.0, 0.0),
        jaw: 34.0,
        ears: 45.0,
        tail: DVec3::new(18.0, 0.0, 0.0),
        tail_bend: DVec3::new(6.0, 0.0, 0.0),
        front_left: front(0.0, 0.34, -10.0),
        front_right: front(0.0, 0.28, -10.0),
        hind_left: pushing,
        hind_right: pushing,
    };
    let snap = Stance { jaw: 2.0, head: DVec3::new(12.0, 0.0, 0.0), neck: DVec3::new(44.0, 0.0, 0.0), ..lunge };
    let shake = |side: f64| Stance {
        head: DVec3::new(12.0, 24.0 * side, 18.0 * side),
        neck: DVec3::new(44.0, 12.0 * side, 0.0),
        ..snap
    };
    let hop_back = Stance {
        hips: DVec3::new(0.0, -0.02, 0.08),
        pelvis: DVec3::new(-5.0, 0.0, 0.0),
        chest: DVec3::new(-6.0, 0.0, 0.0),
        neck: DVec3::new(12.0, 0.0, 0.0),
        front_left: front(0.06, 0.14, 25.0),
        front_right: front(0.08, 0.10, 30.0),
        ..stand
    };
    Keys::posed(vec![
        (0.0, stand),
        (0.30, crouch),
        (0.42, leap),
        (0.52, lunge),
        (0.58, snap),
        (0.68, shake(1.0)),
        (0.80, shake(-1.0)),
        (0.90, snap),
        (1.05, hop_back),
        (1.25, stand),
    ])
}
