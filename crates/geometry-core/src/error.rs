//! Why a shape was refused.

use thiserror::Error;

/// The largest absolute coordinate and half extent of an [`Obb`](crate::Obb), a 2D box and the shapes
/// tested against them: no product in a test, area or volume of theirs leaves the range of `f32`.
pub const MAX_COORDINATE: f32 = 1.0e12;

/// How far axes may be from unit length and from right angles to be taken for rotated ones: more is a scale or a
/// shear, which belongs in `transformed`.
///
/// No unit. Axes within it, but off by more than rounding, are straightened.
pub const AXES_TOLERANCE: f32 = 1.0e-3;

/// Why a box or another shape could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A NaN or an infinity. Look for a division by a zero length where the value was computed.
    #[error("{part} holds {value}, and a shape needs finite numbers; look for a division by zero before it")]
    NotFinite {
        /// The argument that is wrong.
        part: &'static str,
        /// NaN or an infinity.
        value: f32,
    },
    /// Beyond [`MAX_COORDINATE`]. Use a larger unit of length.
    #[error("{part} holds {value:e}, beyond the largest coordinate {MAX_COORDINATE:e}; use a larger unit of length")]
    TooLarge {
        /// The argument that is wrong.
        part: &'static str,
        /// The coordinate.
        value: f32,
    },
    /// A negative half extent or radius. Half extents are half of `max - min`, in that order.
    #[error("{part} holds {value}, and a size cannot be negative; subtract the lower bound from the upper one")]
    Negative {
        /// The argument that is wrong.
        part: &'static str,
        /// The negative size.
        value: f32,
    },
    /// A lower bound above the upper one.
    #[error("the minimum {min} is above the maximum {max} on axis {axis}; swap them, or use the empty box")]
    Inverted {
        /// 0 for x, 1 for y, 2 for z.
        axis: usize,
        /// The lower bound given.
        min: f32,
        /// The upper bound given.
        max: f32,
    },
    /// An axis or a normal that is not of unit length. Normalize it, or give its length to the half extents.
    #[error("axis {axis} of {part} has length {length}, expected 1; normalize it, or move the scale to the sizes")]
    NotUnit {
        /// The argument that is wrong.
        part: &'static str,
        /// 0 for x, 1 for y, 2 for z; 0 for a single normal.
        axis: usize,
        /// Its length.
        length: f32,
    },
    /// Two axes that are not at right angles. A sheared box is no box: `transformed` gives the box around it.
    #[error(
        "axes {first} and {second} of {part} have the dot product {dot}, expected 0; a sheared box is no box, use `transformed`"
    )]
    NotOrthogonal {
        /// The argument that is wrong.
        part: &'static str,
        /// 0 for x, 1 for y, 2 for z.
        first: usize,
        /// 0 for x, 1 for y, 2 for z.
        second: usize,
        /// Their dot product.
        dot: f32,
    },
    /// No points to make a shape from. Leave the shape out, or use the empty box.
    #[error("no points were given, expected at least one; leave the shape out, or use the empty box")]
    NoPoints,
}

/// Refuses NaN, infinities and what is beyond [`MAX_COORDINATE`].
pub(crate) fn check_coordinates(part: &'static str, values: &[f32]) -> Result<(), ShapeError> {
    for &value in values {
        if !value.is_finite() {
            return Err(ShapeError::NotFinite { part, value });
        }
        if value.abs() > MAX_COORDINATE {
            return Err(ShapeError::TooLarge { part, value });
        }
    }
    Ok(())
}

/// The same for sizes, which are not negative either.
pub(crate) fn check_sizes(part: &'static str, values: &[f32]) -> Result<(), ShapeError> {
    check_coordinates(part, values)?;
    match values.iter().find(|value| **value < 0.0) {
        Some(&value) => Err(ShapeError::Negative { part, value }),
        None => Ok(()),
    }
}
