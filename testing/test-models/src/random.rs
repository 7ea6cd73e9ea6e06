//! Random numbers for tests and benches, the same in every run and on every machine.

use glam::{DVec3, Quat, Vec3};

/// A small random number generator (SplitMix64: Steele, Lea and Flood, *Fast Splittable Pseudorandom Number
/// Generators*, 2014).
///
/// It stands here and not in a library, because the cases of tests and the scenes of recorded benches depend on its
/// numbers, and a library may change its numbers with a new version.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Makes a generator from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A random number below `end`, which must not be 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next_u64() % end as u64) as usize
    }

    /// A random item of the list.
    ///
    /// # Panics
    /// If the list is empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts the items in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// A number from `low` to `high`, of 2²⁴ evenly spaced ones.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.next_u64() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// A number from -1 to 1, without 1.
    pub fn signed(&mut self) -> f32 {
        self.between(-1.0, 1.0)
    }

    /// A vector in the cube whose coordinates are from -1 to 1.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    /// A random unit vector.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let vector = self.vector();
            if (0.01..1.0).contains(&vector.length_squared()) {
                return vector.normalize();
            }
        }
    }

    /// A random rotation; all rotations are equally likely.
    pub fn rotation(&mut self) -> Quat {
        loop {
            let (v, w) = (self.vector(), self.signed());
            let q = Quat::from_xyzw(v.x, v.y, v.z, w);
            if (0.1..1.0).contains(&q.length_squared()) {
                return q.normalize();
            }
        }
    }

    /// A number from 0 to 1, without 1.
    pub fn share_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number from -1 to 1, without 1.
    pub fn signed_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// A point in the cube whose coordinates are from -1 to 1.
    pub fn in_box(&mut self) -> DVec3 {
        DVec3::new(self.signed_f64(), self.signed_f64(), self.signed_f64())
    }

    /// A point in the unit ball; all are equally likely.
    pub fn in_ball(&mut self) -> DVec3 {
        loop {
            let point = self.in_box();
            if point.length_squared() <= 1.0 {
                return point;
            }
        }
    }

    /// A point on the unit sphere; all are equally likely.
    pub fn on_sphere(&mut self) -> DVec3 {
        loop {
            let point = self.in_ball();
            if point.length_squared() > 0.01 {
                return point / point.length_squared().sqrt();
            }
        }
    }
}
