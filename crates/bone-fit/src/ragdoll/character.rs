//! What a ragdoll is made from.

use baked_format::Hitbox;
use skeleton::humanoid::Humanoid;
use skeleton::{Clip, Skeleton};

/// One degree in radians.
pub(super) const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// The parts of a character that its ragdoll is made from.
pub(crate) struct Character<'a> {
    pub(crate) skeleton: &'a Skeleton,
    pub(crate) clips: &'a [Clip],
    pub(crate) hitboxes: &'a [Hitbox],
    pub(crate) humanoid: Option<&'a Humanoid>,
    /// The height in the rest pose, in meters.
    pub(crate) height: f64,
    /// The number of sample times per second.
    pub(crate) rate: f64,
    /// `true` if every joint with a hitbox is a body, whatever its size.
    pub(crate) all_joints: bool,
}
