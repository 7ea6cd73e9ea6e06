//! Reads the input once: checks that all numbers are finite, and finds the extreme points along each axis.

use crate::error::{HullError, MAX_POINTS};
use glam::DVec3;

/// The result of the first pass. Among equal coordinates, the lowest index counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scan {
    /// `lowest[axis]` and `highest[axis]` are the extreme points along that axis, as indices into the input.
    pub(crate) lowest: [u32; 3],
    pub(crate) highest: [u32; 3],
    pub(crate) min: DVec3,
    pub(crate) max: DVec3,
    /// The largest size of a coordinate.
    pub(crate) largest: f64,
    /// The smallest size of a coordinate that is not zero; `f64::MAX` if all are zero.
    pub(crate) smallest_nonzero: f64,
}

impl Scan {
    pub(crate) fn of(points: &[DVec3]) -> Result<Self, HullError> {
        let Some(&first) = points.first() else { return Err(HullError::Empty) };
        if points.len() > MAX_POINTS {
            return Err(HullError::TooManyPoints { found: points.len() });
        }
        // Zero times a number that is not finite is NaN, so the sum is NaN if any coordinate is not finite.
        if points.iter().fold(0.0, |sum, p| sum + (p.x * 0.0 + p.y * 0.0 + p.z * 0.0)).is_nan() {
            return Err(first_not_finite(points));
        }
        let mut scan =
            Self { lowest: [0; 3], highest: [0; 3], min: first, max: first, largest: 0.0, smallest_nonzero: f64::MAX };
        for (index, point) in points.iter().enumerate() {
            for axis in 0..3 {
                let coordinate = point[axis];
                if coordinate < scan.min[axis] {
                    (scan.min[axis], scan.lowest[axis]) = (coordinate, index as u32);
                }
                if coordinate > scan.max[axis] {
                    (scan.max[axis], scan.highest[axis]) = (coordinate, index as u32);
                }
                let size = coordinate.abs();
                if size != 0.0 && size < scan.smallest_nonzero {
                    scan.smallest_nonzero = size;
                }
            }
        }
        scan.largest = scan.min.abs().max(scan.max.abs()).max_element();
        Ok(scan)
    }
}

fn first_not_finite(points: &[DVec3]) -> HullError {
    let bad = points.iter().enumerate().find_map(|(index, point)| {
        let axis = point.to_array().iter().position(|c| !c.is_finite())?;
        Some((index, axis, point[axis]))
    });
    let (index, axis, value) = bad.unwrap_or((0, 0, f64::NAN));
    let found = if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "inf"
    } else {
        "-inf"
    };
    HullError::NotFinite { index, axis: ['x', 'y', 'z'][axis], found }
}
