use thiserror::Error;

/// Most points one hull takes: face and half-edge numbers then fit in 32 bits.
pub const MAX_POINTS: usize = 1 << 28;

/// Why no hull was built. Everything else that is finite has a hull.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HullError {
    /// The input has no point to enclose.
    ///
    /// Cure: leave out the hull of an empty group.
    #[error("no points: expected at least one; leave out empty groups before asking for a hull")]
    Empty,
    /// A coordinate is NaN or infinite.
    ///
    /// Cure: repair or drop the point where it comes from; a hull that silently ignored it would enclose less than asked.
    #[error("points[{index}].{axis} is {found}: expected a finite number; repair or drop that point")]
    NotFinite {
        /// The first such point, an index into the points given.
        index: usize,
        /// Its first bad coordinate: `x`, `y` or `z`.
        axis: char,
        /// What stands there: `NaN`, `inf` or `-inf`.
        found: &'static str,
    },
    /// More points than [`MAX_POINTS`].
    ///
    /// Cure: build hulls of parts, then the hull of those hulls' vertices; it is the same hull.
    #[error("{found} points: expected at most {MAX_POINTS}; build hulls of parts, then the hull of their vertices")]
    TooManyPoints {
        /// How many were given.
        found: usize,
    },
}
