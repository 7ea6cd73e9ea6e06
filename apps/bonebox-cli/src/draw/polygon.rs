//! Covers a grid of samples with convex polygons.

use glam::{DVec2, DVec3};
use std::ops::Range;

/// Calls `row(y, columns)` for each row of samples that the polygon covers.
///
/// The sample `(x, y)` is at `(x + 0.5, y + 0.5)`. Two polygons with a common edge share no sample and leave none out:
/// the point where an edge crosses a row is always computed from the edge's upper end, and ranges are half open.
pub(crate) fn for_each_row(points: &[DVec2], rows: Range<u32>, columns: u32, mut row: impl FnMut(u32, Range<u32>)) {
    let (top, bottom) = points
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(top, bottom), point| (top.min(point.y), bottom.max(point.y)));
    if points.iter().any(|point| !point.is_finite()) {
        return;
    }
    let first = first_sample(top, rows.end).max(rows.start);
    let last = first_sample(bottom, rows.end);
    for y in first..last {
        let middle = f64::from(y) + 0.5;
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        for (index, &a) in points.iter().enumerate() {
            let b = points[(index + 1) % points.len()];
            let (upper, lower) = if a.y <= b.y { (a, b) } else { (b, a) };
            if upper.y <= middle && middle < lower.y {
                let x = upper.x + (middle - upper.y) * ((lower.x - upper.x) / (lower.y - upper.y));
                (left, right) = (left.min(x), right.max(x));
            }
        }
        let covered = first_sample(left, columns)..first_sample(right, columns);
        if !covered.is_empty() {
            row(y, covered);
        }
    }
}

/// The first sample at or after `position`, within `0..=end`.
fn first_sample(position: f64, end: u32) -> u32 {
    (position - 0.5).ceil().clamp(0.0, f64::from(end)) as u32
}

/// A quantity that changes linearly across the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gradient {
    at: DVec2,
    value: f64,
    slope: DVec2,
}

impl Gradient {
    /// Makes the gradient with the given values at three corners. `None` if the corners are on one line.
    pub(crate) fn through(corners: [DVec2; 3], values: [f64; 3]) -> Option<Self> {
        let [a, b, c] = corners;
        let (ab, ac) = (b - a, c - a);
        let area = ab.perp_dot(ac);
        let (to_b, to_c) = (values[1] - values[0], values[2] - values[0]);
        let slope = DVec2::new(to_b * ac.y - to_c * ab.y, to_c * ab.x - to_b * ac.x) / area;
        slope.is_finite().then_some(Self { at: a, value: values[0], slope })
    }

    /// The depth of a parallelogram, given by its corners in order. `None` if it is seen edge on.
    pub(crate) fn of_depth(face: [DVec3; 4]) -> Option<Self> {
        let [a, b, _, d] = face;
        Self::through([a, b, d].map(DVec3::truncate), [a.z, b.z, d.z])
    }

    pub(crate) fn at(&self, point: DVec2) -> f64 {
        self.value + self.slope.dot(point - self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The reference: a sample is inside if it is on the same side of all three edges.
        #[test]
        fn samples_inside_a_triangle_are_covered(points in prop::array::uniform3((-5.0..25.0f64, -5.0..25.0f64))) {
            let points = points.map(|(x, y)| DVec2::new(x, y));
            let mut covered = [[0u8; 20]; 20];
            for_each_row(&points, 0..20, 20, |y, columns| columns.for_each(|x| covered[y as usize][x as usize] += 1));
            for (y, row) in covered.iter().enumerate() {
                for (x, &count) in row.iter().enumerate() {
                    let sample = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
                    let sides: [f64; 3] =
                        std::array::from_fn(|i| (points[(i + 1) % 3] - points[i]).perp_dot(sample - points[i]));
                    if sides.iter().any(|side| side.abs() < 1e-9) {
                        continue;
                    }
                    let inside = sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0);
                    prop_assert_eq!(count, u8::from(inside), "{} in {:?}", sample, points);
                }
            }
        }

        #[test]
        fn two_halves_of_a_square_cover_each_sample_once(split in 0.0..20.0f64) {
            let mut covered = [[0u8; 20]; 20];
            let corners = [(0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0)].map(|(x, y)| DVec2::new(x, y));
            let (top, bottom) = (DVec2::new(split, 0.0), DVec2::new(20.0 - split, 20.0));
            for polygon in [[corners[0], top, bottom, corners[3]], [top, corners[1], corners[2], bottom]] {
                for_each_row(&polygon, 0..20, 20, |y, columns| {
                    columns.for_each(|x| covered[y as usize][x as usize] += 1);
                });
            }
            prop_assert_eq!(covered, [[1u8; 20]; 20]);
        }
    }

    #[test]
    fn degenerate_polygons_cover_no_sample() {
        let nan = DVec2::splat(f64::NAN);
        let huge = DVec2::splat(1e300);
        for points in [[DVec2::ONE; 3], [nan; 3], [DVec2::ZERO, DVec2::ONE, DVec2::splat(2.0)], [-huge, huge, nan]] {
            for_each_row(&points, 0..20, 20, |y, columns| panic!("{points:?} covers {y} {columns:?}"));
        }
        assert!(Gradient::through([DVec2::ONE; 3], [0.0; 3]).is_none());
    }

    #[test]
    fn gradients_pass_through_their_values() {
        let corners = [DVec2::ZERO, DVec2::new(4.0, 1.0), DVec2::new(1.0, 3.0)];
        let gradient = Gradient::through(corners, [5.0, -1.0, 2.0]).unwrap();
        for (corner, value) in corners.into_iter().zip([5.0, -1.0, 2.0]) {
            assert!((gradient.at(corner) - value).abs() < 1e-12);
        }
    }
}
