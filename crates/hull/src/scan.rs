//! One pass over the input: is it finite, how far does it reach, and who is extreme along the axes.

use crate::error::{HullError, MAX_POINTS};
use glam::DVec3;

/// What the first pass finds. Ties go to the lowest index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scan {
    /// `lowest[axis]` and `highest[axis]` index the extreme points along that axis.
    pub(crate) lowest: [u32; 3],
    pub(crate) highest: [u32; 3],
    pub(crate) min: DVec3,
    pub(crate) max: DVec3,
    /// Size of the largest coordinate.
    pub(crate) largest: f64,
    /// Size of the smallest coordinate that is not zero; `f64::MAX` when there is none.
    pub(crate) smallest_nonzero: f64,
}

impl Scan {
    pub(crate) fn of(points: &[DVec3]) -> Result<Self, HullError> {
        let Some(&first) = points.first() else { return Err(HullError::Empty) };
        if points.len() > MAX_POINTS {
            return Err(HullError::TooManyPoints { found: points.len() });
        }
        // A sum of zeros times each coordinate is NaN as soon as one of them is not finite.
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
