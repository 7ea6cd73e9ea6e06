//! The One-Euro filter for rotations.

use crate::rotation::{inverse, mul, slerp, to_rotation_vector};
use crate::{BoneSet, HumanBone, HumanPose};
use glam::{DQuat, DVec3};
use std::f64::consts::PI;

/// The parameters of a [`OneEuroFilter`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneEuroSettings {
    /// The cutoff frequency of a bone at rest, in hertz; above 0. A lower value removes more jitter and adds more lag.
    pub min_cutoff: f64,
    /// The increase of the cutoff frequency with the bone's speed: hertz for each degree per second; at least 0. A
    /// higher value reduces the lag of fast motion.
    pub speed_coefficient: f64,
    /// The cutoff frequency of the filter that smooths the bone's speed, in hertz; above 0.
    pub speed_cutoff: f64,
}

impl Default for OneEuroSettings {
    /// 1 Hz at rest, 0.05 Hz more for each degree per second, and 1 Hz for the speed.
    fn default() -> Self {
        Self { min_cutoff: 1.0, speed_coefficient: 0.05, speed_cutoff: 1.0 }
    }
}

#[derive(Clone, Copy, Debug)]
struct Smoothed {
    rotation: DQuat,
    /// The rotation axis times the speed in degrees per second.
    speed: DVec3,
}

/// Smooths the normalized rotations of all bones. The position of the hips stays unchanged.
///
/// The filter smooths slow motion strongly, because jitter is visible there. It smooths fast motion little, because lag
/// is visible there.
///
/// Source: Casiez, Roussel and Vogel, *1 € Filter: A Simple Speed-based Low-pass Filter for Noisy Input in Interactive
/// Systems*, CHI 2012. Here the value is a rotation, the difference of two values a rotation vector, and the blend
/// follows the shorter arc.
#[derive(Clone, Debug)]
pub struct OneEuroFilter {
    settings: OneEuroSettings,
    bones: [Option<Smoothed>; HumanBone::COUNT],
    seconds: f64,
}

impl OneEuroFilter {
    /// Makes a filter that has seen no pose yet.
    #[must_use]
    pub fn new(settings: OneEuroSettings) -> Self {
        Self { settings, bones: [None; HumanBone::COUNT], seconds: 0.0 }
    }

    /// Replaces the rotations of a pose by smoothed rotations. `seconds` is the pose's time on any clock. If the time
    /// is not later than in the last call, the pose gets the rotations of the last result again.
    pub fn apply(&mut self, pose: &mut HumanPose, seconds: f64) {
        let step = seconds - self.seconds;
        self.seconds = if step > 0.0 { seconds } else { self.seconds };
        let bones: BoneSet = pose.bones();
        for bone in bones.iter() {
            let now = pose.rotation(bone);
            let smoothed = match &self.bones[bone.index()] {
                None => Smoothed { rotation: now, speed: DVec3::ZERO },
                Some(before) if step > 0.0 => self.settings.smooth(before, now, step),
                Some(before) => *before,
            };
            self.bones[bone.index()] = Some(smoothed);
            pose.set_rotation(bone, smoothed.rotation);
        }
    }
}

impl OneEuroSettings {
    fn smooth(&self, before: &Smoothed, now: DQuat, step: f64) -> Smoothed {
        let turned = to_rotation_vector(mul(inverse(before.rotation), now));
        let raw_speed = turned * (180.0 / PI / step);
        let speed = before.speed + (raw_speed - before.speed) * share(self.speed_cutoff, step);
        let cutoff = self.min_cutoff + self.speed_coefficient * speed.dot(speed).sqrt();
        Smoothed { rotation: slerp(before.rotation, now, share(cutoff, step)), speed }
    }
}

/// The share of the new value in a one-pole low-pass filter, from 0 to 1. `cutoff` is in hertz and `step` in seconds.
fn share(cutoff: f64, step: f64) -> f64 {
    let time_constant = 1.0 / (2.0 * PI * cutoff);
    1.0 / (1.0 + time_constant / step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::{about, angle_between};
    use test_models::Random;

    const RATE: f64 = 60.0;
    /// The standard deviation of the noise about each axis, in degrees, as camera trackers have on hands.
    const DEVIATION: f64 = 0.5;

    /// A random number of nearly normal distribution with deviation 1: the sum of twelve uniform random numbers.
    fn normal(random: &mut Random) -> f64 {
        (0..12).map(|_| random.share_f64()).sum::<f64>() - 6.0
    }

    fn noise(random: &mut Random) -> DQuat {
        let degrees = [(); 3].map(|()| DEVIATION * normal(random));
        crate::rotation::from_rotation_vector(DVec3::from_array(degrees.map(f64::to_radians)))
    }

    /// Filters a motion with noise. Returns pairs of the true and the filtered rotation, without the first two seconds,
    /// in which the filter settles.
    fn filtered(motion: impl Fn(f64) -> DQuat, noisy: bool) -> Vec<(DQuat, DQuat)> {
        let mut random = Random::new(9);
        let mut filter = OneEuroFilter::new(OneEuroSettings::default());
        let mut pose = HumanPose::T_POSE;
        let frame = |tick: usize| {
            let seconds = tick as f64 / RATE;
            let truth = motion(seconds);
            let measured = if noisy { mul(truth, noise(&mut random)) } else { truth };
            pose.set_rotation(HumanBone::LeftHand, measured);
            filter.apply(&mut pose, seconds);
            (truth, pose.rotation(HumanBone::LeftHand))
        };
        (1..=600).map(frame).skip(120).collect()
    }

    /// The root mean square of the angles, in degrees.
    fn spread(pairs: &[(DQuat, DQuat)]) -> f64 {
        let squares = pairs.iter().map(|&(a, b)| angle_between(a, b).to_degrees().powi(2));
        (squares.sum::<f64>() / pairs.len() as f64).sqrt()
    }

    #[test]
    fn jitter_of_a_still_bone_falls_to_a_third() {
        let mut random = Random::new(9);
        let raw: Vec<(DQuat, DQuat)> = (0..480).map(|_| (DQuat::IDENTITY, noise(&mut random))).collect();
        let (raw, smooth) = (spread(&raw), spread(&filtered(|_| DQuat::IDENTITY, true)));
        println!("jitter: {raw:.3} degrees before, {smooth:.3} after");
        assert!((0.8..0.95).contains(&raw), "three axes of {DEVIATION} degrees: {raw}");
        assert!(smooth < raw / 3.0, "{smooth} of {raw}");
    }

    #[test]
    fn a_fast_bone_lags_by_a_frame_and_a_slow_one_by_less_than_a_tenth_of_a_second() {
        for (degrees_a_second, most) in [(20.0, 0.090), (200.0, 0.017), (800.0, 0.006)] {
            let motion = |seconds: f64| about(DVec3::Y, (degrees_a_second * seconds).to_radians());
            let lag = spread(&filtered(motion, false)) / degrees_a_second;
            println!("lag at {degrees_a_second} degrees a second: {:.1} ms", 1e3 * lag);
            assert!(lag > 0.0 && lag < most, "{lag} s at {degrees_a_second}");
        }
    }

    #[test]
    fn the_same_time_again_gives_the_last_result() {
        let mut filter = OneEuroFilter::new(OneEuroSettings::default());
        let mut pose = HumanPose::T_POSE;
        for (seconds, degrees, expected) in [(1.0, 10.0, 10.0), (1.0, 50.0, 10.0), (0.5, 50.0, 10.0), (9e9, 50.0, 50.0)]
        {
            pose.set_rotation(HumanBone::Head, about(DVec3::X, f64::to_radians(degrees)));
            filter.apply(&mut pose, seconds);
            let angle = angle_between(pose.rotation(HumanBone::Head), DQuat::IDENTITY).to_degrees();
            assert!((angle - expected).abs() < 1e-6, "{angle} at {seconds}");
        }
        assert!(pose.bones().len() == 1);
    }
}
