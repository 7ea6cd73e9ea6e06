//! The humans' clips: key poses and their times.

use super::puppet::Puppet;
use super::stance::{Arm, Leg, Stance};
use crate::character::Motion;
use crate::ease::{Keys, Mix};
use glam::DVec3;

/// The number of postures per second in the written clips.
const RATE: f64 = 30.0;
/// The number of postures per second in clips without fast movements.
const SLOW_RATE: f64 = 15.0;

/// All clips for one body.
#[must_use]
pub fn motions(puppet: &Puppet<'_>) -> Vec<Motion> {
    let sampled = |name: &str, rate: f64, keys: &Keys<Stance>| {
        let frames = (keys.length() * rate).round() as usize;
        let postures = (0..=frames).map(|frame| puppet.posture(&keys.at(frame as f64 / rate))).collect();
        Motion { name: name.to_owned(), rate, postures }
    };
    vec![
        sampled("idle", SLOW_RATE, &idle()),
        sampled("walk", RATE, &walk()),
        sampled("guard", SLOW_RATE, &guard()),
        sampled("jab", RATE, &jab()),
        sampled("roundhouse_kick", RATE, &roundhouse_kick()),
        sampled("hit", RATE, &hit()),
    ]
}

/// The human stands and breathes, with the weight first on one leg and then on the other.
fn idle() -> Keys<Stance> {
    let at = |breath: f64, weight: f64| {
        let upright = Stance::UPRIGHT;
        let arm = Arm {
            shoulder: DVec3::new(2.0 * breath, 0.0, 0.0),
            wrist: Arm::HANGING.wrist + DVec3::new(0.012 * breath, 0.004 * breath, 0.008 * breath),
            ..Arm::HANGING
        };
        Stance {
            hips: DVec3::new(0.016 * weight, -0.014 - 0.003 * breath, 0.002 * breath),
            pelvis: DVec3::new(1.0, 1.5 * weight, 1.2 * weight),
            chest: DVec3::new(1.5 - 1.6 * breath, -weight, -1.2 * weight),
            head: DVec3::new(2.0 + 1.0 * breath, 5.0 * weight, 0.0),
            left_arm: arm,
            right_arm: arm,
            ..upright
        }
    };
    Keys::cycle(vec![
        (0.0, at(0.0, 0.0)),
        (0.75, at(1.0, 0.8)),
        (1.5, at(0.0, 1.0)),
        (2.25, at(1.0, 0.0)),
        (3.0, at(0.0, -1.0)),
        (3.5, at(0.8, -0.8)),
        (4.0, at(0.0, 0.0)),
    ])
}

/// The fighting stance.
fn guard() -> Keys<Stance> {
    let at = |bounce: f64, sway: f64| {
        let guard = Stance::GUARD;
        let arm = |arm: Arm| Arm { wrist: arm.wrist + DVec3::new(0.015 * sway, 0.025 * bounce, 0.02 * sway), ..arm };
        Stance {
            hips: guard.hips + DVec3::new(0.006 * sway, 0.014 * bounce, 0.010 * sway),
            chest: guard.chest + DVec3::new(-1.5 * bounce, 2.0 * sway, 0.0),
            left_arm: arm(guard.left_arm),
            right_arm: arm(guard.right_arm),
            right_leg: Leg { heel: guard.right_leg.heel + 5.0 * bounce, ..guard.right_leg },
            ..guard
        }
    };
    Keys::cycle(vec![
        (0.0, at(0.0, 0.0)),
        (0.2, at(1.0, 0.7)),
        (0.4, at(0.0, 1.0)),
        (0.6, at(-0.4, 0.0)),
        (0.8, at(1.0, -0.7)),
        (1.0, at(0.0, -1.0)),
        (1.2, at(0.0, 0.0)),
    ])
}

/// The rear leg swings around and strikes from the side at chest height. The standing foot turns outward.
fn roundhouse_kick() -> Keys<Stance> {
    let guard = Stance::GUARD;
    let load = Stance {
        hips: guard.hips + DVec3::new(0.02, -0.01, 0.08),
        pelvis: DVec3::new(4.0, -10.0, -4.0),
        chest: DVec3::new(8.0, -20.0, -2.0),
        left_leg: Leg { turn: 25.0, knee: DVec3::new(0.4, 0.0, 1.0), ..guard.left_leg },
        right_leg: Leg { heel: 38.0, ..guard.right_leg },
        ..guard
    };
    let airborne = Leg { air: 1.0, point: 55.0, ..guard.right_leg };
    let chamber = Stance {
        hips: DVec3::new(0.06, -0.035, 0.10),
        pelvis: DVec3::new(0.0, 35.0, -20.0),
        chest: DVec3::new(4.0, 20.0, -18.0),
        head: DVec3::new(6.0, 2.0, -6.0),
        left_arm: Arm { wrist: DVec3::new(-0.20, 0.08, 0.46), ..guard.left_arm },
        right_arm: Arm { wrist: DVec3::new(0.20, -0.20, 0.45), ..guard.right_arm },
        left_leg: Leg { turn: 65.0, heel: 14.0, knee: DVec3::new(1.0, 0.0, 0.7), ..guard.left_leg },
        right_leg: Leg { ankle: DVec3::new(0.42, -0.06, 0.02), knee: DVec3::new(0.4, 0.5, 1.0), ..airborne },
    };
    let strike = Stance {
        hips: DVec3::new(0.07, -0.02, 0.10),
        pelvis: DVec3::new(-4.0, 78.0, -44.0),
        chest: DVec3::new(0.0, 52.0, -36.0),
        head: DVec3::new(6.0, 10.0, -14.0),
        left_arm: Arm { wrist: DVec3::new(-0.05, 0.16, 0.42), ..guard.left_arm },
        right_arm: Arm {
            wrist: DVec3::new(0.30, -0.72, 0.52),
            elbow: DVec3::new(1.0, 0.0, -0.3),
            fingers: DVec3::new(0.25, -0.8, 0.5),
            palm: DVec3::new(-0.9, -0.3, 0.0),
            ..guard.right_arm
        },
        left_leg: Leg { turn: 100.0, heel: 22.0, knee: DVec3::new(1.0, 0.0, 0.1), ..guard.left_leg },
        right_leg: Leg { ankle: DVec3::new(0.02, 0.30, 0.95), knee: DVec3::new(-0.9, 0.5, 0.2), ..airborne },
    };
    let follow = Stance {
        right_leg: Leg { ankle: DVec3::new(-0.14, 0.27, 0.92), ..strike.right_leg },
        pelvis: DVec3::new(-4.0, 86.0, -42.0),
        ..strike
    };
    let back = Stance { left_leg: Leg { turn: 50.0, ..chamber.left_leg }, ..chamber };
    Keys::posed(vec![
        (0.0, guard),
        (0.16, load),
        (0.32, chamber),
        (0.46, strike),
        (0.54, follow),
        (0.74, back),
        (1.02, guard),
        (1.1, guard),
    ])
}

/// A blow to the head: the head snaps back and to the side, the body follows, and the rear foot stops it.
fn hit() -> Keys<Stance> {
    let guard = Stance::GUARD;
    let struck = Stance {
        hips: guard.hips + DVec3::new(-0.01, -0.005, -0.05),
        chest: DVec3::new(-6.0, -40.0, 3.0),
        head: DVec3::new(-30.0, -24.0, 8.0),
        left_arm: Arm { wrist: DVec3::new(-0.05, -0.10, 0.56), ..guard.left_arm },
        right_arm: Arm { wrist: DVec3::new(0.16, -0.10, 0.44), ..guard.right_arm },
        ..guard
    };
    let reel = Stance {
        hips: guard.hips + DVec3::new(-0.03, -0.02, -0.17),
        pelvis: DVec3::new(-5.0, -28.0, 0.0),
        chest: DVec3::new(-14.0, -44.0, 5.0),
        head: DVec3::new(-16.0, -28.0, 8.0),
        left_arm: Arm { wrist: DVec3::new(0.10, -0.36, 0.58), fist: 0.6, ..guard.left_arm },
        right_arm: Arm { wrist: DVec3::new(0.34, -0.34, 0.40), fist: 0.6, ..guard.right_arm },
        left_leg: Leg { heel: -10.0, ..guard.left_leg },
        right_leg: Leg { ball: guard.right_leg.ball + DVec3::new(0.04, 0.0, -0.14), heel: 8.0, ..guard.right_leg },
    };
    let stepping = Stance {
        right_leg: Leg { ball: guard.right_leg.ball + DVec3::new(0.02, 0.05, -0.07), heel: 22.0, ..guard.right_leg },
        ..struck.mix(0.5, &reel, 0.5)
    };
    Keys::posed(vec![
        (0.0, guard),
        (0.10, struck),
        (0.20, stepping),
        (0.30, reel),
        (0.42, reel),
        (0.80, guard),
        (0.9, guard),
    ])
}

/// A left jab: the lead shoulder moves forward, and the fist moves out at the height of the chin and returns.
fn jab() -> Keys<Stance> {
    let guard = Stance::GUARD;
    let wind_up =
        Stance { hips: guard.hips + DVec3::new(0.0, -0.01, -0.02), chest: DVec3::new(8.0, -36.0, 0.0), ..guard };
    let hit = Stance {
        hips: guard.hips + DVec3::new(0.0, 0.025, 0.12),
        pelvis: DVec3::new(5.0, -34.0, 0.0),
        chest: DVec3::new(12.0, -52.0, 0.0),
        head: DVec3::new(8.0, -6.0, 0.0),
        left_arm: Arm {
            shoulder: DVec3::new(10.0, 14.0, 0.0),
            wrist: DVec3::new(-0.12, 0.33, 0.93),
            elbow: DVec3::new(0.7, -0.7, 0.0),
            fingers: DVec3::new(-0.10, 0.22, 1.0),
            palm: DVec3::new(0.0, -1.0, 0.0),
            fist: 1.0,
        },
        left_leg: Leg { ball: DVec3::new(0.0, 0.0, 0.35), ..guard.left_leg },
        right_leg: Leg { heel: 30.0, ..guard.right_leg },
        ..guard
    };
    Keys::posed(vec![(0.0, guard), (0.10, wind_up), (0.24, hit), (0.34, hit), (0.60, guard), (0.70, guard)])
}

/// One step with each foot, in place. A foot on the ground moves backward at the speed of the ground.
fn walk() -> Keys<Stance> {
    const LENGTH: f64 = 1.1;
    const STEPS: usize = 16;
    let feet = Keys::cycle(gait());
    let keys = (0..=STEPS).map(|step| {
        let phase = step as f64 / STEPS as f64;
        let angle = std::f64::consts::TAU * phase;
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        // The body is lowest when both feet are on the ground, and highest above the standing foot.
        let bob = -libm::cos(2.0 * angle);
        // At phase 0 the left heel touches the ground, so the left leg and the right arm are in front.
        let arm = |swing: f64| Arm {
            wrist: DVec3::new(0.19, -0.93 + 0.05 * swing * swing, 0.10 + 0.26 * swing),
            elbow: DVec3::new(0.4, 0.0, -1.0),
            fingers: DVec3::new(-0.05, -1.0, 0.18 + 0.35 * swing),
            ..Arm::HANGING
        };
        let stance = Stance {
            hips: DVec3::new(-0.018 * sine, -0.020 + 0.012 * bob, 0.0),
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

/// The movement of a leg over one stride, from heel strike to heel strike.
fn gait() -> Vec<(f64, Leg)> {
    let leg = |z: f64, y: f64, heel: f64| Leg { ball: DVec3::new(-0.035, y, z), heel, turn: 5.0, ..Leg::STANDING };
    vec![
        (0.00, leg(0.31, 0.0, -20.0)),
        (0.10, leg(0.215, 0.0, 0.0)),
        (0.30, leg(0.01, 0.0, 0.0)),
        (0.45, leg(-0.155, 0.0, 12.0)),
        (0.58, leg(-0.265, 0.0, 42.0)),
        (0.70, leg(-0.17, 0.075, 48.0)),
        (0.84, leg(0.20, 0.055, 6.0)),
        (0.95, leg(0.345, 0.03, -16.0)),
        (1.00, leg(0.31, 0.0, -20.0)),
    ]
}
