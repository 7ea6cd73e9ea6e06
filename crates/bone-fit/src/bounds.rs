//! How far points reach along three axes.

use glam::{DMat3, DVec3};

/// An interval along each of three axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
}

impl Bounds {
    pub(crate) const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    pub(crate) fn add(&mut self, along: DVec3) {
        self.low = self.low.min(along);
        self.high = self.high.max(along);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.low.x > self.high.x
    }

    /// Whether a box, given in the space that `rows` takes to this extent's axes, is inside for certain.
    pub(crate) fn surely_holds(&self, rows: &DMat3, bounds: &Self) -> bool {
        let (middle, half) = (0.5 * (bounds.low + bounds.high), 0.5 * (bounds.high - bounds.low));
        let reach = DMat3::from_cols(rows.x_axis.abs(), rows.y_axis.abs(), rows.z_axis.abs()) * half;
        // Rounding moves neither side by more than a few units in the last place of the largest number.
        let rounding = DVec3::splat(1e-14 * (middle.abs() + half).max_element());
        let (low, high) = (*rows * middle - reach - rounding, *rows * middle + reach + rounding);
        low.cmpge(self.low).all() && high.cmple(self.high).all()
    }
}
