use thiserror::Error;

/// The largest number of points in one hull. With this limit, face and half-edge numbers fit in 32 bits.
pub const MAX_POINTS: usize = 1 << 28;

/// The reason why a hull could not be built. Every other finite input has a hull.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HullError {
    /// The list of points is empty.
    ///
    /// To fix it, leave out empty lists of points.
    #[error("the list of points is empty, expected at least one point; leave out empty lists of points")]
    Empty,
    /// A coordinate is NaN or infinite.
    ///
    /// To fix it, repair or remove the point in its source. A hull that ignored the point would enclose less than the
    /// input.
    #[error("points[{index}].{axis} is {found}, expected a finite number; repair or remove the point")]
    NotFinite {
        /// The first point with a coordinate that is not finite, an index into the input.
        index: usize,
        /// The first coordinate of that point that is not finite: `x`, `y` or `z`.
        axis: char,
        /// The coordinate's value: `NaN`, `inf` or `-inf`.
        found: &'static str,
    },
    /// The input has more than [`MAX_POINTS`] points.
    ///
    /// To fix it, build the hulls of parts of the input, and then the hull of all their vertices. The result is the
    /// same hull.
    #[error(
        "the input has {found} points, expected at most {MAX_POINTS}; build hulls of parts, then the hull of their vertices"
    )]
    TooManyPoints {
        /// The number of points in the input.
        found: usize,
    },
}
