//! Random numbers for searches, the same in every run and on every machine.

/// A linear congruential generator with the constants of Knuth's MMIX.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 32
    }

    /// Returns a number below `end`, which must be at least 1.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Returns a number with nearly a normal distribution of mean 0 and variance 1: the sum of twelve uniform numbers.
    pub(super) fn normal(&mut self) -> f64 {
        const UNIT: f64 = 1.0 / 4_294_967_296.0;
        (0..12).map(|_| self.next() as f64 * UNIT).sum::<f64>() - 6.0
    }
}
