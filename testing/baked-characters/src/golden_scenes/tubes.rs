//! The moving tubes of the scene of exact answers.

use super::scene::Random;
use glam::{Affine3A, Vec3};

/// Tubes of the scene.
pub const TUBES: u64 = 24;

/// A spot among the tubes.
pub fn spot(random: &mut Random) -> Vec3 {
    Vec3::new(random.share() * 4.0, random.share() * 3.0, random.share() * 4.0)
}

/// The place of a tube at a tick, and the time of its clip in seconds.
#[must_use]
pub fn place(tube: u64, tick: u32) -> (Affine3A, f32) {
    let mut random = Random(tube.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let (at, turn) = (spot(&mut random), random.turn());
    let place = Affine3A::from_rotation_translation(turn, at + random.vector() * (tick as f32 / 60.0));
    (place, (tick as f32 / 60.0 + tube as f32 * 0.1) % 2.0)
}
