//! The bodies of the scene of figures, their places, and the sums of answers.

use crate::unit;
use glam::{Affine3A, Quat, Vec3};

/// Bodies of the scene.
pub const BODIES: u64 = 200;
/// Ticks after which the sums are written down.
pub const STEP: u32 = 40;
/// The tolerance of contacts, in meters.
pub const TOLERANCE: f32 = 1e-3;

/// The random numbers of all golden scenes, by additions and multiplications only (Knuth's MMIX generator). The sums in the
/// golden files depend on them; other tests use `test_models::Random`.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number from 0 to 1.
    pub fn share(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    /// A vector whose coordinates are from -0.5 to 0.5.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.share() - 0.5, self.share() - 0.5, self.share() - 0.5)
    }

    /// A point among the bodies.
    pub fn spot(&mut self) -> Vec3 {
        Vec3::new(self.share() * 14.0, 0.2 + self.share() * 1.5, self.share() * 14.0)
    }

    /// A rotation by less than a right angle.
    pub fn turn(&mut self) -> Quat {
        let v = self.vector();
        unit(v.x, v.y, v.z, 1.0)
    }
}

/// The place and the phase of a body at a tick: a walk in a circle.
#[must_use]
pub fn place(body: u64, tick: u32) -> (Affine3A, f32) {
    let mut random = Random(body.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678);
    let (x, z, turn, phase) =
        (random.share() * 14.0, random.share() * 14.0, random.share() * 2.0 - 1.0, random.share());
    let time = tick as f32 / 60.0;
    let rotation = unit(0.0, turn + 0.2 * time, 0.0, 1.0);
    let step = Vec3::new(time * (phase - 0.5), 0.0, time * (turn * 0.5));
    (Affine3A::from_rotation_translation(rotation, Vec3::new(x, 0.0, z) + step), (phase + time).fract())
}

/// FNV-1a over the words of the answers, and the number of answers.
#[derive(Clone, Copy, Debug)]
pub struct Sum(pub u64, pub u64);

impl Sum {
    /// No answers.
    pub const EMPTY: Self = Self(0xCBF2_9CE4_8422_2325, 0);

    /// Adds the bytes of a word, the lowest first.
    pub fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
        }
    }

    /// Adds all bits of a number, the sign of zero among them.
    pub fn number(&mut self, number: f32) {
        self.add(u64::from(number.to_bits()));
    }

    /// Adds all bits of the coordinates.
    pub fn vector(&mut self, vector: Vec3) {
        vector.to_array().into_iter().for_each(|number| self.number(number));
    }

    /// Counts one answer.
    pub fn answer(&mut self) {
        self.1 += 1;
    }
}

/// The kinds of questions, in the order of the sums.
pub const KINDS: [&str; 7] = ["events", "contacts", "rays", "shapes", "distances", "sweeps", "weapons"];
