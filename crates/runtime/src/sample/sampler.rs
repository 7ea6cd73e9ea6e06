//! Computes joint matrices from a baked clip and a time.

use crate::character::mark_with_ancestors;
use crate::kernels::clip_lanes::{LocalBlock, Moment};
use crate::kernels::layout::{Fours, LANES, Row};
use crate::kernels::{self, Kernel};
use crate::{Character, ClipIndex, LayerMode, PoseError, PoseLayer};
use glam::Affine3A;
use skeleton::{Clip, JointIndex, LocalTransform};

/// The behavior of a clip after its last key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum LoopMode {
    /// The clip holds its last pose.
    #[default]
    Once,
    /// The clip starts again at its first key.
    Loop,
}

impl LoopMode {
    /// The sample time in `clip`, in seconds, when `elapsed` seconds have passed since the clip was started. `elapsed` is
    /// an `f64`, because the steps of an `f32` are half a tick long (1/128 s) after a day.
    ///
    /// Clips need not begin at 0: the result lies between [`Clip::start`] and [`Clip::end`]. A negative `elapsed` gives
    /// the start (`Once`) or runs backwards through the loop (`Loop`). NaN stays NaN, and posing returns an error for
    /// NaN.
    ///
    /// ```
    /// use runtime::{Character, LoopMode};
    ///
    /// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// let wave = &arm.clips()[0]; // keys from 0 s to 2 s
    /// assert_eq!(LoopMode::Loop.clip_time(wave, 4.5), 0.5);
    /// assert_eq!(LoopMode::Once.clip_time(wave, 4.5), 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn clip_time(self, clip: &Clip, elapsed: f64) -> f32 {
        let (start, end, seconds) = (clip.start(), clip.end(), length(clip));
        if elapsed.is_nan() {
            return f32::NAN;
        }
        if seconds <= 0.0 {
            return start;
        }
        let within = match self {
            Self::Once => elapsed.clamp(0.0, seconds),
            Self::Loop if elapsed.is_infinite() => 0.0,
            Self::Loop => elapsed.rem_euclid(seconds),
        };
        ((f64::from(start) + within) as f32).min(end)
    }
}

/// The length of a clip in seconds, without rounding: after many loops, a rounded length would be another time.
pub(crate) fn length(clip: &Clip) -> f64 {
    f64::from(clip.end()) - f64::from(clip.start())
}

/// A joint whose matrix is kept beside the hitboxes, for example of a weapon or a camera: see
/// [`crate::PosedCharacter::track_joints`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Socket {
    pub(crate) joint: JointIndex,
    /// The matrix of the joint; NaN if there is no pose.
    pub(crate) world_from_joint: Affine3A,
}

/// The joints that a [`ClipSampler`] computes matrices for.
///
/// The joints that a pose needs are always computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SampleJoints {
    /// The joints of [`Character::needed_joints`]: all joints whose matrices a pose may read, and their ancestors.
    #[default]
    WithBoxes,
    /// All joints: for drawing, and for anything that is attached to joints without hitboxes.
    All,
    /// The joints of [`Character::needed_joints`], the listed joints (for example a hand that holds a weapon), and all
    /// ancestors of the listed joints.
    These(Vec<JointIndex>),
}

/// Computes joint matrices from clips. A sampler reuses its memory; use one sampler for any number of characters, one
/// after another.
///
/// Only the joints of [`SampleJoints`] are computed; the matrices of all other joints are NaN.
///
/// No sample depends on the sample before: a jump to any time takes as long as continuous playback and gives the same
/// bits. Between keys, the answer differs a little from [`Clip::sample`]. The rotation of a joint differs by less than
/// 0.002 degrees, or by less than 0.00003 degrees if its keys are at most a quarter turn apart. The translation differs
/// by `f32` rounding.
///
/// ```
/// use glam::Vec3A;
/// use runtime::{Character, ClipSampler, SampleJoints};
///
/// // Root, upper, fore and finger, 1 apart along y; the finger has no hitbox.
/// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
/// let (wave, finger) = (arm.find_clip("wave").unwrap(), arm.skeleton().find("finger").unwrap());
/// let mut sampler = ClipSampler::new();
/// assert!(sampler.sample(&arm, wave, 0.0)?[finger.index()].is_nan());
/// sampler.set_joints(SampleJoints::These(vec![finger]));
/// assert_eq!(sampler.sample(&arm, wave, 0.0)?[finger.index()].translation, Vec3A::new(0.0, 3.0, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ClipSampler {
    joints: SampleJoints,
    /// `true` for each joint that is computed, by joint index. Empty if the computed joints are `Character::needed`.
    is_wanted: Vec<bool>,
    kernel: Kernel,
    moments: Vec<Moment>,
    local: Vec<LocalBlock>,
    blended: Vec<LocalBlock>,
    /// The weight of each lane for the layer that is being applied, by block.
    weights: Vec<Row>,
    /// The local poses of channels that are sampled one at a time.
    single: Vec<LocalTransform>,
    parent_from_joint: Vec<Fours>,
    model_from_joint: Vec<Affine3A>,
}

impl ClipSampler {
    /// A sampler that computes [`SampleJoints::WithBoxes`]. Does not allocate.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A sampler that computes [`SampleJoints::WithBoxes`] with the given kernel. All kernels give the same matrices to
    /// the last bit.
    #[must_use]
    pub fn with_kernel(kernel: Kernel) -> Self {
        Self { kernel, ..Self::default() }
    }

    /// Chooses the joints that later samples compute.
    pub fn set_joints(&mut self, joints: SampleJoints) {
        self.joints = joints;
    }

    /// The pose of a clip at `seconds`: `model_from_joint`, one entry per joint of the skeleton. `seconds` is the
    /// sample time on the clip's own clock, clamped to each channel's keys.
    ///
    /// # Errors
    /// Returns an error if the character has no clip with this index, [`SampleJoints::These`] names a joint that the
    /// character does not have, or `seconds` is NaN.
    pub fn sample(&mut self, character: &Character, clip: ClipIndex, seconds: f32) -> Result<&[Affine3A], PoseError> {
        self.sample_with(character, clip, seconds, &[])
    }

    /// [`ClipSampler::sample`], for the joints of the sampler and the joints of `also`.
    pub(crate) fn sample_with(
        &mut self,
        character: &Character,
        clip: ClipIndex,
        seconds: f32,
        also: &[Socket],
    ) -> Result<&[Affine3A], PoseError> {
        self.choose(character, also)?;
        match character.tracks(clip) {
            Some((_, tracks)) if !tracks.has_loose() && !seconds.is_nan() => {
                let (all, count) = (!self.is_wanted.is_empty(), self.count(character));
                tracks.find_moments(seconds, &mut self.moments);
                self.parent_from_joint.resize(count, Fours::NAN);
                let base = &tracks.base()[..count.div_ceil(LANES)];
                let matrices = &mut self.parent_from_joint;
                kernels::sample_matrices(self.kernel, base, tracks.tracks(all), &self.moments, matrices);
                Ok(self.finish_matrices(character, count))
            }
            _ => {
                self.sample_local(character, clip, seconds)?;
                Ok(self.finish(character))
            }
        }
    }

    /// Applies layers to the rest pose, in their order: each layer changes the pose that the layers before it made,
    /// joint by joint.
    ///
    /// - A layer of [`LayerMode::Blend`] moves the pose toward its clip's pose. Translations and scales are interpolated
    ///   linearly. Rotations are interpolated linearly as quaternions, the shorter way, and then normalized (nlerp). A
    ///   blended rotation therefore lies on the shortest path between the two rotations. If the two are less than a
    ///   quarter turn apart, the angle is almost proportional to the weight.
    /// - A layer of [`LayerMode::Add`] compares the clip's pose with the clip's pose at `Clip::start`. It applies the
    ///   differences to each joint in its parent's space: the rotation, the translation, and the ratio of the scales.
    /// - A [`JointMask`](crate::JointMask) gives each joint of a layer its own weight.
    ///
    /// To mix clips by weights that sum to 1, divide the weight of each layer by the sum of its weight and all earlier
    /// weights. For example, pass 1, 0.375 and 0.2 for the weights 0.5, 0.3 and 0.2.
    ///
    /// Joints whose rest pose is a [`skeleton::LocalTransform::Matrix`] are not animated. Nothing is allocated after
    /// [`Character::prepare_clips`] was called and the sampler's memory has grown.
    ///
    /// # Errors
    /// Returns the errors of [`ClipSampler::sample`] for each layer, and an error if a weight is NaN or a mask is of
    /// another character.
    ///
    /// ```
    /// use glam::Vec3A;
    /// use runtime::{Character, ClipSampler, JointMask, PoseLayer};
    ///
    /// // The clip turns the forearm by a quarter turn until 1 s.
    /// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// let (wave, fore) = (arm.find_clip("wave").unwrap(), arm.skeleton().find("fore").unwrap());
    /// let (mut sampler, only_fore) = (ClipSampler::new(), JointMask::below(&arm, fore)?);
    /// let still = PoseLayer::blend(wave, 0.0, 1.0);
    /// let eighth = sampler.sample_layers(&arm, &[still.clone(), PoseLayer::blend(wave, 1.0, 0.5).masked(&only_fore)])?;
    /// let up = eighth[fore.index()].matrix3.y_axis;
    /// assert!((up - Vec3A::new(-1.0, 1.0, 0.0).normalize()).length() < 1e-6);
    /// let quarter = sampler.sample_layers(&arm, &[still, PoseLayer::add(wave, 1.0, 1.0)])?;
    /// assert!((quarter[fore.index()].matrix3.y_axis - Vec3A::NEG_X).length() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample_layers(&mut self, character: &Character, layers: &[PoseLayer]) -> Result<&[Affine3A], PoseError> {
        self.sample_layers_with(character, layers, &[])
    }

    /// [`ClipSampler::sample_layers`], for the joints of the sampler and the joints of `also`.
    pub(crate) fn sample_layers_with(
        &mut self,
        character: &Character,
        layers: &[PoseLayer],
        also: &[Socket],
    ) -> Result<&[Affine3A], PoseError> {
        self.choose(character, also)?;
        let blocks = self.count(character).div_ceil(LANES);
        self.local.clear();
        self.local.extend_from_slice(&character.places.rest()[..blocks]);
        for layer in layers {
            if layer.mode == LayerMode::Blend && layer.weight >= 1.0 && layer.mask.is_none() {
                self.sample_local(character, layer.clip, layer.seconds)?;
                continue;
            }
            layer.lane_weights(character, &mut self.weights, blocks)?;
            std::mem::swap(&mut self.local, &mut self.blended);
            let sampled = self.sample_local(character, layer.clip, layer.seconds);
            std::mem::swap(&mut self.local, &mut self.blended);
            sampled?;
            match (layer.mode, character.tracks(layer.clip)) {
                (LayerMode::Add, Some((clip, tracks))) => {
                    let from = &tracks.first_pose(clip)[..blocks];
                    kernels::add_change(self.kernel, &mut self.local, &self.blended, from, &self.weights);
                }
                _ => kernels::blend(self.kernel, &mut self.local, &self.blended, &self.weights),
            }
        }
        Ok(self.finish(character))
    }

    /// Marks in `is_wanted` the joints whose matrices are computed.
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
        let skeleton = character.skeleton();
        let asked = || these.iter().copied().chain(also.iter().map(|socket| socket.joint));
        if let Some(joint) = asked().find(|joint| joint.index() >= skeleton.len()) {
            return Err(PoseError::no_joint(&character.hitboxes, joint));
        }
        if asked().all(|joint| character.needed.binary_search(&joint).is_ok()) {
            return Ok(());
        }
        self.is_wanted.resize(skeleton.len(), false);
        character.needed.iter().for_each(|joint| self.is_wanted[joint.index()] = true);
        asked().for_each(|joint| mark_with_ancestors(skeleton, joint, &mut self.is_wanted));
        Ok(())
    }

    /// Computes `local`, the local transforms of the joints.
    fn sample_local(&mut self, character: &Character, clip_index: ClipIndex, seconds: f32) -> Result<(), PoseError> {
        let Some((clip, tracks)) = character.tracks(clip_index) else {
            return Err(PoseError::no_clip(&character.hitboxes, clip_index, character.clips().len()));
        };
        if seconds.is_nan() {
            return Err(PoseError::not_a_number(&character.hitboxes, clip_index));
        }
        let count = self.count(character);
        self.local.clear();
        self.local.extend_from_slice(&tracks.base()[..count.div_ceil(LANES)]);
        tracks.find_moments(seconds, &mut self.moments);
        kernels::sample_tracks(self.kernel, tracks.tracks(!self.is_wanted.is_empty()), &self.moments, &mut self.local);
        tracks.sample_loose(clip, seconds, count, &mut self.single, &mut self.local);
        Ok(())
    }

    /// The number of joint places that are sampled.
    fn count(&self, character: &Character) -> usize {
        character.places.count(!self.is_wanted.is_empty())
    }

    /// Forward kinematics over the chosen joints.
    fn finish(&mut self, character: &Character) -> &[Affine3A] {
        let count = self.count(character);
        self.parent_from_joint.resize(count, Fours::NAN);
        kernels::local_matrices(self.kernel, &self.local, &mut self.parent_from_joint);
        self.finish_matrices(character, count)
    }

    /// Forward kinematics from `parent_from_joint` of the joints at the first `count` places.
    fn finish_matrices(&mut self, character: &Character, count: usize) -> &[Affine3A] {
        let places = &character.places;
        for &(place, matrix) in places.matrices(count) {
            self.parent_from_joint[place] = matrix;
        }
        self.model_from_joint.resize(character.skeleton().len(), Affine3A::NAN);
        if count < self.model_from_joint.len() {
            places.others().iter().for_each(|joint| self.model_from_joint[joint.index()] = Affine3A::NAN);
        }
        let (local, model_from_joint) = (&self.parent_from_joint, &mut self.model_from_joint);
        places.model_from_joints(self.kernel, count, &self.is_wanted, local, model_from_joint);
        &self.model_from_joint
    }
}
