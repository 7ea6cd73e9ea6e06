//! Numbers for searches, the same on every machine.

/// Numbers from a linear congruential generator (Knuth's MMIX).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 32
    }

    /// A number below `end`, which is at least 1.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Nearly a normal distribution: mean 0, variance 1.
    pub(super) fn normal(&mut self) -> f64 {
        const UNIT: f64 = 1.0 / 4_294_967_296.0;
        (0..12).map(|_| self.next() as f64 * UNIT).sum::<f64>() - 6.0
    }
}
