// The moving tubes of the golden scene of exact answers, for the tests of the run time and of what wraps it: included
// into both, hence no `//!`.

use super::scene::Random;
use glam::{Affine3A, Vec3};

pub(crate) const TUBES: u64 = 24;

/// A spot among the tubes.
pub(crate) fn spot(random: &mut Random) -> Vec3 {
    Vec3::new(random.share() * 4.0, random.share() * 3.0, random.share() * 4.0)
}

/// The place of a tube at a tick, and the time of its clip in seconds.
pub(crate) fn place(tube: u64, tick: u32) -> (Affine3A, f32) {
    let mut random = Random(tube.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let (at, turn) = (spot(&mut random), random.turn());
    let place = Affine3A::from_rotation_translation(turn, at + random.vector() * (tick as f32 / 60.0));
    (place, (tick as f32 / 60.0 + tube as f32 * 0.1) % 2.0)
}
