//! From a baked clip and a time to joint matrices.

use crate::{Character, ClipIndex};
use geometry_core::portable;
use glam::{Affine3A, Quat, Vec3};
use skeleton::{Clip, LocalTransform, Trs};

/// What happens after a clip's last key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum LoopMode {
    /// The last pose is held.
    #[default]
    Once,
    /// It begins again at the first key.
    Loop,
}

impl LoopMode {
    /// The time to sample `clip` at, `elapsed` seconds after it was started.
    ///
    /// Clips need not begin at 0: the answer lies between [`Clip::start`] and [`Clip::end`]. A negative `elapsed` is
    /// before the start (`Once`) or runs backwards through the loop (`Loop`); NaN is the start.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::LoopMode;
    /// let arm = example::arm("Arm");
    /// let wave = &arm.clips()[0]; // keys from 0 s to 2 s
    /// assert_eq!(LoopMode::Loop.clip_time(wave, 4.5), 0.5);
    /// assert_eq!(LoopMode::Once.clip_time(wave, 4.5), 2.0);
    /// ```
    #[must_use]
    pub fn clip_time(self, clip: &Clip, elapsed: f32) -> f32 {
        let (start, seconds) = (clip.start(), clip.seconds());
        if seconds <= 0.0 || elapsed.is_nan() {
            return start;
        }
        let within = match self {
            Self::Once => elapsed.clamp(0.0, seconds),
            Self::Loop if elapsed.is_infinite() => 0.0,
            Self::Loop => elapsed.rem_euclid(seconds),
        };
        (start + within).min(clip.end())
    }
}

/// Samples clips into joint matrices; its buffers are reused.
///
/// Only [`Character::needed_joints`] are computed; the matrices of the others stay the identity.
#[derive(Clone, Debug, Default)]
pub struct ClipSampler {
    local: Vec<LocalTransform>,
    blended: Vec<LocalTransform>,
    model_from_joint: Vec<Affine3A>,
}

impl ClipSampler {
    /// Without buffers yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The rest pose: `model_from_joint`, one entry per joint of the skeleton.
    pub fn rest(&mut self, character: &Character) -> &[Affine3A] {
        set_to_rest(&mut self.local, character);
        self.finish(character)
    }

    /// The pose of a clip at `seconds` (clamped to each channel's keys): `model_from_joint`, one entry per joint of
    /// the skeleton. `None` where the character has no such clip.
    pub fn sample(&mut self, character: &Character, clip: ClipIndex, seconds: f32) -> Option<&[Affine3A]> {
        sample_local(&mut self.local, character, clip, seconds)?;
        Some(self.finish(character))
    }

    /// Between two clips, joint by joint: at `weight` 0 the first, at 1 the second; outside it is clamped.
    ///
    /// Translations and scales run in a straight line, rotations along the chord of the shorter arc, then normalised:
    /// the same path as the great arc, at a speed that differs from constant by little for poses less than a quarter
    /// turn apart. Joints given by a matrix are not animated.
    pub fn blend(
        &mut self,
        character: &Character,
        (first, first_seconds): (ClipIndex, f32),
        (second, second_seconds): (ClipIndex, f32),
        weight: f32,
    ) -> Option<&[Affine3A]> {
        sample_local(&mut self.local, character, first, first_seconds)?;
        sample_local(&mut self.blended, character, second, second_seconds)?;
        let weight = if weight > 0.0 { weight.min(1.0) } else { 0.0 };
        for &joint in &character.needed {
            let pair = (&mut self.local[joint.index()], &self.blended[joint.index()]);
            if let (LocalTransform::Trs(a), LocalTransform::Trs(b)) = pair {
                *a = blend_trs(a, b, weight);
            }
        }
        Some(self.finish(character))
    }

    /// Forward kinematics over the needed joints.
    fn finish(&mut self, character: &Character) -> &[Affine3A] {
        self.model_from_joint.clear();
        self.model_from_joint.resize(character.skeleton().len(), Affine3A::IDENTITY);
        let joints = character.skeleton().joints();
        for &joint in &character.needed {
            let index = joint.index();
            let parent_from_joint = self.local[index].to_affine();
            self.model_from_joint[index] = match joints[index].parent {
                Some(parent) => portable::affine_mul(&self.model_from_joint[parent.index()], &parent_from_joint),
                None => parent_from_joint,
            };
        }
        &self.model_from_joint
    }
}

fn set_to_rest(local: &mut Vec<LocalTransform>, character: &Character) {
    local.clear();
    local.extend(character.skeleton().joints().iter().map(|joint| joint.rest));
}

fn sample_local(local: &mut Vec<LocalTransform>, character: &Character, clip: ClipIndex, seconds: f32) -> Option<()> {
    let channels = character.needed_channels.get(clip.index())?;
    let clip = &character.clips()[clip.index()];
    set_to_rest(local, character);
    for &channel in channels {
        clip.sample_channel(channel as usize, seconds, local);
    }
    Some(())
}

fn blend_trs(a: &Trs, b: &Trs, weight: f32) -> Trs {
    let between = |a: Vec3, b: Vec3| a + (b - a) * weight;
    Trs {
        translation: between(a.translation, b.translation),
        rotation: blend_rotation(a.rotation, b.rotation, weight),
        scale: between(a.scale, b.scale),
    }
}

fn blend_rotation(a: Quat, b: Quat, weight: f32) -> Quat {
    let (a, mut b) = (a.to_array(), b.to_array());
    let dot = |p: &[f32; 4], q: &[f32; 4]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
    if dot(&a, &b) < 0.0 {
        b = b.map(|component| -component);
    }
    let sum: [f32; 4] = std::array::from_fn(|i| a[i] + (b[i] - a[i]) * weight);
    let length = dot(&sum, &sum).sqrt();
    // Half a turn apart there is no shorter arc and the chord may pass through zero.
    if length > 1e-6 { Quat::from_array(sum.map(|component| component / length)) } else { Quat::from_array(a) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blending_rotations_takes_the_shorter_arc_and_never_gives_nan() {
        let a = Quat::from_xyzw(0.0, 0.0, 0.0, 1.0);
        let b = Quat::from_xyzw(0.0, 0.0, -0.6, -0.8);
        let half = blend_rotation(a, b, 0.5);
        assert!(half.z > 0.0 && (half.length() - 1.0).abs() < 1e-6);
        let opposite = Quat::from_xyzw(1.0, 0.0, 0.0, 0.0);
        assert!(blend_rotation(a, opposite, 0.5).is_finite());
        assert!(blend_rotation(a, -a, 0.5).is_finite());
    }
}
