//! Clipping convex polygons by a plane or a line.

/// A corner of a clipped polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Clipped<C> {
    /// A corner of the polygon, at height 0 or above.
    Corner(C),
    /// The point at height 0 on the edge between two corners of the polygon.
    Crossing {
        /// The corner with a height above 0.
        above: C,
        /// The corner with a height below 0.
        below: C,
    },
}

/// Returns the part of a convex polygon where a height is not negative, corner by corner (Sutherland and Hodgman 1974).
///
/// `height` is a linear function of a corner's position.
pub(crate) fn clip<C: Copy>(polygon: &[C], height: impl Fn(C) -> f64) -> impl Iterator<Item = Clipped<C>> {
    (0..polygon.len()).flat_map(move |index| {
        let (corner, next) = (polygon[index], polygon[(index + 1) % polygon.len()]);
        let (here, there) = (height(corner), height(next));
        let crossing = if here > 0.0 && there < 0.0 {
            Some(Clipped::Crossing { above: corner, below: next })
        } else if here < 0.0 && there > 0.0 {
            Some(Clipped::Crossing { above: next, below: corner })
        } else {
            None
        };
        (here >= 0.0).then_some(Clipped::Corner(corner)).into_iter().chain(crossing)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_above_stays_with_its_corners_in_order() {
        // A square around the origin, its corners by number.
        let heights = [-1.0, -1.0, 1.0, 1.0f64];
        let above = |low: f64| clip(&[0, 1, 2, 3], |corner: usize| heights[corner] - low).collect::<Vec<_>>();
        let (corner, crossing) = (Clipped::Corner, |above, below| Clipped::Crossing { above, below });
        assert_eq!(above(0.5), [crossing(2, 1), corner(2), corner(3), crossing(3, 0)]);
        assert_eq!(above(-1.0), [0, 1, 2, 3].map(corner));
        assert_eq!(above(1.0), [2, 3].map(corner));
        assert_eq!(above(2.0), []);
    }
}
