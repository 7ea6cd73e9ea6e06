//! Errors of the constructors of shapes.

use thiserror::Error;

/// The largest absolute coordinate, and the largest half extent or radius, of every shape of this crate, in any unit.
/// Within this limit, no product in a test, area or volume leaves the range of `f32`.
pub const MAX_COORDINATE: f32 = 1.0e12;

/// The least length of the direction of a [`Ray`](crate::Ray), in any unit. From this length on, the times of all hits within
/// [`MAX_COORDINATE`] fit into `f32`.
pub const MIN_DIRECTION: f32 = 1.0e-25;

/// The largest deviation from unit length and from right angles of the axes that a constructor accepts. No unit. Axes
/// that deviate more contain a scale or a shear; [`Obb::transformed`](crate::Obb::transformed) applies such a matrix to
/// a box.
///
/// Axes that deviate by less than this, but by more than rounding, are made orthonormal.
pub const AXES_TOLERANCE: f32 = 1.0e-3;

/// The reason why a constructor refused a box or another shape.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// An argument is NaN or infinite. Look for a division by zero where the value is computed.
    #[error("{part}: {value} is not a finite number; look for a division by zero where it is computed")]
    NotFinite {
        /// The name of the argument.
        part: &'static str,
        /// The value: NaN or an infinity.
        value: f32,
    },
    /// An argument is larger than [`MAX_COORDINATE`]. Use a larger unit of length.
    #[error("{part}: {value:e} is larger than the largest coordinate {MAX_COORDINATE:e}; use a larger unit of length")]
    TooLarge {
        /// The name of the argument.
        part: &'static str,
        /// The value of the coordinate.
        value: f32,
    },
    /// A half extent or radius is negative. A half extent is half of `max - min`, in that order.
    #[error("{part}: {value} is negative, expected at least 0; subtract the lower bound from the upper bound")]
    Negative {
        /// The name of the argument.
        part: &'static str,
        /// The negative size.
        value: f32,
    },
    /// A lower bound is above its upper bound.
    #[error("the minimum {min} is above the maximum {max} on axis {axis}; swap the two, or use the empty box")]
    Inverted {
        /// The axis: 0 for x, 1 for y, 2 for z.
        axis: usize,
        /// The lower bound.
        min: f32,
        /// The upper bound.
        max: f32,
    },
    /// An axis or a normal does not have unit length. Normalize it, or multiply the half extents by its length.
    #[error(
        "axis {axis} of {part} has length {length}, expected 1; normalize it, or multiply the half extents by its length"
    )]
    NotUnit {
        /// The name of the argument.
        part: &'static str,
        /// The axis: 0 for x, 1 for y, 2 for z; 0 for a single normal.
        axis: usize,
        /// The length of the axis or the normal.
        length: f32,
    },
    /// A direction or a normal has the length 0, so it points nowhere.
    #[error("{part} has length 0, expected any other length; pass a vector that is not zero")]
    ZeroLength {
        /// The name of the argument.
        part: &'static str,
    },
    /// A direction is shorter than [`MIN_DIRECTION`], so times along it would be too large for `f32`. Normalize it.
    #[error("{part} has length {length:e}, expected at least {MIN_DIRECTION:e}; normalize it")]
    TooShort {
        /// The name of the argument.
        part: &'static str,
        /// The length of the vector.
        length: f32,
    },
    /// Two axes are not at right angles, so the shape is not a box. [`Obb::transformed`](crate::Obb::transformed)
    /// returns a box around a sheared box.
    #[error(
        "axes {first} and {second} of {part} have the dot product {dot}, expected 0; to shear a box, use `transformed`"
    )]
    NotOrthogonal {
        /// The name of the argument.
        part: &'static str,
        /// The first axis: 0 for x, 1 for y, 2 for z.
        first: usize,
        /// The second axis: 0 for x, 1 for y, 2 for z.
        second: usize,
        /// The dot product of the two axes; 0 for axes at right angles.
        dot: f32,
    },
    /// Four corners are not those of a rectangle: their diagonals have different centers. Pass the corners in their
    /// order around the rectangle.
    #[error(
        "{part}: the centers of the two diagonals differ by {offset} times the length of two sides, expected 0; pass the corners of a rectangle in their order around it"
    )]
    NotRectangle {
        /// The name of the argument.
        part: &'static str,
        /// The distance between the centers of the two diagonals, divided by the sum of two adjacent sides' lengths. No
        /// unit.
        offset: f32,
    },
    /// The triangles are not the closed surface of a hull. Pass each triangle once, counterclockwise seen from outside.
    #[error(
        "{triangles} triangles of {corners} corners are not the closed surface of a hull, expected 4 to 64 corners, 2 * corners - 4 triangles, and two triangles at each edge; pass each triangle once, counterclockwise seen from outside"
    )]
    NotHull {
        /// The number of corners.
        corners: usize,
        /// The number of triangles.
        triangles: usize,
    },
    /// The list of points is empty. Leave the shape out, or use the empty box.
    #[error("the list of points is empty, expected at least one point; leave the shape out, or use the empty box")]
    NoPoints,
}

/// Returns an error if a value is NaN, infinite or larger than [`MAX_COORDINATE`].
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

/// Returns an error as [`check_coordinates`] does, or if a value is negative.
pub(crate) fn check_sizes(part: &'static str, values: &[f32]) -> Result<(), ShapeError> {
    check_coordinates(part, values)?;
    match values.iter().find(|value| **value < 0.0) {
        Some(&value) => Err(ShapeError::Negative { part, value }),
        None => Ok(()),
    }
}
