//! From a baked clip and a time to joint matrices.

use crate::socket::Socket;
use crate::{Character, ClipIndex, PoseError};
use geometry_core::portable;
use glam::{Affine3A, Quat, Vec3};
use skeleton::{Clip, JointIndex, LocalTransform, Trs};

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
    /// before the start (`Once`) or runs backwards through the loop (`Loop`); NaN stays NaN, which posing refuses.
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
        if elapsed.is_nan() {
            return elapsed;
        }
        if seconds <= 0.0 {
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

/// The joints that a [`ClipSampler`] computes matrices for.
///
/// Joints with hitboxes and the joints above them are always computed: a pose needs them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SampleJoints {
    /// [`Character::needed_joints`]: joints with hitboxes, and all joints above them.
    #[default]
    WithBoxes,
    /// All joints: for drawing, and for whatever is attached to joints without hitboxes.
    All,
    /// Joints with hitboxes, these joints (weapon sockets, muzzles, cameras), and all joints above either.
    These(Vec<JointIndex>),
}

/// Samples clips into joint matrices, in memory that is reused from pose to pose: one sampler serves any number of
/// characters, one after another.
///
/// Only the joints of [`SampleJoints`] are computed; the matrices of all others are NaN.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
/// # use runtime::{ClipSampler, SampleJoints}; use glam::Vec3A;
/// let arm = example::arm("Arm"); // root, upper, fore and finger, 1 apart along y; the finger has no hitbox
/// let (wave, finger) = (arm.find_clip("wave").unwrap(), arm.skeleton().find("finger").unwrap());
/// let mut sampler = ClipSampler::new();
/// assert!(sampler.sample(&arm, wave, 0.0)?[finger.index()].is_nan());
/// sampler.set_joints(SampleJoints::These(vec![finger]));
/// assert_eq!(sampler.sample(&arm, wave, 0.0)?[finger.index()].translation, Vec3A::new(0.0, 3.0, 0.0));
/// # Ok::<(), runtime::PoseError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ClipSampler {
    joints: SampleJoints,
    /// By joint: whether it is computed. Empty where that is `Character::needed`.
    is_wanted: Vec<bool>,
    local: Vec<LocalTransform>,
    blended: Vec<LocalTransform>,
    model_from_joint: Vec<Affine3A>,
}

impl ClipSampler {
    /// A sampler of [`SampleJoints::WithBoxes`]; nothing is allocated.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Chooses the joints that are computed from now on.
    pub fn set_joints(&mut self, joints: SampleJoints) {
        self.joints = joints;
    }

    /// The pose of a clip at `seconds`: `model_from_joint`, one entry per joint of the skeleton. `seconds` is on the
    /// clip's own clock and clamped to each channel's keys.
    ///
    /// # Errors
    /// The character has no such clip, or no such joint as [`SampleJoints::These`] names; `seconds` is NaN.
    pub fn sample(&mut self, character: &Character, clip: ClipIndex, seconds: f32) -> Result<&[Affine3A], PoseError> {
        self.sample_with(character, clip, seconds, &[])
    }

    /// [`ClipSampler::sample`], of more joints than the sampler was set to.
    pub(crate) fn sample_with(
        &mut self,
        character: &Character,
        clip: ClipIndex,
        seconds: f32,
        also: &[Socket],
    ) -> Result<&[Affine3A], PoseError> {
        self.choose(character, also)?;
        sample_local(&mut self.local, &self.is_wanted, character, clip, seconds)?;
        Ok(self.finish(character))
    }

    /// Blends two clips, joint by joint: `weight` 0 gives the first, 1 the second; a weight outside is clamped.
    ///
    /// Translations and scales run in a straight line, rotations along the chord of the shorter arc, then normalized:
    /// the same path as the great arc, at a speed that differs from constant by little for poses less than a quarter
    /// turn apart. Joints given by a matrix are not animated.
    ///
    /// # Errors
    /// As [`ClipSampler::sample`], and where `weight` is NaN.
    pub fn blend(
        &mut self,
        character: &Character,
        (first, first_seconds): (ClipIndex, f32),
        (second, second_seconds): (ClipIndex, f32),
        weight: f32,
    ) -> Result<&[Affine3A], PoseError> {
        self.choose(character, &[])?;
        sample_local(&mut self.local, &self.is_wanted, character, first, first_seconds)?;
        sample_local(&mut self.blended, &self.is_wanted, character, second, second_seconds)?;
        if weight.is_nan() {
            return Err(PoseError::not_a_number(character, second));
        }
        let weight = weight.clamp(0.0, 1.0);
        for (a, b) in self.local.iter_mut().zip(&self.blended) {
            if let (LocalTransform::Trs(a), LocalTransform::Trs(b)) = (a, b) {
                *a = blend_trs(a, b, weight);
            }
        }
        Ok(self.finish(character))
    }

    /// Sets `is_wanted`.
    fn choose(&mut self, character: &Character, also: &[Socket]) -> Result<(), PoseError> {
        self.is_wanted.clear();
        let these: &[JointIndex] = match &self.joints {
            SampleJoints::WithBoxes if also.is_empty() => return Ok(()),
            SampleJoints::WithBoxes => &[],
            SampleJoints::All => {
                self.is_wanted.resize(character.skeleton().len(), true);
                return Ok(());
            }
            SampleJoints::These(these) => these,
        };
        let joints = character.skeleton().joints();
        self.is_wanted.resize(joints.len(), false);
        character.needed.iter().for_each(|joint| self.is_wanted[joint.index()] = true);
        for joint in these.iter().copied().chain(also.iter().map(|socket| socket.joint)) {
            if joint.index() >= joints.len() {
                return Err(PoseError::no_joint(character, joint));
            }
            let mut above = Some(joint);
            while let Some(joint) = above.filter(|joint| !self.is_wanted[joint.index()]) {
                self.is_wanted[joint.index()] = true;
                above = joints[joint.index()].parent;
            }
        }
        Ok(())
    }

    /// Forward kinematics over the chosen joints.
    fn finish(&mut self, character: &Character) -> &[Affine3A] {
        self.model_from_joint.clear();
        self.model_from_joint.resize(character.skeleton().len(), Affine3A::NAN);
        let joints = character.skeleton().joints();
        let chosen_only = !self.is_wanted.is_empty();
        let count = if chosen_only { joints.len() } else { character.needed.len() };
        for place in 0..count {
            let index = if chosen_only { place } else { character.needed[place].index() };
            if chosen_only && !self.is_wanted[index] {
                continue;
            }
            let parent_from_joint = self.local[index].to_affine();
            self.model_from_joint[index] = match joints[index].parent {
                Some(parent) => portable::affine_mul(&self.model_from_joint[parent.index()], &parent_from_joint),
                None => parent_from_joint,
            };
        }
        &self.model_from_joint
    }
}

fn sample_local(
    local: &mut Vec<LocalTransform>,
    is_wanted: &[bool],
    character: &Character,
    clip_index: ClipIndex,
    seconds: f32,
) -> Result<(), PoseError> {
    let Some(clip) = character.clips().get(clip_index.index()) else {
        return Err(PoseError::no_clip(character, clip_index));
    };
    if seconds.is_nan() {
        return Err(PoseError::not_a_number(character, clip_index));
    }
    local.clear();
    local.extend(character.skeleton().joints().iter().map(|joint| joint.rest));
    let needed = &character.needed_channels[clip_index.index()];
    let chosen_only = !is_wanted.is_empty();
    let count = if chosen_only { clip.channels.len() } else { needed.len() };
    let channel_at = |place: usize| if chosen_only { place } else { needed[place] as usize };
    for channel in (0..count).map(channel_at) {
        let joint = clip.channels[channel].joint.index();
        if !chosen_only || is_wanted.get(joint).is_some_and(|&wanted| wanted) {
            clip.sample_channel(channel, seconds, local);
        }
    }
    Ok(())
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
