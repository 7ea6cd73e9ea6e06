//! The bounds of a character's hitboxes over a span of a clip's time.

use super::sampler::length;
use crate::{Bounds, Character, ClipIndex, LoopMode, PoseError};

impl Character {
    /// The bounds of all hitboxes, in model space, while a clip plays for some time. The time span begins `elapsed`
    /// seconds after the clip was started, and lasts `duration` seconds. The bounds contain the hitboxes at every time
    /// of this span; [`LoopMode::clip_time`] defines the pose at each time. A `duration` below 0 counts as 0.
    ///
    /// Use the bounds to pose far characters less often. For example, keep the bounds for ten ticks, and pose the
    /// character earlier only if something comes into the bounds. [`Bounds::transformed`] takes the bounds to world
    /// space. While a character moves along a straight line without turning, it stays inside the union of the bounds at
    /// both ends of the line.
    ///
    /// The bounds are larger than necessary. They are computed for slices of the clip of 1/64 second each, and each
    /// slice allows for the turns of the joints between its middle and its ends.
    ///
    /// A request takes some tens of nanoseconds. The first request for a clip computes all slices of the clip, which
    /// takes about a millisecond for each second of the clip, and 24 bytes of memory for each slice.
    ///
    /// # Errors
    /// Returns an error if the character has no clip with this index, a time is NaN, a pose of the clip is out of range,
    /// or the hitboxes were baked with the preset `always` ([`PoseError::NoClipBounds`]).
    ///
    /// ```
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{Character, ClipSampler, LoopMode, PosedCharacter};
    ///
    /// // The clip turns the forearm to the side until 1 s, and back until 2 s.
    /// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// let wave = arm.find_clip("wave").unwrap();
    /// let all = arm.bounds_over(wave, LoopMode::Loop, 0.0, 2.0)?;
    /// let start = arm.bounds_over(wave, LoopMode::Loop, 4.0, 0.1)?; // in the third loop
    /// assert!(all.min.x < -0.9 && start.min.x > -0.6);
    ///
    /// let place = Affine3A::from_translation(Vec3::Z * 5.0);
    /// let (mut posed, mut sampler) = (PosedCharacter::new(), ClipSampler::new());
    /// posed.pose_from_clip(&mut sampler, &arm, &place, wave, 0.05)?;
    /// assert!(start.transformed(&place).contains(&posed.bounds()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bounds_over(
        &self,
        clip: ClipIndex,
        loop_mode: LoopMode,
        elapsed: f64,
        duration: f64,
    ) -> Result<Bounds, PoseError> {
        let no_clip = || PoseError::no_clip(&self.hitboxes, clip, self.clips().len());
        let bounds = self.clip_bounds(clip).ok_or_else(no_clip)?;
        if elapsed.is_nan() || duration.is_nan() {
            return Err(PoseError::not_a_number(&self.hitboxes, clip));
        }
        let bounds = bounds.as_ref().map_err(Clone::clone)?;
        let (start, seconds) = (bounds.start, length(&self.clips()[clip.index()]));
        let (from, duration) = (elapsed, duration.max(0.0));
        let (from, to) = match loop_mode {
            LoopMode::Once => (from.clamp(0.0, seconds), (from + duration).clamp(0.0, seconds)),
            LoopMode::Loop if duration >= seconds || !from.is_finite() => (0.0, seconds),
            LoopMode::Loop => (from.rem_euclid(seconds), from.rem_euclid(seconds) + duration),
        };
        if to <= seconds {
            return Ok(bounds.over(start + from, start + to));
        }
        let after_the_end = bounds.over(start, start + to - seconds);
        Ok(bounds.over(start + from, start + seconds).union(&after_the_end))
    }
}
