//! The humans' clips: key poses and their times.

use super::puppet::Puppet;
use super::stance::{Arm, Leg, Stance};
use crate::character::Motion;
use crate::ease::Keys;
use glam::DVec3;

/// Postures a second in the written clips.
const RATE: f64 = 30.0;

/// Every clip, for one body.
#[must_use]
pub fn motions(puppet: &Puppet<'_>) -> Vec<Motion> {
    let sampled = |name: &str, keys: &Keys<Stance>| {
        let frames = (keys.length() * RATE).round() as usize;
        let postures = (0..=frames).map(|frame| puppet.posture(&keys.at(frame as f64 / RATE))).collect();
        Motion { name: name.to_owned(), rate: RATE, postures }
    };
    vec![sampled("walk", &walk()), sampled("jab", &jab())]
}

/// Left jab: the lead shoulder comes forward, the fist flies out level with the chin and returns.
fn jab() -> Keys<Stance> {
    let guard = Stance::GUARD;
    let wind_up =
        Stance { hips: guard.hips + DVec3::new(0.0, -0.01, -0.02), chest: DVec3::new(8.0, -36.0, 0.0), ..guard };
    let hit = Stance {
        hips: guard.hips + DVec3::new(0.0, -0.01, 0.09),
        pelvis: DVec3::new(5.0, -34.0, 0.0),
        chest: DVec3::new(12.0, -52.0, 0.0),
        head: DVec3::new(8.0, -6.0, 0.0),
        left_arm: Arm {
            shoulder: DVec3::new(10.0, 14.0, 0.0),
            wrist: DVec3::new(-0.10, 0.12, 0.98),
            elbow: DVec3::new(0.7, -0.7, 0.0),
            fingers: DVec3::new(-0.08, 0.0, 1.0),
            palm: DVec3::new(0.0, -1.0, 0.0),
            fist: 1.0,
        },
        left_leg: Leg { ball: DVec3::new(0.0, 0.0, 0.32), ..guard.left_leg },
        right_leg: Leg { heel: 30.0, ..guard.right_leg },
        ..guard
    };
    Keys::posed(vec![(0.0, guard), (0.10, wind_up), (0.24, hit), (0.34, hit), (0.60, guard), (0.70, guard)])
}

/// One step with each foot, on the spot: feet on the ground slide back as the ground would.
fn walk() -> Keys<Stance> {
    const LENGTH: f64 = 1.1;
    const STEPS: usize = 16;
    let feet = Keys::cycle(gait());
    let keys = (0..=STEPS).map(|step| {
        let phase = step as f64 / STEPS as f64;
        let angle = std::f64::consts::TAU * phase;
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        // Lowest when both feet stand, highest over the standing foot.
        let bob = -libm::cos(2.0 * angle);
        // At phase 0 the left heel strikes: the left leg is in front, the right arm too.
        let arm = |swing: f64| Arm {
            wrist: DVec3::new(0.19, -0.93 + 0.05 * swing * swing, 0.10 + 0.26 * swing),
            elbow: DVec3::new(0.4, 0.0, -1.0),
            fingers: DVec3::new(-0.05, -1.0, 0.18 + 0.35 * swing),
            ..Arm::HANGING
        };
        let stance = Stance {
            hips: DVec3::new(-0.018 * sine, -0.030 + 0.014 * bob, 0.0),
            pelvis: DVec3::new(2.0, -6.0 * cosine, 2.5 * sine),
            chest: DVec3::new(3.0, 6.0 * cosine, -1.5 * sine),
            head: DVec3::new(2.0, 1.0 * cosine, 0.0),
            left_arm: arm(-cosine),
            right_arm: arm(cosine),
            left_leg: feet.at(phase),
            right_leg: feet.at(phase + 0.5),
        };
        (phase * LENGTH, stance)
    });
    Keys::cycle(keys.collect())
}

/// A leg over one stride, from heel strike to heel strike.
fn gait() -> Vec<(f64, Leg)> {
    let leg = |z: f64, y: f64, heel: f64| Leg { ball: DVec3::new(-0.035, y, z), heel, turn: 5.0, ..Leg::STANDING };
    vec![
        (0.00, leg(0.34, 0.0, -18.0)),
        (0.10, leg(0.23, 0.0, 0.0)),
        (0.30, leg(0.01, 0.0, 0.0)),
        (0.45, leg(-0.155, 0.0, 12.0)),
        (0.58, leg(-0.27, 0.0, 42.0)),
        (0.70, leg(-0.17, 0.075, 48.0)),
        (0.84, leg(0.20, 0.055, 6.0)),
        (0.95, leg(0.38, 0.035, -14.0)),
        (1.00, leg(0.34, 0.0, -18.0)),
    ]
}
