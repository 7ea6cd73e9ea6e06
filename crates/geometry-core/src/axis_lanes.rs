//! All 15 axes of a pair of boxes at once: one loop over lanes, which the compiler turns into vectors.
//!
//! Every lane computes what [`ExactPair::direction`] and [`ExactPair::radii`] compute, in the same order, so its numbers
//! have the same bits with any instruction set.

use crate::sat_obb_obb::{ExactPair, SatAxis};
use glam::DVec3;

/// The number of lanes; the last lane repeats the last axis.
const LANES: usize = 16;

/// The order of `Row` is that of [`SatAxis::ALL`].
type Row = [f64; LANES];

/// The gaps of two boxes along 15 axes.
pub(crate) struct AxisLanes {
    /// x, y and z of the directions, not normalized: cross products of stored edges.
    directions: [Row; 3],
    /// The lengths of the directions; zero for exactly parallel edges.
    pub(crate) lengths: Row,
    /// The centers' difference along the directions, times the lengths.
    pub(crate) along: Row,
    /// The gaps times the lengths: positive where the boxes are apart.
    pub(crate) gaps: Row,
    /// The gaps, in the boxes' unit; NaN or infinite where the length is zero.
    pub(crate) unit_gaps: Row,
}

impl AxisLanes {
    /// The function is inlined so that callers with wider vectors use them.
    #[inline(always)]
    pub(crate) fn new(pair: &ExactPair) -> Self {
        let [a, b] = &pair.axes;
        let [half_a, half_b] = &pair.half;
        let (first, second) = edges(a, b);
        // The compiler vectorizes this form: each row is an array of its own, and each loop has few operations.
        let (mut x, mut y, mut z) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for k in 0..LANES {
            // glam's order of `DVec3::cross`.
            x[k] = first[1][k] * second[2][k] - second[1][k] * first[2][k];
            y[k] = first[2][k] * second[0][k] - second[2][k] * first[0][k];
            z[k] = first[0][k] * second[1][k] - second[0][k] * first[1][k];
        }
        let (mut lengths, mut along, mut gaps) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        let mut unit_gaps = [0.0; LANES];
        for k in 0..LANES {
            // glam's order of `DVec3::dot`.
            let dot = |other: DVec3| x[k] * other.x + y[k] * other.y + z[k] * other.z;
            let length = crate::math::sqrt(x[k] * x[k] + y[k] * y[k] + z[k] * z[k]);
            let distance = dot(pair.difference);
            let radius_a = half_a[0] * dot(a[0]).abs() + half_a[1] * dot(a[1]).abs() + half_a[2] * dot(a[2]).abs();
            let radius_b = half_b[0] * dot(b[0]).abs() + half_b[1] * dot(b[1]).abs() + half_b[2] * dot(b[2]).abs();
            let gap = distance.abs() - (radius_a + radius_b);
            lengths[k] = length;
            along[k] = distance;
            gaps[k] = gap;
            unit_gaps[k] = gap / length;
        }
        Self { directions: [x, y, z], lengths, along, gaps, unit_gaps }
    }

    /// The direction of a lane, not normalized.
    #[inline(always)]
    pub(crate) fn direction(&self, lane: usize) -> DVec3 {
        DVec3::new(self.directions[0][lane], self.directions[1][lane], self.directions[2][lane])
    }

    /// The direction of a lane from the first box toward the second, a unit vector.
    #[inline(always)]
    pub(crate) fn unit_direction(&self, lane: usize) -> DVec3 {
        self.direction(lane) * (if self.along[lane] < 0.0 { -1.0 } else { 1.0 } / self.lengths[lane])
    }
}

/// The greatest of the gaps and its lane; if several gaps are equal, the first lane. `None` if all are minus infinity.
#[inline(always)]
pub(crate) fn widest(gaps: &[f64; LANES]) -> Option<(f64, usize)> {
    let mut most = *gaps;
    let mut half = LANES / 2;
    while half > 0 {
        for k in 0..half {
            most[k] = if most[k + half] > most[k] { most[k + half] } else { most[k] };
        }
        half /= 2;
    }
    let mut lanes = 0_u32;
    for (k, gap) in gaps.iter().enumerate() {
        lanes |= u32::from(*gap == most[0]) << k;
    }
    (most[0] > f64::NEG_INFINITY).then_some((most[0], lanes.trailing_zeros() as usize))
}

/// The two edges whose cross product is the direction, of each axis: x, y and z in rows.
#[inline(always)]
fn edges(a: &[DVec3; 3], b: &[DVec3; 3]) -> ([Row; 3], [Row; 3]) {
    let (mut first, mut second) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
    let mut set = |lane: usize, one: DVec3, other: DVec3| {
        (first[0][lane], first[1][lane], first[2][lane]) = (one.x, one.y, one.z);
        (second[0][lane], second[1][lane], second[2][lane]) = (other.x, other.y, other.z);
    };
    for i in 0..3 {
        set(i, a[(i + 1) % 3], a[(i + 2) % 3]);
        set(3 + i, b[(i + 1) % 3], b[(i + 2) % 3]);
        for (j, &edge) in b.iter().enumerate() {
            set(6 + 3 * i + j, a[i], edge);
        }
    }
    set(SatAxis::ALL.len(), a[2], b[2]);
    (first, second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Obb;
    use glam::{Quat, Vec3};

    #[test]
    fn lanes_have_the_bits_of_one_axis_at_a_time() {
        let turn = Quat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
        let a = Obb::from_orientation(Vec3::new(3.0, -1.0, 0.1), Vec3::new(1.0, 2.0, 3.0), turn);
        for (x, other_turn) in
            [(0.3, turn), (-4.0, Quat::from_xyzw(-0.4, 0.5, 0.3, 0.3).normalize()), (0.0, Quat::IDENTITY)]
        {
            let b = Obb::from_orientation(Vec3::new(x, 2.0, 0.5), Vec3::new(0.5, 0.1, 2.0), other_turn);
            let pair = ExactPair::new(&a, &b);
            let lanes = AxisLanes::new(&pair);
            for (lane, axis) in SatAxis::ALL.into_iter().enumerate() {
                let direction = pair.direction(axis);
                let along = direction.dot(pair.difference);
                assert_eq!(lanes.direction(lane), direction, "{axis:?}");
                assert_eq!(lanes.lengths[lane].to_bits(), crate::math::sqrt(direction.length_squared()).to_bits());
                assert_eq!(lanes.along[lane].to_bits(), along.to_bits());
                assert_eq!(lanes.gaps[lane].to_bits(), (along.abs() - pair.radii(direction)).to_bits());
            }
        }
    }
}
