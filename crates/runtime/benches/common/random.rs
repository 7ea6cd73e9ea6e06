//! A random stream of our own.
#![allow(dead_code, reason = "each bench uses a part")]

use glam::{Quat, Vec3};

/// SplitMix64 (Steele, Lea, Flood 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.bits() >> 40) as f32 / (1u64 << 24) as f32
    }

    pub(crate) fn vector(&mut self) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }

    pub(crate) fn rotation(&mut self) -> Quat {
        loop {
            let (v, w) = (self.vector(), self.between(-1.0, 1.0));
            let q = Quat::from_xyzw(v.x, v.y, v.z, w);
            if (0.1..1.0).contains(&q.length_squared()) {
                return q.normalize();
            }
        }
    }
}
