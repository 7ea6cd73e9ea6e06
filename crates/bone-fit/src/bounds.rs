//! Axis-aligned bounds in f64.

use glam::{DMat3, DVec3};

/// The limit of coordinates in joint space, in the joint's unit. Below the limit, volumes and distances stay finite in
/// f32.
pub const COORDINATE_LIMIT: f64 = 1e12;

// A coordinate within the limit is one that the baked file may have.
const _: () = assert!(COORDINATE_LIMIT as f32 <= geometry_core::MAX_COORDINATE);

/// An interval along each of three axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
}

impl Bounds {
    /// The bounds of no points.
    pub(crate) const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    /// The bounds of some points.
    pub(crate) fn around(points: impl IntoIterator<Item = DVec3>) -> Self {
        let mut bounds = Self::EMPTY;
        points.into_iter().for_each(|point| bounds.add(point));
        bounds
    }

    pub(crate) fn add(&mut self, point: DVec3) {
        self.low = self.low.min(point);
        self.high = self.high.max(point);
    }

    /// Returns the smallest bounds that hold both bounds.
    pub(crate) fn joined(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.low.x > self.high.x
    }

    /// Edge lengths; minus infinity if the bounds are empty.
    pub(crate) fn size(&self) -> DVec3 {
        self.high - self.low
    }

    pub(crate) fn center(&self) -> DVec3 {
        0.5 * (self.low + self.high)
    }

    pub(crate) fn half_size(&self) -> DVec3 {
        0.5 * (self.high - self.low)
    }

    /// Returns `true` if bounds in another space are certainly inside, rounding included. `rows` is the linear map from
    /// that space to the space of `self`.
    pub(crate) fn surely_holds(&self, rows: &DMat3, other: &Self) -> bool {
        let (center, half) = (other.center(), other.half_size());
        let reach = DMat3::from_cols(rows.x_axis.abs(), rows.y_axis.abs(), rows.z_axis.abs()) * half;
        // Rounding moves both sides by at most a few units in the last place of the largest number.
        let rounding = DVec3::splat(1e-14 * (center.abs() + half).max_element());
        let (low, high) = (*rows * center - reach - rounding, *rows * center + reach + rounding);
        low.cmpge(self.low).all() && high.cmple(self.high).all()
    }
}
